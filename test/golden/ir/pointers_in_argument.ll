; // Pointers of 32 bits in an argument: the second of a vector is that at byte 4.
; //
; // args:     --blockDim=64 --gridDim=1
; // verdict:  verified
; // bug 1:    racy       it is the same array

target datalayout = "e-p:32:32-i64:64-n16:32:64"
target triple = "nvptx-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @fill(ptr byval([2 x ptr]) %pointers) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %place = getelementptr i8, ptr %pointers, i32 4 ; // only 1
  %place = getelementptr i8, ptr %pointers, i32 0 ; // not 1
  %one = load ptr, ptr %place
  %both = load <2 x ptr>, ptr %pointers
  %two = extractelement <2 x ptr> %both, i32 1
  %at = getelementptr i32, ptr %one, i32 %t
  store i32 %t, ptr %at
  %back = sub i32 63, %t
  %other = getelementptr i32, ptr %two, i32 %back
  store i32 %t, ptr %other
  ret void
}
