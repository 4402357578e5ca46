// Functions of a work-group and of a sub-group; and what they do not order.
//
// args:     --detect=races --clang-arg=-cl-std=CL3.0
// verdict:  passed
// prints:   out = 35 1245 3 2016
// bug 1:    racy        a reduction is no barrier
// bug 2:    divergent   not all work-items come
// bug 3:    crash       there is no work-item to broadcast from
// bug 4:    racy        a sub-group is no barrier either

kernel void collect(global int *out, global float *sums) {
  local int cell[64], pair[64];
  int i = get_local_id(0);
  cell[i] = i; // says 1: writes cell
  int total = work_group_reduce_add(i);
#if BUG != 1
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  int other = cell[63 - i]; // says 1: race on 'cell'
  pair[i] = i;
#if BUG == 2
  if (i < 60)
    total = work_group_reduce_max(i); // says 2: barrier divergence
#endif
  int before = work_group_scan_exclusive_add(i);
  int upto = work_group_scan_inclusive_max(63 - i);
  int third = work_group_broadcast(i, BUG == 3 ? 64 : 3); // says 3: no work-item
  int agree = work_group_all(i >= 0) + 2 * work_group_any(i == 63);
#if BUG != 4
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
#endif
  int neighbour = pair[i ^ 1]; // says 4: race on 'pair'
  int sub = sub_group_reduce_add(i) + sub_group_scan_exclusive_min(i) * 0;
  float half_sum = work_group_scan_inclusive_add(0.5f);
  sums[i] = half_sum + sub_group_broadcast((float)i, 5) +
            (float)work_group_reduce_min((long)i - 7) + (float)(uint)other * 0;
  if (i == 50)
    out[1] = before + 20;
  if (i == 31)
    out[0] = sub * 0 + upto * 0 + (int)get_sub_group_size() + third;
  if (i == 7) {
    out[2] = agree + (neighbour - 6) + (upto - 63);
    out[3] = total;
    out[4] = sub;
  }
}
