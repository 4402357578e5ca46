// Functions of the device's library of mathematics that are one instruction.
//
// The optimiser can turn these into vector operations, but not a call of the
// host's function.  They give the same bits as the functions that builtins.def
// has for them.

#include "runtime/jit/jit.h"

#include <assert.h>
#include <string.h>

enum { MOST_ARGUMENTS = 3 };

// Of one type: 'f' and 'd' for floats, 'i' and 'l' for integers.
typedef struct Operation {
  const char *name, *intrinsic; // the latter may be NULL
  char type;
  unsigned sources;
} Operation;

static const Operation operations[] = {
    {"__nv_fabsf", "llvm.fabs", 'f', 1},
    {"__nv_fabs", "llvm.fabs", 'd', 1},
    {"__nv_sqrtf", "llvm.sqrt", 'f', 1},
    {"__nv_sqrt", "llvm.sqrt", 'd', 1},
    {"__nv_fsqrt_rn", "llvm.sqrt", 'f', 1},
    {"__nv_floorf", "llvm.floor", 'f', 1},
    {"__nv_floor", "llvm.floor", 'd', 1},
    {"__nv_ceilf", "llvm.ceil", 'f', 1},
    {"__nv_ceil", "llvm.ceil", 'd', 1},
    {"__nv_truncf", "llvm.trunc", 'f', 1},
    {"__nv_trunc", "llvm.trunc", 'd', 1},
    {"__nv_rintf", "llvm.rint", 'f', 1},
    {"__nv_rint", "llvm.rint", 'd', 1},
    {"__nv_fmaf", "llvm.fma", 'f', 3},
    {"__nv_fma", "llvm.fma", 'd', 3},
    {"__nv_max", "llvm.smax", 'i', 2},
    {"__nv_min", "llvm.smin", 'i', 2},
    {"__nv_umax", "llvm.umax", 'i', 2},
    {"__nv_umin", "llvm.umin", 'i', 2},
    {"__nv_llmax", "llvm.smax", 'l', 2},
    {"__nv_llmin", "llvm.smin", 'l', 2},
    {"__nv_ullmax", "llvm.umax", 'l', 2},
    {"__nv_ullmin", "llvm.umin", 'l', 2},
    {"__nv_rsqrtf", NULL, 'f', 1},
    {"__nv_rsqrt", NULL, 'd', 1},
    {"__nv_fdividef", NULL, 'f', 2},
    {"__nv_fast_fdividef", NULL, 'f', 2},
};

static const Operation *find(const char *name) {
  for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
    if (!strcmp(name, operations[i].name))
      return &operations[i];
  return NULL;
}

static bool is_of(LLVMTypeRef type, char letter) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (letter == 'f' || letter == 'd')
    return kind == (letter == 'f' ? LLVMFloatTypeKind : LLVMDoubleTypeKind);
  return kind == LLVMIntegerTypeKind &&
         LLVMGetIntTypeWidth(type) == (letter == 'i' ? 32 : 64);
}

bool jit_fits_operation(LLVMValueRef call, const char *name) {
  const Operation *operation = find(name);
  if (!operation)
    return true;
  if (LLVMGetNumArgOperands(call) != operation->sources ||
      !is_of(LLVMTypeOf(call), operation->type))
    return false;
  for (unsigned i = 0; i < operation->sources; i++)
    if (LLVMTypeOf(LLVMGetOperand(call, i)) != LLVMTypeOf(call))
      return false;
  return true;
}

static LLVMValueRef build(LLVMBuilderRef builder, LLVMValueRef call,
                          const char *intrinsic) {
  LLVMModuleRef module = LLVMGetGlobalParent(
      LLVMGetBasicBlockParent(LLVMGetInstructionParent(call)));
  LLVMTypeRef type = LLVMTypeOf(call);
  unsigned id = LLVMLookupIntrinsicID(intrinsic, strlen(intrinsic));
  LLVMValueRef function = LLVMGetIntrinsicDeclaration(module, id, &type, 1);
  LLVMValueRef arguments[MOST_ARGUMENTS];
  unsigned count = LLVMGetNumArgOperands(call);
  assert(id && count == LLVMCountParams(function) && count <= MOST_ARGUMENTS);
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
  const Operation *operation = find(name);
  return operation ? build(builder, call, operation->intrinsic) : NULL;
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
