// Local memory needs a local fence.
//
// args:   --local_size=64 --num_groups=4
// repair: local.cl:9:3: insert 'barrier(CLK_LOCAL_MEM_FENCE);'

__kernel void local_only(__global int *out) {
  __local int tile[64];
  tile[get_local_id(0)] = 1;
  out[get_global_id(0)] = tile[63 - get_local_id(0)];
}
