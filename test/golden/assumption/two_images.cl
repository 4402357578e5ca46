// Two arguments may be one image.
//
// args:     --local_size=64 --num_groups=1
// verdict:  verified
// assumes:  launch-limits, no-alias
// bug 1:    racy       it is one

kernel void both(write_only image2d_t a, write_only image2d_t b) {
  int i = get_global_id(0);
  write_imagef(a, (int2)(i, 0), (float4)(1.0f)); // expect 1: race on 'a'
#if BUG == 1
  write_imagef(a, (int2)(i + 1, 0), (float4)(2.0f));
#else
  write_imagef(b, (int2)(i + 1, 0), (float4)(2.0f));
#endif
}
