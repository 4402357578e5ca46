// A sum over the lanes of a wavefront, then over its wavefronts.  What lanes tell
// each other is anything, and orders no memory.
//
// args:     --blockDim=256
// verdict:  verified
// bug 1:    racy       each lane stores
// bug 2:    racy       a shuffle is no barrier
// bug 3:    unknown    lanes are not taken to be in step

__global__ void sum(int *out, const int *in) {
  __shared__ int t[4];
  int v = in[blockIdx.x * 256 + threadIdx.x];
  for (int d = warpSize / 2; d > 0; d /= 2)
    v += __shfl_down(v, d);
  if (BUG == 1 || __lane_id() == 0)
    t[threadIdx.x / 64] = v; // expect 1: write-write race on 't'
#if BUG == 3
  __syncwarp();
#elif BUG != 2
  __syncthreads();
#else
  v = __shfl(v, 0); // allow 2: race
#endif
  if (threadIdx.x == 0)
    out[blockIdx.x] = t[0] + t[1] + t[2] + t[3]; // expect 2: race on 't'
}
