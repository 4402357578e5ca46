// What a function without a body does to memory, as the user says.
//
// args:     --local_size=64 --num_groups=2
// verdict:  verified
// bug 1:    racy       all work-items write somewhere in the tile
// bug 2:    racy       somebody reads what others write
// bug 3:    racy       no barrier between the function and the loop

void __spec_sum(__local int *from, __global int *to) {
  __reads_from(from); // expect 2: race on 'tile'
  if (get_global_id(0) == 0)
    __writes_to(to);
}

void __spec_fill(__local int *to) {
  __writes_to(to); // expect 1: write-write race on 'tile'
}

__kernel void example(__global int *out) {
  __local int tile[64];
  int t = get_local_id(0);
  if (BUG != 3 || t)
    tile[t] = t; // expect 3: race on 'tile'
#if BUG != 3
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
#if BUG == 1
  __spec_fill(tile);
#elif BUG == 2
  if (t == 0)
    __spec_fill(tile); // allow 2: call
#endif
  __spec_sum(tile, out); // allow 2,3: call
}
