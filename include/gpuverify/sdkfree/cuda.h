// Where programs expect the CUDA SDK, and GPUVerify's users GPUVerify's
// <cuda.h>, which had cooperative groups and random numbers in it.

#include "../cuda.h"

#include "cooperative_groups.h"
#include "curand_kernel.h"
