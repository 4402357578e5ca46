// Through shared memory, with a barrier.
//
// args:     --detect=races
// verdict:  passed
// prints:   a = 63 62 61 60
// bug 1:    racy        no barrier
// bug 2:    divergent   not all threads come to the barrier

__global__ void reverse(int *a) {
  __shared__ int tile[64];
  int i = threadIdx.x, first = blockIdx.x * 64;
  tile[i] = a[first + i]; // says 1: read-write race on 'tile'
#if BUG == 2
  if (i < 40)
#endif
#if BUG != 1
    __syncthreads(); // says 2: barrier divergence
#endif
  a[first + i] = tile[63 - i];
}
