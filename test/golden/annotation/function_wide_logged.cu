// A function-wide invariant about logged accesses is one of each loop.
//
// args:     --blockDim=32 --gridDim=2 --only-log
// verdict:  verified
// bug 1:    assertion    not of the second loop
// bug 2:    assertion    not of the inner loop
// bug 3:    unknown      what it reads is another value there
// bug 4:    assertion    not of the loop of a recursive function

__device__ void pass(int *a, int t, int n, int depth) {
  for (int i = 0; i < n; i++)
    a[t + (BUG == 4 && depth == 0 ? i : 64 * i)] = depth;
  if (depth)
    pass(a, t, n, depth - 1);
}

__global__ void k(int *a, const int *c, int n) {
  int t = blockIdx.x * 32 + threadIdx.x, each = 64;
  for (int i = 0; i < n; i++)
    a[t] += i;
  for (int i = 0; i < n; i++) {
    a[t + (BUG == 1 ? i : i * each)] = i;
    for (int k = 0; k < n; k++)
      if (BUG == 2)
        a[t + k] = i;
  }
  pass(a, t, n, 1);
  __function_wide_invariant(__write_implies( // expect 1,2,4: loop invariant
      a, ((__write_offset_bytes(a) / sizeof(int)) % 64 == t) & (BUG != 3 || c[0] == 1)));
}
