// The functions of OpenCL 2 that are atomic release what came before, too, unless
// their order is weaker. Whether the other group has seen the flag is a question
// of values, which the proof does not follow.
//
// args:     --local_size=64 --num_groups=2 --clang-arg=-cl-std=CL2.0
// verdict:  unknown
// bug 1:    unknown    an order and a scope
// bug 2:    unknown    an order alone
// bug 3:    racy       a relaxed flag
// bug 4:    racy       an order that releases nothing
// bug 5:    racy       OpenCL 1 has no order

kernel void hand_over(global int *data, global atomic_int *flag,
                      global int *count, global int *out) {
  if (get_local_id(0) != 0)
    return;
  if (get_group_id(0) == 0) {
    data[0] = 42; // expect 3,4,5: race on 'data'
#if BUG == 0
    atomic_store(flag, 1);
#elif BUG == 1
    atomic_store_explicit(flag, 1, memory_order_release, memory_scope_device);
#elif BUG == 2
    atomic_fetch_add_explicit(flag, 1, memory_order_acq_rel);
#elif BUG == 3
    atomic_store_explicit(flag, 1, memory_order_relaxed, memory_scope_device);
#elif BUG == 4
    atomic_exchange_explicit(flag, 1, memory_order_acquire);
#else
    atomic_inc(count);
#endif
#if BUG == 5
  } else if (atomic_add(count, 0)) {
#else
  } else if (atomic_load(flag)) {
#endif
    out[0] = data[0];
  }
}
