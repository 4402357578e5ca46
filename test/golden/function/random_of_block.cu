// The threads of a block draw from one generator together: up to 256 of them may,
// and no other block.
//
// args:     -include gpuverify/compat.h --blockDim=* --gridDim=4
// verdict:  verified
// bug 1:    racy       two blocks have one
// bug 2:    assertion  there may be more threads
// bug 3:    racy       ... or a generator of each thread that all share

__global__ void draw(curandStateMtgp32 *of_block, curandState *of_thread,
                     float *out) {
  __requires(blockDim.x <= (BUG == 2 ? 257 : 256));
  __requires(blockDim.y == 1);
  __requires(blockDim.z == 1);
  curandStateMtgp32 *state = of_block + (BUG == 1 ? 0 : blockIdx.x);
  float value = BUG == 1 ? curand_uniform(state) // expect 1: race on 'of_block'
                         : curand_uniform(state); // expect 2: may fail
  if (BUG == 3)
    value += curand_uniform(of_thread + blockIdx.x); // expect 3: race on 'of_thread'
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}
