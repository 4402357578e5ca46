// Reads that only seed compare-and-swaps: SOUND(seed-reads).
//
//   old = *p;
//   do {
//     assumed = old;
//     old = atomicCAS(p, assumed, f(assumed));
//   } while (old != assumed);
//
// The first read races with the atomics of other threads, and whatever it
// returns costs one more round.  Such a read is one whose value goes only, also
// through arithmetic and phis,
//
// * to what a compare-and-swap at the same address expects, and to its new
//   value, there by way of what is expected alone: if it succeeds, memory had
//   just that;
// * to a comparison of what that one expected with what it returned, which says
//   whether it succeeded.
//
// Values are followed in the IR, since formulas have no numbers with a fraction
// in them.  An address is the same if it is computed alike from values that
// stay while the value of the read goes round loops.

#include "translator/from_llvm_calls.h"

enum { MOST_VALUES = 256, MOST_DEPTH = 16 };

typedef struct Swap {
  LLVMValueRef pointer, expected, wanted;
} Swap;

typedef struct Walk {
  Builder *builder;
  LLVMValueRef read;
  ValueTable reached;            // values that the read decides
  unsigned count;                // of these
  Vec(LLVMValueRef) swaps;       // compare-and-swaps that they go to
  Vec(const GraphLoop *) rounds; // loops that they go round
} Walk;

static bool is_swap(Task *task, LLVMValueRef value, Swap *swap) {
  bool is_instruction = LLVMIsAAtomicCmpXchgInst(value) != NULL;
  bool is_call = LLVMIsACallInst(value) && called_function(value);
  const CallRow *row = is_call ? call_row(task, value) : NULL;
  if (!is_instruction &&
      !(row && row->meaning == CALL_CL_ATOMIC &&
        row->number == ATOMIC_COMPARE && LLVMGetNumArgOperands(value) == 3))
    return false;
  *swap = (Swap){LLVMGetOperand(value, 0), LLVMGetOperand(value, 1),
                 LLVMGetOperand(value, 2)};
  return true;
}

// The instruction of which it is that part of what it returns, or NULL.
static LLVMValueRef whole_of(LLVMValueRef value, unsigned part) {
  return LLVMIsAExtractValueInst(value) && LLVMGetNumIndices(value) == 1 &&
                 LLVMGetIndices(value)[0] == part
             ? LLVMGetOperand(value, 0)
             : NULL;
}

static LLVMValueRef swap_returning(Task *task, LLVMValueRef value) {
  Swap swap;
  LLVMValueRef from = LLVMIsACallInst(value) ? value : whole_of(value, 0);
  return from && is_swap(task, from, &swap) ? from : NULL;
}

// Control comes that way to a phi only if the compare-and-swap has succeeded.
static bool has_succeeded(LLVMValueRef phi, unsigned way, LLVMValueRef from) {
  LLVMBasicBlockRef block = LLVMGetInstructionParent(phi);
  LLVMValueRef end =
      LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(phi, way));
  return LLVMIsABranchInst(end) && LLVMIsConditional(end) &&
         whole_of(LLVMGetCondition(end), 1) == from &&
         LLVMGetSuccessor(end, 0) == block && LLVMGetSuccessor(end, 1) != block;
}

// Clang takes what was expected where it has succeeded, and else the old value.
static LLVMValueRef swap_behind(Task *task, LLVMValueRef phi) {
  Swap swap;
  for (unsigned i = 0; i < 2 && LLVMCountIncoming(phi) == 2; i++) {
    LLVMValueRef from = swap_returning(task, LLVMGetIncomingValue(phi, i));
    if (from && is_swap(task, from, &swap) &&
        LLVMGetIncomingValue(phi, 1 - i) == swap.expected &&
        has_succeeded(phi, 1 - i, from))
      return from;
  }
  return NULL;
}

// The compare-and-swap whose old value it is, or NULL.
static LLVMValueRef swap_of_result(Task *task, LLVMValueRef value) {
  return LLVMIsAPHINode(value) ? swap_behind(task, value)
                               : swap_returning(task, value);
}

// ------------------------------------------------------------- addresses ---

static bool computes_address(LLVMValueRef value) {
  if (!LLVMIsAInstruction(value))
    return false;
  switch ((int)LLVMGetInstructionOpcode(value)) {
  case LLVMGetElementPtr:
  case LLVMBitCast:
  case LLVMAddrSpaceCast:
  case LLVMPtrToInt:
  case LLVMIntToPtr:
  case LLVMAdd:
  case LLVMSub:
  case LLVMMul:
  case LLVMAnd:
  case LLVMOr:
  case LLVMShl:
  case LLVMZExt:
  case LLVMSExt:
  case LLVMTrunc:
    return true;
  default:
    return false;
  }
}

// It is one value in all rounds that the value of the read goes.
static bool stays(const Walk *walk, LLVMValueRef value) {
  if (!LLVMIsAInstruction(value))
    return true;
  unsigned node = node_of(walk->builder, LLVMGetInstructionParent(value));
  for (size_t i = 0; i < walk->rounds.count; i++)
    if (walk->rounds.at[i]->contains[node])
      return false;
  return true;
}

static bool is_same(const Walk *walk, LLVMValueRef a, LLVMValueRef b,
                    unsigned depth) {
  if (a == b && stays(walk, a))
    return true;
  if (!depth || !computes_address(a) || !computes_address(b) ||
      LLVMGetInstructionOpcode(a) != LLVMGetInstructionOpcode(b) ||
      LLVMTypeOf(a) != LLVMTypeOf(b) ||
      LLVMGetNumOperands(a) != LLVMGetNumOperands(b))
    return false;
  if (LLVMIsAGetElementPtrInst(a) &&
      LLVMGetGEPSourceElementType(a) != LLVMGetGEPSourceElementType(b))
    return false;
  for (int i = 0; i < LLVMGetNumOperands(a); i++)
    if (!is_same(walk, LLVMGetOperand(a, (unsigned)i),
                 LLVMGetOperand(b, (unsigned)i), depth - 1))
      return false;
  return true;
}

// ----------------------------------------------------------------- values ---

static const bool is_arithmetic[] = {
    [CALL_PURE] = true,
    [CALL_CL_PURE] = true,
#define MEANING(name, operands, translation)
#define INTEGER(name, operands, of_signed, of_unsigned) [CALL_##name] = true,
#include "translator/meanings.def"
};

static bool is_pure_call(Builder *builder, LLVMValueRef call) {
  if (LLVMIsAInlineAsm(LLVMGetCalledValue(call)))
    return is_asm_pure(builder->task, LLVMGetCalledValue(call));
  const CallRow *row =
      called_function(call) ? call_row(builder->task, call) : NULL;
  if (!row || row->meaning >= sizeof is_arithmetic / sizeof *is_arithmetic ||
      !is_arithmetic[row->meaning])
    return false;
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
    if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, i))) ==
        LLVMPointerTypeKind)
      return false;
  return true;
}

// By zero, perhaps.
static bool divides_integers(LLVMValueRef user) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(user);
  return opcode == LLVMUDiv || opcode == LLVMSDiv || opcode == LLVMURem ||
         opcode == LLVMSRem;
}

// Its result is made of its operands and nothing else happens.
static bool computes(Builder *builder, LLVMValueRef user) {
  switch ((int)LLVMGetInstructionOpcode(user)) {
  case LLVMPHI:
  case LLVMSelect:
  case LLVMICmp:
  case LLVMFCmp:
  case LLVMFNeg:
  case LLVMFreeze:
  case LLVMExtractValue:
  case LLVMInsertValue:
  case LLVMExtractElement:
  case LLVMInsertElement:
  case LLVMShuffleVector:
    return true;
  case LLVMCall:
    return is_pure_call(builder, user);
  default:
    return (LLVMIsABinaryOperator(user) && !divides_integers(user)) ||
           (LLVMIsACastInst(user) && !LLVMIsAIntToPtrInst(user));
  }
}

// Did the compare-and-swap succeed?  The comparison is of all bits.
static bool asks_success(Task *task, LLVMValueRef comparison) {
  if (!LLVMIsAICmpInst(comparison))
    return false;
  LLVMIntPredicate predicate = LLVMGetICmpPredicate(comparison);
  LLVMValueRef pair[] = {LLVMGetOperand(comparison, 0),
                         LLVMGetOperand(comparison, 1)};
  while ((LLVMIsAZExtInst(pair[0]) || LLVMIsASExtInst(pair[0])) &&
         LLVMIsAInstruction(pair[1]) &&
         LLVMGetInstructionOpcode(pair[0]) == LLVMGetInstructionOpcode(pair[1]))
    for (unsigned i = 0; i < 2; i++)
      pair[i] = LLVMGetOperand(pair[i], 0);
  for (unsigned i = 0; i < 2; i++) {
    Swap swap;
    LLVMValueRef from = swap_of_result(task, pair[i]);
    if (from && is_swap(task, from, &swap) && swap.expected == pair[1 - i])
      return predicate == LLVMIntEQ || predicate == LLVMIntNE;
  }
  return false;
}

static bool follow(Walk *walk, LLVMValueRef value);

// The loop that its value goes round, or NULL.
static const GraphLoop *round_of(Builder *builder, LLVMValueRef phi) {
  const Graph *graph = builder->graph;
  unsigned node = node_of(builder, LLVMGetInstructionParent(phi));
  for (unsigned i = 0; i < graph->loop_count; i++)
    if (graph->loops[i].header == node)
      return &graph->loops[i];
  return NULL;
}

static void note_round(Walk *walk, LLVMValueRef phi) {
  const GraphLoop *loop = round_of(walk->builder, phi);
  if (loop)
    push(&walk->builder->task->arena, &walk->rounds, loop);
}

static bool follow_use(Walk *walk, LLVMValueRef value, LLVMValueRef user) {
  Task *task = walk->builder->task;
  Swap swap;
  if (!LLVMIsAInstruction(user))
    return false;
  if (is_swap(task, user, &swap)) {
    push(&task->arena, &walk->swaps, user);
    return swap.pointer != value;
  }
  if (asks_success(task, user))
    return true;
  if (LLVMIsAPHINode(user)) {
    if (swap_behind(task, user))
      return true;
    note_round(walk, user);
  }
  return computes(walk->builder, user) && follow(walk, user);
}

static bool follow(Walk *walk, LLVMValueRef value) {
  if (table_get(&walk->reached, value))
    return true;
  table_put(walk->builder->task, &walk->reached, value, value);
  if (++walk->count > MOST_VALUES)
    return false;
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use))
    if (!follow_use(walk, value, LLVMGetUser(use)))
      return false;
  return true;
}

// All that the read says to it goes through what is expected.  Values in
// `pinned` are known to be so.
static bool is_pinned(const Walk *walk, LLVMValueRef value,
                      LLVMValueRef expected, ValueTable *pinned) {
  if (value == expected || !table_get(&walk->reached, value) ||
      table_get(pinned, value))
    return true;
  if (value == walk->read ||
      (LLVMIsAPHINode(value) && round_of(walk->builder, value)))
    return false;
  for (int i = 0; i < LLVMGetNumOperands(value); i++)
    if (!is_pinned(walk, LLVMGetOperand(value, (unsigned)i), expected, pinned))
      return false;
  table_put(walk->builder->task, pinned, value, value);
  return true;
}

static uint64_t bytes_of_value(const Walk *walk, LLVMValueRef value) {
  return LLVMStoreSizeOfType(walk->builder->layout, LLVMTypeOf(value));
}

static bool is_seeded(const Walk *walk, LLVMValueRef at) {
  Swap swap;
  ValueTable pinned = {0};
  return is_swap(walk->builder->task, at, &swap) &&
         is_same(walk, LLVMGetOperand(walk->read, 0), swap.pointer,
                 MOST_DEPTH) &&
         bytes_of_value(walk, walk->read) <=
             bytes_of_value(walk, swap.expected) &&
         is_pinned(walk, swap.wanted, swap.expected, &pinned);
}

static bool is_number(LLVMTypeRef type) {
  switch ((int)LLVMGetTypeKind(type)) {
  case LLVMIntegerTypeKind:
  case LLVMHalfTypeKind:
  case LLVMBFloatTypeKind:
  case LLVMFloatTypeKind:
  case LLVMDoubleTypeKind:
    return true;
  default:
    return false;
  }
}

bool is_seed_read(Builder *builder, LLVMValueRef load) {
  const Options *options = builder->kernel->options;
  Walk walk = {.builder = builder, .read = load};
  if (!options->tried[PREMISE_SEED_READS] &&
      !options->assumed[PREMISE_SEED_READS])
    return false;
  if (!is_number(LLVMTypeOf(load)) || !follow(&walk, load))
    return false;
  for (size_t i = 0; i < walk.swaps.count; i++)
    if (!is_seeded(&walk, walk.swaps.at[i]))
      return false;
  return walk.swaps.count > 0;
}
