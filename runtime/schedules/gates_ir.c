// Gates before the accesses of a kernel, in device IR.
//
// They stand where the hooks of `gpuverify schedules` stand on this machine,
// so both count the same accesses.  What a gate does is written once, in LLVM's
// language (gates_text.c), and inlined at each access, for the device or
// for this machine: test/unit/test_gates.c executes it here under schedulers
// that do their worst.  On a device threads of one warp wait at different
// gates, so it must let them go on independently.
//
// A gate waits with loads that acquire, and passes the ticket on with a store
// that releases; fences keep the access between the two.  So a schedule is
// sequentially consistent on the device as it is here.  Assertions and traps
// become an entry in the Gates and the end of the thread, since the device's
// own would take the context and its memory with them.

#include "runtime/jit/jit.h"
#include "runtime/schedules/gates.h"

#include <assert.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Linker.h>
#include <string.h>

typedef struct Gating {
  Task *task;
  const Code *code;
  LLVMModuleRef module;
  LLVMContextRef context;
  LLVMBuilderRef builder;
  LLVMTypeRef i32, pointer;
  LLVMValueRef in, out, end, check;
  Vec(LLVMValueRef) functions; // that get gates
  const char *missing; // a function that the device does not have, or NULL
} Gating;

// ------------------------------------------------------------------ calls ---

static LLVMValueRef number(const Gating *g, uint32_t value) {
  return LLVMConstInt(g->i32, value, false);
}

static LLVMValueRef call(const Gating *g, LLVMValueRef function,
                         LLVMValueRef *arguments, unsigned count) {
  return LLVMBuildCall2(g->builder, LLVMGlobalGetValueType(function), function,
                        arguments, count, "");
}

static LLVMValueRef gate_in(const Gating *g, LLVMValueRef at, uint32_t site) {
  if (LLVMGetPointerAddressSpace(LLVMTypeOf(at)))
    at = LLVMBuildAddrSpaceCast(g->builder, at, g->pointer, "");
  return call(g, g->in, (LLVMValueRef[]){at, number(g, site)}, 2);
}

static void gate_out(const Gating *g, LLVMValueRef ticket) {
  call(g, g->out, &ticket, 1);
}

static void gate_end(const Gating *g, GatesEnd end, uint32_t site) {
  call(g, g->end, (LLVMValueRef[]){number(g, end), number(g, site)}, 2);
}

// --------------------------------------------------------------- accesses ---

static LLVMValueRef base_of(LLVMValueRef pointer) {
  while (LLVMIsAGetElementPtrInst(pointer) ||
         LLVMIsAAddrSpaceCastInst(pointer) || LLVMIsAConstantExpr(pointer))
    pointer = LLVMGetOperand(pointer, 0);
  return pointer;
}

// Constant memory, and what is passed by value, is nobody's to change.
static bool is_constant(LLVMValueRef function, LLVMValueRef pointer) {
  LLVMValueRef base = base_of(pointer);
  if (LLVMIsAGlobalVariable(base))
    return LLVMIsGlobalConstant(base);
  for (unsigned i = 0; i < LLVMCountParams(function); i++)
    if (base == LLVMGetParam(function, i))
      return jit_by_value(function, i) != NULL;
  return false;
}

static void gate_access(const Gating *g, LLVMValueRef i, LLVMValueRef at,
                        uint32_t site) {
  LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(i));
  if (is_constant(function, at))
    return;
  LLVMPositionBuilderBefore(g->builder, i);
  LLVMValueRef ticket = gate_in(g, at, site);
  LLVMPositionBuilderBefore(g->builder, LLVMGetNextInstruction(i));
  gate_out(g, ticket);
}

// Of a copy the target is told first, and nothing is done yet.
static void gate_transfer(const Gating *g, LLVMValueRef i, uint32_t site) {
  LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(i));
  assert(site < g->code->sites.count);
  LLVMValueRef target = LLVMGetOperand(i, 0);
  bool is_one = llvm_transfer(i) == TRANSFER_FILL ||
                is_constant(function, LLVMGetOperand(i, 1));
  if (is_one) {
    gate_access(g, i, target, site);
    return;
  }
  LLVMPositionBuilderBefore(g->builder, i);
  gate_out(g, gate_in(g, target, site));
  gate_access(g, i, LLVMGetOperand(i, 1), site + 1);
}

// --------------------------------------------------------- other functions ---

static void remove_call(LLVMValueRef i) {
  if (LLVMGetFirstUse(i))
    LLVMReplaceAllUsesWith(i, LLVMGetUndef(LLVMTypeOf(i)));
  LLVMInstructionEraseFromParent(i);
}

static void replace_call(Gating *g, LLVMValueRef i, const char *name) {
  LLVMPositionBuilderBefore(g->builder, i);
  if (!strcmp(name, "__assertfail"))
    gate_end(g, GATES_ASSERTION, jit_site(i));
  else if (!strcmp(name, "llvm.trap"))
    gate_end(g, GATES_TRAP, jit_site(i));
  else if (!strcmp(name, "__gpuverify_assert") ||
           !strcmp(name, "__gpuverify_precondition"))
    call(g, g->check,
         (LLVMValueRef[]){LLVMBuildIntCast2(g->builder, LLVMGetOperand(i, 0),
                                            g->i32, false, ""),
                          number(g, jit_site(i))},
         2);
  else {
    if (!jit_leave_for_device(g->task, g->builder, i, name) && !g->missing)
      g->missing = name;
    return;
  }
  remove_call(i);
}

static void gate_call(Gating *g, LLVMValueRef i, uint32_t site) {
  const char *name = jit_declared(i);
  if (!name)
    return;
  if (llvm_transfer(i))
    gate_transfer(g, i, site);
  else if (site != NO_SITE && g->code->sites.at[site].kind <= SITE_ATOMIC)
    gate_access(g, i, LLVMGetOperand(i, 0), site);
  else if (!LLVMIsAInlineAsm(LLVMGetCalledValue(i)))
    replace_call(g, i, name);
}

static void gate_instruction(Gating *g, LLVMValueRef i) {
  uint32_t site = jit_site(i);
  assert(site == NO_SITE || site < g->code->sites.count);
  if (LLVMIsACallInst(i))
    gate_call(g, i, site);
  else if (site == NO_SITE || g->code->sites.at[site].kind > SITE_ATOMIC)
    return;
  else if (!jit_is_own(LLVMGetOperand(i, LLVMIsAStoreInst(i) ? 1 : 0)))
    gate_access(g, i, LLVMGetOperand(i, LLVMIsAStoreInst(i) ? 1 : 0), site);
}

// ----------------------------------------------------------------- module ---

static void gate_function(Gating *g, LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
      next = LLVMGetNextInstruction(i);
      gate_instruction(g, i);
    }
}

// What is executed beside the kernel stays as it is.
static void check_calls(Gating *g, LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
         i = LLVMGetNextInstruction(i)) {
      const char *name = LLVMIsACallInst(i) ? jit_declared(i) : NULL;
      if (name && !LLVMIsAInlineAsm(LLVMGetCalledValue(i)) &&
          !jit_is_of_device(name) && strcmp(name, "__assertfail") != 0)
        g->missing = g->missing ? g->missing : name;
    }
}

// Linking would have dropped it if it had been so before.
static LLVMValueRef own(const Gating *g, const char *name) {
  LLVMValueRef function = LLVMGetNamedFunction(g->module, name);
  assert(function); // gates_text defines it
  LLVMSetLinkage(function, LLVMInternalLinkage);
  return function;
}

static bool link_gates(Gating *g, const char **reason) {
  const char *text = "";
  LLVMModuleRef gates = NULL;
  char *message = NULL;
  for (unsigned i = 0; gates_text[i]; i++)
    text = arena_printf(&g->task->arena, "%s%s", text, gates_text[i]);
  LLVMMemoryBufferRef buffer =
      LLVMCreateMemoryBufferWithMemoryRange(text, strlen(text), "gates", true);
  if (LLVMParseIRInContext(g->context, buffer, &gates, &message)) {
    *reason = llvm_take_message(g->task, message);
    return false;
  }
  LLVMSetTarget(gates, LLVMGetTarget(g->module));
  LLVMSetDataLayout(gates, LLVMGetDataLayoutStr(g->module));
  if (LLVMLinkModules2(g->module, gates)) {
    *reason = "the gates do not fit the module";
    return false;
  }
  g->in = own(g, "gpuverify_gate_in");
  g->out = own(g, "gpuverify_gate_out");
  g->end = own(g, "gpuverify_gate_end");
  g->check = own(g, "gpuverify_gate_assert");
  return true;
}

// A place in this process instead of the variable.
static void place_gates(LLVMModuleRef module, const Gates *at) {
  LLVMValueRef variable = LLVMGetNamedGlobal(module, GATES_NAME);
  assert(variable);
  LLVMTypeRef i64 = LLVMInt64TypeInContext(LLVMGetModuleContext(module));
  LLVMReplaceAllUsesWith(variable,
                         LLVMConstIntToPtr(LLVMConstInt(i64, (uintptr_t)at, 0),
                                           LLVMTypeOf(variable)));
  LLVMDeleteGlobal(variable);
}

static bool is_named(LLVMValueRef function, LLVMValueRef other) {
  size_t length = 0;
  return other && !strcmp(LLVMGetValueName2(function, &length),
                          LLVMGetValueName2(other, &length));
}

// Other kernels go; the functions that get gates are left in the list.
static bool choose_functions(Gating *g, const char **reason) {
  const Code *code = g->code;
  for (LLVMValueRef f = LLVMGetFirstFunction(g->module); f;
       f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f))
      LLVMSetLinkage(f, is_named(f, code->function) || is_named(f, code->also)
                            ? LLVMExternalLinkage
                            : LLVMInternalLinkage);
  if (!llvm_run_passes(g->task, g->module, NULL, "globaldce", reason))
    return false;
  for (LLVMValueRef f = LLVMGetFirstFunction(g->module); f;
       f = LLVMGetNextFunction(f))
    if (is_named(f, code->also))
      check_calls(g, f);
    else if (!LLVMIsDeclaration(f))
      push(&g->task->arena, &g->functions, f);
  return true;
}

bool gates_insert(Task *task, const Code *code, LLVMModuleRef module,
                  const Gates *at, const char **reason) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  Gating gating = {.task = task,
                   .code = code,
                   .module = module,
                   .context = context,
                   .i32 = LLVMInt32TypeInContext(context),
                   .pointer = LLVMPointerTypeInContext(context, 0)};
  LLVMStripModuleDebugInfo(module);
  if (!choose_functions(&gating, reason) || !link_gates(&gating, reason))
    return false;
  gating.builder = LLVMCreateBuilderInContext(context);
  for (size_t i = 0; i < gating.functions.count; i++)
    gate_function(&gating, gating.functions.at[i]);
  LLVMDisposeBuilder(gating.builder);
  if (at)
    place_gates(module, at);
  if (gating.missing)
    *reason = arena_printf(&task->arena, "'%s' has no code for a device",
                           gating.missing);
  return !gating.missing &&
         llvm_run_passes(task, module, NULL, "always-inline,globaldce", reason);
}

// ------------------------------------------------------------------- text ---

static void rename_function(LLVMModuleRef module, LLVMValueRef original,
                            const char *name) {
  size_t length = 0;
  if (original)
    LLVMSetValueName2(
        LLVMGetNamedFunction(module, LLVMGetValueName2(original, &length)),
        name, strlen(name));
}

// The driver looks for variables by these names, whoever may see them.
static void rename_variables(Task *task, const Code *code,
                             LLVMModuleRef module) {
  LLVMValueRef variable = LLVMGetFirstGlobal(module);
  for (size_t i = 0; i < code->variables.count && variable;
       i++, variable = LLVMGetNextGlobal(variable)) {
    if (code->variables.at[i].space != SPACE_GLOBAL ||
        code->variables.at[i].is_note)
      continue;
    const char *name = arena_printf(&task->arena, GATES_VARIABLE, i);
    LLVMSetLinkage(variable, LLVMExternalLinkage);
    LLVMSetValueName2(variable, name, strlen(name));
  }
}

const char *gates_ptx(Task *task, const Code *code, unsigned version,
                      const char **reason) {
  LLVMModuleRef module = LLVMCloneModule(code->module);
  const char *text = NULL;
  rename_variables(task, code, module);
  if (gates_insert(task, code, module, NULL, reason)) {
    rename_function(module, code->function, GATES_ENTRY);
    rename_function(module, code->also, GATES_ALSO);
    text = llvm_print_ptx(task, module, version, reason);
  }
  LLVMDisposeModule(module);
  return text;
}
