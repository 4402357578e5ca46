; // What begins like a name of the library of mathematics may be another function:
; // one without a result has an effect, and one with a pointer may write there.
; //
; // args:     --blockDim=64 --gridDim=1
; // verdict:  verified
; // bug 1:    unknown    no result
; // bug 2:    unknown    a pointer in a struct
; // bug 3:    unknown    a vector of pointers
; // bug 4:    unknown    what begins like a texture's helper

target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @__nv_popc(i32) ; // only 0
declare void @__nv_cluster_barrier_wait_impl() ; // only 1
declare i32 @__nv_both({ i32, ptr }) ; // only 2
declare i32 @__nv_each(<2 x ptr>) ; // only 3
declare void @__tex_fetch(ptr) ; // only 4

define ptx_kernel void @call(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %few = icmp ult i32 %t, 3
  br i1 %few, label %some, label %all
some:
  %n = call i32 @__nv_popc(i32 %t) ; // only 0
  call void @__nv_cluster_barrier_wait_impl() ; // only 1
  %pair = insertvalue { i32, ptr } { i32 1, ptr null }, ptr %out, 1 ; // only 2
  %n = call i32 @__nv_both({ i32, ptr } %pair) ; // only 2
  %two = insertelement <2 x ptr> zeroinitializer, ptr %out, i32 1 ; // only 3
  %n = call i32 @__nv_each(<2 x ptr> %two) ; // only 3
  call void @__tex_fetch(ptr %out) ; // only 4
  br label %all
all:
  %at = getelementptr i32, ptr %out, i32 %t
  store i32 %t, ptr %at
  ret void
}
