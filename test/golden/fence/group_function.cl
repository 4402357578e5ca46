// A function of a work-group makes all of its work-items meet, and orders no
// memory: what they wrote before needs a barrier all the same.
//
// args:     --local_size=64 --num_groups=1
// verdict:  verified
// bug 1:    racy       a vote is no barrier
// bug 2:    racy       a scan is no barrier
// bug 3:    divergent  not all come to the vote

kernel void mirror(global int *out, int n) {
  local int cell[64];
  int i = get_local_id(0), all = 0;
  cell[i] = i;
#if BUG != 1 && BUG != 2
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
#if BUG == 2
  all = work_group_scan_inclusive_add(n);
#elif BUG == 3
  if (i < n)
    all = work_group_any(n); // expect 3: barrier divergence
#else
  all = work_group_any(n);
#endif
  out[i] = cell[63 - i] + all; // expect 1,2: race on 'cell'
}
