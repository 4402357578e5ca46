// Global memory needs a global fence.
//
// args:   --local_size=64 --num_groups=1
// repair: global.cl:8:3: insert 'barrier(CLK_GLOBAL_MEM_FENCE);'

__kernel void global_only(__global int *out, __global int *tile) {
  tile[get_local_id(0)] = 1;
  out[get_global_id(0)] = tile[63 - get_local_id(0)];
}
