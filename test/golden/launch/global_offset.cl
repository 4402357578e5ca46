// Where nobody counts the groups the global ids may begin anywhere.
//
// args:     --local_size=64
// verdict:  verified
// bug 1:    racy       what happens with an offset only
// bug 2:    racy       offset and place in the group add up
// bug 3:    racy       the global id does not tell the group

kernel void store(global int *out, global int *other) {
  size_t i = get_global_id(0);
  out[i] = i;
  if (i == 0)
    other[0] = 1;
#if BUG == 1
  if (get_global_offset(0) != 0)
    other[0] = get_local_id(0); // expect 1: race on 'other'
#elif BUG == 2
  out[get_group_id(0) * 64 + get_local_id(0)] = 0; // expect 2: write-write race on 'out'
#elif BUG == 3
  other[1 + i / 64] = get_group_id(0); // expect 3: write-write race on 'other'
#endif
}
