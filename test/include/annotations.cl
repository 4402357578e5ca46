// Every annotation, in OpenCL C.
//
// As gpuverify sees it, each is a call of its primitive; in an ordinary
// compilation the object is the one of this file without the lines that end
// in "note".

__axiom(get_local_size(0) == 64);                        // note
DECLARE_UF_UNARY(half_of, int, int);                     // note
DECLARE_UF_BINARY(sum_of, unsigned, unsigned, unsigned); // note

// VERIFY: @__gpuverify_axiom_0()
// VERIFY: call spir_func i64 @_Z14get_local_sizej(i32 noundef 0)

int clip(int value, __global int *limit) {
  // VERIFY-LABEL: @clip(
  // VERIFY: call spir_func void @__gpuverify_quiet_begin()
  // VERIFY: call spir_func void @__gpuverify_requires(i1
  // VERIFY: call spir_func void @__gpuverify_quiet_end()
  __requires(value >= 0 & limit[0] > 0); // note
  // VERIFY: @__gpuverify_return_int()
  // VERIFY: @__gpuverify_ensures(i1
  __ensures(__return_val_int() <= limit[0]); // note
  // VERIFY: @__gpuverify_old_int(i32
  __ensures(__old_int(limit[0]) == limit[0]); // note
  __ensures(__old_bool(value > 0));           // note
  // VERIFY: @__gpuverify_global_requires(i1
  __global_requires(__enabled()); // note
  // VERIFY: @__gpuverify_global_ensures(i1
  __global_ensures(__dominator_enabled()); // note
  return value < limit[0] ? value : limit[0];
}

int4 same(int4 v, __global int *p) {
  // VERIFY: @__gpuverify_return_int4()
  __ensures(__return_val_int4().x == v.x); // note
  __ensures(__return_val_bool());          // note
  // VERIFY: @__gpuverify_return_ptr()
  __ensures(__return_val_ptr() == p); // note
  // VERIFY: @__gpuverify_reads_from_global(ptr addrspace(1)
  __reads_from(p); // note
  // VERIFY: @__gpuverify_writes_to_global(ptr addrspace(1)
  __writes_to(p); // note
  return v;
}

// VERIFY-LABEL: @__clang_ocl_kern_imp_everything(
__kernel void everything(__global int *p, __local int *q, __constant int *c,
                         int n, unsigned u) {
  int own[4] = {1, 2, 3, 4};
  int i, x = get_local_id(0);
  // VERIFY: @__gpuverify_read_local(ptr addrspace(3)
  // VERIFY: @__gpuverify_written_global(ptr addrspace(1)
  __requires(__no_read(q) & __no_write(p)); // note
  // VERIFY: @__gpuverify_read_constant(ptr addrspace(2)
  __requires(__no_read(c)); // note
  // VERIFY: @__gpuverify_fresh_array_global(ptr addrspace(1)
  __requires_fresh_array(p); // note
  // VERIFY: @__gpuverify_assume(i1
  __assume(__is_pow2(n) & __mod_pow2(n, 4) == 0); // note
  // VERIFY: @__gpuverify_uf_half_of(i32
  __assume(half_of(n) < sum_of(u, u)); // note
  // VERIFY: @__gpuverify_array_snapshot_local(
  __array_snapshot(q, q); // note
  // VERIFY: @__gpuverify_atomic_has_taken_global(ptr addrspace(1)
  __assume(__atomic_has_taken_value(p, 0, 1)); // note
  // VERIFY: @__gpuverify_function_invariant(i1
  __function_wide_invariant(__uniform_int(n)); // note
  // VERIFY: @__gpuverify_function_candidate(i1
  __function_wide_candidate_invariant(n > 0); // note

  // HEADER-LABEL: @__clang_ocl_kern_imp_everything(
  // HEADER: for.cond:
  // HEADER-NOT: br
  // HEADER: select i1
  // HEADER-NOT: br
  // HEADER: @__gpuverify_global_candidate(i1
  // HEADER-NOT: br
  // HEADER: br i1 %cmp
  for (i = 0;
       // VERIFY: for.cond:
       // VERIFY: @__gpuverify_invariant(i1
       __invariant(i >= 0), // note
       // VERIFY: @__gpuverify_same_group()
       __invariant(__implies(__same_group, __distinct_int(x))), // note
       // VERIFY: @__gpuverify_written_offset_global(ptr addrspace(1)
       // VERIFY: @__gpuverify_global_invariant(i1
       // clang-format off
       __global_invariant(__write_implies(p,                    // note
           __write_offset_bytes(p) == __ite(n > 3, q[1], q[2]))), // note
       // clang-format on
       // VERIFY: @__gpuverify_read_offset_local(ptr addrspace(3)
       // VERIFY: @__gpuverify_candidate(i1
       __candidate_invariant(                               // note
           __read_implies(q, __read_offset_bytes(q) >= 4)), // note
       // VERIFY: @__gpuverify_global_candidate(i1
       __candidate_global_invariant(__uniform_bool(n > 3)), // note
       // VERIFY: br i1
       i < n;
       i++)
    p[i] = q[i] + clip(x, p) + c[i] + own[i & 3];

  // A load in an assertion is an access, in an unsafe one it is not.
  // VERIFY: for.end:
  // VERIFY-NOT: quiet
  // VERIFY: @__gpuverify_assert(i1
  __assert(p[0] == __other_int(n)); // note
  // VERIFY: @__gpuverify_global_assert(i1
  __global_assert(__all(n < 5) & __exclusive(n == 4)); // note
  // VERIFY: @__gpuverify_quiet_begin()
  // VERIFY: @__gpuverify_assert(i1
  // VERIFY: @__gpuverify_quiet_end()
  __unsafe_assert(__distinct_bool(p[0] == 1)); // note
  __unsafe_global_assert(p[0] == 1);           // note
  __candidate_assert(false);                   // note
  // VERIFY: @__gpuverify_ptr_base_private(
  // VERIFY: @__gpuverify_ptr_offset_global(ptr addrspace(1)
  __assert(__ptr_base(own) != 0 & __ptr_offset_bytes(p) == 0); // note
  // VERIFY: @__gpuverify_other_size(i64
  __assert(__uniform_ptr_base(p)); // note
  // VERIFY: icmp ule i64 {{.*}}, 4294967295
  __assume(__add_noovfl(u, u, n)); // note

  // VERIFY: load volatile i32, ptr addrspace(3)
  __read_permission(int, q[n]); // note
  // VERIFY: @__gpuverify_quiet_begin()
  // VERIFY: @__gpuverify_barrier_invariant(i1
  // VERIFY-NEXT: @__gpuverify_instantiate(i32 noundef 0)
  // VERIFY: @__gpuverify_instantiate(i32
  // VERIFY: @__gpuverify_instantiate(i32
  // VERIFY: @__gpuverify_quiet_end()
  __barrier_invariant_3(q[x] == 0, 0, x, n); // note
  // VERIFY: @__gpuverify_instantiate_pair(i32
  __barrier_invariant_binary_1(q[x] != q[__other_int(x)], // note
                               x, __other_int(x));        // note
  // VERIFY: @__gpuverify_quiet_end()
  // VERIFY-NOT: quiet
  // VERIFY: @_Z7barrierj
  barrier(CLK_LOCAL_MEM_FENCE);

  // VERIFY: @__gpuverify_quiet_begin()
  __non_temporal_loads_begin(); // note
  // VERIFY: @__gpuverify_quiet_end()
  __non_temporal_loads_end(); // note
}
