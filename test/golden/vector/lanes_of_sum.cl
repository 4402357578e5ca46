// A product and sum of vectors is one of each lane.
//
// args:     --local_size=64 --num_groups=1
// verdict:  verified
// bug 1:    assertion  all lanes are alike
// bug 2:    assertion  the lane of another sum

__kernel void sum(float4 a, float4 b, float4 c) {
  float4 all = a * b + c;
  float one = a.y * b.y + c.y;
#if BUG == 1
  __assert(as_int(all.z) == as_int(all.y)); // expect 1: assertion
#elif BUG == 2
  all += b;
#endif
  __assert(as_int(all.y) == as_int(one)); // expect 2: assertion
}
