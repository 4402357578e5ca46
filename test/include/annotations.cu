// Annotations in CUDA C++: what differs from OpenCL C.
//
// The comments and the lines that end in "note" are for the same two
// tests as in annotations.cl.

__axiom(blockDim.x == 64);                               // note
DECLARE_UF_BINARY(sum_of, unsigned, unsigned, unsigned); // note

// VERIFY: define {{.*}}i1 @__gpuverify_axiom_0()
// VERIFY: @llvm.nvvm.read.ptx.sreg.ntid.x()

struct Arrays {
  int *p;
  int *q[2];
};

typedef int (*Function)(int);
__device__ int twice(int x) { return 2 * x; }

__device__ Function choose(int i) {
  // VERIFY: @__gpuverify_return_ptr()
  __ensures(__return_val_funptr(Function) == twice); // note
  __requires(i != 0);                                // note
  return i == 0 ? nullptr : twice;
}

// One line makes the primitives of a template's instance, too.
template <class T> __device__ T clip(T value, const T *limit) {
  __requires(value >= 0 & limit[0] > 0); // note
  return value < limit[0] ? value : limit[0];
}

// VERIFY-LABEL: define {{.*}}ptx_kernel void @_Z10everything
__global__ void everything(Arrays a, int *p, int n) {
  __shared__ int s[64];
  const int x = threadIdx.x;
  // VERIFY: @__gpuverify_fresh_array(ptr
  __requires_fresh_array(a.q[1]); // note
  // VERIFY: @__gpuverify_read(ptr
  __requires(__no_read(p) & __no_write(s)); // note
  // VERIFY: @__gpuverify_uf_sum_of(i32
  __assume(sum_of(n, n) > 3); // note
  // HEADER-LABEL: @_Z10everything
  // HEADER: for.cond:
  // HEADER-NOT: br
  // HEADER: select i1
  // HEADER-NOT: br
  // HEADER: @__gpuverify_written_offset(ptr
  // HEADER-NOT: br
  // HEADER: br i1 %cmp
  for (int i = 0;
       // VERIFY: @__gpuverify_quiet_begin()
       // VERIFY: @__gpuverify_invariant(i1
       // VERIFY: @__gpuverify_quiet_end()
       __invariant(i >= __ite(n > 0, 0, p[0])), // note
       // VERIFY: @__gpuverify_written(ptr
       // VERIFY: @__gpuverify_written_offset(ptr
       __invariant(__write_implies(p, __write_offset_bytes(p) < 9)), // note
       i < n;
       i++)
    p[i] = clip(s[i], p) + choose(1)(i);
  // VERIFY: @__gpuverify_barrier_invariant(i1
  // VERIFY: @__gpuverify_instantiate(i32
  __barrier_invariant_1(s[x] == __ite(n > 3, 1, s[0]), x); // note
  // VERIFY: @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  __syncthreads();
  // VERIFY: @__gpuverify_assert(i1
  __assert(__implies(__same_group, __all(s[x] < 5))); // note
}

// VERIFY: define {{.*}}@_Z4clipIiET_S0_PKS0_
// VERIFY: @__gpuverify_requires(i1
