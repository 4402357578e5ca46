// A function without a body whose name begins like libdevice's is one of it only
// if the library has it, with these types; any other may return what it likes.
//
// args:     --blockDim=64 --gridDim=1 -rdc=true
// verdict:  verified
// bug 1:    unknown    the library has no such function
// bug 2:    unknown    ... only one of int
// bug 3:    unknown    ... only one that returns an int
// bug 4:    unknown    it reads through a pointer

extern "C" {
__device__ int __nv_popc(int);
__device__ int __nv_lane_of(int);
__device__ int __nv_clz(long long);
__device__ long long __nv_ffs(int);
__device__ double __nv_norm(int, const double *);
}

__device__ bool is_odd(int n, double *of) {
#if BUG == 1
  return __nv_lane_of(n) & 1;
#elif BUG == 2
  return __nv_clz(n) & 1;
#elif BUG == 3
  return __nv_ffs(n) & 1;
#elif BUG == 4
  return __nv_norm(n, of) > 1;
#else
  return __nv_popc(n) & 1;
#endif
}

__global__ void k(int *a, double *of) {
  if (is_odd(blockIdx.x, of))
    __syncthreads();
  a[threadIdx.x] = 0;
}
