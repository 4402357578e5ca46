// No barrier orders blocks.
//
// args: --blockDim=128 --gridDim=8
// none: threads of different blocks race, and no barrier orders them

__global__ void between_blocks(int *out) { out[threadIdx.x] = blockIdx.x; }
