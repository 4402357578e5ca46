// What clamp, select and rotate do to an index is known exactly.
//
// args:     --local_size=64 --num_groups=2
// verdict:  verified
// bug 1:    racy       the last work-items write one element
// bug 2:    racy       the first work-items write one element
// bug 3:    racy       bits are lost

kernel void scatter(global int *a, global int *b, global int *c) {
  int i = get_global_id(0);
  uint u = get_global_id(0);
#if BUG == 1
  a[clamp(i, 0, 120)] = i; // expect 1: write-write race on 'a'
#else
  a[clamp(i, 0, 127)] = i;
#endif
#if BUG == 2
  b[select(i, 0, i < 5)] = i; // expect 2: write-write race on 'b'
#else
  b[select(i, 128 + i, i < 5)] = i;
#endif
#if BUG == 3
  c[rotate(u, 27u) >> 26] = i; // expect 3: write-write race on 'c'
#else
  c[rotate(rotate(u, 27u), 5u)] = i;
#endif
}
