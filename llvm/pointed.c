// Calls through pointers, by cases.
//
// Which function is called is one of those of the module whose address is taken
// and which have the type of the call, or none of them.  So the call becomes
// that of a function which asks one after the other:
//
//     if (f == square) return square(x);
//     if (f == cube) return cube(x);
//     return f(x);
//
// and is inlined with all of them.  The rest stays a call through a pointer, of
// which the translation says that it must not be reached.  It is marked, so as
// not to be taken apart again.

#include "llvm/core.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

enum { MOST_CASES = 32 };

static const char rest_mark[] = "gpuverify-rest";
static const char case_mark[] = "gpuverify.case";

static const LLVMAttributeIndex of_function =
    (LLVMAttributeIndex)LLVMAttributeFunctionIndex;

typedef Vec(LLVMValueRef) Values;

// ------------------------------------------------------------- the cases ---

static bool is_only_called(LLVMValueRef user, LLVMValueRef function) {
  if (!LLVMIsACallInst(user) || LLVMGetCalledValue(user) != function)
    return false;
  for (unsigned i = 0; i < LLVMGetNumArgOperands(user); i++)
    if (LLVMGetOperand(user, i) == function)
      return false;
  return true;
}

static bool is_address_taken(LLVMValueRef function) {
  for (LLVMUseRef use = LLVMGetFirstUse(function); use;
       use = LLVMGetNextUse(use))
    if (!is_only_called(LLVMGetUser(use), function))
      return true;
  return false;
}

// Of the type of the call.
static void find_cases(Task *task, LLVMModuleRef module, LLVMValueRef call,
                       Values *cases) {
  LLVMTypeRef type = LLVMGetCalledFunctionType(call);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
       f = LLVMGetNextFunction(f))
    if (LLVMGlobalGetValueType(f) == type && !llvm_is_kernel(f) &&
        !LLVMGetIntrinsicID(f) && is_address_taken(f))
      push(&task->arena, cases, f);
}

// ------------------------------------------------------------- the calls ---

static bool is_through_pointer(LLVMValueRef i) {
  if (!LLVMIsACallInst(i))
    return false;
  LLVMValueRef called = LLVMGetCalledValue(i);
  return !LLVMIsAFunction(called) && !LLVMIsAInlineAsm(called) &&
         !LLVMGetNumOperandBundles(i) &&
         !LLVMIsFunctionVarArg(LLVMGetCalledFunctionType(i)) &&
         !LLVMGetCallSiteStringAttribute(i, of_function, rest_mark,
                                         strlen(rest_mark));
}

static void find_calls(Task *task, LLVMValueRef function, Values *calls) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
         i = LLVMGetNextInstruction(i))
      if (is_through_pointer(i))
        push(&task->arena, calls, i);
}

// ------------------------------------------------------ the function of it ---

// Structs by value, above all.
static void copy_attributes(Task *task, LLVMValueRef from, LLVMValueRef to) {
  for (unsigned i = 0; i <= LLVMGetNumArgOperands(from); i++) {
    unsigned count = LLVMGetCallSiteAttributeCount(from, i);
    LLVMAttributeRef *attributes =
        arena_alloc(&task->arena, (count + 1) * sizeof *attributes);
    LLVMGetCallSiteAttributes(from, i, attributes);
    for (unsigned k = 0; k < count; k++)
      LLVMAddCallSiteAttribute(to, i, attributes[k]);
  }
}

typedef struct Split {
  Task *task;
  LLVMModuleRef module;
  LLVMValueRef call;
  LLVMValueRef function; // that asks
  LLVMBuilderRef builder;
} Split;

// The type of the call with the pointer before its arguments.
static LLVMTypeRef type_of_split(Task *task, LLVMValueRef call) {
  LLVMTypeRef type = LLVMGetCalledFunctionType(call);
  unsigned count = LLVMCountParamTypes(type);
  LLVMTypeRef *types = arena_alloc(&task->arena, (count + 1) * sizeof *types);
  types[0] = LLVMTypeOf(LLVMGetCalledValue(call));
  LLVMGetParamTypes(type, types + 1);
  return LLVMFunctionType(LLVMGetReturnType(type), types, count + 1, false);
}

static void add_function(Split *split) {
  LLVMContextRef context = LLVMGetModuleContext(split->module);
  split->function = LLVMAddFunction(split->module, "__gpuverify_call",
                                    type_of_split(split->task, split->call));
  LLVMSetLinkage(split->function, LLVMInternalLinkage);
  unsigned kind = LLVMGetEnumAttributeKindForName("alwaysinline", 12);
  LLVMAddAttributeAtIndex(split->function, of_function,
                          LLVMCreateEnumAttribute(context, kind, 0));
}

// With the arguments of the function that asks.
static LLVMValueRef add_call(Split *split, LLVMValueRef callee,
                             unsigned convention) {
  LLVMTypeRef type = LLVMGetCalledFunctionType(split->call);
  unsigned count = LLVMCountParamTypes(type);
  LLVMValueRef *arguments =
      arena_alloc(&split->task->arena, (count + 1) * sizeof *arguments);
  LLVMGetParams(split->function, arguments);
  LLVMValueRef call =
      LLVMBuildCall2(split->builder, type, callee, arguments + 1, count, "");
  LLVMSetInstructionCallConv(call, convention);
  copy_attributes(split->task, split->call, call);
  if (LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind)
    LLVMBuildRetVoid(split->builder);
  else
    LLVMBuildRet(split->builder, call);
  return call;
}

static LLVMBasicBlockRef add_block(Split *split) {
  return LLVMAppendBasicBlockInContext(LLVMGetModuleContext(split->module),
                                       split->function, "");
}

static unsigned case_kind(LLVMValueRef instruction) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(
      LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction))));
  return LLVMGetMDKindIDInContext(context, case_mark,
                                  (unsigned)strlen(case_mark));
}

static void mark_case(Split *split, LLVMValueRef compare) {
  LLVMContextRef context = LLVMGetModuleContext(split->module);
  LLVMMetadataRef nothing = LLVMMDNodeInContext2(context, NULL, 0);
  LLVMSetMetadata(compare, case_kind(compare),
                  LLVMMetadataAsValue(context, nothing));
}

bool llvm_is_case(LLVMValueRef compare) {
  return LLVMIsAInstruction(compare) &&
         LLVMGetMetadata(compare, case_kind(compare)) != NULL;
}

static void add_case(Split *split, LLVMValueRef callee) {
  LLVMBasicBlockRef yes = add_block(split), no = add_block(split);
  LLVMValueRef pointer = LLVMGetParam(split->function, 0);
  LLVMValueRef is_it =
      LLVMBuildICmp(split->builder, LLVMIntEQ, pointer, callee, "");
  mark_case(split, is_it);
  LLVMBuildCondBr(split->builder, is_it, yes, no);
  LLVMPositionBuilderAtEnd(split->builder, yes);
  add_call(split, callee, LLVMGetFunctionCallConv(callee));
  LLVMPositionBuilderAtEnd(split->builder, no);
}

static void add_rest(Split *split) {
  LLVMValueRef pointer = LLVMGetParam(split->function, 0);
  LLVMValueRef call =
      add_call(split, pointer, LLVMGetInstructionCallConv(split->call));
  LLVMAttributeRef mark =
      LLVMCreateStringAttribute(LLVMGetModuleContext(split->module), rest_mark,
                                (unsigned)strlen(rest_mark), "", 0);
  LLVMAddCallSiteAttribute(call, of_function, mark);
}

static void replace_call(Split *split) {
  LLVMValueRef call = split->call;
  unsigned count = LLVMGetNumArgOperands(call);
  LLVMValueRef *arguments =
      arena_alloc(&split->task->arena, (count + 1) * sizeof *arguments);
  arguments[0] = LLVMGetCalledValue(call);
  for (unsigned i = 0; i < count; i++)
    arguments[i + 1] = LLVMGetOperand(call, i);
  LLVMPositionBuilderBefore(split->builder, call);
  LLVMSetCurrentDebugLocation2(split->builder,
                               LLVMInstructionGetDebugLoc(call));
  LLVMValueRef instead =
      LLVMBuildCall2(split->builder, LLVMGlobalGetValueType(split->function),
                     split->function, arguments, count + 1, "");
  LLVMReplaceAllUsesWith(call, instead);
  LLVMInstructionEraseFromParent(call);
}

static bool split_call(Task *task, LLVMModuleRef module, LLVMValueRef call) {
  Values cases = {0};
  find_cases(task, module, call, &cases);
  if (!cases.count || cases.count > MOST_CASES)
    return false;
  LLVMContextRef context = LLVMGetModuleContext(module);
  Split split = {.task = task, .module = module, .call = call};
  split.builder = LLVMCreateBuilderInContext(context);
  add_function(&split);
  LLVMPositionBuilderAtEnd(split.builder, add_block(&split));
  for (size_t i = 0; i < cases.count; i++)
    add_case(&split, cases.at[i]);
  add_rest(&split);
  replace_call(&split);
  LLVMDisposeBuilder(split.builder);
  return true;
}

bool llvm_split_pointed_calls(Task *task, LLVMModuleRef module) {
  Values calls = {0};
  bool is_changed = false;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
       f = LLVMGetNextFunction(f))
    if (llvm_is_kernel(f))
      find_calls(task, f, &calls);
  for (size_t i = 0; i < calls.count; i++)
    is_changed |= split_call(task, module, calls.at[i]);
  return is_changed;
}
