// No barrier orders blocks, but whoever counts may count as an atomic.
//
// args:   --blockDim=128 --gridDim=8
// repair: counter.cu:8:5: write 'atomicAdd(&count[i % 4], 1);'

__global__ void counter(int *count, const int *in, int i) {
  if (in[blockIdx.x * blockDim.x + threadIdx.x] > 0)
    count[i % 4]++;
}
