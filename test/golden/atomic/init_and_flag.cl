// atomic_init is a plain write, and an atomic_flag is as large as an int.
//
// args:     --local_size=64 --num_groups=1 --clang-arg=-cl-std=CL2.0
// verdict:  verified
// bug 1:    racy       all initialise one object
// bug 2:    racy       one initialises what others count in
// bug 3:    racy       a byte of the flag by a plain write
// bug 4:    racy       the same while it is cleared

kernel void k(global atomic_int *c, global int *o) {
  int t = get_local_id(0);
#if BUG == 1
  atomic_init(c, t); // expect 1: write-write race on 'c'
#elif BUG == 2
  if (t == 0)
    atomic_init(c, 0); // expect 2: atomic-write race on 'c'
  else
    atomic_fetch_add(c, 1);
#elif BUG == 3
  if (t == 0)
    ((global char *)c)[1] = 1; // expect 3: atomic-write race on 'c'
  else
    atomic_flag_test_and_set((global atomic_flag *)c);
#elif BUG == 4
  if (t == 0)
    ((global char *)c)[3] = 1; // expect 4: atomic-write race on 'c'
  else
    atomic_flag_clear((global atomic_flag *)c);
#else
  atomic_init(&c[t], t);
  barrier(CLK_GLOBAL_MEM_FENCE);
  atomic_fetch_add_explicit(c, 1, memory_order_relaxed, memory_scope_work_group);
  if (!atomic_flag_test_and_set((global atomic_flag *)c + 64))
    o[t] = 1;
#endif
}
