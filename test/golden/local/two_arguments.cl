// Two arrays in local memory, handed to a helper function.
//
// args:     --local_size=64 --num_groups=4
// verdict:  verified
// bug 1:    racy       the helper gets the same array twice

void shift(local int *to, local const int *from, int t) {
  to[t] = from[(t + 1) % 64]; // expect 1: read-write race on 'a'
}

kernel void twice(global int *data, local int *a, local int *b) {
  int t = get_local_id(0);
  a[t] = data[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
#if BUG == 1
  shift(a, a, t);
#else
  shift(b, a, t);
#endif
  barrier(CLK_LOCAL_MEM_FENCE);
  data[get_global_id(0)] = b[t];
}
