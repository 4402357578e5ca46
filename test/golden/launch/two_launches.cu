// Two launches of one kernel: it is verified if both are.
//
// verdict:  verified
// bug 1:    racy       the second launch has too long a block

__global__ void fill(int *out) {
  int i = blockIdx.x * 128 + threadIdx.x;
  out[i] = blockIdx.x; // expect 1: write-write race on 'out'
}

void launch(int *out) {
  fill<<<8, 128>>>(out);
#if BUG == 1
  fill<<<4, 256>>>(out);
#else
  fill<<<16, 64>>>(out);
#endif
}
