// A product of square matrices, without shared memory.

__global__ void matrix(float *c, const float *a, const float *b, int n) {
  int x = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  int y = (int)(blockIdx.y * blockDim.y + threadIdx.y);
  float sum = 0;
  for (int k = 0; k < n; k++)
    sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}

#ifdef PLAIN
int main() {
  enum { SIDE = 256 };
  std::vector<float> a = iota(SIDE * SIDE), b = a, c(SIDE * SIDE);
  measure(c, [&] {
    for_each_block({SIDE / 16, SIDE / 16, 1}, [&] {
      for_each_thread({16, 16, 1},
                      [&] { matrix(c.data(), a.data(), b.data(), SIDE); });
    });
  });
}
#endif
