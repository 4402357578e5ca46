// OpenCL's vectors of three and four side by side in an array of scalars.
//
// args:     --detect=races
// verdict:  passed
// prints:   a = 2 1 0 0 5 4 3 0
// bug 1:    racy        a vector of four is stored where three have room

__kernel void turn(__global int *a, __global const int *b) {
  size_t i = get_local_id(0);
  int3 three = vload3(i, b);
  int4 four = (int4)(three.z, three.y, three.x, 0);
#if BUG == 1
  vstore4(four, 0, a + 3 * i); // says 1: write-write race on 'a'
#else
  vstore4(four, i, a);
#endif
}
