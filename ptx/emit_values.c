// Registers and operands of inline assembly as values of LLVM.
//
// A register is a variable of the function, an integer of its size; what is
// computed with it decides how its bits are read.

#include "ptx/emit.h"

#include <assert.h>
#include <string.h>

enum { WARP_LANES = 32 };

LLVMTypeRef asm_int(const Emitter *a, unsigned bits) {
  return LLVMIntTypeInContext(a->context, bits);
}

LLVMValueRef asm_const(const Emitter *a, unsigned bits, uint64_t value) {
  return LLVMConstInt(asm_int(a, bits), value, false);
}

LLVMValueRef asm_resize(const Emitter *a, LLVMValueRef value, unsigned bits,
                        bool is_signed) {
  unsigned has = LLVMGetIntTypeWidth(LLVMTypeOf(value));
  if (has == bits)
    return value;
  if (has > bits)
    return LLVMBuildTrunc(a->builder, value, asm_int(a, bits), "");
  return is_signed ? LLVMBuildSExt(a->builder, value, asm_int(a, bits), "")
                   : LLVMBuildZExt(a->builder, value, asm_int(a, bits), "");
}

LLVMValueRef asm_call(Emitter *a, const char *name, LLVMTypeRef result,
                      LLVMValueRef *arguments, unsigned count) {
  LLVMTypeRef types[16];
  assert(count <= sizeof types / sizeof *types);
  for (unsigned i = 0; i < count; i++)
    types[i] = LLVMTypeOf(arguments[i]);
  LLVMTypeRef type = LLVMFunctionType(result, types, count, false);
  LLVMValueRef function = LLVMGetNamedFunction(a->module, name);
  if (!function)
    function = LLVMAddFunction(a->module, name, type);
  return LLVMBuildCall2(a->builder, type, function, arguments, count, "");
}

// -------------------------------------------------------------- registers ---

// It begins with any value: that of a register which nobody has set may differ
// from thread to thread.
void asm_declare(Emitter *a, size_t reg, unsigned bits) {
  LLVMTypeRef type = asm_int(a, bits);
  assert(reg < a->text->register_count);
  a->slots[reg] = (Slot){LLVMBuildAlloca(a->entry, type, ""), bits, NULL};
  LLVMBuildStore(a->entry, LLVMBuildFreeze(a->entry, LLVMGetPoison(type), ""),
                 a->slots[reg].at);
}

unsigned asm_register_bits(const Emitter *a, const Operand *operand) {
  return operand->kind == OPERAND_REGISTER ? a->slots[operand->index].bits : 0;
}

LLVMValueRef asm_load_register(Emitter *a, size_t reg) {
  return LLVMBuildLoad2(a->builder, asm_int(a, a->slots[reg].bits),
                        a->slots[reg].at, "");
}

void asm_store_register(Emitter *a, size_t reg, LLVMValueRef value,
                        bool is_signed) {
  LLVMBuildStore(a->builder,
                 asm_resize(a, value, a->slots[reg].bits, is_signed),
                 a->slots[reg].at);
}

// %lanemask_lt, %tid.x, ..: what LLVM has an intrinsic for.
static LLVMValueRef special(Emitter *a, const Operand *operand, unsigned bits) {
  const char *name = ptx_special_text(operand->index);
  bool is_long = !strcmp(name, "%clock64") || !strcmp(name, "%globaltimer");
  // Of %gridid, which may have 64 bits, LLVM reads 32.
  if (bits > (is_long ? 64 : 32))
    asm_refuse_operand(a, operand);
  char *dotted = arena_printf(a->arena, "llvm.nvvm.read.ptx.sreg.%s", name + 1);
  if (!strncmp(name, "%lanemask_", 10) || !strncmp(name, "%cluster_", 9))
    *strrchr(dotted, '_') = '.';
  if (!LLVMLookupIntrinsicID(dotted, strlen(dotted))) {
    asm_refuse_operand(a, operand);
    return asm_const(a, 32, 0);
  }
  return asm_call(a, dotted, asm_int(a, is_long ? 64 : 32), NULL, 0);
}

// --------------------------------------------------------------- operands ---

static LLVMValueRef number(Emitter *a, const Operand *operand, AsmType type) {
  uint64_t image = 0;
  if (!asm_number(operand, type, &image))
    asm_refuse_operand(a, operand);
  return LLVMConstInt(asm_int(a, type.bits * type.lanes), image, false);
}

// A register may be wider than what is read of it, but no predicate.
static bool has_bits(const Emitter *a, const Operand *operand, unsigned bits) {
  unsigned own = asm_register_bits(a, operand);
  return asm_is_register(operand) && own >= bits && (own == 1) == (bits == 1);
}

LLVMValueRef asm_bits_as(Emitter *a, const Operand *operand, AsmType type) {
  unsigned bits = type.bits * type.lanes;
  if (operand->kind == OPERAND_NUMBER)
    return number(a, operand, type);
  bool is_special = operand->kind == OPERAND_SPECIAL &&
                    !operand->is_bracketed && !operand->is_negated &&
                    !operand->number;
  if (is_special && !strcmp(ptx_special_text(operand->index), "WARP_SZ"))
    return asm_const(a, bits, WARP_LANES);
  if (is_special)
    return asm_resize(a, special(a, operand, bits), bits, false);
  if (!has_bits(a, operand, bits) || (operand->is_negated && bits != 1)) {
    asm_refuse_operand(a, operand);
    return asm_const(a, bits, 0);
  }
  LLVMValueRef value =
      asm_resize(a, asm_load_register(a, operand->index), bits, false);
  return operand->is_negated ? LLVMBuildNot(a->builder, value, "") : value;
}

LLVMValueRef asm_bits(Emitter *a, const Operand *operand, unsigned bits) {
  char kind = bits == 1 ? 'p' : 'b';
  return asm_bits_as(a, operand, (AsmType){kind, bits, 1});
}

void asm_put_bits(Emitter *a, const Operand *operand, LLVMValueRef value,
                  bool is_signed) {
  if (operand->kind == OPERAND_SINK)
    return;
  if (operand->is_negated ||
      !has_bits(a, operand, LLVMGetIntTypeWidth(LLVMTypeOf(value))))
    asm_refuse_operand(a, operand);
  else
    asm_store_register(a, operand->index, value, is_signed);
}

// --------------------------------------------------------------- integers ---

LLVMValueRef asm_choose(const Emitter *a, LLVMValueRef condition,
                        LLVMValueRef yes, LLVMValueRef no) {
  return LLVMBuildSelect(a->builder, condition, yes, no, "");
}

static LLVMValueRef limit(const Emitter *a, LLVMValueRef value,
                          LLVMIntPredicate is_beyond, LLVMValueRef end) {
  LLVMValueRef beyond = LLVMBuildICmp(a->builder, is_beyond, value, end, "");
  return asm_choose(a, beyond, end, value);
}

// The value is signed, and wide enough for the limits.
LLVMValueRef asm_clamp(const Emitter *a, LLVMValueRef value, unsigned bits,
                       bool is_signed) {
  LLVMTypeRef type = LLVMTypeOf(value);
  assert(bits > is_signed && bits <= 64);
  uint64_t most = UINT64_MAX >> (64 - bits + is_signed);
  LLVMValueRef highest = LLVMConstInt(type, most, false);
  LLVMValueRef lowest =
      is_signed ? LLVMConstNot(highest) : LLVMConstInt(type, 0, false);
  assert(LLVMGetIntTypeWidth(type) > bits);
  value = limit(a, value, LLVMIntSGT, highest);
  value = limit(a, value, LLVMIntSLT, lowest);
  return asm_resize(a, value, bits, false);
}

// ----------------------------------------------------------------- floats ---

static const char *name_for(AsmType type, bool is_from_bits) {
  if (type.kind == 'e')
    return is_from_bits ? "__gpuverify_number_double_of_brain"
                        : "__gpuverify_number_brain_of_double";
  return is_from_bits ? "__gpuverify_number_double_of_half"
                      : "__gpuverify_number_half_of_double";
}

LLVMValueRef asm_value_of(Emitter *a, LLVMValueRef bits, AsmType type) {
  if (!asm_is_float(type))
    return bits;
  if (type.bits == 16)
    return asm_call(a, name_for(type, true),
                    LLVMDoubleTypeInContext(a->context), &bits, 1);
  return LLVMBuildBitCast(a->builder, bits,
                          type.bits == 64 ? LLVMDoubleTypeInContext(a->context)
                                          : LLVMFloatTypeInContext(a->context),
                          "");
}

LLVMValueRef asm_bits_of(Emitter *a, LLVMValueRef value, AsmType type) {
  if (!asm_is_float(type))
    return value;
  if (type.bits == 16)
    return asm_call(a, name_for(type, false), asm_int(a, 16), &value, 1);
  return LLVMBuildBitCast(a->builder, value, asm_int(a, type.bits), "");
}

// By the exponent's bits: those of a half are 5, of a bf16 and a float 8.
static LLVMValueRef flush(const Emitter *a, LLVMValueRef bits, AsmType type) {
  assert(asm_is_float(type) && type.bits <= 32);
  uint64_t sign = UINT64_C(1) << (type.bits - 1);
  uint64_t exponent = type.bits == 32    ? 0x7f800000
                      : type.kind == 'e' ? 0x7f80
                                         : 0x7c00;
  LLVMValueRef zero = asm_const(a, type.bits, 0);
  LLVMValueRef found =
      LLVMBuildAnd(a->builder, bits, asm_const(a, type.bits, exponent), "");
  LLVMValueRef left =
      LLVMBuildAnd(a->builder, bits, asm_const(a, type.bits, sign), "");
  return asm_choose(a, LLVMBuildICmp(a->builder, LLVMIntEQ, found, zero, ""),
                    left, bits);
}

LLVMValueRef asm_flushed(const Emitter *a, const AsmInstruction *i,
                         AsmType type, LLVMValueRef bits) {
  bool flushes = asm_has(i, "ftz") && asm_is_float(type) && type.bits < 64;
  return flushes ? flush(a, bits, type) : bits;
}

// "rn", "rz", "rm" or "rp", also of "rni".
const char *asm_rounding(const AsmInstruction *i) {
  static const char *const words[][2] = {
      {"rn", "rni"}, {"rz", "rzi"}, {"rm", "rmi"}, {"rp", "rpi"}};
  for (size_t n = 0; n < sizeof words / sizeof *words; n++)
    if (asm_has(i, words[n][0]) || asm_has(i, words[n][1]))
      return words[n][0];
  return NULL;
}

static LLVMValueRef choose_if(const Emitter *a, LLVMRealPredicate how,
                              LLVMValueRef value, LLVMValueRef limit) {
  return asm_choose(a, LLVMBuildFCmp(a->builder, how, value, limit, ""), value,
                    limit);
}

LLVMValueRef asm_saturated(const Emitter *a, const AsmInstruction *i,
                           AsmType type, LLVMValueRef value) {
  LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(value));
  if (!asm_is_float(type))
    return asm_has(i, "relu") ? limit(a, value, LLVMIntSLT, zero) : value;
  if (asm_has(i, "relu"))
    value = choose_if(a, LLVMRealUGT, value, zero);
  if (!asm_has(i, "sat"))
    return value;
  value = choose_if(a, LLVMRealOGT, value, zero);
  return choose_if(a, LLVMRealOLT, value, LLVMConstReal(LLVMTypeOf(value), 1));
}

LLVMValueRef asm_result(Emitter *a, const AsmInstruction *i, AsmType type,
                        LLVMValueRef value) {
  LLVMValueRef bits = asm_bits_of(a, value, type);
  if (type.kind == 'f' && type.bits == 32)
    bits =
        asm_choose(a, LLVMBuildFCmp(a->builder, LLVMRealUNO, value, value, ""),
                   asm_const(a, 32, INT32_MAX), bits);
  return asm_flushed(a, i, type, bits);
}

LLVMValueRef asm_get(Emitter *a, const Operand *operand, AsmType type) {
  return asm_value_of(a, asm_bits_as(a, operand, type), type);
}

void asm_put(Emitter *a, const Operand *operand, AsmType type,
             LLVMValueRef value) {
  asm_put_bits(a, operand, asm_bits_of(a, value, type), type.kind == 's');
}
