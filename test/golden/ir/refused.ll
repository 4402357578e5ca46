; // What clang never makes of a kernel for a GPU, and we do not follow.
; //
; // args:     --blockDim=64 --gridDim=1
; // verdict:  unknown    a struct with a pointer in it as an argument
; // bug 1:    unknown    a vector of pointers as an argument
; // bug 2:    unknown    a vector whose length is the machine's
; // bug 3:    unknown    an element of such a vector
; // bug 4:    unknown    a variable of that type
; // bug 5:    unknown    a pointer to an array, as far away as another array is
; // bug 6:    unknown    a number that two addresses are in
; // bug 7:    unknown    a jump to a block by its address
; // bug 8:    unknown    floating-point numbers of 80 bits

target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @odd({ i32, ptr } %pair, <2 x ptr> %both, ptr %a, ptr %b, ptr %c) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a.number = ptrtoint ptr %a to i64
  %b.number = ptrtoint ptr %b to i64
  %c.number = ptrtoint ptr %c to i64
  %at = extractvalue { i32, ptr } %pair, 1 ; // only 0
  %at = extractelement <2 x ptr> %both, i32 1 ; // only 1
  store <vscale x 4 x i32> zeroinitializer, ptr %a ; // only 2
  %at = getelementptr <vscale x 4 x i32>, ptr %a, i32 %t ; // only 3
  %at = alloca <vscale x 4 x i32> ; // only 4
  %far = sub i64 %b.number, %a.number ; // only 5
  %at = getelementptr i8, ptr %a, i64 %far ; // only 5
  %far = sub i64 %c.number, %a.number ; // only 6
  %moved = add i64 %b.number, %far ; // only 6
  %at = inttoptr i64 %moved to ptr ; // only 6
  indirectbr ptr blockaddress(@odd, %end), [label %end] ; // only 7
  %number = uitofp i32 %t to x86_fp80 ; // only 8
  store x86_fp80 %number, ptr %a ; // only 8
  store i32 %t, ptr %at ; // not 2,7,8
  br label %end ; // not 7
end:
  ret void
}
