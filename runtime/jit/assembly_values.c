// Registers and operands of inline assembly as values of LLVM.
//
// A register is a variable of the function, an integer of its size; what is
// computed with it decides how its bits are read.

#include "ptx/constant.h"
#include "runtime/jit/assembly.h"

#include <assert.h>
#include <string.h>

LLVMTypeRef assembly_int(const Assembly *a, unsigned bits) {
  return LLVMIntTypeInContext(a->context, bits);
}

LLVMValueRef assembly_number(const Assembly *a, unsigned bits, uint64_t value) {
  return LLVMConstInt(assembly_int(a, bits), value, false);
}

LLVMValueRef assembly_resize(const Assembly *a, LLVMValueRef value,
                             unsigned bits, bool is_signed) {
  unsigned has = LLVMGetIntTypeWidth(LLVMTypeOf(value));
  if (has == bits)
    return value;
  if (has > bits)
    return LLVMBuildTrunc(a->builder, value, assembly_int(a, bits), "");
  return is_signed
             ? LLVMBuildSExt(a->builder, value, assembly_int(a, bits), "")
             : LLVMBuildZExt(a->builder, value, assembly_int(a, bits), "");
}

LLVMValueRef assembly_call(Assembly *a, const char *name, LLVMTypeRef result,
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

PtxSlot *assembly_slot(Assembly *a, const char *name) {
  for (size_t i = a->slots.count; i-- > 0;)
    if (!strcmp(a->slots.at[i].name, name))
      return &a->slots.at[i];
  return NULL;
}

void assembly_declare(Assembly *a, const char *name, unsigned bits) {
  PtxSlot slot = {name, LLVMBuildAlloca(a->entry, assembly_int(a, bits), ""),
                  bits};
  push(a->arena, &a->slots, slot);
}

// %lanemask_lt, %tid.x, ..: what LLVM has an intrinsic for.
static LLVMValueRef special(Assembly *a, const char *name) {
  bool is_long = !strcmp(name, "%clock64") || !strcmp(name, "%globaltimer");
  char *dotted = arena_printf(a->arena, "llvm.nvvm.read.ptx.sreg.%s", name + 1);
  if (!strncmp(name, "%lanemask_", 10) || !strncmp(name, "%cluster_", 9))
    *strrchr(dotted, '_') = '.';
  if (!LLVMLookupIntrinsicID(dotted, strlen(dotted))) {
    assembly_refuse(a, name);
    return assembly_number(a, 32, 0);
  }
  return assembly_call(a, dotted, assembly_int(a, is_long ? 64 : 32), NULL, 0);
}

// --------------------------------------------------------------- operands ---

static char letter_of(PtxType type) {
  static const char letters[] = {[PTX_BITS] = 'b',   [PTX_UNSIGNED] = 'u',
                                 [PTX_SIGNED] = 's', [PTX_FLOAT] = 'f',
                                 [PTX_BRAIN] = 'f',  [PTX_PREDICATE] = 'p'};
  assert(type.kind < sizeof letters);
  return letters[type.kind];
}

static LLVMValueRef number(Assembly *a, const char *operand, PtxType type) {
  PtxConstant constant;
  uint64_t image = 0;
  if (!ptx_constant(operand, &constant) ||
      !ptx_constant_as(&constant, letter_of(type), type.bits, &image))
    assembly_refuse(a, operand);
  return LLVMConstInt(assembly_int(a, type.bits * type.lanes), image, false);
}

// A register may be wider than what is read of it, but no predicate.
static bool has_bits(const PtxSlot *slot, unsigned bits) {
  return slot->bits >= bits && (slot->bits == 1) == (bits == 1);
}

static LLVMValueRef get_register(Assembly *a, const PtxSlot *slot,
                                 unsigned bits) {
  if (!has_bits(slot, bits))
    assembly_refuse(a, slot->name);
  LLVMValueRef value =
      LLVMBuildLoad2(a->builder, assembly_int(a, slot->bits), slot->at, "");
  return assembly_resize(a, value, bits, false);
}

LLVMValueRef assembly_bits_as(Assembly *a, const char *operand, PtxType type) {
  unsigned bits = type.bits * type.lanes;
  PtxSlot *slot = assembly_slot(a, operand);
  if (slot)
    return get_register(a, slot, bits);
  if (*operand == '!' && bits == 1 && assembly_slot(a, operand + 1))
    return LLVMBuildNot(a->builder, assembly_bits_as(a, operand + 1, type), "");
  if (ptx_starts_constant(operand))
    return number(a, operand, type);
  if (!strcmp(operand, "WARP_SZ"))
    return assembly_number(a, bits, LANES);
  if (*operand == '%')
    return assembly_resize(a, special(a, operand), bits, false);
  assembly_refuse(a, operand);
  return assembly_number(a, bits, 0);
}

LLVMValueRef assembly_bits(Assembly *a, const char *operand, unsigned bits) {
  PtxKind kind = bits == 1 ? PTX_PREDICATE : PTX_BITS;
  return assembly_bits_as(a, operand, (PtxType){kind, bits, 1});
}

void assembly_put_bits(Assembly *a, const char *operand, LLVMValueRef value,
                       bool is_signed) {
  PtxSlot *slot = assembly_slot(a, operand);
  if (!strcmp(operand, "_"))
    return;
  if (!slot || !has_bits(slot, LLVMGetIntTypeWidth(LLVMTypeOf(value)))) {
    assembly_refuse(a, operand);
    return;
  }
  LLVMBuildStore(a->builder, assembly_resize(a, value, slot->bits, is_signed),
                 slot->at);
}

// --------------------------------------------------------------- integers ---

LLVMValueRef assembly_choose(const Assembly *a, LLVMValueRef condition,
                             LLVMValueRef yes, LLVMValueRef no) {
  return LLVMBuildSelect(a->builder, condition, yes, no, "");
}

static LLVMValueRef limit(const Assembly *a, LLVMValueRef value,
                          LLVMIntPredicate is_beyond, LLVMValueRef end) {
  LLVMValueRef beyond = LLVMBuildICmp(a->builder, is_beyond, value, end, "");
  return assembly_choose(a, beyond, end, value);
}

// The value is signed, and wide enough for the limits.
LLVMValueRef assembly_clamp(const Assembly *a, LLVMValueRef value,
                            unsigned bits, bool is_signed) {
  LLVMTypeRef type = LLVMTypeOf(value);
  assert(bits > is_signed && bits <= 64);
  uint64_t most = UINT64_MAX >> (64 - bits + is_signed);
  LLVMValueRef highest = LLVMConstInt(type, most, false);
  LLVMValueRef lowest =
      is_signed ? LLVMConstNot(highest) : LLVMConstInt(type, 0, false);
  assert(LLVMGetIntTypeWidth(type) > bits);
  value = limit(a, value, LLVMIntSGT, highest);
  value = limit(a, value, LLVMIntSLT, lowest);
  return assembly_resize(a, value, bits, false);
}

// ----------------------------------------------------------------- floats ---

static const char *name_for(PtxType type, bool is_from_bits) {
  if (type.kind == PTX_BRAIN)
    return is_from_bits ? "__gpuverify_double_of_brain"
                        : "__gpuverify_brain_of_double";
  return is_from_bits ? "__gpuverify_double_of_half"
                      : "__gpuverify_half_of_double";
}

LLVMValueRef assembly_value_of(Assembly *a, LLVMValueRef bits, PtxType type) {
  if (!ptx_is_float(type))
    return bits;
  if (type.bits == 16)
    return assembly_call(a, name_for(type, true),
                         LLVMDoubleTypeInContext(a->context), &bits, 1);
  return LLVMBuildBitCast(a->builder, bits,
                          type.bits == 64 ? LLVMDoubleTypeInContext(a->context)
                                          : LLVMFloatTypeInContext(a->context),
                          "");
}

LLVMValueRef assembly_bits_of(Assembly *a, LLVMValueRef value, PtxType type) {
  if (!ptx_is_float(type))
    return value;
  if (type.bits == 16)
    return assembly_call(a, name_for(type, false), assembly_int(a, 16), &value,
                         1);
  return LLVMBuildBitCast(a->builder, value, assembly_int(a, type.bits), "");
}

// By the exponent's bits: those of a half are 5, of a bf16 and a float 8.
LLVMValueRef assembly_flush(const Assembly *a, LLVMValueRef bits,
                            PtxType type) {
  assert(ptx_is_float(type) && type.bits <= 32);
  uint64_t sign = UINT64_C(1) << (type.bits - 1);
  uint64_t exponent = type.bits == 32          ? 0x7f800000
                      : type.kind == PTX_BRAIN ? 0x7f80
                                               : 0x7c00;
  LLVMValueRef zero = assembly_number(a, type.bits, 0);
  LLVMValueRef found = LLVMBuildAnd(
      a->builder, bits, assembly_number(a, type.bits, exponent), "");
  LLVMValueRef left =
      LLVMBuildAnd(a->builder, bits, assembly_number(a, type.bits, sign), "");
  return assembly_choose(
      a, LLVMBuildICmp(a->builder, LLVMIntEQ, found, zero, ""), left, bits);
}

LLVMValueRef assembly_get(Assembly *a, const char *operand, PtxType type) {
  return assembly_value_of(a, assembly_bits_as(a, operand, type), type);
}

void assembly_put(Assembly *a, const char *operand, PtxType type,
                  LLVMValueRef value) {
  assembly_put_bits(a, operand, assembly_bits_of(a, value, type),
                    type.kind == PTX_SIGNED);
}
