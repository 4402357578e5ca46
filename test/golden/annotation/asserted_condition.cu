// An assertion is about one thread; who comes to a barrier is about two.
//
// args:     --blockDim=64 --gridDim=1 --exited-threads=error
// verdict:  verified
// bug 1:    divergent  threads for which it holds decide otherwise
// bug 2:    assertion  it does not hold

__global__ void check(int n) {
  int t = threadIdx.x;
  assert(t < (BUG == 2 ? n : 64)); // expect 2: assertion
  if ((BUG == 1 ? t : 5) < n)
    __syncthreads(); // expect 1: barrier divergence
}
