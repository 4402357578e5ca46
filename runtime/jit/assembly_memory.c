// Loads, stores and atomics of inline assembly.
//
// Addresses are those of the host in every space; one of 32 bits is the lower
// half of an address in shared memory, of whichever block of a cluster.  Hints
// for caches say nothing here.

#include "runtime/jit/assembly.h"

#include <assert.h>
#include <string.h>

enum { MOST_LANES = 8 };

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

static LLVMValueRef pointer(Emitter *a, LLVMValueRef at, uint64_t offset) {
  LLVMTypeRef type = LLVMPointerTypeInContext(a->context, 0);
  if (offset)
    at = LLVMBuildAdd(a->builder, at, asm_const(a, 64, offset), "");
  return LLVMBuildIntToPtr(a->builder, at, type, "");
}

// ------------------------------------------------------------------- order ---

static unsigned scope_of(const Emitter *a, const AsmInstruction *i) {
  static const char *const names[][2] = {
      {"cta", "block"}, {"cluster", "cluster"}, {"gpu", "device"}, {"sys", ""}};
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

// Of a load or store.
static void set_order(const Emitter *a, const AsmInstruction *i,
                      LLVMValueRef made, unsigned alignment) {
  LLVMSetAlignment(made, alignment);
  LLVMSetVolatile(made, asm_has(i, "volatile"));
  if (!is_strong(i))
    return;
  LLVMSetOrdering(made, order_of(i));
  LLVMSetAtomicSyncScopeID(made, scope_of(a, i));
  assembly_mark(a, made);
}

// -------------------------------------------------------- loads and stores ---

// The first element has the alignment of the whole vector.
static unsigned alignment_of(unsigned bits, unsigned count, unsigned n) {
  assert(n < count && bits % 8 == 0);
  return bits / 8 * (n ? 1 : count);
}

// "v2" and "v4" of up to 16 bytes; what has "v8" or lies in the space of
// parameters is not known.
static bool is_plain(const AsmInstruction *i, unsigned parts) {
  unsigned lanes = asm_has(i, "v2") ? 2 : asm_has(i, "v4") ? 4 : 1;
  return parts == lanes && i->type.bits * i->type.lanes * lanes <= 128 &&
         !asm_has(i, "param") && !asm_has(i, "v8") && i->type.lanes &&
         i->type.kind != 'p';
}

// A vector that is neither strong nor volatile is one access.
static bool is_at_once(const AsmInstruction *i, unsigned count) {
  return count > 1 && !is_strong(i) && !asm_has(i, "volatile");
}

static LLVMValueRef load_one(Emitter *a, const AsmInstruction *i,
                             LLVMTypeRef type, LLVMValueRef at,
                             unsigned alignment) {
  LLVMValueRef made = LLVMBuildLoad2(a->builder, type, at, "");
  set_order(a, i, made, alignment);
  return made;
}

static void load_all(Emitter *a, const AsmInstruction *i, unsigned bits,
                     LLVMValueRef *values, unsigned count) {
  LLVMValueRef at = assembly_address(a, &i->operands[1]), vector = NULL;
  LLVMTypeRef element = asm_int(a, bits);
  if (is_at_once(i, count))
    vector = load_one(a, i, LLVMVectorType(element, count), pointer(a, at, 0),
                      bits / 8 * count);
  for (unsigned n = 0; n < count; n++)
    values[n] =
        vector ? LLVMBuildExtractElement(a->builder, vector,
                                         asm_const(a, 32, n), "")
               : load_one(a, i, element, pointer(a, at, (uint64_t)n * bits / 8),
                          alignment_of(bits, count, n));
}

static bool load(Emitter *a, const AsmInstruction *i) {
  LLVMValueRef values[MOST_LANES];
  unsigned count = operand_count(&i->operands[0]);
  unsigned bits = i->type.bits * i->type.lanes;
  if (!is_plain(i, count))
    return false;
  assert(count <= MOST_LANES);
  load_all(a, i, bits, values, count);
  for (unsigned n = 0; n < count; n++)
    asm_put_bits(a, operand_item(&i->operands[0], n), values[n],
                 i->type.kind == 's');
  return true;
}

static void store_one(Emitter *a, const AsmInstruction *i, LLVMValueRef value,
                      LLVMValueRef at, unsigned alignment) {
  set_order(a, i, LLVMBuildStore(a->builder, value, at), alignment);
}

static bool store(Emitter *a, const AsmInstruction *i) {
  unsigned count = operand_count(&i->operands[1]);
  unsigned bits = i->type.bits * i->type.lanes;
  if (!is_plain(i, count))
    return false;
  LLVMValueRef at = assembly_address(a, &i->operands[0]);
  assert(count <= MOST_LANES);
  LLVMValueRef vector = LLVMGetUndef(LLVMVectorType(asm_int(a, bits), count));
  bool is_one = is_at_once(i, count);
  for (unsigned n = 0; n < count; n++) {
    LLVMValueRef value =
        asm_bits_as(a, operand_item(&i->operands[1], n), i->type);
    if (is_one)
      vector = LLVMBuildInsertElement(a->builder, vector, value,
                                      asm_const(a, 32, n), "");
    else
      store_one(a, i, value, pointer(a, at, (uint64_t)n * bits / 8),
                alignment_of(bits, count, n));
  }
  if (is_one)
    store_one(a, i, vector, pointer(a, at, 0), bits / 8 * count);
  return true;
}

// ----------------------------------------------------------------- atomics ---

static bool operation_of(const AsmInstruction *i, LLVMAtomicRMWBinOp *found) {
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
  for (size_t n = 0; n < sizeof rows / sizeof *rows; n++)
    if (asm_has(i, rows[n].word)) {
      *found = i->type.kind == 's' ? rows[n].of_signed : rows[n].of_unsigned;
      if (asm_is_float(i->type) && !strcmp(rows[n].word, "add"))
        *found = LLVMAtomicRMWBinOpFAdd;
      return !asm_is_float(i->type) || !strcmp(rows[n].word, "add");
    }
  return false;
}

static LLVMValueRef compare_and_swap(Emitter *a, const AsmInstruction *i,
                                     LLVMValueRef at, const Operand *operands) {
  LLVMAtomicOrdering order = order_of(i);
  bool acquires = order == LLVMAtomicOrderingAcquireRelease ||
                  order == LLVMAtomicOrderingAcquire;
  LLVMValueRef made = LLVMBuildAtomicCmpXchgSyncScope(
      a->builder, pointer(a, at, 0), asm_bits(a, &operands[0], i->type.bits),
      asm_bits(a, &operands[1], i->type.bits), order,
      acquires ? LLVMAtomicOrderingAcquire : LLVMAtomicOrderingMonotonic,
      scope_of(a, i));
  assembly_mark(a, made);
  return LLVMBuildExtractValue(a->builder, made, 0, "");
}

// Halves have no instruction.  The name says order and scope (order.c).
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

// Of two halves each is atomic, and both together are not.
static LLVMValueRef add_halves(Emitter *a, const AsmInstruction *i,
                               LLVMValueRef at, LLVMValueRef value) {
  if (i->type.lanes == 1)
    return add_half(a, i, pointer(a, at, 0), value, false);
  assert(i->type.lanes == 2 && i->type.bits == 16);
  LLVMValueRef shift = asm_const(a, 32, 16);
  LLVMValueRef high = LLVMBuildLShr(a->builder, value, shift, "");
  LLVMValueRef low_old =
      add_half(a, i, pointer(a, at, 0), asm_resize(a, value, 16, false), true);
  LLVMValueRef high_old =
      add_half(a, i, pointer(a, at, 2), asm_resize(a, high, 16, false), false);
  high_old =
      LLVMBuildShl(a->builder, asm_resize(a, high_old, 32, false), shift, "");
  return LLVMBuildOr(a->builder, asm_resize(a, low_old, 32, false), high_old,
                     "");
}

static LLVMValueRef read_and_write(Emitter *a, const AsmInstruction *i,
                                   LLVMValueRef at, const Operand *operand) {
  LLVMAtomicRMWBinOp operation;
  unsigned bits = i->type.bits * i->type.lanes;
  LLVMValueRef value = asm_bits(a, operand, bits);
  if (!operation_of(i, &operation)) {
    asm_refuse(a, i->text);
    return value;
  }
  if (asm_is_float(i->type) && i->type.bits == 16)
    return add_halves(a, i, at, value);
  LLVMValueRef made = LLVMBuildAtomicRMWSyncScope(
      a->builder, operation, pointer(a, at, 0), asm_value_of(a, value, i->type),
      order_of(i), scope_of(a, i));
  assembly_mark(a, made);
  return asm_bits_of(a, made, i->type);
}

static bool atomic(Emitter *a, const AsmInstruction *i) {
  bool has_result = asm_is(i, "atom");
  bool is_compare = asm_has(i, "cas");
  const Operand *operands = &i->operands[has_result];
  if (i->operand_count < 2u + has_result + is_compare || !i->type.lanes ||
      asm_has(i, "v2") || asm_has(i, "v4") || asm_has(i, "v8") ||
      (i->type.bits < 32 && !asm_is_float(i->type)))
    return false;
  LLVMValueRef at = assembly_address(a, &operands[0]);
  LLVMValueRef value = is_compare ? compare_and_swap(a, i, at, operands + 1)
                                  : read_and_write(a, i, at, &operands[1]);
  if (has_result)
    asm_put_bits(a, &i->operands[0], value, i->type.kind == 's');
  return true;
}

// ------------------------------------------------------------------ spaces ---

static bool ask_space(Emitter *a, const AsmInstruction *i) {
  static const char *const spaces[] = {"shared", "local", "global"};
  for (size_t n = 0; n < sizeof spaces / sizeof *spaces; n++) {
    if (i->word_count < 2 ||
        strncmp(i->words[1], spaces[n], strlen(spaces[n])) != 0)
      continue;
    LLVMValueRef at = pointer(a, asm_bits(a, &i->operands[1], 64), 0);
    asm_put_bits(
        a, &i->operands[0],
        asm_call(a, arena_printf(a->arena, "llvm.nvvm.isspacep.%s", spaces[n]),
                 asm_int(a, 1), &at, 1),
        false);
    return true;
  }
  return false;
}

// A register with an address of shared memory: all of it, or the lower half.
static LLVMValueRef shared_pointer(Emitter *a, const Operand *operand,
                                   unsigned bits) {
  assert(bits == 32 || bits == 64);
  LLVMValueRef at = asm_bits(a, operand, bits);
  if (bits == 32)
    at = asm_call(a, "__gpuverify_shared_at", asm_int(a, 64), &at, 1);
  return pointer(a, at, 0);
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

// What is asynchronous also completes at an mbarrier, and is not known here.
bool assembly_access(Emitter *a, const AsmInstruction *i) {
  const char *word = i->words[0];
  if (i->operand_count < 2 || asm_has(i, "async"))
    return false;
  if (!strcmp(word, "mapa"))
    return map_address(a, i);
  if (!strcmp(word, "getctarank"))
    return ask_rank(a, i);
  if (!strcmp(word, "ld") || !strcmp(word, "ldu"))
    return load(a, i);
  if (!strcmp(word, "st"))
    return store(a, i);
  if (!strcmp(word, "atom") || !strcmp(word, "red"))
    return atomic(a, i);
  return !strcmp(word, "isspacep") && ask_space(a, i);
}
