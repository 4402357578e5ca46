// Which event is waited for depends on the work-item, or is not known.
//
// args:     --local_size=64 --num_groups=4
// verdict:  unknown
// bug 1:    divergent    work-items wait for different events

__kernel void k(__global float *p, __global float *q, int n) {
  __local float own_p[64], own_q[64];
  event_t of_p = async_work_group_copy(own_p, p + 64 * get_group_id(0), 64, 0);
  event_t of_q = async_work_group_copy(own_q, q + 64 * get_group_id(0), 64, 0);
  event_t *which = &of_p;
  if (BUG == 1 ? get_local_id(0) > 13 : n > 13)
    which = &of_q;
  wait_group_events(1, which); // expect 1: divergent
}
