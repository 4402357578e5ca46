// Functions with a second result, which they write through a pointer.
//
// args:     --local_size=64 --num_groups=4
// verdict:  verified
// bug 1:    racy       all write one place
// bug 2:    racy       a vector reaches into the neighbour's place
// bug 3:    racy       integers beside a vector of them
// bug 4:    racy       three lanes, and room for a fourth

kernel void split(global float *out, global float4 *whole, global int4 *bits,
                  global float *flat, global int *exponents) {
  int i = get_global_id(0);
  float cosine, floor, part = sincos(i * 0.1f, &cosine) + fract(cosine, &floor);
  int quotient, sign;
  part += remquo(part, 3.0f, &quotient) + lgamma_r(part, &sign);
  float *to = BUG == 1 ? flat : flat + i;
  out[i] = modf(part, to) + floor + quotient + sign; // expect 1: race on 'flat'
  float4 four = (float4)(part);
  global float4 *next = (global float4 *)((global float *)whole + 4 * i);
#if BUG == 2
  next = (global float4 *)((global float *)whole + 3 * i);
#endif
  four = sincos(four, next); // expect 2: race on 'whole'
  four = frexp(four, bits + i);
#if BUG == 3
  ((global int *)bits)[i] = 0; // expect 3: race on 'bits'
#elif BUG == 4
  int3 *three = (int3 *)(exponents + 3 * i);
  float3 rest = frexp(four.xyz, three); // expect 4: race on 'exponents'
#endif
#if BUG != 4
  exponents[i] = ilogb(part);
#endif
}
