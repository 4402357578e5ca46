// Atomics have a scope; a volatile access is none, and races.
//
// args:     --blockDim=64 --gridDim=*
// verdict:  verified, verified
// bug 1:    racy, verified    threads of two blocks, and the scope is a block's
// bug 2:    racy, verified    a plain access beside it
// bug 3:    verified, racy    volatile

__global__ void count(int *sum) {
#if BUG == 1
  atomicAdd_block(sum, 1); // expect 1: race on 'sum'
#elif BUG == 2
  *sum += 1; // expect 2: race on 'sum'
#else
  atomicAdd(sum, 1);
#endif
  atomicMax(sum, 3); // allow 1,2: race
}

__global__ void flag(int *f) {
#if BUG == 3
  *(volatile int *)f = threadIdx.x; // expect 3: write-write race on 'f'
#else
  __hip_atomic_store(f, (int)threadIdx.x, __ATOMIC_RELEASE,
                     __HIP_MEMORY_SCOPE_AGENT);
#endif
}
