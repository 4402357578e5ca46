// OpenCL: a flag in a group and between groups.
//
// args:     --detect=races --clang-arg=-cl-std=CL2.0
// verdict:  passed
// prints:   out = 42 42 42
// bug 1:    racy        mem_fence is for the group only
// bug 2:    racy        the fence is for the group only
// bug 3:    racy        no fence behind the flag
// bug 4:    racy        volatile makes nothing atomic

#if BUG == 1
#define RELEASE mem_fence(CLK_GLOBAL_MEM_FENCE)
#elif BUG == 2
#define RELEASE                                                                \
  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release,           \
                         memory_scope_work_group)
#else
#define RELEASE                                                                \
  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release,           \
                         memory_scope_device)
#endif
#if BUG == 4
#define IS_SET(flag) *flag
#else
#define IS_SET(flag) atomic_add(flag, 0)
#endif

__kernel void fences(volatile __global int *flag, __global int *cell,
                     __global int *out) {
  size_t i = get_global_id(0);
  if (i == 0) {
    *cell = 42;
    RELEASE;
    atomic_xchg(flag, 1);
  } else {
    while (!IS_SET(flag)) { // says 4: atomic-read race on 'flag'
    }
#if BUG != 3
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire,
                           memory_scope_device);
#endif
    out[i - 1] = *cell; // says 1,2,3: read-write race on 'cell'
  }
}
