// Threads go through an array by the number of threads; behind the last element
// a counter may pass the end of its type before it passes n, if n is near to it.
//
// args:     --ladder=all --blockDim=48 --gridDim=1
// verdict:  verified, verified
// assumes:  launch-limits, no-alias, termination, sizes-fit
// bug 1:    racy, verified  an argument is no size of the launch
// bug 2:    racy, verified  the loop does not end where the counter is large
// bug 3:    verified, racy  the counter goes down, and wraps by right
// bug 4:    verified, racy  the loop goes on for another reason
// bug 5:    verified, racy  what is below n is not the counter
// bug 6:    verified, racy  so many threads there are not

__global__ void signed_counter(float *a, int n, int step) {
  if (step < (int)blockDim.x)
    return;
#if BUG == 1
  for (int i = threadIdx.x; i < n; i = (int)((unsigned)i + (unsigned)step))
#elif BUG == 2
  for (int i = threadIdx.x; i != n; i += blockDim.x)
#else
  for (int i = threadIdx.x; i < n; i += blockDim.x)
#endif
    a[i] = 2 * a[i]; // expect 1,2: race on 'a'
}

__global__ void unsigned_counter(float *a, const int *more, unsigned n) {
#if BUG == 3
  for (unsigned i = threadIdx.x; i < n; i -= blockDim.x)
#elif BUG == 4
  for (unsigned i = threadIdx.x; i < n || more[i]; i += blockDim.x)
#elif BUG == 6
  for (unsigned i = threadIdx.x; i < n; i += (1 << 24) + 16)
#elif BUG == 5
  for (unsigned i = threadIdx.x; i / 2 < n; i += blockDim.x)
#else
  for (unsigned i = threadIdx.x; i < n; i += blockDim.x)
#endif
    a[i] = 2 * a[i]; // expect 3,4,5,6: race on 'a'
}
