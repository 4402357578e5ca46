# gpuverify run --detect=values: fences, and atomic operations that order other
# accesses.  They do nothing in a kernel that releases nowhere, or acquires
# nowhere; such kernels are held against --detect=races, others are executed in
# order.
# shellcheck shell=sh

cat >orders.cu <<'END'
__global__ void fences(int *a, int *) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  a[i] += 1;
  __threadfence();
#ifdef BUG
  i ^= 1;
#endif
  a[i] += 1;
}
__global__ void releases(int *a, int *flag) {
  if (!threadIdx.x) {
    a[0] = 1;
    __threadfence();
    atomicExch(flag, 1);
  }
#ifndef BUG
  __syncthreads();
#endif
  a[64 + threadIdx.x] = a[0];
}
__global__ void releases_itself(int *a, int *flag) {
  a[threadIdx.x] = 1;
  __atomic_fetch_add(flag, 1, __ATOMIC_RELEASE);
#ifdef BUG
  a[threadIdx.x ^ 1] = 2;
#endif
}
__global__ void acquires(int *a, int *flag) {
  if (!threadIdx.x)
    a[0] = 1;
#ifndef BUG
  __syncthreads();
#endif
  int seen = atomicAdd(flag, 1);
  __threadfence();
  a[64 + threadIdx.x] = a[0] + (seen < 0);
}
__global__ void acquires_itself(int *a, int *flag) {
  if (!threadIdx.x)
    a[0] = 1;
#ifndef BUG
  __syncthreads();
#endif
  int seen = __atomic_load_n(flag, __ATOMIC_ACQUIRE);
  a[64 + threadIdx.x] = a[0] + (seen < 0);
}
// No way leads from one to the other.
__global__ void apart(int *a, int *flag) {
  int i = threadIdx.x / 32 * 32;
  if (threadIdx.x < 32)
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
  else
    atomicAdd(flag, 1);
#ifdef BUG
  i = 0;
#endif
  if (threadIdx.x % 32 == 0)
    a[i] = threadIdx.x;
}
// Fences of the thread alone, and such as only release.
__global__ void narrow(int *a, int *flag) {
  int i = threadIdx.x;
  a[i] += 1;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  __atomic_thread_fence(__ATOMIC_RELEASE);
  atomicAdd(flag, 1);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  __atomic_thread_fence(__ATOMIC_RELEASE);
#ifdef BUG
  i ^= 1;
#endif
  a[i] += 1;
}
// The order is a parameter, as libcu++ has it.
__device__ void fence(int order) {
  if (order == __ATOMIC_SEQ_CST)
    __threadfence_system();
  else if (order == __ATOMIC_ACQ_REL)
    __threadfence();
}
__device__ int add(int *at, int order) {
  fence(order);
  int old = __atomic_fetch_add(at, 1, __ATOMIC_RELAXED);
  fence(order);
  return old;
}
#ifndef ORDER
#define ORDER __ATOMIC_RELAXED
#endif
__global__ void relaxed(int *a, int *flag) {
  int i = threadIdx.x;
  a[i] = 1;
  add(flag, ORDER);
#ifdef BUG
  i ^= 1;
#endif
  a[i] = 2;
}
__global__ void computed(int *a, int *flag) {
  a[threadIdx.x] = 1;
  add(flag, blockDim.x == 64 ? __ATOMIC_ACQ_REL : __ATOMIC_RELAXED);
}
__global__ void releases_by_fence(int *a, int *flag) {
  a[threadIdx.x] = 1;
  __atomic_thread_fence(__ATOMIC_RELEASE);
  __atomic_fetch_add(flag, 1, __ATOMIC_ACQUIRE);
}
__global__ void acquires_by_fence(int *a, int *flag) {
  a[threadIdx.x] = 1;
  __atomic_fetch_add(flag, 1, __ATOMIC_RELEASE);
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
}
__global__ void both(int *a, int *flag) {
  a[threadIdx.x] = 1;
  __atomic_fetch_add(flag, 1, __ATOMIC_ACQ_REL);
}
__global__ void between(volatile int *a, int *) {
  a[threadIdx.x] = 1;
  __threadfence();
  a[threadIdx.x + 64] = 1;
}
// What comes behind the fence comes in the next iteration.
__global__ void again(int *a, int *flag) {
  for (int i = 0; i < 2; i++) {
    a[threadIdx.x] += atomicAdd(flag, 0);
    __threadfence();
  }
}
__global__ void behind_barrier(int *a, int *flag) {
  if (!threadIdx.x)
    a[0] = atomicAdd(flag, 1);
  __syncthreads();
  if (threadIdx.x == 1)
    __threadfence();
  __atomic_store_n(flag + 1, 1, __ATOMIC_RELEASE);
}
__global__ void fails(int *a, int *flag) {
  int none = 5;
  if (!threadIdx.x)
    a[0] = 1;
  __atomic_compare_exchange_n(flag, &none, 6, false, __ATOMIC_RELAXED,
                              __ATOMIC_ACQUIRE);
  __atomic_store_n(flag + 1, 1, __ATOMIC_RELEASE);
}
END

# KERNEL: a launch of one block
launch() {
  printf '{"kernel": "%s", "grid": 1, "block": 64, "arguments": [
    {"name": "a", "type": "i32", "count": 128}, {"count": 2}],
    "print": [{"buffer": "a", "count": 128}]}' "$1" >launch.json
}

# STATUS TEXT DETECTOR [OPTION]
finds() {
  gives "$1" "$2" run --prove=0 orders.cu --launch=launch.json --detect="$3" \
    --clang-arg=-nocudainc --clang-arg=-nocudalib ${4:+"$4"}
}

for kernel in fences releases releases_itself acquires acquires_itself apart \
  narrow relaxed; do
  launch "$kernel"
  for detect in races values; do
    finds 0 'verdict: passed (this run' $detect
    printf '%s\n' "$out" | grep '^a[[ ]' >left.$detect
    finds 1 "race on 'a'" $detect --clang-arg=-DBUG
  done
  check "$kernel leaves the same by values" cmp -s left.races left.values
done

# STATUS REASON [OPTION]
in_order() {
  finds "$1" "$2" values ${3:+"$3"}
  tells 'by values in order'
}
for kernel in between again behind_barrier computed releases_by_fence \
  acquires_by_fence; do
  launch "$kernel"
  in_order 0 'not by regions: a fence orders threads beside barriers'
done
launch relaxed
in_order 0 'not by regions: a fence orders threads beside barriers' \
  --clang-arg=-DORDER=__ATOMIC_SEQ_CST
for kernel in both fails; do
  launch "$kernel"
  in_order 0 'not by regions: an atomic orders other accesses beside barriers'
done
