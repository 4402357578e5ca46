; // What an annotation does is left out by others: in code, between the marks.
; //
; // args:     --blockDim=64 --gridDim=1
; // verdict:  verified
; // bug 1:    unknown   it waits

target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @__gpuverify_quiet_begin()
declare void @__gpuverify_quiet_end()
declare void @__gpuverify_assume(i1 zeroext)

define ptx_kernel void @reverse(ptr %a) {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %behind = add i32 %thread, 1
  %own = getelementptr i32, ptr %a, i32 %thread
  %other = getelementptr i32, ptr %a, i32 %behind
  store i32 %thread, ptr %own
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0) ; // not 1
  call void @__gpuverify_quiet_begin()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0) ; // only 1
  call void @__gpuverify_assume(i1 zeroext true)
  call void @__gpuverify_quiet_end()
  store i32 %thread, ptr %other
  ret void
}
