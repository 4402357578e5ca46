// The butterflies of a radix-2 FFT of 128 points in shared memory, with
// divisions and remainders by the span of the stage.
//
// args:     --blockDim=64 --gridDim=4
// verdict:  verified
// bug 1:    racy       the groups of a stage are one span apart, not two
// bug 2:    racy       the barrier stands after the loop

__global__ void fft(float2 *data, const float2 *twiddle) {
  __shared__ float2 point[128];
  unsigned t = threadIdx.x, first = blockIdx.x * 128;
  point[t] = data[first + t];
  point[t + 64] = data[first + t + 64];
  __syncthreads();
  for (unsigned span = 1; span < 128; span *= 2) {
    unsigned k = t % span;
#if BUG == 1
    unsigned i = t / span * span + k;
#else
    unsigned i = t / span * 2 * span + k;
#endif
    float2 w = twiddle[span + k];
    float2 a = point[i], b = point[i + span]; // expect 1,2: race on 'point'
    float2 c = {w.x * b.x - w.y * b.y, w.x * b.y + w.y * b.x};
    point[i] = {a.x + c.x, a.y + c.y};        // allow 1,2: race on 'point'
    point[i + span] = {a.x - c.x, a.y - c.y}; // allow 1,2: race on 'point'
#if BUG != 2
    __syncthreads();
#endif
  }
  __syncthreads();
  data[first + t] = point[t];
  data[first + t + 64] = point[t + 64];
}
