// Blocks that take the next piece of work from a counter: one thread does, and
// tells the others by a member of a struct, the rest of which is written while
// some are still to read it.
//
// args:     --blockDim=64 --gridDim=*
// verdict:  verified
// bug 1:    racy       the sums of the warps reach into what is told
// bug 2:    racy       what is told is written while others may read it
// bug 3:    divergent  each thread takes a piece for itself
// bug 4:    racy       a sum for each thread

struct Storage {
  int sums[2];
  int next;
};

__global__ void work(int *out, int *head, const int *in, int n) {
  __shared__ Storage storage;
  const int t = threadIdx.x, lane = t % 32, warp = t / 32;
  int sum = 0, from = 64 * blockIdx.x;
  while (from < n) {
    sum += in[from + threadIdx.x];
    if (BUG != 2)
      __syncthreads(); // expect 1,3,4: barrier
    int piece = 0;
    if (BUG == 3 || threadIdx.x == 0)
      piece = atomicAdd(head, 64);
    if (threadIdx.x == 0)
      storage.next = piece; // allow 1,2,4: race on 'storage'
    __syncthreads();        // allow 1,2,3,4: barrier
    from = BUG == 3 ? piece : storage.next; // expect 1,2,4: race on 'storage'
  }
  const int place = BUG == 1 ? warp + 1 : BUG == 4 ? lane : warp;
  if (lane == 0 || BUG == 4)
    storage.sums[place] = sum; // expect 4: race on 'storage'
  __syncthreads();
  if (threadIdx.x == 0)
    out[blockIdx.x] = storage.sums[0] + storage.sums[1];
}
