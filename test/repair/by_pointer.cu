// What a pointer leads to is updated by that pointer.
//
// args:   --blockDim=128 --gridDim=8
// repair: by_pointer.cu:8:5: write 'atomicAdd((count + i), 2);'

__global__ void by_pointer(int *count, const int *in, int i) {
  if (in[blockIdx.x * blockDim.x + threadIdx.x] > 0)
    *(count + i) += 2;
}
