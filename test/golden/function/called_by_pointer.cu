// Functions that are called through a pointer, of which the code says which
// one it is.
//
// args:     --blockDim=64 --gridDim=2
// verdict:  verified
// bug 1:    racy       the function divides the index

typedef void (*Put)(int *, int);

__device__ void put(int *to, int i) {
#if BUG == 1
  i /= 2;
#endif
  to[i] = threadIdx.x; // expect 1: write-write race on 'out'
}

struct Callback {
  Put function;
};

__device__ void call(Callback callback, int *to, int i) {
  if (callback.function)
    callback.function(to, i);
}

__global__ void fill(int *out) {
  Put direct = put;
  int i = blockIdx.x * 64 + threadIdx.x;
  direct(out, i);
  call(Callback{put}, out, 128 + i);
}
