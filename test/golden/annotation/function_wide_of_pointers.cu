// A function-wide invariant is one of a loop that keeps pointers, too.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    assertion    it does not hold

__global__ void k(int *out, int n) {
  int *places[4];
  __requires(n > 2);
  __function_wide_invariant(n > (BUG == 1 ? 3 : 2)); // expect 1: invariant
  for (int i = 0; i < 4; i++) {
    places[i] = out + 64 * i + threadIdx.x;
    *places[i] = i;
  }
}
