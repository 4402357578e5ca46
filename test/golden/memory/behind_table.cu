// All threads read one entry of their own tables.  There is none behind the
// last, and what a thread has there need not be what the others have.
//
// args:     --blockDim=64 --gridDim=1 --exited-threads=error
// verdict:  verified
// bug 1:    divergent  an entry behind the last
// bug 2:    divergent  one before the first
// bug 3:    divergent  the last byte is behind the end

__global__ void wait(int n) {
  const int turns[4] = {1, 0, 1, 1};
  const char *bytes = reinterpret_cast<const char *>(turns);
#if BUG == 1
  __requires(n == 4);
#elif BUG == 2
  __requires(n == -1);
#else
  __requires(n >= 0 && n < 4);
#endif
#if BUG == 3
  if (*reinterpret_cast<const int *>(bytes + 4 * n + 1))
#else
  if (*reinterpret_cast<const int *>(bytes + 4 * n))
#endif
    __syncthreads(); // expect 1,2,3: barrier divergence
}
