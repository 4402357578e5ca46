# gpuverify run --detect=values: programs with kernels that are not cut into
# regions.
# shellcheck shell=sh

# A whole program: memory is what the launch has left, and is restored for the
# second execution of each.
cat >program.cu <<'END'
#include <cstdio>
__device__ unsigned ready;
__global__ void add(int *a) {
  __shared__ bool is_last;
  a[blockIdx.x] += blockIdx.x + 1;
#ifndef BUG
  __threadfence();
#endif
  is_last = atomicAdd(&ready, 1) == gridDim.x - 1;
  __threadfence();
  if (is_last) {
    for (int i = 1; i < gridDim.x; i++)
      a[0] += a[i];
    ready = 0;
  }
}
__global__ void plain(int *a) { a[threadIdx.x] *= 2; }
int main() {
  int *a, sum;
  cudaMalloc(&a, 8 * sizeof *a);
  cudaMemset(a, 0, 8 * sizeof *a);
  add<<<8, 1>>>(a);
  plain<<<1, 8>>>(a);
  add<<<8, 1>>>(a);
  cudaMemcpy(&sum, a, sizeof sum, cudaMemcpyDeviceToHost);
  printf("sum = %d\n", sum);
}
END
gives 0 'sum = 178' run program.cu --detect=none -nocudainc -nocudalib
gives 0 'sum = 178' run program.cu --detect=values -nocudainc -nocudalib
tells 'verdict: passed (this run by values, 3 launches, 2 in order,'
gives 1 'read-write race on ' run program.cu --detect=values -DBUG \
  -nocudainc -nocudalib
tells 'verdict: racy (this run by values, 3 launches, '
