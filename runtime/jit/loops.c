// Back edges of code without hooks, or without fibers.
//
// A thread that goes round a loop must let others have a turn, and must not go
// on for ever; but a call in each iteration costs more than many loops do.  So
// a back edge calls a function of which the optimiser knows that it touches no
// memory of the program.  After unrolling, calls that are in no loop any more
// are removed, and each of the others becomes a counter in a register.

#include "runtime/jit/jit.h"

#include <assert.h>
#include <string.h>

enum { MEMORY_INACCESSIBLE = 3 << 2 }; // as LLVM encodes attribute `memory`

LLVMValueRef jit_step_function(LLVMModuleRef module) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMTypeRef i32 = LLVMInt32TypeInContext(context);
  LLVMTypeRef type =
      LLVMFunctionType(LLVMVoidTypeInContext(context), &i32, 1, false);
  LLVMValueRef function = LLVMGetNamedFunction(module, STEP_NAME);
  if (function)
    return function;
  function = LLVMAddFunction(module, STEP_NAME, type);
  jit_add_attribute(function, "memory", MEMORY_INACCESSIBLE);
  jit_add_attribute(function, "nounwind", 0);
  jit_add_attribute(function, "willreturn", 0);
  return function;
}

// ----------------------------------------------------------------- cycles ---

typedef Vec(LLVMBasicBlockRef) Blocks;

static void add_successors(Task *task, Blocks *open, ValueTable *seen,
                           LLVMBasicBlockRef block) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
  for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
    LLVMBasicBlockRef to = LLVMGetSuccessor(end, i);
    if (table_get(seen, to))
      continue;
    table_put(task, seen, to, to);
    push(&task->arena, open, to);
  }
}

bool jit_is_in_cycle(Task *task, LLVMBasicBlockRef block) {
  Blocks open = {0};
  ValueTable seen = {0};
  add_successors(task, &open, &seen, block);
  while (open.count && !table_get(&seen, block))
    add_successors(task, &open, &seen, open.at[--open.count]);
  return table_get(&seen, block) != NULL;
}

bool jit_is_step(LLVMValueRef i) {
  size_t length = 0;
  LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
  return callee && LLVMIsAFunction(callee) &&
         !strcmp(LLVMGetValueName2(callee, &length), STEP_NAME);
}

static bool is_counted_before(LLVMValueRef call) {
  for (LLVMValueRef i = LLVMGetPreviousInstruction(call); i;
       i = LLVMGetPreviousInstruction(i))
    if (jit_is_step(i))
      return true;
  return false;
}

// ------------------------------------------------------------------ count ---

// void (ptr counter, i32 site)
static LLVMValueRef count_function(LLVMModuleRef module) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  LLVMTypeRef i32 = LLVMInt32TypeInContext(context);
  LLVMTypeRef none = LLVMVoidTypeInContext(context);
  LLVMTypeRef types[] = {LLVMPointerTypeInContext(context, 0), i32};
  LLVMValueRef count = LLVMAddFunction(module, "gpuverify_count",
                                       LLVMFunctionType(none, types, 2, false));
  LLVMValueRef counter = LLVMGetParam(count, 0), site = LLVMGetParam(count, 1);
  LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(context, count, "");
  LLVMBasicBlockRef turn = LLVMAppendBasicBlockInContext(context, count, "");
  LLVMBasicBlockRef end = LLVMAppendBasicBlockInContext(context, count, "");
  LLVMSetLinkage(count, LLVMInternalLinkage);
  jit_add_attribute(count, "alwaysinline", 0);
  LLVMPositionBuilderAtEnd(builder, entry);
  LLVMValueRef left =
      LLVMBuildSub(builder, LLVMBuildLoad2(builder, i32, counter, ""),
                   LLVMConstInt(i32, 1, false), "");
  LLVMBuildStore(builder, left, counter);
  LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, left, ""), turn, end);
  LLVMPositionBuilderAtEnd(builder, turn);
  LLVMBuildStore(builder, LLVMConstInt(i32, STEPS_A_TURN, false), counter);
  LLVMBuildCall2(builder, LLVMFunctionType(none, &i32, 1, false),
                 jit_address(module, (uintptr_t)machine_turn), &site, 1, "");
  LLVMBuildBr(builder, end);
  LLVMPositionBuilderAtEnd(builder, end);
  LLVMBuildRetVoid(builder);
  LLVMDisposeBuilder(builder);
  return count;
}

static LLVMValueRef add_counter(LLVMBuilderRef builder, LLVMValueRef function) {
  LLVMTypeRef i32 =
      LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(function)));
  LLVMPositionBuilderBefore(
      builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
  LLVMValueRef counter = LLVMBuildAlloca(builder, i32, "");
  LLVMBuildStore(builder, LLVMConstInt(i32, STEPS_A_TURN, false), counter);
  return counter;
}

static void count_in(Task *task, LLVMBuilderRef builder, LLVMValueRef function,
                     LLVMValueRef count) {
  LLVMValueRef counter = NULL;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
      next = LLVMGetNextInstruction(i);
      if (!jit_is_step(i))
        continue;
      if (jit_is_in_cycle(task, block) && !is_counted_before(i)) {
        counter = counter ? counter : add_counter(builder, function);
        assert(LLVMGetNumArgOperands(i) == 1);
        LLVMValueRef arguments[] = {counter, LLVMGetOperand(i, 0)};
        LLVMPositionBuilderBefore(builder, i);
        LLVMBuildCall2(builder, LLVMGlobalGetValueType(count), count, arguments,
                       2, "");
      }
      LLVMInstructionEraseFromParent(i);
    }
}

void jit_count_steps(Task *task, LLVMModuleRef module) {
  if (!LLVMGetNamedFunction(module, STEP_NAME))
    return;
  LLVMBuilderRef builder =
      LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  LLVMValueRef count = count_function(module);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
       f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f) && f != count)
      count_in(task, builder, f, count);
  LLVMDisposeBuilder(builder);
}
