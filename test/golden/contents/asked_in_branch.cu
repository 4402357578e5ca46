// What is asked in a branch is asked of the branch; a warp's barrier keeps no
// block together; and what both make an address of is no address of the other.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy     the other is asked for where few threads are
// bug 2:    unknown  the barrier is one of a warp
// bug 3:    unknown  the address is made of both
// bug 4:    unknown  ... by a product

#include <gpuverify.h>

__global__ void k(int n, int *out) {
  __shared__ int cell[64];
  int t = threadIdx.x, next = (t + 1) % 64;
  for (int i = 0; BUG == 2 && i < 10; i++) {
#if BUG == 2
    __invariant(t >= 32 || i <= 3), __invariant(i >= 0);
    __barrier_invariant_1(t >= 32 || i <= 3, 0); // expect 2: not one of the block
    __syncwarp();
#endif
    if (i == 4)
      out[0] = t;
    if (t < 32 && i == 3)
      break;
  }
  cell[t] = t + 100;
  __barrier_invariant_binary_1(
      cell[__other_int(t)] == 100 + __other_int(t), t, next);
#if BUG == 1
  __barrier_invariant_binary_1(
      t >= 5 || !__other_bool(__enabled()) || __other_int(t) < 5, 1, 7);
#elif BUG == 3
  __barrier_invariant_binary_1( // expect 3: make together
      cell[t & __other_int(t)] == 100 + __other_int(t), t, 1);
#elif BUG == 4
  __barrier_invariant_binary_1( // expect 4: make together
      cell[(t * __other_int(t)) % 64] == 100 + __other_int(t), t, 1);
#endif
  __syncthreads();
  __assert(cell[next] == 100 + next);
  out[BUG == 1 ? 0 : cell[next]] = t; // expect 1: race on 'out'
}
