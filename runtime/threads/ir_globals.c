// Variables of the program at fixed addresses.
//
// Each variable becomes a number, its address, wherever it is used.  The
// variable that LLVM knew stays as a constant that holds what the memory
// begins with.  A thread-local variable is so many bytes behind where the
// running thread's begin.

#include "runtime/threads/ir.h"

#include <assert.h>
#include <string.h>

typedef struct Placing {
  Task *task;
  LLVMModuleRef module;
  LLVMContextRef context;
  LLVMTargetDataRef layout;
  ProgramImage *image;
  Vec(LLVMValueRef) rows;
  uint64_t globals, constants, tls, tls_alignment;
} Placing;

static const char *name_of(LLVMValueRef value) {
  size_t length = 0;
  return LLVMGetValueName2(value, &length);
}

static LLVMTypeRef word_type(const Placing *placing) {
  return LLVMInt64TypeInContext(placing->context);
}

static LLVMValueRef number(const Placing *placing, uint64_t value) {
  return LLVMConstInt(word_type(placing), value, false);
}

static LLVMValueRef address(const Placing *placing, uint64_t at) {
  return LLVMConstIntToPtr(number(placing, at),
                           LLVMPointerTypeInContext(placing->context, 0));
}

static uint64_t take(const Placing *placing, uint64_t *used, uint64_t room,
                     LLVMValueRef global) {
  LLVMTypeRef type = LLVMGlobalGetValueType(global);
  uint64_t alignment = LLVMGetAlignment(global), at = 0;
  if (alignment < 16)
    alignment = 16;
  at = (*used + alignment - 1) / alignment * alignment;
  *used = at + LLVMABISizeOfType(placing->layout, type);
  if (*used > room)
    unsupported(placing->task, (Loc){0},
                "'%s': the variables of this program are too large",
                name_of(global));
  return at;
}

// What memory begins with, but for zeros.
static void add_start(Placing *placing, LLVMValueRef global, uint64_t at) {
  LLVMValueRef start = LLVMGetInitializer(global);
  uint64_t bytes =
      LLVMABISizeOfType(placing->layout, LLVMGlobalGetValueType(global));
  if (LLVMIsNull(start) || LLVMIsUndef(start) || !bytes)
    return;
  LLVMValueRef copy = LLVMAddGlobal(placing->module, LLVMTypeOf(start), "");
  LLVMSetInitializer(copy, start);
  LLVMSetGlobalConstant(copy, true);
  LLVMSetLinkage(copy, LLVMInternalLinkage);
  LLVMValueRef row[] = {number(placing, at),
                        LLVMConstPtrToInt(copy, word_type(placing)),
                        number(placing, bytes)};
  for (unsigned i = 0; i < 3; i++)
    push(&placing->task->arena, &placing->rows, row[i]);
}

static LLVMValueRef build_local(const Placing *placing, LLVMBuilderRef builder,
                                LLVMValueRef user, uint64_t at) {
  LLVMTypeRef pointer = LLVMPointerTypeInContext(placing->context, 0);
  LLVMValueRef offset = number(placing, at);
  LLVMPositionBuilderBefore(builder, user);
  LLVMValueRef base = LLVMBuildLoad2(
      builder, pointer, address(placing, (uint64_t)(uintptr_t)&world.tls), "");
  return LLVMBuildGEP2(builder, LLVMInt8TypeInContext(placing->context), base,
                       &offset, 1, "tls");
}

static void replace_operand(LLVMValueRef user, LLVMValueRef old,
                            LLVMValueRef new) {
  for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(user); i++)
    if (LLVMGetOperand(user, i) == old)
      LLVMSetOperand(user, i, new);
}

static bool asks_for_local(LLVMValueRef user) {
  LLVMValueRef callee = LLVMIsACallInst(user) ? LLVMGetCalledValue(user) : NULL;
  return callee && LLVMIsAFunction(callee) &&
         !strncmp(name_of(callee), "llvm.threadlocal.address",
                  strlen("llvm.threadlocal.address"));
}

// The calls of llvm.threadlocal.address become arithmetic; what makes and
// destroys objects of C++ goes without.
static void place_local(Placing *placing, LLVMValueRef global, uint64_t at) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(placing->context);
  for (LLVMUseRef use; (use = LLVMGetFirstUse(global));) {
    LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsAInstruction(user) || LLVMIsAPHINode(user))
      unsupported(placing->task, (Loc){0},
                  "'%s': this use of a thread-local variable is not executed",
                  name_of(global));
    LLVMValueRef place = build_local(placing, builder, user, at);
    if (asks_for_local(user)) {
      LLVMReplaceAllUsesWith(user, place);
      LLVMInstructionEraseFromParent(user);
    } else {
      replace_operand(user, global, place);
    }
  }
  LLVMDisposeBuilder(builder);
}

// Those of the library are linked together, behind those of the program.
static void add_variable(Placing *placing, LLVMValueRef global,
                         ProgramVariable variable) {
  if (!ir_is_variable_of_library(global)) {
    assert(!world.library_at);
    push(&placing->task->arena, &placing->image->variables, variable);
    return;
  }
  if (!world.library_at)
    world.library_at = variable.at;
  world.library_end = variable.at + variable.bytes;
}

static void place_defined(Placing *placing, LLVMValueRef global) {
  bool is_constant = LLVMIsGlobalConstant(global);
  uint64_t at = is_constant ? CONSTANTS_AT + take(placing, &placing->constants,
                                                  CONSTANTS_BYTES, global)
                            : GLOBALS_AT + take(placing, &placing->globals,
                                                GLOBALS_BYTES, global);
  ProgramVariable variable = {
      .name = arena_copy(&placing->task->arena,
                         plain_name(placing->task, name_of(global))),
      .at = at,
      .bytes =
          LLVMABISizeOfType(placing->layout, LLVMGlobalGetValueType(global))};
  if (!is_constant)
    add_variable(placing, global, variable);
  LLVMReplaceAllUsesWith(global, address(placing, at));
  add_start(placing, global, at);
}

static void place_declared(Placing *placing, LLVMValueRef global) {
  uint64_t at = posix_variable(name_of(global));
  if (!at)
    unsupported(placing->task, (Loc){0},
                "the variable '%s' is used, and neither the program nor "
                "gpuverify has it",
                ir_told_name(placing->task, name_of(global)));
  LLVMReplaceAllUsesWith(global, address(placing, at));
}

// Of std::call_once; 0: there is none of that name.
static uint64_t library_local(const char *name) {
  return !strcmp(name, "_ZSt15__once_callable") ? ONCE_CALLABLE_AT
         : !strcmp(name, "_ZSt11__once_call")   ? ONCE_CALL_AT
                                                : 0;
}

static void place(Placing *placing, LLVMValueRef global) {
  if (!strncmp(name_of(global), "llvm.", 5))
    return;
  if (LLVMIsThreadLocal(global) && !LLVMIsDeclaration(global)) {
    uint64_t at = take(placing, &placing->tls, MOST_TLS, global);
    if (placing->tls_alignment < LLVMGetAlignment(global))
      placing->tls_alignment = LLVMGetAlignment(global);
    add_start(placing, global, at);
    place_local(placing, global, at);
  } else if (LLVMIsThreadLocal(global) && library_local(name_of(global)))
    place_local(placing, global, library_local(name_of(global)));
  else if (!LLVMIsDeclaration(global))
    place_defined(placing, global);
  else if (LLVMGetFirstUse(global))
    place_declared(placing, global);
}

static void add_table(Placing *placing) {
  for (unsigned i = 0; i < 3; i++)
    push(&placing->task->arena, &placing->rows, number(placing, 0));
  LLVMValueRef rows = LLVMConstArray2(word_type(placing), placing->rows.at,
                                      placing->rows.count);
  LLVMValueRef table =
      LLVMAddGlobal(placing->module, LLVMTypeOf(rows), STARTS_NAME);
  LLVMSetInitializer(table, rows);
  LLVMSetGlobalConstant(table, true);
}

void ir_place_globals(Task *task, LLVMModuleRef module, ProgramImage *image) {
  Placing placing = {.task = task,
                     .module = module,
                     .context = LLVMGetModuleContext(module),
                     .layout = LLVMGetModuleDataLayout(module),
                     .image = image,
                     .globals = POSIX_VARIABLES_BYTES,
                     .tls = TLS_OF_LIBRARY,
                     .tls_alignment = 16};
  Vec(LLVMValueRef) globals = {0};
  world.library_at = world.library_end = 0;
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
    push(&task->arena, &globals, g);
  for (size_t i = 0; i < globals.count; i++)
    place(&placing, globals.at[i]);
  // Once nobody names them: what a variable begins with may name another.
  for (size_t i = 0; i < globals.count; i++)
    if (!LLVMGetFirstUse(globals.at[i]))
      LLVMDeleteGlobal(globals.at[i]);
  add_table(&placing);
  world.globals_bytes = image->globals_end = placing.globals;
  world.constants_bytes = placing.constants;
  // Where they begin is so far before the end of a stack.
  world.tls_bytes = (placing.tls + placing.tls_alignment - 1) /
                    placing.tls_alignment * placing.tls_alignment;
}
