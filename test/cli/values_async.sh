# gpuverify run --detect=values: asynchronous copies (cp.async), which may come
# at any time before their thread has waited.  Each kernel is held against
# --detect=races.
# shellcheck shell=sh

cat >async.cu <<'END'
#define COPY(to, from)                                                         \
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(               \
                   (unsigned)__cvta_generic_to_shared(to)),                    \
               "l"(from)                                                       \
               : "memory")
#define COMMIT asm volatile("cp.async.commit_group;" ::: "memory")
#define WAIT(n) asm volatile("cp.async.wait_group %0;" ::"n"(n) : "memory")
#define WAIT_ALL asm volatile("cp.async.wait_all;" ::: "memory")

// While one tile is summed up the next one is on its way.
template <int groups> __device__ void pipeline(int *a) {
  __shared__ int tile[2][64];
  int i = threadIdx.x, sum = 0;
  COPY(&tile[0][i], a + i);
  COMMIT;
  for (int n = 1; n <= 3; n++) {
    if (n < 3)
      COPY(&tile[n % 2][i], a + 64 * n + i);
    COMMIT;
    WAIT(groups);
    __syncthreads();
    sum += tile[(n - 1) % 2][63 - i];
    __syncthreads();
  }
  a[192 + i] = sum;
}
__global__ void pipelined(int *a) { pipeline<1>(a); }
__global__ void waits_for_less(int *a) { pipeline<2>(a); }
// Only the copy knows of the race, in a region in which it was not started.
__global__ void late(int *a) {
  __shared__ int tile[64];
  int i = threadIdx.x;
  COPY(&tile[i], a + i);
  __syncthreads();
  a[192 + i] = tile[63 - i];
  WAIT_ALL;
}
__global__ void source(int *a) {
  __shared__ int tile[64];
  int i = threadIdx.x;
  COPY(&tile[i], a + i);
  __syncthreads();
  a[63 - i] = i;
  WAIT_ALL;
}
// The copy comes last, and reads.
__global__ void source_first(int *a) {
  __shared__ int tile[64];
  if (threadIdx.x == 0)
    a[64] = 7;
  if (threadIdx.x == 40)
    COPY(tile, a + 64);
  WAIT_ALL;
}
__global__ void source_behind(int *a) {
  __shared__ int tile[64];
  int i = threadIdx.x;
  COPY(&tile[i], a + i);
  WAIT_ALL;
  __syncthreads();
  a[63 - i] = tile[63 - i] + 1;
}
__global__ void own_source(int *a) {
  __shared__ int tile[64];
  int i = threadIdx.x;
  COPY(&tile[i], a + i);
  a[i] = 5;
  WAIT_ALL;
}
__global__ void own_target(int *a) {
  __shared__ int tile[64];
  int i = threadIdx.x;
  COPY(&tile[i], a + i);
  a[192 + i] = tile[i];
  WAIT_ALL;
}
__global__ void own_read(int *a) {
  __shared__ int tile[64];
  int i = threadIdx.x;
  COPY(&tile[i], a + i);
  int seen = a[i];
  WAIT_ALL;
  a[i] = seen + tile[i];
}
__global__ void twice(int *a) {
  __shared__ int tile[64];
  int i = threadIdx.x;
  COPY(&tile[i], a + i);
  COPY(&tile[i], a + 64 + i);
  WAIT_ALL;
}
__global__ void onward(int *a) {
  __shared__ int tile[65];
  int i = threadIdx.x;
  memset(&tile[i], 0, i == 63 ? 8 : 4);
  COPY(&tile[i], a + i);
  memcpy(a + 192 + i, &tile[i], 4);
  WAIT_ALL;
}
__global__ void compared(int *a) {
  __shared__ int tile[64];
  int i = threadIdx.x;
  COPY(&tile[i], a + i);
  atomicCAS(&a[i], -1, 7);
  WAIT_ALL;
}
__global__ void swapped(int *a) {
  __shared__ int tile[64];
  int i = threadIdx.x;
  COPY(&tile[i], a + i);
  atomicCAS(&a[i], i, -7);
  WAIT_ALL;
}
__global__ void many(int *a) {
  __shared__ int tile[130];
  for (int i = 0; i < 65; i++)
    COPY(&tile[65 * (threadIdx.x & 1) + i], a + i);
  WAIT_ALL;
}
END

# KERNEL VERDICT
copies() {
  bad=0
  [ "$2" = passed ] || bad=1
  printf '{"kernel": "%s", "grid": 1, "block": 64, "arguments": [{"name": "a",
    "type": "i32", "count": 256, "init": "iota"}],
    "print": [{"buffer": "a", "count": 256}]}' "$1" >async.json
  for detect in races values; do
    gives "$bad" "verdict: $2" run --prove=0 async.cu --launch=async.json \
      --detect=$detect --clang-arg=-nocudainc --clang-arg=-nocudalib
    printf '%s\n' "$out" | grep '^a[[ ]' >left.$detect
  done
  [ "$2" = passed ] || return 0
  check "$1 leaves the same by values" cmp -s left.races left.values
}

copies pipelined passed
copies waits_for_less racy
copies late racy
copies source racy
copies source_first racy
tells 'thread (40,0,0) in block (0,0,0) reads a[64]'
gives 1 'thread (40,0,0) in block (0,0,0) copies from a[64]' run async.cu \
  --launch=async.json --detect=races --clang-arg=-nocudainc \
  --clang-arg=-nocudalib
says_not 'write-write'
copies source_behind passed
copies own_source racy
tells 'the copy is asynchronous, and has not been waited for'
copies own_target racy
tells 'reads tile[0] (bytes 0..3), async.cu'
tells 'writes tile[0] (bytes 0..3), async.cu'
says_not 'lock step'
copies own_read passed
copies twice racy
copies onward racy
copies compared passed
copies swapped racy
sed 's/swapped/many/' async.json >many.json
gives 4 'more than 64 asynchronous copies on their way' run async.cu \
  --launch=many.json --detect=values --prove=0 --clang-arg=-nocudainc \
  --clang-arg=-nocudalib
