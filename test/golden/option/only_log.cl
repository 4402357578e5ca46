// --only-log looks for no races, but for what is logged.
//
// args:     --local_size=32 --num_groups=2 --only-log
// verdict:  verified
// bug 1:    assertion    the write is logged
// bug 2:    divergent    barriers are looked at as ever

__kernel void k(__local int *a) {
  int t = get_local_id(0);
  a[0] = t;
  if (BUG != 2 || t < 16)
    barrier(CLK_LOCAL_MEM_FENCE); // expect 2: divergence
  a[1] = t;
  int at = BUG == 1 ? 0 : 4;
  if (BUG != 2)
    __assert(__write_implies(a, __write_offset_bytes(a) == at)); // expect 1: write of 'a'
}
