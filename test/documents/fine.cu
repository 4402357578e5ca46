__global__ void fine(int *a) { a[threadIdx.x] = 1; }
