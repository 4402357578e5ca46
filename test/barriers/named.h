// PTX's named barriers for the kernels here.  `threads` counts all who take
// part, in multiples of 32.

__device__ __forceinline__ void bar_sync(int name, int threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(name), "r"(threads) : "memory");
}

__device__ __forceinline__ void bar_arrive(int name, int threads) {
  asm volatile("bar.arrive %0, %1;" ::"r"(name), "r"(threads) : "memory");
}
