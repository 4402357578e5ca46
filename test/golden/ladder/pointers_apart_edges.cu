// Where nothing is assumed of a pointer in memory: half of it is written, below
// the argument, where ends of bytes wrap; it is read as one into shared memory;
// an annotation speaks of it, which is no access.
//
// args:     --blockDim=64 --gridDim=2 --ladder=pointers-apart
// verdict:  unknown, unknown, unknown
// bug 1:    verified, verified, verified   nothing of that

__global__ void half(int **rows, int *out) {
  int i = blockIdx.x * 64 + threadIdx.x;
  int before = rows[-1][0];
  __syncthreads();
#if BUG == 0
  if (threadIdx.x == 0)
    ((int *)&rows[-1])[1] = 1;
#endif
  __syncthreads();
  out[before == rows[-1][0] ? i : i + i % 2] = i; // expect 0: pointer
}

union Either {
  int *all;
  __attribute__((address_space(3))) int *own;
};

__global__ void shared_or_not(Either *either, int *out) {
  int i = blockIdx.x * 64 + threadIdx.x;
#if BUG == 0
  if (!either->own)
    out[i] = 1;
  either->all[threadIdx.x] = i; // expect 0: pointer
#else
  either->all[i] = i;
#endif
}

struct State {
  int *old, *now;
};

__global__ void asked(State *state, int *out) {
  out[blockIdx.x * 64 + threadIdx.x] = 1;
#if BUG == 0
  __assert(__ptr_base(state->now) != __ptr_base(out)); // expect 0: pointer
#endif
}
