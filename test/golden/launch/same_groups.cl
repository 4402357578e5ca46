// All groups of one size: the program is compiled so.
//
// args:     --local_size=64 --clang-arg=-cl-std=CL2.0 --clang-arg=-cl-uniform-work-group-size
// verdict:  verified
// bug 1:    racy       a neighbour's element

kernel void store(global int *out) {
  size_t t = get_local_id(0), group = get_group_id(0);
  size_t at = group * get_local_size(0) + t;
  out[at] = t;
#if BUG == 1
  out[at + 1] = t; // expect 1: write-write race on 'out'
#endif
}
