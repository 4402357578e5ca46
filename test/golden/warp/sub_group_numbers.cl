// How sub-groups are numbered is not known, nor how many there are.
//
// args:     --local_size=64 --num_groups=1 --clang-arg=-cl-std=CL3.0
// verdict:  verified
// bug 1:    racy    two work-items of two sub-groups have one number

#pragma OPENCL EXTENSION cl_khr_subgroups : enable

kernel void k(global uint *out, local uint *own) {
  uint t = get_local_id(0);
  own[t] = get_sub_group_local_id() + get_num_sub_groups();
  if (get_max_sub_group_size() > 8)
    barrier(CLK_LOCAL_MEM_FENCE);
  out[BUG == 1 ? get_sub_group_local_id() : t] = t; // expect 1: race
}
