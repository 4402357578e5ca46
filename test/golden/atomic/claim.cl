// Work-items claim slots by compare and exchange; what is in the slot is only
// read again after a barrier.
//
// args:     --local_size=64 --num_groups=1
// verdict:  verified
// bug 1:    racy       a plain read of the slot while others claim

kernel void claim(global const int *wish, global int *out) {
  local int slot[16];
  int t = get_local_id(0);
  if (t < 16)
    slot[t] = -1;
  barrier(CLK_LOCAL_MEM_FENCE);
#if BUG == 1
  if (slot[wish[t] & 15] < 0) // expect 1: race on 'slot'
#endif
    atomic_cmpxchg(&slot[wish[t] & 15], -1, t);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[t] = slot[t & 15];
}
