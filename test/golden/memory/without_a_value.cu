// A variable that nothing was stored in holds anything, in each thread its own.
// Who stores that in memory writes there as others do.
//
// verdict: verified, verified
// bug 1: racy, verified   all threads store it in one cell
// bug 2: racy, verified   ... as a part of a union that is copied
// bug 3: verified, racy   ... in shared memory, where it is read

union Word {
  int number;
  float real;
};

__global__ void stored(int *numbers, union Word *words) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  int number;
  union Word word;
#if BUG == 1
  numbers[0] = number; // expect 1: write-write race on 'numbers'
#elif BUG == 2
  words[0] = word; // expect 2: write-write race on 'words'
#endif
  words[i] = word;
  numbers[i] = number;
}

__global__ void passed_on(int *out) {
  __shared__ int all[256];
  unsigned i = threadIdx.x;
  int number;
#if BUG == 3
  all[0] = number; // expect 3: write-write race on 'all'
#endif
  all[i] = number;
  __syncthreads();
  out[blockIdx.x * blockDim.x + i] = all[blockDim.x - 1 - i];
}
