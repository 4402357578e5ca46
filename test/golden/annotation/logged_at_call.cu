// What a function asks of the accesses before it is called is checked.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    assertion  it is called once more without a barrier

__device__ void put(int *a, int value) {
  __requires(__no_write(a)); // expect 1: precondition may fail
  __requires(__ptr_offset_bytes(a) == 4 * threadIdx.x);
  *a = value;
}

__global__ void twice() {
  __shared__ int a[64];
  put(&a[threadIdx.x], 1);
  if (BUG != 1)
    __syncthreads();
  put(&a[threadIdx.x], 2);
}
