// Accesses that leave an array for another one, of the device or of a thread, or
// that a device cannot make.
//
// args:     -w
// verdict:  passed
// prints:   a thousand, 7
// bug 1:    out-of-bounds  into the array that was allocated next
// bug 2:    out-of-bounds  into the one before
// bug 3:    out-of-bounds  from a variable of the device into the next
// bug 4:    out-of-bounds  from one in constant memory into the next
// bug 5:    out-of-bounds  from one array of the thread into another
// bug 6:    out-of-bounds  ... below it
// bug 7:    misaligned     an int at an address that is odd
// bug 8:    misaligned     four of them that begin with the second
// bug 9:    crash          memory is given back twice
// bug 10:   out-of-bounds  from a tile in shared memory into the next one

#include <stdio.h>

#ifndef BUG
#define BUG 0
#endif

__device__ int table[100], other[100];
__constant__ int steps[16], more[16];

__global__ void far(int *a, int *b, int by) {
  a[by] = 7; // says 1,2: access outside of 'a': the array has 4000 bytes
  b[0] = other[0];
}

__global__ void near(int *a, int by) {
  table[by] = 1;         // says 3: access outside of 'table': the array has 400
  a[0] = steps[by % 90]; // says 4: access outside of 'steps': the array has 64
  a[1] = other[0] + more[0];
}

__global__ void own(int *a, int to, int from) {
  int first[8], second[8];
  for (int i = 0; i < 8; i++)
    second[i] = first[i] = i;
  first[to] = 100;    // says 5: access outside of a local array: bytes 36..39
  a[2] = second[0];
  a[4] = first[from]; // says 6: access outside of a local array: bytes -8..-5
}

__global__ void parts(char *a, int by) {
  *(int *)(a + by) = 1; // says 7: misaligned access: the address is no multiple of 4
  if (BUG == 8)
    *(int4 *)(a + 4) = make_int4(1, 2, 3, 4); // says 8: no multiple of 16
}

__global__ void tiles(int *a, int by) {
  __shared__ int left[16][16], right[16][16];
  left[threadIdx.x][0] = right[threadIdx.x][0] = 5;
  __syncthreads();
  if (threadIdx.x == 9)
    left[threadIdx.x + by][3] = 1; // says 10: access outside of 'left': the array
  a[10] = right[0][0];
}

__global__ void twice() {
  int *made = (int *)malloc(16);
  free(made);
  if (BUG == 9)
    free(made); // says 9: free of memory that has been given back
}

int main() {
  int *a, *b, result = 0;
  cudaMalloc(&a, 4000);
  cudaMalloc(&b, 4000);
  far<<<1, 1>>>(a, b, BUG == 1 ? 1100 : BUG == 2 ? -1100 : 3);
  near<<<1, 1>>>(a, BUG == 3 ? 102 : BUG == 4 ? 17 : 9);
  own<<<1, 1>>>(a, BUG == 5 ? 9 : 1, BUG == 6 ? -2 : 1);
  parts<<<1, 1>>>((char *)b, BUG == 7 ? 5 : 4);
  tiles<<<1, 16>>>(a, BUG == 10 ? 12 : 2);
  twice<<<1, 1>>>();
  cudaMemcpy(&result, a + 3, sizeof result, cudaMemcpyDeviceToHost);
  printf("a thousand, %d\n", result);
}
