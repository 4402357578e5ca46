// Two threads draw two numbers if they draw from one counter.
//
// args:     --blockDim=64 --gridDim=2
// verdict:  verified
// bug 1:    racy       each thread has its own counter
// bug 2:    racy       each block has its own counter
// bug 3:    racy       there are two counters
// bug 4:    racy       one thread draws all numbers, the other one none

__global__ void draw(int *out, unsigned *one, unsigned *two) {
#if BUG == 1
  unsigned next = 0;
  out[__atomic_fetch_add(&next, 1, __ATOMIC_RELAXED)] = threadIdx.x; // expect 1: write-write race on 'out'
#elif BUG == 2
  __shared__ unsigned next;
  if (threadIdx.x == 0)
    next = 0;
  __syncthreads();
  out[atomicAdd(&next, 1)] = blockIdx.x; // expect 2: write-write race on 'out'
#elif BUG == 3
  if (threadIdx.x & 1)
    out[atomicAdd(one, 1)] = threadIdx.x; // expect 3: write-write race on 'out'
  else
    out[atomicAdd(two, 1)] = threadIdx.x; // allow 3: write-write race on 'out'
#elif BUG == 4
  __shared__ unsigned next, last;
  if (threadIdx.x == 0) {
    unsigned a = atomicAdd(&next, 1u << 31);
    unsigned b = atomicAdd(&next, 1u << 31);
    if (a != b)
      last = 0; // expect 4: write-write race on 'last'
  } else if (threadIdx.x == 1) {
    last = 1; // allow 4: write-write race on 'last'
  }
#else
  out[atomicSub(one, 1)] = threadIdx.x;
#endif
}
