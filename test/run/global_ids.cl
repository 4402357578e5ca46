// OpenCL without hooks: ids of each work-item.
//
// args:     --detect=none
// verdict:  passed
// prints:   out = 0 11 22 33 104 115 126 137
// bug 1:    wrong-result    the local id where the global one is meant

__kernel void ids(__global int *out) {
  int i = (int)get_global_id(0);
#if BUG == 1
  i = (int)get_local_id(0);
#endif
  out[i] = i + 10 * (int)get_local_id(0) + 100 * (int)get_group_id(0) +
           (int)get_local_linear_id() - (int)get_local_id(0);
}
