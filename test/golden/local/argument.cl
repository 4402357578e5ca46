// Local memory that comes as an argument.
//
// args:     --local_size=* --num_groups=*
// verdict:  verified
// bug 1:    racy       no barrier

kernel void reverse(global const int *in, global int *out, local int *cell) {
  size_t t = get_local_id(0), n = get_local_size(0);
  cell[t] = in[get_global_id(0)];
#if BUG != 1
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  out[get_global_id(0)] = cell[n - 1 - t]; // expect 1: race on 'cell'
}
