// Atomics that say how they order.
//
// args:     --detect=races
// verdict:  passed
// prints:   out = 42 42
// bug 1:    racy        the flag is raised relaxed
// bug 2:    racy        it is read relaxed
// bug 3:    racy        it is raised for its own block only
// bug 4:    racy        CUDA's own atomics, which order nothing
// bug 5:    racy        another fence than an acquiring one

__global__ void orders(int *flag, int *cell, int *out) {
  if (blockIdx.x == 0) {
    *cell = 42;
#if BUG == 1
    __atomic_store_n(flag, 1, __ATOMIC_RELAXED);
#elif BUG == 3
    __threadfence();
    atomicExch_block(flag, 1);
#elif BUG == 4
    atomicExch(flag, 1);
#else
    __atomic_fetch_add(flag, 1, __ATOMIC_ACQ_REL);
#endif
  } else if (blockIdx.x == 1) {
#if BUG == 2
    while (__atomic_load_n(flag, __ATOMIC_RELAXED) == 0) {
    }
#elif BUG == 4
    while (atomicAdd(flag, 0) == 0) {
    }
#elif BUG == 5
    while (__atomic_load_n(flag, __ATOMIC_RELAXED) == 0) {
    }
    __atomic_thread_fence(__ATOMIC_RELEASE);
#else
    while (__atomic_load_n(flag, __ATOMIC_ACQUIRE) == 0) { // says 3: race on 'flag'
    }
#endif
    out[0] = *cell; // says 1,2,3,4,5: read-write race on 'cell'
  } else {
    while (__atomic_load_n(flag, __ATOMIC_RELAXED) == 0) {
    }
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    out[1] = *cell;
  }
}
