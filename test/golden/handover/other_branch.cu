// The first thread of one block writes a variable, once. The threads of another
// block never end, and read theirs: of when its first thread leaves their loop
// the write says nothing.
//
// args:     --ladder=all
// verdict:  unknown

__device__ int rounds;

__global__ void serve(const int *asked, int *out) {
  __shared__ int chosen;
  if (blockIdx.x == 0) {
    if (threadIdx.x == 0)
      chosen = 1;
  } else
    for (;;) {
      __syncthreads();
      int own = chosen;
      __threadfence();
      int round = atomicAdd(&rounds, 1);
      if (asked[round % 64] == 1)
        out[0] = threadIdx.x + own;
      __threadfence();
      atomicAdd(&rounds, 1);
    }
}
