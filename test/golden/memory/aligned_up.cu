// Arrays in dynamic shared memory, each of which begins at a multiple of 128
// bytes: an address is rounded as an integer.
//
// args:     --blockDim=64 --gridDim=2
// verdict:  verified
// bug 1:    racy       rounded down, so the second array overlaps the first
// bug 2:    racy       no barrier

template <class T> __device__ T *align_up(void *p, size_t bytes) {
#if BUG == 1
  return (T *)((size_t)p & ~(bytes - 1));
#else
  return (T *)(((size_t)p + bytes - 1) & ~(bytes - 1));
#endif
}

__global__ void two_arrays(float *out) {
  extern __shared__ char memory[];
  float *first = align_up<float>(memory, 128);
  int *second = align_up<int>(first + 60, 128);
  if (threadIdx.x < 60)
    first[threadIdx.x] = threadIdx.x; // expect 1: race on 'memory'
  second[threadIdx.x] = -threadIdx.x;
#if BUG != 2
  __syncthreads();
#endif
  int mirrored = 63 - threadIdx.x;
  out[blockIdx.x * 64 + threadIdx.x] = second[mirrored]; // expect 2: race
}
