// What a loop carries without a closed form: its bounds, its remainder, that it
// is a power of two, and how much it can have grown.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified, verified, verified, verified, verified
// bug 1:    racy, racy, racy, racy, racy   steps, powers and bounds are others

#define BUG_OR(wrong, right) (BUG == 1 ? (wrong) : (right))

__global__ void goes_by_64(int *out, const int *far, int n) {
  int at = threadIdx.x;
  for (int k = 0; k < n; k++)
    at += far[threadIdx.x * n + k] ? 128 : BUG_OR(63, 64);
  out[at] = threadIdx.x; // expect 1: write-write race on 'out'
}

__global__ void doubles(int *a, const int *grow, int n) {
  unsigned t = threadIdx.x, s = 1;
  for (int k = 0; k < n; k++) {
    if (grow[k])
      s *= BUG_OR(3, 2);
    unsigned i = 2 * t - (t & (s - 1));
    a[i] += a[i + s]; // expect 1: race on 'a'
    __syncthreads();
  }
}

__global__ void halves(int *out, const int *less, int n) {
  unsigned long long t = threadIdx.x;
  unsigned s = 64;
  for (int k = 0; k < n; k++)
    if (less[k] && s > BUG_OR(0, 1))
      s /= 2;
  out[t * s] = threadIdx.x; // expect 1: write-write race on 'out'
}

__global__ void grows(int *out, const int *more, int n) {
  int top = 64;
  for (int k = 0; k < n; k++)
    if (top < 1000)
      top = more[k] > 0 ? top + 3 : more[k] < 0 ? top + 5 : BUG_OR(top - 1, top);
  if (threadIdx.x == 0)
    out[top] = 64; // expect 1: write-write race on 'out'
  out[threadIdx.x] = threadIdx.x; // allow 1: race on 'out'
}

__global__ void packs(int *out, const int *in, int rounds) {
  int count = 0;
  if (rounds > BUG_OR(17, 16))
    return;
  for (int k = 0; k < rounds; k++)
    if (in[threadIdx.x * 16 + k])
      out[threadIdx.x * 16 + count++] = threadIdx.x; // expect 1: write-write race on 'out'
}
