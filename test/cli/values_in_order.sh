# gpuverify run --detect=values: kernels that are not cut into regions, for more
# than the barriers of blocks orders their threads.  They are executed twice in
# one order.  Each, and each mistake, is held against --detect=races, and what it
# leaves against --detect=none.  All kernels are in one program, for to compile
# takes longer than to execute.
# shellcheck shell=sh

cat >order.cu <<'END'
#include <cooperative_groups.h>
#include <cuda_pipeline.h>
#include <stdio.h>
#ifndef BUG
#define BUG 0
#endif
#define SYNC(barrier, count)                                                   \
  asm volatile("bar.sync %0, %1;" ::"r"(barrier), "r"(count) : "memory")
#define ARRIVE(barrier, count)                                                 \
  asm volatile("bar.arrive %0, %1;" ::"r"(barrier), "r"(count) : "memory")

// Two warps and one barrier; the third warp is not at it.
__global__ void named(int *a, int *flag) {
  __shared__ int tile[64];
  int i = threadIdx.x, half = i & 31;
  if (i < 32) {
    tile[i] = a[i];
    ARRIVE(1, 64);
  } else if (i < 64) {
    if (BUG != 1)
      SYNC(1, 64);
    a[i] = tile[half] + 1;
  } else if (BUG == 2) {
    a[i] = tile[half];
  } else {
    SYNC(2, 32);
    tile[32 + half] = i;
  }
  if (BUG == 3 && i < 32)
    tile[i] = 0;
}
// A barrier is no end of a copy; what is there has been waited for.
__global__ void copied(int *a, int *flag) {
  __shared__ int tile[96];
  int i = threadIdx.x, next = (i + 33) % 96, *own = a + 96 * blockIdx.x;
  __pipeline_memcpy_async(&tile[i], &own[i], 4);
  __pipeline_commit();
  if (BUG != 1)
    __pipeline_wait_prior(0);
  __syncthreads();
  own[next] = 7;
  __syncthreads();
  __pipeline_wait_prior(0);
  __syncthreads();
  own[i] += __shfl_xor_sync(~0u, tile[next], 1);
}
// A number that is computed, in a loop.
__global__ void rounds(int *a, int *flag) {
  __shared__ int cell[2];
  for (int n = 0; n < 4; n++) {
    if (threadIdx.x == 0)
      cell[n & 1] = n;
    SYNC(1 + (BUG == 1 ? (threadIdx.x / 32) : n & 1), BUG == 1 ? 32 : 96);
    if (threadIdx.x > 31)
      a[blockIdx.x * 96 + threadIdx.x] += cell[n & 1];
    if (BUG == 2 && threadIdx.x == 40)
      cell[n & 1] = 7;
  }
}
__global__ void grid(int *a, int *flag) {
  a[blockIdx.x * 96 + threadIdx.x] = threadIdx.x;
  if (BUG != 1)
    cooperative_groups::this_grid().sync();
  int seen = a[(1 - blockIdx.x) * 96 + threadIdx.x];
  if (BUG != 2)
    cooperative_groups::this_grid().sync();
  a[blockIdx.x * 96 + threadIdx.x] += seen;
}
// The last block adds up what all have left.
__global__ void last(int *a, int *flag) {
  __shared__ bool is_last;
  a[blockIdx.x * 96 + threadIdx.x] += threadIdx.x;
  if (BUG != 3)
    __syncthreads();
  if (threadIdx.x == 0) {
    if (BUG != 1)
      __threadfence();
    is_last = atomicAdd(flag, 1) == gridDim.x - 1;
    if (BUG != 2)
      __threadfence();
  }
  __syncthreads();
  if (is_last && threadIdx.x == 0)
    for (int i = 1; i < 96 * gridDim.x; i++)
      a[0] += a[i];
}
__global__ void lock(int *a, int *flag) {
  for (bool done = false; !done;)
    if (atomicCAS(flag, 0, 1) == 0) {
      if (BUG != 1)
        __threadfence();
      a[0] += 1;
      if (BUG != 2)
        __threadfence();
      if (BUG == 3)
        *flag = 0;
      else
        atomicExch(flag, 0);
      done = true;
    }
  if (BUG == 4)
    a[0] += 1;
}
__global__ void flags(volatile int *a, volatile int *flag) {
  int *plain = (int *)a;
  if (threadIdx.x == 40 && blockIdx.x == 0) {
    plain[0] = 5;
    if (BUG != 1)
      __threadfence();
    *flag = 1;
    if (BUG == 2)
      plain[0] = 6;
  } else if (threadIdx.x == 1 && blockIdx.x == 1) {
    while (BUG == 4 ? !*(int *)flag : !*flag)
      ;
    if (BUG != 3)
      __threadfence();
    plain[1] = plain[0] + 1;
  }
}
// The last to write a byte of the word has told the reader, and nobody else.
__global__ void bytes(int *a, int *flag) {
  if (blockIdx.x)
    return;
  if (threadIdx.x == 0)
    ((char *)a)[BUG ? 0 : 4] = 1;
  if (threadIdx.x == 1) {
    ((char *)a)[1] = 2;
    __threadfence();
    atomicExch(flag, 1);
  }
  if (threadIdx.x == 2) {
    while (atomicAdd(flag, 0) == 0)
      ;
    __threadfence();
    a[2] = a[0];
  }
}
// Who reads comes first, and tells who writes.
__global__ void reads_first(int *a, int *flag) {
  if (blockIdx.x)
    return;
  if (threadIdx.x == 0) {
    a[1] = a[0];
    if (BUG != 1)
      __threadfence();
    atomicExch(flag, 1);
  } else if (threadIdx.x == 40) {
    while (atomicAdd(flag, 0) == 0)
      ;
    if (BUG != 2)
      __threadfence();
    a[0] = 9;
  }
  if (BUG == 3 && threadIdx.x == 0)
    a[2] = a[0];
}
// The same, and nobody waits.
__global__ void reads_early(int *a, int *flag) {
  __atomic_fetch_add(flag, 1, __ATOMIC_ACQ_REL);
  if (threadIdx.x == 0 && blockIdx.x == 0)
    a[1] = BUG ? a[0] : 1;
  else if (threadIdx.x == 40 && blockIdx.x == 0)
    a[0] = 9;
}
// What is written is there before.
__global__ void silent(int *a, int *flag) {
  __atomic_fetch_add(flag, 0, __ATOMIC_ACQ_REL);
  if (threadIdx.x == 40 && blockIdx.x == 0)
    a[0] = a[2];
  if (threadIdx.x == 0 && blockIdx.x == 1)
    a[1] = BUG ? a[0] : 0;
}
__global__ void warp(int *a, int *flag) {
  __shared__ int cell[96];
  int i = threadIdx.x;
  cell[i] = i;
  if (BUG != 1)
    __syncwarp();
  int other = cell[i ^ 1];
  if (BUG != 2)
    __syncwarp();
  cell[i] = other;
  a[blockIdx.x * 96 + i] = __shfl_xor_sync(~0u, cell[i], 2);
}
// Who comes last sets the counter back, or lets another one do it.
__global__ void comes_last(int *a, int *flag) {
  a[blockIdx.x * 96 + threadIdx.x] = 1;
  if (atomicAdd(flag, 1) == (BUG ? 0 : 2 * 96 - 1))
    *flag = 0;
}
__global__ void tells_block(int *a, int *flag) {
  __shared__ bool is_last;
  if (threadIdx.x == 0)
    is_last = atomicAdd(flag, 1) == 1;
  __syncthreads();
  if ((BUG || is_last) && threadIdx.x == 1)
    *flag = 2;
}
__global__ void widths(int *a, int *flag) {
  if (threadIdx.x == 3)
    atomicAdd(&a[2], 1);
  if (threadIdx.x == 40)
    atomicAdd((unsigned long long *)&a[BUG ? 2 : 4], 1);
}
__global__ void clocks(int *a, int *flag) {
  a[blockIdx.x * 96 + threadIdx.x] = clock64() > 0;
}
// A struct that is filled in part, and copied as a whole.
struct Parts {
  int numbers[8];
  char filled;
  long long last;
};
__global__ void partly(int *a, int *flag) {
  Parts parts;
  for (int i = 0; i < *flag + 3; i++)
    parts.numbers[i * threadIdx.x & 7] = i;
  parts.filled = 1;
  __threadfence();
  atomicAdd(flag + 1, 1);
  __threadfence();
  if (BUG || threadIdx.x < 2)
    ((Parts *)a)[BUG ? 0 : 2 * blockIdx.x + threadIdx.x] = parts;
}
// What another execution would find another value of.
__global__ void again(int *a, int *flag) {
  int i = blockIdx.x * 96 + threadIdx.x;
  long long before = clock64();
  __atomic_fetch_add(flag, 1, __ATOMIC_ACQ_REL);
  a[BUG ? i / 2 : i] += (int)before + BUG * i;
  if (i == 0)
    printf("once\n");
}

struct Kernel {
  const char *name;
  const void *address;
  int bugs;
};
#define KERNEL(name, bugs) {#name, (const void *)name, bugs}
static const Kernel kernels[] = {
    KERNEL(named, 3),      KERNEL(rounds, 2),      KERNEL(grid, 2),
    KERNEL(last, 3),       KERNEL(lock, 4),        KERNEL(flags, 4),
    KERNEL(bytes, 1),      KERNEL(reads_first, 3), KERNEL(reads_early, 1),
    KERNEL(silent, 1),     KERNEL(warp, 2),        KERNEL(again, 1),
    KERNEL(comes_last, 1), KERNEL(copied, 1),      KERNEL(tells_block, 1),
    KERNEL(widths, 1),     KERNEL(partly, 1),      KERNEL(clocks, 0)};

// Those that have this bug, or one of them.
int main() {
  for (const Kernel &kernel : kernels) {
    int *a, *flag, host[192];
    void *arguments[] = {&a, &flag};
    if (BUG > kernel.bugs)
      continue;
    cudaMalloc(&a, sizeof host);
    cudaMalloc(&flag, 64);
    cudaMemset(a, 0, sizeof host);
    cudaMemset(flag, 0, 64);
    cudaError_t error = cudaLaunchCooperativeKernel(kernel.address, 2, 96,
                                                    arguments, 0, 0);
    cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost);
    printf("%s: %d", kernel.name, error);
    for (int number : host)
      printf(" %d", number);
    puts("");
  }
}
END

order='run --prove=0 -nocudainc -nocudalib order.cu'
for bug in 0 1 2 3 4; do
  verdict=passed status=0
  [ "$bug" = 0 ] || verdict=racy status=1
  for detect in races values; do
    # shellcheck disable=SC2086 # words
    gives $status "verdict: $verdict (this run" $order --detect=$detect \
      -DBUG="$bug"
    printf '%s\n' "$out" >"told.$bug.$detect"
  done
  # What has the bug has run to its end, and races.
  sed -n 's/^\([a-z_]*\): 0 .*/\1/p' "told.$bug.values" >kernels
  check "kernels have run with bug $bug" \
    test "$(wc -l <kernels)" = "$(echo 18 17 8 5 2 | cut -d' ' -f$((bug + 1)))"
  while [ "$bug" != 0 ] && read -r kernel; do
    for detect in races values; do
      check "$kernel races with bug $bug by $detect" \
        grep -q "kernel '$kernel'" "told.$bug.$detect"
    done
  done <kernels
done
# Not what nobody has written, and not what a clock says.
grep -v '^verdict:\|^partly\|^again' told.0.races >left.races
grep -v '^verdict:\|^partly\|^again' told.0.values >left.values
check 'they leave the same' cmp -s left.races left.values
check 'all are executed in order' \
  grep -q 'by values, 18 launches, 18 in order' told.0.values
check 'it prints once' test "$(grep -c '^once' told.0.values)" = 1

# Both places are told, whichever execution has found them.
printf '{"kernel": "last", "grid": 2, "block": 96, "arguments": [
  {"name": "a", "type": "i32", "count": 192}, {"name": "flag", "count": 1}]}' \
  >order.json
gives 1 "read-write race on 'a'" run --prove=0 order.cu --launch=order.json \
  --detect=values -DBUG=1 --clang-arg=-nocudainc --clang-arg=-nocudalib
tells 'in block (1,0,0) reads a['
tells 'in block (0,0,0) writes a['
tells 'executed twice in one order, not by regions: '
tells 'by values in order'
gives 0 'verdict: passed' run --prove=0 order.cu --launch=order.json --detect=values \
  --unit=warp --clang-arg=-nocudainc --clang-arg=-nocudalib
tells 'by values of warps in order'

# Atomics of the block's scope that many threads do in turn are no work for each
# other, but race with those of another block, whatever the thread did before.
cat >turns.cu <<'END'
__global__ void turns(int *a, int rounds) {
  __shared__ int counter;
  int *cell = BUG ? a : &counter;
  if (BUG == 2 && threadIdx.x == 0 && blockIdx.x == 0)
    atomicAdd(cell, 1);
  for (int i = 0; i < (BUG == 2 ? 1 : rounds); i++) {
    if (BUG == 2 && blockIdx.x == 1)
      atomicAdd(cell, 1);
    else if (BUG != 2 || threadIdx.x == 0)
      atomicAdd_block(cell, 1);
    __syncwarp();
  }
}
END
for bug in 0 1 2; do
  printf '{"kernel": "turns", "grid": 2, "block": 64, "arguments": [
    {"name": "a", "type": "i32", "count": 2}, {"value": %s}]}' \
    $((bug ? 2 : 1500)) >turns.json
  for detect in races values; do
    gives $((bug > 0)) 'verdict: ' run --prove=0 turns.cu --launch=turns.json \
      --detect=$detect -DBUG=$bug --clang-arg=-nocudainc --clang-arg=-nocudalib
  done
  tells 'by values in order'
done

# mbarriers, copies that they wait for, tensor cores, and two halves at a time.
for file in async_builtins bulk halves lock matrix phases producer warp_sum; do
  for bug in $(sed -n 's|^// bug \([0-9]*\): *racy.*|\1|p' \
    "$root/test/run/$file.cu") 0; do
    verdict=passed status=0
    [ "$bug" = 0 ] || verdict=racy status=1
    # shellcheck disable=SC2046 # options are words
    gives $status "verdict: $verdict" run "$root/test/run/$file.cu" \
      --launch="$root/test/run/$file.json" --detect=values --prove=0 -DBUG="$bug" \
      --clang-arg=-nocudainc --clang-arg=-nocudalib \
      $(sed -n 's|^// args:.*\(--clang-arg=.*\)|\1|p' "$root/test/run/$file.cu")
  done
done
