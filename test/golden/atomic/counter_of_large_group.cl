// Of a counter that gives 4096 numbers, in a group whose size is not known.
//
// args:     --num_groups=1
// verdict:  verified
// bug 1:    racy       a group may have more work-items

kernel void draw(local int *place, local uint *next) {
  if (get_local_id(0) == 5)
    *next = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
#if BUG == 1
  if (get_local_id(0) != 5)
#else
  if (get_local_id(0) < 4096)
#endif
    place[atomic_add(next, 1 << 20) >> 20] = get_local_id(0); // expect 1: write-write race on 'place'
}
