// CUDA's device library: its functions, and what LLVM has in their place.
//
// max(), __popc() and the like are calls of functions of libdevice, which
// clang links in, if it is there; we do without, so `__nv_max` has no body.
// libdevice.def says what is known of each.  For PTX those of integers become
// their operations; what the library computes in floating point stays a call:
// it is data that we do not have.

#include "llvm/core.h"

#include <assert.h>
#include <string.h>

// ------------------------------------------------------------------ calls ---

static bool is_of(LLVMTypeRef type, char letter) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  unsigned bits = kind == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 0;
  switch (letter) {
  case 'v':
    return kind == LLVMVoidTypeKind;
  case 'h':
    return bits == 16;
  case 'i':
    return bits == 32;
  case 'l':
    return bits == 64;
  case 'f':
    return kind == LLVMFloatTypeKind;
  case 'd':
    return kind == LLVMDoubleTypeKind;
  }
  return kind == LLVMPointerTypeKind;
}

// Is the call declared as the library has it?
static bool has_types(LLVMValueRef call, const char *types) {
  unsigned count = (unsigned)LLVMGetNumArgOperands(call);
  if (strlen(types) != count + 1 || !is_of(LLVMTypeOf(call), types[0]))
    return false;
  for (unsigned i = 0; i < count; i++)
    if (!is_of(LLVMTypeOf(LLVMGetOperand(call, i)), types[i + 1]))
      return false;
  return true;
}

const LibraryFunction *llvm_library_function(LLVMValueRef call) {
  LLVMValueRef callee = LLVMIsACallInst(call) ? LLVMGetCalledValue(call) : NULL;
  if (!callee || !LLVMIsAFunction(callee) || !LLVMIsDeclaration(callee))
    return NULL;
  size_t length;
  const LibraryFunction *function =
      library_find(LLVMGetValueName2(callee, &length));
  return function && has_types(call, function->types) ? function : NULL;
}

// ------------------------------------------------------------- operations ---

// A call that is being replaced.
typedef struct Site {
  LLVMModuleRef module;
  LLVMBuilderRef builder;
  LLVMValueRef a, b, c;
  LLVMTypeRef type; // of a
} Site;

static LLVMValueRef intrinsic(const Site *site, const char *name,
                              LLVMValueRef second) {
  unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  LLVMTypeRef of[] = {site->type};
  LLVMValueRef function = LLVMGetIntrinsicDeclaration(site->module, id, of, 1);
  LLVMValueRef operands[] = {site->a, second, site->c};
  return LLVMBuildCall2(site->builder, LLVMGlobalGetValueType(function),
                        function, operands, LLVMCountParams(function), "");
}

// Of llvm.abs and the like: it is defined for all operands.
static LLVMValueRef flag(const Site *site) {
  return LLVMConstInt(LLVMInt1TypeInContext(LLVMGetModuleContext(site->module)),
                      0, false);
}

// Counted from 1; 0: no bit is set.
static LLVMValueRef first_set(const Site *site, bool is_signed) {
  (void)is_signed;
  LLVMValueRef zero = LLVMConstInt(site->type, 0, false);
  LLVMValueRef count =
      LLVMBuildAdd(site->builder, intrinsic(site, "llvm.cttz", flag(site)),
                   LLVMConstInt(site->type, 1, false), "");
  LLVMValueRef is_zero =
      LLVMBuildICmp(site->builder, LLVMIntEQ, site->a, zero, "");
  return LLVMBuildSelect(site->builder, is_zero, zero, count, "");
}

static LLVMValueRef high_product(const Site *site, bool is_signed) {
  LLVMTypeRef wide = LLVMInt64TypeInContext(LLVMGetModuleContext(site->module));
  LLVMBuilderRef builder = site->builder;
  LLVMValueRef a = LLVMBuildIntCast2(builder, site->a, wide, is_signed, "");
  LLVMValueRef b = LLVMBuildIntCast2(builder, site->b, wide, is_signed, "");
  return LLVMBuildLShr(builder, LLVMBuildMul(builder, a, b, ""),
                       LLVMConstInt(wide, 32, false), "");
}

// Of the lower 24 bits.
static LLVMValueRef short_product(const Site *site, bool is_signed) {
  LLVMValueRef eight = LLVMConstInt(site->type, 8, false), factors[2];
  for (unsigned i = 0; i < 2; i++) {
    LLVMValueRef up =
        LLVMBuildShl(site->builder, i ? site->b : site->a, eight, "");
    factors[i] = is_signed ? LLVMBuildAShr(site->builder, up, eight, "")
                           : LLVMBuildLShr(site->builder, up, eight, "");
  }
  return LLVMBuildMul(site->builder, factors[0], factors[1], "");
}

// |a - b| + c
static LLVMValueRef distance(const Site *site, bool is_signed) {
  LLVMValueRef more = LLVMBuildSub(site->builder, site->a, site->b, "");
  LLVMValueRef less = LLVMBuildSub(site->builder, site->b, site->a, "");
  LLVMValueRef is_more = LLVMBuildICmp(
      site->builder, is_signed ? LLVMIntSGT : LLVMIntUGT, site->a, site->b, "");
  LLVMValueRef difference =
      LLVMBuildSelect(site->builder, is_more, more, less, "");
  return LLVMBuildAdd(site->builder, difference, site->c, "");
}

static LLVMValueRef quotient(const Site *site, bool is_signed) {
  (void)is_signed;
  return LLVMBuildFDiv(site->builder, site->a, site->b, "");
}

static LLVMValueRef root_below_one(const Site *site, bool is_signed) {
  (void)is_signed;
  return LLVMBuildFDiv(site->builder, LLVMConstReal(site->type, 1),
                       intrinsic(site, "llvm.sqrt", NULL), "");
}

static LLVMValueRef by_name(const Site *site, const char *operation) {
  static const struct {
    const char *operation; // of unsigned numbers with u before it
    LLVMValueRef (*build)(const Site *, bool is_signed);
  } rows[] = {{"first_set", first_set}, {"mulhi", high_product},
              {"mul24", short_product}, {"sad", distance},
              {"divide", quotient},     {"rsqrt", root_below_one}};
  bool is_unsigned = *operation == 'u';
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (!strcmp(rows[i].operation, operation + is_unsigned))
      return rows[i].build(site, !is_unsigned);
  assert(!"an operation of libdevice.def");
  return NULL;
}

// The intrinsics that begin so are of one type each.
static bool is_of_device(const char *operation) {
  return !strncmp(operation, "llvm.nvvm.", 10);
}

static LLVMValueRef operate(const Site *site, const char *operation,
                            LLVMTypeRef result) {
  LLVMValueRef value;
  if (!strcmp(operation, "bitcast"))
    return LLVMBuildBitCast(site->builder, site->a, result, "");
  value = strncmp(operation, "llvm.", 5) != 0
              ? by_name(site, operation)
              : intrinsic(site, operation, site->b ? site->b : flag(site));
  return LLVMTypeOf(value) == result
             ? value
             : LLVMBuildIntCast2(site->builder, value, result, false, "");
}

bool llvm_become_operation(LLVMBuilderRef builder, LLVMValueRef call) {
  const LibraryFunction *function = llvm_library_function(call);
  if (!function || !function->operation || is_of_device(function->operation))
    return false;
  unsigned count = (unsigned)LLVMGetNumArgOperands(call);
  assert(count >= 1 && count <= 3);
  Site site = {.module = LLVMGetGlobalParent(
                   LLVMGetBasicBlockParent(LLVMGetInstructionParent(call))),
               .builder = builder,
               .a = LLVMGetOperand(call, 0),
               .b = count > 1 ? LLVMGetOperand(call, 1) : NULL,
               .c = count > 2 ? LLVMGetOperand(call, 2) : NULL,
               .type = LLVMTypeOf(LLVMGetOperand(call, 0))};
  LLVMPositionBuilderBefore(builder, call);
  LLVMReplaceAllUsesWith(call,
                         operate(&site, function->operation, LLVMTypeOf(call)));
  LLVMInstructionEraseFromParent(call);
  return true;
}

static bool is_of_integers(LLVMValueRef call) {
  const LibraryFunction *function = llvm_library_function(call);
  return function && !strpbrk(function->types, "fd");
}

void llvm_open_library(LLVMModuleRef module) {
  LLVMBuilderRef builder =
      LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
       function = LLVMGetNextFunction(function))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
        next = LLVMGetNextInstruction(i);
        if (is_of_integers(i))
          llvm_become_operation(builder, i);
      }
  LLVMDisposeBuilder(builder);
}
