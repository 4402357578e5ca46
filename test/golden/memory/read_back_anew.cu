// What is another cell each time, or is read anew, is not read back.
//
// args:    --blockDim=64 --gridDim=2
// verdict: verified, verified, verified, verified
// bug 1:   racy, verified, verified, verified     a round's variable is not that of the round before
// bug 2:   verified, unknown, verified, verified  a pointer is read by a volatile load
// bug 3:   verified, verified, racy, verified     a pointer to shared memory is no generic one
// bug 4:   verified, verified, verified, racy  each block has its own variable

typedef __attribute__((address_space(3))) int SharedInt;

__global__ void made_often(int *all, int n) {
  int t = threadIdx.x, *out = all + 4096 * blockIdx.x, own[2] = {};
  int *now = nullptr, *before = nullptr;
  for (int i = 0; i < n && i < 60; i++) {
    before = now;
    now = BUG == 1 ? (int *)__builtin_alloca(4) : own + (i & 1);
    *now = i + 100 * t;
    if (!before)
      continue;
    *before = 1;
    *now = t;
    out[(BUG == 1 ? *before : *now) + 64 * i] = t; // expect 1: write-write race on 'all'
  }
}

__global__ void read_anew(int *out, int *other) {
  __shared__ int *kept;
  int t = threadIdx.x + 64 * blockIdx.x;
  kept = out;
  __syncthreads();
#if BUG == 2
  int *p = *(int *volatile *)&kept;
  if (t == 1) {
    *(int *volatile *)&kept = other;
    other[40] = 7;
  }
#else
  int *p = kept;
#endif
  p[t] = 5; // expect 2: a pointer that was loaded
}

__global__ void of_two_spaces(int *out) {
  __shared__ unsigned long long cell;
  __shared__ int tile[64];
  int t = threadIdx.x;
  SharedInt *q = (SharedInt *)&tile[3];
  if (t & 1)
    *(int **)&cell = &tile[3]; // expect 3: write-write race on 'cell'
  else if (BUG == 3)
    *(SharedInt **)&cell = q;
  tile[t] = 0;
}

__device__ int *global;

__global__ void of_two_blocks() {
  __shared__ int tile[64];
  tile[threadIdx.x] = 0;
  if (BUG == 4 || blockIdx.x == 0)
    global = &tile[3]; // expect 4: write-write race on 'global'
}
