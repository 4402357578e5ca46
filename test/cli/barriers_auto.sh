# --barriers: what the proof does not decide because of named barriers.
# shellcheck shell=sh

cat >pipe.cu <<'END'
#ifndef BOUNDS
#define BOUNDS
#endif
__device__ void arrive(int name, int threads) {
  asm volatile("bar.arrive %0, %1;" ::"r"(name), "r"(threads) : "memory");
}
__device__ void sync(int name, int threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(name), "r"(threads) : "memory");
}
__global__ void other(int *out) { out[threadIdx.x] = 1; }
__global__ void BOUNDS pipe(int *out, int n) {
  __shared__ int cell[32];
  if (threadIdx.x < n) {
    cell[threadIdx.x] = 1;
    arrive(1, 64);
  } else {
#ifndef RACY
    sync(1, 64);
#endif
    out[threadIdx.x] = cell[threadIdx.x - 32];
#ifdef STUCK
    sync(2, 64);
#endif
  }
}
#ifdef LAUNCH
void run(int *out) { pipe<<<1, 64>>>(out, 32); }
#endif
END
cat >whole.cu <<'END'
__global__ void __launch_bounds__(64) whole(int *out) {
  asm volatile("bar.sync 0;" ::: "memory");
  asm volatile("exit;");
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

gives 0 "verdict: verified ($one 'pipe'" -DLAUNCH --gridDim=1 --barriers=auto pipe.cu
gives 0 'for blockDim = (64,1,1), block (0,0,0) of (1,1,1)' \
  -DLAUNCH --gridDim=1 --barriers=auto pipe.cu
gives 0 'for one block, shared memory only' -DLAUNCH --gridDim=1 --barriers=auto pipe.cu
gives 0 'note: the proof does not decide this: inline assembly' \
  -DLAUNCH --gridDim=1 --barriers=auto pipe.cu
gives 0 "verdict: verified ($one 'pipe'" --gridDim=1 --blockDim=64 \
  --kernel-args=pipe,32 --barriers=auto pipe.cu
gives 0 "verdict: verified ($one 'pipe'" '-DBOUNDS=__launch_bounds__(64)' \
  --gridDim=1 --kernel-args=pipe,32 --barriers=auto pipe.cu
gives 4 'named barriers: not decided: the block size is not known' \
  --gridDim=1 --barriers=auto pipe.cu
gives 4 'note: the proof does not decide this: inline assembly' \
  --gridDim=1 --barriers=auto pipe.cu
gives 4 'named barriers: not decided: ' --gridDim=1 --blockDim=64 --barriers=auto pipe.cu
gives 1 'pipe.cu:20:24: read-write race in shared memory' -DLAUNCH -DRACY --barriers=auto pipe.cu
gives 1 "verdict: racy (confirmed, $one 'pipe'" -DLAUNCH -DRACY --barriers=auto pipe.cu
gives 1 "verdict: deadlock (confirmed, $one 'pipe'" -DLAUNCH -DSTUCK --barriers=auto pipe.cu
gives 0 '"technique":"barriers"' --json -DLAUNCH --gridDim=1 --barriers=auto pipe.cu
gives 0 '"proof":{"verdict":"unknown","reason":"inline assembly' \
  --json -DLAUNCH --gridDim=1 --barriers=auto pipe.cu
gives 1 '"sentence":"read-write race in shared memory"' \
  --json -DLAUNCH -DRACY --barriers=auto pipe.cu
gives 0 '' --quiet -DLAUNCH --gridDim=1 --barriers=auto pipe.cu
says_not pipe
gives 1 'is used, but not initialised' --barriers=auto mbarrier.cu

# Assembly that the proof reads is still there for those who know more of it.
gives 0 "verdict: verified ($one 'staged'" --gridDim=1 --barriers=auto staged.cu
gives 1 "verdict: racy (confirmed, $one 'staged'" \
  -DRACY --gridDim=1 --barriers=auto staged.cu

# Not asked for, or not what the proof stumbles over.
gives 4 "verdict: unknown (kernel 'pipe'" -DLAUNCH pipe.cu
gives 4 "verdict: unknown (kernel 'pipe'" --only-divergence \
  --barriers=auto -DLAUNCH pipe.cu
gives 4 "verdict: unknown (kernel 'whole'" --barriers=auto whole.cu
gives 2 '--barriers=on: expected one of auto|off' --barriers=on pipe.cu
gives 2 "an option of the proof" barriers --barriers=off pipe.cu
