# gpuverify barriers: PTX that is good, racy, or none at all.
# shellcheck shell=sh

# ptx NAME: a kernel of one line more than the usual ones, from standard input.
ptx() {
  {
    cat <<'TEXT'
.version 8.0
.target sm_80
.address_size 64
.visible .entry _Z4pipePi(.param .u64 out) .maxntid 64, 1, 1
{
  .reg .b32 %r<9>;
  .reg .pred %p<3>;
  .shared .align 4 .b8 cell[256];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, cell;
  shl.b32 %r3, %r1, 2;
  add.s32 %r4, %r2, %r3;
  st.shared.u32 [%r4], %r1;
TEXT
    cat
  } >"$1"
}

ptx good.ptx <<'END_OF_PTX'
  bar.sync 0;
  ld.shared.u32 %r5, [cell];
  ret;
}
END_OF_PTX
ptx racy.ptx <<'END_OF_PTX'
  ld.shared.u32 %r5, [cell];
  ret;
}
END_OF_PTX
ptx stuck.ptx <<'END_OF_PTX'
  setp.lt.u32 %p1, %r1, 32;
  @%p1 bar.sync 1, 64;
  ret;
}
END_OF_PTX
ptx strange.ptx <<'END_OF_PTX'
  frobnicate.b32 %r5, %r1;
  st.shared.u32 [%r5], %r1;
  ret;
}
END_OF_PTX
ptx endless.ptx <<'END_OF_PTX'
again:
  st.shared.u32 [%r4], %r1;
  bra again;
}
END_OF_PTX
ptx cut.ptx <<'END_OF_PTX'
  bar.sync
END_OF_PTX
ptx barrier_16.ptx <<'END_OF_PTX'
  bar.sync 16;
  ret;
}
END_OF_PTX
ptx countless.ptx <<'END_OF_PTX'
  bar.arrive 1;
  ret;
}
END_OF_PTX
ptx count_33.ptx <<'END_OF_PTX'
  bar.sync 1, 33;
  ret;
}
END_OF_PTX
ptx outside.ptx <<'END_OF_PTX'
  st.shared.u32 [%r4+4000], %r1;
  ret;
}
END_OF_PTX
ptx nowhere.ptx <<'END_OF_PTX'
  bra nowhere;
}
END_OF_PTX
ptx busy.ptx <<'END_OF_PTX'
again:
  bra again;
}
END_OF_PTX
ptx lines.ptx <<'END_OF_PTX'
  .loc 1 7 3
  ld.shared.u32 %r5, [cell];
  .loc 1 4 9, function_name $L__info_string0, inlined_at 1 9 5
  st.shared.u32 [cell+4], %r5;
  ret;
}
  .file 1 "kernel.cu"
  .section .debug_str
  {
$L__info_string0:
.b8 102,0
  }
END_OF_PTX
head -c 100 good.ptx >cut_header.ptx
sed 's/\.visible \.entry/.func/; s/\.maxntid.*//' good.ptx >functions.ptx
mkdir folder.ptx
grep -v maxntid good.ptx | sed 's/^{/.visible .entry _Z4pipePi(.param .u64 out)\n{/' >sizeless.ptx
printf '.version 99.0\n.target sm_80\n.address_size 64\n' >future.ptx
printf '.version 8.0\n.target sm_80\n.address_size 64\n' >none.ptx
: >empty.ptx
printf 'a\0b' >binary.ptx
cat >swap.cu <<'END_OF_CUDA'
namespace outer {
__global__ void swap(int *out) {
  __shared__ int cell[64];
  cell[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = cell[63 - threadIdx.x];
}
}
void run(int *out) { outer::swap<<<1, 64>>>(out); }
END_OF_CUDA
# The first launch uses the barrier wrongly, the second one races.
cat >launches.cu <<'END_OF_CUDA'
__global__ void share(int *out, int threads, int distance) {
  __shared__ int cell[64];
  cell[threadIdx.x] = threadIdx.x;
  asm volatile("bar.sync 1, %0;" ::"r"(threads) : "memory");
  out[threadIdx.x] = cell[threadIdx.x ^ distance];
  cell[threadIdx.x] = 0;
}
void run(int *out) {
  share<<<1, 64>>>(out, 32, 0);
  share<<<1, 64>>>(out, 64, 32);
}
END_OF_CUDA

gives 0 "verdict: verified for one block (any, nothing is written to global memory, kernel 'pipe'" \
  barriers good.ptx
gives 0 'assuming one-block' barriers good.ptx
gives 0 'for blockDim = (32,1,1)' barriers --blockDim=32 good.ptx
gives 0 'for blockDim = (64,1,1)' barriers swap.cu
gives 1 'verdict: racy' barriers launches.cu
gives 0 "verdict: verified for one block (any, global memory was not looked at, kernel 'swap'" \
  barriers --entry=swap swap.cu
gives 0 '"verdict":"verified for one block"' barriers --json good.ptx
gives 0 '"blocks":{"coverage":"any","looked_at":1,"sentence":"any, nothing is' \
  barriers --json good.ptx
gives 0 '"writes_global":true' barriers --json --entry=swap swap.cu
gives 0 '' barriers --quiet good.ptx
says_not verified
gives 1 'racy.ptx:14:3: read-write race in shared memory' barriers racy.ptx
gives 1 'thread (0,0,0) writes bytes 0..3' barriers racy.ptx
gives 1 'warp 0 waits at bar.sync 1, 64' barriers stuck.ptx
gives 1 'verdict: deadlock' barriers stuck.ptx
gives 1 '"verdict":"deadlock"' barriers --json stuck.ptx
# Who waits for whom, though no warp comes to what it would do behind its wait.
cp "$root/test/barriers/opposite_order.cu" "$root/test/barriers/named.h" \
  "$root/test/barriers/mbarrier.h" .
roles=opposite_order.cu
gives 1 'waits in this circle' barriers -DBUG=1 "$roles"
tells "warp 2 would come ($roles:34:5), but waits in this circle"
tells "warp 0 would come ($roles:21:5), but waits in this circle"
gives 1 '"cycle":[{"block":null,"warp":0},{"block":null,"warp":2}]' \
  barriers --json -DBUG=1 "$roles"
tells '"waits_for":2,"waits_for_block":null,"could_come":[{"block":null,"warp":2},{"block":null,"warp":3}],"comes_at":{"file"'
tells '"generation":0,"met":0,"expected":64,"bytes_missing":0,"waits_for":0'
printf '%s\n' "$out" >roles.jsonl
gives 0 "warp 2: mbarrier at byte 0: 0 of 64 have come in phase 0; warp 0 would come, $roles:21:5" \
  report roles.jsonl --text
gives 0 'Who waits for whom' report roles.jsonl --html=-
gives 0 '"targetNodeId": "2"' report roles.jsonl --sarif=-
gives 1 'has 0 of 64 arrivals; nobody else will come' barriers -DBUG=2 "$roles"
gives 1 '"cycle":null' barriers --json -DBUG=2 "$roles"

gives 1 'bar.sync 1, 64' barriers --dump=programs stuck.ptx
gives 1 'digraph "_Z4pipePi" {' barriers --dump=graph stuck.ptx
gives 1 'w0_0 -> b1_0' barriers --dump=graph stuck.ptx
says_not 'b1_0 -> w0_1'
gives 0 'b0_0 -> w1_1;' barriers --dump=graph good.ptx
gives 4 'not decided' barriers --timeout=2 endless.ptx
gives 2 'the block size is not known: give --blockDim' barriers sizeless.ptx
gives 0 'verified' barriers --blockDim=64 sizeless.ptx
gives 2 'a block has at most 1024 threads' barriers --blockDim=2048 good.ptx
gives 2 '--block is outside the grid' barriers --gridDim=2 --block=5 good.ptx

# Wrong input, one sentence each.
gives 2 'missing.ptx: No such file or directory' barriers missing.ptx
gives 2 'empty.ptx: this file is empty' barriers empty.ptx
gives 2 'binary.ptx: this is no text' barriers binary.ptx
gives 2 'none.ptx: there is no kernel in this file' barriers none.ptx
gives 2 'folder.ptx: this is a folder' barriers folder.ptx
gives 2 'functions.ptx: there is no kernel in this file' barriers functions.ptx
gives 2 'notes.txt: not a .ptx or .cu file' barriers notes.txt
gives 2 'no file is given' barriers
gives 2 '--entry: no kernel is called: nobody' barriers --entry=nobody good.ptx
gives 3 'cut.ptx:15:1: the file ends where an operand should be' \
  barriers cut.ptx
gives 3 'cut_header.ptx:4:57: the file ends where a number should be' \
  barriers cut_header.ptx
gives 3 'future.ptx:1:12: PTX version 99.0, and the newest known' \
  barriers future.ptx
gives 3 "nowhere.ptx:14:7: no label, function or variable 'nowhere'" \
  barriers nowhere.ptx
gives 4 "strange.ptx:14:3: not decided: unknown instruction 'frobnicate.b32" \
  barriers strange.ptx
gives 4 'barrier 16: a block has 0 to 15' barriers barrier_16.ptx
gives 4 "'bar.arrive 1' does not say how many threads the barrier is for" \
  barriers countless.ptx
gives 1 "writes bytes 0..3 ('cell')" barriers racy.ptx
gives 1 'next, in either order' barriers racy.ptx
gives 1 "verdict: racy (possible, kernel 'pipe'" barriers --no-confirm racy.ptx
says_not 'in either order'
gives 1 '"schedule":[{"warp":' barriers --json racy.ptx
gives 1 '"confirmed":false,"replay":null,"schedule":null' \
  barriers --json --confirm=off racy.ptx
gives 4 'which is no multiple of 32' barriers count_33.ptx
gives 4 'are not within its 256 bytes' barriers outside.ptx
gives 4 'a warp is still running after' barriers --timeout=0 busy.ptx
gives 2 'missing.ptx: No such file' barriers good.ptx missing.ptx
gives 1 'verdict: racy' barriers good.ptx racy.ptx strange.ptx

# What LLVM's back end cannot select is no bug of ours.
cat >sine.cu <<'END_OF_CUDA'
__global__ void sine(double *out) { out[0] = __builtin_sinl(out[1]); }
END_OF_CUDA
gives 3 'sine.cu: LLVM cannot make PTX of this: Cannot select: f64 = fsin' \
  barriers --blockDim=32 sine.cu
gives 3 "verdict: racy (confirmed, kernel 'pipe'" barriers sine.cu racy.ptx --blockDim=64
gives 1 'kernel.cu:7:3: read-write race' barriers lines.ptx
gives 1 'kernel.cu:9:5 (' barriers lines.ptx
gives 2 "an option of the proof, not of 'gpuverify barriers'" \
  barriers --only-divergence good.ptx
gives 2 "an option of 'gpuverify barriers'" --entry=pipe swap.cu
gives 2 "did you mean '--blockDim'?" barriers --blokDim=64 good.ptx
gives 0 'usage: gpuverify barriers' barriers --help

# load FENCE: a bulk copy for an mbarrier with FENCE behind its initialisation.
load() {
  cat <<END_OF_PTX
.version 8.0
.target sm_90
.address_size 64
.visible .entry load(.param .u64 in) .maxntid 32, 1, 1
{
  .reg .b64 %d<2>;
  .reg .b32 %r<2>;
  .reg .pred %p<3>;
  .shared .align 16 .b8 tile[128];
  .shared .align 8 .b64 full;
  ld.param.u64 %d1, [in];
  mov.u32 %r1, %tid.x;
  setp.eq.u32 %p1, %r1, 0;
  @%p1 mbarrier.init.shared.b64 [full], 1;
  $1
  bar.sync 0;
  @%p1 mbarrier.arrive.expect_tx.shared.b64 _, [full], 128;
  @%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%d1], 128, [full];
again:
  mbarrier.try_wait.parity.shared.b64 %p2, [full], 0;
  @!%p2 bra again;
  ret;
}
END_OF_PTX
}
load '' >unfenced.ptx
load fence.mbarrier_init.release.cluster\; >fence_init.ptx
load fence.proxy.async\; >fenced.ptx
gives 0 'assuming one-block, mbarrier-init' barriers unfenced.ptx
gives 0 '"mbarrier-init"' barriers --json unfenced.ptx
gives 0 'assuming one-block, mbarrier-init' barriers fence_init.ptx
gives 0 'assuming one-block' barriers fenced.ptx
says_not 'mbarrier-init'
ptx registers.ptx <<'END_OF_PTX'
  setmaxnreg.dec.sync.aligned.u32 40;
  ret;
}
END_OF_PTX
gives 0 'verdict: verified' barriers --registers=168 registers.ptx
gives 4 '170 registers of a thread at launch, which is no multiple of 8' \
  barriers --registers=170 registers.ptx
cat >cluster.ptx <<'END_OF_PTX'
.version 8.0
.target sm_90
.address_size 64
.visible .entry ring() .maxntid 32, 1, 1
{
  .reg .b32 %r<9>;
  .shared .align 4 .b8 cell[128];
  mov.u32 %r1, %tid.x;
  shl.b32 %r2, %r1, 2;
  mov.u32 %r3, cell;
  add.s32 %r4, %r3, %r2;
  st.shared.u32 [%r4], %r1;
  barrier.cluster.arrive.aligned;
  barrier.cluster.wait.aligned;
  mov.u32 %r5, %cluster_ctarank;
  mov.u32 %r6, %cluster_nctarank;
  add.u32 %r5, %r5, 1;
  rem.u32 %r5, %r5, %r6;
  mapa.shared::cluster.u32 %r7, %r4, %r5;
  ld.shared::cluster.u32 %r8, [%r7];
  barrier.cluster.arrive.aligned;
  barrier.cluster.wait.aligned;
  ret;
}
END_OF_PTX
gives 0 'assuming one-block, no-clusters' barriers cluster.ptx
gives 0 'block (0,0,0) and its cluster of 3 blocks of (3,1,1)' \
  barriers --clusterDim=3 cluster.ptx
says_not 'no-clusters'
gives 0 '"cluster":[2,2,1]' barriers --clusterDim=2,2 --json cluster.ptx
gives 4 'a cluster of 17 blocks and 17 warps in all' \
  barriers --clusterDim=17 cluster.ptx
gives 2 'the grid is no multiple of the cluster' \
  barriers --clusterDim=2 --gridDim=3 cluster.ptx
sed 's/ld.shared::cluster/ld.shared::cta/' cluster.ptx >own.ptx
gives 4 "'ld' at an address in shared memory of another block" \
  barriers --clusterDim=2 own.ptx
sed '/^  barrier/d' cluster.ptx >alone.ptx
gives 1 'which may not have begun yet' barriers --clusterDim=2 alone.ptx
gives 1 'which may have ended' barriers --clusterDim=2 alone.ptx
gives 2 '--kernel-args: no kernel is called: nobody' \
  barriers --kernel-args=nobody,1 cluster.ptx
gives 2 "--kernel-args has 1 values and the kernel has 0 parameters" \
  barriers --kernel-args=ring,1 cluster.ptx
cat >whole_grid.ptx <<'END_OF_PTX'
.version 8.0
.target sm_80
.address_size 64
.visible .entry whole() .maxntid 1024
{
  .reg .b32 %r<4>;
  .reg .pred %p<2>;
  .shared .align 4 .b8 cells[4096];
  mov.u32 %r1, %ctaid.x;
next:
  mov.u32 %r2, %nctaid.x;
  bar.sync 0;
  add.u32 %r1, %r1, %r2;
  setp.lt.u32 %p1, %r1, 4096;
  @%p1 bra next;
  ret;
}
END_OF_PTX
gives 4 'by a block that does the work of the whole grid (see --gridDim)' \
  barriers --memory=4 whole_grid.ptx
gives 0 'verified' barriers --memory=4 --gridDim=512 whole_grid.ptx

# Where the number of the block decides, other blocks are looked at, too.
cat >numbered.cu <<'END_OF_CUDA'
__global__ void __launch_bounds__(64) numbered(int *out, int n) {
  __shared__ int cell[64];
  if (blockIdx.x == N)
    cell[0] = threadIdx.x;
  asm volatile("bar.sync 1, 64;" ::: "memory");
  if (blockIdx.x == 0)
    asm volatile("bar.sync 2, 64;" ::: "memory");
#ifdef OUT
  out[threadIdx.x] = cell[threadIdx.x];
#endif
}
END_OF_CUDA
none='nothing is written to global memory'
gives 1 'in block (1,0,0) of (2,1,1)' barriers -DN=1 --gridDim=2 numbered.cu
gives 1 'in block (1,0,0) of (2,1,1)' barriers -DN=1 numbered.cu
gives 1 'in block (9,0,0) of (10,1,1)' barriers -DN=9 --gridDim=10 numbered.cu
gives 1 '"block":[1,0,0]' barriers --json -DN=1 --gridDim=2 numbered.cu
gives 1 'verdict: racy' barriers --one-block --block=1 -DN=1 --gridDim=2 numbered.cu
says_not 'in block'
gives 0 "verified for one block (each of (2,1,1), $none, kernel" \
  barriers -DN=2 --gridDim=2 numbered.cu
gives 0 '"coverage":"each","looked_at":2' \
  barriers --json -DN=2 --gridDim=2 numbered.cu
gives 0 "verified for one block (6 of (1000,1,1), not the others, $none, kernel" \
  barriers -DN=77 --gridDim=1000 numbered.cu
gives 0 "verified for one block (6 of small grids, not the others, $none, kernel" \
  barriers -DN=77 numbered.cu
gives 0 "verified for one block ((0,0,0) of (2,1,1), not the others, $none, kernel" \
  barriers --one-block -DN=1 --gridDim=2 numbered.cu
gives 0 '"coverage":"some","looked_at":1' \
  barriers --one-block --json -DN=1 --gridDim=2 numbered.cu

# Places are files that are there, wherever we are; the kernel's is its line in CUDA.
mkdir -p apart/inc apart/src apart/here
echo '__device__ inline void put(int *s, int v) { s[0] = s[1] + v; }' >apart/inc/put.h
cat >apart/src/called.cu <<'END_OF_CUDA'
#include "../inc/put.h"
__global__ void k() {
  __shared__ int s[64];
  s[threadIdx.x] = 1;
  asm volatile("bar.sync 1, 64;" ::: "memory");
  put(s, threadIdx.x);
}
END_OF_CUDA
apart=$PWD/apart
cd apart/here || exit
gives 1 "$apart/src/called.cu:6:3: write-write race" barriers -nocudainc --blockDim=64 \
  "$apart/src/called.cu"
gives 1 '../src/called.cu:6:3: write-write race' barriers -nocudainc --blockDim=64 \
  ../src/called.cu
gives 1 '"where":{"file":"../src/called.cu","line":4,' barriers -nocudainc --json \
  --blockDim=64 ../src/called.cu
cd ../..
