# gpuverify run --detect=values where blocks share copies: rounds, and what is left.
# shellcheck shell=sh

cat >kernels.cu <<'END'
__device__ void fill(char *a) {
  for (unsigned i = 0; i < 64; i++)
    if (threadIdx.x == 0)
      a[i * gridDim.x + blockIdx.x] += 1;
}
__global__ void mesh(char *a) { fill(a); }
__global__ void far(char *a) {
  fill(a);
  if (blockIdx.x == 5 || blockIdx.x == 37)
    a[5000] = blockIdx.x;
  if (blockIdx.x == 7 || blockIdx.x == 39)
    a[5004] = blockIdx.x;
}
// Of each group the block that comes last leaves the same.
__global__ void odd(char *a) { a[0] = blockIdx.x ? 5 : 7; }
// Blocks that are far from each other write to one line.
__global__ void late(char *a) {
  unsigned rows = 32, n = gridDim.x;
  unsigned place = blockIdx.x % rows * (n / rows) + blockIdx.x / rows;
  for (unsigned i = 0; i < 40; i++)
    if (threadIdx.x == 0)
      a[i * n + place] += 1;
}
END
cat >program.cu <<'END'
#include <stdio.h>
__global__ void pairs(int *a, int one, int other) {
  if (threadIdx.x)
    return;
  if (!blockIdx.x)
    printf("begun with %d\n", a[100]);
  if (blockIdx.x == one)
    a[one % 2] = 1;
  if (blockIdx.x == other)
    a[2] = a[one % 2];
  a[blockIdx.x + 100] += 1;
}
// Block 0 comes first, and has the last word of its group about a[0].
__global__ void counts(unsigned *a) {
  if (!threadIdx.x && blockIdx.x % 2 == 0) {
    unsigned old = atomicAdd(a, 1u), x = old;
    for (unsigned i = 0; i < (blockIdx.x ? 1 : 50000); i++)
      x = x * x + i;
    a[16 * (blockIdx.x + 1)] = old + 1 + (x == 12345);
  } else if (!threadIdx.x)
    a[16 * (blockIdx.x + 1)] = a[8];
}
int main() {
  enum { COUNT = 1024 };
  int *a, host[COUNT], sum = 0;
  cudaMalloc(&a, sizeof host);
  cudaMemset(a, 0, sizeof host);
  pairs<<<64, 32>>>(a, ONE, OTHER);
  pairs<<<1, 32>>>(a, ONE, OTHER);
  cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost);
  printf("left %d %d\n", host[100], host[163]);
  cudaMemset(a, 0, sizeof host);
  counts<<<6, 32>>>((unsigned *)a);
  cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 1; i < 7; i++)
    sum += host[16 * i];
  printf("counted %d, found %d\n", host[0], sum);
}
END
for kernel in mesh far; do
  echo "{\"kernel\": \"$kernel\", \"grid\": 64, \"block\": 32, \"arguments\":
    [{\"type\": \"u8\", \"count\": 6000}], \"expect\": [{\"buffer\": \"a\",
    \"from\": 4000, \"is\": [1, 1]}]}" >"$kernel.json"
done
echo '{"kernel": "odd", "grid": 8, "block": 1, "arguments":
  [{"type": "u8", "count": 1}]}' >odd.json
echo '{"kernel": "late", "grid": 2048, "block": 1, "arguments":
  [{"type": "u8", "count": 81920}], "expect": [{"buffer": "a", "is": [1, 1]}]}' >late.json
values='run --detect=values --prove=0 --clang-arg=-nocudainc --clang-arg=-nocudalib'

# There is memory for 2048 copies; blocks by themselves take 4096, of 65 lines, of
# which each block writes 64.
# shellcheck disable=SC2086 # words
{
  gives 0 'by values, 4 passes with 16 copies for each line: 100 % of the pairs of' \
    $values --values-memory=1 --launch=mesh.json kernels.cu
  gives 1 'in block (37,0,0) writes a[5000]' $values --values-memory=1 \
    --launch=far.json kernels.cu
  tells 'in block (5,0,0) writes a[5000]'
  tells 'in block (39,0,0) writes a[5004]'
  gives 0 '"sharing":{"passes":4,"copies":2,"apart":0.76' $values --json \
    --values-copies=2 --values-passes=5 --launch=far.json kernels.cu
  gives 4 'there is memory for copies of: see --values-memory' $values \
    --values-memory=1 --deterministic --launch=mesh.json kernels.cu
  sed 's/64,/640,/; s/6000/300000/' mesh.json >large.json
  sed -i 's/i < 64/i < 256/' kernels.cu
  gives 4 'even where half of the blocks share copies: --values-memory=1' $values \
    --values-memory=1 --launch=large.json kernels.cu
  gives 1 'write-write race on' $values --values-copies=2 --launch=odd.json kernels.cu
  # What fits is compared, where a later round does not.
  gives 0 'by values, 1 pass with 32 copies for each line: 97 % of the pairs' \
    $values --values-memory=1 --values-copies=32 --launch=late.json kernels.cu
}

# Memory is the same for all rounds, the last of which changes it, and text comes
# once.  Blocks 5 and 37 differ in the last of six digits.
# shellcheck disable=SC2086 # words
for copies in 2 3 63; do
  gives 0 "with shared copies: 100 % of the pairs of blocks" run --detect=values --unit=thread \
    --prove=0 -nocudainc -nocudalib -DONE=5 -DOTHER=64 --values-copies=$copies program.cu
  tells 'counted 3, found 6'
  tells 'left 2 1'
  check "text comes once, with $copies copies" \
    test "$(printf '%s\n' "$out" | grep -c '^begun with')" = 2
done
gives 1 'read-write race on' run --detect=values --unit=thread --prove=0 -nocudainc -nocudalib \
  -DONE=5 -DOTHER=37 --values-copies=2 program.cu
tells 'in block (37,0,0) reads'
tells 'in block (5,0,0) writes'
gives 0 'at least 98 % of the pairs of blocks' run --detect=values --unit=thread --prove=0 -nocudainc \
  -nocudalib -DONE=5 -DOTHER=37 --values-copies=2 --values-passes=10 program.cu

# shellcheck disable=SC2086 # words
{
  gives 2 'takes 2 copies' $values --values-copies=1 --launch=mesh.json kernels.cu
  gives 2 'no copies with --deterministic' $values --values-copies=2 \
    --deterministic --launch=mesh.json kernels.cu
  gives 2 'is for --detect=values' run --values-passes=2 --launch=mesh.json kernels.cu
}
