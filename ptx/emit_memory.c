// Instructions of inline assembly that access memory: loads, stores, atomics,
// fences, and what is asked of addresses.
//
// Where an operand points to is for whom the IR is made: a->pointer.  Hints for
// caches say nothing.

#include "ptx/emit.h"

#include <assert.h>
#include <string.h>

enum { MOST_LANES = 4 };

// ------------------------------------------------------------------- order ---

static unsigned scope_of(const Emitter *a, const AsmInstruction *i) {
  static const char *const names[][2] = {
      {"cta", "block"}, {"cluster", "cluster"}, {"sys", ""}};
  const char *found = "device";
  for (size_t n = 0; n < sizeof names / sizeof *names; n++)
    if (asm_has(i, names[n][0]))
      found = names[n][1];
  return LLVMGetSyncScopeID(a->context, found, strlen(found));
}

static LLVMAtomicOrdering order_of(const AsmInstruction *i) {
  if (asm_has(i, "acq_rel"))
    return LLVMAtomicOrderingAcquireRelease;
  if (asm_has(i, "acquire"))
    return LLVMAtomicOrderingAcquire;
  if (asm_has(i, "release"))
    return LLVMAtomicOrderingRelease;
  return LLVMAtomicOrderingMonotonic;
}

// As atomics are.
static bool is_strong(const AsmInstruction *i) {
  return asm_has(i, "relaxed") || asm_has(i, "acquire") ||
         asm_has(i, "release") || asm_has(i, "mmio");
}

static unsigned mark_of(LLVMContextRef context) {
  static const char name[] = "gpuverify.order";
  return LLVMGetMDKindIDInContext(context, name, sizeof name - 1);
}

bool asm_says_order(LLVMValueRef instruction) {
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(instruction));
  return LLVMGetMetadata(instruction, mark_of(context)) != NULL;
}

static void mark(const Emitter *a, LLVMValueRef instruction) {
  LLVMMetadataRef node = LLVMMDNodeInContext2(a->context, NULL, 0);
  LLVMSetMetadata(instruction, mark_of(a->context),
                  LLVMMetadataAsValue(a->context, node));
}

// Of a load or store.
static LLVMValueRef ordered(const Emitter *a, const AsmInstruction *i,
                            LLVMValueRef made, unsigned alignment) {
  LLVMSetAlignment(made, alignment);
  LLVMSetVolatile(made, asm_has(i, "volatile"));
  if (!is_strong(i))
    return made;
  LLVMSetOrdering(made, order_of(i));
  LLVMSetAtomicSyncScopeID(made, scope_of(a, i));
  mark(a, made);
  return made;
}

// -------------------------------------------------------- loads and stores ---

// What .nc reads is not written.
static void tell_of_move(Emitter *a, const AsmInstruction *i, LLVMValueRef at) {
  if (a->may_move && !a->is_executed && !asm_has(i, "nc"))
    asm_call(a,
             arena_printf(a->arena, "__gpuverify_may_move.p%u",
                          LLVMGetPointerAddressSpace(LLVMTypeOf(at))),
             LLVMVoidTypeInContext(a->context), &at, 1);
}

// The lanes of its operand, as many as it says; 0: others.
static unsigned lanes_of(const AsmInstruction *i, const Operand *operand) {
  unsigned lanes = asm_has(i, "v2") ? 2 : asm_has(i, "v4") ? 4 : 1;
  return operand_count(operand) == lanes && i->type.bits * lanes <= 128 ? lanes
                                                                        : 0;
}

// A vector that is neither strong nor volatile is one access.
static bool is_at_once(const AsmInstruction *i, unsigned count) {
  return count > 1 && !is_strong(i) && !asm_has(i, "volatile");
}

static LLVMValueRef lane_at(const Emitter *a, const AsmInstruction *i,
                            LLVMValueRef at, unsigned n) {
  LLVMValueRef index = asm_const(a, 32, n);
  return n ? LLVMBuildGEP2(a->builder, asm_int(a, i->type.bits), at, &index, 1,
                           "")
           : at;
}

// The first element has the alignment of the whole vector.
static unsigned alignment_of(const AsmInstruction *i, unsigned count,
                             unsigned n) {
  assert(n < count && i->type.bits % 8 == 0);
  return i->type.bits / 8 * (n ? 1 : count);
}

void asm_emit_load(Emitter *a, const AsmInstruction *i) {
  unsigned count = lanes_of(i, &i->operands[0]);
  if (!count) {
    asm_refuse(a, i->text);
    return;
  }
  LLVMValueRef at = a->pointer(a, i, &i->operands[1]), vector = NULL;
  LLVMTypeRef lane = asm_int(a, i->type.bits);
  LLVMValueRef values[MOST_LANES];
  tell_of_move(a, i, at);
  if (is_at_once(i, count))
    vector = ordered(
        a, i, LLVMBuildLoad2(a->builder, LLVMVectorType(lane, count), at, ""),
        alignment_of(i, count, 0));
  for (unsigned n = 0; n < count; n++)
    values[n] = vector ? LLVMBuildExtractElement(a->builder, vector,
                                                 asm_const(a, 32, n), "")
                       : ordered(a, i,
                                 LLVMBuildLoad2(a->builder, lane,
                                                lane_at(a, i, at, n), ""),
                                 alignment_of(i, count, n));
  for (unsigned n = 0; n < count; n++)
    asm_put_bits(a, operand_item(&i->operands[0], n), values[n],
                 i->type.kind == 's');
}

void asm_emit_store(Emitter *a, const AsmInstruction *i) {
  unsigned count = lanes_of(i, &i->operands[1]);
  if (!count) {
    asm_refuse(a, i->text);
    return;
  }
  LLVMValueRef at = a->pointer(a, i, &i->operands[0]);
  LLVMTypeRef lane = asm_int(a, i->type.bits);
  LLVMValueRef vector = LLVMGetUndef(LLVMVectorType(lane, count));
  bool is_one = is_at_once(i, count);
  for (unsigned n = 0; n < count; n++) {
    LLVMValueRef value =
        asm_bits_as(a, operand_item(&i->operands[1], n), i->type);
    if (is_one)
      vector = LLVMBuildInsertElement(a->builder, vector, value,
                                      asm_const(a, 32, n), "");
    else
      ordered(a, i, LLVMBuildStore(a->builder, value, lane_at(a, i, at, n)),
              alignment_of(i, count, n));
  }
  if (is_one)
    ordered(a, i, LLVMBuildStore(a->builder, vector, at),
            alignment_of(i, count, 0));
}

// ----------------------------------------------------------------- atomics ---

static LLVMAtomicRMWBinOp operation_of(const AsmInstruction *i) {
  static const struct {
    const char *word;
    LLVMAtomicRMWBinOp of_unsigned, of_signed;
  } rows[] = {{"add", LLVMAtomicRMWBinOpAdd, LLVMAtomicRMWBinOpAdd},
              {"and", LLVMAtomicRMWBinOpAnd, LLVMAtomicRMWBinOpAnd},
              {"or", LLVMAtomicRMWBinOpOr, LLVMAtomicRMWBinOpOr},
              {"xor", LLVMAtomicRMWBinOpXor, LLVMAtomicRMWBinOpXor},
              {"exch", LLVMAtomicRMWBinOpXchg, LLVMAtomicRMWBinOpXchg},
              {"min", LLVMAtomicRMWBinOpUMin, LLVMAtomicRMWBinOpMin},
              {"max", LLVMAtomicRMWBinOpUMax, LLVMAtomicRMWBinOpMax},
              {"inc", LLVMAtomicRMWBinOpUIncWrap, LLVMAtomicRMWBinOpUIncWrap},
              {"dec", LLVMAtomicRMWBinOpUDecWrap, LLVMAtomicRMWBinOpUDecWrap}};
  size_t n = 0;
  if (asm_is_float(i->type))
    return LLVMAtomicRMWBinOpFAdd; // by its form, it adds
  while (!asm_has(i, rows[n].word))
    n++;
  assert(n < sizeof rows / sizeof *rows);
  return i->type.kind == 's' ? rows[n].of_signed : rows[n].of_unsigned;
}

static LLVMValueRef compare_and_swap(Emitter *a, const AsmInstruction *i,
                                     LLVMValueRef at, const Operand *operands) {
  LLVMAtomicOrdering order = order_of(i);
  bool acquires = order == LLVMAtomicOrderingAcquireRelease ||
                  order == LLVMAtomicOrderingAcquire;
  LLVMValueRef made = LLVMBuildAtomicCmpXchgSyncScope(
      a->builder, at, asm_bits_as(a, &operands[0], i->type),
      asm_bits_as(a, &operands[1], i->type), order,
      acquires ? LLVMAtomicOrderingAcquire : LLVMAtomicOrderingMonotonic,
      scope_of(a, i));
  mark(a, made);
  return LLVMBuildExtractValue(a->builder, made, 0, "");
}

static LLVMValueRef change(Emitter *a, const AsmInstruction *i, LLVMValueRef at,
                           LLVMValueRef value) {
  LLVMValueRef made = LLVMBuildAtomicRMWSyncScope(
      a->builder, operation_of(i), at, value, order_of(i), scope_of(a, i));
  mark(a, made);
  return made;
}

// For executions, where halves have no instruction.  The name says order and
// scope (runtime/jit/order.c).
static LLVMValueRef add_half(Emitter *a, const AsmInstruction *i,
                             LLVMValueRef at, LLVMValueRef value,
                             bool is_first) {
  static const char *const words[] = {"acq_rel", "acquire", "release", "cta",
                                      "cluster", "gpu",     "sys"};
  const char *name = arena_printf(a->arena, "__gpuverify_atomic_add_%s",
                                  i->type.kind == 'e' ? "brain" : "half");
  for (size_t n = 0; n < sizeof words / sizeof *words; n++)
    if (asm_has(i, words[n]))
      name = arena_printf(a->arena, "%s.%s", name, words[n]);
  if (is_first)
    name = arena_printf(a->arena, "%s.pair", name);
  LLVMValueRef in[] = {at, value};
  return asm_call(a, name, asm_int(a, 16), in, 2);
}

static LLVMValueRef change_half(Emitter *a, const AsmInstruction *i,
                                LLVMValueRef at, LLVMValueRef value,
                                bool is_first) {
  LLVMTypeRef type = i->type.kind == 'e' ? LLVMBFloatTypeInContext(a->context)
                                         : LLVMHalfTypeInContext(a->context);
  if (a->is_executed)
    return add_half(a, i, at, value, is_first);
  value = LLVMBuildBitCast(a->builder, value, type, "");
  return LLVMBuildBitCast(a->builder, change(a, i, at, value), asm_int(a, 16),
                          "");
}

// Of two halves each is atomic, and both together are not.
static LLVMValueRef change_halves(Emitter *a, const AsmInstruction *i,
                                  LLVMValueRef at, LLVMValueRef value) {
  if (i->type.lanes == 1)
    return change_half(a, i, at, value, false);
  assert(i->type.lanes == 2 && i->type.bits == 16);
  LLVMValueRef shift = asm_const(a, 32, 16);
  LLVMValueRef high = LLVMBuildLShr(a->builder, value, shift, "");
  LLVMValueRef low_old =
      change_half(a, i, at, asm_resize(a, value, 16, false), true);
  LLVMValueRef high_old = change_half(a, i, lane_at(a, i, at, 1),
                                      asm_resize(a, high, 16, false), false);
  high_old =
      LLVMBuildShl(a->builder, asm_resize(a, high_old, 32, false), shift, "");
  return LLVMBuildOr(a->builder, asm_resize(a, low_old, 32, false), high_old,
                     "");
}

static LLVMValueRef read_and_write(Emitter *a, const AsmInstruction *i,
                                   LLVMValueRef at, const Operand *operand) {
  LLVMValueRef value = asm_bits_as(a, operand, i->type);
  if (asm_is_float(i->type) && i->type.bits == 16)
    return change_halves(a, i, at, value);
  value = change(a, i, at, asm_value_of(a, value, i->type));
  return asm_bits_of(a, value, i->type);
}

// atom d, [at], b{, c} and red [at], b.  Without an order it is relaxed,
// without a scope that of the GPU.
void asm_emit_atomic(Emitter *a, const AsmInstruction *i) {
  bool has_result = asm_is(i, "atom");
  const Operand *operands = &i->operands[has_result];
  LLVMValueRef at = a->pointer(a, i, &operands[0]);
  LLVMValueRef value = asm_has(i, "cas")
                           ? compare_and_swap(a, i, at, operands + 1)
                           : read_and_write(a, i, at, &operands[1]);
  if (has_result)
    asm_put_bits(a, &i->operands[0], value, i->type.kind == 's');
}

// ------------------------------------------------------------------ fences ---

void asm_emit_fence(Emitter *a, const AsmInstruction *i) {
  bool is_total = asm_is(i, "membar") || asm_has(i, "sc");
  LLVMAtomicOrdering order =
      is_total ? LLVMAtomicOrderingSequentiallyConsistent : order_of(i);
  if (order == LLVMAtomicOrderingMonotonic)
    order = LLVMAtomicOrderingAcquireRelease;
  LLVMBuildFenceSyncScope(a->builder, order, scope_of(a, i), "");
}

void asm_emit_mbarrier_fence(Emitter *a, const AsmInstruction *i) {
  (void)i;
  asm_call(a, "__gpuverify_mbarrier_fence", LLVMVoidTypeInContext(a->context),
           NULL, 0);
}

// ------------------------------------------------------------------ spaces ---

static unsigned space_of(const AsmInstruction *i) {
  static const struct {
    const char *word;
    unsigned space;
  } rows[] = {{"global", ASM_GLOBAL},          {"shared", ASM_SHARED},
              {"shared::cta", ASM_SHARED},     {"const", ASM_CONSTANT},
              {"shared::cluster", ASM_SHARED}, {"local", ASM_LOCAL}};
  for (size_t n = 0; n < sizeof rows / sizeof *rows; n++)
    if (asm_has(i, rows[n].word))
      return rows[n].space;
  return ASM_GENERIC;
}

LLVMTypeRef asm_pointer_type(const Emitter *a, const AsmInstruction *i) {
  return LLVMPointerTypeInContext(a->context, space_of(i));
}

void asm_emit_ask_space(Emitter *a, const AsmInstruction *i) {
  LLVMTypeRef type = LLVMPointerTypeInContext(a->context, ASM_GENERIC);
  const char *space = asm_has(i, "shared::cta")       ? "shared"
                      : asm_has(i, "shared::cluster") ? "shared.cluster"
                                                      : i->words[1];
  LLVMValueRef at =
      LLVMBuildIntToPtr(a->builder, asm_bits(a, &i->operands[1], 64), type, "");
  const char *name = arena_printf(a->arena, "llvm.nvvm.isspacep.%s", space);
  asm_put_bits(a, &i->operands[0], asm_call(a, name, asm_int(a, 1), &at, 1),
               false);
}

// The address of the same place in another space, which is another number but
// in that of global memory, and nowhere in executions.
void asm_emit_change_space(Emitter *a, const AsmInstruction *i) {
  LLVMTypeRef i64 = asm_int(a, 64), own = asm_pointer_type(a, i);
  LLVMTypeRef generic = LLVMPointerTypeInContext(a->context, ASM_GENERIC);
  LLVMValueRef at = asm_bits(a, &i->operands[1], 64);
  bool is_to = asm_has(i, "to");
  if (!a->is_executed && space_of(i) != ASM_GLOBAL) {
    at = LLVMBuildIntToPtr(a->builder, at, is_to ? generic : own, "");
    at = LLVMBuildAddrSpaceCast(a->builder, at, is_to ? own : generic, "");
    at = LLVMBuildPtrToInt(a->builder, at, i64, "");
  }
  asm_put_bits(a, &i->operands[0], at, false);
}
