// Functions that a whole group calls together want the same arguments of all.
//
// args:     --local_size=64 --num_groups=4 --clang-arg=-cl-std=CL2.0
// verdict:  verified
// bug 1:    divergent  each work-item copies to another place
// bug 2:    divergent  from another one
// bug 3:    divergent  another number of elements
// bug 4:    divergent  where a loaded value says
// bug 5:    divergent  the value of another work-item each

kernel void copy(global int *g, global int *o) {
  local int a[128];
  int t = get_local_id(0), first = get_group_id(0) * 64;
#if BUG == 1
  event_t e = async_work_group_copy(a + t, g + first, 64, 0); // expect 1: divergent arguments
#elif BUG == 2
  event_t e = async_work_group_copy(a, g + t, 64, 0); // expect 2: divergent arguments
#elif BUG == 3
  event_t e = async_work_group_copy(a, g + first, t < 32 ? 64 : 32, 0); // expect 3: divergent arguments
#elif BUG == 4
  event_t e = async_work_group_copy(a, g + g[t], 64, 0); // expect 4: divergent arguments
#else
  event_t e = async_work_group_copy(a, g + first, 64, 0);
#endif
  wait_group_events(1, &e);
#if BUG == 5
  o[first + t] = work_group_broadcast(a[t], t); // expect 5: divergent arguments
#else
  o[first + t] = work_group_broadcast(a[t], get_group_id(0));
#endif
}
