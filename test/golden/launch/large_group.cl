// More work-items in a group than any device has, in three dimensions.
//
// args:     --local_size=512,512,512 --num_groups=2,1,1
// verdict:  verified
// bug 1:    racy       the number of a work-item loses a bit
// bug 2:    racy       32 bits do not hold the index
// bug 3:    assertion  three dimensions were asked for, and not two

__kernel void fill(__global int *out) {
  unsigned x = get_local_id(0), y = get_local_id(1), z = get_local_id(2);
  unsigned t = x + 512 * (y + (BUG == 1 ? 256 : 512) * z);
  if (get_group_id(0) == 0)
    out[t * (BUG == 2 ? 64 : 32)] = t + z; // expect 1,2: write-write race on 'out'
  __assert(get_work_dim() == (BUG == 3 ? 2 : 3)); // expect 3: assertion
}
