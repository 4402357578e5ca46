# Proposals of a repair as fix-its of clang's notes.
# shellcheck shell=sh

cat >two.cu <<'CU'
__global__ void first(int *out) {
  __shared__ int tile[128];
  tile[threadIdx.x] = VALUE;
  out[blockIdx.x * blockDim.x + threadIdx.x] = tile[127 - threadIdx.x];
}
__global__ void fine(int *out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = VALUE;
}
__global__ void alone(int *out) { out[0] = threadIdx.x; }
CU
options="-DVALUE=1 $arg-blockDim=128 $arg-gridDim=8 -fdiagnostics-parseable-fixits"
cp two.cu whole.cu

# shellcheck disable=SC2086
compile 0 'read-write race' $options two.cu
says_not 'fix-it:'
# shellcheck disable=SC2086
compile 0 "note: insert '__syncthreads();': kernel 'first' is verified then" \
  $options $arg-repair two.cu
tells 'fix-it:"two.cu":{4:1-4:1}:"  __syncthreads();\n"'
tells "write-write race on 'out'"
check 'it is of the first kernel alone' \
  test "$(printf '%s\n' "$out" | grep -c 'fix-it:')" -eq 1
check 'nothing is written' cmp two.cu whole.cu

# The edit is what makes it verified.
sed -i '4i \  __syncthreads();' two.cu
# shellcheck disable=SC2086
compile 0 "kernel 'first'" $options -Rpass=none $arg-repair two.cu
says_not 'fix-it:'
says_not "race on 'tile'"

# A header of the user's.
echo '#include "whole.cu"' >user.cu
# shellcheck disable=SC2086
compile 0 'fix-it:"./whole.cu":{4:1-4:1}:' $options $arg-repair user.cu

# Wrong use.
gives 2 '--repair: an option of the plugin for clang' --repair two.cu
