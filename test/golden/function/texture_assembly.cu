// A texture is read by assembly, as in clang's headers for the SDK.
//
// args:     --blockDim=64 --gridDim=4
// verdict:  verified
// bug 1:    racy       two threads for each place
// bug 2:    unknown    a second instruction reads what others write

__global__ void look(unsigned long long image, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float r, g, b, a;
#if BUG == 2
  asm("tex.2d.v4.f32.f32 {%0, %1, %2, %3}, [%4, {%5, %6}];\n"
      "ld.global.f32 %0, [%7];"
      : "=f"(r), "=f"(g), "=f"(b), "=f"(a)
      : "l"(image), "f"(0.5f), "f"(0.5f), "l"(out));
#else
  asm("tex.2d.v4.f32.f32 {%0, %1, %2, %3}, [%4, {%5, %6}];"
      : "=f"(r), "=f"(g), "=f"(b), "=f"(a)
      : "l"(image), "f"(0.5f + i), "f"(0.5f));
#endif
#if BUG == 1
  i /= 2;
#endif
  out[i] = r + g + b + a; // expect 1: write-write race on 'out'
}
