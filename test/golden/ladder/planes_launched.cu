// As many planes as the host has blocks for, where it says so.
//
// args:     --ladder=all --no-confirm
// verdict:  verified, verified
// bug 1:    racy, verified  more blocks than planes
// bug 2:    racy, verified  blocks of another axis
// bug 3:    verified, racy  another axis has as many as that

__global__ void planes(int channels, int size, const float *in, float *out) {
  int at = blockIdx.x * 256 + threadIdx.x;
  float found = in[at];
  unsigned plane = blockIdx.y * channels + blockIdx.z;
  if (at < size)
    out[plane * size + at] = found; // expect 1,2: race on 'out'
}

__global__ void rows(unsigned n, unsigned size, unsigned *in, unsigned *out) {
  unsigned row = blockIdx.x, is_large = 0, found = in[row * size];
#if BUG == 3
  is_large = (n >> 15) & (size >> 17);
#endif
  if (blockIdx.y == 0)
    out[row - (row & is_large)] = found + row; // expect 3: race on 'out'
}

void launch(int images, int channels, int size, float *in, float *out) {
#if BUG == 1
  dim3 grid((size + 255) / 256, images, channels + 1);
#elif BUG == 2
  dim3 grid((size + 255) / 256, channels, images);
#else
  dim3 grid((size + 255) / 256, images, channels);
#endif
  planes<<<grid, 256>>>(channels, size, in, out);
}

void launch_rows(unsigned m, unsigned n, unsigned size, unsigned *in,
                 unsigned *out) {
  dim3 grid(m, n);
  rows<<<grid, 1>>>(n, size, in, out);
}
