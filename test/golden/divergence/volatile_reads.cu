// What is volatile the host may write while the kernel runs: two reads may
// differ, of two threads or of one.
//
// args:    --blockDim=64 --gridDim=2
// verdict: verified
// bug 1:   divergent  two threads read it
// bug 2:   divergent  .. of a variable
// bug 3:   racy       one thread reads it twice
// bug 4:   divergent  bytes that no access reads at once
// bug 5:   divergent  a loop goes on until it is set
// bug 6:   divergent  what is read atomically he may write, too

struct __attribute__((packed)) Pair {
  char first;
  int second;
};

__device__ volatile int stop;
__constant__ int size;

__global__ void wait(int *out, volatile int *flag, const int *plain,
                     volatile Pair *pair) {
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  if (plain[0] | size)
    __syncthreads();
  if (BUG == 1 && flag[0])
    __syncthreads(); // expect 1: barrier divergence
  if (BUG == 2 && stop)
    __syncthreads(); // expect 2: barrier divergence
  if (BUG == 6 && __atomic_load_n(&plain[1], __ATOMIC_RELAXED))
    __syncthreads(); // expect 6: barrier divergence
  if (BUG == 4 && pair->second)
    __syncthreads(); // expect 4: barrier divergence
  if (BUG == 5)
    while (!stop)
      __syncthreads(); // expect 5: barrier divergence
  int before = flag[1];
  int after = before;
  if (BUG == 3)
    after = flag[1];
  out[before == after ? i : 0] = i; // expect 3: race on 'out'
}
