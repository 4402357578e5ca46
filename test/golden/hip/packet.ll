; // Sizes from the packet that a launch is queued with, as ROCm's headers read
; // them: gridDim is the grid's threads by the block's.
; //
; // args:     --blockDim=64
; // verdict:  verified
; // bug 1:    racy       y is read instead of x
; // bug 2:    unknown    what lies behind the sizes
; // bug 3:    unknown    blocks may differ in size

target datalayout = "e-m:e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128:128:48-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"
target triple = "amdgcn-amd-amdhsa"

declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.workgroup.id.x()
declare ptr addrspace(4) @llvm.amdgcn.dispatch.ptr()
declare ptr addrspace(4) @llvm.amdgcn.queue.ptr()

define amdgpu_kernel void @number(ptr addrspace(1) %a) #0 {
enter:
  %packet = call ptr addrspace(4) @llvm.amdgcn.dispatch.ptr() ; // not 2
  %packet = call ptr addrspace(4) @llvm.amdgcn.queue.ptr() ; // only 2
  %of_size = getelementptr i8, ptr addrspace(4) %packet, i64 4 ; // not 1
  %of_size = getelementptr i8, ptr addrspace(4) %packet, i64 6 ; // only 1
  %short = load i16, ptr addrspace(4) %of_size
  %size = zext i16 %short to i32
  %thread = call i32 @llvm.amdgcn.workitem.id.x()
  %block = call i32 @llvm.amdgcn.workgroup.id.x()
  %before = mul i32 %block, %size
  %i = add i32 %before, %thread
  %far = zext i32 %i to i64
  %at = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %far
  store i32 %thread, ptr addrspace(1) %at
  ret void
}

attributes #0 = { "uniform-work-group-size"="true" "target-cpu"="gfx90a" } ; // not 3
attributes #0 = { "target-cpu"="gfx90a" } ; // only 3
