// Ids kept in a uchar are good for groups of up to 256 work-items.
//
// args:     --local_size=256 --num_groups=1
// verdict:  verified
// bug 1:    racy       twice the id is not

kernel void fill(global int *out) {
#if BUG == 1
  uchar t = get_local_id(0) * 2;
#else
  uchar t = get_local_id(0);
#endif
  out[t] = get_local_id(0); // expect 1: write-write race on 'out'
}
