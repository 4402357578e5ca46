// Moves and conversions of inline assembly.
//
// mov packs what stands in braces and takes it apart again.  cvt rounds to the
// nearest; a float that becomes an integer as the opcode says, and is the
// nearest integer that there is where it is too large.

#include "runtime/jit_assembly.h"

#include <string.h>

enum { MOST_PARTS = 4 };

// ------------------------------------------------------------------- moves ---

static LLVMValueRef pack(Assembly *a, const char **parts, unsigned count,
                         unsigned bits) {
  LLVMValueRef result = assembly_number(a, bits, 0);
  for (unsigned n = 0; n < count; n++) {
    LLVMValueRef part = assembly_resize(
        a, assembly_bits(a, parts[n], bits / count), bits, false);
    LLVMValueRef by = assembly_number(a, bits, (uint64_t)n * (bits / count));
    result = LLVMBuildOr(a->builder, result,
                         LLVMBuildShl(a->builder, part, by, ""), "");
  }
  return result;
}

static void unpack(Assembly *a, const char **parts, unsigned count,
                   LLVMValueRef value, unsigned bits) {
  for (unsigned n = 0; n < count; n++) {
    LLVMValueRef by = assembly_number(a, bits, (uint64_t)n * (bits / count));
    LLVMValueRef part = LLVMBuildLShr(a->builder, value, by, "");
    assembly_put_bits(a, parts[n],
                      assembly_resize(a, part, bits / count, false), false);
  }
}

static void move(Assembly *a, const PtxInstruction *i) {
  const char *to[MOST_PARTS], *from[MOST_PARTS];
  unsigned to_count = ptx_parts(a->arena, i->operands[0], to, MOST_PARTS);
  unsigned count = ptx_parts(a->arena, i->operands[1], from, MOST_PARTS);
  unsigned bits = i->type.bits * i->type.lanes;
  if (to_count > MOST_PARTS || count > MOST_PARTS) {
    assembly_refuse(a, i->text);
    return;
  }
  LLVMValueRef value = pack(a, from, count, bits);
  if (to_count > 1)
    unpack(a, to, to_count, value, bits);
  else
    assembly_put_bits(a, to[0], value, i->type.kind == PTX_SIGNED);
}

// ------------------------------------------------------------- conversions ---

static LLVMTypeRef real_type(const Assembly *a, PtxType type) {
  return type.bits == 32 ? LLVMFloatTypeInContext(a->context)
                         : LLVMDoubleTypeInContext(a->context);
}

// "rint", "trunc", ..: to which integer a float is rounded.
static const char *rounding(const PtxInstruction *i) {
  static const char *const words[][2] = {
      {"rni", "rint"}, {"rzi", "trunc"}, {"rmi", "floor"}, {"rpi", "ceil"}};
  for (size_t n = 0; n < sizeof words / sizeof *words; n++)
    if (ptx_has(i, words[n][0]))
      return words[n][1];
  return NULL;
}

static LLVMValueRef round_to_integer(Assembly *a, const PtxInstruction *i,
                                     LLVMValueRef value) {
  const char *how = rounding(i);
  bool is_float = LLVMTypeOf(value) == LLVMFloatTypeInContext(a->context);
  if (!how)
    return value;
  return assembly_call(
      a, arena_printf(a->arena, "__nv_%s%s", how, is_float ? "f" : ""),
      LLVMTypeOf(value), &value, 1);
}

static LLVMValueRef float_to_integer(Assembly *a, const PtxInstruction *i,
                                     LLVMValueRef value) {
  LLVMTypeRef to = assembly_int(a, i->to.bits);
  if (!rounding(i))
    assembly_refuse(a, i->text);
  value = round_to_integer(a, i, value);
  return i->to.kind == PTX_SIGNED ? LLVMBuildFPToSI(a->builder, value, to, "")
                                  : LLVMBuildFPToUI(a->builder, value, to, "");
}

static LLVMValueRef saturate(Assembly *a, const PtxInstruction *i,
                             LLVMValueRef value) {
  LLVMTypeRef real = LLVMTypeOf(value);
  LLVMValueRef zero = LLVMConstReal(real, 0), one = LLVMConstReal(real, 1);
  if (ptx_has(i, "relu") || ptx_has(i, "sat")) {
    LLVMValueRef is_less =
        ptx_has(i, "sat")
            ? LLVMBuildFCmp(a->builder, LLVMRealULT, value, zero, "")
            : LLVMBuildFCmp(a->builder, LLVMRealOLT, value, zero, "");
    value = LLVMBuildSelect(a->builder, is_less, zero, value, "");
  }
  if (ptx_has(i, "sat"))
    value = LLVMBuildSelect(
        a->builder, LLVMBuildFCmp(a->builder, LLVMRealOGT, value, one, ""), one,
        value, "");
  return value;
}

static LLVMValueRef float_to_float(Assembly *a, const PtxInstruction *i,
                                   LLVMValueRef value) {
  if (i->to.bits >= i->type.bits)
    value = round_to_integer(a, i, value);
  value = saturate(a, i, value);
  return LLVMBuildFPCast(a->builder, value, real_type(a, i->to), "");
}

static LLVMValueRef integer_to_float(Assembly *a, const PtxInstruction *i,
                                     LLVMValueRef value) {
  LLVMTypeRef to = real_type(a, i->to);
  value = i->type.kind == PTX_SIGNED
              ? LLVMBuildSIToFP(a->builder, value, to, "")
              : LLVMBuildUIToFP(a->builder, value, to, "");
  return saturate(a, i, value);
}

// .sat between integers: to the nearest that there is.
static LLVMValueRef integer_to_integer(Assembly *a, const PtxInstruction *i,
                                       LLVMValueRef value) {
  bool is_signed = i->type.kind == PTX_SIGNED;
  if (ptx_has(i, "sat"))
    assembly_refuse(a, i->text);
  return assembly_resize(a, value, i->to.bits, is_signed);
}

static LLVMValueRef converted(Assembly *a, const PtxInstruction *i,
                              const char *operand) {
  LLVMValueRef value = assembly_get(a, operand, i->type);
  bool from_float = ptx_is_float(i->type), to_float = ptx_is_float(i->to);
  if (from_float)
    value =
        to_float ? float_to_float(a, i, value) : float_to_integer(a, i, value);
  else
    value = to_float ? integer_to_float(a, i, value)
                     : integer_to_integer(a, i, value);
  PtxType lane = {i->to.kind, i->to.bits, 1};
  return assembly_bits_of(a, value, lane);
}

// Other directions than to the nearest, of what is rounded at all.
static bool is_rounded_otherwise(const PtxInstruction *i) {
  return ptx_has(i, "rz") || ptx_has(i, "rm") || ptx_has(i, "rp") ||
         ptx_has(i, "rna") || ptx_has(i, "rs");
}

static bool convert(Assembly *a, const PtxInstruction *i) {
  bool is_pair = i->to.lanes == 2 && i->operand_count == 3;
  if (is_rounded_otherwise(i) || i->type.lanes != 1 ||
      (i->to.lanes != 1 && !is_pair))
    return false;
  LLVMValueRef value = converted(a, i, i->operands[is_pair ? 2 : 1]);
  if (is_pair) { // the first operand is the upper half
    LLVMValueRef upper =
        assembly_resize(a, converted(a, i, i->operands[1]), 32, false);
    value = LLVMBuildOr(
        a->builder, assembly_resize(a, value, 32, false),
        LLVMBuildShl(a->builder, upper, assembly_number(a, 32, 16), ""), "");
  }
  assembly_put_bits(a, i->operands[0], value, i->to.kind == PTX_SIGNED);
  return true;
}

// cvt.rna.tf32.f32: a float with fewer bits.
static bool convert_to_tf32(Assembly *a, const PtxInstruction *i) {
  static const char *const modes[] = {"rna", "rn", "rz"};
  LLVMValueRef value = assembly_get(a, i->operands[1], i->type);
  for (size_t n = 0; n < sizeof modes / sizeof *modes; n++)
    if (ptx_has(i, modes[n]) && i->type.bits == 32 &&
        i->type.kind == PTX_FLOAT && i->word_count == 4) {
      const char *name =
          arena_printf(a->arena, "llvm.nvvm.f2tf32.%s", modes[n]);
      assembly_put_bits(a, i->operands[0],
                        assembly_call(a, name, assembly_int(a, 32), &value, 1),
                        false);
      return true;
    }
  return false;
}

bool assembly_convert(Assembly *a, const PtxInstruction *i) {
  bool is_move = !strcmp(i->words[0], "mov") || !strcmp(i->words[0], "cvta");
  if (!i->type.lanes || i->operand_count < 2)
    return false;
  if (is_move)
    move(a, i);
  if (ptx_has(i, "tf32"))
    return !strcmp(i->words[0], "cvt") && convert_to_tf32(a, i);
  return is_move || (!strcmp(i->words[0], "cvt") && convert(a, i));
}
