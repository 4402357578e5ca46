// All pairs of bodies attract each other: arithmetic and a square root.

__global__ void particles(float *speed, const float *at, int n) {
  int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  float force = 0;
  for (int j = 0; j < n; j++) {
    float distance = at[j] - at[i];
    force += distance / (sqrtf(distance * distance + 0.01f) + 1.0f);
  }
  speed[i] += force;
}

#ifdef PLAIN
int main() {
  enum { COUNT = 4096 };
  std::vector<float> speed(COUNT), at = iota(COUNT);
  measure(speed, [&] {
    for_each_block({COUNT / 128, 1, 1}, [&] {
      for_each_thread({128, 1, 1},
                      [&] { particles(speed.data(), at.data(), COUNT); });
    });
  });
}
#endif
