// Loops that are left when a counter or an iterator meets its end exactly, as
// those of C++'s standard library and range-based for.
//
// args:     --blockDim=64 --gridDim=2
// verdict:  verified, verified, verified
// bug 1:    racy, verified, verified    rows overlap by one
// bug 2:    verified, racy, verified    threads share a row
// bug 3:    verified, verified, racy    one element too many

template <class T, int N> struct array {
  T data[N];
  __device__ T *begin() { return data; }
  __device__ T *end() { return data + N; }
};

struct Point {
  float x, y, z;
};

__global__ void fill_rows(float *rows, int n) {
  int t = blockIdx.x * 64 + threadIdx.x;
  if (n <= 0 || n > 1000)
    return;
#if BUG == 1
  float *row = rows + t * (n - 1);
#else
  float *row = rows + t * n;
#endif
  for (int i = 0; i != n; i++)
    row[i] = t; // expect 1: write-write race on 'rows'
}

__global__ void range(array<int, 16> *rows) {
  int t = blockIdx.x * 64 + threadIdx.x;
#if BUG == 2
  t /= 2;
#endif
  for (int &x : rows[t])
    x = threadIdx.x; // expect 2: write-write race on 'rows'
}

__global__ void points(Point *points) {
  Point *point = points + 8 * (blockIdx.x * 64 + threadIdx.x);
#if BUG == 3
  int left = 9;
#else
  int left = 8;
#endif
  do {
    point++->y = threadIdx.x; // expect 3: write-write race on 'points'
  } while (--left);
}
