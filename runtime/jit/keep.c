// What lives across the cuts between intervals.
//
// A value that is needed after a cut is kept in memory, in an array with one
// element a thread; a value that is the same in all threads is kept once.  A
// value that can be computed from these and the thread's ids is computed again:
// that costs less than memory, and shows the optimiser which addresses lie side
// by side.  After this file only local variables cross a cut, and it is known
// which of them are still to be read there.

#include "runtime/jit/split.h"

#include <assert.h>

enum { MOST_COMPUTED = 16 }; // instructions to compute a value again

typedef void Visit(Split *split, LLVMValueRef instruction);

static void for_each(Split *split, Visit *visit) {
  for (unsigned b = 0; b < split->count; b++)
    for (LLVMValueRef i = LLVMGetFirstInstruction(split->blocks[b]), next; i;
         i = next) {
      next = LLVMGetNextInstruction(i);
      visit(split, i);
    }
}

static void mark_differs(Split *split, LLVMValueRef value) {
  table_put(split->task, &split->differs, value, value);
}

static LLVMValueRef first_after(LLVMBasicBlockRef block,
                                bool (*passes)(LLVMValueRef)) {
  LLVMValueRef i = LLVMGetFirstInstruction(block);
  while (passes(i))
    i = LLVMGetNextInstruction(i);
  assert(i); // the end of the block at the latest
  return i;
}

static bool is_phi(LLVMValueRef i) { return LLVMIsAPHINode(i); }
static bool is_alloca(LLVMValueRef i) { return LLVMIsAAllocaInst(i); }

// A local variable for a value.
static LLVMValueRef add_slot(Split *split, LLVMValueRef value) {
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(split->kernel);
  LLVMPositionBuilderBefore(split->builder, first_after(entry, is_alloca));
  Kept kept = {.type = LLVMTypeOf(value),
               .is_uniform = !split_differs(split, value)};
  kept.alloca = LLVMBuildAlloca(split->builder, kept.type, "");
  push(&split->task->arena, &split->kept, kept);
  return kept.alloca;
}

// ------------------------------------------------------------------ phis ---

// So that edges can be cut: each way to the phi stores what it brings.
static void lower_phi(Split *split, LLVMValueRef phi) {
  if (!LLVMIsAPHINode(phi))
    return;
  LLVMValueRef slot = add_slot(split, phi);
  LLVMBasicBlockRef block = LLVMGetInstructionParent(phi);
  LLVMPositionBuilderBefore(split->builder, first_after(block, is_phi));
  LLVMValueRef load = LLVMBuildLoad2(split->builder, LLVMTypeOf(phi), slot, "");
  if (split_differs(split, phi))
    mark_differs(split, load);
  LLVMReplaceAllUsesWith(phi, load);
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
    LLVMPositionBuilderBefore(
        split->builder,
        LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(phi, i)));
    LLVMBuildStore(split->builder, LLVMGetIncomingValue(phi, i), slot);
  }
  LLVMInstructionEraseFromParent(phi);
}

// -------------------------------------------------------------- liveness ---

// All blocks at whose start something lives that is read in `open`, if it is
// made in the blocks `makes`.
static bool *find_alive(const Split *split, Numbers open, const bool *makes) {
  bool *lives = arena_alloc(&split->task->arena, split->count);
  for (size_t i = 0; i < open.count; i++)
    lives[open.at[i]] = true;
  while (open.count) {
    const Numbers *in = &split->graph->in[open.at[--open.count]];
    for (size_t i = 0; i < in->count; i++) {
      unsigned from = in->at[i];
      if (makes[from] || lives[from])
        continue;
      lives[from] = true;
      push(&split->task->arena, &open, from);
    }
  }
  return lives;
}

static unsigned block_of(const Split *split, LLVMValueRef i) {
  return split_number(split, LLVMGetInstructionParent(i));
}

static bool crosses(const Split *split, LLVMValueRef value) {
  unsigned block = block_of(split, value);
  Numbers open = {0};
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use))
    if (block_of(split, LLVMGetUser(use)) != block)
      push(&split->task->arena, &open, block_of(split, LLVMGetUser(use)));
  if (!open.count)
    return false;
  bool *makes = arena_alloc(&split->task->arena, split->count);
  makes[block] = true;
  const bool *lives = find_alive(split, open, makes);
  for (size_t i = 0; i < split->intervals.count; i++)
    if (lives[split->intervals.at[i].start])
      return true;
  return false;
}

// A local variable lives where a load comes before any store.
static void find_lives(Split *split, Kept *kept) {
  bool *makes = arena_alloc(&split->task->arena, split->count);
  bool *reads = arena_alloc(&split->task->arena, split->count);
  Numbers open = {0};
  for (LLVMUseRef use = LLVMGetFirstUse(kept->alloca); use;
       use = LLVMGetNextUse(use))
    if (LLVMIsAStoreInst(LLVMGetUser(use)))
      makes[block_of(split, LLVMGetUser(use))] = true;
    else
      reads[block_of(split, LLVMGetUser(use))] = true;
  for (unsigned b = 0; b < split->count; b++) {
    LLVMValueRef i =
        reads[b] ? LLVMGetFirstInstruction(split->blocks[b]) : NULL;
    while (i &&
           !(LLVMIsAStoreInst(i) && LLVMGetOperand(i, 1) == kept->alloca) &&
           !(LLVMIsALoadInst(i) && LLVMGetOperand(i, 0) == kept->alloca))
      i = LLVMGetNextInstruction(i);
    if (i && LLVMIsALoadInst(i))
      push(&split->task->arena, &open, b);
  }
  kept->lives = find_alive(split, open, makes);
}

// --------------------------------------------------------- computed again ---

// How many instructions it takes; more than MOST_COMPUTED: it cannot be, or
// should not.
static unsigned cost(const Split *split, LLVMValueRef value, unsigned depth) {
  unsigned sum = 1;
  if (!LLVMIsAInstruction(value) || jit_word_called(value) != WORDS ||
      !split_differs(split, value))
    return 0;
  if (!split_is_pure(split, value) || LLVMIsACallInst(value) || !depth)
    return MOST_COMPUTED + 1;
  for (int i = 0; i < LLVMGetNumOperands(value) && sum <= MOST_COMPUTED; i++)
    sum += cost(split, LLVMGetOperand(value, (unsigned)i), depth - 1);
  return sum;
}

static bool is_cheap(const Split *split, LLVMValueRef value) {
  return LLVMIsAInstruction(value) &&
         (jit_word_called(value) != WORDS || split_differs(split, value)) &&
         cost(split, value, MOST_COMPUTED) <= MOST_COMPUTED;
}

// The value, computed at the start of a block; `made`: what is there already.
static LLVMValueRef compute(Split *split, LLVMBasicBlockRef block,
                            ValueTable *made, LLVMValueRef value) {
  LLVMValueRef known = table_get(made, value);
  if (known || !is_cheap(split, value) ||
      LLVMGetInstructionParent(value) == block)
    return known ? known : value;
  LLVMValueRef clone = LLVMInstructionClone(value);
  unsigned word = jit_word_called(value);
  for (int i = 0; word == WORDS && i < LLVMGetNumOperands(value); i++)
    LLVMSetOperand(
        clone, (unsigned)i,
        compute(split, block, made, LLVMGetOperand(value, (unsigned)i)));
  LLVMInsertIntoBuilder(split->builder, clone);
  if (split_differs(split, value))
    mark_differs(split, clone);
  table_put(split->task, made, value, clone);
  return clone;
}

// In each block anew, before its first use there.
static void compute_again(Split *split, const ValueTable *crossing) {
  for (unsigned b = 0; b < split->count; b++) {
    LLVMBasicBlockRef block = split->blocks[b];
    LLVMValueRef first = first_after(block, is_alloca);
    ValueTable made = {0};
    for (LLVMValueRef i = first; i; i = LLVMGetNextInstruction(i))
      for (int o = 0; o < LLVMGetNumOperands(i); o++) {
        LLVMValueRef value = LLVMGetOperand(i, (unsigned)o);
        if (!table_get(crossing, value) || !is_cheap(split, value))
          continue;
        LLVMPositionBuilderBefore(split->builder, first);
        LLVMSetOperand(i, (unsigned)o, compute(split, block, &made, value));
      }
  }
}

static ValueTable find_crossing(Split *split) {
  ValueTable crossing = {0};
  for (unsigned b = 0; b < split->count; b++)
    for (LLVMValueRef i = LLVMGetFirstInstruction(split->blocks[b]); i;
         i = LLVMGetNextInstruction(i))
      if (!LLVMIsAAllocaInst(i) && crosses(split, i))
        table_put(split->task, &crossing, i, i);
  return crossing;
}

// ------------------------------------------------------------------ kept ---

static void store_value(Split *split, LLVMValueRef value, LLVMValueRef slot) {
  assert(!LLVMIsATerminatorInst(value) && !LLVMIsAPHINode(value));
  LLVMPositionBuilderBefore(split->builder, LLVMGetNextInstruction(value));
  LLVMBuildStore(split->builder, value, slot);
}

// Each use in another block reads the variable.
static void keep_crossing(Split *split, const ValueTable *crossing) {
  ValueTable slots = {0};
  for (unsigned b = 0; b < split->count; b++)
    for (LLVMValueRef i = LLVMGetFirstInstruction(split->blocks[b]); i;
         i = LLVMGetNextInstruction(i))
      if (table_get(crossing, i)) {
        LLVMValueRef slot = add_slot(split, i);
        store_value(split, i, slot);
        table_put(split->task, &slots, i, slot);
      }
  for (unsigned b = 0; b < split->count; b++)
    for (LLVMValueRef i = LLVMGetFirstInstruction(split->blocks[b]); i;
         i = LLVMGetNextInstruction(i))
      for (int o = 0; o < LLVMGetNumOperands(i); o++) {
        LLVMValueRef value = LLVMGetOperand(i, (unsigned)o);
        LLVMValueRef slot = table_get(&slots, value);
        if (!slot || LLVMGetInstructionParent(value) == split->blocks[b])
          continue;
        LLVMPositionBuilderBefore(split->builder, i);
        LLVMSetOperand(
            i, (unsigned)o,
            LLVMBuildLoad2(split->builder, LLVMTypeOf(value), slot, ""));
      }
}

static void add_array(Split *split, LLVMValueRef alloca) {
  if (!LLVMIsAAllocaInst(alloca))
    return;
  Kept kept = {
      .alloca = alloca, .type = LLVMGetAllocatedType(alloca), .is_array = true};
  push(&split->task->arena, &split->kept, kept);
}

void split_keep(Split *split) {
  for_each(split, add_array);
  for_each(split, lower_phi);
  ValueTable crossing = find_crossing(split);
  compute_again(split, &crossing);
  crossing = find_crossing(split);
  keep_crossing(split, &crossing);
  for (size_t i = 0; i < split->kept.count; i++)
    if (!split->kept.at[i].is_array)
      find_lives(split, &split->kept.at[i]);
}
