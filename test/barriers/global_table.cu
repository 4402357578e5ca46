// A table in global memory that nothing writes says who writes where.
//
// technique: barriers
// verdict:  verified, verified
// bug 1:    racy, verified       two entries are the same
// bug 2:    unknown, verified    another kernel writes the table
// bug 3:    unknown, verified    it gives its address away
// bug 4:    unknown, unknown     a function that is elsewhere gets it
// bug 5:    unknown, verified    it is written by way of a computed pointer
// bug 6:    unknown, verified    a variable has its address

static __device__ int order[8] = {3, 1, 0, BUG == 1 ? 0 : 2, 5, 4, 7, 6};
#if BUG == 6
__device__ int *handle = order;
#endif
#if BUG == 4
extern "C" __device__ void elsewhere(int *);
#endif

__global__ void __launch_bounds__(64) permute(int *out) {
  __shared__ int cell[64];
  int t = threadIdx.x;
  cell[order[t / 8] * 8 + t % 8] = t; // expect 1,2,3,4,5,6: shared
  __syncthreads();
  out[t] = cell[t];
}

__global__ void __launch_bounds__(64) other(int *out, int i) {
#if BUG == 2
  order[i] = 1;
#elif BUG == 3
  *(int **)out = order + i;
#elif BUG == 4
  elsewhere(order); // allow 4: has no body
#elif BUG == 5
  int *at = i > 3 ? order : out;
  atomicAdd(at + i, 1);
#elif BUG == 6
  *(int **)out = handle;
#else
  *out = order[i];
#endif
}
