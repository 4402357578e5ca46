# gpuverify run --detect=values: kernels that are not cut into regions, for more
# than the barriers of blocks orders their threads.  They are executed twice in
# one order.  Each, and each mistake, is held against --detect=races, and what it
# leaves against --detect=none.
# shellcheck shell=sh

cat >order.cu <<'END'
#include <cooperative_groups.h>
#include <cuda_pipeline.h>
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
  a[blockIdx.x * 96 + threadIdx.x] = (int)clock64();
}
// What another execution would find another value of.
__global__ void again(int *a, int *flag) {
  int i = blockIdx.x * 96 + threadIdx.x;
  long long before = clock64();
  __atomic_fetch_add(flag, 1, __ATOMIC_ACQ_REL);
  a[BUG ? i / 2 : i] += (before == a[i] + 1) + BUG * i;
  if (i == 0)
    printf("once\n");
}
END

order() {
  kernel=$1 bugs=$2
  printf '{"kernel": "%s", "grid": 2, "block": 96, "arguments": [
    {"name": "a", "type": "i32", "count": 192}, {"name": "flag", "count": 1}],
    "print": [{"buffer": "a", "count": 192}]}' "$kernel" >order.json
  for bug in $(seq 0 "$bugs"); do
    verdict=passed status=0
    [ "$bug" = 0 ] || verdict=racy status=1
    for detect in races values; do
      gives $status "verdict: $verdict" run order.cu --launch=order.json \
        --detect=$detect -DBUG="$bug" --clang-arg=-nocudainc \
        --clang-arg=-nocudalib
      [ "$bug" != 0 ] || printf '%s\n' "$out" | grep '^a[[ ]' >left.$detect
    done
    [ "$bug" != 0 ] || tells 'by values in order'
    [ "$bug" != 0 ] || tells 'executed twice in one order, not by regions: '
  done
  check "$kernel leaves the same" cmp -s left.races left.values
}

order named 3
order rounds 2
order grid 2
order last 3
order lock 4
order flags 4
order bytes 1
order reads_first 3
order reads_early 1
order silent 1
order warp 2
order again 1
gives 0 'is not executed twice' run order.cu --launch=order.json \
  --detect=values --clang-arg=-nocudainc --clang-arg=-nocudalib
check 'it prints once' test "$(printf '%s\n' "$out" | grep -c '^once')" = 1
sed 's/again/clocks/' order.json >clocks.json
gives 0 'verdict: passed' run order.cu --launch=clocks.json --detect=values \
  --clang-arg=-nocudainc --clang-arg=-nocudalib
order comes_last 1
order copied 1
order tells_block 1
order widths 1

# Both places are told, whichever execution has found them.
printf '{"kernel": "last", "grid": 2, "block": 96, "arguments": [
  {"name": "a", "type": "i32", "count": 192}, {"name": "flag", "count": 1}]}' \
  >order.json
gives 1 "read-write race on 'a'" run order.cu --launch=order.json \
  --detect=values -DBUG=1 --clang-arg=-nocudainc --clang-arg=-nocudalib
tells 'in block (1,0,0) reads a['
tells 'in block (0,0,0) writes a['
gives 0 'verdict: passed' run order.cu --launch=order.json --detect=values \
  --unit=warp --clang-arg=-nocudainc --clang-arg=-nocudalib
tells 'by values of warps in order'

# mbarriers, copies that they wait for, tensor cores, and two halves at a time.
for file in async_builtins bulk halves lock matrix phases producer warp_sum; do
  for bug in $(sed -n 's|^// bug \([0-9]*\): *racy.*|\1|p' \
    "$root/test/run/$file.cu") 0; do
    verdict=passed status=0
    [ "$bug" = 0 ] || verdict=racy status=1
    # shellcheck disable=SC2046 # options are words
    gives $status "verdict: $verdict" run "$root/test/run/$file.cu" \
      --launch="$root/test/run/$file.json" --detect=values -DBUG="$bug" \
      --clang-arg=-nocudainc --clang-arg=-nocudalib \
      $(sed -n 's|^// args:.*\(--clang-arg=.*\)|\1|p' "$root/test/run/$file.cu")
  done
done
