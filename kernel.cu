__global__ void fetch(cudaTextureObject_t texture, int *out) {
  int a, b, c, d;
  asm volatile("tex.1d.v4.s32.s32 {%0,%1,%2,%3}, [%4, {%5}];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "l"(texture), "r"((int)(threadIdx.x ^ 1)));
  out[threadIdx.x] = a + threadIdx.x;
}
__attribute__((weak)) __global__ void weak(int *out) { out[threadIdx.x] = 1; }
int main(int argc, char **) {
  int *out;
  cudaMalloc(&out, 512);
  weak<<<1, 64>>>(out);
  if (argc > 1)
    fetch<<<1, 64>>>(7, out);
}
