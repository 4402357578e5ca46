// Atomic operations that nobody else can see halfway.
//
// In a loop over the threads of a block no other thread sees the block's shared
// memory while one is at work.  So an atomic operation there may be a plain
// read, an operation and a write, which costs a tenth of the processor's
// atomic.  Other memory may be the host's, too, and keeps its atomics.

#include "runtime/jit/jit.h"

#include <assert.h>

enum { SHARED_SPACE = 3 };

LLVMValueRef jit_beneath(LLVMValueRef pointer) {
  LLVMOpcode opcode = LLVMIsAConstantExpr(pointer) ? LLVMGetConstOpcode(pointer)
                      : LLVMIsAInstruction(pointer)
                          ? LLVMGetInstructionOpcode(pointer)
                          : LLVMRet;
  return opcode == LLVMGetElementPtr || opcode == LLVMAddrSpaceCast ||
                 opcode == LLVMBitCast
             ? LLVMGetOperand(pointer, 0)
             : NULL;
}

bool jit_is_of_block(LLVMValueRef pointer) {
  while (pointer &&
         LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) != SHARED_SPACE)
    pointer = jit_beneath(pointer);
  return pointer != NULL;
}

static LLVMValueRef choose(LLVMBuilderRef builder, LLVMIntPredicate order,
                           LLVMValueRef a, LLVMValueRef b) {
  return LLVMBuildSelect(builder, LLVMBuildICmp(builder, order, a, b, ""), a, b,
                         "");
}

// NULL: what we have no instruction for.
static LLVMValueRef combine(LLVMBuilderRef builder, LLVMAtomicRMWBinOp op,
                            LLVMValueRef old, LLVMValueRef value) {
  switch (op) {
  case LLVMAtomicRMWBinOpXchg:
    return value;
  case LLVMAtomicRMWBinOpAdd:
    return LLVMBuildAdd(builder, old, value, "");
  case LLVMAtomicRMWBinOpSub:
    return LLVMBuildSub(builder, old, value, "");
  case LLVMAtomicRMWBinOpAnd:
    return LLVMBuildAnd(builder, old, value, "");
  case LLVMAtomicRMWBinOpOr:
    return LLVMBuildOr(builder, old, value, "");
  case LLVMAtomicRMWBinOpXor:
    return LLVMBuildXor(builder, old, value, "");
  case LLVMAtomicRMWBinOpMax:
    return choose(builder, LLVMIntSGT, old, value);
  case LLVMAtomicRMWBinOpMin:
    return choose(builder, LLVMIntSLT, old, value);
  case LLVMAtomicRMWBinOpUMax:
    return choose(builder, LLVMIntUGT, old, value);
  case LLVMAtomicRMWBinOpUMin:
    return choose(builder, LLVMIntULT, old, value);
  case LLVMAtomicRMWBinOpFAdd:
    return LLVMBuildFAdd(builder, old, value, "");
  default:
    return NULL;
  }
}

bool jit_become_single(LLVMBuilderRef builder, LLVMValueRef atomic) {
  if (!LLVMIsAAtomicRMWInst(atomic) || LLVMGetVolatile(atomic) ||
      !jit_is_of_block(LLVMGetOperand(atomic, 0)))
    return false;
  LLVMValueRef at = LLVMGetOperand(atomic, 0);
  LLVMValueRef value = LLVMGetOperand(atomic, 1);
  LLVMValueRef old = LLVMBuildLoad2(builder, LLVMTypeOf(value), at, "");
  LLVMValueRef made =
      combine(builder, LLVMGetAtomicRMWBinOp(atomic), old, value);
  if (!made) {
    LLVMInstructionEraseFromParent(old);
    return false;
  }
  assert(LLVMTypeOf(made) == LLVMTypeOf(value));
  LLVMBuildStore(builder, made, at);
  LLVMReplaceAllUsesWith(atomic, old);
  LLVMInstructionEraseFromParent(atomic);
  return true;
}
