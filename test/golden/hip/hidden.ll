; // The block's size from hidden arguments, whose layout code objects have since
; // version 5.
; //
; // args:     --gridDim=*
; // verdict:  verified
; // bug 1:    racy       of version 4
; // bug 2:    racy       it is the size that the last block would have
; // bug 3:    unknown    an argument is a pointer to GDS

target datalayout = "e-m:e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128:128:48-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"
target triple = "amdgcn-amd-amdhsa"

declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.workgroup.id.x()
declare ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()

define amdgpu_kernel void @number(ptr addrspace(1) %a) #0 { ; // not 3
define amdgpu_kernel void @number(ptr addrspace(1) %a, ptr addrspace(2) %b) #0 { ; // only 3
enter:
  %hidden = call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
  %of_size = getelementptr i8, ptr addrspace(4) %hidden, i64 12 ; // not 2
  %of_size = getelementptr i8, ptr addrspace(4) %hidden, i64 18 ; // only 2
  %short = load i16, ptr addrspace(4) %of_size
  %size = zext i16 %short to i32
  %thread = call i32 @llvm.amdgcn.workitem.id.x()
  %block = call i32 @llvm.amdgcn.workgroup.id.x()
  %before = mul i32 %block, %size
  %i = add i32 %before, %thread
  %far = zext i32 %i to i64
  %at = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %far
  store i32 %i, ptr addrspace(1) %at ; // not 1,2
  store i32 %thread, ptr addrspace(1) %at ; // only 1
  store i32 %block, ptr addrspace(1) %at ; // only 2
  ret void
}

attributes #0 = { "uniform-work-group-size"="true" "target-cpu"="gfx90a" }

!llvm.module.flags = !{!0}
!0 = !{i32 1, !"amdhsa_code_object_version", i32 600} ; // not 1
!0 = !{i32 1, !"amdhsa_code_object_version", i32 400} ; // only 1
