// How many dimensions a kernel has that may be launched with any of them.
//
// args:     --local_size=64
// verdict:  verified
// bug 1:    assertion  there may be three
// bug 2:    racy       there may be more than one

__kernel void fill(__global int *out) {
  unsigned dimensions = get_work_dim();
  __assert(dimensions >= 1 && dimensions <= (BUG == 1 ? 2 : 3)); // expect 1: assertion
  __assert(dimensions == get_work_dim());
  out[get_global_id(0) / (BUG == 2 ? dimensions : 1)] = 1 + // expect 2: race on 'out'
                                                        get_global_id(0);
}
