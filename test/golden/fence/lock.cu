// Threads of a block hand a lock to each other; without a fence it keeps nobody
// apart.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// assumes:  launch-limits, no-alias, termination
// bug 1:    racy       no fence: the lock orders nothing
// bug 2:    racy       nobody waits for the lock
// bug 3:    racy       how often it adds, memory tells that nobody writes
// bug 4:    unknown    it is given back before the sum is read

__global__ void add_up(const int *in, int *out, int *global_lock) {
  __shared__ int lock, sum;
  int t = threadIdx.x;
  if (t == 0)
    lock = sum = 0;
  __syncthreads();
  if (t % 32 == 0) {
#if BUG == 2
    atomicCAS(&lock, 0, 1);
#elif BUG == 3
    for (int i = 0; i < in[t]; i++)
      atomicAdd(&lock, 1);
#else
    while (atomicCAS(&lock, 0, 1) != 0)
      ;
#endif
#if BUG != 1
    __threadfence_block();
#endif
    sum += in[t]; // expect 1,2,3: race on 'sum'
#if BUG != 1
    __threadfence_block();
#endif
    atomicExch(&lock, 0);
#if BUG == 4
    sum++;
#endif
  }
  __syncthreads();
  out[t] = sum;
}
