// What inline assembly computes, held against C.
//
// args:     --detect=races
// verdict:  passed
// prints:   sum = 2016 64 127
// bug 1:    assertion  a carry is forgotten
// bug 2:    racy       the guard lets everybody write
// bug 3:    racy       no barrier between the write and the read

#define SAME(type, constraint, text, a, b, c, expected)                        \
  do {                                                                         \
    type result_;                                                              \
    asm(text : "=" constraint(result_) : "r"(a), "r"(b), "r"(c));              \
    assert(result_ == (type)(expected));                                       \
  } while (0)
#define SAME32(text, a, b, c, expected)                                        \
  SAME(unsigned, "r", text, a, b, c, expected)

__device__ unsigned mixed(unsigned x) {
  x = (x ^ x >> 15) * 0x2c1b3c6du;
  x = (x ^ x >> 12) * 0x297a2d39u;
  return x ^ x >> 15;
}

__device__ unsigned ones(unsigned x) {
  unsigned count = 0;
  for (; x; x &= x - 1)
    count++;
  return count;
}

__device__ void integers(unsigned a, unsigned b, unsigned c) {
  typedef unsigned long long wide;
  int i = (int)a, j = (int)b;
  unsigned n = c % 40;
  SAME32("add.u32 %0, %1, %2;", a, b, c, a + b);
  SAME32("sub.s32 %0, %1, %2;", a, b, c, a - b);
  SAME32("mul.lo.u32 %0, %1, %2;", a, b, c, a * b);
  SAME32("mul.hi.u32 %0, %1, %2;", a, b, c, (wide)a * b >> 32);
  SAME32("mul.hi.s32 %0, %1, %2;", a, b, c, (long long)i * j >> 32);
  SAME32("mad.lo.u32 %0, %1, %2, %3;", a, b, c, a * b + c);
  SAME(wide, "l", "mul.wide.u32 %0, %1, %2;", a, b, c, (wide)a * b);
  SAME(long long, "l", "mul.wide.s32 %0, %1, %2;", a, b, c, (long long)i * j);
  SAME32("div.u32 %0, %1, %2;", a, b | 1, c, a / (b | 1));
  SAME32("rem.s32 %0, %1, %2;", a, b | 1, c, i % (int)(b | 1));
  SAME32("min.s32 %0, %1, %2;", a, b, c, i < j ? i : j);
  SAME32("max.u32 %0, %1, %2;", a, b, c, a > b ? a : b);
  SAME32("abs.s32 %0, %1;", a, b, c, i < 0 ? 0 - a : a);
  SAME32("neg.s32 %0, %1;", a, b, c, 0 - a);
  SAME32("and.b32 %0, %1, %2;", a, b, c, a & b);
  SAME32("or.b32 %0, %1, %2;", a, b, c, a | b);
  SAME32("xor.b32 %0, %1, %2;", a, b, c, a ^ b);
  SAME32("not.b32 %0, %1;", a, b, c, ~a);
  SAME32("cnot.b32 %0, %1;", a & 1, b, c, !(a & 1));
  SAME32("shl.b32 %0, %1, %2;", a, n, c, n > 31 ? 0 : a << n);
  SAME32("shr.u32 %0, %1, %2;", a, n, c, n > 31 ? 0 : a >> n);
  SAME32("shr.s32 %0, %1, %2;", a, n, c, i >> (n > 31 ? 31 : n));
  SAME32("shf.l.wrap.b32 %0, %1, %2, %3;", a, b, n,
         n % 32 ? b << n % 32 | a >> (32 - n % 32) : b);
  SAME32("shf.r.clamp.b32 %0, %1, %2, %3;", a, b, n,
         n > 31 ? b : ((wide)b << 32 | a) >> n);
  SAME32("lop3.b32 %0, %1, %2, %3, 0xe8;", a, b, c, (a & b) | (c & (a | b)));
  SAME32("popc.b32 %0, %1;", a, b, c, ones(a));
  SAME32("clz.b32 %0, %1;", a >> n % 32 | 1, b, c,
         __builtin_clz(a >> n % 32 | 1));
  SAME32("bfind.u32 %0, %1;", 0, b, c, 0xffffffff);
  SAME32("bfind.u32 %0, %1;", a | 1, b, c, 31 - __builtin_clz(a | 1));
  SAME32("bfe.u32 %0, %1, 5, 9;", a, b, c, a >> 5 & 0x1ff);
  SAME32("bfi.b32 %0, %1, %2, 4, 8;", a, b, c,
         (b & ~0xff0u) | (a << 4 & 0xff0));
  SAME32("prmt.b32 %0, %1, %2, 0x5410;", a, b, c, (a & 0xffff) | b << 16);
  SAME32("cvt.s32.s8 %0, %1;", a, b, c, (int)(signed char)a);
  SAME32("cvt.u32.u16 %0, %1;", a, b, c, a & 0xffff);
  SAME(wide, "l", "mov.b64 %0, {%1, %2};", a, b, c, (wide)b << 32 | a);
}

__device__ void predicates(unsigned a, unsigned b, unsigned c) {
  SAME32("{\n .reg .pred p, q;\n setp.lt.s32 p|q, %1, %2;\n"
         " @q bra other%=;\n selp.u32 %0, 7, 8, p;\n bra end%=;\n"
         "other%=:\n mov.u32 %0, 9;\nend%=:\n}",
         a, b, c, (int)a < (int)b ? 7 : 9);
  SAME32("{ .reg .pred p<2>; setp.hi.u32 p0, %1, %2;\n"
         "  setp.ne.and.b32 p1, %1, %3, !p0; // both\n"
         "  selp.b32 %0, 1, 0, p1; }",
         a, b, c, a != c && !(a > b));
}

__device__ void carries(unsigned a, unsigned b, unsigned c) {
  typedef unsigned long long wide;
  unsigned low, high;
  wide x = (wide)a << 32 | b, y = (wide)b << 32 | c, sum = x + y;
  asm("add.cc.u32 %0, %2, %4;\n\t"
#if BUG == 1
      "add.u32 %1, %3, %5;"
#else
      "addc.u32 %1, %3, %5;"
#endif
      : "=&r"(low), "=r"(high)
      : "r"(b), "r"(a), "r"(c), "r"(b));
  assert(low == (unsigned)sum && high == (unsigned)(sum >> 32)); // says 1: fail
  asm("sub.cc.u32 %0, %2, %4; subc.u32 %1, %3, %5;"
      : "=&r"(low), "=r"(high)
      : "r"(b), "r"(a), "r"(c), "r"(b));
  assert(((wide)high << 32 | low) == x - y);
  asm("mad.lo.cc.u32 %0, %2, %3, %4; madc.hi.u32 %1, %2, %3, 0;"
      : "=&r"(low), "=r"(high)
      : "r"(a), "r"(b), "r"(c));
  assert(((wide)high << 32 | low) == (wide)a * b + c);
}

__device__ void floats(float a, float b) {
  float up, down, root;
  int whole;
  unsigned both;
  asm("add.rp.f32 %0, %1, %2;" : "=f"(up) : "f"(a), "f"(b));
  asm("add.rm.f32 %0, %1, %2;" : "=f"(down) : "f"(a), "f"(b));
  assert(down <= a + b && a + b <= up);
  asm("fma.rn.f32 %0, %1, %2, 0f3f800000;" : "=f"(up) : "f"(a), "f"(b));
  assert(up == __builtin_fmaf(a, b, 1));
  asm("sqrt.rn.f32 %0, %1;" : "=f"(root) : "f"(4 * a * a));
  assert(root == 2 * a);
  asm("cvt.rmi.s32.f32 %0, %1;" : "=r"(whole) : "f"(-a - .5f));
  assert(whole == (int)-a - 1);
  asm("{ .reg .b16 h; cvt.rn.f16.f32 h, %1; cvt.f32.f16 %0, h; }"
      : "=f"(up)
      : "f"(a));
  assert(up == a);
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(2.0f), "f"(1.0f));
  asm("add.f16x2 %0, %0, %0;" : "+r"(both));
  assert(both == 0x44004000);
}

__global__ void all(unsigned *sum) {
  __shared__ unsigned cells[64];
  unsigned i = threadIdx.x, lane, value, was;
  unsigned a = mixed(i), b = mixed(a), c = mixed(b);
  integers(a, b, c);
  predicates(a, b, c);
  carries(a, b, c);
  floats(i, i + 0.25f);
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  assert(lane == i % 32);
  asm volatile("st.u32 [%0], %1;" ::"l"(&cells[i]), "r"(i) // says 3: race
               : "memory");
#if BUG != 3
  asm volatile("bar.sync 0;" ::: "memory");
#endif
  asm volatile("ld.volatile.u32 %0, [%1+-4];"
               : "=r"(value)
               : "l"(&cells[64 - i]));
  asm volatile("red.global.add.u32 [%0], %1;" ::"l"(sum), "r"(value)
               : "memory");
  asm volatile("atom.relaxed.gpu.global.inc.u32 %0, [%1], %2;"
               : "=r"(was)
               : "l"(sum + 1), "r"(1000)
               : "memory");
  assert(was < 64);
  asm volatile("{ .reg .pred p; setp.eq.u32 p, %1, %2;\n" // says 2: on 'sum'
               "@p st.global.u32 [%0+8], %3; }"
               ::"l"(sum), "r"(i),
#if BUG == 2
               "r"(i),
#else
               "r"(63),
#endif
               "r"(i + 64)
               : "memory");
}
