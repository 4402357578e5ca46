// Operations on values of LLVM, and what an instruction says of itself, as
// integers.def wants them.

#ifndef PTX_OPERATIONS_H
#define PTX_OPERATIONS_H

#include "ptx/emit.h"

#include <string.h>

typedef LLVMValueRef Number;

// An instruction, or a lane of it.
typedef struct Making {
  Emitter *a;
  const AsmInstruction *i;
  AsmType type;
  LLVMValueRef *in; // the operands of the lane, or NULL
} Making;

static inline bool is_real(Number x) {
  return LLVMGetTypeKind(LLVMTypeOf(x)) != LLVMIntegerTypeKind;
}

#define BINARY(name, of_integers, of_floats)                                   \
  static inline Number name(const Making *m, Number x, Number y) {             \
    return LLVMBuildBinOp(m->a->builder, is_real(x) ? of_floats : of_integers, \
                          x, y, "");                                           \
  }
BINARY(plus, LLVMAdd, LLVMFAdd)
BINARY(minus, LLVMSub, LLVMFSub)
BINARY(times, LLVMMul, LLVMFMul)
BINARY(both, LLVMAnd, LLVMAnd)
BINARY(either, LLVMOr, LLVMOr)
BINARY(different, LLVMXor, LLVMXor)
BINARY(left, LLVMShl, LLVMShl)
BINARY(right, LLVMLShr, LLVMLShr)
BINARY(right_signed, LLVMAShr, LLVMAShr)
#undef BINARY

static inline Number flipped(const Making *m, Number x) {
  return LLVMBuildNot(m->a->builder, x, "");
}

static inline Number negative(const Making *m, Number x) {
  return is_real(x) ? LLVMBuildFNeg(m->a->builder, x, "")
                    : LLVMBuildNeg(m->a->builder, x, "");
}

static inline Number is_equal(const Making *m, Number x, Number y) {
  return LLVMBuildICmp(m->a->builder, LLVMIntEQ, x, y, "");
}

static inline Number is_less(const Making *m, Number x, Number y,
                             bool is_signed) {
  return LLVMBuildICmp(m->a->builder, is_signed ? LLVMIntSLT : LLVMIntULT, x, y,
                       "");
}

static inline Number is_more(const Making *m, Number x, Number y,
                             bool is_signed) {
  return LLVMBuildICmp(m->a->builder, is_signed ? LLVMIntSGT : LLVMIntUGT, x, y,
                       "");
}

static inline Number is_at_most(const Making *m, Number x, Number y) {
  return LLVMBuildICmp(m->a->builder, LLVMIntULE, x, y, "");
}

static inline unsigned width(Number x) {
  return LLVMGetIntTypeWidth(LLVMTypeOf(x));
}

static inline Number number(const Making *m, unsigned bits, uint64_t value) {
  return asm_const(m->a, bits, value);
}

static inline Number resized(const Making *m, Number x, unsigned bits,
                             bool is_signed) {
  return asm_resize(m->a, x, bits, is_signed);
}

static inline Number clamped(const Making *m, Number x, unsigned bits) {
  return asm_clamp(m->a, x, bits, true);
}

static inline Number chosen(const Making *m, Number condition, Number yes,
                            Number no) {
  return asm_choose(m->a, condition, yes, no);
}

static inline Number divided_by(const Making *m, Number x, Number y,
                                bool is_rest) {
  bool is_signed = m->type.kind == 's';
  LLVMOpcode quotient = is_signed ? LLVMSDiv : LLVMUDiv;
  LLVMOpcode rest = is_signed ? LLVMSRem : LLVMURem;
  return LLVMBuildBinOp(m->a->builder, is_rest ? rest : quotient, x, y, "");
}

static inline Number high_product(const Making *m, Number x, Number y) {
  bool is_signed = m->type.kind == 's';
  unsigned bits = width(x);
  x = resized(m, x, 2 * bits, is_signed);
  x = times(m, x, resized(m, y, 2 * bits, is_signed));
  return resized(m, right(m, x, number(m, 2 * bits, bits)), bits, false);
}

// llvm.ctlz.i32 and its like; of no bits, too, there is a result.
static inline Number counted(const Making *m, const char *name, Number x) {
  LLVMValueRef in[] = {x, asm_const(m->a, 1, 0)};
  return asm_call(m->a,
                  arena_printf(m->a->arena, "llvm.%s.i%u", name, width(x)),
                  LLVMTypeOf(x), in, strcmp(name, "ctlz") ? 1 : 2);
}

static inline Number ones(const Making *m, Number x) {
  return counted(m, "ctpop", x);
}

static inline Number leading_zeros(const Making *m, Number x) {
  return counted(m, "ctlz", x);
}

static inline Number reversed(const Making *m, Number x) {
  return counted(m, "bitreverse", x);
}

static inline Number of_words(const Making *m, const char *name, Number x,
                              Number y, Number z) {
  LLVMValueRef in[] = {x, y, z};
  return asm_call(m->a, name, asm_int(m->a, 32), in, 3);
}

static inline Number nth_bit(const Making *m, Number mask, Number from,
                             Number n) {
  return of_words(m, "llvm.nvvm.fns", mask, from, n);
}

static inline Number permuted(const Making *m, Number low, Number high,
                              Number which) {
  return of_words(m, "llvm.nvvm.prmt", low, high, which);
}

static inline unsigned bits_of(const Making *m) { return m->type.bits; }
static inline bool is_signed(const Making *m) { return m->type.kind == 's'; }
static inline bool is_high(const Making *m) { return asm_has(m->i, "hi"); }
static inline bool is_wide(const Making *m) { return asm_has(m->i, "wide"); }
static inline bool wraps(const Making *m) { return asm_has(m->i, "wrap"); }
static inline bool is_left(const Making *m) { return asm_has(m->i, "l"); }

static inline bool saturates(const Making *m) {
  return is_signed(m) && asm_has(m->i, "sat");
}

// In whichever place; NULL: there is none.
static inline const char *mode_of(const Making *m) {
  AsmType type;
  for (unsigned n = 1; n < m->i->word_count; n++)
    if (!asm_type(m->i->words[n], &type))
      return m->i->words[n];
  return NULL;
}

static inline Number source_bits(const Making *m, unsigned n, unsigned bits) {
  return asm_bits(m->a, &m->i->operands[n], bits);
}

static inline Number source(const Making *m, unsigned n) {
  return m->in ? m->in[n - 1] : asm_bits_as(m->a, &m->i->operands[n], m->type);
}

static inline AsmType type_of_product(const AsmInstruction *i) {
  AsmType type = i->type;
  type.bits *= asm_has(i, "wide") ? 2 : 1;
  return type;
}

static inline Number source_of_product(const Making *m, unsigned n) {
  return asm_bits_as(m->a, &m->i->operands[n], type_of_product(m->i));
}

#endif
