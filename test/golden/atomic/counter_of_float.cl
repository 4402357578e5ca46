// Floats that are added to do not count in the steps of their bits.
//
// args:     --local_size=64 --num_groups=1 --clang-arg=-cl-std=CL3.0
// verdict:  verified
// bug 1:    racy       1.0f is no step of 0x3f800000

kernel void draw(global atomic_float *sum, global atomic_uint *next,
                 global int *out) {
#if BUG == 1
  uint number = as_uint(atomic_fetch_add_explicit(
                    sum, 1.0f, memory_order_relaxed, memory_scope_device)) >>
                24;
#else
  uint number = atomic_fetch_add_explicit(next, 0x01000000u, memory_order_relaxed,
                                          memory_scope_device) >>
                24;
#endif
  out[number] = get_local_id(0); // expect 1: write-write race on 'out'
}
