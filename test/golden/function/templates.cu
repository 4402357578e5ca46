// A template over type and operation, launched twice.
//
// verdict:  verified, verified
// bug 1:    racy, racy  no barrier

struct Add {
  template <typename T> __device__ T operator()(T a, T b) const {
    return a + b;
  }
};

struct Larger {
  template <typename T> __device__ T operator()(T a, T b) const {
    return a > b ? a : b;
  }
};

template <typename T, typename Op> __global__ void fold(T *data, Op op) {
  __shared__ T cell[64];
  int t = threadIdx.x;
  cell[t] = data[blockIdx.x * 64 + t];
#if BUG != 1
  __syncthreads();
#endif
  T other = cell[t ^ 1]; // expect 1: read-write race on 'cell'
  data[blockIdx.x * 64 + t] = op(cell[t], other);
}

void launch(int *a, double *b) {
  fold<<<16, 64>>>(a, Add());
  fold<<<16, 64>>>(b, Larger());
}
