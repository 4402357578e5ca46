// What a thread keeps from one region to the next: its frame.
//
// Before a region is executed the frame is saved, and restored before it is
// executed once more.  Local arrays are in the frame, and structs that are
// passed by value and changed.  So is each value of one region that another one
// uses: when the kernel is cut there is a way to that use that does not pass
// where the value is made, so it is stored where it is made, and loaded in the
// block of the use.  In a kernel that is not cut local arrays begin as zeros,
// as they do in frames.

#include "runtime/values/cutting.h"

#include "llvm/keep.h"

LLVMValueRef cutting_place(Cutting *c, uint64_t bytes, uint64_t alignment) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(c->context);
  c->frame_bytes = (c->frame_bytes + alignment - 1) / alignment * alignment;
  LLVMValueRef offset = LLVMConstInt(c->i64, c->frame_bytes, false);
  c->frame_bytes += bytes;
  LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(c->entry));
  LLVMValueRef place =
      LLVMBuildGEP2(builder, c->i8, c->frames[0], &offset, 1, "");
  LLVMDisposeBuilder(builder);
  return place;
}

static LLVMValueRef place_of(Cutting *c, LLVMTypeRef type, uint64_t count,
                             uint64_t alignment) {
  return cutting_place(c, LLVMABISizeOfType(c->layout, type) * count,
                       alignment > WIDEST_ACCESS ? WIDEST_ACCESS : alignment);
}

// From where it is passed it is copied before anything else.
static void keep_struct(Cutting *c, LLVMValueRef parameter) {
  unsigned index = 0;
  while (LLVMGetParam(c->kernel, index) != parameter)
    index++;
  LLVMTypeRef type = jit_by_value(c->kernel, index);
  unsigned alignment = LLVMABIAlignmentOfType(c->layout, type);
  LLVMValueRef place = place_of(c, type, 1, WIDEST_ACCESS);
  LLVMReplaceAllUsesWith(parameter, place);
  LLVMPositionBuilderBefore(c->builder, LLVMGetBasicBlockTerminator(c->entry));
  LLVMBuildMemCpy(
      c->builder, place, alignment, parameter, alignment,
      LLVMConstInt(c->i64, LLVMABISizeOfType(c->layout, type), false));
}

// The generic address of a place takes that of an array in local memory.
void cutting_keep_locals(Cutting *c) {
  for (size_t i = 0; i < c->lifetimes.count; i++)
    LLVMInstructionEraseFromParent(c->lifetimes.at[i]);
  for (size_t i = 0; i < c->locals.count; i++) {
    LLVMValueRef local = c->locals.at[i];
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(local)))
      REFUSE(c, local, "a local array has a space of its own");
    LLVMReplaceAllUsesWith(
        local, place_of(c, LLVMGetAllocatedType(local),
                        LLVMConstIntGetZExtValue(LLVMGetOperand(local, 0)),
                        LLVMGetAlignment(local)));
    LLVMInstructionEraseFromParent(local);
  }
  for (size_t i = 0; i < c->structs.count; i++)
    keep_struct(c, c->structs.at[i]);
}

// ----------------------------------------------------------------- zeros ---

static LLVMValueRef size_of(Cutting *c, LLVMValueRef local) {
  uint64_t bytes = LLVMABISizeOfType(c->layout, LLVMGetAllocatedType(local));
  LLVMValueRef count = LLVMBuildIntCast2(c->builder, LLVMGetOperand(local, 0),
                                         c->i64, false, "");
  return LLVMBuildMul(c->builder, count, LLVMConstInt(c->i64, bytes, false),
                      "");
}

// Where one begins to live it could hold anything again.
static void clear_locals_of(Cutting *c, LLVMBasicBlockRef block) {
  for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
    next = LLVMGetNextInstruction(i);
    if (LLVMIsACallInst(i) && llvm_is_lifetime(i))
      LLVMInstructionEraseFromParent(i);
    if (!LLVMIsAAllocaInst(i))
      continue;
    LLVMPositionBuilderBefore(c->builder, next);
    LLVMBuildMemSet(c->builder, i, LLVMConstNull(c->i8), size_of(c, i),
                    LLVMGetAlignment(i));
  }
}

void cutting_clear_locals(Cutting *c) {
  for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f;
       f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
         block = LLVMGetNextBasicBlock(block))
      clear_locals_of(c, block);
}

// ----------------------------------------------------------------- values ---

static LLVMValueRef place_for(void *cutting, LLVMTypeRef type) {
  const Cutting *c = cutting;
  return place_of(cutting, type, 1, LLVMABIAlignmentOfType(c->layout, type));
}

void cutting_keep_values(Cutting *c) {
  llvm_keep_values(c->task, c->kernel, place_for, c);
}
