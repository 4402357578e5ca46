// A kernel that those of another file launch.
//
// also:     children.cu
// args:     -rdc=true --detect=races
// needs:    cuda
// prints:   no error
// verdict:  passed
#include <cuda_runtime.h>

__global__ void negate(int *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] = -data[i];
}
