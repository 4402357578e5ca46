// A tile, reversed in shared memory.
#include <cstdint>
template <int N> __global__ void tile(int *a, int n) {
  int t = threadIdx.x;
  __syncthreads();
  if (t & 1)
    s[t] = a[t] + n;  // ein Ü
  else
    a[t] = n;

  a[t] = s[t + 1];
}

void start(int *a) { tile<256><<<64, 256>>>(a, 7); }
