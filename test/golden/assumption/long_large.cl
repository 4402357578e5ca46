// SOUND(long-counters): a counter of 64 bits that starts below 2^62, also in a
// group that is larger than any device has.
//
// args:     --local_size=1048576 --num_groups=1
// verdict:  verified
// bug 1:    racy       it starts anywhere

__kernel void count(__global int *out, ulong n) {
  ulong t = get_local_id(0);
  for (ulong i = t << (BUG == 1 ? 44 : 32); i != n; i++)
    if (i >> 63)
      out[0] = t; // expect 1: write-write race on 'out'
}
