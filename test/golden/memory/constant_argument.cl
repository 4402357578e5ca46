// Convolves with a filter in constant memory.
//
// args:     --local_size=64 --num_groups=16
// verdict:  verified
// bug 1:    racy       in place

kernel void convolve(constant float *filter, global float *in,
                     global float *out, int length) {
  int i = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < length; k++)
    sum += filter[k] * in[i + k]; // expect 1: read-write race on 'in'
#if BUG == 1
  in[i] = sum;
#else
  out[i] = sum;
#endif
}
