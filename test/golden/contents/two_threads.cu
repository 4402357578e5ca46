// Places that are all different, of which nobody knows what they are: packing
// what is wanted, by an invariant of two threads.
//
// args:     --blockDim=64 --gridDim=2
// verdict:  verified
// bug 1:    racy       not all are different
// bug 2:    assertion  ... which it says
// bug 3:    racy       two numbers of one thread are not two threads
// bug 4:    assertion  the other has another value
// bug 5:    racy       there is no such thread
// bug 6:    racy       the other did not come to the barrier
// bug 7:    unknown    both make the address together
// bug 8:    racy       in another block are the same ones
// bug 9:    assertion  another thread may write what both look at

#include <gpuverify.h>

__global__ void pack(int n, int *out, const int *in) {
  __shared__ int place[65], wanted[64], value[65], first[1];
  int t = threadIdx.x, own = in[t];
  int start = BUG == 8 ? in[0] : 256 * blockIdx.x;
  int next = BUG == 5 ? t + 1 : (t + 1) % 64;
  if (BUG == 6 && t >= n)
    return;
  place[t] = start + (BUG == 2 || (BUG == 1 && t % 2 == 0) ? 0 : 3 * t);
  wanted[t] = t & 1;
  value[t] = BUG == 4 ? own : n;
  if (t == 0)
    first[0] = 5;
  __barrier_invariant_1((unsigned)(place[t] - start) < 256, next);
  __barrier_invariant_binary_1( // expect 2: may fail for two threads
      !wanted[t] | !wanted[__other_int(t)] |
          (place[t] != place[__other_int(t)]),
      next, BUG == 3 ? next : __other_int(next));
  __barrier_invariant_binary_1( // expect 7: make together
      value[__other_int(BUG == 7 ? 0 : t) + (BUG == 7 ? t : 0)] ==
          __other_int(BUG == 4 ? own : n),
      t, next);
  __barrier_invariant_binary_1( // allow 9: may fail
      BUG == 9 ? first[0] == 5 : t != __other_int(t), // expect 9: another thread
      t, next);
  __syncthreads();
  __assert(value[next] == (BUG == 4 ? own : n)); // expect 4,5,6: may fail
  if (wanted[next] || BUG == 1)
    out[place[next]] = own; // expect 1,3,5,6,8: race on 'out'
}
