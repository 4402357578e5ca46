// Functions without a body that are not known by their names.
//
// They may do anything, so a kernel that calls one is `unknown`.  The user may
// say that they are pure, SOUND(pure-externals): they touch no memory that
// threads share, synchronise nobody, come back, and return anything; to a
// thread's own memory they write through the pointers that they are given, and
// those that they find there or make of numbers.  A function whose name begins
// with __uninterpreted_function_ returns equal values for equal arguments.
// What belongs to a language or its library is not meant.

#include "translator/from_llvm_calls.h"

#include <string.h>

static bool begins(const char *name, const char *with) {
  return strncmp(name, with, strlen(with)) == 0;
}

static bool is_uninterpreted(const char *name) {
  return begins(name, "__uninterpreted_function_");
}

static bool comes_back(LLVMValueRef call) {
  unsigned kind = LLVMGetEnumAttributeKindForName("noreturn", 8);
  LLVMAttributeIndex function = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
  return !LLVMGetEnumAttributeAtIndex(called_function(call), function, kind) &&
         !LLVMGetCallSiteEnumAttribute(call, function, kind);
}

// Of C's library: they allocate memory, or do not come back.
static bool is_of_library(const char *name) {
  static const char *const names[] = {
      "malloc", "calloc", "realloc", "free",       "aligned_alloc",
      "abort",  "exit",   "_Exit",   "quick_exit", "longjmp"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(names[i], name))
      return true;
  return false;
}

// In OpenCL C names of a program are not mangled, those of built-in functions
// are.  Names of CUDA's and C's libraries are mangled if they are in a
// namespace.
static bool is_of_program(Task *task, LLVMValueRef call) {
  size_t length = 0;
  const char *name = LLVMGetValueName2(called_function(call), &length);
  LLVMValueRef caller = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
  if (llvm_is_opencl_kernel(caller) && begins(name, "_Z"))
    return false;
  const char *plain = plain_name(task, name);
  return is_uninterpreted(plain) ||
         !(begins(name, "llvm.") || begins(plain, "__") ||
           begins(plain, "cuda") || begins(name, "_ZN") ||
           begins(name, "_ZS") || is_of_library(name));
}

bool is_pure_external(Builder *builder, LLVMValueRef call) {
  return builder->kernel->options->pure_externals &&
         !call_row(builder->task, call) &&
         !LLVMGetIntrinsicID(called_function(call)) && comes_back(call) &&
         is_of_program(builder->task, call);
}

// ------------------------------------------------------------- own memory ---

static bool is_same_object(LLVMValueRef user) {
  return LLVMIsAGetElementPtrInst(user) || LLVMIsACastInst(user) ||
         LLVMIsAFreezeInst(user) || LLVMIsAPHINode(user) ||
         LLVMIsASelectInst(user);
}

// Does the user read or write where the pointer points to, and no more?
static bool only_accesses(LLVMValueRef user, LLVMValueRef pointer) {
  if (LLVMIsAStoreInst(user))
    return LLVMGetOperand(user, 0) != pointer;
  return LLVMIsALoadInst(user) || LLVMIsAMemIntrinsic(user) ||
         LLVMIsAICmpInst(user) || llvm_is_lifetime(user);
}

// May somebody have the pointer, or find it?
static bool is_kept(Task *task, ValueTable *seen, LLVMValueRef pointer) {
  if (table_get(seen, pointer))
    return false;
  table_put(task, seen, pointer, pointer);
  for (LLVMUseRef use = LLVMGetFirstUse(pointer); use;
       use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (is_same_object(user) ? is_kept(task, seen, user)
                             : !only_accesses(user, pointer))
      return true;
  }
  return false;
}

// Of memory of its own, only the arguments are known to hold something.
static void note_kept_arguments(Builder *builder) {
  for (unsigned i = 0; i < LLVMCountParams(builder->function); i++) {
    LLVMValueRef parameter = LLVMGetParam(builder->function, i);
    ValueTable seen = {0};
    if (llvm_is_by_value(builder->function, i) &&
        is_kept(builder->task, &seen, parameter))
      note_write(builder, table_get(&builder->arrays, parameter), NULL);
  }
}

// ---------------------------------------------------------------- the call ---

// Of a function without arguments.  Others may have its name in another
// namespace, or return another type.
static void set_constant(Builder *builder, LLVMValueRef call) {
  Task *task = builder->task;
  LLVMTypeRef type = LLVMTypeOf(call);
  size_t length = 0;
  const char *function = LLVMGetValueName2(called_function(call), &length);
  Expr *nothing = expr_const(task, 32, 0);
  LlvmValue *value = value_new(builder, lanes_of_type(builder, type));
  for (unsigned i = 0; i < value->count; i++) {
    LLVMTypeRef scalar = lane_type(builder, type, i);
    const char *name = arena_printf(&task->arena, "%s/%u", function, i);
    value->lanes[i] = lane_unknown(builder, scalar, "result");
    if (!value->lanes[i].base)
      value->lanes[i].bits =
          expr_apply(task, name, scalar_bits(builder, scalar), &nothing, 1);
  }
  set_value(builder, call, value);
}

static void set_result(Builder *builder, LLVMValueRef call) {
  const char *name = called_name(builder->task, call);
  if (LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind)
    return;
  if (!is_uninterpreted(name))
    set_unknown(builder, call, name);
  else if (LLVMGetNumArgOperands(call))
    call_pure(builder, call);
  else
    set_constant(builder, call);
}

void call_external(Builder *builder, LLVMValueRef call) {
  assume_named(builder, "pure-externals");
  note_kept_arguments(builder);
  reread_forget(builder);
  set_result(builder, call);
}
