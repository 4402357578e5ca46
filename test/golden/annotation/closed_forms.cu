// What loops carry, as a formula of the iteration.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    assertion  what flips is there in the other iterations
// bug 2:    assertion  what flips by another mask each time comes back

__global__ void forms(long n, int s, unsigned u) {
  int flip = 2, mask = 3, a = 1, b = 2, x = 1, y = 2, z = 3;
  int wild = 0, shifted = s, divided = s;
  unsigned quotient = u, gone = u, grown = u, bits = 1;
  for (long i = 0; i < n; i++) {
    __assert(flip == (i % 2 == (BUG == 1) ? 2 : 5)); // expect 1: assertion
    if (BUG == 2 && i == 2)
      __assert(wild == 0); // expect 2: assertion
    __assert(mask == (i % 2 ? 5 : 3));
    __assert(a == (i % 2 ? 2 : 1));
    if (i == 1 || i == 4)
      __assert(x == 2 && y == 3 && z == 1);
    if (i == 2)
      __assert(shifted == s >> 4 && divided == s / 4 && quotient == u / 4 &&
               grown == u * 16);
    __assert(bits == (i % 2 ? 1 ^ u : 1));
    if (i == 40 || i == 1L << 31)
      __assert(gone == 0);
    flip = 7 - flip;
    mask ^= 6;
    wild ^= s + (int)i;
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
    grown *= 4;
    bits ^= u;
  }
}
