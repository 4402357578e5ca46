// What loops carry, as a formula of the iteration.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    assertion  what flips is there in the other iterations

__global__ void forms(long n, int s, unsigned u) {
  int flip = 2, mask = 3, a = 1, b = 2, x = 1, y = 2, z = 3;
  int shifted = s, divided = s;
  unsigned quotient = u, gone = u;
  for (long i = 0; i < n; i++) {
    __assert(flip == (i % 2 == BUG ? 2 : 5)); // expect 1: assertion
    __assert(mask == (i % 2 ? 5 : 3));
    __assert(a == (i % 2 ? 2 : 1));
    if (i == 1 || i == 4)
      __assert(x == 2 && y == 3 && z == 1);
    if (i == 2)
      __assert(shifted == s >> 4 && divided == s / 4 && quotient == u / 4);
    if (i == 40 || i == 1L << 31)
      __assert(gone == 0);
    flip = 7 - flip;
    mask ^= 6;
    int other = a, first = x;
    a = b;
    b = other;
    x = y;
    y = z;
    z = first;
    shifted >>= 2;
    divided /= 2;
    quotient /= 2;
    gone >>= 2;
  }
}
