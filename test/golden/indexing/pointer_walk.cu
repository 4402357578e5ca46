// Walks two pointers through global memory with the stride of the block.
//
// args:     --blockDim=64 --gridDim=8
// verdict:  verified
// bug 1:    racy       the output pointer is not advanced to this block

__global__ void square(const int *in, int *out) {
  in += blockIdx.x * 512 + threadIdx.x;
#if BUG == 1
  out += threadIdx.x;
#else
  out += blockIdx.x * 512 + threadIdx.x;
#endif
  for (int k = 0; k < 8; k++, in += blockDim.x, out += blockDim.x)
    *out = *in * *in; // expect 1: write-write race on 'out'
}
