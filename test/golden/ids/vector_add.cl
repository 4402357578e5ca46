// Adds two vectors, one element a work-item.
//
// args:     --local_size=64 --num_groups=16
// verdict:  verified
// bug 1:    racy       the local id is no global id

kernel void vector_add(global const float *a, global const float *b,
                       global float *c, int n) {
  size_t i = get_global_id(0);
  if (i >= n)
    return;
#if BUG == 1
  c[get_local_id(0)] = a[i] + b[i]; // expect 1: write-write race on 'c'
#else
  c[i] = a[i] + b[i];
#endif
}
