// A kernel that was cut, as PTX for a device; or one that was not.
//
// What values.cu asks its host for is in the module then (device.cu), all else
// is the kernel's own.  The optimiser may run: each access has gone through a
// function that the optimiser sees, and what that does decides what is found.

#include "runtime/values/cutting.h"
#include "runtime/values/on_device.h"

#include <assert.h>
#include <llvm-c/DebugInfo.h>
#include <string.h>

typedef struct ToDevice {
  Task *task;
  const Code *code;
  LLVMModuleRef module;
  LLVMValueRef kernel;
  LLVMBuilderRef builder;
  const char *missing; // a function that a device does not have, or NULL
} ToDevice;

static bool is_named(LLVMValueRef function, const char *name) {
  size_t length = 0;
  return !strcmp(LLVMGetValueName2(function, &length), name);
}

// ---------------------------------------------------------------- memory ---

// The driver looks for variables by these names.
static void rename_variables(ToDevice *to) {
  const Code *code = to->code;
  LLVMValueRef variable = LLVMGetFirstGlobal(to->module);
  for (size_t i = 0; i < code->variables.count && variable;
       i++, variable = LLVMGetNextGlobal(variable)) {
    const Variable *known = &code->variables.at[i];
    if (known->space != SPACE_GLOBAL || known->is_note)
      continue;
    const char *name = arena_printf(&to->task->arena, VALUES_VARIABLE, i);
    LLVMSetLinkage(variable, LLVMExternalLinkage);
    LLVMSetValueName2(variable, name, strlen(name));
  }
}

static void tell_address(ToDevice *to, LLVMValueRef head, size_t number,
                         LLVMValueRef variable) {
  LLVMContextRef context = LLVMGetModuleContext(to->module);
  LLVMTypeRef i8 = LLVMInt8TypeInContext(context);
  LLVMTypeRef i32 = LLVMInt32TypeInContext(context);
  uint64_t offset =
      offsetof(ValuesHead, shared_at) + number * sizeof(ValuesWord);
  LLVMValueRef index =
      LLVMConstInt(LLVMInt64TypeInContext(context), offset, false);
  LLVMValueRef at = LLVMBuildGEP2(to->builder, i8, head, &index, 1, "");
  LLVMBuildStore(to->builder, LLVMBuildPtrToInt(to->builder, variable, i32, ""),
                 at);
}

// The kernel says at its begin where each variable of a block lies.
static void tell_shared(ToDevice *to) {
  LLVMValueRef head = LLVMGetNamedGlobal(to->module, VALUES_HEAD);
  LLVMValueRef variable = LLVMGetFirstGlobal(to->module);
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(to->kernel);
  assert(head);
  LLVMPositionBuilderBefore(to->builder, LLVMGetFirstInstruction(entry));
  for (size_t i = 0; i < to->code->variables.count && variable;
       i++, variable = LLVMGetNextGlobal(variable))
    if (to->code->variables.at[i].space == SPACE_SHARED &&
        i < VALUES_MOST_SHARED)
      tell_address(to, head, i, variable);
}

// ----------------------------------------------------------------- calls ---

static void check_call(ToDevice *to, LLVMValueRef call) {
  const char *name = jit_declared(call);
  if (!name || LLVMIsAInlineAsm(LLVMGetCalledValue(call)) ||
      !strcmp(name, "__assertfail"))
    return;
  if (!jit_leave_for_device(to->task, to->builder, call, name) && !to->missing)
    to->missing = name;
}

static void check_function(ToDevice *to, LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
      next = LLVMGetNextInstruction(i);
      if (LLVMIsACallInst(i))
        check_call(to, i);
    }
}

// Nothing but the kernel is seen from outside.
static void hide_functions(ToDevice *to) {
  for (LLVMValueRef f = LLVMGetFirstFunction(to->module); f;
       f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f) && f != to->kernel && !is_named(f, VALUES_END)) {
      LLVMSetVisibility(f, LLVMDefaultVisibility);
      LLVMSetLinkage(f, LLVMInternalLinkage);
    }
}

// ------------------------------------------------------------------- all ---

static void forget_uses(ToDevice *to, const char *name) {
  LLVMValueRef used = LLVMGetNamedGlobal(to->module, name);
  if (used)
    LLVMDeleteGlobal(used);
}

static const char *compile(ToDevice *to, unsigned version,
                           const char **reason) {
  LLVMStripModuleDebugInfo(to->module);
  rename_variables(to);
  if (to->code->is_cut) {
    cutting_link_device(to->module);
    tell_shared(to);
  }
  forget_uses(to, "llvm.used");
  forget_uses(to, "llvm.compiler.used");
  hide_functions(to);
  if (!llvm_run_passes(to->task, to->module, NULL, "globaldce", reason))
    return NULL;
  for (LLVMValueRef f = LLVMGetFirstFunction(to->module); f;
       f = LLVMGetNextFunction(f))
    check_function(to, f);
  if (to->missing) {
    *reason = arena_printf(&to->task->arena, "'%s' has no code for a device",
                           to->missing);
    return NULL;
  }
  LLVMSetValueName2(to->kernel, VALUES_ENTRY, strlen(VALUES_ENTRY));
  return llvm_print_fast_ptx(to->task, to->module, version, reason);
}

static void add_text_attribute(ToDevice *to, const char *name,
                               const char *text) {
  LLVMAttributeRef attribute = LLVMCreateStringAttribute(
      LLVMGetModuleContext(to->module), name, (unsigned)strlen(name), text,
      (unsigned)strlen(text));
  LLVMAddAttributeAtIndex(
      to->kernel, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, attribute);
}

// As many registers as leave room for 1024 threads: a kernel that waits for
// memory wants others beside it.
static void limit_threads(ToDevice *to, unsigned threads) {
  enum { AT_ONCE = 1024 };
  Arena *arena = &to->task->arena;
  add_text_attribute(to, "nvvm.maxntid", arena_printf(arena, "%u", threads));
  if (to->code->is_cut)
    add_text_attribute(to, "nvvm.minctasm",
                       arena_printf(arena, "%u", AT_ONCE / threads));
}

const char *values_ptx(Task *task, const Code *code, unsigned version,
                       unsigned threads, const char **reason) {
  size_t length = 0;
  LLVMModuleRef module = LLVMCloneModule(code->module);
  ToDevice to = {.task = task,
                 .code = code,
                 .module = module,
                 .kernel = LLVMGetNamedFunction(
                     module, LLVMGetValueName2(code->function, &length)),
                 .builder =
                     LLVMCreateBuilderInContext(LLVMGetModuleContext(module))};
  limit_threads(&to, threads);
  const char *text = compile(&to, version, reason);
  LLVMDisposeBuilder(to.builder);
  LLVMDisposeModule(module);
  return text;
}
