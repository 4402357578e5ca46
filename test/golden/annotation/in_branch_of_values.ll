; // A claim in a branch, when an optimiser has made values of variables: the
; // other thread's value is known only if it is there.
; //
; // args:     --blockDim=64 --gridDim=1
; // verdict:  verified
; // bug 1:    assertion  the other thread need not be there

target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @__gpuverify_other_int(i32)
declare void @__gpuverify_assert(i1 zeroext)

define ptx_kernel void @claim() {
enter:
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %few = icmp ult i32 %thread, 32
  br i1 %few, label %branch, label %end
branch:
  %other = call i32 @__gpuverify_other_int(i32 1)
  %one = icmp eq i32 %other, 1 ; // only 1
  %one = icmp sle i32 %other, 2147483647 ; // not 1
  call void @__gpuverify_assert(i1 zeroext %one)
  br label %end
end:
  ret void
}
