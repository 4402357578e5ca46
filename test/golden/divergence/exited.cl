// A barrier of OpenCL is for all work-items of the group, whoever has left.
//
// args:     --local_size=64 --num_groups=4
// verdict:  verified
// bug 1:    divergent  some have left

__kernel void shift(__global int *a, int n) {
  __local int tile[64];
  int t = get_local_id(0), i = get_global_id(0);
  if (BUG == 1 && i >= n)
    return;
  tile[t] = a[i];
  barrier(CLK_LOCAL_MEM_FENCE); // expect 1: barrier divergence
  a[i] = tile[63 - t];
}
