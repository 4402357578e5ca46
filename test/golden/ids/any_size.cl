// In place, for every one-dimensional range.
//
// args:     --local_size=* --num_groups=*
// verdict:  verified
// bug 1:    racy       reads the left neighbour's element

kernel void smooth(global int *a) {
  size_t i = get_global_id(0);
#if BUG == 1
  if (i > 0)
    a[i] += a[i - 1]; // expect 1: read-write race on 'a'
#else
  a[i] += 1;
#endif
}
