// Rows that are a step apart are no windows that overlap, unless the array is
// read, too, by whatever counter.
//
// args:     --ladder=all --blockDim=64
// verdict:  verified
// bug 1:    racy   the windows are cleared and added up
// bug 2:    racy   .. by atomic operations
// bug 3:    racy   .. and read from the other end

__global__ void windows(float *out, const float *in, int step, int window) {
  int y = blockIdx.x, x = threadIdx.x;
  if (x < window)
    out[y * step + x] = in[x]; // expect 1,2,3: race on 'out'
#if BUG
  __syncthreads();
#endif
#if BUG == 1
  for (int i = x; i < window; i += 64)
    out[y * step + i] += in[i]; // expect 1: race on 'out'
#elif BUG == 2
  for (int i = x; i < window; i += 64)
    atomicAdd(&out[y * step + i], in[i]); // expect 2: race on 'out'
#elif BUG == 3
  float v = x < window ? out[y * step + window - 1 - x] : 0; // expect 3: race on 'out'
  __syncthreads();
  if (x < window)
    out[y * step + x] = v; // expect 3: race on 'out'
#endif
}
