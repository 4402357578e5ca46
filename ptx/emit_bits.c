// Words of bits in inline assembly: shifts, fields, tables, counts.
//
// forms.def has a row a form.  What is not an instruction of LLVM is
// a function of builtins.def, which gets its operands as words.

#include "ptx/emit.h"

#include <assert.h>
#include <string.h>

// ----------------------------------------------------------------- shifts ---

// By the width or more nothing is left, or copies of the sign.
static void shift(Emitter *a, const AsmInstruction *i, LLVMOpcode opcode) {
  unsigned bits = i->type.bits;
  LLVMValueRef value = asm_bits(a, &i->operands[1], bits);
  LLVMValueRef by = asm_bits(a, &i->operands[2], 32);
  assert(bits > 1);
  LLVMValueRef last = asm_const(a, 32, bits - 1);
  LLVMValueRef fits = LLVMBuildICmp(a->builder, LLVMIntULE, by, last, "");
  by = asm_resize(a, asm_choose(a, fits, by, last), bits, false);
  LLVMValueRef shifted = LLVMBuildBinOp(a->builder, opcode, value, by, "");
  if (opcode != LLVMAShr)
    shifted = asm_choose(a, fits, shifted, asm_const(a, bits, 0));
  asm_put_bits(a, &i->operands[0], shifted, i->type.kind == 's');
}

void asm_emit_shift_left(Emitter *a, const AsmInstruction *i) {
  shift(a, i, LLVMShl);
}

void asm_emit_shift_right(Emitter *a, const AsmInstruction *i) {
  shift(a, i, i->type.kind == 's' ? LLVMAShr : LLVMLShr);
}

// Of the pair of two words, the second above.
void asm_emit_shift_funnel(Emitter *a, const AsmInstruction *i) {
  LLVMValueRef low = asm_resize(a, asm_bits(a, &i->operands[1], 32), 64, false);
  LLVMValueRef high =
      asm_resize(a, asm_bits(a, &i->operands[2], 32), 64, false);
  LLVMValueRef by = asm_bits(a, &i->operands[3], 32);
  LLVMValueRef half = asm_const(a, 64, 32);
  LLVMValueRef pair = LLVMBuildOr(
      a->builder, LLVMBuildShl(a->builder, high, half, ""), low, "");
  LLVMValueRef most = asm_const(a, 32, 32);
  if (asm_has(i, "wrap"))
    by = LLVMBuildAnd(a->builder, by, asm_const(a, 32, 31), "");
  else
    by = LLVMBuildSelect(a->builder,
                         LLVMBuildICmp(a->builder, LLVMIntULT, by, most, ""),
                         by, most, "");
  by = asm_resize(a, by, 64, false);
  LLVMValueRef value =
      asm_has(i, "l")
          ? LLVMBuildLShr(a->builder, LLVMBuildShl(a->builder, pair, by, ""),
                          half, "")
          : LLVMBuildLShr(a->builder, pair, by, "");
  asm_put_bits(a, &i->operands[0], asm_resize(a, value, 32, false), false);
}

// ------------------------------------------------------------------- bits ---

// A bit of the table for each way in which the three bits can be set.
static LLVMValueRef looked_up(Emitter *a, const AsmInstruction *i,
                              uint64_t table) {
  LLVMValueRef result = asm_const(a, 32, 0);
  for (unsigned row = 0; row < 8; row++) {
    LLVMValueRef term = asm_const(a, 32, UINT32_MAX);
    for (unsigned n = 0; n < 3 && table >> row & 1; n++) {
      LLVMValueRef bits = asm_bits(a, &i->operands[n + 1], 32);
      if (!(row >> (2 - n) & 1))
        bits = LLVMBuildNot(a->builder, bits, "");
      term = LLVMBuildAnd(a->builder, term, bits, "");
    }
    if (table >> row & 1)
      result = LLVMBuildOr(a->builder, result, term, "");
  }
  return result;
}

// lop3.or.b32 d|p, a, b, c, table, q: p says whether d is not 0, or q.
void asm_emit_look_up(Emitter *a, const AsmInstruction *i) {
  static const AsmType word = {'b', 32, 1};
  bool is_joined = i->operand_count == 6;
  uint64_t table;
  assert(i->operand_count >= 5);
  if (!asm_number(&i->operands[4], word, &table) || table > UINT8_MAX ||
      is_joined != (i->other->kind != OPERAND_NONE)) {
    asm_refuse(a, i->text);
    return;
  }
  LLVMValueRef value = looked_up(a, i, table);
  if (is_joined) {
    LLVMValueRef other = asm_bits(a, &i->operands[5], 1);
    LLVMValueRef zero = asm_const(a, 32, 0);
    LLVMValueRef any = LLVMBuildICmp(a->builder, LLVMIntNE, value, zero, "");
    any = asm_has(i, "or") ? LLVMBuildOr(a->builder, any, other, "")
                           : LLVMBuildAnd(a->builder, any, other, "");
    asm_put_bits(a, i->other, any, false);
  }
  asm_put_bits(a, &i->operands[0], value, false);
}

// A function of builtins.def, which gets its operands as words of one size.
static void call_words(Emitter *a, const AsmInstruction *i, const char *name,
                       unsigned bits, unsigned result) {
  LLVMValueRef in[PTX_OPERANDS];
  assert(i->operand_count > 1 && i->operand_count <= PTX_OPERANDS);
  for (unsigned n = 1; n < i->operand_count; n++)
    in[n - 1] = asm_bits(a, &i->operands[n], n == 1 ? bits : 32);
  asm_put_bits(a, &i->operands[0],
               asm_call(a, name, asm_int(a, result), in, i->operand_count - 1),
               i->type.kind == 's');
}

void asm_emit_count_ones(Emitter *a, const AsmInstruction *i) {
  call_words(a, i, i->type.bits == 64 ? "__nv_popcll" : "__nv_popc",
             i->type.bits, 32);
}

void asm_emit_count_zeros(Emitter *a, const AsmInstruction *i) {
  call_words(a, i, i->type.bits == 64 ? "__nv_clzll" : "__nv_clz", i->type.bits,
             32);
}

void asm_emit_reverse(Emitter *a, const AsmInstruction *i) {
  call_words(a, i, i->type.bits == 64 ? "__nv_brevll" : "__nv_brev",
             i->type.bits, i->type.bits);
}

void asm_emit_find_bit(Emitter *a, const AsmInstruction *i) {
  const char *name = arena_printf(a->arena, "__gpuverify_bfind_%c%u%s",
                                  i->type.kind == 's' ? 's' : 'u', i->type.bits,
                                  asm_has(i, "shiftamt") ? "_shift" : "");
  call_words(a, i, name, i->type.bits, 32);
}

void asm_emit_extract(Emitter *a, const AsmInstruction *i) {
  const char *name =
      arena_printf(a->arena, "__gpuverify_bfe_%c%u",
                   i->type.kind == 's' ? 's' : 'u', i->type.bits);
  call_words(a, i, name, i->type.bits, i->type.bits);
}

// The second operand is as wide as the first here.
void asm_emit_insert(Emitter *a, const AsmInstruction *i) {
  unsigned bits = i->type.bits;
  LLVMValueRef in[] = {
      asm_bits(a, &i->operands[1], bits), asm_bits(a, &i->operands[2], bits),
      asm_bits(a, &i->operands[3], 32), asm_bits(a, &i->operands[4], 32)};
  const char *name = bits == 64 ? "__gpuverify_bfi_64" : "__gpuverify_bfi_32";
  asm_put_bits(a, &i->operands[0], asm_call(a, name, asm_int(a, bits), in, 4),
               false);
}

void asm_emit_mask(Emitter *a, const AsmInstruction *i) {
  call_words(a, i,
             asm_has(i, "wrap") ? "__gpuverify_bmsk_wrap"
                                : "__gpuverify_bmsk_clamp",
             32, 32);
}

void asm_emit_extend(Emitter *a, const AsmInstruction *i) {
  call_words(a, i,
             arena_printf(a->arena, "__gpuverify_szext_%c_%s",
                          i->type.kind == 's' ? 's' : 'u',
                          asm_has(i, "wrap") ? "wrap" : "clamp"),
             32, 32);
}

void asm_emit_permute(Emitter *a, const AsmInstruction *i) {
  const char *name = "__gpuverify_prmt";
  if (i->word_count > 2)
    name = arena_printf(a->arena, "%s_%s", name, i->words[2]);
  call_words(a, i, name, 32, 32);
}

void asm_emit_find_nth(Emitter *a, const AsmInstruction *i) {
  call_words(a, i, "llvm.nvvm.fns", 32, 32);
}

void asm_emit_add_dot(Emitter *a, const AsmInstruction *i) {
  bool first = i->to.kind == 's', second = i->type.kind == 's';
  call_words(a, i,
             arena_printf(a->arena, "__gpuverify_%s%s_%c%c", i->words[0],
                          asm_has(i, "lo")   ? "_lo"
                          : asm_has(i, "hi") ? "_hi"
                                             : "",
                          first ? 's' : 'u', second ? 's' : 'u'),
             32, 32);
}
