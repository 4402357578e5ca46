// Constant memory that no other file sees.  What is not declared const the host
// may set, also where the compilation for the device does not look.
//
// args: --blockDim=64 --gridDim=1
// verdict: verified, verified
// bug 1: racy, verified  the table is not const
// bug 2: verified, racy  the size is not
// bug 3: racy, verified  const is what its entries point to

#if BUG == 1
typedef int Entry;
#else
typedef const int Entry;
#endif

static __constant__ Entry base[2][2] = {{0, 64}, {128, 192}};

#if BUG == 3
static __constant__ const int *moved[1] = {nullptr};
#endif

__global__ void rows(int *out) {
  for (int i = 0; i < 4; i++) {
    int at = base[i & 1][i >> 1];
#if BUG == 3
    at = moved[0] ? i : at;
#endif
    out[at + threadIdx.x] = i; // expect 1,3: write-write race on 'out'
  }
}

struct Area {
  int step;
};

#if BUG == 2
static __constant__ Area area = {64};
#else
static __constant__ const volatile Area area = {64};
#endif

__global__ void strided(int *out) {
  for (int i = 0; i < 4; i++)
    out[area.step * i + threadIdx.x] = i; // expect 2: write-write race on 'out'
}

#ifndef __CUDA_ARCH__
void set(const int *values, const int *const *places) {
#if BUG == 1
  cudaMemcpyToSymbol(base, values, sizeof base);
#elif BUG == 2
  cudaMemcpyToSymbol(area, values, sizeof area);
#elif BUG == 3
  cudaMemcpyToSymbol(moved, places, sizeof moved);
#endif
}
#endif
