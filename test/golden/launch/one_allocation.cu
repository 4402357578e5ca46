// Two names that may stand for one allocation: that they do not is assumed, and
// said.
//
// verdict:  verified
// assumes:  launch-limits, no-alias
// bug 1:    racy       both names stand for one array

__global__ void swap(const int *in, int *out) {
#if BUG == 1
  in = out;
#endif
  out[threadIdx.x] = in[threadIdx.x ^ 1]; // expect 1: read-write race on 'out'
}

void launch(bool is_new) {
  int *a, *b;
  cudaMalloc(&a, 64 * sizeof(int));
  if (is_new)
    cudaMalloc(&b, 64 * sizeof(int));
  else
    b = a;
  swap<<<1, 64>>>(a, b);
}
