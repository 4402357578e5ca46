// Loops that all threads of a block go round together.
//
// If all threads leave a loop in the same iteration, the whole block of threads
// can do one iteration and then the next.  What was a loop over k for each
// thread becomes a loop over threads for each k, and where neighbours access
// what lies side by side, that is one of vector operations.  For that each back
// edge gets a call that interval.c takes for a barrier, and that orders
// nothing.
//
// This is done to inner loops without barriers and of some iterations, if it is
// certain that all threads come there, and if the loop only computes, and
// accesses words that are the same for neighbouring threads or lie side by
// side.  Only without hooks: with them nothing becomes a vector.

#include "runtime/jit/split.h"

#include <assert.h>

enum { FEW_ITERATIONS = 32, MOST_ROUNDS = 16 };

// From a thread to its neighbour along the first axis a value ..
typedef enum Pace {
  PACE_NONE = 1, // .. stays the same
  PACE_ONE,      // .. becomes one more
  PACE_OTHER,    // .. does anything else
} Pace;

typedef struct Rounds {
  Split *split;
  ValueTable paces;
  const bool *apart; // blocks where not all threads come together
} Rounds;

// ----------------------------------------------------------------- paces ---

static Pace pace_of(Rounds *r, LLVMValueRef value);

static Pace pace_of_sum(Pace a, Pace b) {
  return a == PACE_NONE ? b : b == PACE_NONE ? a : PACE_OTHER;
}

// Of what does not change it by more than that.
static Pace pace_of_rest(Rounds *r, LLVMValueRef i) {
  for (int k = 0; k < LLVMGetNumOperands(i); k++)
    if (pace_of(r, LLVMGetOperand(i, (unsigned)k)) != PACE_NONE)
      return PACE_OTHER;
  return PACE_NONE;
}

static void note(Rounds *r, LLVMValueRef value, Pace pace) {
  table_put(r->split->task, &r->paces, value, (void *)(uintptr_t)pace);
}

// As it comes in first, if all else agrees.
static Pace pace_of_phi(Rounds *r, LLVMValueRef phi) {
  assert(LLVMCountIncoming(phi) > 0);
  Pace first = pace_of(r, LLVMGetIncomingValue(phi, 0));
  note(r, phi, first);
  for (unsigned i = 1; i < LLVMCountIncoming(phi); i++)
    if (pace_of(r, LLVMGetIncomingValue(phi, i)) != first)
      return PACE_OTHER;
  return first;
}

static Pace find_pace(Rounds *r, LLVMValueRef i) {
  unsigned word = jit_word_called(i);
  if (word == WORD_THREAD || word == WORD_NUMBER)
    return PACE_ONE;
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMSExt:
  case LLVMZExt:
  case LLVMTrunc:
  case LLVMFreeze:
    return pace_of(r, LLVMGetOperand(i, 0));
  case LLVMAdd:
  case LLVMOr: // as the optimiser writes sums of what has no bits in common
    return pace_of_sum(pace_of(r, LLVMGetOperand(i, 0)),
                       pace_of(r, LLVMGetOperand(i, 1)));
  case LLVMSub:
    return pace_of(r, LLVMGetOperand(i, 1)) == PACE_NONE
               ? pace_of(r, LLVMGetOperand(i, 0))
               : PACE_OTHER;
  case LLVMPHI:
    return pace_of_phi(r, i);
  case LLVMCall:
    return word < WORDS ? PACE_NONE : PACE_OTHER;
  default:
    return pace_of_rest(r, i);
  }
}

static Pace pace_of(Rounds *r, LLVMValueRef value) {
  Pace known = (Pace)(uintptr_t)table_get(&r->paces, value);
  if (known || !LLVMIsAInstruction(value) || !split_differs(r->split, value))
    return known ? known : PACE_NONE;
  note(r, value, PACE_OTHER); // if it comes back to itself
  Pace pace = find_pace(r, value);
  note(r, value, pace);
  return pace;
}

// -------------------------------------------------------------- accesses ---

static uint64_t size_of(const Rounds *r, LLVMTypeRef type) {
  return LLVMStoreSizeOfType(LLVMGetModuleDataLayout(r->split->module), type);
}

// What the last index of an address counts.
static LLVMTypeRef counted(LLVMValueRef address) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(address);
  for (unsigned i = 1; i < LLVMGetNumIndices(address); i++) {
    if (LLVMGetTypeKind(type) != LLVMArrayTypeKind)
      return NULL;
    type = LLVMGetElementType(type);
  }
  return type;
}

// In elements of that size.
static Pace pace_of_pointer(Rounds *r, LLVMValueRef pointer, uint64_t bytes) {
  Pace pace = PACE_NONE;
  for (; LLVMIsAGetElementPtrInst(pointer);
       pointer = LLVMGetOperand(pointer, 0)) {
    unsigned last = LLVMGetNumIndices(pointer);
    Pace here = pace_of(r, LLVMGetOperand(pointer, last));
    LLVMTypeRef element = counted(pointer);
    for (unsigned i = 1; i < last; i++)
      if (pace_of(r, LLVMGetOperand(pointer, i)) != PACE_NONE)
        return PACE_OTHER;
    if (here != PACE_NONE && (!element || size_of(r, element) != bytes))
      return PACE_OTHER;
    pace = pace_of_sum(pace, here);
  }
  return pace_of(r, pointer) == PACE_NONE ? pace : PACE_OTHER;
}

static bool is_fine_access(Rounds *r, LLVMValueRef i) {
  bool writes = LLVMIsAStoreInst(i) != NULL;
  LLVMValueRef pointer = LLVMGetOperand(i, writes);
  LLVMTypeRef type = LLVMTypeOf(writes ? LLVMGetOperand(i, 0) : i);
  Pace pace = pace_of_pointer(r, pointer, size_of(r, type));
  return !LLVMGetVolatile(i) && !LLVMGetOrdering(i) &&
         (pace == PACE_ONE || (!writes && pace == PACE_NONE));
}

static bool is_fine_call(const Rounds *r, LLVMValueRef call) {
  return LLVMIsAFunction(LLVMGetCalledValue(call)) &&
         (jit_is_step(call) || split_is_pure(r->split, call));
}

static bool is_fine(Rounds *r, LLVMValueRef i) {
  if (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i))
    return is_fine_access(r, i);
  if (LLVMIsACallInst(i))
    return is_fine_call(r, i);
  return LLVMIsAPHINode(i) || LLVMIsATerminatorInst(i) ||
         split_is_pure(r->split, i);
}

// ----------------------------------------------------------------- loops ---

static bool is_inner(const Graph *graph, unsigned loop) {
  for (unsigned i = 0; i < graph->loop_count; i++)
    if (graph->loops[i].parent == loop)
      return false;
  return true;
}

// A count up to a number that is small, which the optimiser unrolls.
static bool is_short(LLVMValueRef condition) {
  for (unsigned i = 0; LLVMIsAICmpInst(condition) && i < 2; i++) {
    LLVMValueRef end = LLVMGetOperand(condition, i);
    if (LLVMIsAConstantInt(end) &&
        LLVMConstIntGetZExtValue(end) <= FEW_ITERATIONS)
      return true;
  }
  return false;
}

static bool leaves(const Graph *graph, const struct GraphLoop *loop,
                   unsigned block) {
  for (size_t i = 0; i < graph->out[block].count; i++)
    if (!loop->contains[graph->out[block].at[i]])
      return true;
  return false;
}

static bool is_fine_block(Rounds *r, const struct GraphLoop *loop,
                          unsigned block) {
  Split *split = r->split;
  LLVMValueRef end = LLVMGetBasicBlockTerminator(split->blocks[block]);
  if (leaves(split->graph, loop, block) &&
      (split_differs(split, LLVMGetOperand(end, 0)) ||
       is_short(LLVMGetOperand(end, 0))))
    return false;
  for (LLVMValueRef i = LLVMGetFirstInstruction(split->blocks[block]); i;
       i = LLVMGetNextInstruction(i))
    if (!is_fine(r, i))
      return false;
  return true;
}

static bool is_fine_loop(Rounds *r, unsigned number) {
  const Graph *graph = r->split->graph;
  const struct GraphLoop *loop = &graph->loops[number];
  if (!is_inner(graph, number) || r->apart[loop->header])
    return false;
  for (unsigned b = 0; b < graph->count; b++)
    if (loop->contains[b] && !is_fine_block(r, loop, b))
      return false;
  return true;
}

// ----------------------------------------------------------------- marks ---

// Behind the call that counts the iteration, of the same site.
static bool mark_back_edge(const Split *split, unsigned block) {
  for (LLVMValueRef i = LLVMGetFirstInstruction(split->blocks[block]); i;
       i = LLVMGetNextInstruction(i)) {
    if (!jit_is_step(i))
      continue;
    LLVMPositionBuilderBefore(
        split->builder, LLVMGetBasicBlockTerminator(split->blocks[block]));
    jit_mark_round(split->builder, split->module, LLVMGetOperand(i, 0));
    return true;
  }
  return false;
}

static unsigned mark_loop(const Split *split, const struct GraphLoop *loop) {
  const Numbers *in = &split->graph->in[loop->header];
  unsigned marked = 0;
  for (size_t i = 0; i < in->count; i++)
    if (loop->contains[in->at[i]])
      marked += mark_back_edge(split, in->at[i]);
  return marked;
}

static bool has_arrays(const Split *split) {
  for (LLVMValueRef i =
           LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(split->kernel));
       i; i = LLVMGetNextInstruction(i))
    if (LLVMIsAAllocaInst(i))
      return true;
  return false;
}

bool split_mark_rounds(Split *split) {
  Rounds rounds = {.split = split, .apart = split_find_apart(split)};
  unsigned marked = 0;
  graph_analyse(split->task, split->graph);
  if (has_arrays(split))
    return false;
  for (unsigned i = 0; i < split->graph->loop_count; i++)
    if (marked < MOST_ROUNDS && is_fine_loop(&rounds, i))
      marked += mark_loop(split, &split->graph->loops[i]);
  return marked;
}

void split_forget_rounds(Split *split) {
  for (unsigned b = 0; b < split->count; b++)
    for (LLVMValueRef i = LLVMGetFirstInstruction(split->blocks[b]), next; i;
         i = next) {
      next = LLVMGetNextInstruction(i);
      if (jit_is_round(i))
        LLVMInstructionEraseFromParent(i);
    }
}

bool split_parts_in_rounds(const Split *split) {
  for (size_t i = 0; i < split->intervals.count; i++) {
    const BarrierInterval *interval = &split->intervals.at[i];
    for (size_t e = 0;
         interval->ending == ENDING_ANY && e < interval->exits.count; e++) {
      LLVMValueRef barrier = split_barrier(split, interval->exits.at[e]);
      if (barrier && jit_is_round(barrier))
        return true;
    }
  }
  return false;
}
