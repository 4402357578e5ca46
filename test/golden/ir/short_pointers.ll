; // Pointers of 32 bits into shared memory: an index is cut to them, so that
; // one that differs in the upper half only is the same place.
; //
; // args:     --blockDim=64 --gridDim=1
; // verdict:  verified
; // bug 1:    racy       all threads have the place with index 0
; // bug 2:    racy       ... by way of a number

target datalayout = "e-p3:32:32-i64:64-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@tile = internal addrspace(3) global [64 x i32] undef

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @fill() {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %wide = zext i32 %t to i64
  %by = add i64 2, 0 ; // not 1,2
  %by = add i64 32, 0 ; // only 1,2
  %index = shl i64 %wide, %by
  %at = getelementptr i8, ptr addrspace(3) @tile, i64 %index ; // not 2
  %start = ptrtoint ptr addrspace(3) @tile to i64 ; // only 2
  %sum = add i64 %start, %index ; // only 2
  %at = inttoptr i64 %sum to ptr addrspace(3) ; // only 2
  store i32 %t, ptr addrspace(3) %at
  ret void
}
