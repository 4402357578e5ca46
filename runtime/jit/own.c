// Bounds of the arrays that are a thread's own.
//
// No other thread sees these arrays, so the machine is not told of accesses to
// them.  But a wrong index would silently change whatever else is on the
// thread's stack.  The distance of an access from the start of its array
// follows from the indices alone, and a function compares it with the array's
// size.  That function is declared to touch no memory, so the optimiser can
// drop calls that are certain to succeed; the others are inlined afterwards.

#include "runtime/jit/jit.h"

#include <assert.h>
#include <string.h>

#define OWN_NAME "gpuverify_own"

// LLVM's number for a function that reads and writes only what nobody sees.
enum { MEMORY_UNSEEN = 3 << 2, OPERANDS = 4 };

// ---------------------------------------------------------------- arrays ---

static bool is_derived(LLVMValueRef pointer) {
  LLVMOpcode opcode = LLVMRet;
  if (LLVMIsAConstantExpr(pointer))
    opcode = LLVMGetConstOpcode(pointer);
  else if (LLVMIsAInstruction(pointer))
    opcode = LLVMGetInstructionOpcode(pointer);
  return opcode == LLVMGetElementPtr || opcode == LLVMBitCast ||
         opcode == LLVMAddrSpaceCast;
}

static bool is_step(LLVMValueRef pointer) {
  return LLVMIsAGetElementPtrInst(pointer) ||
         (LLVMIsAConstantExpr(pointer) &&
          LLVMGetConstOpcode(pointer) == LLVMGetElementPtr);
}

LLVMValueRef jit_source(LLVMValueRef pointer) {
  while (is_derived(pointer))
    pointer = LLVMGetOperand(pointer, 0);
  return pointer;
}

bool jit_is_own(LLVMValueRef pointer) {
  return LLVMIsAAllocaInst(jit_source(pointer));
}

static bool has_variable_index(LLVMValueRef pointer) {
  for (; is_derived(pointer); pointer = LLVMGetOperand(pointer, 0))
    for (unsigned i = 1;
         is_step(pointer) && i < (unsigned)LLVMGetNumOperands(pointer); i++)
      if (!LLVMIsAConstantInt(LLVMGetOperand(pointer, i)))
        return true;
  return false;
}

bool jit_may_leave_own(LLVMValueRef pointer) {
  LLVMValueRef array = jit_source(pointer);
  return LLVMIsAAllocaInst(array) &&
         LLVMIsAConstantInt(LLVMGetOperand(array, 0)) &&
         has_variable_index(pointer);
}

// ---------------------------------------------------------------- access ---

// The same way from address zero.
static LLVMValueRef path(LLVMBuilderRef builder, LLVMValueRef pointer) {
  LLVMTypeRef flat =
      LLVMPointerTypeInContext(LLVMGetTypeContext(LLVMTypeOf(pointer)), 0);
  if (!is_derived(pointer))
    return LLVMConstNull(flat);
  LLVMValueRef before = path(builder, LLVMGetOperand(pointer, 0));
  if (!is_step(pointer))
    return before;
  Arena arena = {0};
  unsigned count = LLVMGetNumIndices(pointer);
  LLVMValueRef *indices = arena_alloc(&arena, count * sizeof *indices);
  for (unsigned i = 0; i < count; i++)
    indices[i] = LLVMGetOperand(pointer, i + 1);
  LLVMValueRef made =
      LLVMBuildGEP2(builder, LLVMGetGEPSourceElementType(pointer), before,
                    indices, count, "");
  arena_free(&arena);
  return made;
}

static uint64_t array_bytes(LLVMTargetDataRef layout, LLVMValueRef array) {
  assert(LLVMIsAAllocaInst(array) &&
         LLVMIsAConstantInt(LLVMGetOperand(array, 0)));
  return LLVMABISizeOfType(layout, LLVMGetAllocatedType(array)) *
         LLVMConstIntGetZExtValue(LLVMGetOperand(array, 0));
}

static LLVMValueRef declare(LLVMModuleRef module) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMTypeRef i64 = LLVMInt64TypeInContext(context);
  LLVMTypeRef i32 = LLVMInt32TypeInContext(context);
  LLVMTypeRef types[OPERANDS] = {i64, i64, i64, i32};
  LLVMValueRef function = LLVMGetNamedFunction(module, OWN_NAME);
  if (function)
    return function;
  function = LLVMAddFunction(
      module, OWN_NAME,
      LLVMFunctionType(LLVMVoidTypeInContext(context), types, OPERANDS, false));
  jit_add_attribute(function, "memory", MEMORY_UNSEEN);
  jit_add_attribute(function, "nounwind", 0);
  return function;
}

void jit_watch_own(LLVMBuilderRef builder, LLVMModuleRef module,
                   LLVMTargetDataRef layout, LLVMValueRef pointer,
                   uint64_t bytes, uint32_t site) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMTypeRef i64 = LLVMInt64TypeInContext(context);
  uint64_t size = array_bytes(layout, jit_source(pointer));
  LLVMValueRef function = declare(module);
  LLVMValueRef arguments[OPERANDS] = {
      LLVMBuildPtrToInt(builder, path(builder, pointer), i64, ""),
      LLVMConstInt(i64, bytes, false), LLVMConstInt(i64, size, false),
      LLVMConstInt(LLVMInt32TypeInContext(context), site, false)};
  if (bytes <= size)
    LLVMBuildCall2(builder, LLVMGlobalGetValueType(function), function,
                   arguments, OPERANDS, "");
}

// --------------------------------------------------------------- function ---

static void fill(LLVMBuilderRef builder, LLVMModuleRef module,
                 LLVMValueRef function) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMValueRef given[OPERANDS]; // offset, bytes, size, site
  LLVMBasicBlockRef blocks[3];
  for (unsigned i = 0; i < 3; i++)
    blocks[i] = LLVMAppendBasicBlockInContext(context, function, "");
  LLVMBasicBlockRef leaves = blocks[1], done = blocks[2];
  assert(LLVMCountParams(function) == OPERANDS);
  LLVMGetParams(function, given);
  LLVMPositionBuilderAtEnd(builder, blocks[0]);
  LLVMValueRef last = LLVMBuildSub(builder, given[2], given[1], "");
  LLVMBuildCondBr(builder,
                  LLVMBuildICmp(builder, LLVMIntULE, given[0], last, ""), done,
                  leaves);
  LLVMPositionBuilderAtEnd(builder, leaves);
  LLVMBuildCall2(builder, LLVMGlobalGetValueType(function),
                 jit_address(module, (uintptr_t)region_leave_own), given,
                 OPERANDS, "");
  LLVMBuildBr(builder, done);
  LLVMPositionBuilderAtEnd(builder, done);
  LLVMBuildRetVoid(builder);
}

void jit_define_own(LLVMModuleRef module) {
  LLVMValueRef function = LLVMGetNamedFunction(module, OWN_NAME);
  if (!function)
    return;
  LLVMBuilderRef builder =
      LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  fill(builder, module, function);
  LLVMDisposeBuilder(builder);
  jit_add_attribute(function, "alwaysinline", 0);
  LLVMSetLinkage(function, LLVMInternalLinkage);
}
