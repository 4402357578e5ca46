// Options and code that nvcc takes: its own options, words for other compilers,
// its names for itself, min on both sides, isnan, register, a list that
// narrows, and a char made of a float that is too large for it.
//
// args:     -arch=sm_80 -gencode arch=compute_70,code=sm_70 -rdc=true
// args:     --expt-relaxed-constexpr --extended-lambda -Xptxas -v,-O3
// args:     -Xcompiler -Wall,-DWORD=3 --std=c++17 -maxrregcount 32
// args:     -use_fast_math -o unused -lcudart -lcuda -Xlinker --as-needed
// also:     as_nvcc_other.c
// prints:   clamped 7 and 7, rounded 1 0, words 6
// verdict:  passed

#include <cuda_runtime.h>
#include <stdio.h>

#if !defined(__NVCC__) || __CUDACC_VER_MAJOR__ < 12
#error "this is not for nvcc"
#endif
#if __CUDACC__
#define BOTH __host__ __device__
#endif

extern "C" int doubled(int x);

template <class T> BOTH T clamp(T x, T most) { return max(min(x, most), T(0)); }

__global__ void round(const float *from, unsigned char *to, int *clamped) {
  to[threadIdx.x] = from[threadIdx.x];
  if (threadIdx.x == 0)
    *clamped = clamp(9, 7);
}

int main() {
  register int most = 7;
  const float given[] = {257.5f, -2.0f};
  unsigned char rounded[2], *to;
  float *from;
  int clamped, *at;
  int words[] = {WORD * 1u};
  cudaMalloc(&from, sizeof given);
  cudaMalloc(&to, sizeof rounded);
  cudaMalloc(&at, sizeof clamped);
  cudaMemcpy(from, given, sizeof given, cudaMemcpyHostToDevice);
  round<<<1, 2>>>(from, to, at);
  cudaMemcpy(rounded, to, sizeof rounded, cudaMemcpyDeviceToHost);
  cudaMemcpy(&clamped, at, sizeof clamped, cudaMemcpyDeviceToHost);
  printf("clamped %d and %d, rounded %d %d, words %d\n", clamped,
         clamp(9, most) + isnan(given[0]), rounded[0], rounded[1],
         doubled(words[0]));
}
