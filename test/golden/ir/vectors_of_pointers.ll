; // Vectors of pointers: made, moved, chosen from, turned into numbers and back.
; //
; // args:     --blockDim=64 --gridDim=1
; // verdict:  verified
; // bug 1:    racy       both halves of the block get the pointer to %b
; // bug 2:    racy       not moved by as much as the thread is
; // bug 3:    racy       lane 1 of the numbers is that of %b

target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @fill(ptr %a, ptr %b) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %half = and i32 %t, 1 ; // not 1
  %half = add i32 1, 0 ; // only 1
  %pair = lshr i32 %t, 1
  %one = insertelement <2 x ptr> poison, ptr %a, i32 0
  %two = insertelement <2 x ptr> %one, ptr %b, i32 1
  %moved = getelementptr i32, <2 x ptr> %two, i32 %pair ; // not 2
  %moved = getelementptr i32, <2 x ptr> %two, i32 0 ; // only 2
  %numbers = ptrtoint <2 x ptr> %moved to <2 x i64>
  %later = add <2 x i64> %numbers, <i64 256, i64 512>
  %again = inttoptr <2 x i64> %later to <2 x ptr>
  %at = extractelement <2 x ptr> %again, i32 %half
  store i32 %t, ptr %at
  %b.t = getelementptr i32, ptr %b, i32 %t
  %other = getelementptr i8, ptr %b.t, i64 1024 ; // not 3
  %other = getelementptr i8, ptr %b.t, i64 512 ; // only 3
  store i32 %half, ptr %other
  ret void
}
