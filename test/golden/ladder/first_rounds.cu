// Rows whose length is a product that may wrap: a signed one of the same sizes
// comes too late to say that it does not.
//
// args:     --ladder=no-signed-overflow --no-confirm --blockDim=8,8
// verdict:  racy
// bug 1:    racy     it comes in a round that there is not

__global__ void rows(float *out, int height, int depth) {
  const int width = 1 << 16;
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  unsigned length = (unsigned)width * (unsigned)height;
  int sum = 0;
  if (x >= width || y >= 4 || height <= 0)
    return;
  for (int z = 0; z < depth; z++) {
    if (BUG == 0 || z > 0)
      out[x + y * length] = 0.5f * sum + y; // expect 0,1: race on 'out'
    if (BUG == 0 || z == depth)
      sum += width * height;
  }
}
