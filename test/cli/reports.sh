# What a report looks like, and what each verdict does to the exit status.
# shellcheck shell=sh

cat >three.cu <<'END'
__global__ void good(int *a) {
  a[threadIdx.x + blockIdx.x * blockDim.x] = 1;
}
__global__ void racy(int *a) {
  a[threadIdx.x / 2] = threadIdx.x;
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
  asm volatile("red.global.add.s32 [%0], 1;" ::"l"(a) : "memory");
}
END

gives 1 'verdict: verified' three.cu
gives 1 'three.cu:5:22: ' three.cu
gives 1 "write-write race on 'a'" three.cu
gives 1 'a[threadIdx.x / 2] = threadIdx.x;' three.cu
gives 1 'blockDim = (64,1,1)' --blockDim=64 --gridDim=1 three.cu
gives 1 'verdict: racy (possible' --quiet three.cu
says_not 'verified'
gives 4 'verdict: vacuous' vacuous.cu
gives 4 'asm.cu:2:3: not decided: ' asm.cu
gives 4 'verdict: unknown' asm.cu
gives 1 'verdict: racy' asm.cu three.cu
gives 1 'verdict: assertion' --assert-false --kernel-args=k,3 --blockDim=4 \
  ./../reports/args.cu 2>/dev/null || :
