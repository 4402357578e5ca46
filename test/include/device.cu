// CUDA's device functions without the SDK, and what becomes of each in IR.
//
// The comments are the contract with the translator: the table at the top of
// include/gpuverify/cuda.h and its parts.

// CHECK-LABEL: @_Z8barriers
__global__ void barriers(int *p, unsigned mask) {
  // CHECK: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  __syncthreads();
  // CHECK: call {{.*}}i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32 0, i1
  p[0] = __syncthreads_count(p[0]);
  // CHECK: call {{.*}}i1 @llvm.nvvm.barrier.cta.red.and.aligned.all(i32 0, i1
  p[1] = __syncthreads_and(p[1]);
  // CHECK: call {{.*}}i1 @llvm.nvvm.barrier.cta.red.or.aligned.all(i32 0, i1
  p[2] = __syncthreads_or(p[2]);
  // CHECK: call void @llvm.nvvm.bar.warp.sync(i32
  __syncwarp();
  // CHECK: call void @llvm.nvvm.bar.warp.sync(i32
  __syncwarp(mask);
  // CHECK: call void @llvm.nvvm.barrier.cta.sync.all(i32
  __barrier_sync(1);
  // CHECK: call void @llvm.nvvm.barrier.cta.sync.count(i32
  __barrier_sync_count(1, 64);
  // CHECK: call void @llvm.nvvm.membar.cta()
  __threadfence_block();
  // CHECK: call void @llvm.nvvm.membar.gl()
  __threadfence();
  // CHECK: call void @llvm.nvvm.membar.sys()
  __threadfence_system();
}

// CHECK-LABEL: @_Z5ident
__global__ void ident(unsigned *p) {
  // CHECK: call {{.*}}@llvm.nvvm.read.ptx.sreg.tid.x()
  // CHECK: call {{.*}}@llvm.nvvm.read.ptx.sreg.ctaid.y()
  // CHECK: call {{.*}}@llvm.nvvm.read.ptx.sreg.ntid.z()
  // CHECK: call {{.*}}@llvm.nvvm.read.ptx.sreg.nctaid.x()
  p[0] = threadIdx.x + blockIdx.y + blockDim.z + gridDim.x;
  uint3 thread = threadIdx;
  dim3 size = blockDim;
  p[1] = thread.x + size.y + warpSize;
}

// CHECK-LABEL: @_Z14device_atomics
__global__ void device_atomics(int *i, unsigned *u, unsigned long long *l,
                               long long *s, float *f, double *d,
                               unsigned short *h) {
  // CHECK: atomicrmw add ptr {{.*}} monotonic, align 4
  atomicAdd(i, 1);
  // CHECK: atomicrmw add ptr
  atomicAdd(u, 1u);
  // CHECK: atomicrmw add ptr {{.*}} i64 {{.*}} monotonic, align 8
  atomicAdd(l, 1ull);
  // CHECK: atomicrmw fadd ptr {{.*}} float
  atomicAdd(f, 1.0f);
  // CHECK: atomicrmw fadd ptr {{.*}} double
  atomicAdd(d, 1.0);
  // CHECK: atomicrmw sub ptr
  atomicSub(i, 1);
  // CHECK: atomicrmw sub ptr
  atomicSub(u, 1u);
  // CHECK: atomicrmw xchg ptr
  atomicExch(i, 1);
  // CHECK: atomicrmw xchg ptr {{.*}} i64
  atomicExch(l, 1ull);
  // CHECK: atomicrmw xchg ptr
  atomicExch(f, 1.0f);
  // CHECK: atomicrmw min ptr {{.*}} i32
  atomicMin(i, 1);
  // CHECK: atomicrmw umin ptr {{.*}} i32
  atomicMin(u, 1u);
  // CHECK: atomicrmw max ptr {{.*}} i64
  atomicMax(s, 1ll);
  // CHECK: atomicrmw umax ptr {{.*}} i64
  atomicMax(l, 1ull);
  // CHECK: atomicrmw and ptr
  atomicAnd(i, 1);
  // CHECK: atomicrmw or ptr
  atomicOr(u, 1u);
  // CHECK: atomicrmw xor ptr {{.*}} i64
  atomicXor(l, 1ull);
  // CHECK: atomicrmw uinc_wrap ptr
  atomicInc(u, 7u);
  // CHECK: atomicrmw udec_wrap ptr
  atomicDec(u, 7u);
  // CHECK: cmpxchg ptr {{.*}} i32 {{.*}} monotonic monotonic
  atomicCAS(i, 1, 2);
  // CHECK: cmpxchg ptr {{.*}} i64
  atomicCAS(l, 1ull, 2ull);
  // CHECK: cmpxchg ptr {{.*}} i16
  atomicCAS(h, (unsigned short)1, (unsigned short)2);
  // CHECK: ret void
}

// CHECK-LABEL: @_Z14scoped_atomics
__global__ void scoped_atomics(int *i, unsigned *u, unsigned long long *l,
                               float *f, double *d) {
  // CHECK-NOT: atomicrmw
  // CHECK-NOT: cmpxchg
  // CHECK: call {{.*}}i32 @llvm.nvvm.atomic.add.gen.i.cta.i32.p0(ptr
  atomicAdd_block(i, 1);
  // CHECK: call {{.*}}float @llvm.nvvm.atomic.add.gen.f.sys.f32.p0(ptr
  atomicAdd_system(f, 1.0f);
  // CHECK: call {{.*}}double @llvm.nvvm.atomic.add.gen.f.cta.f64.p0(ptr
  atomicAdd_block(d, 1.0);
  // CHECK: sub i32 0,
  // CHECK: call {{.*}}i32 @llvm.nvvm.atomic.add.gen.i.sys.i32.p0(ptr
  atomicSub_system(u, 1u);
  // CHECK: call {{.*}}i64 @llvm.nvvm.atomic.exch.gen.i.cta.i64.p0(ptr
  atomicExch_block(l, 1ull);
  // CHECK: call {{.*}}i32 @llvm.nvvm.atomic.max.gen.i.cta.i32.p0(ptr
  atomicMax_block(i, 1);
  // CHECK: call {{.*}}i32 @llvm.nvvm.atomic.min.gen.i.sys.i32.p0(ptr
  atomicMin_system(u, 1u);
  // CHECK: call {{.*}}i32 @llvm.nvvm.atomic.and.gen.i.cta.i32.p0(ptr
  atomicAnd_block(u, 1u);
  // CHECK: call {{.*}}i32 @llvm.nvvm.atomic.or.gen.i.cta.i32.p0(ptr
  atomicOr_block(u, 1u);
  // CHECK: call {{.*}}i32 @llvm.nvvm.atomic.xor.gen.i.cta.i32.p0(ptr
  atomicXor_block(u, 1u);
  // CHECK: call {{.*}}i32 @llvm.nvvm.atomic.inc.gen.i.cta.i32.p0(ptr
  atomicInc_block(u, 7u);
  // CHECK: call {{.*}}i32 @llvm.nvvm.atomic.dec.gen.i.sys.i32.p0(ptr
  atomicDec_system(u, 7u);
  // CHECK: call {{.*}}i64 @llvm.nvvm.atomic.cas.gen.i.sys.i64.p0(ptr
  atomicCAS_system(l, 1ull, 2ull);
  // CHECK-NOT: atomicrmw
  // CHECK: ret void
}

// CHECK-LABEL: @_Z5warps
__global__ void warps(int *i, unsigned *u, double *d, unsigned mask) {
  // CHECK: call {{.*}}i32 @llvm.nvvm.shfl.sync.idx.i32(i32 {{.*}}, i32 {{.*}},
  // i32
  i[0] = __shfl_sync(mask, i[0], 1);
  // CHECK: call {{.*}}i32 @llvm.nvvm.shfl.sync.up.i32(
  u[0] = __shfl_up_sync(mask, u[0], 1);
  // CHECK: call {{.*}}float @llvm.nvvm.shfl.sync.down.f32(
  d[0] = __shfl_down_sync(mask, 1.0f, 1, 16);
  // CHECK-COUNT-2: call {{.*}}i32 @llvm.nvvm.shfl.sync.bfly.i32(
  d[1] = __shfl_xor_sync(mask, d[2], 1);
  // CHECK: call {{.*}}i32 @llvm.nvvm.shfl.bfly.i32(
  i[1] = __shfl_xor(i[1], 1);
  // CHECK: call {{.*}}i1 @llvm.nvvm.vote.all.sync(i32
  i[2] = __all_sync(mask, i[2]);
  // CHECK: call {{.*}}i1 @llvm.nvvm.vote.any.sync(i32
  i[3] = __any_sync(mask, i[3]);
  // CHECK: call {{.*}}i1 @llvm.nvvm.vote.uni.sync(i32
  i[4] = __uni_sync(mask, i[4]);
  // CHECK: call {{.*}}i32 @llvm.nvvm.vote.ballot.sync(i32
  u[5] = __ballot_sync(mask, i[5]);
  // CHECK: call {{.*}}i32 @llvm.nvvm.activemask()
  u[6] = __activemask();
  // CHECK: call {{.*}}i32 @llvm.nvvm.match.any.sync.i32(
  u[7] = __match_any_sync(mask, i[7]);
  // CHECK: call {{.*}}@llvm.nvvm.match.all.sync.i64p(
  u[8] = __match_all_sync(mask, d[8], i);
#if __CUDA_ARCH__ >= 800
  // SM80: call {{.*}}i32 @llvm.nvvm.redux.sync.add(
  u[9] = __reduce_add_sync(mask, u[9]);
  // SM80: call {{.*}}i32 @llvm.nvvm.redux.sync.max(
  i[9] = __reduce_max_sync(mask, i[9]);
#endif
}

// CHECK-LABEL: @_Z6values
__global__ void values(int *i, unsigned *u, float *f, double *d) {
  // CHECK: call {{.*}}@__nv_sinf(
  f[0] = sinf(f[0]);
  // CHECK: call {{.*}}@__nv_fast_expf(
  f[1] = __expf(f[1]);
  // CHECK: call {{.*}}@__nv_sqrt(
  d[0] = sqrt(d[0]);
  // CHECK: call {{.*}}@__nv_powf(
  f[2] = powf(f[2], 2.0f);
  // CHECK: call {{.*}}@__nv_fmaf(
  f[3] = fmaf(f[0], f[1], f[2]);
  // CHECK: call {{.*}}@__nv_popc(
  i[0] = __popc(u[0]);
  // CHECK: call {{.*}}@__nv_clz(
  i[1] = __clz(i[1]);
  // CHECK: call {{.*}}@__nv_ffs(
  i[2] = __ffs(i[2]);
  // CHECK: call {{.*}}@__nv_brev(
  u[1] = __brev(u[1]);
  // CHECK: call {{.*}}@__nv_mul24(
  i[3] = __mul24(i[3], 5);
  // CHECK: call {{.*}}@__nv_umul24(
  u[2] = __umul24(u[2], 5);
  // CHECK: call {{.*}}@__nv_mulhi(
  i[4] = __mulhi(i[4], 5);
  // CHECK: call {{.*}}@__nv_byte_perm(
  u[3] = __byte_perm(u[3], 1, 2);
  u[4] = __funnelshift_l(u[3], u[4], 5) + __funnelshift_rc(u[3], u[4], 40);
  // CHECK: call {{.*}}@__nv_min(
  i[5] = min(i[5], 4);
  i[6] = max(3u, 4) + (int)min(1.0f, 2.0) + abs(i[5]) + (int)fabs(f[3]);
  f[4] = __ldg(f + 4) + __int_as_float(i[6]) + (float)clock64();
  float4 four = make_float4(1, 2, 3, 4);
  f[5] = four.w;
}

// CHECK-LABEL: @_Z4heap
__global__ void heap(int n) {
  // CHECK: call {{.*}}@_Znam(
  int *own = new int[n];
  own[0] = n;
  // CHECK: call {{.*}}@vprintf(
  printf("%d\n", own[0]);
  // CHECK: call {{.*}}@_ZdaPv(
  delete[] own;
  // CHECK: call {{.*}}@__assertfail(
  assert(n > 0);
}
// CHECK: define {{.*}}@_Znam(
// CHECK: call {{.*}}@malloc(
// CHECK: define {{.*}}@_ZdaPv(
// CHECK: call {{.*}}@free(

__constant__ int table[4] = {1, 2, 3, 4};
__device__ __managed__ int both;

// CHECK-LABEL: @_Z6memory
__global__ void __launch_bounds__(128, 2)
    memory(const int *__restrict__ p, cudaTextureObject_t texture) {
  extern __shared__ int dynamic[];
  __shared__ __align__(16) char fixed[32];
  fixed[threadIdx.x] = (char)p[0];
  dynamic[threadIdx.x] = table[p[1]] + both + fixed[0];
  // CHECK: call void @__gpuverify_any(ptr {{.*}}, i64
  dynamic[1] = (int)tex2D<float>(texture, 1.0f, 2.0f);
}
