; A bit that flips in each round, which clang keeps in a byte.
;
; // args:     --blockDim=64 --gridDim=1
; // verdict:  verified
; // bug 1:    racy       all store in the other rounds

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @rounds(ptr addrspace(1) %out, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %flip = phi i1 [ false, %entry ], [ %flop, %latch ]
  %bit = and i32 %i, 1
  %is.odd = icmp eq i32 %bit, 1
  %differ = xor i1 %flip, %is.odd
  %never = xor i1 %differ, false ; // not 1
  %never = xor i1 %differ, true ; // only 1
  br i1 %never, label %store, label %latch

store:
  store i32 %t, ptr addrspace(1) %out, align 4
  br label %latch

latch:
  %flop = xor i1 %flip, true
  %i.next = add i32 %i, 1
  %again = icmp slt i32 %i.next, %n
  br i1 %again, label %loop, label %exit

exit:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
