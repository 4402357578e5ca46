; // A vector of pointers to fields of structs.
; //
; // args:     --blockDim=64 --gridDim=1
; // verdict:  verified
; // bug 1:    racy       fields of one struct

target triple = "nvptx64-nvidia-cuda"

%pair = type { i32, [2 x i32] }

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @fill(ptr %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %index = zext i32 %t to i64 ; // not 1
  %index = add i64 7, 0 ; // only 1
  %first = insertelement <2 x i64> zeroinitializer, i64 %index, i32 1
  %all = getelementptr %pair, ptr %a, <2 x i64> %first, i32 1, i64 1
  %at = extractelement <2 x ptr> %all, i32 1
  store i32 %t, ptr %at
  ret void
}
