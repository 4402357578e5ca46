// Assembly with an instruction that is not known, after one that is.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  unknown

__global__ void copy(const int *in, int *out) {
  int value;
  asm volatile("ld.global.s32 %0, [%1];\n\t" // expect 0: inline
               "multimem.red.relaxed.gpu.global.add.u32 [%1], %0;"
               : "=r"(value)
               : "l"(in + threadIdx.x));
  out[threadIdx.x] = value;
}
