// A counter gives everybody another number as long as it does not come round
// in this launch: one of 8 bits not more than 256 threads.
//
// args:     --blockDim=512 --gridDim=1
// verdict:  verified
// bug 1:    racy       all threads draw from 256 numbers
// bug 2:    racy       steps so large that 16 of them are a round
// bug 3:    racy       each thread draws three times
// bug 4:    racy       down, and round
// bug 5:    racy       three warps draw

__global__ void draw(int *out) {
#if BUG == 2
  const unsigned step = 1u << 28;
  __shared__ unsigned next;
#elif BUG == 4
  const unsigned char step = 255;
  __shared__ unsigned char next;
#else
  const unsigned char step = 1;
  __shared__ unsigned char next;
#endif
  if (threadIdx.x == 0)
    next = 0;
  __syncthreads();
#if BUG == 3
  if (threadIdx.x < 128)
    for (int i = 0; i < 3; i++)
      out[__atomic_fetch_add(&next, step, __ATOMIC_RELAXED)] = threadIdx.x; // expect 3: write-write race on 'out'
#elif BUG == 5
  if (threadIdx.x >= 96 && threadIdx.x < 384)
    out[__atomic_fetch_add(&next, step, __ATOMIC_RELAXED)] = threadIdx.x; // expect 5: write-write race on 'out'
#elif BUG == 2
  out[atomicAdd(&next, step) >> 28] = threadIdx.x; // expect 2: write-write race on 'out'
#else
#if BUG == 0
  if (threadIdx.x < 128)
#endif
    out[__atomic_fetch_add(&next, step, __ATOMIC_RELAXED)] = threadIdx.x; // expect 1,4: write-write race on 'out'
#endif
}
