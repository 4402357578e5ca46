__kernel void shared(__global int *a) {
  __local int tile[64];
  tile[get_local_id(0)] = 1;
  a[get_global_id(0)] = tile[63 - get_local_id(0)];
}
