// Four elements a work-item, a whole range apart.
//
// args:     --local_size=64 --global_size=1024
// verdict:  verified
// bug 1:    racy       a group apart

kernel void scale(global float *a, float factor) {
#if BUG == 1
  size_t stride = get_local_size(0);
#else
  size_t stride = get_global_size(0);
#endif
  for (int k = 0; k < 4; k++)
    a[get_global_id(0) + k * stride] *= factor; // expect 1: race on 'a'
}
