// Inline assembly: registers, predicates, loops, vectors, carries, memory,
// atomics, bits, halves; and what it reads and writes is watched.
//
// args:     --detect=races
// prints:   assembly: 0 wrong
// verdict:  passed
// bug 1:    racy            a store that all threads make differs
// bug 2:    out-of-bounds   a load behind the end
// bug 3:    unknown         an instruction that nobody knows

#include <stdio.h>
#include <string.h>

__global__ void compute(unsigned *out, const float *in) {
  unsigned a = 5, b = 9, word;
  unsigned long long wide;
  asm("lop3.b32 %0, %1, %2, %3, 0x96;"
      : "=r"(word)
      : "r"(a), "r"(b), "r"(0xff00ff00u));
  out[0] = word;
  asm("{\n\t"
      ".reg .pred p, q;\n\t" // two of them; a comment, too
      "setp.lt.u32 p|q, %1, %2;\n\t"
      "selp.u32 %0, 7, 9, p;\n\t"
      "@p add.u32 %0, %0, 100;\n\t"
      "@!p add.u32 %0, %0, 1000;\n\t"
      "}"
      : "=r"(word)
      : "r"(a), "r"(b));
  out[1] = word;
  asm("{ .reg .u32 i, r<3>; mov.u32 i, 0; mov.u32 r2, 0;\n"
      "again: add.u32 r2, r2, i; add.u32 i, i, 1;\n"
      "{ .reg .pred p; setp.lt.u32 p, i, 5; @p bra again; }\n"
      "mov.u32 %0, r2; }"
      : "=r"(word));
  out[2] = word;
  asm("prmt.b32 %0, %1, %2, 0x9234;"
      : "=r"(word)
      : "r"(0x44332211), "r"(0x88776655));
  out[3] = word;
  asm("mad.wide.u32 %0, %1, %2, %3;"
      : "=l"(wide)
      : "r"(0xffffffffu), "r"(3), "l"(5ull));
  out[4] = (unsigned)wide;
  out[5] = (unsigned)(wide >> 32);
  asm("add.cc.u32 %0, %2, %3; addc.u32 %1, %4, %5;"
      : "=r"(out[6]), "=r"(out[7])
      : "r"(0xffffffffu), "r"(2u), "r"(1u), "r"(1u));
  asm("bfe.s32 %0, %1, 4, 8;" : "=r"(word) : "r"(0x0ff0));
  out[8] = word;
  asm("bfi.b32 %0, %1, %2, 8, 4;" : "=r"(word) : "r"(0x5a), "r"(0xffffffffu));
  out[9] = word;
  asm("bfind.u32 %0, %1;" : "=r"(word) : "r"(0x0010ffff));
  out[10] = word;
  asm("shf.l.wrap.b32 %0, %1, %2, 36;"
      : "=r"(word)
      : "r"(0x80000001), "r"(0x12345678));
  out[11] = word;
  asm("cvt.rni.s32.f32 %0, %1;" : "=r"(word) : "f"(in[0]));
  out[12] = word;
  asm("shl.b32 %0, %1, %2;" : "=r"(word) : "r"(1), "r"(a + 28));
  out[13] = word;
  asm("dp4a.s32.u32 %0, %1, %2, %3;"
      : "=r"(word)
      : "r"(0x000001ff), "r"(0x00000203), "r"(10));
  out[14] = word;
  asm("{ .reg .f16 h; .reg .b32 two; cvt.rn.f16.f32 h, %1;\n"
      "mov.b32 two, {h, h}; fma.rn.f16x2 %0, two, two, two; }"
      : "=r"(word)
      : "f"(in[1]));
  out[15] = word;
  asm("{ .reg .b16 b; cvt.rn.bf16.f32 b, %1; mov.b32 %0, {b, 0}; }"
      : "=r"(word)
      : "f"(in[2]));
  out[16] = word;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(word) : "f"(in[2]));
  out[17] = word;
  // Masks: within the word, beyond it, all, none, and around.
  asm("bmsk.clamp.b32 %0, 12, 8;" : "=r"(out[18]));
  asm("bmsk.clamp.b32 %0, 20, 24;" : "=r"(out[19]));
  asm("bmsk.clamp.b32 %0, 0, %1;" : "=r"(out[20]) : "r"(32));
  asm("bmsk.clamp.b32 %0, %1, 5;" : "=r"(out[21]) : "r"(32));
  asm("bmsk.wrap.b32 %0, %1, 36;" : "=r"(out[22]) : "r"(52));
  // More operands than are named.
  asm("mov.u32 %0, %%laneid;"
      : "=r"(out[23])
      : "r"(a), "r"(b), "r"(a), "r"(b), "r"(a), "r"(b), "r"(a), "r"(b), "r"(a));
}

__global__ void access(unsigned *out, const unsigned *in) {
  __shared__ unsigned cell[64];
  unsigned i = threadIdx.x, x = 0, y = 0, old;
  asm volatile("ld.global.v2.u32 {%0, %1}, [%2+8];" // says 2: outside
               : "=r"(x), "=r"(y)
               : "l"(in + 2 * (i % 4) + (BUG == 2 ? 1u << 20 : 0)));
  unsigned at = (unsigned)(size_t)&cell[i]; // an address of 32 bits
  asm volatile("st.shared.u32 [%0], %1;" ::"r"(at), "r"(x + y) : "memory");
  __syncthreads();
  asm volatile("atom.global.add.u32 %0, [%1], %2;"
               : "=r"(old)
               : "l"(out), "r"(cell[63 - i])
               : "memory");
  asm volatile("red.relaxed.gpu.global.max.u32 [%0], %1;" ::"l"(out + 1), "r"(i)
               : "memory");
  if (BUG == 1)
    asm volatile("st.global.u32 [%0], %1;" // says 1: race
                 ::"l"(out + 2),
                 "r"(i)
                 : "memory");
  if (BUG == 3)
    asm volatile("wgmma.fence.sync.aligned;"); // says 3: wgmma.fence
}

static int wrong(const unsigned *got, const unsigned *wanted, int count) {
  int different = 0;
  for (int i = 0; i < count; i++)
    if (got[i] != wanted[i]) {
      printf("%d: %x, not %x\n", i, got[i], wanted[i]);
      different++;
    }
  return different;
}

int main() {
  const unsigned computed[] = {
      0xff00ff0c, 107,        10,         0x00334455, 2,         3,
      1,          3,          0xffffffff, 0xfffffaff, 20,        0x23456788,
      2,          0,          10 - 3 + 2, 0x43804380, 0x3f80,    0x3f802000,
      0x000ff000, 0xfff00000, 0xffffffff, 0,          0x00f00000, 0};
  const unsigned accessed[] = {16 * (11 + 15 + 19 + 23), 63};
  const float numbers[] = {2.5f, 1.5f, 1.001f};
  unsigned *out, *in;
  float *floats;
  int count = 0;
  cudaMallocManaged((void **)&out, 24 * sizeof *out);
  cudaMallocManaged((void **)&in, 16 * sizeof *in);
  cudaMallocManaged((void **)&floats, sizeof numbers);
  memcpy(floats, numbers, sizeof numbers);
  compute<<<1, 1>>>(out, floats);
  cudaDeviceSynchronize();
  count += BUG ? 0 : wrong(out, computed, 24);
  out[0] = out[1] = 0;
  for (unsigned i = 0; i < 16; i++)
    in[i] = i + 3;
  access<<<1, 64>>>(out, in);
  if (!cudaDeviceSynchronize() && !cudaGetLastError())
    count += BUG ? 0 : wrong(out, accessed, 2);
  printf("assembly: %d wrong\n", count);
  return 0;
}
