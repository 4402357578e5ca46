// Fills a volume whose extents come as arguments.
//
// args:     --blockDim=[8,8,4] --gridDim=[4,4,4]
// verdict:  verified
// bug 1:    racy       planes are nx * nz apart

__global__ void fill(int *cell, int nx, int ny, int nz) {
  __requires(nx <= 1024);
  __requires(ny <= 1024);
  __requires(nz <= 1024);
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= nx || y >= ny || z >= nz)
    return;
#if BUG == 1
  cell[(z * nz + y) * nx + x] = z; // expect 1: write-write race on 'cell'
#else
  cell[(z * ny + y) * nx + x] = z;
#endif
}
