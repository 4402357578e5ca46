// A kernel as barrier intervals.
//
// An interval ends at a barrier or with the kernel.  A branch may decide which
// barrier comes next.  If all threads take it alike, the interval ends before
// the branch, so the whole block of threads takes it once and no thread's own
// code has it.  If some threads are elsewhere then, or its condition differs,
// each thread finds its own way, and the block goes on when all have come to
// the same barrier.

#include "runtime/jit/split.h"

#include <assert.h>

enum { MOST_BARRIERS = 60, RETURNS = 63 };

unsigned split_number(const Split *split, LLVMBasicBlockRef block) {
  return (unsigned)(uintptr_t)table_get(&split->numbers, block) - 1;
}

LLVMValueRef split_barrier(const Split *split, unsigned block) {
  for (LLVMValueRef i = LLVMGetFirstInstruction(split->blocks[block]); i;
       i = LLVMGetNextInstruction(i))
    if (jit_is_barrier(i))
      return i;
  return NULL;
}

// ---------------------------------------------------------------- blocks ---

static void move(Split *split, LLVMValueRef i) {
  LLVMInstructionRemoveFromParent(i);
  LLVMInsertIntoBuilder(split->builder, i);
}

static void lead_to(const Split *split, LLVMBasicBlockRef old,
                    LLVMBasicBlockRef made) {
  for (LLVMBasicBlockRef from = LLVMGetFirstBasicBlock(split->kernel); from;
       from = LLVMGetNextBasicBlock(from)) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
    for (unsigned i = 0; end && i < LLVMGetNumSuccessors(end); i++)
      if (LLVMGetSuccessor(end, i) == old)
        LLVMSetSuccessor(end, i, made);
  }
}

// What comes before the barrier, and it itself, become a block of their own,
// to which all ways to the old one lead.
static void cut_block(Split *split, LLVMBasicBlockRef block,
                      LLVMValueRef barrier) {
  LLVMBasicBlockRef before =
      LLVMInsertBasicBlockInContext(split->context, block, "");
  lead_to(split, block, before);
  LLVMPositionBuilderAtEnd(split->builder, before);
  for (LLVMValueRef i; (i = LLVMGetFirstInstruction(block)) != barrier;)
    move(split, i);
  move(split, barrier);
  LLVMBuildBr(split->builder, block);
}

// One of a size that is known, made at the kernel's entry.
static bool is_plain(const Split *split, LLVMValueRef alloca) {
  LLVMValueRef count = LLVMGetOperand(alloca, 0);
  return LLVMGetInstructionParent(alloca) ==
             LLVMGetEntryBasicBlock(split->kernel) &&
         LLVMIsAConstantInt(count) && LLVMConstIntGetZExtValue(count) == 1;
}

static bool cut_blocks(Split *split) {
  for (LLVMBasicBlockRef block = LLVMGetEntryBasicBlock(split->kernel); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
      next = LLVMGetNextInstruction(i);
      if (LLVMIsAAllocaInst(i) && !is_plain(split, i))
        return false;
      if (llvm_is_lifetime(i))
        LLVMInstructionEraseFromParent(i);
      else if (jit_is_barrier(i))
        cut_block(split, block, i);
    }
  return true;
}

static void number_blocks(Split *split) {
  Task *task = split->task;
  split->numbers = (ValueTable){0};
  split->count = LLVMCountBasicBlocks(split->kernel);
  split->blocks =
      arena_alloc(&task->arena, split->count * sizeof *split->blocks);
  LLVMGetBasicBlocks(split->kernel, split->blocks);
  for (unsigned b = 0; b < split->count; b++)
    table_put(task, &split->numbers, split->blocks[b],
              (void *)(uintptr_t)(b + 1));
  split->graph = graph_new(task, split->count);
  for (unsigned b = 0; b < split->count; b++) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(split->blocks[b]);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
      graph_add_edge(task, split->graph, b,
                     split_number(split, LLVMGetSuccessor(end, i)));
  }
}

bool split_cut(Split *split) {
  if (!cut_blocks(split))
    return false;
  number_blocks(split);
  unsigned barriers = 0;
  for (unsigned b = 0; b < split->count; b++)
    barriers += split_barrier(split, b) != NULL;
  return barriers <= MOST_BARRIERS;
}

// ------------------------------------------------------------- decisions ---

static unsigned bit_of_barrier(unsigned number) {
  assert(number < MOST_BARRIERS && number != RETURNS);
  return number;
}

// Which barriers can come next, a bit each, from each block's start.
static uint64_t *find_next(const Split *split) {
  uint64_t *next =
      arena_alloc(&split->task->arena, split->count * sizeof *next);
  unsigned barriers = 0;
  for (unsigned b = 0; b < split->count; b++)
    if (split_barrier(split, b))
      next[b] = UINT64_C(1) << bit_of_barrier(barriers++);
    else if (LLVMIsAReturnInst(LLVMGetBasicBlockTerminator(split->blocks[b])))
      next[b] = UINT64_C(1) << RETURNS;
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned b = split->count; b-- > 0;) {
      uint64_t all = next[b];
      for (size_t i = 0; i < split->graph->out[b].count; i++)
        if (!split_barrier(split, b))
          all |= next[split->graph->out[b].at[i]];
      changed |= all != next[b];
      next[b] = all;
    }
  }
  return next;
}

// It decides which barrier comes next, the same for all threads.
static bool *find_decisions(const Split *split) {
  const uint64_t *next = find_next(split);
  bool *decisions = arena_alloc(&split->task->arena, split->count);
  for (unsigned b = 0; b < split->count; b++) {
    const Numbers *out = &split->graph->out[b];
    LLVMValueRef end = LLVMGetBasicBlockTerminator(split->blocks[b]);
    if (out->count < 2 || split_differs(split, LLVMGetOperand(end, 0)))
      continue;
    uint64_t first = 0;
    for (size_t i = 0; i < out->count; i++) {
      uint64_t here = next[out->at[i]];
      decisions[b] |= first && here && here != first;
      first = here ? here : first;
    }
  }
  return decisions;
}

// ------------------------------------------------------------- intervals ---

static bool ends_at(const Split *split, const bool *decisions, unsigned block) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(split->blocks[block]);
  return split_barrier(split, block) || LLVMIsAReturnInst(end) ||
         (decisions && decisions[block]);
}

static BarrierInterval walk(const Split *split, const bool *decisions,
                            unsigned start) {
  Task *task = split->task;
  BarrierInterval interval = {
      .start = start,
      .contains = arena_alloc(&task->arena, split->count),
      .round = NO_SITE,
  };
  Numbers open = {0};
  push(&task->arena, &open, start);
  interval.contains[start] = true;
  while (open.count) {
    unsigned block = open.at[--open.count];
    const Numbers *out = &split->graph->out[block];
    if (ends_at(split, decisions, block)) {
      push(&task->arena, &interval.exits, block);
      continue;
    }
    for (size_t i = 0; i < out->count; i++) {
      if (!interval.contains[out->at[i]])
        push(&task->arena, &open, out->at[i]);
      interval.contains[out->at[i]] = true;
    }
  }
  return interval;
}

static Ending ending_of(const Split *split, const BarrierInterval *interval) {
  unsigned only = interval->exits.count ? interval->exits.at[0] : 0;
  for (size_t i = 1; i < interval->exits.count; i++)
    if (split_barrier(split, only) ||
        split_barrier(split, interval->exits.at[i]))
      return ENDING_ANY;
  if (!interval->exits.count ||
      LLVMIsAReturnInst(LLVMGetBasicBlockTerminator(split->blocks[only])))
    return ENDING_RETURN;
  return split_barrier(split, only) ? ENDING_BARRIER : ENDING_BRANCH;
}

static BarrierInterval interval_from(const Split *split, const bool *decisions,
                                     unsigned start) {
  BarrierInterval interval = walk(split, decisions, start);
  if (interval.exits.count > 1)
    interval = walk(split, NULL, start);
  interval.ending = ending_of(split, &interval);
  return interval;
}

static void add_interval(Split *split, const bool *decisions, unsigned start) {
  for (size_t i = 0; i < split->intervals.count; i++)
    if (split->intervals.at[i].start == start)
      return;
  push(&split->task->arena, &split->intervals,
       interval_from(split, decisions, start));
}

static const Loc *place(const Split *split, unsigned block) {
  LLVMValueRef barrier = split_barrier(split, block);
  assert(LLVMIsAConstantInt(LLVMGetOperand(barrier, 0)));
  uint64_t site = LLVMConstIntGetZExtValue(LLVMGetOperand(barrier, 0));
  assert(site < split->run->code->sites.count);
  return &split->run->code->sites.at[site].loc;
}

// Two barriers of one place in the source count as one where threads meet.
static bool is_ambiguous(const Split *split, const BarrierInterval *interval) {
  for (size_t i = 0; i < interval->exits.count; i++)
    for (size_t k = 0; k < i; k++) {
      unsigned a = interval->exits.at[i], b = interval->exits.at[k];
      if (split_barrier(split, a) && split_barrier(split, b) &&
          place(split, a)->line == place(split, b)->line &&
          place(split, a)->column == place(split, b)->column)
        return true;
    }
  return false;
}

// A barrier of a program opens for the others, and those that have left must
// not go on with them.
static bool leaves_some(const Split *split, const BarrierInterval *interval) {
  if (!split->run->passes_left || interval->ending != ENDING_ANY)
    return false;
  for (size_t i = 0; i < interval->exits.count; i++)
    if (!split_barrier(split, interval->exits.at[i]))
      return true;
  return false;
}

bool split_find_intervals(Split *split) {
  const bool *decisions = find_decisions(split);
  add_interval(split, decisions, 0);
  for (size_t i = 0; i < split->intervals.count; i++) {
    const BarrierInterval interval = split->intervals.at[i];
    if (is_ambiguous(split, &interval) || leaves_some(split, &interval))
      return false;
    for (size_t k = 0; k < interval.exits.count; k++) {
      const Numbers *out = &split->graph->out[interval.exits.at[k]];
      for (size_t s = 0; s < out->count; s++)
        add_interval(split, decisions, out->at[s]);
    }
  }
  return true;
}
