// Each work-item draws a number and stores under it.
//
// args:     --local_size=64 --num_groups=8
// verdict:  verified
// bug 1:    racy       reads the number, then increments it
// bug 2:    racy       a number is good for one element, not for two

kernel void draw(global const int *in, global int *out,
                 volatile global int *next) {
#if BUG == 1
  int number = *next; // expect 1: race on 'next'
  atomic_inc(next);
#else
  int number = atomic_inc(next);
#endif
#if BUG == 2
  out[number / 2] = in[get_global_id(0)]; // expect 2: race on 'out'
#else
  out[number] = in[get_global_id(0)]; // allow 1: race on 'out'
#endif
}
