// A barrier between blocks, made of a counter and a generation.
//
// args:     --check=assert,final-state,race
// verdict:  passed
// bug 1:    deadlock   the counter is cleared after the others may go on
// bug 2:    deadlock   the generation is read after arriving
// bug 3:    racy       no fence before arriving

__device__ void wait_for_all(unsigned *count, unsigned *generation) {
#if BUG != 3
  __threadfence();
#endif
#if BUG == 2
  bool is_last = atomicAdd(count, 1) == gridDim.x - 1;
  unsigned mine = atomicAdd(generation, 0);
#else
  unsigned mine = atomicAdd(generation, 0);
  bool is_last = atomicAdd(count, 1) == gridDim.x - 1;
#endif
  if (is_last) {
#if BUG == 1
    atomicAdd(generation, 1);
    atomicExch(count, 0);
#else
    atomicExch(count, 0);
    __threadfence();
    atomicAdd(generation, 1);
#endif
  } else {
    while (atomicAdd(generation, 0) == mine) { // says 1,2: deadlock
    }
  }
  __threadfence();
}

__global__ void atomic_barrier(unsigned *count, unsigned *generation,
                               int *cells) {
  int me = blockIdx.x, next = (me + 1) % gridDim.x;
  for (int i = 0; i < 2; i++) {
    cells[me] = cells[me] + 1 + i;
    wait_for_all(count, generation);
    int other = cells[next];
    wait_for_all(count, generation);
    cells[me] += other;
  }
}
