#ifndef BOUNDS
#define BOUNDS
#endif
__device__ void arrive(int name, int threads) {
  asm volatile("bar.arrive %0, %1;" ::"r"(name), "r"(threads) : "memory");
}
__device__ void sync(int name, int threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(name), "r"(threads) : "memory");
}
__global__ void other(int *out) { out[threadIdx.x] = 1; }
__global__ void BOUNDS pipe(int *out, int n) {
  __shared__ int cell[32];
  if (threadIdx.x < n) {
    cell[threadIdx.x] = 1;
    arrive(1, 64);
  } else {
#ifndef RACY
    sync(1, 64);
#endif
    out[threadIdx.x] = cell[threadIdx.x - 32];
#ifdef STUCK
    sync(2, 64);
#endif
  }
}
#ifdef LAUNCH
void run(int *out) { pipe<<<1, 64>>>(out, 32); }
#endif
