// One addition a thread: what is measured is starting threads.

__global__ void vector_add(float *a, const float *b, const float *c, int n) {
  int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n)
    a[i] = b[i] + c[i];
}

#ifdef PLAIN
int main() {
  enum { COUNT = 1 << 22 };
  std::vector<float> a(COUNT), b = iota(COUNT), c = iota(COUNT);
  measure(a, [&] {
    for_each_block({COUNT / 256, 1, 1}, [&] {
      for_each_thread({256, 1, 1},
                      [&] { vector_add(a.data(), b.data(), c.data(), COUNT); });
    });
  });
}
#endif
