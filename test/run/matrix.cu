// Tensor cores in assembly: ldmatrix, mma.sync, movmatrix, stmatrix.
//
// args:     --detect=races --clang-arg=--cuda-gpu-arch=sm_90
// verdict:  passed
// prints:   wrong = 0
// bug 1:    racy           the tile is read before all of it is there
// bug 2:    out-of-bounds  the last row is not there
// bug 3:    divergent      half of the warp does not take part
// bug 4:    wrong-result   b without .trans
// bug 5:    racy           a matrix is stored where another lane reads
// bug 6:    assertion      a row of the product is another one

#include <assert.h>

__device__ unsigned low(const void *at) {
  return (unsigned)__cvta_generic_to_shared(at);
}

#if BUG == 4
#define TRANS ""
#else
#define TRANS ".trans"
#endif

// Halves of small whole numbers: 15 << 10 is 1, and each power of two more.
__device__ unsigned short half(int n) {
  int e = 0;
  while (n >> (e + 1))
    e++;
  return n ? (unsigned short)((15 + e) << 10 | ((n << (10 - e)) & 1023)) : 0;
}

__global__ void matrix(int *wrong) {
  __shared__ __align__(16) unsigned short a[16][16], b[16][8], t[8][8];
  int lane = threadIdx.x, row = lane / 4, column = lane % 4 * 2;
  for (int i = lane; i < 256; i += 32)
    a[i / 16][i % 16] = half((i * 5 + i / 16) % 7); // says 1: race on 'a'
  for (int i = lane; i < 128; i += 32)
    b[i / 8][i % 8] = half((i * 3) % 5);
  if (BUG != 1)
    __syncwarp();
  unsigned ra[4], rb[2];
  float d[4];
  if (BUG == 3 && lane >= 16)
    return;
  asm volatile( // says 3: a matrix operation needs all lanes
      "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
      : "=r"(ra[0]), "=r"(ra[1]), "=r"(ra[2]), "=r"(ra[3])
      : "r"(low(&a[lane % 16 + (BUG == 2) * (lane == 15)][lane / 16 * 8])));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2" TRANS ".shared.b16 {%0, %1}, [%2];"
               : "=r"(rb[0]), "=r"(rb[1])
               : "r"(low(&b[lane % 16][0])));
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
               "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
               "{%10, %10, %10, %10};"
               : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
               : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]),
                 "r"(rb[1]), "f"(3.0f));
  for (int i = 0; i < 4; i++) {
    int sum = 3, r = row + 8 * (i / 2), c = column + i % 2;
    for (int k = 0; k < 16; k++)
      sum += (r * 16 + k) * 5 % 7 >= 0
                 ? (((r * 16 + k) * 5 + r) % 7) * ((k * 8 + c) * 3 % 5)
                 : 0;
    assert(BUG != 6 || (int)d[i] == sum + (r == 9)); // says 6: assertion
    if ((int)d[i] != sum)
      atomicAdd(wrong, 1);
  }
  // The first eight rows of a, transposed twice: once here, once there.
  unsigned turned;
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;"
               : "=r"(turned)
               : "r"(ra[0]));
  asm volatile( // says 5: writes t
      "stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [%0], {%1};" ::"r"(
          low(&t[lane % 8][0])),
      "r"(turned)
      : "memory");
  if (BUG != 5)
    __syncwarp();
  if (t[row][column] != a[row][column] || t[row][column + 1] != a[row][column + 1])
    atomicAdd(wrong, 1);
}
