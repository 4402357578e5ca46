; // A function without a body has the name of a library's, and other operands.
; //
; // args:     --blockDim=64 --gridDim=1
; // verdict:  unknown    no operands
; // bug 1:    unknown    fewer than the library's
; // bug 2:    unknown    another width
; // bug 3:    unknown    a number where the library has a pointer
; // bug 4:    unknown    a vector where the library has a number
; // bug 5:    unknown    another result
; // bug 6:    unknown    more than the library's

target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @__nv_abs() ; // only 0
declare i32 @__nv_max(i32) ; // only 1
declare i32 @__nv_umin(i8, i8) ; // only 2
declare void @__gpuverify_any(i32, i32) ; // only 3
declare i32 @__nv_mul24(<4 x i32>, i32) ; // only 4
declare ptr @__nv_brev(i64) ; // only 5
declare void @__gpuverify_any(ptr, i32, i32) ; // only 6

define ptx_kernel void @call(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %n = call i32 @__nv_abs() ; // only 0
  %n = call i32 @__nv_max(i32 %t) ; // only 1
  %n = call i32 @__nv_umin(i8 1, i8 2) ; // only 2
  call void @__gpuverify_any(i32 %t, i32 4) ; // only 3
  %n = call i32 @__nv_mul24(<4 x i32> zeroinitializer, i32 %t) ; // only 4
  call void @__gpuverify_any(ptr %out, i32 4, i32 %t) ; // only 6
  %p = call ptr @__nv_brev(i64 1) ; // only 5
  %n = ptrtoint ptr %p to i32 ; // only 5
  %at = getelementptr i32, ptr %out, i32 %n ; // not 3,6
  %at = getelementptr i32, ptr %out, i32 %t ; // only 3,6
  store i32 %t, ptr %at
  ret void
}
