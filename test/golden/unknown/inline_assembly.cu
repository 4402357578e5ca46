// Inline PTX is not modelled.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  unknown

__global__ void copy(const int *in, int *out) {
  int value;
  asm volatile("ld.global.s32 %0, [%1];" // expect 0: inline
               : "=r"(value)
               : "l"(in + threadIdx.x));
  out[threadIdx.x] = value;
}
