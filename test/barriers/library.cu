// Each thread has a cell of its own, found by functions of the device's library
// of which the one writes where the other reads.
//
// technique: barriers
// verdict:  verified
// bug 1:    racy       one that counts is one too many
// bug 2:    unknown    a cell by what is computed in floating point

__global__ void __launch_bounds__(64) cells(int *out) {
  __shared__ int cell[64];
  int i = threadIdx.x, sum = 0;
  unsigned u = i;
  unsigned long long bit = 1ull << i;
#define USE(same)                                                              \
  cell[same] = i;                                                              \
  sum += cell[i];
  USE(max(i, 0) + max(-1, -2) + 1)
  USE(min(i, 64) + (int)min(3u, 0xfffffff0u) - 3)
  USE(abs(-i))
  USE(__popcll(bit - 1))
  USE(__popc(0xffffu << 8) - 16 + i)
  USE(63 - __clzll(bit))
  USE(__clz(i + 64) - 25 + i)
  USE(__ffsll(bit) - 1)
  USE(__ffs(0) + i)
  __syncthreads();
  USE(__ffs(8) - 4 + i + (BUG == 1 && i == 5)) // expect 1: race
  __syncthreads();
  USE(__brev(u) >> 26 == __brevll(u) >> 58 ? i : 0)
  USE(__mulhi(i * -65536, -65536))
  USE(__umulhi(u << 26, 64))
  USE(__mul24(i, -1) + 2 * i)
  USE(__umul24(u | 0xff000000, 1))
  USE(__sad(-i, 0, 0))
  USE(__usad(0, u, 0))
  if (BUG == 2)
    cell[__float2int_rn(i)] = 0; // expect 2: depends on what a call returns
  out[i] = sum;
}
