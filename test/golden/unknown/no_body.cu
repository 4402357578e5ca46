// A device function that is defined elsewhere may do anything.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  unknown

__device__ void elsewhere(int *out);

__global__ void call(int *out) {
  elsewhere(out + threadIdx.x); // expect 0: elsewhere
}
