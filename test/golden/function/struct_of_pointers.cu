// The arrays come in a struct, passed by value.
//
// args:     --blockDim=128 --gridDim=8
// verdict:  verified
// bug 1:    racy       reads what the right neighbour writes
// bug 2:    racy       ... by way of a copy of the struct

struct Vectors {
  const float *x;
  float *y;
  int n;
};

__global__ void axpy(Vectors v, float a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#if BUG == 2
  Vectors copy = v;
  if (i + 1 < v.n)
    v.y[i] += a * copy.y[i + 1]; // expect 2: read-write race on
#elif BUG == 1
  if (i + 1 < v.n)
    v.y[i] += a * v.y[i + 1]; // expect 1: read-write race on
#else
  if (i < v.n)
    v.y[i] += a * v.x[i + 1];
#endif
}
