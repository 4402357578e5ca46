// SIMD video instructions of inline assembly: vadd4, vabsdiff2, vset4 and their
// like, which __vadd4, __vabsdiffu2 and __vcmpgtu4 are made of.
//
// A register holds two numbers of 16 bits or four of 8.  Each is computed in 32
// bits, where nothing is lost; then it becomes the lane of the result,
// saturated with .sat, or is added to the last operand with .add.  Other lanes
// than the operand's own, in a mask or a selection, are not known.

#include "ptx/emit.h"

#include <assert.h>
#include <string.h>

typedef LLVMValueRef Combine(Emitter *a, LLVMValueRef x, LLVMValueRef y);

static LLVMValueRef choose(Emitter *a, LLVMIntPredicate predicate,
                           LLVMValueRef x, LLVMValueRef y, LLVMValueRef yes,
                           LLVMValueRef no) {
  return LLVMBuildSelect(
      a->builder, LLVMBuildICmp(a->builder, predicate, x, y, ""), yes, no, "");
}

static LLVMValueRef sum(Emitter *a, LLVMValueRef x, LLVMValueRef y) {
  return LLVMBuildAdd(a->builder, x, y, "");
}

static LLVMValueRef difference(Emitter *a, LLVMValueRef x, LLVMValueRef y) {
  return LLVMBuildSub(a->builder, x, y, "");
}

static LLVMValueRef least(Emitter *a, LLVMValueRef x, LLVMValueRef y) {
  return choose(a, LLVMIntSLT, x, y, x, y);
}

static LLVMValueRef greatest(Emitter *a, LLVMValueRef x, LLVMValueRef y) {
  return choose(a, LLVMIntSGT, x, y, x, y);
}

static LLVMValueRef distance(Emitter *a, LLVMValueRef x, LLVMValueRef y) {
  return greatest(a, difference(a, x, y), difference(a, y, x));
}

// Halves are rounded away from zero.
static LLVMValueRef average(Emitter *a, LLVMValueRef x, LLVMValueRef y) {
  LLVMValueRef both = sum(a, x, y), zero = asm_const(a, 32, 0);
  LLVMValueRef more =
      choose(a, LLVMIntSGE, both, zero, asm_const(a, 32, 1), zero);
  return LLVMBuildAShr(a->builder, sum(a, both, more), asm_const(a, 32, 1), "");
}

// A row an opcode, with the number of lanes at its end; of vset there is no
// function.
typedef struct Row {
  const char *form;
  unsigned sources;
  Combine *combine;
} Row;

static const Row rows[] = {
#define VIDEO_OP(form, sources, function) {form, sources, function},
#include "ptx/instructions.def"
};

typedef struct Comparison {
  const char *name;
  LLVMIntPredicate predicate;
} Comparison;

// Of numbers that have become wider and signed.
static const Comparison comparisons[] = {
    {"eq", LLVMIntEQ},  {"ne", LLVMIntNE},  {"lt", LLVMIntSLT},
    {"le", LLVMIntSLE}, {"gt", LLVMIntSGT}, {"ge", LLVMIntSGE},
};

static const Comparison *find_comparison(const AsmInstruction *i) {
  for (size_t n = 0; n < sizeof comparisons / sizeof *comparisons; n++)
    if (asm_has(i, comparisons[n].name))
      return &comparisons[n];
  return NULL;
}

static LLVMValueRef lane_of(Emitter *a, const Operand *operand, unsigned at,
                            unsigned bits, bool is_signed) {
  LLVMValueRef lane = LLVMBuildLShr(a->builder, asm_bits(a, operand, 32),
                                    asm_const(a, 32, (uint64_t)at * bits), "");
  return asm_resize(a, asm_resize(a, lane, bits, false), 32, is_signed);
}

static LLVMValueRef saturate(Emitter *a, LLVMValueRef value, unsigned bits,
                             bool is_signed) {
  uint64_t most = (UINT64_C(1) << (bits - is_signed)) - 1;
  uint64_t fewest = is_signed ? (uint32_t)~most : 0;
  return least(a, greatest(a, value, asm_const(a, 32, fewest)),
               asm_const(a, 32, most));
}

typedef struct Lanes {
  Combine *combine;
  const Comparison *comparison; // or this
  unsigned count, bits;
} Lanes;

static Lanes lanes_of_opcode(const AsmInstruction *i) {
  const char *word = i->words[0];
  unsigned count = (unsigned)(word[strlen(word) - 1] - '0');
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
    if (i->operand_count != rows[r].sources + 1 ||
        !asm_matches(i, rows[r].form))
      continue;
    assert(count == 2 || count == 4);
    return (Lanes){rows[r].combine, find_comparison(i), count, 32 / count};
  }
  assert(!"an instruction that no row has");
  return (Lanes){0};
}

static LLVMValueRef compute(Emitter *a, const AsmInstruction *i,
                            const Lanes *lanes, unsigned at) {
  bool is_signed = i->type.kind == 's';
  LLVMValueRef x = lane_of(a, &i->operands[1], at, lanes->bits, is_signed);
  LLVMValueRef y = lane_of(a, &i->operands[2], at, lanes->bits, is_signed);
  assert(lanes->combine || lanes->comparison);
  LLVMValueRef value = lanes->combine
                           ? lanes->combine(a, x, y)
                           : choose(a, lanes->comparison->predicate, x, y,
                                    asm_const(a, 32, 1), asm_const(a, 32, 0));
  return asm_has(i, "sat") ? saturate(a, value, lanes->bits, is_signed) : value;
}

static LLVMValueRef put_lane(Emitter *a, LLVMValueRef value, unsigned bits,
                             unsigned at) {
  value = asm_resize(a, asm_resize(a, value, bits, false), 32, false);
  return LLVMBuildShl(a->builder, value, asm_const(a, 32, (uint64_t)at * bits),
                      "");
}

void asm_emit_video(Emitter *a, const AsmInstruction *i) {
  Lanes lanes = lanes_of_opcode(i);
  bool adds = asm_has(i, "add");
  LLVMValueRef all =
      adds ? asm_bits(a, &i->operands[3], 32) : asm_const(a, 32, 0);
  for (unsigned at = 0; at < lanes.count; at++) {
    LLVMValueRef value = compute(a, i, &lanes, at);
    all = sum(a, all, adds ? value : put_lane(a, value, lanes.bits, at));
  }
  asm_put_bits(a, &i->operands[0], all, i->type.kind == 's');
}

// dp4a: four bytes by four; dp2a: two halves by the lower or upper two bytes.
void asm_emit_add_dot(Emitter *a, const AsmInstruction *i) {
  unsigned count = asm_is(i, "dp4a") ? 4 : 2, first = asm_has(i, "hi") ? 2 : 0;
  LLVMValueRef all = asm_bits(a, &i->operands[3], 32);
  for (unsigned n = 0; n < count; n++) {
    LLVMValueRef own =
        lane_of(a, &i->operands[1], n, 32 / count, i->to.kind == 's');
    LLVMValueRef other =
        lane_of(a, &i->operands[2], first + n, 8, i->type.kind == 's');
    all = sum(a, all, LLVMBuildMul(a->builder, own, other, ""));
  }
  asm_put_bits(a, &i->operands[0], all, false);
}
