// Vector stores of 16 bytes next to scalar ones.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       the scalar lies in the neighbour's vector

__global__ void vectors(float *out) {
  int t = threadIdx.x;
  float4 *wide = (float4 *)out;
  wide[2 * t] = make_float4(t, t, t, t);
#if BUG == 1
  out[8 * t + 9] = -1; // expect 1: write-write race on 'out'
#else
  out[8 * t + 5] = -1;
#endif
}
