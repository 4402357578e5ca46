// What the host's pointer points to is nobody's cell, so there is nothing to
// wait for.
//
// technique: barriers
// verdict:  verified
// bug 1:    racy       the pointer is one to a cell

// A store of which the compiler cannot know where it goes.
__device__ __forceinline__ void store(int *to, int value) {
  asm volatile("st.b32 [%0], %1;" ::"l"(to), "r"(value) : "memory");
}

__global__ void __launch_bounds__(64) fill(int *out) {
  __shared__ int cell[64];
  cell[threadIdx.x] = threadIdx.x;
#if BUG == 1
  out = cell;
#endif
  store(&out[63 - threadIdx.x], 1); // expect 1: write-write race in shared
}
