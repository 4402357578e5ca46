// The statement behind which the barrier belongs is a body without braces.
//
// args:   --blockDim=128 --gridDim=8
// repair: +    { __syncthreads(); tile[(threadIdx.x + i) % 128] += i; }

__global__ void braces(int *out) {
  __shared__ float tile[128];
  for (int i = 0; i < 4; i++)
    tile[(threadIdx.x + i) % 128] += i;
}
