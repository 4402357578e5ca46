// A vector of three has the size of one of four; vstore3 writes only three.
//
// args:     --local_size=64 --num_groups=1
// verdict:  verified
// bug 1:    racy       packed elements three apart, written by fours

kernel void pack(global const int4 *in, global int *out) {
  int t = get_local_id(0);
  int4 value = in[t];
#if BUG == 1
  vstore4(value, 0, out + 3 * t); // expect 1: write-write race on 'out'
#else
  vstore3(value.xyz, t, out);
#endif
}
