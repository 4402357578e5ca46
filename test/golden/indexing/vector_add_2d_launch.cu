// A one-dimensional index under a two-dimensional block: the threads of one
// column share an element.
//
// args:     --blockDim=[64,2] --gridDim=4
// verdict:  racy

__global__ void fill(int *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = threadIdx.y; // expect 0: write-write race on 'out'
}
