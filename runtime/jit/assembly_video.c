// SIMD video instructions of inline assembly: vadd4, vabsdiff2, vset4 and their
// like, which __vadd4, __vabsdiffu2 and __vcmpgtu4 are made of.
//
// A register holds two numbers of 16 bits or four of 8.  Each is computed in 32
// bits, where nothing is lost; then it becomes the lane of the result,
// saturated with .sat, or is added to the last operand with .add.  Other lanes
// than the operand's own, in a mask or a selection, are not known.

#include "runtime/jit/assembly.h"

#include <assert.h>
#include <string.h>

typedef LLVMValueRef Combine(Assembly *a, LLVMValueRef x, LLVMValueRef y);

static LLVMValueRef choose(Assembly *a, LLVMIntPredicate predicate,
                           LLVMValueRef x, LLVMValueRef y, LLVMValueRef yes,
                           LLVMValueRef no) {
  return LLVMBuildSelect(
      a->builder, LLVMBuildICmp(a->builder, predicate, x, y, ""), yes, no, "");
}

static LLVMValueRef sum(Assembly *a, LLVMValueRef x, LLVMValueRef y) {
  return LLVMBuildAdd(a->builder, x, y, "");
}

static LLVMValueRef difference(Assembly *a, LLVMValueRef x, LLVMValueRef y) {
  return LLVMBuildSub(a->builder, x, y, "");
}

static LLVMValueRef least(Assembly *a, LLVMValueRef x, LLVMValueRef y) {
  return choose(a, LLVMIntSLT, x, y, x, y);
}

static LLVMValueRef greatest(Assembly *a, LLVMValueRef x, LLVMValueRef y) {
  return choose(a, LLVMIntSGT, x, y, x, y);
}

static LLVMValueRef distance(Assembly *a, LLVMValueRef x, LLVMValueRef y) {
  return greatest(a, difference(a, x, y), difference(a, y, x));
}

// Halves are rounded away from zero.
static LLVMValueRef average(Assembly *a, LLVMValueRef x, LLVMValueRef y) {
  LLVMValueRef both = sum(a, x, y), zero = assembly_number(a, 32, 0);
  LLVMValueRef more =
      choose(a, LLVMIntSGE, both, zero, assembly_number(a, 32, 1), zero);
  return LLVMBuildAShr(a->builder, sum(a, both, more),
                       assembly_number(a, 32, 1), "");
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
#include "runtime/jit/assembly_ops.def"
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

static LLVMValueRef lane_of(Assembly *a, const Operand *operand, unsigned at,
                            unsigned bits, bool is_signed) {
  LLVMValueRef lane =
      LLVMBuildLShr(a->builder, assembly_bits(a, operand, 32),
                    assembly_number(a, 32, (uint64_t)at * bits), "");
  return assembly_resize(a, assembly_resize(a, lane, bits, false), 32,
                         is_signed);
}

static LLVMValueRef saturate(Assembly *a, LLVMValueRef value, unsigned bits,
                             bool is_signed) {
  uint64_t most = (UINT64_C(1) << (bits - is_signed)) - 1;
  uint64_t fewest = is_signed ? (uint32_t)~most : 0;
  return least(a, greatest(a, value, assembly_number(a, 32, fewest)),
               assembly_number(a, 32, most));
}

typedef struct Lanes {
  Combine *combine;
  const Comparison *comparison; // or this
  unsigned count, bits;
} Lanes;

static bool read_opcode(const AsmInstruction *i, Lanes *lanes) {
  const char *word = i->words[0];
  unsigned count = (unsigned)(word[strlen(word) - 1] - '0');
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
    if (i->operand_count != rows[r].sources + 1 ||
        !ptx_matches(i, rows[r].form))
      continue;
    assert(count == 2 || count == 4);
    *lanes = (Lanes){rows[r].combine, find_comparison(i), count, 32 / count};
    return true;
  }
  return false;
}

static LLVMValueRef compute(Assembly *a, const AsmInstruction *i,
                            const Lanes *lanes, unsigned at) {
  bool is_signed = i->type.kind == 's';
  LLVMValueRef x = lane_of(a, &i->operands[1], at, lanes->bits, is_signed);
  LLVMValueRef y = lane_of(a, &i->operands[2], at, lanes->bits, is_signed);
  assert(lanes->combine || lanes->comparison);
  LLVMValueRef value = lanes->combine ? lanes->combine(a, x, y)
                                      : choose(a, lanes->comparison->predicate,
                                               x, y, assembly_number(a, 32, 1),
                                               assembly_number(a, 32, 0));
  return asm_has(i, "sat") ? saturate(a, value, lanes->bits, is_signed) : value;
}

static LLVMValueRef put_lane(Assembly *a, LLVMValueRef value, unsigned bits,
                             unsigned at) {
  value = assembly_resize(a, assembly_resize(a, value, bits, false), 32, false);
  return LLVMBuildShl(a->builder, value,
                      assembly_number(a, 32, (uint64_t)at * bits), "");
}

bool assembly_video(Assembly *a, const AsmInstruction *i) {
  Lanes lanes;
  if (!read_opcode(i, &lanes))
    return false;
  bool adds = asm_has(i, "add");
  LLVMValueRef all =
      adds ? assembly_bits(a, &i->operands[3], 32) : assembly_number(a, 32, 0);
  for (unsigned at = 0; at < lanes.count; at++) {
    LLVMValueRef value = compute(a, i, &lanes, at);
    all = sum(a, all, adds ? value : put_lane(a, value, lanes.bits, at));
  }
  assembly_put_bits(a, &i->operands[0], all, i->type.kind == 's');
  return true;
}
