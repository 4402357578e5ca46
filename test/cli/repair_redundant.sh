# Barriers that a kernel can do without, of CUDA and of PTX.
# shellcheck shell=sh

cat >thin.cu <<'CU'
__device__ void settle() { __syncthreads(); }
__global__ void thin(int *out) {
  __shared__ int tile[128];
  __syncthreads();
  tile[threadIdx.x] = 1;
  __syncthreads();
  settle();
  out[blockIdx.x * blockDim.x + threadIdx.x] = tile[127 - threadIdx.x];
}
__global__ void other(int *out) {
  __shared__ int tile[128];
  tile[threadIdx.x] = 1;
  settle();
  out[blockIdx.x * blockDim.x + threadIdx.x] = tile[127 - threadIdx.x];
}
CU
cp thin.cu whole.cu
options='--no-confirm --blockDim=128 --gridDim=8'

# `other` needs what `thin` can do without.
# shellcheck disable=SC2086
gives 0 "redundant: 2 of the 3 barriers of kernel 'thin', 2 of them together" \
  repair --redundant-barriers $options thin.cu
tells "thin.cu:4:3: redundant barrier '__syncthreads'"
tells "thin.cu:6:3: redundant barrier '__syncthreads'"
says_not 'thin.cu:1:28'
tells "redundant: 0 of the 1 barriers of kernel 'other'"
check 'the file is what it was' cmp thin.cu whole.cu
# shellcheck disable=SC2086
gives 0 '"left_out":true' repair --redundant-barriers $options --json thin.cu
tells '"redundant":{"barriers":[{"barrier":"__syncthreads","where":{'
# shellcheck disable=SC2086
gives 0 'together' repair --redundant-barriers $options --export-fixes=fixes.yaml thin.cu
check 'they are one change' grep -q \
  "Message: .*leave out 2 barriers: kernel ''thin'' is verified then" fixes.yaml
check 'of both' test "$(grep -c 'ReplacementText: ""' fixes.yaml)" = 2
# shellcheck disable=SC2086
gives 0 'the file is changed' repair --redundant-barriers --fix $options thin.cu
# shellcheck disable=SC2086
gives 0 "redundant: 0 of the 1 barriers of kernel 'thin'" \
  repair --redundant-barriers $options thin.cu

# Each of two may go, but not both; and what is not verified has none.
cat >either.cl <<'CL'
__kernel void either(__global int *out) {
  __local int tile[64];
  tile[get_local_id(0)] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = tile[63 - get_local_id(0)];
}
__kernel void racy(__global int *out) {
  out[get_local_id(0)] = get_group_id(0);
  barrier(CLK_GLOBAL_MEM_FENCE);
}
CL
gives 1 "redundant: 2 of the 2 barriers of kernel 'either', 1 of them together" \
  repair --redundant-barriers --no-confirm --local_size=64 --num_groups=2 \
  either.cl
says_not "barriers of kernel 'racy'"

cat >two.ptx <<'PTX'
.version 7.0
.target sm_80
.address_size 64
.func settle()
{
	bar.sync 1;
	ret;
}
.visible .entry two(.param .u64 two_out)
{
	.reg .b32 %r<6>;
	.shared .align 4 .b8 tile[256];
	mov.u32 %r1, %tid.x;
	shl.b32 %r2, %r1, 2;
	mov.u32 %r3, tile;
	add.u32 %r4, %r3, %r2;
	bar.sync 0; // bar.sync 3;
	st.shared.u32 [%r4], %r1;
	membar.cta; /* bar.sync 4; */
	bar.sync 0;
	ld.shared.u32 %r5, [tile];
	ret;
}
.visible .entry one()
{
	call settle;
	ret;
}
PTX
cp two.ptx whole.ptx
gives 0 "two.ptx:17:2: redundant barrier 'bar.sync'" \
  repair --redundant-barriers --blockDim=64 two.ptx
tells "two.ptx:19:2: redundant barrier 'membar.cta'"
tells "redundant: 2 of the 3 barriers of kernel 'two', 2 of them together"
tells "redundant: 1 of the 1 barriers of kernel 'one'"
check 'the file is what it was' cmp two.ptx whole.ptx
gives 2 'of PTX redundant barriers are told, and none is taken out' \
  repair --redundant-barriers --fix --blockDim=64 two.ptx
check 'the file still is what it was' cmp two.ptx whole.ptx
