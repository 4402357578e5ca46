// Loops that a block goes round together, beside the same loops of each thread
// for itself: `own` is `n`, but not as far as one can see.
//
// args:     --detect=none
// verdict:  passed
// prints:   out = 780 820 860
// bug 1:    assertion   one loop does an iteration more

__device__ int sums(const int *in, int i, int n, int *twice) {
  int sum = 0, all = 0;
  for (int k = 0; k < n; k++) {
    sum += in[i + k];
    all += k & 1 ? sum : -k;
  }
  *twice = all;
  return sum;
}

// Left in the middle, and only from the second round on by the count.
__device__ int early(const int *in, int i, int n, int most) {
  int sum = i, k = 0;
  do {
    if (k * k > most)
      break;
    if (in[i] & 1)
      sum += in[i + k];
    k++;
  } while (k < n);
  return sum * 64 + k;
}

// Two loops of which the one is in the other, and writes.
__device__ int nested(int *cells, const int *in, int i, int n) {
  for (int m = 1; m < 4; m++) {
    cells[i] += m;
    for (int k = 0; k < n; k++)
      cells[i] += in[i + k] * m - in[k];
  }
  return cells[i];
}

__global__ void together(int *out, const int *in, int *cells, int n) {
  __shared__ int shared[64];
  int i = (int)(blockIdx.x * blockDim.x + threadIdx.x), first, second;
  int own = n + (int)(threadIdx.x >> 10);
  shared[63 - threadIdx.x] = in[threadIdx.x];
  __syncthreads();
#if BUG == 1
  int a = sums(in, i, n + 1, &first);
#else
  int a = sums(in, i, n, &first);
#endif
  int b = sums(in, i, own, &second);
  assert(a == b); // says 1: assertion
  assert(first == second);
  assert(early(in, i, n, 500) == early(in, i, own, 500));
  assert(early(in, i, n, 5000) == early(in, i, own, 5000));
  assert(nested(cells, in, i, n) == nested(cells + 128, in, i, own));
  int sum = 0;
  for (int k = 0; k < n; k++)
    sum += shared[k];
  __syncthreads();
  for (int k = 0; k < own; k++)
    sum -= shared[k];
  assert(sum == 0);
  out[i] = a;
}
