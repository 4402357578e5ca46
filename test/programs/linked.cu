// Device functions and variables of another file: called by name and by
// pointer, with a variable that only that file can name, and one that both can.
//
// also:     linked_other.cu
// args:     --detect=races
// prints:   linked: 0 wrong
// verdict:  passed
// bug 1:    racy   in the function of the other file

#include <stdio.h>

__device__ int shared_count(int add); // of the other file, and so on
__device__ int own_count();
__device__ void write_cell(int *cell, int value);
void launch_other(int *out);

__device__ int count_here = 100;
static __device__ int count = 1000; // the other file has one, too

__global__ void use(int *out) {
  if (BUG)
    write_cell(out, threadIdx.x);
  else if (threadIdx.x == 0) {
    out[0] = shared_count(5);
    out[1] = own_count();
    out[2] = own_count();
    out[3] = count;
    write_cell(out + 4, 9);
  }
}

int main() {
  const int wanted[] = {105, 1, 2, 1000, 9, 3, 110};
  int *out, wrong = 0;
  cudaMallocManaged((void **)&out, 32 * sizeof *out);
  use<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  launch_other(out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 7; i++)
    if (out[i] != wanted[i] && !BUG) {
      printf("%d: %d, not %d\n", i, out[i], wanted[i]);
      wrong++;
    }
  printf("linked: %d wrong\n", wrong);
  return 0;
}
