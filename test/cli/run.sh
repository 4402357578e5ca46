# gpuverify run and launch, and races that are looked for in executions.
# shellcheck shell=sh

cat >two.cu <<'END'
__global__ void good(int *a, int n) { a[threadIdx.x] = n; }
__global__ void racy(int *a) {
  a[threadIdx.x / 2] = threadIdx.x;
}
END
cat >far.cu <<'END'
__global__ void far(int *index, int *a) {
  if (index[threadIdx.x] == 1234567)
    a[0] = threadIdx.x;
}
__global__ void never(int *a) {
  __shared__ int seen[1024];
  seen[threadIdx.x] = 0;
  __syncthreads();
  if (seen[(threadIdx.x + 1) % 32] == 5)
    a[0] = threadIdx.x;
}
__device__ int other(int *a);
__global__ void strange(int *a) {
  asm volatile("multimem.red.global.add.s32 [%0], 1;" ::"l"(a) : "memory");
  a[0] = threadIdx.x;
}
END

# Confirmed or possible, and why.
gives 1 "two.cu:3:22: confirmed write-write race on 'a'" two.cu
contains 'stood before their accesses at once; either (' || fail 'no orders'
contains "verdict: racy (confirmed, kernel 'racy'" || fail 'no verdict'
gives 1 '"verdict":"racy","confirmed":true' --json two.cu
gives 1 "confirmed write-write race on 'a'" far.cu
contains 'not seen when executed: thread (' || fail 'no reason'

# A launch file to begin with is one that runs.
gives 0 '"kernel": "good"' launch --template=good two.cu
"$gpuverify" launch --template=good two.cu >good.json
gives 0 'a = 1 1 1 1 1 1 1 1' run --launch=good.json two.cu
contains "verdict: passed (this run, kernel 'good', grid (1,1,1)" ||
  fail 'no verdict'
gives 0 '"verdict":"passed"' run --json --launch=good.json two.cu
"$gpuverify" launch --template=racy two.cu >racy.json
gives 0 'verdict: passed' run --launch=racy.json two.cu
gives 1 'verdict: racy' run --detect=races --launch=racy.json two.cu
gives 1 '"kind":"racy","sentence":"write-write race on' \
  run --detect=races --launch=racy.json --json two.cu

# Wrong use.
gives 2 'there is no main in this program' run two.cu
gives 2 'give one file' run --launch=good.json
gives 2 'no kernel is called: better' launch --template=better two.cu
gives 2 'it has several kernels; name one' launch two.cu
gives 2 'nosuch.json' run --launch=nosuch.json two.cu
gives 2 "an option of 'gpuverify run'" --launch=good.json two.cu
gives 2 'an option of the proof' run --dump=pair --launch=good.json two.cu
echo '{"kernel": "good", "grid": 1, "block": 1}' >short.json
gives 2 "kernel 'good' has 2 arguments" run --launch=short.json two.cu
printf '.version 7.0\n.target sm_70\n.address_size 64\n' >two.ptx
mkdir folder.cu
for with in '' --launch=good.json; do
  gives 2 'two.ptx: PTX is not executed; give the source' run $with two.ptx
  gives 2 'folder.cu: this is a folder' run $with folder.cu
done
gives 2 '/dev/null: a program is made of' run /dev/null
gives 2 '/dev/null: not a .cu, .cl, .ll or .bc file' \
  run --launch=good.json /dev/null
gives 2 '/dev/null: not a .cu, .cl, .ll or .bc file' \
  schedules --launch=good.json /dev/null
gives 2 '/dev/null: not a .cu, .cl, .ll or .bc file' launch /dev/null
echo '{"kernel": "strange", "grid": 1, "block": 1}' >strange.json
gives 4 'assembly is not executed' run --launch=strange.json far.cu
cat >jump.cu <<'END'
__global__ void strange() {
  asm goto("bra %l0;" :: ::end);
end:;
}
END
gives 4 'that jumps to labels of C is not executed' \
  run --launch=strange.json jump.cu
cat >goto.cu <<'END'
__global__ void strange() {
#ifdef TABLE
  const void *table[] = {&&one, &&other}, *to = table[threadIdx.x & 1];
#else
  const void *to = threadIdx.x ? &&one : &&other;
#endif
  goto *to;
one:
  __trap();
other:;
}
END
gives 0 'verdict: passed' run --launch=strange.json goto.cu
gives 4 'a goto to a label that memory keeps is not executed' \
  run --launch=strange.json goto.cu --clang-arg=-DTABLE

# An array of many dimensions, and one address with an index for each.
dims=i8 zeros=''
for dim in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
  dims="[2 x $dims]" zeros="$zeros, i64 0"
done
cat >dims.ll <<END
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %a) {
  %own = alloca $dims
  %next = getelementptr i32, ptr %a, i64 1
  %one = load i32, ptr %next
  %far = mul i32 %one, 100000
  %at = getelementptr $dims, ptr %own$zeros, i32 %far
  store i8 3, ptr %at
  %zero = load i32, ptr %a
  %from = getelementptr $dims, ptr %own$zeros, i32 %zero
  %read = load i8, ptr %from
  store i8 %read, ptr %a
  ret void
}
END
echo '{"kernel": "k", "grid": 1, "block": 1,
  "arguments": [{"count": 8, "type": "i32", "init": "iota"}]}' >dims.json
gives 1 'bytes 100000..100000 of an array of 65536' run --launch=dims.json \
  dims.ll

# Functions of the device's library that a program has declared as it likes.
cat >liar.cu <<'END'
extern "C" __device__ double __nv_fma(double);
extern "C" __device__ double __nv_fabs(double, double, double, double);
extern "C" __device__ int __nv_sqrt(int);
__device__ void wait_group_events();
__device__ void async_work_group_copy();
__device__ void atomic_work_item_fence();
__device__ int vload4();
__device__ void vstore4(int, int, int *);
__device__ void atomic_xchg();
__device__ int atomic_cmpxchg(int *);
__device__ void product() __asm__("x.nvvm.mma.m16n8k16.row.col.f16.f16");
__global__ void load(int *a) { a[0] = vload4(); }
__global__ void store(int *a) { vstore4(1, 2, a); }
__global__ void exchange(int *a) { atomic_xchg(); }
__global__ void compare(int *a) { a[0] = atomic_cmpxchg(a); }
__global__ void few(double *a) { a[0] = __nv_fma(a[0]); }
__global__ void many(double *a) { a[0] = __nv_fabs(a[0], a[1], a[2], a[3]); }
__global__ void whole(double *a) { a[0] = __nv_sqrt((int)a[0]); }
__global__ void events(double *a) { wait_group_events(); }
__global__ void copy(double *a) { async_work_group_copy(); }
__global__ void order(double *a) { atomic_work_item_fence(); }
__global__ void tile(double *a) { product(); }
END
for kernel in load store exchange compare few many whole events copy order tile; do
  echo "{\"kernel\": \"$kernel\", \"grid\": 1, \"block\": 1,
    \"arguments\": [{\"count\": 4}]}" >liar.json
  gives 4 'not executed' run --launch=liar.json liar.cu
done

# However deep lists and parentheses of assembly stand within each other.
deep=$(printf '%5000s' '')
for sign in '{' '(' '-'; do
  text=$(printf '%s' "$deep" | tr ' ' "$sign")
  text=$text$text$text$text$text$text$text$text
  text=$text$text$text$text$text$text$text$text
  printf '__global__ void deep(int *a) {\n  asm volatile("mov.u32 %%0, %s1;"
    : "=r"(a[threadIdx.x]));\n}\n' "$text" >deep.cu
  gives 4 'verdict: unknown' deep.cu
done

# Where only the second fence is missing, --detect=races says so.
cat >fence.cu <<'END'
__global__ void pass_on(int *flag, int *cell) {
  if (blockIdx.x == 0) {
    *cell = 42;
    __threadfence();
    atomicExch(flag, 1);
  } else if (atomicAdd(flag, 0))
    *cell = 0;
}
END
echo '{"grid": 2, "block": 1, "arguments": [{"count": 1}, {"count": 1}]}' \
  >fence.json
gives 1 "race on 'cell': the writing side is ordered by a fence and an atomic" \
  run --detect=races --launch=fence.json fence.cu

# clang makes of CUDA's atomicExch, in its SDK, an instruction that says seq_cst.
if [ -d /usr/local/cuda/include ]; then
  gives 1 "read-write race on 'cell'" run --detect=races -DBUG=4 \
    --launch="$root/test/run/orders.json" "$root/test/run/orders.cu"
  gives 0 'out = 42 42' run --detect=races \
    --launch="$root/test/run/orders.json" "$root/test/run/orders.cu"
else
  skip 'no CUDA SDK'
fi

# Whatever ends the command, no file of it and no process stays.  Who removes
# them does it when the command has ended, as soon as the machine lets it.
cat >slow.cu <<'END'
#include <unistd.h>
__global__ void one(int *a) { *a = 1; }
int main() {
  int *a;
  cudaMalloc(&a, sizeof *a);
  one<<<1, 1>>>(a);
  cudaDeviceSynchronize();
  sleep(20);
}
END
mkdir temporary
is_soon_empty() {
  for _ in $(seq 100); do
    [ -z "$(ls temporary)" ] && return
    sleep 0.1
  done
  return 1
}
for end in INT TERM HUP PIPE; do
  for after in 0.2 1.5; do
    TMPDIR=$PWD/temporary timeout -s $end $after "$gpuverify" run slow.cu \
      >ended 2>&1
    if is_soon_empty; then
      pass
    else
      out=$(cat ended; ls temporary)
      fail "$end leaves files"
    fi
  done
done

# Two threads that write the same value are no race: that they met confirms
# nothing.  A copy of many bytes is one access, made in either order.
cat >same.cu <<'EOF'
__global__ void same(cudaTextureObject_t texture, float *out) {
  out[0] = tex1Dfetch<float>(texture, threadIdx.x);
}
EOF
cat >pairs.cu <<'EOF'
struct Pair { int key, value; };
__global__ void pairs(const Pair *in, Pair *out) {
  out[blockIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
}
__global__ void scale(const float *in, float *out) {
  out[blockIdx.x] = 0.5f * in[blockIdx.x * blockDim.x + threadIdx.x];
}
EOF
gives 1 'verdict: racy (possible' --gridDim=1 same.cu
contains 'but wrote the same value, which does not count as a race' ||
  fail 'no reason'
gives 1 'verdict: racy (confirmed' --gridDim=1 --no-benign-tolerance same.cu
gives 1 "verdict: racy (confirmed, kernel 'pairs'" --blockDim=64 --gridDim=2 \
  pairs.cu
contains "verdict: racy (confirmed, kernel 'scale'" || fail 'no float'

# An index that looks like one with a stride, in code without hooks.
cat >strides.cu <<'EOF'
__global__ void strides(unsigned char *out) {
  __shared__ unsigned table[16];
  unsigned t = threadIdx.x;
  if (t < 16)
    table[t] = t * 77;
  __syncthreads();
  out[t * 4] = 0;
  out[t * 4 + 3] += table[(t * 3 & 7) * 2 + 1];
}
EOF
echo '{"grid": 1, "block": 96, "print": [{"buffer": "out", "count": 16}],
  "arguments": [{"count": 400, "type": "u8"}]}' >strides.json
gives 0 'out = 0 0 0 77 0 0 0 27 0 0 0 233 0 0 0 231' \
  run --detect=none --launch=strides.json strides.cu

# A kernel of a file with many costs hardly more than one of a file with few.
awk -v many=1500 -v few=60 'BEGIN {
  for (i = 0; i < many; i++)
    printf "__global__ void k%d(int *a) { a[threadIdx.x] = %d; }\n", i, i
  print "void launch_some(int *a) {"
  for (i = 0; i < many; i += many / few)
    printf "  k%d<<<1, 32>>>(a);\n", i
  print "}"
}' >many.cu
awk -v few=60 'BEGIN {
  for (i = 0; i < few; i++)
    printf "__global__ void few%d(int *a) { a[threadIdx.x] = %d; }\n", i, i
  print "void launch_some(int *a);"
  print "static void launch_all(int *a) {"
  for (i = 0; i < few; i++)
    printf "  few%d<<<1, 32>>>(a);\n", i
  print "}"
}' >few.cu
cat >>few.cu <<'END'
#include <stdio.h>
#include <time.h>
int main() {
  int *a;
  cudaMalloc(&a, 128);
  clock_t start = clock();
  launch_all(a);
  clock_t middle = clock();
  launch_some(a);
  clock_t end = clock();
  printf("%ld, %ld\n", (long)(middle - start), (long)(end - middle));
  return end - middle > 3 * (middle - start);
}
END
gives 0 'verdict: passed (this run, 120 launches' \
  run -nocudainc -nocudalib few.cu many.cu

# A switch of 3,000 cases is compiled within the processor time of a short run.
awk -v cases=3000 'BEGIN {
  print "__global__ void choose(const int *in, int *out) {"
  print "  int v = 0;"
  print "  switch (in[threadIdx.x]) {"
  for (i = 0; i < cases; i++)
    printf "  case %d: v = in[%d]; break;\n", 7 * i, i % 64
  print "  }\n  __syncthreads();\n  out[threadIdx.x] = v;\n}"
}' >switch.cu
cat >switch.json <<'END'
{"grid": 1, "block": 64, "seconds": 4,
 "arguments": [{"name": "in", "type": "i32", "count": 64, "init": "iota"},
               {"name": "out", "type": "i32", "count": 64}],
 "print": [{"buffer": "out", "count": 16}]}
END
for detect in none bounds races; do
  gives 0 'out = 0 0 0 0 0 0 0 1 0 0 0 0 0 0 2 0' \
    run --detect=$detect --launch=switch.json switch.cu
done

# What is not compiled in time has done nothing wrong.
sed 's/"seconds": 4/"seconds": 0.01/' switch.json >hurry.json
gives 4 'the time is used up before the kernel is compiled' \
  run --launch=hurry.json switch.cu
contains 'verdict: unknown' || fail 'not unknown'
