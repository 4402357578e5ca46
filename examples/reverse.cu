// Reverses each 256 elements of an array by way of shared memory.  One line is
// missing: a thread may read what another has not written yet.

__global__ void reverse(int *a) {
  __shared__ int tile[256];
  int i = threadIdx.x;
  size_t first = size_t(blockIdx.x) * 256;
  tile[i] = a[first + i];
  a[first + i] = tile[255 - i];
}

void reverse_all(int *a, int blocks) { reverse<<<blocks, 256>>>(a); }
