// Two allocations do not overlap: nothing has to be assumed of their pointers.
//
// verdict:  verified
// assumes:  launch-limits
// bug 1:    racy       both names stand for one array

__global__ void swap(const int *in, int *out) {
#if BUG == 1
  in = out;
#endif
  out[threadIdx.x] = in[threadIdx.x ^ 1]; // expect 1: read-write race on 'out'
}

static void hand_on(int *from, int *to) { swap<<<1, 64>>>(from, to); }

int main() {
  int *a, *b;
  cudaMalloc(&a, 64 * sizeof(int));
  cudaMallocManaged((void **)&b, 64 * sizeof(int));
  hand_on(a, b);
  return 0;
}
