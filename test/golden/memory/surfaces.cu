// Surfaces are arrays: bytes at equal y and z that two threads access race.
//
// args:     --blockDim=16,8 --gridDim=4,4,2
// verdict:  verified, verified, verified, verified
// assumes:  no-alias, launch-limits
// bug 1:    racy, verified, verified, verified  it is copied in place
// bug 2:    racy, verified, verified, verified  x counts elements, not bytes
// bug 3:    racy, verified, verified, verified  all rows are the first
// bug 4:    verified, racy, verified, verified  all layers are one
// bug 5:    verified, racy, verified, verified  x and the layer are swapped
// bug 6:    verified, verified, racy, verified  who is outside comes to the end
// bug 7:    verified, verified, racy, verified  all rows are before the first
// bug 8:    verified, verified, racy, verified  a wide element is two
// bug 9:    verified, verified, verified, racy  the neighbour's place is read
// bug 10:   verified, verified, verified, unknown  it is one of two
// bug 11:   verified, verified, racy, verified  a constant place is the end

#include "gpuverify.h"

__global__ void copy(cudaSurfaceObject_t from, cudaSurfaceObject_t to) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (blockIdx.z)
    return;
  float v;
  surf2Dread(&v, BUG == 1 ? to : from, 4 * (x + 1), y); // expect 1: race on 'to'
  surf2Dwrite(v, to, // expect 2,3: write-write race on 'to'
              BUG == 2 ? x : 4 * x, BUG == 3 ? 0 : y);
}

__global__ void layers(cudaSurfaceObject_t volume, cudaSurfaceObject_t pictures) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  surf3Dwrite(x, volume, 4 * x, y, BUG == 4 ? 0 : blockIdx.z); // expect 4: race
  surf1DLayeredwrite((short)x, pictures, // expect 5: write-write race
                     BUG == 5 ? 2 * y : 2 * x,
                     BUG == 5 ? (blockIdx.x + 4 * blockIdx.z) : y + 32 * blockIdx.z);
}

__global__ void outside(cudaSurfaceObject_t s) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (blockIdx.z)
    return;
  float4 v = {0, 0, 0, 1.0f * x};
#if BUG == 6
  surf2Dwrite(v, s, 16 * x, y, cudaBoundaryModeClamp); // expect 6: race on 's'
#elif BUG == 7
  if (x == 0)
    surf2Dwrite(v, s, 0, -y, cudaBoundaryModeClamp); // expect 7: race on 's'
#elif BUG == 11
  if (x == 0 && y == 0)
    surf2Dwrite(v, s, 4096, 0, cudaBoundaryModeClamp); // expect 11: race on 's'
  else
    surf2Dwrite(v, s, 16 * x, y);
#else
  surf2Dwrite(v, s, (BUG == 8 ? 8 : 16) * (x - 5), y, // expect 8: race on 's'
              cudaBoundaryModeZero);
#endif
}

struct Frames {
  int width;
  cudaSurfaceObject_t before, now;
};

__global__ void next(Frames f) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (blockIdx.z || x >= f.width)
    return;
#if BUG == 9
  int left = surf2Dread<int>(f.now, 4 * x - 4, y);
#else
  int left = surf2Dread<int>(f.before, 4 * x - 4, y, cudaBoundaryModeClamp);
#endif
#if BUG == 10
  cudaSurfaceObject_t to = f.width > 8 ? f.now : f.before;
  surf2Dwrite(left + 1, to, 4 * x, y); // expect 10: a surface that is not known
#else
  surf2Dwrite(left + surf2Dread<int>(f.now, 4 * x, y), // expect 9: read-write race
              f.now, 4 * x, y);
#endif
}
