// Functions of the device's library of mathematics that are one instruction.
//
// The optimiser makes vector operations of these, where a call of the host's
// function would stand in its way.  They give the same bits as the functions
// that builtins.def has for them.

#include "runtime/jit.h"

#include <string.h>

typedef struct Operation {
  const char *name, *intrinsic;
} Operation;

static const Operation operations[] = {
    {"__nv_fabsf", "llvm.fabs"},    {"__nv_fabs", "llvm.fabs"},
    {"__nv_sqrtf", "llvm.sqrt"},    {"__nv_sqrt", "llvm.sqrt"},
    {"__nv_fsqrt_rn", "llvm.sqrt"}, {"__nv_floorf", "llvm.floor"},
    {"__nv_floor", "llvm.floor"},   {"__nv_ceilf", "llvm.ceil"},
    {"__nv_ceil", "llvm.ceil"},     {"__nv_truncf", "llvm.trunc"},
    {"__nv_trunc", "llvm.trunc"},   {"__nv_rintf", "llvm.rint"},
    {"__nv_rint", "llvm.rint"},     {"__nv_fmaf", "llvm.fma"},
    {"__nv_fma", "llvm.fma"},       {"__nv_max", "llvm.smax"},
    {"__nv_min", "llvm.smin"},      {"__nv_umax", "llvm.umax"},
    {"__nv_umin", "llvm.umin"},     {"__nv_llmax", "llvm.smax"},
    {"__nv_llmin", "llvm.smin"},    {"__nv_ullmax", "llvm.umax"},
    {"__nv_ullmin", "llvm.umin"},
};

static LLVMValueRef build(LLVMBuilderRef builder, LLVMValueRef call,
                          const char *intrinsic) {
  LLVMModuleRef module = LLVMGetGlobalParent(
      LLVMGetBasicBlockParent(LLVMGetInstructionParent(call)));
  LLVMTypeRef type = LLVMTypeOf(call);
  unsigned id = LLVMLookupIntrinsicID(intrinsic, strlen(intrinsic));
  LLVMValueRef function = LLVMGetIntrinsicDeclaration(module, id, &type, 1);
  LLVMValueRef arguments[3];
  unsigned count = LLVMGetNumArgOperands(call);
  for (unsigned i = 0; i < count; i++)
    arguments[i] = LLVMGetOperand(call, i);
  return LLVMBuildCall2(builder, LLVMGlobalGetValueType(function), function,
                        arguments, count, "");
}

static LLVMValueRef become(LLVMBuilderRef builder, LLVMValueRef call,
                           const char *name) {
  if (!strcmp(name, "__nv_fdividef") || !strcmp(name, "__nv_fast_fdividef"))
    return LLVMBuildFDiv(builder, LLVMGetOperand(call, 0),
                         LLVMGetOperand(call, 1), "");
  if (!strcmp(name, "__nv_rsqrtf") || !strcmp(name, "__nv_rsqrt"))
    return LLVMBuildFDiv(builder, LLVMConstReal(LLVMTypeOf(call), 1),
                         build(builder, call, "llvm.sqrt"), "");
  for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
    if (!strcmp(name, operations[i].name))
      return build(builder, call, operations[i].intrinsic);
  return NULL;
}

bool jit_become_operation(LLVMBuilderRef builder, LLVMValueRef call,
                          const Builtin *builtin) {
  LLVMValueRef made = become(builder, call, builtin->name);
  if (!made)
    return false;
  LLVMReplaceAllUsesWith(call, made);
  LLVMInstructionEraseFromParent(call);
  return true;
}
