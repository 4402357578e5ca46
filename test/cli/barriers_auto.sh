# --barriers: what the proof does not decide because of named barriers.
# shellcheck shell=sh

cp "$root/test/cli/pipe.cu" .
cat >whole.cu <<'END'
__global__ void __launch_bounds__(64) whole(int *out) {
  asm volatile("bar.sync 0;" ::: "memory");
  asm volatile("ret;");
}
END
cat >staged.cu <<'END'
__device__ unsigned in_shared(const void *p) {
  return (unsigned)__cvta_generic_to_shared(p);
}
__global__ void __launch_bounds__(32) staged(const int4 *in, unsigned *out) {
  __shared__ int4 rows[32];
  unsigned t = threadIdx.x, other, r[4];
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;"
               ::"r"(in_shared(rows + t)), "l"(in + t) : "memory");
  asm volatile("cp.async.wait_all;" ::: "memory");
#ifndef RACY
  __syncthreads();
#endif
  asm volatile("shfl.sync.bfly.b32 %0, %1, 1, 0x1f, 0xffffffff;"
               : "=r"(other) : "r"(t));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(in_shared(rows + other)) : "memory");
  out[t] = r[0] + r[1] + r[2] + r[3];
}
END
cat >mbarrier.cu <<'END'
__global__ void __launch_bounds__(64) lonely(int *out) {
  __shared__ unsigned long long full;
  unsigned at = (unsigned)__cvta_generic_to_shared(&full);
  asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(at) : "memory");
}
END
one='named barriers, one block, shared memory only, kernel'
any='verdict: verified for one block (named barriers, any, global memory was not looked at, kernel'

gives 4 "$any 'pipe'" -DLAUNCH --gridDim=1 --barriers=auto pipe.cu
gives 0 "$any 'pipe'" --one-block -DLAUNCH --gridDim=1 --barriers=auto pipe.cu
gives 4 'for blockDim = (64,1,1), block (0,0,0) of (1,1,1)' \
  -DLAUNCH --gridDim=1 --barriers=auto pipe.cu
gives 4 'for one block: any, global memory was not looked at' \
  -DLAUNCH --gridDim=1 --barriers=auto pipe.cu
gives 4 'note: the proof does not decide this: inline assembly' \
  -DLAUNCH --gridDim=1 --barriers=auto pipe.cu
gives 4 "$any 'pipe'" --gridDim=1 --blockDim=64 \
  --kernel-args=pipe,32 --barriers=auto pipe.cu
gives 4 "$any 'pipe'" '-DBOUNDS=__launch_bounds__(64)' \
  --gridDim=1 --kernel-args=pipe,32 --barriers=auto pipe.cu
gives 4 'named barriers: not decided: the block size is not known' \
  --gridDim=1 --barriers=auto pipe.cu
gives 4 'note: the proof does not decide this: inline assembly' \
  --gridDim=1 --barriers=auto pipe.cu
gives 4 'named barriers: not decided: ' --gridDim=1 --blockDim=64 --barriers=auto pipe.cu
gives 1 'pipe.cu:20:24: read-write race in shared memory' -DLAUNCH -DRACY --barriers=auto pipe.cu
gives 1 "verdict: racy (confirmed, $one 'pipe'" -DLAUNCH -DRACY --barriers=auto pipe.cu
gives 1 "verdict: deadlock (confirmed, $one 'pipe'" -DLAUNCH -DSTUCK --barriers=auto pipe.cu
gives 4 '"technique":"barriers"' --json -DLAUNCH --gridDim=1 --barriers=auto pipe.cu
gives 4 '"verdict":"verified for one block"' \
  --json -DLAUNCH --gridDim=1 --barriers=auto pipe.cu
gives 0 '"verdict":"verified for one block"' \
  --json --one-block -DLAUNCH --gridDim=1 --barriers=auto pipe.cu
gives 4 '"proof":{"verdict":"unknown","reason":"inline assembly' \
  --json -DLAUNCH --gridDim=1 --barriers=auto pipe.cu
gives 1 '"sentence":"read-write race in shared memory"' \
  --json -DLAUNCH -DRACY --barriers=auto pipe.cu
gives 4 'verified for one block' --quiet -DLAUNCH --gridDim=1 --barriers=auto pipe.cu
gives 0 '' --quiet --one-block -DLAUNCH --gridDim=1 --barriers=auto pipe.cu
says_not pipe
gives 1 'is used, but not initialised' --barriers=auto mbarrier.cu

# Assembly that the proof reads is still there for those who know more of it.
gives 4 "$any 'staged'" --gridDim=1 --barriers=auto staged.cu
gives 1 "verdict: racy (confirmed, $one 'staged'" \
  -DRACY --gridDim=1 --barriers=auto staged.cu

# A proof for the kernel: any block, or each; and nothing is written to global
# memory, where races were not looked for.
cat >local.cu <<'END'
#define SYNC asm volatile("bar.sync 1, 64;" ::: "memory")
#define BOUNDS __launch_bounds__(64)
__global__ void BOUNDS reads(const int *in) {
  __shared__ int cell[64];
  cell[threadIdx.x] = in[64 * blockIdx.x + threadIdx.x];
  SYNC;
  volatile int *other = &cell[63 - threadIdx.x];
  (void)*other;
}
#ifdef N
__global__ void BOUNDS numbered(const int *in) {
  __shared__ int cell[64];
  cell[threadIdx.x] = 1;
  SYNC;
  if (blockIdx.x == 0)
    SYNC;
  volatile int *other = &cell[blockIdx.x == N ? 0 : threadIdx.x];
  *other = threadIdx.x;
}
__global__ void BOUNDS calls(int *out) {
  SYNC;
  atomicAdd(out, 1);
}
__global__ void BOUNDS writes(int *out) {
  out[0] = threadIdx.x;
  SYNC;
  out[1 + threadIdx.x] = out[0];
}
#endif
END
all='named barriers, any, nothing is written to global memory, kernel'
auto='--barriers=auto local.cu'
gives 4 "verdict: verified ($all 'reads'" -DN=4 --gridDim=4 $auto
gives 4 "$any 'calls'" -DN=4 --gridDim=4 $auto
gives 4 "$any 'writes'" -DN=4 --gridDim=4 $auto
gives 1 "verdict: racy (confirmed, $one 'numbered'" -DN=3 --gridDim=4 $auto
gives 1 'in block (3,0,0) of (4,1,1)' -DN=3 --gridDim=4 $auto
gives 4 "verdict: verified (named barriers, each of (4,1,1), nothing is written to global memory, kernel 'numbered'" \
  -DN=4 --gridDim=4 $auto
gives 4 "verdict: verified for one block (named barriers, 6 of (400,1,1), not the others, nothing is written to global memory, kernel 'numbered'" \
  -DN=77 --gridDim=400 $auto
gives 0 "verdict: verified ($all 'reads'" --gridDim=4 $auto
gives 0 "verdict: verified ($all 'reads'" $auto
gives 0 '"verdict":"verified",' --json --gridDim=4 $auto
gives 4 "verified for one block ($all 'reads'" --check-array-bounds $auto

# Not asked for, or not what the proof stumbles over.
gives 4 "verdict: unknown (kernel 'pipe'" -DLAUNCH pipe.cu
gives 4 "verdict: unknown (kernel 'pipe'" --only-divergence \
  --barriers=auto -DLAUNCH pipe.cu
gives 4 "verdict: unknown (kernel 'whole'" --barriers=auto whole.cu
gives 2 '--barriers=on: expected one of auto|off' --barriers=on pipe.cu
gives 2 "an option of the proof" barriers --barriers=off pipe.cu
