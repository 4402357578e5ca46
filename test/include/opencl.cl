// OpenCL C needs no header of ours: clang's own builtins under spir64.
//
// The comments say what the translator meets; the names are mangled as in
// C++, and the address space is part of a pointer's type (AS1 global, AS3
// local).

// CHECK-LABEL: @__clang_ocl_kern_imp_ids(
__kernel void ids(__global size_t *p, uint dimension) {
  // CHECK: call spir_func i64 @_Z13get_global_idj(i32
  // CHECK: call spir_func i64 @_Z12get_local_idj(i32
  // CHECK: call spir_func i64 @_Z12get_group_idj(i32
  p[0] = get_global_id(0) + get_local_id(1) + get_group_id(2);
  // CHECK: call spir_func i64 @_Z15get_global_sizej(i32
  // CHECK: call spir_func i64 @_Z14get_local_sizej(i32
  // CHECK: call spir_func i64 @_Z14get_num_groupsj(i32
  p[1] = get_global_size(0) + get_local_size(1) + get_num_groups(2);
  // CHECK: call spir_func i64 @_Z17get_global_offsetj(i32
  // CHECK: call spir_func i32 @_Z12get_work_dimv()
  p[2] = get_global_offset(dimension) + get_work_dim();
}

// CHECK-LABEL: @__clang_ocl_kern_imp_barriers(
__kernel void barriers(__global int *g, __local int *l) {
  // CHECK: call spir_func void @_Z7barrierj(i32 noundef 1)
  barrier(CLK_LOCAL_MEM_FENCE);
  // CHECK: call spir_func void @_Z7barrierj(i32 noundef 3)
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  // CHECK: call spir_func void @_Z9mem_fencej(i32
  mem_fence(CLK_GLOBAL_MEM_FENCE);
#if __OPENCL_C_VERSION__ >= 200
  // CL20: call spir_func void @_Z18work_group_barrierj(i32
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
#endif
}

// CHECK-LABEL: @__clang_ocl_kern_imp_atomics(
__kernel void atomics(__global int *g, volatile __local uint *l) {
  // CHECK: call spir_func i32 @_Z10atomic_addPU3AS1Vii(ptr addrspace(1)
  atomic_add(g, 1);
  // CHECK: call spir_func i32 @_Z10atomic_incPU3AS3Vj(ptr addrspace(3)
  atomic_inc(l);
  // CHECK: call spir_func i32 @_Z14atomic_cmpxchgPU3AS1Viii(ptr addrspace(1)
  atomic_cmpxchg(g, 1, 2);
  // CHECK: call spir_func i32 @_Z11atomic_xchgPU3AS3Vjj(ptr addrspace(3)
  atomic_xchg(l, 1);
  // CHECK: call spir_func i32 @_Z10atomic_maxPU3AS1Vii(ptr addrspace(1)
  atomic_max(g, 1);
}

#if __OPENCL_C_VERSION__ >= 200
// CL20-LABEL: @__clang_ocl_kern_imp_generic_atomics(
__kernel void generic_atomics(__global atomic_int *g, __global int *p) {
  // CL20: call spir_func i32 @_Z16atomic_fetch_addPU3AS4VU7_Atomicii(
  atomic_fetch_add(g, 1);
  // CL20: @_Z25atomic_fetch_add_explicitPU3AS4VU7_Atomicii12memory_order{{.*}}(
  atomic_fetch_add_explicit(g, 1, memory_order_relaxed,
                            memory_scope_work_group);
  // CL20: @_Z15atomic_exchangePU3AS4VU7_Atomicii(
  atomic_exchange(g, 1);
  // CL20: @_Z11atomic_loadPU3AS4VU7_Atomici(
  p[0] = atomic_load(g);
  // CL20: @_Z12atomic_storePU3AS4VU7_Atomicii(
  atomic_store(g, 1);
  // CL20: call spir_func i32 @_Z21work_group_reduce_addi(i32
  p[1] = work_group_reduce_add(p[1]);
  // CL20: call spir_func i32 @_Z14work_group_anyi(i32
  p[2] = work_group_any(p[2]);
}

#pragma OPENCL EXTENSION cl_khr_subgroups : enable
// CL20-LABEL: @__clang_ocl_kern_imp_sub_groups(
__kernel void sub_groups(__global int *p) {
  // CL20: @_Z17sub_group_barrierj(i32
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  // CL20: @_Z22get_sub_group_local_idv()
  p[0] = get_sub_group_local_id() + get_sub_group_id();
  // CL20: @_Z20sub_group_reduce_addi(i32
  p[1] = sub_group_reduce_add(p[1]);
  // CL20: @_Z19sub_group_broadcastij(i32
  p[2] = sub_group_broadcast(p[2], 0);
}
#endif

// CHECK-LABEL: @__clang_ocl_kern_imp_copies(
__kernel void copies(__global float *g, __local float *l) {
  // CHECK: @_Z21async_work_group_copyPU3AS3fPU3AS1Kfm9ocl_event(ptr
  // addrspace(3)
  event_t e = async_work_group_copy(l, g, 64, 0);
  // CHECK: @_Z29async_work_group_strided_copyPU3AS1fPU3AS3Kfmm9ocl_event(
  e = async_work_group_strided_copy(g, l, 64, 2, e);
  // CHECK: @_Z17wait_group_eventsi
  wait_group_events(1, &e);
}

// CHECK-LABEL: @__clang_ocl_kern_imp_images(
__kernel void images(__read_only image2d_t in, __write_only image2d_t out,
                     sampler_t sampler) {
  const int2 at = (int2)(get_global_id(0), get_global_id(1));
  // CHECK: @_Z11read_imagef14ocl_image2d_ro11ocl_samplerDv2_i(
  // CHECK: @_Z12write_imagef14ocl_image2d_woDv2_iDv4_f(
  write_imagef(out, at, read_imagef(in, sampler, at));
  // CHECK: @_Z15get_image_width14ocl_image2d_ro(
  if (get_image_width(in) < 4)
    write_imagef(out, at, (float4)(0.0f));
}

// CHECK-LABEL: @__clang_ocl_kern_imp_values(
__kernel void values(__global float4 *f, __global int *i) {
  // CHECK: @_Z3sinDv4_f(
  f[0] = sin(f[0]);
  // CHECK: @_Z3minii(
  i[0] = min(i[0], 3);
  // CHECK: @_Z5mul24ii(
  i[1] = mul24(i[1], 3);
  f[1] = convert_float4(as_int4(f[1]));
}
