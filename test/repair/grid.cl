// OpenCL has no barrier of the whole range.
//
// args: --local_size=64 --global_size=512
// none: threads of different blocks race, and no barrier orders them

__kernel void grid(__global int *a, __global int *b) {
  int i = get_global_id(0);
  a[i] = i;
  b[i] = a[i ^ 64];
}
