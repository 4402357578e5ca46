// Words of bits in inline assembly: shifts, fields, tables, counts.
//
// instructions.def has a row a form.

#include "ptx/emit.h"
#include "ptx/numbers.h"

#include <assert.h>
#include <string.h>

// ----------------------------------------------------------------- shifts ---

// By the width or more nothing is left, or copies of the sign.
static LLVMValueRef shifted(Emitter *a, LLVMOpcode opcode, LLVMValueRef value,
                            LLVMValueRef by) {
  unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(value));
  assert(bits > 1);
  LLVMValueRef last = asm_const(a, 32, bits - 1);
  LLVMValueRef fits = LLVMBuildICmp(a->builder, LLVMIntULE, by, last, "");
  by = asm_resize(a, asm_choose(a, fits, by, last), bits, false);
  LLVMValueRef result = LLVMBuildBinOp(a->builder, opcode, value, by, "");
  return opcode == LLVMAShr
             ? result
             : asm_choose(a, fits, result, asm_const(a, bits, 0));
}

static void shift(Emitter *a, const AsmInstruction *i, LLVMOpcode opcode) {
  LLVMValueRef value = asm_bits(a, &i->operands[1], i->type.bits);
  LLVMValueRef by = asm_bits(a, &i->operands[2], 32);
  asm_put_bits(a, &i->operands[0], shifted(a, opcode, value, by),
               i->type.kind == 's');
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

// llvm.ctlz.i32 and its like; of no bits, too, there is a result.
static LLVMValueRef counted(Emitter *a, const char *name, LLVMValueRef value) {
  LLVMValueRef in[] = {value, asm_const(a, 1, 0)};
  unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(value));
  return asm_call(a, arena_printf(a->arena, "llvm.%s.i%u", name, bits),
                  LLVMTypeOf(value), in, strcmp(name, "ctlz") ? 1 : 2);
}

static void count(Emitter *a, const AsmInstruction *i, const char *name) {
  LLVMValueRef value = asm_bits(a, &i->operands[1], i->type.bits);
  asm_put_bits(a, &i->operands[0],
               asm_resize(a, counted(a, name, value), 32, false), false);
}

void asm_emit_count_ones(Emitter *a, const AsmInstruction *i) {
  count(a, i, "ctpop");
}

void asm_emit_count_zeros(Emitter *a, const AsmInstruction *i) {
  count(a, i, "ctlz");
}

void asm_emit_reverse(Emitter *a, const AsmInstruction *i) {
  LLVMValueRef value = asm_bits(a, &i->operands[1], i->type.bits);
  asm_put_bits(a, &i->operands[0], counted(a, "bitreverse", value), false);
}

// The highest bit that is set, or of a negative number that is not; all ones if
// there is none.
void asm_emit_find_bit(Emitter *a, const AsmInstruction *i) {
  LLVMValueRef value = asm_bits(a, &i->operands[1], i->type.bits);
  LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(value));
  if (i->type.kind == 's')
    value =
        asm_choose(a, LLVMBuildICmp(a->builder, LLVMIntSLT, value, zero, ""),
                   LLVMBuildNot(a->builder, value, ""), value);
  LLVMValueRef at = asm_resize(a, counted(a, "ctlz", value), 32, false);
  if (!asm_has(i, "shiftamt"))
    at = LLVMBuildSub(a->builder, asm_const(a, 32, i->type.bits - 1), at, "");
  LLVMValueRef is_none = LLVMBuildICmp(a->builder, LLVMIntEQ, value, zero, "");
  asm_put_bits(a, &i->operands[0],
               asm_choose(a, is_none, asm_const(a, 32, UINT32_MAX), at), false);
}

// ----------------------------------------------------------------- fields ---

// Of a place or a length the lowest byte counts.
static LLVMValueRef byte(Emitter *a, const Operand *operand) {
  return LLVMBuildAnd(a->builder, asm_bits(a, operand, 32),
                      asm_const(a, 32, 255), "");
}

// So many ones from the lowest bit on.
static LLVMValueRef ones(Emitter *a, unsigned bits, LLVMValueRef length) {
  LLVMValueRef all = LLVMConstAllOnes(asm_int(a, bits));
  return LLVMBuildNot(a->builder, shifted(a, LLVMShl, all, length), "");
}

// Beyond the word there is its sign: the field goes up to the sign's place, and
// comes down with copies of it.
static LLVMValueRef signed_field(Emitter *a, LLVMValueRef value,
                                 LLVMValueRef at, LLVMValueRef length) {
  LLVMTypeRef type = LLVMTypeOf(value);
  LLVMValueRef bits = asm_const(a, 32, LLVMGetIntTypeWidth(type));
  LLVMValueRef end = LLVMBuildAdd(a->builder, at, length, "");
  LLVMValueRef fits = LLVMBuildICmp(a->builder, LLVMIntULE, end, bits, "");
  LLVMValueRef up =
      LLVMBuildSub(a->builder, bits, asm_choose(a, fits, end, bits), "");
  LLVMValueRef field = shifted(a, LLVMAShr, shifted(a, LLVMShl, value, up),
                               LLVMBuildAdd(a->builder, up, at, ""));
  LLVMValueRef is_empty =
      LLVMBuildICmp(a->builder, LLVMIntEQ, length, asm_const(a, 32, 0), "");
  return asm_choose(a, is_empty, LLVMConstNull(type), field);
}

static void put_field(Emitter *a, const AsmInstruction *i, LLVMValueRef at,
                      LLVMValueRef length) {
  LLVMValueRef value = asm_bits(a, &i->operands[1], i->type.bits);
  LLVMValueRef field =
      i->type.kind == 's'
          ? signed_field(a, value, at, length)
          : LLVMBuildAnd(a->builder, shifted(a, LLVMLShr, value, at),
                         ones(a, i->type.bits, length), "");
  asm_put_bits(a, &i->operands[0], field, i->type.kind == 's');
}

// bfe.u32 d, a, position, length
void asm_emit_extract(Emitter *a, const AsmInstruction *i) {
  put_field(a, i, byte(a, &i->operands[2]), byte(a, &i->operands[3]));
}

// szext.clamp.s32 d, a, length
void asm_emit_extend(Emitter *a, const AsmInstruction *i) {
  LLVMValueRef length = asm_bits(a, &i->operands[2], 32);
  if (asm_has(i, "wrap"))
    length = LLVMBuildAnd(a->builder, length, asm_const(a, 32, 31), "");
  put_field(a, i, asm_const(a, 32, 0), length);
}

// bfi.b32 d, a, b, position, length: a goes into b.
void asm_emit_insert(Emitter *a, const AsmInstruction *i) {
  unsigned bits = i->type.bits;
  LLVMValueRef part = asm_bits(a, &i->operands[1], bits);
  LLVMValueRef whole = asm_bits(a, &i->operands[2], bits);
  LLVMValueRef at = byte(a, &i->operands[3]);
  LLVMValueRef mask =
      shifted(a, LLVMShl, ones(a, bits, byte(a, &i->operands[4])), at);
  LLVMValueRef in =
      LLVMBuildAnd(a->builder, shifted(a, LLVMShl, part, at), mask, "");
  LLVMValueRef out =
      LLVMBuildAnd(a->builder, whole, LLVMBuildNot(a->builder, mask, ""), "");
  asm_put_bits(a, &i->operands[0], LLVMBuildOr(a->builder, in, out, ""), false);
}

// bmsk.clamp.b32 d, position, length
void asm_emit_mask(Emitter *a, const AsmInstruction *i) {
  LLVMValueRef at = asm_bits(a, &i->operands[1], 32);
  LLVMValueRef length = asm_bits(a, &i->operands[2], 32);
  if (asm_has(i, "wrap")) {
    LLVMValueRef most = asm_const(a, 32, 31);
    at = LLVMBuildAnd(a->builder, at, most, "");
    length = LLVMBuildAnd(a->builder, length, most, "");
  }
  asm_put_bits(a, &i->operands[0], shifted(a, LLVMShl, ones(a, 32, length), at),
               false);
}

// ------------------------------------------------------------------ bytes ---

// The selector that a mode stands for: a row of those of the four that the
// lowest two bits choose.
static LLVMValueRef selector(Emitter *a, const char *mode, LLVMValueRef which) {
  const uint16_t *rows = ptx_permutation(mode);
  LLVMValueRef value = asm_const(a, 32, rows[0]);
  which = LLVMBuildAnd(a->builder, which, asm_const(a, 32, 3), "");
  for (unsigned n = 1; n < 4; n++)
    value = asm_choose(
        a, LLVMBuildICmp(a->builder, LLVMIntEQ, which, asm_const(a, 32, n), ""),
        asm_const(a, 32, rows[n]), value);
  return value;
}

// In whichever place; NULL: there is none.
static const char *mode_of(const AsmInstruction *i) {
  AsmType type;
  for (unsigned n = 1; n < i->word_count; n++)
    if (!asm_type(i->words[n], &type))
      return i->words[n];
  return NULL;
}

// Three words by a function.
static void call_words(Emitter *a, const AsmInstruction *i, const char *name) {
  LLVMValueRef in[3];
  for (unsigned n = 0; n < 3; n++)
    in[n] = asm_bits(a, &i->operands[n + 1], 32);
  if (mode_of(i))
    in[2] = selector(a, mode_of(i), in[2]);
  asm_put_bits(a, &i->operands[0], asm_call(a, name, asm_int(a, 32), in, 3),
               false);
}

void asm_emit_permute(Emitter *a, const AsmInstruction *i) {
  call_words(a, i, "llvm.nvvm.prmt");
}

void asm_emit_find_nth(Emitter *a, const AsmInstruction *i) {
  call_words(a, i, "llvm.nvvm.fns");
}

// Part n of a word, as 32 bits.
static LLVMValueRef part(Emitter *a, LLVMValueRef word, unsigned n,
                         unsigned bits, bool is_signed) {
  word = LLVMBuildLShr(a->builder, word, asm_const(a, 32, n * bits), "");
  return asm_resize(a, asm_resize(a, word, bits, false), 32, is_signed);
}

// dp4a: four bytes by four; dp2a: two halves by the lower or upper two bytes.
void asm_emit_add_dot(Emitter *a, const AsmInstruction *i) {
  unsigned count = asm_is(i, "dp4a") ? 4 : 2, first = asm_has(i, "hi") ? 2 : 0;
  LLVMValueRef x = asm_bits(a, &i->operands[1], 32);
  LLVMValueRef y = asm_bits(a, &i->operands[2], 32);
  LLVMValueRef sum = asm_bits(a, &i->operands[3], 32);
  for (unsigned n = 0; n < count; n++) {
    LLVMValueRef own = part(a, x, n, 32 / count, i->to.kind == 's');
    LLVMValueRef other = part(a, y, first + n, 8, i->type.kind == 's');
    sum = LLVMBuildAdd(a->builder, sum,
                       LLVMBuildMul(a->builder, own, other, ""), "");
  }
  asm_put_bits(a, &i->operands[0], sum, false);
}
