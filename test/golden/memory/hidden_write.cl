// An array is written through a pointer that went through a vector of numbers,
// and read by its name.
//
// args:     --local_size=64 --num_groups=1
// verdict:  verified
// bug 1:    divergent  through one half of a vector
// bug 2:    divergent  through two halves of a pointer

kernel void decide(global int *data, global int *other) {
  int found = 0;
#if BUG == 1
  ulong2 both = (ulong2)((ulong)data, (ulong)other);
  global int *to = (global int *)both.x;
#elif BUG == 2
  uint2 halves = as_uint2((ulong)data);
  global int *to = (global int *)as_ulong(halves);
#else
  global int *to = other;
#endif
  if (get_local_id(0) < 32)
    found = data[0];
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (get_local_id(0) == 0)
    to[0] = 1;
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (get_local_id(0) >= 32)
    found = data[0];
  if (found)
    barrier(CLK_GLOBAL_MEM_FENCE); // expect 1,2: barrier divergence
}
