// Addresses of inline assembly.
//
// They are those of the host in every space; one of 32 bits is the lower half
// of an address in shared memory, of whichever block of a cluster.

#include "runtime/jit/assembly.h"

#include <assert.h>
#include <string.h>

// --------------------------------------------------------------- addresses ---

static LLVMValueRef base_of(Emitter *a, const Operand *operand) {
  LLVMTypeRef i64 = asm_int(a, 64);
  unsigned bits = asm_register_bits(a, operand);
  if (operand->kind == OPERAND_NUMBER && operand->is_bracketed)
    return asm_const(a, 64, 0);
  if (!operand->is_bracketed || operand->is_negated ||
      (bits != 32 && bits < 64))
    asm_refuse_operand(a, operand);
  if (!bits)
    return asm_const(a, 64, 0);
  LLVMValueRef base = asm_load_register(a, operand->index);
  return bits == 32 ? asm_call(a, "__gpuverify_shared_at", i64, &base, 1)
                    : asm_resize(a, base, 64, false);
}

LLVMValueRef assembly_address(Emitter *a, const Operand *operand) {
  LLVMValueRef base = base_of(a, operand);
  LLVMValueRef offset = asm_const(a, 64, operand->number);
  return operand->number ? LLVMBuildAdd(a->builder, base, offset, "") : base;
}

static LLVMValueRef as_pointer(Emitter *a, LLVMValueRef at) {
  LLVMTypeRef type = LLVMPointerTypeInContext(a->context, 0);
  return LLVMBuildIntToPtr(a->builder, at, type, "");
}

LLVMValueRef assembly_pointer(Emitter *a, const AsmInstruction *i,
                              const Operand *operand) {
  (void)i;
  return as_pointer(a, assembly_address(a, operand));
}

// -------------------------------------------------------- of other blocks ---

// A register with an address of shared memory: all of it, or the lower half.
static LLVMValueRef shared_pointer(Emitter *a, const Operand *operand,
                                   unsigned bits) {
  assert(bits == 32 || bits == 64);
  LLVMValueRef at = asm_bits(a, operand, bits);
  if (bits == 32)
    at = asm_call(a, "__gpuverify_shared_at", asm_int(a, 64), &at, 1);
  return as_pointer(a, at);
}

// mapa{.shared::cluster}.u32 to, from, rank
static bool map_address(Emitter *a, const AsmInstruction *i) {
  LLVMTypeRef type = LLVMPointerTypeInContext(a->context, 0);
  if (i->operand_count != 3)
    return false;
  LLVMValueRef in[] = {shared_pointer(a, &i->operands[1], i->type.bits),
                       asm_bits(a, &i->operands[2], 32)};
  LLVMValueRef at = asm_call(a, "llvm.nvvm.mapa", type, in, 2);
  at = LLVMBuildPtrToInt(a->builder, at, asm_int(a, 64), "");
  asm_put_bits(a, &i->operands[0], asm_resize(a, at, i->type.bits, false),
               false);
  return true;
}

static bool ask_rank(Emitter *a, const AsmInstruction *i) {
  LLVMValueRef at = shared_pointer(a, &i->operands[1], i->type.bits);
  asm_put_bits(a, &i->operands[0],
               asm_call(a, "llvm.nvvm.getctarank", asm_int(a, 32), &at, 1),
               false);
  return true;
}

bool assembly_address_of(Emitter *a, const AsmInstruction *i) {
  if (asm_is(i, "mapa"))
    return map_address(a, i);
  return asm_is(i, "getctarank") && ask_rank(a, i);
}
