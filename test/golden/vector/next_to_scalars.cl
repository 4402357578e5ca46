// Every second vector of an array of int4 is written by scalars.
//
// args:     --local_size=64 --num_groups=1
// verdict:  verified
// bug 1:    racy       the scalars lie in the vectors

kernel void fill(global int4 *out) {
  int t = get_local_id(0);
  global int *scalar = (global int *)out;
  out[2 * t] = (int4)(t);
#if BUG == 1
  scalar[8 * (t ^ 1) + 2] = -1; // expect 1: write-write race on 'out'
#else
  scalar[8 * (t ^ 1) + 6] = -1;
#endif
}
