// The range starts at 100; global ids count from there, group ids from 0.
//
// args:     --local_size=64 --num_groups=4 --global_offset=100
// verdict:  verified
// bug 1:    racy       an index that is only right without an offset

kernel void fill(global int *out) {
  size_t i = get_global_id(0) - get_global_offset(0);
  size_t j = get_group_id(0) * get_local_size(0) + get_local_id(0);
  out[i] = 1;
#if BUG == 1
  out[j + 100] = 2; // expect 1: write-write race on 'out'
#else
  out[j + get_global_size(0)] = 2;
#endif
}
