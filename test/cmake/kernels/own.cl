__kernel void own(__global int *a) { a[get_global_id(0)] = 0; }
