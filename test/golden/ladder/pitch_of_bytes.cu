// Rows that are a number of bytes apart, as cudaMallocPitch says it.
//
// args:     --ladder=all --blockDim=16,4
// verdict:  verified, verified
// bug 1:    racy, verified  the distance is that of elements
// bug 2:    racy, verified  the last of a row may be the first of the next one
// bug 3:    racy, verified  of two elements the row has one
// bug 4:    racy, verified  elements of four numbers are as many as numbers
// bug 5:    racy, verified  columns behind those that fit, of a distance in elements
// bug 6:    verified, racy  what is compared with the distance is not far
// bug 7:    verified, racy  what is read and written in place may be windows that overlap

__global__ void fill(char *image, size_t pitch, int width, int height) {
  int x = threadIdx.x + blockIdx.x * blockDim.x;
  int y = threadIdx.y + blockIdx.y * blockDim.y;
#if BUG == 1
  float *row = (float *)(image + (y * pitch & ~3ull));
#else
  float *row = (float *)(image + y * pitch);
#endif
#if BUG == 2
  if (x <= width && y < height)
    row[x] = x + y; // expect 2: race on 'image'
#elif BUG == 3
  if (x < width && y < height)
    row[2 * x] = x + y; // expect 3: race on 'image'
#elif BUG == 4
  if (4 * x < width && y < height)
    ((float4 *)row)[4 * x] = make_float4(x, y, 0, 0); // expect 4: race on 'image'
#elif BUG == 5
  if (x >= width || y >= height)
    return;
  ((short *)image)[y * pitch + x] = x;
  ((short *)image)[y * pitch + x + (size_t)width] = y; // expect 5: race on 'image'
#else
  if (x < width && y < height)
    row[x] = x + y; // expect 1: race on 'image'
#endif
}

__global__ void lines(char *image, unsigned pitch, unsigned width, unsigned height) {
  unsigned y = threadIdx.x + blockIdx.x * blockDim.x;
#if BUG == 6
  if (y >= height || width > pitch)
    return;
#else
  if (y >= height || threadIdx.y || blockIdx.y)
    return;
#endif
  float *row = (float *)(image + y * pitch);
  for (unsigned x = 0; x < width; x++)
#if BUG == 7
    row[x] += x; // expect 7: race on 'image'
#else
    row[x] = x + y; // expect 6: race on 'image'
#endif
}
