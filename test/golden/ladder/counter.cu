// A loop over elements with a signed counter, which passes the end of the
// numbers if n is near enough to it, and then comes to other threads' elements.
//
// args:     --ladder=all --blockDim=48 --gridDim=1
// verdict:  verified
// assumes:  launch-limits, termination, no-signed-overflow
// bug 1:    racy  the counter goes down, and overflows nowhere
// bug 2:    racy  an unsigned counter wraps by right
__global__ void scale(float *a, int n, int step) {
#if BUG == 1
  int down = -1 - (step & 3);
  for (int i = threadIdx.x; i > -8; i += down)
    a[i] = 2 * a[i]; // expect 1: race on 'a'
#elif BUG == 2
  for (unsigned i = threadIdx.x; i < (unsigned)n; i += 48 + (step & 3))
    a[i] = 2 * a[i]; // expect 2: race on 'a'
#else
  for (int i = threadIdx.x; i < n; i += 48)
    a[i] = 2 * a[i];
#endif
}
