// A struct that is passed by value, dynamic LDS, sizes of the launch in three
// dimensions.
//
// args:     --blockDim=[8,8,4] --gridDim=[64,1,1]
// verdict:  verified
// bug 1:    racy       a row has one element too few
// bug 2:    racy       two arrays begin at one place

struct Volume {
  int *cells;
  int layers;
};

__global__ void fill(Volume v) {
  extern __shared__ int t[];
  extern __shared__ int u[];
  int row = gridDim.x * blockDim.x - (BUG == 1);
  int plane = row * (gridDim.y * blockDim.y);
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int k = (threadIdx.z * 8 + threadIdx.y) * 8 + threadIdx.x;
  t[k] = k;
#if BUG == 2
  int w = u[255 - k]; // expect 2: race on
#else
  int w = u[k];
#endif
  int z = threadIdx.z;
  if (z < v.layers)
    v.cells[z * plane + y * row + x] = k + w; // expect 1: race on
}
