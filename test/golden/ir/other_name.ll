; // A variable that has two names is one array.
; //
; // args:     --blockDim=64 --gridDim=1
; // verdict:  verified
; // bug 1:    racy       reads what the right neighbour writes

target triple = "nvptx64-nvidia-cuda"

@data = global [65 x i32] zeroinitializer
@from_1 = alias [64 x i32], getelementptr (i8, ptr @data, i64 4)

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @shift() {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %index = zext i32 %t to i64
  %next = add i64 %index, 1 ; // not 1
  %next = add i64 %index, 0 ; // only 1
  %from = getelementptr i32, ptr @data, i64 %next
  %value = load i32, ptr %from
  %to = getelementptr i32, ptr @from_1, i64 %index
  store i32 %value, ptr %to
  ret void
}
