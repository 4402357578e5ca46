// Without hooks: atomic operations on shared memory, by threads that may be
// elements of a vector, and what they return.
//
// args:     --detect=none
// verdict:  passed
// prints:   bins = 16 16 32 64
// prints:   ends = 127 -3 255 4 8128
// bug 1:    wrong-result    what one returns is the same for all

__global__ void bins(unsigned *bins, int *ends) {
  __shared__ unsigned count[4];
  __shared__ int least, most, bits, rank;
  __shared__ float sum;
  int t = (int)threadIdx.x;
  if (t < 4)
    count[t] = 0;
  if (t == 0) {
    least = most = bits = rank = 0;
    sum = 0;
  }
  __syncthreads();
  int bin = t & 64 ? 3 : t & 32 ? 2 : t & 1;
  int before = (int)atomicAdd(&count[bin], 1u);
#if BUG == 1
  before = 1;
#endif
  atomicMax(&most, t);
  atomicMin(&least, -(t & 3));
  atomicOr(&bits, t * 2 + 1);
  if (before == 15)
    atomicAdd(&rank, 1);
  atomicAdd(&sum, (float)t);
  __syncthreads();
  if (t < 4)
    bins[t] = count[t];
  if (t == 0) {
    ends[0] = most;
    ends[1] = least;
    ends[2] = bits;
    ends[3] = rank;
    ends[4] = (int)sum;
  }
}
