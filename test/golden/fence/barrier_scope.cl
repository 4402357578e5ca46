// A barrier orders memory for the work-items in its scope only.
//
// args:     --local_size=64 --num_groups=1 --clang-arg=-cl-std=CL2.0
// verdict:  verified
// bug 1:    racy       of a sub-group
// bug 2:    racy       of a work-item
// bug 3:    racy       of a scope that only the host knows
// bug 4:    racy       no flags

kernel void reverse(global int *o, int any) {
  local int a[64];
  int t = get_local_id(0);
  a[t] = t; // expect 1,2,3,4: race on 'a'
#if BUG == 1
  work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_sub_group);
#elif BUG == 2
  work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_item);
#elif BUG == 3
  work_group_barrier(CLK_LOCAL_MEM_FENCE, (memory_scope)any);
#elif BUG == 4
  work_group_barrier(0, memory_scope_device);
#else
  work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);
#endif
  o[t] = a[63 - t];
#if BUG == 0
  work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_device);
  a[t] = 0;
#endif
}
