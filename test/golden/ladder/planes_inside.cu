// What is inside of a volume: who writes does not come to the edges, so there
// are the planes up to the thread's own, each of so many whole rows.
//
// args:     --assume=no-signed-overflow,sizes-fit,arguments-not-negative --blockDim=[8,8,4]
// verdict:  verified
// assumes:  thread-count, launch-limits, no-signed-overflow, sizes-fit, arguments-not-negative
// bug 1:    racy     planes are a row apart

__global__ void planes_inside(float *out, int width, int height, int depth) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < 1 || x >= width - 1 || y < 1 || y >= height - 1 || z >= depth)
    return;
#if BUG == 1
  int first = z * width;
#else
  int first = z * width * height;
#endif
  out[x + y * width + first] = 0.5f * x + y; // expect 1: race on 'out'
}
