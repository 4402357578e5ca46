// Functions of OpenCL that come from a library, one with a result by pointer to
// memory of any kind.
//
// args:     --detect=races
// verdict:  passed
// prints:   a = 0.25 2.125 2.5 4
// prints:   b = 10 30 1 7
// bug 1:    racy        everybody's whole part goes to one place

inline float quarter(int i) { return 0.25f * i; }

kernel void parts(global float *a, global int *b, local float *whole) {
  int i = get_local_id(0);
  local float *place = &whole[i];
#if BUG == 1
  place = whole;
#endif
  float part = fract(1.25f * (i + 1), place); // says 1: write-write race
  a[i] = i < 1 ? part : *place + quarter(i) * part;
  a[i] = clamp(a[i], 0.f, 4.f);
  if (i == 2)
    a[i] = mix(2.f, 3.f, .5f);
  if (i == 3)
    a[i] = fmax(sinpi(1.f), 4.f);
  int4 four = convert_int4_sat((float4)(10.4f, 3e10f, -3.f, 0.f));
  b[i] = i == 0   ? four.x
         : i == 1 ? popcount((uint)four.y) - 1
         : i == 2 ? four.z == -3
                  : mad24(2, 3, 1);
}
