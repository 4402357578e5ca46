; // Ids by SPIR-V's intrinsics, which touch no memory and are no functions of their
; // operands.
; //
; // args:     --local_size=64 --num_groups=1
; // verdict:  verified
; // bug 1:    unknown    some of the work-items go to a barrier

target triple = "spirv64-unknown-unknown"

declare i64 @llvm.spv.thread.id.in.group.i64(i32) ; // only 1
declare void @_Z7barrierj(i32)

define spir_kernel void @meet(ptr addrspace(1) %out) {
entry:
  %id = call i64 @llvm.spv.thread.id.in.group.i64(i32 0) ; // only 1
  %id = add i64 0, 0 ; // not 1
  %is_low = icmp ult i64 %id, 16
  br i1 %is_low, label %wait, label %end

wait:
  call void @_Z7barrierj(i32 1)
  br label %end

end:
  ret void
}
