// Fences about LDS alone order no global memory.
//
// args:     --blockDim=128
// verdict:  verified
// bug 1:    racy       the barrier orders LDS, and global memory is read
// bug 2:    racy       the second fence is about global memory

#if BUG == 2
#define MEMORY "global"
#else
#define MEMORY "local"
#endif

__global__ void turn(int *a, int *b) {
  __shared__ int t[128];
  int k = threadIdx.x;
#if BUG == 1
  int *cells = a + blockIdx.x * 128;
#else
  int *cells = t;
#endif
  cells[k] = k; // allow 1,2: race
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup", "local");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup", MEMORY);
  b[blockIdx.x * 128 + k] = cells[127 - k]; // expect 1,2: read-write race
}
