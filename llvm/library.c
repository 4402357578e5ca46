// What CUDA's device library computes with integers, as LLVM has it.
//
// max(), __popc() and the like are calls of functions of libdevice, which
// clang links in, if it is there; we do without, so `__nv_max` has no body.
// For PTX each such call becomes an intrinsic of LLVM, or a few instructions.
// What the library computes in floating point stays a call: it is data that we
// do not have.

#include "llvm/core.h"

#include <string.h>

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
  LLVMValueRef operands[] = {site->a, second};
  return LLVMBuildCall2(site->builder, LLVMGlobalGetValueType(function),
                        function, operands, second ? 2 : 1, "");
}

static LLVMValueRef flag(const Site *site) {
  return LLVMConstInt(LLVMInt1TypeInContext(LLVMGetModuleContext(site->module)),
                      0, false);
}

// Counted from 1; 0: no bit is set.
static LLVMValueRef first_set(const Site *site) {
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

// NULL: it is none of these.
static LLVMValueRef replacement(const Site *site, const char *name) {
  static const struct {
    const char *name, *intrinsic;
    enum { OF_ONE, OF_TWO, WITH_FLAG } form;
  } rows[] = {
      {"max", "llvm.smax", OF_TWO},
      {"llmax", "llvm.smax", OF_TWO},
      {"umax", "llvm.umax", OF_TWO},
      {"ullmax", "llvm.umax", OF_TWO},
      {"min", "llvm.smin", OF_TWO},
      {"llmin", "llvm.smin", OF_TWO},
      {"umin", "llvm.umin", OF_TWO},
      {"ullmin", "llvm.umin", OF_TWO},
      {"abs", "llvm.abs", WITH_FLAG},
      {"llabs", "llvm.abs", WITH_FLAG},
      {"clz", "llvm.ctlz", WITH_FLAG},
      {"clzll", "llvm.ctlz", WITH_FLAG},
      {"popc", "llvm.ctpop", OF_ONE},
      {"popcll", "llvm.ctpop", OF_ONE},
      {"brev", "llvm.bitreverse", OF_ONE},
      {"brevll", "llvm.bitreverse", OF_ONE},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (!strcmp(name, rows[i].name))
      return intrinsic(site, rows[i].intrinsic,
                       rows[i].form == OF_TWO      ? site->b
                       : rows[i].form == WITH_FLAG ? flag(site)
                                                   : NULL);
  bool is_unsigned = *name == 'u';
  const char *plain = name + is_unsigned;
  if (!strcmp(name, "ffs") || !strcmp(name, "ffsll"))
    return first_set(site);
  if (!strcmp(plain, "mulhi"))
    return high_product(site, !is_unsigned);
  if (!strcmp(plain, "mul24"))
    return short_product(site, !is_unsigned);
  if (!strcmp(plain, "sad"))
    return distance(site, !is_unsigned);
  return NULL;
}

// libdevice's function of this name behind its prefix, or NULL.
static const char *library_name(LLVMValueRef call) {
  static const char prefix[] = "__nv_";
  LLVMValueRef callee = LLVMIsACallInst(call) ? LLVMGetCalledValue(call) : NULL;
  if (!callee || !LLVMIsAFunction(callee) || !LLVMIsDeclaration(callee))
    return NULL;
  size_t length;
  const char *name = LLVMGetValueName2(callee, &length);
  bool is_of_integers = LLVMGetNumArgOperands(call) &&
                        LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, 0))) ==
                            LLVMIntegerTypeKind;
  return is_of_integers && !strncmp(name, prefix, strlen(prefix))
             ? name + strlen(prefix)
             : NULL;
}

static void replace(LLVMModuleRef module, LLVMValueRef call) {
  const char *name = library_name(call);
  if (!name)
    return;
  unsigned count = (unsigned)LLVMGetNumArgOperands(call);
  Site site = {.module = module,
               .builder =
                   LLVMCreateBuilderInContext(LLVMGetModuleContext(module)),
               .a = LLVMGetOperand(call, 0),
               .b = count > 1 ? LLVMGetOperand(call, 1) : NULL,
               .c = count > 2 ? LLVMGetOperand(call, 2) : NULL,
               .type = LLVMTypeOf(LLVMGetOperand(call, 0))};
  LLVMPositionBuilderBefore(site.builder, call);
  LLVMValueRef value = replacement(&site, name);
  if (value) {
    value = LLVMBuildIntCast2(site.builder, value, LLVMTypeOf(call), false, "");
    LLVMReplaceAllUsesWith(call, value);
    LLVMInstructionEraseFromParent(call);
  }
  LLVMDisposeBuilder(site.builder);
}

void llvm_open_library(LLVMModuleRef module) {
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
       function = LLVMGetNextFunction(function))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
        next = LLVMGetNextInstruction(i);
        replace(module, i);
      }
}
