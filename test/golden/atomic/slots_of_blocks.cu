// Threads draw places in their block, and the first thread draws as many from
// all: a place of the block's and the block's first one make a place of all.
//
// args:     --blockDim=64 --gridDim=8
// verdict:  verified
// bug 1:    racy       the counter may begin anywhere
// bug 2:    racy       who comes late draws behind the block's total
// bug 3:    racy       the block takes one place less
// bug 4:    racy       a second element is stored where one place is taken
// bug 5:    racy       some take back
// bug 6:    racy       each number is drawn again
// bug 7:    racy       nobody draws from what is common to all
// bug 8:    racy       somebody exchanges what is common to all
// bug 9:    racy       one thread sets the counter while others draw
// bug 10:   racy       all blocks but the first draw nothing
// bug 11:   racy       the first place is another number than what was drawn
// bug 12:   racy       who writes is not who drew

__global__ void keep(const int *in, int *out, int *next, int *sure) {
  __shared__ int count;
  int value = in[blockIdx.x * blockDim.x + threadIdx.x];
  int place = 0;
#if BUG != 1
  if (threadIdx.x == 0)
    count = 0;
#endif
  __syncthreads();
  if (value > 0)
    place = atomicAdd(&count, 1);
#if BUG == 5
  if (value == 0)
    atomicSub(&count, 1);
#elif BUG == 9
  if (value == 0)
    atomicExch(&count, 0);
#elif BUG == 6
  __syncthreads();
  if (threadIdx.x == 0)
    count = 0;
  __syncthreads();
  if (value > 1)
    place = atomicAdd(&count, 1);
#endif
#if BUG != 2
  __syncthreads();
#endif
#if BUG == 8
  if (threadIdx.x == 1)
    atomicExch(next, 0);
#endif
#if BUG == 10
  if (threadIdx.x == 0 && blockIdx.x == 0)
#else
  if (threadIdx.x == 0)
#endif
#if BUG == 3
    count = atomicAdd(next, count - 1);
#elif BUG == 7
    count = *sure;
#elif BUG == 11
    count = atomicAdd(next, count) / 2;
#else
    count = atomicAdd(next, count); // allow 2: race on 'count'
#endif
  __syncthreads();
#if BUG == 12
  if (value >= 0)
#else
  if (value > 0)
#endif
    out[count + place] = threadIdx.x; // expect 1,2,3,5,6,7,8,9,10,11,12: race on 'out'
#if BUG == 4
  if (value > 0)
    out[count + place + 1] = -1 - (int)threadIdx.x; // expect 4: race on 'out'
#endif
}
