# gpuverify run --detect=values: atomic operations, which find again what they
# have found.  Each kernel is held against --detect=races, and what it leaves
# against --detect=none.
# shellcheck shell=sh

cat >atomics.cu <<'END'
#include <cstdio>
typedef unsigned long long Long;
__global__ void histogram(int *a) {
  __shared__ int bins[16];
  if (threadIdx.x < 16)
    bins[threadIdx.x] = 0;
#ifndef BUG
  __syncthreads();
#endif
  atomicAdd(&bins[threadIdx.x * 7 % 16], threadIdx.x);
  __syncthreads();
  if (threadIdx.x < 16)
    atomicAdd(&a[threadIdx.x], bins[threadIdx.x]);
}
// Rounds: what an operation finds tells where to write, and how often.
__global__ void compact(int *a) {
  __shared__ int count, list[64];
  for (int round = 0; round < 4; round++) {
    if (!threadIdx.x)
      count = 0;
    __syncthreads();
    if ((threadIdx.x * 7 + round) % 3 == 0)
      list[atomicAdd(&count, 1)] = round;
    __syncthreads();
    if (threadIdx.x < count)
      a[128 + atomicAdd(&a[0], 1)] += list[threadIdx.x];
#ifndef BUG
    __syncthreads();
#endif
  }
}
__global__ void own(int *a) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  atomicAdd(&a[128 + i], 1);
  int first = a[128 + i];
  a[i] = 5;
  atomicAdd(&a[i], 2);
  int seen = a[i];
  a[i] = 1;
  atomicAdd(&a[i], seen + first);
  atomicCAS(&a[i], 77, 2);
}
// Each block has a counter, which it reads and sets back between barriers.
__global__ void of_block(int *a) {
  for (int i = 0; i < 3; i++) {
    if (!threadIdx.x)
      a[blockIdx.x] = i;
    __syncthreads();
    atomicAdd(&a[blockIdx.x], threadIdx.x);
    __syncthreads();
    a[64 + blockIdx.x * 64 + threadIdx.x] += a[blockIdx.x];
    __syncthreads();
  }
}
__global__ void read_behind(int *a) {
  atomicAdd(&a[0], 1);
  __syncthreads();
  a[64 + blockIdx.x * 64 + threadIdx.x] = a[0];
}
__global__ void reads(int *a) {
  atomicAdd(&a[0], 1);
  a[64 + threadIdx.x] = a[0];
}
// The same value, too, by whichever block.
__global__ void set_back(int *a) {
  atomicAdd(&a[0], 1);
  __syncthreads();
  if (blockIdx.x == 1)
    a[0] = 0;
  if (blockIdx.x > 0)
    atomicExch(&a[193], 193);
  else if (threadIdx.x == 0)
    a[192] = 192; // so the other thread gets a line for itself
  if (blockIdx.x == 0 && threadIdx.x == 40) {
    atomicExch(&a[193], 193);
    *(Long *)&a[192] = 192 | 193ll << 32;
  }
  if (threadIdx.x)
    return;
  if (blockIdx.x > 0)
    atomicExch(&a[64], 64);
  else
    a[64] = 64;
  if (blockIdx.x < 2)
    atomicExch(&a[128], 128);
  else
    a[128] = 128;
}
__global__ void narrow(int *a) { atomicAdd_block(&a[0], 1); }
__global__ void narrow_each(int *a) { atomicAdd_block(&a[blockIdx.x], 1); }
// A comparison that fails has read.
__global__ void fails(int *a) {
  int seen = atomicCAS(&a[0], 77, 1);
  a[64 + blockIdx.x * 64 + threadIdx.x] = a[0] + seen;
}
__global__ void fails_beside(int *a) {
  __shared__ int x, same, last;
  if (threadIdx.x == 40)
    a[0] = 0;
  else
    atomicCAS(&a[0], 77, 1);
  __syncthreads();
  if (threadIdx.x == 3 || threadIdx.x == 40)
    x = 5;
  if (threadIdx.x == 3)
    atomicCAS(&x, 77, 1);
  __syncthreads();
  if (threadIdx.x == 3)
    same = 5;
  if (threadIdx.x == 40)
    atomicExch(&same, 5);
  if (threadIdx.x == 3 || threadIdx.x == 40)
    atomicExch(&last, 1);
  if (threadIdx.x == 40)
    a[64] = last;
}
__global__ void fails_across(int *a) {
  if (blockIdx.x)
    atomicCAS(&a[0], 77, 1);
  else if (!threadIdx.x)
    a[0] = 0;
}
__global__ void all(int *a) {
  int t = threadIdx.x;
  atomicMax((unsigned *)&a[0], t * 7 % 64);
  atomicMin(&a[1], t - 5);
  atomicInc((unsigned *)&a[2], 9);
  atomicDec((unsigned *)&a[3], 5);
  atomicXor(&a[4], t);
  atomicOr(&a[5], 1 << t % 32);
  atomicAnd(&a[6], ~(1 << t % 32));
  atomicSub(&a[7], 3);
  atomicAdd((Long *)&a[8], 1ull << 33);
  atomicAdd((float *)&a[10], 0.5f);
  atomicAdd((double *)&a[12], 0.5);
  atomicMax_block(&a[14 + blockIdx.x], t);
  atomicMax_block((unsigned *)&a[18 + blockIdx.x], t);
  atomicInc_block((unsigned *)&a[22 + blockIdx.x], 9);
  atomicCAS_block(&a[26 + blockIdx.x], 26 + blockIdx.x, 7);
}
__global__ void is_volatile(int *a) {
  volatile int *v = a;
  v[threadIdx.x] = 3;
  int seen = v[(threadIdx.x + 1) % 64];
  a[64 + threadIdx.x + blockIdx.x * 64] = seen > 100;
}
__global__ void half_volatile(int *a) {
  volatile int *v = a;
  v[threadIdx.x] = 3;
  a[64 + threadIdx.x] = a[threadIdx.x ^ 32] > 100;
}
// A line that several have written the same to counts for all of them still.
__global__ void found(int *a) {
  if (threadIdx.x == 3)
    a[5] = 1;
  a[7] = 7;
  if (threadIdx.x == 3 || threadIdx.x == 40)
    a[5] = 2;
  a[64 + atomicAdd(&a[0], 1) % 64] = 3;
  if (threadIdx.x == 40) {
    atomicAdd(&a[2], 5);
    a[9] = 20;
    atomicAdd(&a[9], 5);
  }
}
__global__ void found_twice(int *a) {
  a[7] = 7;
  if (atomicAdd(&a[0], 1) >= 16)
    a[64] = threadIdx.x;
  // The second time it finds nothing: in its region, then in the grid.
  if (threadIdx.x == 0 && a[0] == 1)
    atomicAdd(&a[1], 1);
  __syncthreads();
  if (threadIdx.x)
    return;
  Long two = atomicAdd(&a[2], 0);
  a[130 + blockIdx.x] = a[two == 2 ? 192 : (two + 1) << 40];
  if (blockIdx.x) {
    a[128] = 1;
  } else {
    int is_later = a[128] == 1;
    Long none = atomicAdd(&a[193 + is_later], 0);
    a[129] = a[is_later ? none << 40 : 192];
  }
}
// Of both scopes, by one block.
__global__ void mixed_scopes(int *a) {
  if (blockIdx.x)
    return;
  volatile int *v = a;
  atomicAdd(&a[0], 1);
  atomicAdd_block(&a[0], 1);
  atomicAdd(&a[0], 1);
  a[64 + threadIdx.x] = v[0] < 3;
}
__global__ void narrow_fails(int *a) {
  if (blockIdx.x)
    atomicAdd(&a[0], 1);
  else
    atomicCAS_block(&a[0], 77, 1);
}
__global__ void changes_nothing(int *a) {
  if (threadIdx.x == 40)
    atomicMax(&a[0], -5);
  else
    a[64 + threadIdx.x] = a[0];
}
// Two atomic operations that have some bytes in common, of which one is in a
// line of the thread's own: what has several widths is not cut.
__global__ void reads_lines(int *a) {
  __shared__ __attribute__((aligned(64))) int x[4];
  if (threadIdx.x == 3)
    atomicAdd(&x[0], 1);
  if (threadIdx.x >= 39 && threadIdx.x <= 40)
    x[2] = 7;
  if (threadIdx.x == 40) {
    x[1] = 9;
    atomicAdd((Long *)&x[0], 1);
  }
  volatile int *v = a;
  for (int i = 0; i < 1 << 23; i += 64)
    if (v[i + threadIdx.x] == -1)
      a[0] = 1;
}
// The first thread comes second, but not when it is executed again.
__global__ void in_order(int *a) {
  volatile int *v = a;
  int seen = a[64 + threadIdx.x];
  if (threadIdx.x == 0) {
    while (v[1] != 5) {
    }
    atomicExch(&a[0], 9);
  }
  if (threadIdx.x == 40) {
    atomicExch(&a[0], 7);
    v[1] = 5;
  }
  a[128 + threadIdx.x] = seen;
}
// What is kept of an operation lies beside an array that is aligned.
__global__ void aligned(int *a) {
  __attribute__((aligned(16))) char own[16] = {};
  own[atomicAdd(&a[threadIdx.x], 1) % 16] = 3;
  a[64 + threadIdx.x + blockIdx.x * 64] = own[threadIdx.x % 16];
}
// So is what printf returns.
__global__ void prints(int *a) {
  int seen = a[threadIdx.x];
  if (threadIdx.x == 3)
    seen += printf("%s: %5d, 100 %%, %d\n", "one", blockIdx.x, 7);
  a[threadIdx.x + 64 * blockIdx.x] = seen;
}
__global__ void prints_text(int *a) {
  if (threadIdx.x == 3)
    printf("%-4s\n", (char *)a);
}
__global__ void misaligned(int *a) {
  *(int *)((char *)a + 61 + threadIdx.x) = 1;
}
__global__ void misaligned_update(int *a) {
  atomicAdd((int *)((char *)a + 61 + threadIdx.x), 1);
}
__global__ void orders(int *a) { __atomic_fetch_add(a, 1, __ATOMIC_ACQ_REL); }
END

# KERNEL VERDICT BLOCKS [OPTION]
atomics() {
  bad=0
  [ "$2" = passed ] || bad=1
  printf '{"kernel": "%s", "grid": %s, "block": 64, "arguments": [{"name": "a",
    "type": "i32", "count": 256, "init": "iota"}], "print": [
    {"buffer": "a", "count": 64}, {"buffer": "a", "from": 64, "count": 64},
    {"buffer": "a", "from": 128, "count": 64}]}' "$1" "$3" >atomics.json
  for detect in races values 'values --unit=thread' 'values --unit=warp'; do
    # shellcheck disable=SC2086 # detect is words
    gives "$bad" "verdict: $2" run --prove=0 atomics.cu --launch=atomics.json \
      --detect=$detect --clang-arg=-nocudainc --clang-arg=-nocudalib ${4:+"$4"}
    printf '%s\n' "$out" | grep '^a[[ ]' >"left.${detect#*=}"
  done
  [ "$2" = passed ] || return 0
  check "$1 leaves the same by values" cmp -s left.races left.thread
  check "$1 leaves the same by copies of warps" cmp -s left.races left.warp
}

atomics histogram passed 3
atomics histogram racy 1 --clang-arg=-DBUG
tells "atomic-atomic race on 'bins'"
atomics compact passed 1
atomics compact racy 1 --clang-arg=-DBUG
atomics own passed 2
atomics of_block passed 2
atomics read_behind passed 1
atomics read_behind racy 2
tells "atomic-read race on 'a'"
atomics reads racy 1
atomics set_back racy 3
tells 'writes a[64]'
tells 'writes a[128]'
tells 'writes a[192]'
says_not 'atomic-atomic race'
atomics narrow passed 1
atomics narrow racy 2
atomics narrow_each passed 2
atomics fails passed 2
atomics fails_beside racy 1
tells "atomic-write race on 'x'"
tells "atomic-write race on 'same'"
tells "atomic-read race on 'last'"
atomics fails_across racy 2
atomics all passed 3
atomics is_volatile passed 2
atomics half_volatile racy 1
atomics found passed 1
atomics found_twice racy 2
atomics mixed_scopes passed 2
atomics narrow_fails racy 2
atomics changes_nothing racy 1
sed 's/changes_nothing/reads_lines/; s/"count": 256/"count": 8388608/' \
  atomics.json >lines.json
gives 1 "atomic-atomic race on 'x'" run --prove=0 atomics.cu --launch=lines.json --detect=values \
  --clang-arg=-nocudainc --clang-arg=-nocudalib
atomics in_order passed 1
atomics aligned passed 1
atomics prints passed 1
ends() {
  sed "s/prints/$3/" atomics.json >ends.json
  gives "$1" "$2" run --prove=0 atomics.cu --launch=ends.json --detect=values \
    --clang-arg=-nocudainc --clang-arg=-nocudalib
}
ends 0 'one:     0, 100 %, 7' prints
ends 0 'by regions: an atomic orders other accesses' orders
ends 0 'by regions: a string that is printed may be written by threads' prints_text
ends 1 'misaligned access: an access is not aligned to its width' misaligned
ends 1 'misaligned access: an access is not aligned to its width' \
  misaligned_update
