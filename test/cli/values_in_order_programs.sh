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
gives 0 'sum = 178' run program.cu --detect=values --prove=0 -nocudainc \
  -nocudalib
tells 'verdict: passed (this run by values, 3 launches, 2 in order,'
gives 0 'sum = 178' run program.cu --detect=values --quick --prove=0 \
  -nocudainc -nocudalib
tells 'verdict: passed (this run by values, 3 launches, 2 in order,'
gives 1 'read-write race on ' run program.cu --detect=values -DBUG \
  -nocudainc -nocudalib
tells 'verdict: racy (this run by values, 3 launches, '

# Of a heap of a gigabyte what is used is saved, and it is the same again.
cat >heap.cu <<'END'
#include <cstdio>
__device__ int *kept[128];
__global__ void takes(int *a, int *counter) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, bytes = 40 + 56 * (i % 37);
  int *old = kept[i], *taken = (int *)malloc(bytes);
  for (int n = 0; n < bytes / 4; n++)
    taken[n] = n * i + (old ? old[n % 10] : 1);
  __threadfence();
  atomicAdd(counter, 1);
  __threadfence();
  if (i % 3)
    free(old);
  a[i] += taken[9];
  kept[i] = taken;
}
int main() {
  int *a, host[128], sum = 0;
  cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1u << 30);
  cudaMalloc(&a, sizeof host + 4);
  cudaMemset(a, 0, sizeof host + 4);
  for (int i = 0; i < 5; i++)
    takes<<<2, 64>>>(a, a + 128);
  cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost);
  for (int each : host)
    sum = sum * 31 + each;
  printf("sum = %d\n", sum);
}
END
gives 0 'sum = ' run heap.cu --detect=none -nocudainc -nocudalib
sum=$(printf '%s\n' "$out" | grep '^sum')
gives 0 "$sum" run heap.cu --detect=values -nocudainc -nocudalib
tells 'verdict: passed (this run by values, 5 launches, 5 in order,'
seconds=$(printf '%s\n' "$out" | sed -n 's/^verdict: .*order, \([0-9]*\)\..*/\1/p')
check 'it takes less than 3 s' test "${seconds:-9}" -lt 3
