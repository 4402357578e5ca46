// A function whose name begins like one of OpenCL's is another one.
//
// args:     --local_size=64 --num_groups=1 --clang-arg=-cl-std=CL2.0
// verdict:  verified
// bug 1:    unknown    atomic_...
// bug 2:    unknown    vload...
// bug 3:    unknown    work_group_...
// bug 4:    unknown    read_image...
// bug 5:    divergent  its result need not be one of its arguments
// bug 6:    divergent  ... though its name begins like a conversion's

__attribute__((overloadable)) int atomic_update(global int *p);
__attribute__((overloadable)) int vload_all(global int *p);
__attribute__((overloadable)) int work_group_reduce_all(global int *p);
__attribute__((overloadable)) int read_image_of(global int *p);
__attribute__((const)) int place_of(int x);
__attribute__((overloadable, const)) int convert_int_of(int x);

kernel void k(global int *a, float f) {
  int t = get_local_id(0);
#if BUG == 0
  if (place_of(t) > 3 && convert_int(sin(f)) > 1)
    a[t] = mul_hi(t, 7);
  if (native_sin(f) > 0.5f && convert_uchar4_sat_rte((float4)f).x > 3)
    barrier(CLK_LOCAL_MEM_FENCE);
#elif BUG == 1
  a[t] = atomic_update(a);
#elif BUG == 2
  a[t] = vload_all(a);
#elif BUG == 3
  a[t] = work_group_reduce_all(a);
#elif BUG == 4
  a[t] = read_image_of(a);
#elif BUG == 5
  if (place_of(3) == 7)
    barrier(CLK_LOCAL_MEM_FENCE); // expect 5: barrier divergence
#elif BUG == 6
  if (convert_int_of(3) == 7)
    barrier(CLK_LOCAL_MEM_FENCE); // expect 6: barrier divergence
#endif
}
