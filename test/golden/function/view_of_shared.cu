// A struct with a pointer, made in one expression: the compiler copies it from
// a constant.  A table of pointers that nothing writes is known as well, and so
// is the address that a device variable starts with.
//
// args:     --blockDim=64 --gridDim=2
// verdict:  verified, verified, verified
// bug 1:    racy, verified, verified       no barrier
// bug 2:    verified, racy, verified       both rows of the table are one
// bug 3:    verified, verified, racy       the pointer and its array are one
// bug 4:    verified, verified, unknown    a function may set the pointer

struct View {
  int *data;
  int count;
};

__global__ void reverse(int *out) {
  __shared__ int tile[64];
  View view{tile, 64};
  view.data[threadIdx.x] = threadIdx.x;
#if BUG != 1
  __syncthreads();
#endif
  int i = blockIdx.x * 64 + threadIdx.x;
  out[i] = tile[view.count - 1 - threadIdx.x]; // expect 1: race on 'tile'
}

__device__ int cells[256];
#if BUG == 2
__constant__ int *const rows[2] = {cells + 128, cells + 128};
#else
__constant__ int *const rows[2] = {cells, cells + 128};
#endif

__global__ void both_rows() {
  int i = blockIdx.x * 64 + threadIdx.x;
  rows[0][i] = i;
  rows[1][255 - i - 128] = i; // expect 2: write-write race on 'cells'
}

__device__ int *second = cells + 128;

__global__ void second_half() {
  int i = blockIdx.x * 64 + threadIdx.x;
#if BUG == 3
  cells[128 + (i ^ 1)] = -i; // expect 3: write-write race on 'cells'
#else
  cells[i] = -i;
#endif
  second[i] = i; // expect 4: loaded from memory
}

#if BUG == 4
__device__ void elsewhere(int *p) { second = p; }
__device__ void (*volatile keep)(int *) = elsewhere;
#endif
