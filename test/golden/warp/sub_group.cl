// All work-items of a sub-group have to come to what it does together.  Who is
// in one is not known.
//
// args:     --local_size=64 --num_groups=1 --clang-arg=-cl-std=CL3.0
// verdict:  verified
// bug 1:    unknown    half of the work-items come
// bug 2:    unknown    work-items leave the loop around at different times

#pragma OPENCL EXTENSION cl_khr_subgroups : enable

kernel void sums(global int *out, int n) {
  int t = get_local_id(0), v = out[t];
#if BUG == 1
  if (t < 32)
#elif BUG == 2
  for (int i = t; i < n; i++)
#else
  if (n > 7)
#endif
    v += sub_group_reduce_add(v);
  out[t] = v;
}
