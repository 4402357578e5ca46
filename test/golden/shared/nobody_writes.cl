// Shared memory that nobody writes keeps what a block finds there; another block
// finds something else.
//
// args:     --local_size=64 --num_groups=4
// verdict:  verified
// bug 1:    assertion  somebody writes behind the barrier
// bug 2:    assertion  another cell is read
// bug 3:    racy       blocks go by what each has found

__kernel void keep(__local int *found, __global int *out) {
  int t = get_local_id(0);
  __requires(found[t] == 7);
  barrier(CLK_LOCAL_MEM_FENCE);
#if BUG == 1
  if (t == 5)
    found[7] = 3;
#endif
#if BUG == 2
  __unsafe_assert(found[t + 64] == 7); // expect 2: assertion
#else
  __unsafe_assert(found[t] == 7); // expect 1: assertion
#endif
  if (BUG == 3 && t == 0 && found[100] == get_group_id(0))
    out[0] = get_group_id(0); // expect 3: write-write race on 'out'
}
