// Variables of the module, shared memory of a size that the launch gives, a
// struct by value, printf, and mathematics.
//
// verdict:  passed
// prints:   out = 15.75 13
// prints:   thread 1 of 2: 13.000 done 50%

#include <stdio.h>

struct Scale {
  int by;
  float add;
};

__constant__ float table[3] = {0, 4, 9};
__device__ int calls;

__global__ void variables(float *out, Scale scale) {
  extern __shared__ float pool[];
  int i = threadIdx.x;
  pool[i] = sqrtf(table[i + 1]);
  scale.by += atomicAdd(&calls, 1); // its own
  __syncthreads();
  out[i] = pool[1 - i] * 4 + scale.by + scale.add + 0.25f * (i - 1);
  if (i == 1)
    printf("thread %d of %u: %.3f %s 50%%\n", i, blockDim.x, out[i], "done");
}
