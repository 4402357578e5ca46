// Calls that must change before llvm_prepare inlines the functions around them.
//
// A function of mathematics that writes through pointers, such as sincos, gets
// a place of its own to write to, and what it has written is stored where the
// program wants it, by a store like all others.
//
// match.all returns two values, a mask and whether all lanes match.  Our
// function returns one: the mask, or 0 if not all match.
//
// For atomicMax_block of unsigned numbers, and its like, clang uses the
// intrinsic of signed ones; the name of the function around it says which are
// meant.

#include "runtime/jit/assembly.h"

#include <assert.h>
#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <string.h>

typedef struct Changes {
  LLVMModuleRef module;
  LLVMBuilderRef builder;
} Changes;

// ----------------------------------------------------------------- outputs ---

// What the library writes through this operand; NULL: nothing.
static LLVMTypeRef written(const Changes *o, const LibraryFunction *function,
                           unsigned operand) {
  LLVMContextRef context = LLVMGetModuleContext(o->module);
  switch (function->types[1 + operand]) {
  case 'I':
    return LLVMInt32TypeInContext(context);
  case 'F':
    return LLVMFloatTypeInContext(context);
  case 'D':
    return LLVMDoubleTypeInContext(context);
  }
  return NULL;
}

static void redirect(const Changes *o, LLVMValueRef call) {
  const LibraryFunction *function = llvm_library_function(call);
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(
      LLVMGetBasicBlockParent(LLVMGetInstructionParent(call)));
  LLVMValueRef after = LLVMGetNextInstruction(call);
  assert(after); // a call ends no block
  for (unsigned n = 0; function && n < LLVMGetNumArgOperands(call); n++) {
    LLVMTypeRef type = written(o, function, n);
    if (!type)
      continue;
    LLVMValueRef to = LLVMGetOperand(call, n);
    LLVMPositionBuilderBefore(o->builder, LLVMGetFirstInstruction(entry));
    LLVMValueRef own = LLVMBuildAlloca(o->builder, type, "");
    LLVMSetOperand(call, n, own);
    LLVMPositionBuilderBefore(o->builder, after);
    LLVMSetCurrentDebugLocation2(o->builder, LLVMInstructionGetDebugLoc(call));
    LLVMBuildStore(o->builder, LLVMBuildLoad2(o->builder, type, own, ""), to);
    LLVMSetCurrentDebugLocation2(o->builder, NULL);
  }
}

// ---------------------------------------------------------------- unsigned ---

// _Z18__uAtomicMax_blockPjj, _Z16atomicMax_systemPyy
static bool is_of_unsigned(LLVMValueRef function) {
  static const char *const ends[] = {"Pjj", "Pmm", "Pyy"};
  size_t length = 0;
  const char *name = LLVMGetValueName2(function, &length);
  if (!strstr(name, "tomicM") || length < 3)
    return false;
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
    if (!strcmp(name + length - 3, ends[i]))
      return true;
  return false;
}

// llvm.nvvm.atomic.max.gen.i.cta.i32.p0 -> __gpuverify_atomic_umax.cta.i32
static void make_unsigned(const Changes *o, LLVMValueRef function) {
  static const char head[] = "llvm.nvvm.atomic.m", middle[] = ".gen.i";
  char name[64];
  size_t length = 0;
  const char *old = LLVMGetValueName2(function, &length);
  if (strncmp(old, head, sizeof head - 1) != 0 || !strstr(old, middle))
    return;
  snprintf(name, sizeof name, "__gpuverify_atomic_um%.2s%.8s",
           old + sizeof head - 1, strstr(old, middle) + sizeof middle - 1);
  LLVMTypeRef type = LLVMGlobalGetValueType(function);
  LLVMValueRef other = LLVMGetNamedFunction(o->module, name);
  for (LLVMUseRef use = LLVMGetFirstUse(function), next; use; use = next) {
    LLVMValueRef call = LLVMGetUser(use);
    next = LLVMGetNextUse(use);
    assert(LLVMIsACallInst(call)); // nothing else may name an intrinsic
    if (!is_of_unsigned(
            LLVMGetBasicBlockParent(LLVMGetInstructionParent(call))))
      continue;
    if (!other)
      other = LLVMAddFunction(o->module, name, type);
    LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, other);
  }
}

// ------------------------------------------------------------------- match ---

// llvm.nvvm.match.all.sync.i64p -> __gpuverify_match_all.i64, of the same
// arguments.
static LLVMValueRef one_match(const Changes *o, LLVMValueRef function) {
  size_t length = 0;
  const char *name = LLVMGetValueName2(function, &length);
  LLVMContextRef context = LLVMGetModuleContext(o->module);
  bool is_long = strstr(name, ".i64p") != NULL;
  LLVMTypeRef word = LLVMInt32TypeInContext(context);
  LLVMTypeRef parameters[] = {word,
                              is_long ? LLVMInt64TypeInContext(context) : word};
  LLVMValueRef one = LLVMAddFunction(
      o->module,
      is_long ? "__gpuverify_match_all.i64" : "__gpuverify_match_all.i32",
      LLVMFunctionType(word, parameters, 2, false));
  jit_add_attribute(one, "convergent", 0);
  return one;
}

static void ask_for_one(const Changes *o, LLVMValueRef one, LLVMValueRef call) {
  assert(LLVMIsACallInst(call) && LLVMGetNumArgOperands(call) == 2);
  LLVMValueRef in[] = {LLVMGetOperand(call, 0), LLVMGetOperand(call, 1)};
  LLVMPositionBuilderBefore(o->builder, call);
  LLVMSetCurrentDebugLocation2(o->builder, LLVMInstructionGetDebugLoc(call));
  LLVMValueRef lanes =
      LLVMBuildCall2(o->builder, LLVMGlobalGetValueType(one), one, in, 2, "");
  LLVMValueRef all = LLVMBuildIsNotNull(o->builder, lanes, "");
  LLVMValueRef both = LLVMGetUndef(LLVMTypeOf(call));
  both = LLVMBuildInsertValue(o->builder, both, lanes, 0, "");
  both = LLVMBuildInsertValue(o->builder, both, all, 1, "");
  LLVMReplaceAllUsesWith(call, both);
  LLVMSetCurrentDebugLocation2(o->builder, NULL);
  LLVMInstructionEraseFromParent(call);
}

static void change_matches(const Changes *o, LLVMValueRef function) {
  static const char head[] = "llvm.nvvm.match.all.sync.";
  size_t length = 0;
  if (strncmp(LLVMGetValueName2(function, &length), head, sizeof head - 1) != 0)
    return;
  LLVMValueRef one = one_match(o, function);
  for (LLVMUseRef use = LLVMGetFirstUse(function), next; use; use = next) {
    next = LLVMGetNextUse(use);
    ask_for_one(o, one, LLVMGetUser(use));
  }
}

void jit_change_calls(LLVMModuleRef module) {
  Changes o = {module,
               LLVMCreateBuilderInContext(LLVMGetModuleContext(module))};
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
       f = LLVMGetNextFunction(f)) {
    size_t length = 0;
    const char *name = LLVMGetValueName2(f, &length);
    if (!LLVMIsDeclaration(f))
      continue;
    make_unsigned(&o, f);
    change_matches(&o, f);
    const LibraryFunction *known = library_find(name);
    if (!known || !library_touches_memory(known))
      continue;
    for (LLVMUseRef use = LLVMGetFirstUse(f); use; use = LLVMGetNextUse(use))
      if (LLVMIsACallInst(LLVMGetUser(use)))
        redirect(&o, LLVMGetUser(use));
  }
  LLVMDisposeBuilder(o.builder);
}
