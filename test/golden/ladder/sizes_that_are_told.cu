// What the host's code says of sizes is not given the lie by what is assumed of
// their product.
//
// args:     --ladder=all --no-confirm
// verdict:  verified
// assumes:  thread-count, launch-limits, no-alias, benign-writes, sizes-fit
// bug 1:    racy     the product of those that are launched with never fits

__global__ void rows(int *row, int *out, unsigned size, unsigned n, int is_on) {
  unsigned t = blockIdx.x * 64 + threadIdx.x;
  if (t >= n)
    return;
  if (is_on)
    row[t * size] = 1;
  out[is_on && (unsigned long long)n * size >> 32 ? 0 : t] = t; // expect 1: race on 'out'
}

void launch(int *row, int *out, unsigned size, unsigned n, int is_on) {
#if BUG == 1
  if (n < 100000 || size < 100000)
#else
  if (n < 1000 || size < 1000)
#endif
    return;
  rows<<<(n + 63) / 64, 64>>>(row, out, size, n, is_on);
}
