; // A variable that a copy fills with a table is that table, if the copy is of
; // all of it and comes before each read.
; //
; // args:     --blockDim=64 --gridDim=1
; // verdict:  verified
; // bug 1:    racy       the first round reads it before the copy
; // bug 2:    racy       half of the table is copied
; // bug 3:    racy       one thread's table is changed behind the copy
; // bug 4:    racy       what is copied is no constant

target triple = "nvptx64-nvidia-cuda"

@table = private unnamed_addr constant [2 x i32] [i32 0, i32 64] ; // not 4
@table = internal externally_initialized global [2 x i32] [i32 0, i32 64] ; // only 4

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

define ptx_kernel void @fill(ptr %a, i1 %c) {
enter:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %copy = alloca [2 x i32]
  call void @llvm.memcpy.p0.p0.i64(ptr %copy, ptr @table, i64 8, i1 false) ; // not 1,2
  call void @llvm.memcpy.p0.p0.i64(ptr %copy, ptr @table, i64 4, i1 false) ; // only 2
  br label %head
head:
  %i = phi i32 [0, %enter], [%next, %body]
  %on = icmp slt i32 %i, 2
  br i1 %on, label %body, label %end
body:
  %place = getelementptr [2 x i32], ptr %copy, i64 0, i32 %i
  %j = xor i32 %i, 1 ; // only 3
  %other = getelementptr [2 x i32], ptr %copy, i64 0, i32 %j ; // only 3
  store i32 1, ptr %other ; // only 3
  %base = load i32, ptr %place
  call void @llvm.memcpy.p0.p0.i64(ptr %copy, ptr @table, i64 8, i1 false) ; // only 1
  %index = add i32 %base, %t
  %at = getelementptr i32, ptr %a, i32 %index
  store i32 %t, ptr %at
  %next = add i32 %i, 1
  br label %head
end:
  ret void
}
