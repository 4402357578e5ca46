// A block of more threads than devices have is proved as it is asked for: the
// limits of hardware do not take away its other threads.
//
// args:     --blockDim=2048 --gridDim=1
// verdict:  verified
// bug 1:    racy       threads from 1024 on write the cells of those before
// bug 2:    racy       only threads that no device has write

__global__ void write(int *out) {
#if BUG == 1
  out[threadIdx.x % 1024] = threadIdx.x; // expect 1: race on 'out'
#elif BUG == 2
  if (threadIdx.x >= 1024)
    out[0] = threadIdx.x; // expect 2: race on 'out'
#else
  out[threadIdx.x] = threadIdx.x;
#endif
}
