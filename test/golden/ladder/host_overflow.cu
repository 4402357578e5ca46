// What the host computes of sizes says nothing where it overflows, if nothing
// says that it does not.
//
// args:     --strict --assume=arguments-not-negative,sizes-fit,rows-fit --no-confirm
// verdict:  racy
// bug 1:    verified  it looks whether there are too many
// bug 2:    racy      .. but for a few
// bug 3:    verified  nothing overflows in 64 bits
// bug 4:    racy      .. but what does not fit into 32
#include <cuda_runtime.h>

enum { EACH = 512, MOST = 1 << 20 };

__global__ void planes(int n, unsigned long long offset, float *out) {
  unsigned i = blockIdx.x * EACH + threadIdx.x;
  if (blockIdx.x < n) {
    out[i] = i;
    out[i + offset] = 2 * i + 1; // expect 0,2,4: race on 'out'
  }
}

void launch(float *out, int n) {
#if BUG == 1
  if (n > MOST)
    return;
#elif BUG == 2
  if (n > 2 * MOST * 8)
    return;
#endif
#if BUG == 3
  long long offset = (long long)n * EACH;
#elif BUG == 4
  long long offset = (long long)(n * EACH);
#else
  int offset = n * EACH;
#endif
  planes<<<1000, EACH>>>(n, offset, out);
}
