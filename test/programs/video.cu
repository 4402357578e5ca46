// Two numbers or four in a register: sums, distances, averages, comparisons.
//
// prints:   01ff0000 7f80017f 00020304 007f0102 000000ff 0f
// prints:   00010001 000005d4 7fff8000 fe01ff01
// verdict:  passed

#include <cuda_runtime.h>
#include <stdio.h>

// As clang's headers spell __vadd4 and its like.
#define VIDEO(op, a, b, c)                                                     \
  ({                                                                           \
    unsigned d_;                                                               \
    asm(op " %0,%1,%2,%3;" : "=r"(d_) : "r"(a), "r"(b), "r"(c));               \
    d_;                                                                        \
  })

__global__ void video(unsigned *out) {
  out[0] = VIDEO("vadd4.u32.u32.u32", 0x00ff01ffu, 0x0100ff01u, 0);
  out[1] = VIDEO("vadd4.s32.s32.s32.sat", 0x70800070u, 0x7080010fu, 0);
  out[2] = VIDEO("vabsdiff4.u32.u32.u32", 0x01020306u, 0x01040002u, 0);
  out[3] = VIDEO("vmax4.s32.s32.s32", 0x807f01ffu, 0x00800002u, 0);
  out[4] = VIDEO("vsub4.u32.u32.u32.sat", 0x010203ffu, 0x02030400u, 0);
  out[5] = VIDEO("vabsdiff4.u32.u32.u32.add", 0x01020304u, 0x00000102u, 8);
  out[6] = VIDEO("vset2.u32.u32.gt", 0x80000002u, 0x7fff0001u, 0);
  out[7] = VIDEO("vabsdiff2.s32.s32.s32.add", 0x000a03e8u, 0xfffafe24u, 0);
  out[8] = VIDEO("vsub2.s32.s32.s32.sat", 0x7fff8000u, 0xffff0001u, 0);
  out[9] = VIDEO("vavrg4.s32.s32.s32", 0xfe01ff00u, 0xff00ff01u, 0);
}

int main() {
  unsigned *out;
  cudaMallocManaged(&out, 64);
  video<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  printf("%08x %08x %08x %08x %08x %02x\n", out[0], out[1], out[2], out[3],
         out[4], out[5]);
  printf("%08x %08x %08x %08x\n", out[6], out[7], out[8], out[9]);
}
