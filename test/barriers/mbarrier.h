// PTX's mbarriers and asynchronous copies for the kernels here, with phases by
// their parity.  A wait for parity 1 at a new mbarrier does not wait.

__device__ __forceinline__ unsigned in_shared(const void *p) {
  return (unsigned)__cvta_generic_to_shared(p);
}

__device__ __forceinline__ void init(unsigned long long *barrier, int count) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(in_shared(barrier)),
               "r"(count)
               : "memory");
}

__device__ __forceinline__ void arrive(unsigned long long *barrier) {
  asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(in_shared(barrier))
               : "memory");
}

__device__ __forceinline__ void arrive_and_drop(unsigned long long *barrier) {
  asm volatile(
      "mbarrier.arrive_drop.shared.b64 _, [%0];" ::"r"(in_shared(barrier))
      : "memory");
}

__device__ __forceinline__ bool try_wait(unsigned long long *barrier,
                                         int parity) {
  int is_over;
  asm volatile(
      "{ .reg .pred p;"
      " mbarrier.try_wait.parity.shared.b64 p, [%1], %2;"
      " selp.b32 %0, 1, 0, p; }"
      : "=r"(is_over)
      : "r"(in_shared(barrier)), "r"(parity)
      : "memory");
  return is_over;
}

__device__ __forceinline__ void wait(unsigned long long *barrier, int parity) {
  asm volatile(
      "{ .reg .pred p;\n"
      "AGAIN: mbarrier.try_wait.parity.shared.b64 p, [%0], %1;\n"
      "@!p bra AGAIN; }" ::"r"(in_shared(barrier)),
      "r"(parity)
      : "memory");
}

__device__ __forceinline__ void copy(void *to, const void *from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(in_shared(to)),
               "l"(from)
               : "memory");
}

__device__ __forceinline__ void commit() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}

// For all groups of copies but the last n.
#define wait_group(n) asm volatile("cp.async.wait_group " #n ";" ::: "memory")

// Arrives when this thread's copies are there.
__device__ __forceinline__ void arrive_copied(unsigned long long *barrier) {
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(
                   in_shared(barrier))
               : "memory");
}
