# gpuverify run --detect=values --deterministic: what a racy program leaves and
# prints is the same under each order of blocks and threads, and what has an order
# of its own is refused.
# shellcheck shell=sh

cat >mixed.cu <<'END'
#include <stdio.h>
// All threads write bytes that lie over each other, of several widths, in shared
// and in global memory, and read what others write.
__global__ void mixed(unsigned *out, unsigned char *bytes) {
  __shared__ __align__(8) unsigned char tile[64];
  unsigned t = threadIdx.x, n = blockIdx.x * blockDim.x + t, lot = n * 2654435761u;
  for (int round = 0; round < 4; round++) {
    lot = lot * 1664525u + 1013904223u;
    unsigned at = lot >> 8 & 63, seen = tile[at];
    if (lot >> 30 == 0)
      tile[at] = t;
    else if (lot >> 30 == 1)
      *(unsigned short *)&tile[at & ~1u] = lot;
    else if (lot >> 30 == 2)
      *(unsigned *)&tile[at & ~3u] = lot;
    else
      *(unsigned long long *)&tile[at & ~7u] = lot * 77ull;
    bytes[lot >> 16 & 127] = n + tile[at];
    *(unsigned *)&bytes[lot >> 20 & 60] = lot ^ bytes[lot >> 16 & 127];
    if (round == 1 && t % 16 == 0)
      printf("block %d thread %d sees %u\n", blockIdx.x, t, seen);
    if (__syncthreads_count(tile[t & 63] & 1) > 20)
      tile[round] = t;
    __syncthreads();
    out[n] += tile[t & 63] + bytes[t & 127];
  }
}
__global__ void counts(unsigned *out) { out[threadIdx.x] = atomicAdd(out, 1u); }
__global__ void looks(volatile unsigned *out) { out[0] = threadIdx.x; }
__global__ void clocks(unsigned *out) { out[0] = clock64(); }
__global__ void warps(unsigned *out) {
  out[threadIdx.x] = __shfl_xor_sync(~0u, threadIdx.x, 1);
}
int main(int count, char **words) {
  enum { BLOCKS = 5, THREADS = 96, BYTES = 4 * BLOCKS * THREADS };
  unsigned *out, host[BYTES / 4], sum = 0;
  unsigned char *bytes, left[128];
  cudaMalloc(&out, BYTES);
  cudaMalloc(&bytes, sizeof left);
  cudaMemset(out, 0, BYTES);
  cudaMemset(bytes, 0, sizeof left);
  if (count > 1) {
    counts<<<1, 64>>>(out);
    return puts(cudaGetErrorName(cudaGetLastError())) < 0;
  }
  mixed<<<BLOCKS, THREADS>>>(out, bytes);
  mixed<<<1, THREADS>>>(out, bytes);
  cudaMemcpy(host, out, BYTES, cudaMemcpyDeviceToHost);
  cudaMemcpy(left, bytes, sizeof left, cudaMemcpyDeviceToHost);
  for (int i = 0; i < BYTES / 4; i++)
    sum = sum * 31 + host[i];
  for (int i = 0; i < 128; i++)
    printf("%d ", left[i]);
  printf("sum %u\n", sum);
}
END

values='run --detect=values -nocudainc -nocudalib'
# shellcheck disable=SC2086 # words
for seed in 0 1 2 3; do
  gives 1 "read-write race on 'bytes'" $values --deterministic --seed=$seed \
    mixed.cu
  tells "write-write race on 'tile'"
  tells 'verdict: racy (this run by values, deterministic, 2 launches'
  printf '%s\n' "$out" | grep '^block\|sum' >"left.$seed"
done
check 'it prints and leaves something' test "$(wc -l <left.0)" = 37
for seed in 1 2 3; do
  check "seed $seed changes nothing" cmp -s left.0 left.$seed
done
# shellcheck disable=SC2086 # words
for seed in 0 3; do
  gives 1 'verdict: racy (this run by values, 2 launches' $values --seed=$seed \
    mixed.cu
  printf '%s\n' "$out" | grep '^block' >"order.$seed"
done
check 'a seed is another order' sh -c '! cmp -s order.0 order.3'

# What is not cut, or finds what came before.
launch() {
  echo "{\"kernel\": \"$1\", \"grid\": 2, \"block\": 32,
    \"arguments\": [{\"type\": \"u32\", \"count\": 64}]}" >"$1.json"
  echo "--launch=$1.json"
}
# shellcheck disable=SC2086 # words
{
  gives 4 'an atomic operation or volatile access finds what came before' \
    $values --deterministic "$(launch counts)" mixed.cu
  gives 4 'an atomic operation or volatile access finds what came before' \
    $values --deterministic "$(launch looks)" mixed.cu
  gives 4 "--deterministic: 'llvm.nvvm.read.ptx.sreg.clock64' is not" $values \
    --deterministic "$(launch clocks)" mixed.cu
  gives 4 '--deterministic: threads of a warp do something together' $values \
    --deterministic --unit=thread "$(launch warps)" mixed.cu
  gives 4 'an atomic operation or volatile access finds what came before' \
    $values --deterministic mixed.cu -- counts
  says_not cudaSuccess
  gives 2 '--deterministic: that is for --detect=values' run --detect=races \
    --deterministic mixed.cu
  gives 2 '--seed: that is for --detect=values' run --seed=1 mixed.cu
  gives 2 'threads of a warp share a copy' $values --deterministic --unit=warp \
    mixed.cu
}
