# What a report looks like, and what each verdict does to the exit status.
# shellcheck shell=sh

cat >two.cu <<'END'
__global__ void good(int *a) {
  a[threadIdx.x + blockIdx.x * blockDim.x] = 1;
}
__global__ void racy(int *a) {
  a[threadIdx.x / 2] = threadIdx.x;
}
END
cat >local.cl <<'END'
__kernel void local_race(__global int *a) {
  __local int s[64];
  s[get_local_id(0)] = a[get_global_id(0)];
  a[get_global_id(0)] = s[63 - get_local_id(0)];
}
END
cat >vacuous.cu <<'END'
__global__ void vacuous(int *a, int n) {
  __requires(n > 3);
  __requires(n < 2);
  a[0] = n;
}
END
cat >asm.cu <<'END'
__global__ void strange(int *a) {
  asm volatile("multimem.red.global.add.s32 [%0], 1;" ::"l"(a) : "memory");
}
END
cat >scalars.cu <<'END'
__global__ void stride(int *a, int n, float *b, int m) {
  a[threadIdx.x * n] = threadIdx.x * m;
}
END
cat >factors.cu <<'END'
__global__ void one(int *a, unsigned x, unsigned y) {
  if ((unsigned long long)x * y == 4611685846628697223ull && x > 1 && y > 1)
    a[0] = threadIdx.x;
}
__global__ void two(int *a) { a[threadIdx.x / 2] = threadIdx.x; }
END
cat >launches.cu <<'END'
__global__ void pick(int *a, int n) {
  a[threadIdx.x % n] = threadIdx.x;
}
void fine(int *a) { pick<<<1, 32>>>(a, 32); pick<<<1, 16>>>(a, 64); }
#ifdef BAD
void bad(int *a) { pick<<<1, 64>>>(a, 32); }
#endif
END

gives 1 "verdict: verified (kernel 'good', " two.cu
gives 1 "verdict: racy (possible, kernel 'racy', " --no-confirm two.cu
gives 1 "two.cu:5:22: possible write-write race on 'a'" --confirm=off two.cu
says_not 'executed'
gives 2 '--confirm=maybe: neither on nor off' --confirm=maybe two.cu
gives 1 '    a[threadIdx.x / 2] = threadIdx.x;' two.cu
gives 1 'writes a[' two.cu
gives 1 'when blockDim = (64,1,1), gridDim = (1,1,1)' \
  --blockDim=64 --gridDim=1 two.cu
gives 1 'verdict: racy' --quiet two.cu
says_not 'verified'
gives 1 'work-item (' --local_size=64 --num_groups=2 local.cl
gives 1 'no barrier between the start of the kernel and them' \
  --local_size=64 --num_groups=1 local.cl
gives 0 'for every launch' --only-divergence two.cu
gives 4 'verdict: vacuous' vacuous.cu
gives 4 'asm.cu:2:3: not decided: inline assembly' asm.cu
gives 4 "verdict: unknown (kernel 'strange', " asm.cu
gives 1 'verdict: racy' asm.cu two.cu

# Scalars are counted without the pointers between them.
gives 1 'n = 0' --kernel-args=stride,0,7 --blockDim=8 --gridDim=1 scalars.cu
gives 1 'm = 7' --kernel-args=stride,0,7 --blockDim=8 --gridDim=1 scalars.cu
gives 0 'verdict: verified' --kernel-args=stride,1,* --blockDim=8 --gridDim=1 \
  scalars.cu

# The host code's launches are proved one by one; the worst verdict counts.
gives 0 'for each of the 2 launches in this file' launches.cu
gives 1 'when blockDim = (64,1,1), gridDim = (1,1,1), n = 32' -DBAD launches.cu
gives 1 'when blockDim = (64,1,1)' --blockDim=64 launches.cu
gives 1 'verdict: racy' --kernel-args=pick,8 launches.cu

# One kernel that nobody can judge leaves time for the next.
gives 1 'not decided: the time budget is used up' --file-timeout=2 factors.cu
contains "verdict: racy (" || fail 'no time for the second'

# A proof that proves everything is found out.
gives 1 'verdict: assertion' --assert-false --blockDim=8 two.cu

# Dumps and Boogie.
gives 1 'good' --dump=kernel two.cu
gives 1 'obligation' --dump=pair two.cu
gives 1 '(check-sat)' --dump=smt two.cu
gives 1 'verdict: racy' --emit-boogie=k.bpl two.cu
check 'a Boogie file for each kernel' test -s k._Z4goodPi.bpl
check 'a Boogie file for each kernel' test -s k._Z4racyPi.bpl
gives 1 'two_blocks' --dump=program two.cu
gives 1 'verdict: racy' --emit-program=p.bpl two.cu
check 'a program for each kernel' test -s p._Z4goodPi.bpl
check 'a program for each kernel' test -s p._Z4racyPi.bpl
gives 1 'unsupported: --warp-sync' --warp-sync=32 --dump=program two.cu

# One line of JSON a kernel, nothing else on stdout.
gives 1 '"verdict":"racy","confirmed":false' --no-confirm --json two.cu
"$gpuverify" --json --dump=kernel two.cu >out.json 2>/dev/null
check 'two lines for two kernels' test "$(wc -l <out.json)" -eq 2
check 'each of them an object' test "$(grep -c '^{"schema":1,.*}$' out.json)" -eq 2

# Two runs say the same, but for the time.
timeless() { "$gpuverify" two.cu | sed 's/[0-9.]* s)$//' >"$1"; }
timeless first
timeless second
check 'the same output twice' cmp first second

# What a proof needs of atomic counters is named, and only then.
cat >counters.cu <<'END'
#if NEEDS
__global__ void draw(int *out, unsigned *next) {
  out[atomicAdd(next, 1)] = threadIdx.x;
}
#else
__global__ void draw(int *out, unsigned *next) {
  unsigned number = atomicAdd(next, 1);
  if (number > 10)
    out[blockIdx.x * blockDim.x + threadIdx.x] = number;
}
#endif
END
gives 0 'atomic-counters' --clang-arg=-DNEEDS --blockDim=64 --gridDim=8 \
  counters.cu
gives 0 'atomic-counters' --clang-arg=-DNEEDS counters.cu
gives 0 'atomic-counters' --clang-arg=-DNEEDS --json counters.cu
gives 0 'verdict: verified' --clang-arg=-DNEEDS=0 counters.cu
says_not 'atomic-counters'

# Beside an alarm an array is said to be fine only if it is: not the second one
# behind the statement, nor one whose proof rests on an assertion that fails or
# is not decided.
both=$root/test/golden/ladder/what_is_told.cu
gives 1 "possible write-write race on 'a'" --no-confirm --blockDim=64 -DBUG=1 "$both"
says_not "verified: 'b'"
gives 1 'assertion' --no-confirm --blockDim=64 -DBUG=2 "$both"
says_not "verified: 'b'"
gives 1 "not decided: 'b'" --no-confirm --timeout=5 --blockDim=64 -DBUG=3 "$both"
says_not "verified: 'b'"
