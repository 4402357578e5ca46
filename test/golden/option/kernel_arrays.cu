// The sizes of the arrays come from the command line, 1024 bytes each.
//
// args:     --blockDim=64 --gridDim=4 --check-array-bounds
// args:     --kernel-arrays=copy,1024,1024
// verdict:  verified
// bug 1:    out-of-bounds  reads one element past the end

extern "C" __global__ void copy(const int *in, int *out) {
  int i = blockIdx.x * 64 + threadIdx.x;
#if BUG == 1
  out[i] = in[i + 1]; // expect 1: out-of-bounds access of 'in'
#else
  out[i] = in[i];
#endif
}
