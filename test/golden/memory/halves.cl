// Halves in memory: n from the n-th multiple on, of two bytes each.
//
// args:     --local_size=64 --num_groups=4
// verdict:  verified
// bug 1:    racy       the neighbour's last element
// bug 2:    racy       three lie where four would: the neighbour's first
// bug 3:    racy       reads what the neighbour writes

kernel void scale(global half *to, global half *packed, global half *apart,
                  global half *ones) {
  int i = get_global_id(0);
  float4 four = vload_half4(i + (BUG == 3), to); // expect 3: race on 'to'
  vstore_half4(four, i, to + i % 2 * (BUG == 1)); // expect 1: race on 'to'
  float3 three = vload_half3(i, packed);
  vstore_half3_rtz(three, i, packed);
  float3 other = vloada_half3(i, apart);
#if BUG == 2
  vstore_half3(other, i, apart); // expect 2: race on 'apart'
#else
  vstorea_half3_rte(other, i, apart);
#endif
  vstore_half(vload_half(i, ones), i, ones);
}
