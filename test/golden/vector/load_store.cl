// vload4 and vstore4 on arrays of scalars.
//
// args:     --local_size=64 --num_groups=4
// verdict:  verified
// bug 1:    racy       vstore4 counts in vectors, not in elements

kernel void negate(global const float *in, global float *out) {
  size_t i = get_global_id(0);
  float4 value = vload4(i, in);
#if BUG == 1
  vstore4(-value, 0, out + i); // expect 1: write-write race on 'out'
#else
  vstore4(-value, i, out);
#endif
}
