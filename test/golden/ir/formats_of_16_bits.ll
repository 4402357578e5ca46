; // Half and brain floats with the same bits are different numbers.
; //
; // args:     --blockDim=64 --gridDim=1
; // verdict:  verified
; // bug 1:    racy       of one bit pattern the one is half, the other a brain float

target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @convert(ptr %out, i16 %bits) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %half = bitcast i16 %bits to half
  %brain = bitcast i16 %bits to bfloat ; // only 1
  %one = fpext half %half to float
  %two = fpext half %half to float ; // not 1
  %two = fpext bfloat %brain to float ; // only 1
  %one.bits = bitcast float %one to i32
  %two.bits = bitcast float %two to i32
  %differ = icmp ne i32 %one.bits, %two.bits
  br i1 %differ, label %write, label %end
write:
  store i32 %t, ptr %out
  br label %end
end:
  ret void
}
