// Threads take a number and wait until it is served; after a barrier each block
// takes part once more.
//
// verdict:  passed
// bug 1:    schedule-dependent  the next one is served before the work is done
// bug 2:    deadlock            two threads can take the same number

__device__ int draw(int *ticket) {
#if BUG == 2
  int mine = *(volatile int *)ticket;
  *(volatile int *)ticket = mine + 1; // says 2: waits before it
  return mine;
#else
  return atomicAdd(ticket, 1);
#endif
}

__device__ void work(int *ticket, int *serving, int *sum) {
  int mine = draw(ticket);
  while (atomicAdd(serving, 0) != mine) {
  }
#if BUG == 1
  atomicAdd(serving, 1);
#endif
  *(volatile int *)sum = *(volatile int *)sum + 1; // says 1: waits before it
  __threadfence();
#if BUG != 1
  atomicAdd(serving, 1);
#endif
}

__global__ void ticket_lock(int *ticket, int *serving, int *sum) {
  work(ticket, serving, sum);
  __syncthreads();
  if (threadIdx.x == 0)
    work(ticket, serving, sum);
}
