# The verdict names that two arrays are taken for two where the caller decides.
# shellcheck shell=sh

cat >variable.cu <<'END'
__device__ int cell[64];
__global__ void k(int *a) {
  a[threadIdx.x] = 1;
  cell[63 - threadIdx.x] = 2;
}
END
cat >table.cu <<'END'
__constant__ int table[64];
__global__ void k(int *a) {
  a[threadIdx.x] = table[63 - threadIdx.x];
}
END
cat >alone.cu <<'END'
__device__ int cell[64], other[64];
__global__ void k() {
  cell[threadIdx.x] = 1;
  other[63 - threadIdx.x] = 2;
}
END
cat >constant.cl <<'END'
__kernel void k(__constant int *in, __global int *out) {
  out[get_local_id(0)] = in[63 - get_local_id(0)];
}
END
sizes='--blockDim=64 --gridDim=1'

gives 0 'assuming launch-limits, no-alias' $sizes variable.cu
gives 0 'assuming launch-limits' $sizes table.cu
says_not 'no-alias'
gives 0 'assuming launch-limits' $sizes alone.cu
says_not 'no-alias'
gives 0 'assuming launch-limits, no-alias' --local_size=64 --num_groups=1 \
  constant.cl
