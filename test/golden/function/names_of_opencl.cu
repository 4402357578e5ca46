// A function of CUDA that this file only declares is not OpenCL's of that name.
//
// args:     --blockDim=64 --gridDim=1 -rdc=true
// verdict:  verified
// bug 1:    unknown    prefetch
// bug 2:    unknown    barrier
// bug 3:    unknown    atomic_...
// bug 4:    unknown    vload...
// bug 5:    unknown    mem_fence
// bug 6:    unknown    max of something
// bug 7:    unknown    get_local_id
// bug 8:    unknown    select
// bug 9:    unknown    one of another namespace, named like the device's
// bug 10:   unknown    one that begins like the device's

struct Pair {
  int a, b;
};

__device__ void prefetch(int *p);
__device__ void barrier(int);
__device__ int atomic_update(int *p, int n);
__device__ int vload_tile(int at, int *p);
__device__ void mem_fence(int *p);
__device__ int max(Pair *a, Pair *b);
__device__ int get_local_id(int *p);
__device__ int select(int *a, int b, int c);
extern "C" __device__ int __nv_update(int *p);
namespace mine {
__device__ int __nv_abs(int *p);
}

__global__ void k(int *a) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t;
#if BUG == 0
  __syncthreads();
  a[t] = max(s[63 - t], (int)nanf(""));
#elif BUG == 1
  prefetch(a);
#elif BUG == 2
  barrier(3);
  a[t] = s[63 - t];
#elif BUG == 3
  a[t + 64] = atomic_update(a, 64);
#elif BUG == 4
  a[t + 64] = vload_tile(0, a);
#elif BUG == 5
  mem_fence(a);
#elif BUG == 6
  a[t] = max((Pair *)a, (Pair *)a + 1);
#elif BUG == 7
  a[get_local_id(a)] = t;
#elif BUG == 8
  a[t] = select(a, 1, 2);
#elif BUG == 9
  a[t] = mine::__nv_abs(a);
#elif BUG == 10
  a[t + 64] = __nv_update(a);
#endif
}
