// OpenCL's upper half of a product, of several widths.
//
// args:     --local_size=64 --num_groups=2
// verdict:  verified
// bug 1:    racy       two work-items share an element

__kernel void high(__global int *out, __global int *other) {
  uint i = get_global_id(0);
#if BUG == 1
  out[mul_hi(i << 15, 1u << 16)] = i; // expect 1: write-write race on 'out'
#else
  out[mad_hi(i << 16, 1u << 16, 7u)] = i;
#endif
  other[mul_hi((ulong)i << 40, (ulong)1 << 24)] = i;
}
