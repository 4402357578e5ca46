// Local variables before anything is stored in them.
//
// Where a variable has a value on one way and none on the other, sroa takes the
// value for both: that is what `undef` allows, but not what the program
// generated at -O0 does, where the variable holds what was there before.  So
// each number gets an unknown value first, by a store that sroa turns into the
// start of the variable's values.  A store that is left afterwards is to a
// variable that stays in memory.  What was not written there is unknown anyway,
// so the store is removed.  It is known by a mark, for the program may store
// what has no value, too, and where it does so in memory that others see it is
// an access as any.
//
// Pointers get no such value, because an unknown pointer points to no array of
// the kernel.

#include "llvm/core.h"

#include <stdint.h>
#include <string.h>

enum { MOST_NUMBERS = 1024 }; // of one variable

static unsigned mark_kind(LLVMValueRef i) {
  static const char name[] = "gpuverify.start";
  return LLVMGetMDKindIDInContext(LLVMGetTypeContext(LLVMTypeOf(i)), name,
                                  (unsigned)strlen(name));
}

static void mark(LLVMValueRef store) {
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(store));
  LLVMMetadataRef nothing = LLVMMDNodeInContext2(context, NULL, 0);
  LLVMSetMetadata(store, mark_kind(store),
                  LLVMMetadataAsValue(context, nothing));
}

static LLVMValueRef unknown_of(LLVMBuilderRef at, LLVMTypeRef type) {
  return LLVMBuildFreeze(at, LLVMGetPoison(type), "");
}

static bool is_number(LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMIntegerTypeKind:
  case LLVMHalfTypeKind:
  case LLVMBFloatTypeKind:
  case LLVMFloatTypeKind:
  case LLVMDoubleTypeKind:
    return true;
  case LLVMVectorTypeKind:
    return is_number(LLVMGetElementType(type));
  default: // of LLVM's: pointers, and what no variable of a kernel has
    return false;
  }
}

static uint64_t parts_of(LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (kind == LLVMArrayTypeKind)
    return LLVMGetArrayLength2(type);
  return kind == LLVMStructTypeKind ? LLVMCountStructElementTypes(type) : 0;
}

static LLVMTypeRef part_of(LLVMTypeRef type, unsigned i) {
  return LLVMGetTypeKind(type) == LLVMArrayTypeKind
             ? LLVMGetElementType(type)
             : LLVMStructGetTypeAtIndex(type, i);
}

static uint64_t numbers_in(LLVMTypeRef type) {
  uint64_t parts = parts_of(type), count = 0;
  if (!parts)
    return is_number(type);
  if (LLVMGetTypeKind(type) == LLVMArrayTypeKind)
    return parts > MOST_NUMBERS ? parts : parts * numbers_in(part_of(type, 0));
  for (unsigned i = 0; i < parts; i++)
    count += numbers_in(part_of(type, i));
  return count;
}

static void store_unknown(LLVMBuilderRef at, LLVMTypeRef type,
                          LLVMValueRef pointer) {
  LLVMTypeRef index = LLVMInt32TypeInContext(LLVMGetTypeContext(type));
  uint64_t parts = parts_of(type);
  if (is_number(type))
    mark(LLVMBuildStore(at, unknown_of(at, type), pointer));
  for (unsigned i = 0; i < parts; i++) {
    LLVMValueRef path[] = {LLVMConstInt(index, 0, false),
                           LLVMConstInt(index, i, false)};
    store_unknown(at, part_of(type, i),
                  LLVMBuildInBoundsGEP2(at, type, pointer, path, 2, ""));
  }
}

static void start_variable(LLVMBuilderRef at, LLVMValueRef variable) {
  LLVMTypeRef type = LLVMGetAllocatedType(variable);
  LLVMValueRef length = LLVMGetOperand(variable, 0);
  bool is_one =
      LLVMIsAConstantInt(length) && LLVMConstIntGetZExtValue(length) == 1;
  if (is_one && numbers_in(type) <= MOST_NUMBERS)
    store_unknown(at, type, variable);
}

// The variable of an inlined function begins anew where that does.
static LLVMValueRef begun_by(LLVMValueRef instruction) {
  static const char name[] = "llvm.lifetime.start";
  LLVMValueRef callee =
      LLVMIsACallInst(instruction) ? LLVMGetCalledValue(instruction) : NULL;
  size_t length = 0;
  const char *called = callee ? LLVMGetValueName2(callee, &length) : "";
  if (strncmp(called, name, sizeof name - 1) != 0)
    return NULL;
  unsigned last = (unsigned)LLVMGetNumArgOperands(instruction) - 1;
  return LLVMIsAAllocaInst(LLVMGetOperand(instruction, last));
}

static void start_variables_of(LLVMBuilderRef at, LLVMBasicBlockRef block) {
  for (LLVMValueRef next, i = LLVMGetFirstInstruction(block); i; i = next) {
    LLVMValueRef variable = LLVMIsAAllocaInst(i);
    if (!variable)
      variable = begun_by(i);
    next = LLVMGetNextInstruction(i);
    if (!variable)
      continue;
    LLVMPositionBuilderBefore(at, next);
    start_variable(at, variable);
  }
}

void llvm_start_locals(LLVMModuleRef module) {
  LLVMBuilderRef at = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
       f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
         block = LLVMGetNextBasicBlock(block))
      start_variables_of(at, block);
  LLVMDisposeBuilder(at);
}

// ------------------------------------------------------------- afterwards ---

static bool is_unknown(LLVMValueRef value) {
  return LLVMIsAFreezeInst(value) && LLVMIsPoison(LLVMGetOperand(value, 0));
}

static void drop(LLVMBasicBlockRef block, bool (*is_left)(LLVMValueRef)) {
  for (LLVMValueRef before, i = LLVMGetLastInstruction(block); i; i = before) {
    before = LLVMGetPreviousInstruction(i);
    if (is_left(i))
      LLVMInstructionEraseFromParent(i);
  }
}

bool llvm_is_start(LLVMValueRef i) {
  return LLVMIsAStoreInst(i) && LLVMGetMetadata(i, mark_kind(i));
}

// What nobody asked for, and where it should have gone.
static bool is_left_value(LLVMValueRef i) {
  return !LLVMGetFirstUse(i) && (is_unknown(i) || LLVMIsAGetElementPtrInst(i));
}

void llvm_drop_unused_starts(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
       f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
         block = LLVMGetNextBasicBlock(block)) {
      drop(block, llvm_is_start);
      drop(block, is_left_value);
    }
}
