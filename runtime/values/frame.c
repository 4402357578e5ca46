// What a thread keeps from one region to the next: its frame.
//
// Before a region is executed the frame is saved, and restored before it is
// executed once more.  Local arrays are in the frame, and structs that are
// passed by value and changed.  So is each value of one region that another one
// uses: when the kernel is cut there is a way to that use that does not pass
// where the value is made, so it is stored where it is made, and loaded in the
// block of the use.

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

// ----------------------------------------------------------------- values ---

static LLVMValueRef place_for(void *cutting, LLVMTypeRef type) {
  const Cutting *c = cutting;
  return place_of(cutting, type, 1, LLVMABIAlignmentOfType(c->layout, type));
}

void cutting_keep_values(Cutting *c) {
  llvm_keep_values(c->task, c->kernel, place_for, c);
}
