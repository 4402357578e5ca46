// Arithmetic that the device defines and LLVM, or the host, does not.
//
// A shift by the width or more leaves nothing (of a signed right shift the
// sign); a division by zero gives all ones, and the smallest number divided by
// -1 is itself: on the device nothing traps.  A number that is too large for
// the integer it becomes gives the largest that there is, and a NaN 0, or with
// 64 bits on either side the highest bit; a char or a short is the low bits of
// such an int.

#include "runtime/jit/jit.h"

#include <assert.h>
#include <string.h>

typedef struct Arithmetic {
  LLVMBuilderRef builder;
  LLVMValueRef instruction, a, b;
  LLVMTypeRef type;
} Arithmetic;

// Of a vector the same in all lanes.
static LLVMValueRef constant(LLVMTypeRef type, uint64_t value) {
  if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
    return LLVMConstInt(type, value, true);
  Arena arena = {0};
  unsigned count = LLVMGetVectorSize(type);
  LLVMValueRef *lanes = arena_alloc(&arena, count * sizeof *lanes);
  for (unsigned i = 0; i < count; i++)
    lanes[i] = LLVMConstInt(LLVMGetElementType(type), value, true);
  LLVMValueRef all = LLVMConstVector(lanes, count);
  arena_free(&arena);
  return all;
}

static LLVMValueRef number(const Arithmetic *m, uint64_t value) {
  return constant(m->type, value);
}

static LLVMTypeRef element_of(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type)
                                                     : type;
}

static LLVMValueRef choose(const Arithmetic *m, LLVMValueRef condition,
                           LLVMValueRef yes, LLVMValueRef no) {
  return LLVMBuildSelect(m->builder, condition, yes, no, "");
}

// In place: the instruction keeps its number of uses.
static void shift_right_signed(const Arithmetic *m, unsigned width) {
  LLVMValueRef last = number(m, width - 1);
  LLVMValueRef fits = LLVMBuildICmp(m->builder, LLVMIntULT, m->b, last, "");
  LLVMSetOperand(m->instruction, 1, choose(m, fits, m->b, last));
}

static void shift(const Arithmetic *m, LLVMOpcode opcode, unsigned width) {
  LLVMValueRef limit = number(m, width);
  LLVMValueRef fits = LLVMBuildICmp(m->builder, LLVMIntULT, m->b, limit, "");
  LLVMValueRef amount = choose(m, fits, m->b, number(m, 0));
  LLVMValueRef shifted = LLVMBuildBinOp(m->builder, opcode, m->a, amount, "");
  LLVMReplaceAllUsesWith(m->instruction,
                         choose(m, fits, shifted, number(m, 0)));
}

static void divide(const Arithmetic *m, LLVMOpcode opcode) {
  bool is_signed = opcode == LLVMSDiv || opcode == LLVMSRem;
  bool is_rest = opcode == LLVMURem || opcode == LLVMSRem;
  LLVMValueRef zero =
      LLVMBuildICmp(m->builder, LLVMIntEQ, m->b, number(m, 0), "");
  LLVMValueRef bad = zero, minus = NULL;
  if (is_signed) {
    minus =
        LLVMBuildICmp(m->builder, LLVMIntEQ, m->b, number(m, UINT64_MAX), "");
    bad = LLVMBuildOr(m->builder, zero, minus, "");
  }
  LLVMValueRef by = choose(m, bad, number(m, 1), m->b);
  LLVMValueRef value = LLVMBuildBinOp(m->builder, opcode, m->a, by, "");
  if (is_signed && !is_rest) // any number divided by -1; the rest is 0 already
    value = choose(m, minus, LLVMBuildNeg(m->builder, m->a, ""), value);
  LLVMReplaceAllUsesWith(m->instruction,
                         choose(m, zero, number(m, UINT64_MAX), value));
}

static bool is_conversion(LLVMOpcode opcode) {
  return opcode == LLVMFPToSI || opcode == LLVMFPToUI;
}

// The type of as many integers of at least 32 bits.
static LLVMTypeRef at_least_int(LLVMTypeRef type) {
  bool is_vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
  LLVMTypeRef element = element_of(type);
  if (LLVMGetIntTypeWidth(element) >= 32)
    return type;
  element = LLVMInt32TypeInContext(LLVMGetTypeContext(type));
  return is_vector ? LLVMVectorType(element, LLVMGetVectorSize(type)) : element;
}

// As nvcc does it, so that 257 becomes the char 1.
static void convert(LLVMBuilderRef builder, LLVMValueRef instruction) {
  assert(is_conversion(LLVMGetInstructionOpcode(instruction)));
  bool is_signed = LLVMGetInstructionOpcode(instruction) == LLVMFPToSI;
  LLVMValueRef from = LLVMGetOperand(instruction, 0);
  LLVMTypeRef type = LLVMTypeOf(instruction), wide = at_least_int(type);
  LLVMTypeRef types[] = {wide, LLVMTypeOf(from)};
  LLVMModuleRef module = LLVMGetGlobalParent(
      LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction)));
  const char *name = is_signed ? "llvm.fptosi.sat" : "llvm.fptoui.sat";
  LLVMValueRef function = LLVMGetIntrinsicDeclaration(
      module, LLVMLookupIntrinsicID(name, strlen(name)), types, 2);
  LLVMValueRef value = LLVMBuildCall2(builder, LLVMGlobalGetValueType(function),
                                      function, &from, 1, "");
  unsigned bits = LLVMGetIntTypeWidth(element_of(wide));
  LLVMTypeKind source = LLVMGetTypeKind(element_of(types[1]));
  if (bits == 64 || (bits < 64 && source == LLVMDoubleTypeKind))
    value = LLVMBuildSelect(
        builder, LLVMBuildFCmp(builder, LLVMRealUNO, from, from, ""),
        constant(wide, UINT64_C(1) << (bits - 1)), value, "");
  if (wide != type)
    value = LLVMBuildTrunc(builder, value, type, "");
  LLVMReplaceAllUsesWith(instruction, value);
}

// Nothing can go wrong with a constant on the right that is not 0 or -1.
static bool is_harmless(LLVMValueRef b, LLVMOpcode opcode, unsigned width) {
  uint64_t value = LLVMIsAConstantInt(b) ? LLVMConstIntGetZExtValue(b) : 0;
  bool is_shift = opcode == LLVMShl || opcode == LLVMLShr || opcode == LLVMAShr;
  if (!LLVMIsAConstantInt(b))
    return false;
  return is_shift ? value < width : value && LLVMConstIntGetSExtValue(b) != -1;
}

bool jit_lower_arithmetic(LLVMBuilderRef builder, LLVMValueRef instruction) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
  LLVMTypeRef type = LLVMTypeOf(instruction);
  bool is_division = opcode == LLVMSDiv || opcode == LLVMUDiv ||
                     opcode == LLVMSRem || opcode == LLVMURem;
  bool is_shift = opcode == LLVMShl || opcode == LLVMLShr || opcode == LLVMAShr;
  if (is_conversion(opcode)) {
    convert(builder, instruction);
    return true;
  }
  if (!is_division && !is_shift)
    return false;
  unsigned width = LLVMGetIntTypeWidth(element_of(type));
  if (width > 64)
    return false;
  Arithmetic m = {builder, instruction, LLVMGetOperand(instruction, 0),
                  LLVMGetOperand(instruction, 1), type};
  assert(LLVMTypeOf(m.a) == type && LLVMTypeOf(m.b) == type);
  if (is_harmless(m.b, opcode, width))
    return false;
  if (opcode == LLVMAShr) {
    shift_right_signed(&m, width);
    return false;
  }
  if (is_shift)
    shift(&m, opcode, width);
  else
    divide(&m, opcode);
  return true;
}
