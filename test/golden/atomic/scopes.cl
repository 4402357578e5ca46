// OpenCL 2 atomics: those of work-group scope serve one group.
//
// args:     --local_size=64 --num_groups=4
// verdict:  verified
// bug 1:    racy       the counter of all groups by atomics of one group
// bug 2:    racy       the same, of one work-item alone
// bug 3:    racy       the same, of another one, further down

kernel void count(global atomic_int *total, global atomic_int *by_group) {
  atomic_fetch_add_explicit(&by_group[get_group_id(0)], 1, memory_order_relaxed,
                            memory_scope_work_group);
#if BUG == 1
  memory_scope scope = memory_scope_work_group;
#else
  memory_scope scope = memory_scope_device;
#endif
#if BUG == 2
  if (get_global_id(0) == 3)
    atomic_fetch_add_explicit(total, 2, memory_order_relaxed,
                              memory_scope_work_group);
#endif
  atomic_fetch_add_explicit(total, 1, memory_order_relaxed, // expect 1,2,3: race
                            scope);
#if BUG == 3
  if (get_global_id(0) == 3)
    atomic_fetch_add_explicit(total, 2, memory_order_relaxed,
                              memory_scope_work_group);
#endif
}
