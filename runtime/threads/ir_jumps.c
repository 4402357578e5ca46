// setjmp: where a function may be come back to.
//
// Its local variables stay in memory, as if nothing was optimised: what has
// been changed since setjmp is what longjmp finds.  The machine knows which
// calls of such functions have not returned yet (posix_jumps.c): each has an
// entry in its own frame, which is in the thread's list from the function's
// beginning to its returns.  glibc's setjmp saves the registers; behind it, at
// the first return, the machine writes down whose frame that was.

#include "runtime/threads/ir.h"

#include <string.h>

enum { ENTRY_WORDS = sizeof(JumpFrame) / 8 };

typedef struct Jumps {
  LLVMModuleRef module;
  LLVMContextRef context;
  LLVMBuilderRef builder;
} Jumps;

bool ir_is_setjmp(LLVMValueRef function) {
  size_t length = 0;
  const char *name = LLVMGetValueName2(function, &length);
  return !strcmp(name, "_setjmp") || !strcmp(name, "__sigsetjmp");
}

static bool saves(LLVMValueRef instruction) {
  LLVMValueRef callee =
      LLVMIsACallInst(instruction) ? LLVMGetCalledValue(instruction) : NULL;
  return callee && LLVMIsAFunction(callee) && ir_is_setjmp(callee);
}

bool ir_saves_registers(LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
         i = LLVMGetNextInstruction(i))
      if (saves(i))
        return true;
  return false;
}

static unsigned kind_of(const char *attribute) {
  return LLVMGetEnumAttributeKindForName(attribute, strlen(attribute));
}

static void keep_as_it_is(LLVMValueRef function, LLVMContextRef context) {
  static const char *const added[] = {"noinline", "optnone"};
  static const char *const dropped[] = {"alwaysinline", "optsize", "minsize",
                                        "optdebug"};
  LLVMAttributeIndex whole = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
  for (size_t i = 0; i < sizeof dropped / sizeof *dropped; i++)
    LLVMRemoveEnumAttributeAtIndex(function, whole, kind_of(dropped[i]));
  for (size_t i = 0; i < sizeof added / sizeof *added; i++)
    LLVMAddAttributeAtIndex(
        function, whole,
        LLVMCreateEnumAttribute(context, kind_of(added[i]), 0));
}

void ir_jumps_keep(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
       f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f) && ir_saves_registers(f))
      keep_as_it_is(f, LLVMGetModuleContext(module));
}

// ------------------------------------------------------------------- calls ---

static void call(Jumps *jumps, const char *name, LLVMValueRef *arguments,
                 unsigned count) {
  LLVMTypeRef types[3];
  for (unsigned i = 0; i < count; i++)
    types[i] = LLVMTypeOf(arguments[i]);
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(jumps->context),
                                      types, count, false);
  LLVMValueRef function = LLVMGetNamedFunction(jumps->module, name);
  if (!function)
    function = LLVMAddFunction(jumps->module, name, type);
  LLVMBuildCall2(jumps->builder, type, function, arguments, count, "");
}

// The mask of signals is the machine's: glibc would ask the system for ours.
static void behind(Jumps *jumps, LLVMValueRef saving) {
  LLVMTypeRef word = LLVMInt32TypeInContext(jumps->context);
  LLVMValueRef none = LLVMConstInt(word, 0, false);
  bool may_save = LLVMGetNumArgOperands(saving) == 2;
  LLVMValueRef arguments[] = {LLVMGetOperand(saving, 0), saving,
                              may_save ? LLVMGetOperand(saving, 1) : none};
  if (may_save)
    LLVMSetOperand(saving, 1, none);
  LLVMPositionBuilderBefore(jumps->builder, LLVMGetNextInstruction(saving));
  call(jumps, "threads_saved", arguments, 3);
}

static void leave(Jumps *jumps, LLVMValueRef end, LLVMValueRef entry) {
  LLVMPositionBuilderBefore(jumps->builder, end);
  call(jumps, "threads_leave", &entry, 1);
}

static void at_function(Jumps *jumps, LLVMValueRef function) {
  LLVMTypeRef type =
      LLVMArrayType2(LLVMInt64TypeInContext(jumps->context), ENTRY_WORDS);
  LLVMPositionBuilderBefore(
      jumps->builder,
      LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
  LLVMValueRef entry = LLVMBuildAlloca(jumps->builder, type, "");
  call(jumps, "threads_enter", &entry, 1);
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
         i = LLVMGetNextInstruction(i))
      if (saves(i))
        behind(jumps, i);
      else if (LLVMIsAReturnInst(i))
        leave(jumps, i, entry);
}

void ir_jumps(LLVMModuleRef module) {
  Jumps jumps = {module, LLVMGetModuleContext(module), NULL};
  jumps.builder = LLVMCreateBuilderInContext(jumps.context);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
       f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f) && ir_saves_registers(f))
      at_function(&jumps, f);
  LLVMDisposeBuilder(jumps.builder);
}
