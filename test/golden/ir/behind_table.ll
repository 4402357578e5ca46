; // All threads read one entry of their own tables, which are copies of a constant.
; //
; // args:     --blockDim=64 --gridDim=1 --exited-threads=error
; // verdict:  verified
; // bug 1:    divergent  the entry is behind the last, the constant not private
; // bug 2:    divergent  the entry is behind the last

target triple = "nvptx64-nvidia-cuda"

@table = private unnamed_addr constant [2 x i32] [i32 0, i32 64] ; // not 1
@table = internal constant [2 x i32] [i32 0, i32 64] ; // only 1

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

define ptx_kernel void @wait() {
enter:
  %copy = alloca [2 x i32]
  call void @llvm.memcpy.p0.p0.i64(ptr %copy, ptr @table, i64 8, i1 false)
  %place = getelementptr i32, ptr %copy, i64 1 ; // not 1,2
  %place = getelementptr i32, ptr %copy, i64 2 ; // only 1,2
  %entry = load i32, ptr %place
  %is_zero = icmp eq i32 %entry, 0
  br i1 %is_zero, label %together, label %end
together:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %end
end:
  ret void
}
