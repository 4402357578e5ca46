// Where a variable's block begins and ends.
//
// Clang marks that, as for its sanitizers (-fsanitize-address-use-after-scope),
// but not of a variable whose block a jump or a case can enter behind its
// declaration, nor of parameters.  The machine is told of those that others may
// have an address of, and keeps them by the calls that have not returned yet
// (scopes.c).  The marks go: LLVM would let one variable have the place of
// another.

#include "runtime/threads/ir.h"

#include <assert.h>
#include <string.h>

typedef struct Scopes {
  Task *task;
  LLVMModuleRef module;
  LLVMContextRef context;
  LLVMBuilderRef builder;
  ProgramImage *image;
  Privates privates;
  Vec(LLVMValueRef) marks, ends;
} Scopes;

static LLVMValueRef call(Scopes *scopes, const char *name, LLVMTypeRef answer,
                         LLVMValueRef *arguments, unsigned count) {
  LLVMTypeRef types[3];
  assert(count <= 3);
  for (unsigned i = 0; i < count; i++)
    types[i] = LLVMTypeOf(arguments[i]);
  LLVMTypeRef type = LLVMFunctionType(answer, types, count, false);
  LLVMValueRef function = LLVMGetNamedFunction(scopes->module, name);
  if (!function)
    function = LLVMAddFunction(scopes->module, name, type);
  return LLVMBuildCall2(scopes->builder, type, function, arguments, count, "");
}

static LLVMTypeRef int_type(const Scopes *scopes, unsigned bits) {
  return LLVMIntTypeInContext(scopes->context, bits);
}

static LLVMTypeRef nothing(const Scopes *scopes) {
  return LLVMVoidTypeInContext(scopes->context);
}

static bool is_end(LLVMValueRef mark) {
  static const char name[] = "llvm.lifetime.end";
  size_t length = 0;
  return !strncmp(LLVMGetValueName2(LLVMGetCalledValue(mark), &length), name,
                  sizeof name - 1);
}

static void tell_end(Scopes *scopes, LLVMValueRef mark, LLVMValueRef variable) {
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(scopes->module);
  uint64_t bytes = LLVMABISizeOfType(layout, LLVMGetAllocatedType(variable)) *
                   LLVMConstIntGetZExtValue(LLVMGetOperand(variable, 0));
  uint32_t site = ir_add_site(scopes->task, scopes->image, mark, DEED_CALL, 0);
  LLVMValueRef arguments[] = {variable,
                              LLVMConstInt(int_type(scopes, 64), bytes, false),
                              LLVMConstInt(int_type(scopes, 32), site, false)};
  call(scopes, "threads_scope_ends", nothing(scopes), arguments, 3);
}

static void at_mark(Scopes *scopes, LLVMValueRef mark) {
  LLVMValueRef variable = LLVMGetOperand(mark, 0);
  if (!LLVMIsAAllocaInst(variable) ||
      !LLVMIsAConstantInt(LLVMGetOperand(variable, 0)) ||
      ir_is_private(&scopes->privates, variable))
    return;
  LLVMPositionBuilderBefore(scopes->builder, mark);
  if (is_end(mark))
    tell_end(scopes, mark, variable);
  else
    call(scopes, "threads_scope_begins", nothing(scopes), &variable, 1);
}

// Those that have ended in this call are no more, whatever has their place.
static void at_ends(Scopes *scopes, LLVMValueRef function) {
  LLVMPositionBuilderBefore(
      scopes->builder,
      LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
  LLVMValueRef before =
      call(scopes, "threads_scopes", int_type(scopes, 32), NULL, 0);
  for (size_t i = 0; i < scopes->ends.count; i++) {
    LLVMPositionBuilderBefore(scopes->builder, scopes->ends.at[i]);
    call(scopes, "threads_scopes_left", nothing(scopes), &before, 1);
  }
}

static void gather(Scopes *scopes, LLVMValueRef function) {
  Arena *arena = &scopes->task->arena;
  scopes->marks.count = scopes->ends.count = 0;
  scopes->privates.table = (ValueTable){0};
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef each = LLVMGetFirstInstruction(block); each;
         each = LLVMGetNextInstruction(each))
      if (LLVMIsAReturnInst(each))
        push(arena, &scopes->ends, each);
      else if (llvm_is_lifetime(each))
        push(arena, &scopes->marks, each);
}

static void at_function(Scopes *scopes, LLVMValueRef function, bool tells) {
  gather(scopes, function);
  size_t sites = scopes->image->sites.count;
  for (size_t i = 0; tells && i < scopes->marks.count; i++)
    at_mark(scopes, scopes->marks.at[i]);
  if (scopes->image->sites.count > sites)
    at_ends(scopes, function);
  for (size_t i = 0; i < scopes->marks.count; i++)
    LLVMInstructionEraseFromParent(scopes->marks.at[i]);
}

// What C++'s headers define is right, and called often.
static bool is_told(const ProgramImage *image, LLVMValueRef function) {
  size_t length = 0;
  return !image->is_kept && !ir_is_of_library(function) &&
         !ir_is_of_namespace_std(LLVMGetValueName2(function, &length));
}

void ir_scopes(Task *task, LLVMModuleRef module, ProgramImage *image) {
  Scopes scopes = {.task = task,
                   .module = module,
                   .context = LLVMGetModuleContext(module),
                   .image = image,
                   .privates = {.task = task}};
  scopes.builder = LLVMCreateBuilderInContext(scopes.context);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
       f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f))
      at_function(&scopes, f, is_told(image, f));
  LLVMDisposeBuilder(scopes.builder);
}
