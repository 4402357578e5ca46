// What is known of a product of products says of other products of the same
// numbers only what it says over the integers.
//
// args:     --strict --blockDim=64 --gridDim=1 --timeout=2
// verdict:  verified, verified, verified
// bug 1:    unknown, verified, verified  one within one that fits may have wrapped
// bug 2:    verified, unknown, verified  products below zero, where signs count
// bug 3:    verified, verified, unknown  so may be what is multiplied

typedef unsigned Number;
typedef unsigned long long Long;

// The number t, if a * b fits.
__device__ Number place(Number t, Number a, Number b) {
  bool wraps = a * b != Long(a) * b;
  Number plane = t / (a * b), row = t / b % a, column = t % b;
  return wraps ? 64 : (plane * a + row) * b + column;
}

__global__ void inner(Number *out, Number a, Number b, Number c) {
  if (a == 0 || b == 0 || c == 0 || b * c == 0)
    return;
#if BUG == 1
  if (a * b >= 1000)
    return;
#else
  if (Long(a) * b >= 1000)
    return;
#endif
  if (Long(a * b * 3) * c > 0xffffffffu)
    return;
  out[place(threadIdx.x, b, c)] = threadIdx.x; // expect 1: not decided
}

__global__ void with_signs(Number *out, Number a, Number b, Number c,
                           Number d) {
  enum { MOST = BUG == 2 ? 65535 : 30000 };
  if (a == 0 || b == 0 || c == 0 || d == 0 || a * c == 0)
    return;
  if (a > MOST + 2 || b > MOST || c > MOST + 2 || d > MOST)
    return;
  if (Long((long long)int(a * b) * int(c * d)) > 0xffffffffu)
    return;
  out[place(threadIdx.x, a, c)] = threadIdx.x; // expect 2: not decided
}

__global__ void factors(Number *out, int a, int b) {
  if (a == 0 || b == 0 || a * b == 0)
    return;
#if BUG != 3
  if (a < 0 || b < 0)
    return;
#endif
  if (Long((long long)a * b) > 0xffffffffu)
    return;
  out[place(threadIdx.x, a, b)] = threadIdx.x; // expect 3: not decided
}
