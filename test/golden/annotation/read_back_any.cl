// A function without a body writes any bytes, so all that the thread wrote before
// is forgotten, though one of them alone is looked at.
//
// args:     --local_size=64 --num_groups=1
// verdict:  verified
// bug 1:    racy       it may have written both of the thread's own cells

void __spec_fill(__local int *to) {
  __writes_to(to); // allow 1: call
}

__kernel void keep(__global int *out) {
  __local int place[128], other[64];
  int t = get_local_id(0);
  place[t] = place[t + 64] = t;
  other[t] = t;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (t == 0)
    __spec_fill(BUG == 1 ? place : other);
  out[place[t] == t || place[t + 64] == t ? t : 64] = t; // expect 1: write-write race on 'out'
}
