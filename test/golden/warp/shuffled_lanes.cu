// Who tells whom what: the lane that a shuffle asks, in blocks of two rows, with
// parts of a warp, and with lanes that are not there.
//
// args:     --blockDim=[16,4] --gridDim=3
// verdict:  verified
// bug 1:    racy       the lane by x alone, of a warp with two rows
// bug 2:    racy       a warp of sixteen asks its own first lane, which did not add
// bug 3:    verified   ... which added for its sixteen
// bug 4:    racy       the last lane is asked, which is another one in each half
// bug 5:    racy       one counter is in each block, and one row for all of them

__global__ void compact(int *out, const int *in, unsigned *n) {
  const unsigned all = 0xffffffff;
  __shared__ unsigned count;
  unsigned t = threadIdx.y * 16 + threadIdx.x, below, asked = 0, width = 32;
  unsigned *counter = n, lane = BUG == 1 ? threadIdx.x & 31 : t & 31;
  int v = in[blockIdx.x * 64 + t];
  if (t == 0)
    count = 0;
  __syncthreads();
#if BUG == 2 || BUG == 3
  width = 16;
#elif BUG == 4
  asked = v & 31;
#elif BUG == 5
  counter = &count;
#endif
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
#if BUG == 1
  below = (1u << lane) - 1;
#endif
  unsigned mask = __ballot_sync(all, v > 0), first = 0;
  if (BUG == 3 ? (lane & 15) == 0 : lane == 0)
    first = atomicAdd(counter, __popc(mask));
  first = __shfl_sync(all, first, asked, width);
  if (v > 0)
    out[first + __popc(mask & below)] = v; // expect 1,2,4,5: write-write race on 'out'
}
