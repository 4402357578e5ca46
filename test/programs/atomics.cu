// Atomics of 64 bits and of floats, of all scopes, and of unsigned numbers
// whose highest bit is set.
//
// args:     --detect=races
// prints:   atomics: 0 wrong
// verdict:  passed
// bug 1:    racy     two blocks use the scope of one

#include <stdio.h>

__global__ void all(unsigned long long *wide, double *number, float *small,
                    long long *sign, unsigned *word) {
  unsigned high = 0x80000000u + threadIdx.x;
  atomicAdd_system(wide, 3ull);
  atomicCAS_block(wide + 1, 0ull, 7ull);
  atomicExch_system(wide + 2, 9ull);
  atomicMax_block(wide + 3, (unsigned long long)high << 32);
  atomicMin_system(wide + 4, (unsigned long long)high << 32);
  atomicAdd_block(number, 1.5);
  atomicAdd_system(small, 2.0f);
  atomicMax_block(sign, (long long)threadIdx.x - 40);
  atomicMin_system(sign + 1, -(long long)threadIdx.x);
  atomicMax_block(word, high);
  atomicMin_system(word + 1, high);
  atomicMax(word + 2, high);
}

__global__ void count(unsigned *word) {
  if (BUG)
    atomicAdd_block(word, 1); // says 1: race
  else
    atomicAdd(word, 1);
}

int main() {
  unsigned long long *wide;
  double *number;
  float *small;
  long long *sign;
  unsigned *word;
  int wrong = 0;
  cudaMallocManaged((void **)&wide, 5 * sizeof *wide);
  cudaMallocManaged((void **)&number, sizeof *number);
  cudaMallocManaged((void **)&small, sizeof *small);
  cudaMallocManaged((void **)&sign, 2 * sizeof *sign);
  cudaMallocManaged((void **)&word, 4 * sizeof *word);
  wide[4] = word[1] = 5;
  sign[0] = -100;
  all<<<1, 32>>>(wide, number, small, sign, word);
  count<<<2, 32>>>(word + 3);
  cudaDeviceSynchronize();
  wrong += wide[0] != 96 || wide[1] != 7 || wide[2] != 9;
  wrong += wide[3] != 0x8000001full << 32 || wide[4] != 5;
  wrong += *number != 48 || *small != 64 || sign[0] != -9 || sign[1] != -31;
  wrong += word[0] != 0x8000001f || word[1] != 5 || word[2] != 0x8000001f;
  wrong += word[3] != 64;
  printf("atomics: %d wrong\n", wrong);
  return 0;
}
