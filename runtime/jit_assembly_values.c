// Registers and operands of inline assembly as values of LLVM.
//
// A register is a variable of the function, an integer of its size; what is
// computed with it decides how its bits are read.

#include "runtime/jit_assembly.h"

#include <ctype.h>
#include <stdlib.h>
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

bool ptx_is_float(PtxType type) {
  return type.kind == PTX_FLOAT || type.kind == PTX_BRAIN;
}

LLVMValueRef assembly_call(Assembly *a, const char *name, LLVMTypeRef result,
                           LLVMValueRef *arguments, unsigned count) {
  LLVMTypeRef types[16];
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

// ---------------------------------------------------------------- numbers ---

static bool is_number(const char *text) {
  text += *text == '-' || *text == '+';
  return isdigit((unsigned char)*text);
}

// 0f3F800000 and 0d3FF0000000000000 are bits, 1.5 is a value.
static uint64_t parse_number(const char *text, unsigned bits) {
  if (text[0] == '0' && strchr("fFdD", text[1]) && text[1])
    return strtoull(text + 2, NULL, 16);
  if (!strchr(text, '.'))
    return strtoull(text, NULL, 0);
  double value = strtod(text, NULL);
  float rounded = (float)value;
  uint64_t image = 0;
  if (bits == 64)
    memcpy(&image, &value, sizeof value);
  else
    memcpy(&image, &rounded, sizeof rounded);
  return image;
}

LLVMValueRef assembly_bits(Assembly *a, const char *operand, unsigned bits) {
  if (*operand == '!')
    return LLVMBuildNot(a->builder, assembly_bits(a, operand + 1, bits), "");
  PtxSlot *slot = assembly_slot(a, operand);
  if (slot) {
    LLVMValueRef value =
        LLVMBuildLoad2(a->builder, assembly_int(a, slot->bits), slot->at, "");
    return assembly_resize(a, value, bits, false);
  }
  if (is_number(operand))
    return LLVMConstInt(assembly_int(a, bits), parse_number(operand, bits),
                        true);
  if (!strcmp(operand, "WARP_SZ"))
    return assembly_number(a, bits, LANES);
  if (*operand == '%')
    return assembly_resize(a, special(a, operand), bits, false);
  assembly_refuse(a, operand);
  return assembly_number(a, bits, 0);
}

void assembly_put_bits(Assembly *a, const char *operand, LLVMValueRef value,
                       bool is_signed) {
  PtxSlot *slot = assembly_slot(a, operand);
  if (!strcmp(operand, "_"))
    return;
  if (!slot) {
    assembly_refuse(a, operand);
    return;
  }
  LLVMBuildStore(a->builder, assembly_resize(a, value, slot->bits, is_signed),
                 slot->at);
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

LLVMValueRef assembly_get(Assembly *a, const char *operand, PtxType type) {
  return assembly_value_of(a, assembly_bits(a, operand, type.bits), type);
}

void assembly_put(Assembly *a, const char *operand, PtxType type,
                  LLVMValueRef value) {
  assembly_put_bits(a, operand, assembly_bits_of(a, value, type),
                    type.kind == PTX_SIGNED);
}
