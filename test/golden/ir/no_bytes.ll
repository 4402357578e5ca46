; A load or store of nothing meets nothing, wherever it is.
;
; // args:     --blockDim=64 --gridDim=1
; // verdict:  verified
; // bug 1:    racy       a store of something

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @empty(ptr addrspace(1) %out) {
  %second = getelementptr i32, ptr addrspace(1) %out, i64 1
  store {} zeroinitializer, ptr addrspace(1) %out, align 4
  store {} zeroinitializer, ptr addrspace(1) %second, align 4
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store i32 %t, ptr addrspace(1) %out, align 4 ; // only 1
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
