// The first place of the block is told in another variable, blocks are of any
// size, and each thread takes as many places as it has elements.
//
// verdict:  verified
// bug 1:    racy       the amount may be negative
// bug 2:    racy       the first place may be told before it is known
// bug 3:    racy       more is stored than was drawn for
// bug 4:    racy       the first place is that of another counter's numbers

__global__ void keep(const unsigned char *lengths, const int *more, int *out,
                     int *next, int *other) {
  __shared__ int count, first;
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
#if BUG == 1
  int length = more[i];
#else
  int length = lengths[i];
#endif
  if (threadIdx.x == 0)
    count = 0;
  __syncthreads();
  int place = atomicAdd(&count, length);
  __syncthreads();
  __syncthreads(); // again
  if (threadIdx.x == 0) {
#if BUG == 4
    if (blockIdx.x & 1)
      first = atomicAdd(other, count);
    else
#endif
      first = atomicAdd(next, count); // allow 2: race on 'first'
  }
#if BUG != 2
  __syncthreads();
#endif
#if BUG == 3
  length++;
#endif
  for (int k = 0; k < length; k++)
    out[first + place + k] = (int)i + k; // expect 1,2,3,4: race on 'out'
}
