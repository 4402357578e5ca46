// Moves and conversions of inline assembly.
//
// mov packs what stands in braces and takes it apart again.  What cvt makes of
// a number is rounded once, as the opcode says: ptx/numbers.c does it where
// LLVM has no such instruction.  An integer that a number is too large for is
// the nearest that there is.

#include "ptx/emit.h"
#include "ptx/numbers.h"

#include <assert.h>
#include <string.h>

// ------------------------------------------------------------------- moves ---

static LLVMValueRef pack(Emitter *a, const Operand *list, unsigned bits) {
  unsigned count = operand_count(list);
  assert(count && bits % count == 0);
  LLVMValueRef result = asm_const(a, bits, 0);
  for (unsigned n = 0; n < count; n++) {
    LLVMValueRef part = asm_resize(
        a, asm_bits(a, operand_item(list, n), bits / count), bits, false);
    LLVMValueRef by = asm_const(a, bits, (uint64_t)n * (bits / count));
    result = LLVMBuildOr(a->builder, result,
                         LLVMBuildShl(a->builder, part, by, ""), "");
  }
  return result;
}

static void unpack(Emitter *a, const Operand *list, LLVMValueRef value,
                   unsigned bits) {
  unsigned count = operand_count(list);
  for (unsigned n = 0; n < count; n++) {
    LLVMValueRef by = asm_const(a, bits, (uint64_t)n * (bits / count));
    LLVMValueRef part = LLVMBuildLShr(a->builder, value, by, "");
    asm_put_bits(a, operand_item(list, n),
                 asm_resize(a, part, bits / count, false), false);
  }
}

static bool are_parts(const AsmInstruction *i, unsigned count) {
  return count == 1 || (i->type.kind == 'b' && i->type.bits / count >= 8 &&
                        (count == 2 || count == 4));
}

void asm_emit_move(Emitter *a, const AsmInstruction *i) {
  const Operand *to = &i->operands[0], *from = &i->operands[1];
  unsigned bits = i->type.bits;
  if (!are_parts(i, operand_count(to)) || !are_parts(i, operand_count(from))) {
    asm_refuse(a, i->text);
    return;
  }
  LLVMValueRef value = operand_count(from) > 1
                           ? pack(a, from, bits)
                           : asm_bits_as(a, operand_item(from, 0), i->type);
  if (operand_count(to) > 1)
    unpack(a, to, value, bits);
  else
    asm_put_bits(a, operand_item(to, 0), value, i->type.kind == 's');
}

// --------------------------------------------------------------- roundings ---

static LLVMTypeRef real_type(const Emitter *a, AsmType type) {
  return type.bits == 32 ? LLVMFloatTypeInContext(a->context)
                         : LLVMDoubleTypeInContext(a->context);
}

static LLVMValueRef direction(Emitter *a, const AsmInstruction *i) {
  static const char *const names[] = {[DIRECTION_NEAREST] = "rn",
                                      [DIRECTION_ZERO] = "rz",
                                      [DIRECTION_DOWN] = "rm",
                                      [DIRECTION_UP] = "rp"};
  assert(asm_rounding(i)); // by the form of each row that comes here
  unsigned n = 0;
  while (strcmp(names[n], asm_rounding(i)) != 0)
    n++;
  return asm_const(a, 32, n);
}

static LLVMValueRef as_double(const Emitter *a, LLVMValueRef value) {
  LLVMTypeRef type = LLVMDoubleTypeInContext(a->context);
  return LLVMBuildFPCast(a->builder, value, type, "");
}

// A double as a half or bf16.
static LLVMValueRef narrowed(Emitter *a, const AsmInstruction *i,
                             LLVMValueRef value) {
  LLVMValueRef in[] = {value, direction(a, i)};
  return asm_call(a,
                  i->to.kind == 'e' ? "__gpuverify_number_brain_directed"
                                    : "__gpuverify_number_half_directed",
                  asm_int(a, 16), in, 2);
}

// ------------------------------------------------------------- conversions ---

static LLVMValueRef float_to_integer(Emitter *a, const AsmInstruction *i,
                                     LLVMValueRef value) {
  assert(i->to.bits && i->to.bits <= 64);
  bool is_signed = i->to.kind == 's';
  bool is_long = i->to.bits == 64 || i->type.bits == 64;
  uint64_t of_nan = is_long ? UINT64_C(1) << (i->to.bits - 1) : 0;
  LLVMValueRef in[] = {as_double(a, value), direction(a, i),
                       asm_const(a, 32, i->to.bits), asm_const(a, 64, of_nan)};
  const char *name = is_signed ? "__gpuverify_number_signed_of_double"
                               : "__gpuverify_number_unsigned_of_double";
  return asm_resize(a, asm_call(a, name, asm_int(a, 64), in, 4), i->to.bits,
                    false);
}

static LLVMValueRef round_to_integer(Emitter *a, const AsmInstruction *i,
                                     LLVMValueRef value) {
  LLVMValueRef in[] = {as_double(a, value), NULL};
  if (!asm_rounding(i))
    return value;
  in[1] = direction(a, i);
  return LLVMBuildFPCast(
      a->builder,
      asm_call(a, "__gpuverify_number_integral", LLVMTypeOf(in[0]), in, 2),
      LLVMTypeOf(value), "");
}

static LLVMValueRef put_into(Emitter *a, const AsmInstruction *i,
                             LLVMValueRef value) {
  return asm_result(a, i, (AsmType){i->to.kind, i->to.bits, 1}, value);
}

static LLVMValueRef float_to_float(Emitter *a, const AsmInstruction *i,
                                   LLVMValueRef value) {
  if (i->to.bits == i->type.bits && i->to.kind == i->type.kind)
    return put_into(a, i,
                    asm_saturated(a, i, i->to, round_to_integer(a, i, value)));
  value = asm_saturated(a, i, i->to, value);
  if (i->to.bits == 16)
    return narrowed(a, i, as_double(a, value));
  if (i->type.bits == 64)
    value =
        asm_call(a, arena_printf(a->arena, "llvm.nvvm.d2f.%s", asm_rounding(i)),
                 real_type(a, i->to), &value, 1);
  return put_into(a, i,
                  LLVMBuildFPCast(a->builder, value, real_type(a, i->to), ""));
}

// What becomes a half is not rounded before.
static LLVMValueRef integer_to_float(Emitter *a, const AsmInstruction *i,
                                     LLVMValueRef value) {
  bool is_signed = i->type.kind == 's', is_half = i->to.bits == 16;
  value = asm_resize(a, value, 64, is_signed);
  const char *name =
      is_half ? is_signed ? "__gpuverify_number_odd_of_signed"
                          : "__gpuverify_number_odd_of_unsigned"
              : arena_printf(a->arena, "llvm.nvvm.%s2%c.%s",
                             is_signed ? "ll" : "ull",
                             i->to.bits == 64 ? 'd' : 'f', asm_rounding(i));
  value = asm_call(a, name, real_type(a, i->to), &value, 1);
  value = asm_saturated(a, i, i->to, value);
  return is_half ? narrowed(a, i, value) : put_into(a, i, value);
}

// .sat: to the nearest that there is.
static LLVMValueRef integer_to_integer(Emitter *a, const AsmInstruction *i,
                                       LLVMValueRef value) {
  bool is_signed = i->type.kind == 's';
  enum { WIDE = 66 };
  if (asm_has(i, "sat"))
    return asm_clamp(a, asm_resize(a, value, WIDE, is_signed), i->to.bits,
                     i->to.kind == 's');
  return asm_resize(a, value, i->to.bits, is_signed);
}

static LLVMValueRef converted(Emitter *a, const AsmInstruction *i,
                              const Operand *operand) {
  LLVMValueRef bits = asm_bits_as(a, operand, i->type);
  bool from_float = asm_is_float(i->type), to_float = asm_is_float(i->to);
  if (i->type.kind == 'f' && i->type.bits == 32)
    bits = asm_flushed(a, i, i->type, bits);
  LLVMValueRef value = asm_value_of(a, bits, i->type);
  if (from_float)
    return to_float ? float_to_float(a, i, value)
                    : float_to_integer(a, i, value);
  return to_float ? integer_to_float(a, i, value)
                  : integer_to_integer(a, i, value);
}

void asm_emit_convert(Emitter *a, const AsmInstruction *i) {
  bool is_pair = i->operand_count == 3;
  assert(i->operand_count == 2 || is_pair);
  LLVMValueRef value = converted(a, i, &i->operands[is_pair ? 2 : 1]);
  if (is_pair) { // the first operand is the upper half
    LLVMValueRef upper =
        asm_resize(a, converted(a, i, &i->operands[1]), 32, false);
    value = LLVMBuildOr(
        a->builder, asm_resize(a, value, 32, false),
        LLVMBuildShl(a->builder, upper, asm_const(a, 32, 16), ""), "");
  }
  asm_put_bits(a, &i->operands[0], value, i->to.kind == 's');
}

// cvt.rna.tf32.f32: a float with fewer bits.
void asm_emit_convert_to_tf32(Emitter *a, const AsmInstruction *i) {
  static const char *const modes[] = {"rna", "rn", "rz"};
  LLVMValueRef value = asm_get(a, &i->operands[1], i->type);
  for (size_t n = 0; n < sizeof modes / sizeof *modes; n++)
    if (asm_has(i, modes[n])) {
      const char *name =
          arena_printf(a->arena, "llvm.nvvm.f2tf32.%s", modes[n]);
      asm_put_bits(a, &i->operands[0],
                   asm_call(a, name, asm_int(a, 32), &value, 1), false);
    }
}

// ----------------------------------------------------------------- packing ---

// Two integers that are made narrower, the first above the second, and above
// both the lower bits of the last.
static void pack_narrow(Emitter *a, const AsmInstruction *i, AsmType type,
                        LLVMValueRef above) {
  LLVMValueRef both[2], result = above;
  assert(type.bits == 8 || type.bits == 16);
  for (unsigned n = 0; n < 2; n++) {
    LLVMValueRef value = asm_bits(a, &i->operands[2 - n], 32);
    value = asm_clamp(a, asm_resize(a, value, 64, true), type.bits,
                      type.kind == 's');
    both[n] = asm_resize(a, value, 32, false);
  }
  result = LLVMBuildShl(a->builder, result,
                        asm_const(a, 32, 2 * type.bits % 32), "");
  result = LLVMBuildOr(a->builder, result, both[0], "");
  both[1] = LLVMBuildShl(a->builder, both[1], asm_const(a, 32, type.bits), "");
  asm_put_bits(a, &i->operands[0], LLVMBuildOr(a->builder, result, both[1], ""),
               false);
}

void asm_emit_pack_halves(Emitter *a, const AsmInstruction *i) {
  pack_narrow(a, i, i->to, asm_const(a, 32, 0));
}

void asm_emit_pack_bytes(Emitter *a, const AsmInstruction *i) {
  char kind = asm_has(i, "s8") ? 's' : 'u';
  pack_narrow(a, i, (AsmType){kind, 8, 1}, asm_bits(a, &i->operands[3], 32));
}
