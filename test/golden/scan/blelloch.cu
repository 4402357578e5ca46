// Exclusive prefix sums of 128 elements by 64 threads: up a tree and down.
//
// args:     --blockDim=64 --gridDim=4
// verdict:  verified
// bug 1:    racy       no barrier while going up
// bug 2:    racy       no barrier while going down
// bug 3:    racy       the right child is one cell off

__global__ void scan(const int *in, int *out) {
  const int n = 128;
  __shared__ int tree[n];
  int t = threadIdx.x, first = blockIdx.x * n, offset = 1;
  tree[2 * t] = in[first + 2 * t];
  tree[2 * t + 1] = in[first + 2 * t + 1];
  for (int d = n >> 1; d > 0; d >>= 1) {
#if BUG != 1
    __syncthreads();
#endif
    if (t < d) {
      int left = offset * (2 * t + 1) - 1;
#if BUG == 3
      int right = offset * (2 * t + 2);
#else
      int right = offset * (2 * t + 2) - 1;
#endif
      if (right < n)
        tree[right] += tree[left]; // expect 1,3: race on 'tree'
    }
    offset *= 2;
  }
  __syncthreads();
  if (t == 0)
    tree[n - 1] = 0;
  for (int d = 1; d < n; d *= 2) {
    offset >>= 1;
#if BUG != 2
    __syncthreads();
#endif
    if (t < d) {
      int left = offset * (2 * t + 1) - 1;
      int right = offset * (2 * t + 2) - 1;
      int low = tree[left], high = tree[right]; // expect 2: race on 'tree'
      tree[left] = high;                        // allow 2: race on 'tree'
      tree[right] = low + high;                 // allow 2: race on 'tree'
    }
  }
  __syncthreads();
  out[first + 2 * t] = tree[2 * t];
  out[first + 2 * t + 1] = tree[2 * t + 1];
}
