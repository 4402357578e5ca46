// Surfaces are accessed by assembly, as clang has it for the SDK's functions.
//
// args:     --blockDim=16,8 --gridDim=4,4
// verdict:  verified, verified
// bug 1:    racy, verified       two elements are written at once
// bug 2:    racy, verified       rows are no coordinate
// bug 3:    verified, racy       all layers are one
// bug 4:    verified, racy       what others write is read
// bug 5:    verified, racy       who is outside comes to the end
// bug 6:    verified, unknown    it is no access by bytes

__global__ void copy(unsigned long long from, unsigned long long to) {
  int x = 4 * (blockIdx.x * 16 + threadIdx.x), y = blockIdx.y * 8 + threadIdx.y;
  int v;
  asm("suld.b.2d.b32.clamp {%0}, [%1, {%2, %3}];"
      : "=r"(v) : "l"(from), "r"(x + 4), "r"(y));
#if BUG == 1
  asm volatile("sust.b.2d.v2.b32.trap [%0, {%1, %2}], {%3, %3};" // expect 1: race
               :: "l"(to), "r"(x), "r"(y), "r"(v));
#elif BUG == 2
  asm volatile("sust.b.1d.b32.trap [%0, {%1}], {%2};" // expect 2: race on 'to'
               :: "l"(to), "r"(x), "r"(v));
#else
  asm volatile("sust.b.2d.b32.trap [%0, {%1, %2}], {%3};"
               :: "l"(to), "r"(x), "r"(y), "r"(v));
#endif
}

__global__ void layers(unsigned long long s) {
  int x = 2 * (blockIdx.x * 16 + threadIdx.x), y = blockIdx.y * 8 + threadIdx.y;
  int layer = BUG == 3 ? y / 2 : y;
  short v = 1, w = 2;
#if BUG == 4
  asm volatile("suld.b.a1d.b16.zero {%0}, [%1, {%2, %3}];"
               : "=h"(v) : "l"(s), "r"(layer), "r"(x + 2));
#elif BUG == 6
  asm volatile("sust.p.1d.b32.trap [%0, {%1}], {%2};" // expect 6: sust.p
               :: "l"(s), "r"(x), "r"(x));
#endif
#if BUG == 5
  asm volatile("sust.b.a1d.b16.clamp [%0, {%1, %2}], {%3};" // expect 5: race
               :: "l"(s), "r"(layer), "r"(x), "h"(w));
#else
  asm volatile("sust.b.a1d.b16.zero [%0, {%1, %2}], {%3};" // expect 3,4: race
               :: "l"(s), "r"(layer), "r"(x), "h"(w));
#endif
  asm volatile("sust.b.3d.b16.zero [%0, {%1, %2, %3, %3}], {%4};"
               :: "l"(s), "r"(x), "r"(y), "r"(4096), "h"(v));
}
