// Smooths a vector in place: the barrier orders the threads of one block, but
// blocks read each other's edges.
//
// args:     --blockDim=256 --gridDim=4
// verdict:  racy

__global__ void smooth(int *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
  int mean = (a[i - 1] + a[i + 1]) / 2; // expect 0: read-write race on 'a'
  __syncthreads();
  a[i] = mean;
}
