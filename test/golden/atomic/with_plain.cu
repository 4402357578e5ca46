// A flag that is raised atomically and read after a barrier.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       read without a barrier
// bug 2:    racy       lowered by a plain write after the barrier

__global__ void vote(const int *in, int *out) {
  __shared__ int flag;
  if (threadIdx.x == 0)
    flag = 0;
  __syncthreads();
  if (in[threadIdx.x] < 0)
    atomicExch(&flag, 1);
#if BUG != 1
  __syncthreads();
#endif
  out[threadIdx.x] = flag; // expect 1,2: race on 'flag'
#if BUG == 2
  if (threadIdx.x == 5)
    flag = 2;
#endif
}
