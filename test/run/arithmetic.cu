// What the device computes where C and the host promise nothing.
//
// verdict:  passed
// prints:   out = 0 0 -1 -1 -1 -2147483648 0 -7 3 2147483647

__global__ void arithmetic(int *out, int zero, int one, int by) {
  int small = -2147483647 - one;
  out[0] = one << by;
  out[1] = (int)((unsigned)one >> by);
  out[2] = -8 >> by;
  out[3] = 7 / zero;
  out[4] = (int)(7u / (unsigned)zero);
  out[5] = small / -one;
  out[6] = small % -one;
  out[7] = 7 / -one;
  out[8] = 7 / (one + one);
  out[9] = (int)(3e9f * one);
}
