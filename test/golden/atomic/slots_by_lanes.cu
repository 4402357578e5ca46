// The lanes of a warp draw together in their block, and the blocks from all.
//
// args:     --blockDim=128
// verdict:  verified
// bug 1:    racy       all lanes of a warp take one place
// bug 2:    racy       a warp draws one place for all its lanes
// bug 3:    racy       the block takes no places

__global__ void keep(const int *in, int *out, int *next) {
  __shared__ int count, first;
  int value = in[blockIdx.x * blockDim.x + threadIdx.x];
  unsigned lane = threadIdx.x % 32;
  if (threadIdx.x == 0)
    count = 0;
  __syncthreads();
  unsigned mask = __ballot_sync(0xffffffff, value > 0);
  int place = 0;
  if (lane == 0)
#if BUG == 2
    place = atomicAdd(&count, 1);
#else
    place = atomicAdd(&count, __popc(mask));
#endif
  place = __shfl_sync(0xffffffff, place, 0);
#if BUG != 1
  place += __popc(mask & ((1u << lane) - 1));
#endif
  __syncthreads();
  if (threadIdx.x == 0)
#if BUG == 3
    first = atomicAdd(next, 0);
#else
    first = atomicAdd(next, count);
#endif
  __syncthreads();
  if (value > 0)
    out[first + place] = threadIdx.x; // expect 1,2,3: race on 'out'
}
