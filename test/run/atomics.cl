// Atomics of OpenCL 2 with orders and scopes.
//
// args:     --detect=races
// verdict:  passed
// prints:   out = 7 7 7 7
// prints:   n = 4 -3 1 0
// bug 1:    racy        the flag is for one group only
// bug 2:    racy        the flag orders nothing

kernel void hand_over(global int *out, global atomic_int *flag,
                      global atomic_int *n) {
#if BUG == 1
  const memory_scope scope = memory_scope_work_group;
#else
  const memory_scope scope = memory_scope_device;
#endif
#if BUG == 2
  const memory_order order = memory_order_relaxed;
#else
  const memory_order order = memory_order_release;
#endif
  int g = get_group_id(0);
  if (g == 0) {
    out[0] = 7;
    atomic_store_explicit(flag, 1, order, scope);
  } else {
    while (!atomic_load_explicit(flag, memory_order_acquire, // says 1: race
                                 memory_scope_device))
      ;
    out[g] = out[0]; // says 2: race on 'out'
  }
  atomic_fetch_add(&n[0], 1);
  atomic_fetch_min_explicit(&n[1], -g, memory_order_relaxed);
  int expected = 0;
  if (atomic_compare_exchange_strong(&n[2], &expected, 1))
    atomic_exchange(&n[3], expected);
  else if (expected != 1)
    atomic_store(&n[2], 99);
}
