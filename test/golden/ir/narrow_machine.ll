; // A machine whose pointers have 32 bits, as short_pointers.ll.
; //
; // args:     --blockDim=64 --gridDim=1
; // verdict:  verified
; // bug 1:    racy       all threads have the place with index 0

target datalayout = "e-p:32:32-i64:64-n16:32:64"
target triple = "nvptx-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @fill(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %wide = zext i32 %t to i64
  %index = shl i64 %wide, 2 ; // not 1
  %index = shl i64 %wide, 32 ; // only 1
  %at = getelementptr i8, ptr %out, i64 %index
  store i32 %t, ptr %at
  ret void
}
