// Lanes that have the same value, of 32 and of 64 bits.
//
// args:     --detect=races
// prints:   any ff00ff00 and 3, all ffffffff 1, 0 0, ffffffff 1, 0 0
// verdict:  passed

#include <cuda_runtime.h>
#include <stdio.h>

__global__ void match(unsigned *any, unsigned *all) {
  unsigned lane = threadIdx.x, full = 0xffffffff;
  unsigned long long far = 1ull << 40;
  int same[4];
  unsigned of[4] = {__match_all_sync(full, 5, &same[0]),
                    __match_all_sync(full, lane / 31, &same[1]),
                    __match_all_sync(full, far, &same[2]),
                    __match_all_sync(full, lane ? far : far + 1, &same[3])};
  any[lane] = __match_any_sync(full, lane / 8 % 2);
  any[32 + lane] = __match_any_sync(full, lane < 2 ? far : far + lane);
  for (int i = 0; i < 4 && lane == 9; i++) {
    all[i] = of[i];
    all[4 + i] = (unsigned)same[i];
  }
}

int main() {
  unsigned *any, *all;
  cudaMallocManaged(&any, 256);
  cudaMallocManaged(&all, 32);
  match<<<1, 32>>>(any, all);
  cudaDeviceSynchronize();
  printf("any %x and %x, all %x %u, %x %u, %x %u, %x %u\n", any[9], any[33],
         all[0], all[4], all[1], all[5], all[2], all[6], all[3], all[7]);
}
