// Rows whose length is another one in each round, and may wrap: the signed
// product of the round before was a smaller one.
//
// args:     --ladder=no-signed-overflow --no-confirm --blockDim=8,8
// verdict:  racy

__global__ void rows(float *out, int width, int depth) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int last = 0;
  for (int z = 1; z < depth; z++) {
    unsigned length = (unsigned)width * (unsigned)z;
    if (width == 1 << 29 && x < width && y < 4)
      out[x + y * length] = 0.5f * last + y; // expect 0: race on 'out'
    last = width * z;
    __syncthreads();
  }
}
