# gpuverify run --detect=values: reports, what is refused, and the device's part.
# shellcheck shell=sh

cat >kernels.cu <<'END'
__global__ void racy(int *a) { a[threadIdx.x / 2] = threadIdx.x; }
__global__ void same(int *a) { a[0] = 1; }
__device__ int none[0];
__global__ void nowhere(int *a) { none[0] = threadIdx.x; }
__global__ void blocks(int *a) {
  if (threadIdx.x == 0)
    a[0] += blockIdx.x;
}
typedef int Quad __attribute__((ext_vector_type(4)));
__global__ void polls(volatile Quad *a) { a[threadIdx.x / 4] = 1; }
__global__ void clocks(int *a) { a[threadIdx.x] = (int)clock64(); }
__global__ void by_warps(int *a) {
  a[threadIdx.x / 32] = threadIdx.x;
  __syncwarp();
}
__global__ void parts(int *a) {
  if (threadIdx.x < 32) {
    a[threadIdx.x] = 1;
    __syncthreads();
  } else {
    a[threadIdx.x] = 3;
    __syncthreads();
  }
}
__global__ void jumps(int *a) {
  const void *to[] = {&&one, &&other};
  goto *to[a[0] & 1];
one:
  a[1] = 1;
other:
  __syncthreads();
}
__device__ int *chosen(int *a, int *b, bool which) { return which ? a : b; }
__global__ void mixed(int *a) {
  int own[2] = {1, 2}, *at = own;
  for (int i = 0; i < a[0]; i++)
    at = chosen(a, at, at[i]);
  at[a[1]] = 7;
}
__global__ void many(char *a) {
  for (int i = 0; i < 540000; i += blockDim.x)
    a[(i + threadIdx.x) * 64] = 1;
}
END
launch() {
  echo "{\"kernel\": \"$1\", \"grid\": ${2:-1}, \"block\": 64,
    \"arguments\": [{\"count\": 64}]}" >"$1.json"
  echo "--launch=$1.json"
}
values='run --detect=values --prove=0 --clang-arg=-nocudainc --clang-arg=-nocudalib'

# shellcheck disable=SC2086 # words
{
  gives 1 '"kind":"racy","sentence":"write-write race on' $values --json \
    "$(launch racy)" kernels.cu
  gives 1 '"ruleId": "data-race"' $values --sarif "$(launch racy)" kernels.cu
  gives 1 ': write-write race outside of all arrays' $values \
    "$(launch nowhere)" kernels.cu
  gives 0 'verdict: passed' $values "$(launch same)" kernels.cu
  tells 'verdict: passed (this run by values, kernel'
  gives 0 'verdict: passed (this run by values of warps, kernel' $values \
    --unit=warp "$(launch by_warps)" kernels.cu
  gives 1 'verdict: racy (this run by values in order, kernel' $values \
    "$(launch by_warps)" kernels.cu
  tells 'by regions: threads of a warp do something together'
  gives 1 "write-write race on 'a'" $values --no-benign-tolerance \
    "$(launch same)" kernels.cu
  gives 0 'verdict: passed' $values "$(launch blocks 1)" kernels.cu
  gives 1 "race on 'a'" $values "$(launch blocks 3)" kernels.cu
  gives 0 'by regions: a volatile access of several parts' $values \
    "$(launch polls)" kernels.cu
  gives 0 "by regions: 'llvm.nvvm.read.ptx.sreg.clock64' is not" $values \
    "$(launch clocks)" kernels.cu
  gives 4 'a goto to a label that memory keeps is not executed' $values \
    "$(launch jumps)" kernels.cu
  gives 0 "may be an array of the thread's own or another one" $values \
    "$(launch mixed)" kernels.cu
}
echo '{"kernel": "many", "grid": 1, "block": 1024,
  "arguments": [{"type": "u8", "count": 35000000}]}' >many.json
# shellcheck disable=SC2086 # words
gives 4 'than there is room for copies of' $values --launch=many.json kernels.cu
# shellcheck disable=SC2086 # words
{
  gives 4 'no more than 1048575 blocks are compared' $values \
    "$(launch racy 1048576)" kernels.cu
  gives 1 'are at different barriers' $values "$(launch parts)" kernels.cu
}
cat >parts.cu <<'END'
#include <stdio.h>
#include "kernels.cu"
int main() {
  int *a;
  cudaMalloc(&a, 256);
  parts<<<1, 64>>>(a);
  puts(cudaGetErrorName(cudaDeviceSynchronize()));
}
END
# shellcheck disable=SC2086 # words
gives 1 'cudaErrorLaunchFailure' $values parts.cu
echo 'kernel void k(global int *a) { a[get_local_id(0)] = 1; }' >k.cl
gives 0 'not by regions: only those of CUDA are cut' run --detect=values --prove=0 \
  "$(launch k)" k.cl

# What a device would execute.
clang=${LLVM:-/usr/lib/llvm-22}/bin/clang++
ptxas=$(command -v ptxas || echo /usr/local/cuda/bin/ptxas)
if [ -x "$ptxas" ]; then
  for architecture in 80 90 100; do
    "$clang" -x cuda -nocudainc -nocudalib --cuda-device-only -std=c++17 -O1 \
      --cuda-gpu-arch=sm_$architecture -Wno-unknown-cuda-version -I"$root" \
      -S "$root/runtime/values/values.cu" -o values.ptx
    check "ptxas for sm_$architecture" \
      "$ptxas" -c -arch=sm_$architecture values.ptx -o values.o
  done
else
  skip 'no ptxas'
fi
