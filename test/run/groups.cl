// OpenCL: ids, an offset in groups, local memory that the launch gives.
//
// args:     --detect=races
// verdict:  passed
// prints:   a = 3 2 1 0 7 6 5 4
// bug 1:    racy        no barrier

__kernel void turn(__global int *a, __local int *tile) {
  size_t i = get_local_id(0), n = get_local_size(0);
  tile[i] = a[get_global_id(0)]; // says 1: read-write race on 'tile'
#if BUG != 1
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  a[get_group_id(0) * n + i] = tile[n - 1 - i];
}
