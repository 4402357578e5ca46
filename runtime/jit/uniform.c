// What is the same in all threads of a block.
//
// A value differs between threads if one of its operands does, or if it is read
// from memory.  A phi also differs if threads may have come to it by different
// ways: if it lies between a branch whose condition differs and the basic block
// where all ways from there meet again.  This includes the values of a loop
// that some threads leave earlier than others.

#include "runtime/jit/split.h"

#include <assert.h>
#include <string.h>

bool split_differs(const Split *split, LLVMValueRef value) {
  return table_get(&split->differs, value) != NULL;
}

// The arguments of the kernel lie where nobody writes.
static bool is_argument(const Split *split, LLVMValueRef pointer) {
  while (LLVMIsAGetElementPtrInst(pointer))
    pointer = LLVMGetOperand(pointer, 0);
  for (unsigned i = 0; i < LLVMCountParams(split->kernel); i++)
    if (LLVMGetParam(split->kernel, i) == pointer) {
      assert(i < split->run->code->parameters.count);
      return split->run->code->parameters.at[i].kind == PARAMETER_STRUCT;
    }
  return false;
}

static bool is_invariant(const Split *split, LLVMValueRef load) {
  unsigned kind =
      LLVMGetMDKindIDInContext(split->context, "invariant.load", 14);
  return LLVMGetMetadata(load, kind) ||
         is_argument(split, LLVMGetOperand(load, 0));
}

static bool is_none(LLVMAttributeRef memory) {
  return memory && !LLVMGetEnumAttributeValue(memory);
}

static bool touches_nothing(LLVMValueRef call) {
  unsigned kind = LLVMGetEnumAttributeKindForName("memory", 6);
  LLVMValueRef callee = LLVMGetCalledValue(call);
  LLVMAttributeIndex index = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
  return is_none(LLVMGetCallSiteEnumAttribute(call, index, kind)) ||
         (LLVMIsAFunction(callee) &&
          is_none(LLVMGetEnumAttributeAtIndex(callee, index, kind)));
}

bool split_is_pure(const Split *split, LLVMValueRef i) {
  if (LLVMIsABinaryOperator(i) || LLVMIsACastInst(i))
    return true;
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMGetElementPtr:
  case LLVMICmp:
  case LLVMFCmp:
  case LLVMSelect:
  case LLVMFNeg:
  case LLVMFreeze:
  case LLVMExtractElement:
  case LLVMInsertElement:
  case LLVMShuffleVector:
  case LLVMExtractValue:
  case LLVMInsertValue:
    return true;
  case LLVMLoad:
    return is_invariant(split, i);
  case LLVMCall:
    return touches_nothing(i);
  default:
    return false;
  }
}

static bool any_differs(const Split *split, LLVMValueRef i) {
  bool is_phi = LLVMIsAPHINode(i);
  unsigned count =
      is_phi ? LLVMCountIncoming(i) : (unsigned)LLVMGetNumOperands(i);
  for (unsigned k = 0; k < count; k++)
    if (split_differs(split, is_phi ? LLVMGetIncomingValue(i, k)
                                    : LLVMGetOperand(i, k)))
      return true;
  return false;
}

// Are they made of what differs, or of what we know nothing of?
static bool must_differ(const Split *split, LLVMValueRef i) {
  unsigned word = jit_word_called(i);
  if (word != WORDS)
    return word < WORD_BLOCK || word == WORD_NUMBER;
  if (jit_is_barrier(i))
    return false;
  return (!LLVMIsAPHINode(i) && !split_is_pure(split, i)) ||
         any_differs(split, i);
}

static bool mark(Split *split, LLVMValueRef value) {
  if (split_differs(split, value))
    return false;
  table_put(split->task, &split->differs, value, value);
  return true;
}

static bool mark_values(Split *split) {
  bool has_marked = false;
  for (unsigned b = 0; b < split->count; b++)
    for (LLVMValueRef i = LLVMGetFirstInstruction(split->blocks[b]); i;
         i = LLVMGetNextInstruction(i))
      if (!LLVMIsATerminatorInst(i) && must_differ(split, i))
        has_marked |= mark(split, i);
  return has_marked;
}

// -------------------------------------------------------------- branches ---

// Where all ways from a block to an end meet: a graph with the ends as entry.
static Graph *backwards(Split *split) {
  Graph *graph = graph_new(split->task, split->count + 1);
  for (unsigned b = 0; b < split->count; b++) {
    const Numbers *out = &split->graph->out[b];
    for (size_t i = 0; i < out->count; i++)
      graph_add_edge(split->task, graph, out->at[i] + 1, b + 1);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(split->blocks[b]);
    if (LLVMIsAReturnInst(end)) // who fails an assertion meets nobody
      graph_add_edge(split->task, graph, 0, b + 1);
  }
  graph_analyse(split->task, graph);
  return graph;
}

static bool mark_phis(Split *split, unsigned block) {
  bool has_marked = false;
  for (LLVMValueRef i = LLVMGetFirstInstruction(split->blocks[block]);
       i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i))
    has_marked |= mark(split, i);
  return has_marked;
}

// All blocks on ways from `block` to where they meet, and that one.
static bool *find_ways(const Split *split, unsigned block, unsigned meeting) {
  bool *seen = arena_alloc(&split->task->arena, split->count);
  Numbers open = {0};
  push(&split->task->arena, &open, block);
  while (open.count) {
    unsigned from = open.at[--open.count];
    const Numbers *out = &split->graph->out[from];
    for (size_t i = 0; i < out->count; i++) {
      unsigned to = out->at[i];
      if (seen[to])
        continue;
      seen[to] = true;
      if (to + 1 != meeting)
        push(&split->task->arena, &open, to);
    }
  }
  return seen;
}

static bool parts(const Split *split, unsigned block) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(split->blocks[block]);
  return split->graph->out[block].count > 1 &&
         split_differs(split, LLVMGetOperand(end, 0));
}

// All phis there.
static bool mark_ways(Split *split, const Graph *back, unsigned block) {
  const bool *seen = find_ways(split, block, back->dominator[block + 1]);
  bool has_marked = false;
  for (unsigned b = 0; b < split->count; b++)
    if (seen[b])
      has_marked |= mark_phis(split, b);
  return has_marked;
}

static bool mark_branches(Split *split, const Graph *back) {
  bool has_marked = false;
  for (unsigned b = 0; b < split->count; b++)
    if (parts(split, b))
      has_marked |= mark_ways(split, back, b);
  return has_marked;
}

const bool *split_find_apart(Split *split) {
  const Graph *back = backwards(split);
  bool *apart = arena_alloc(&split->task->arena, split->count);
  for (unsigned b = 0; b < split->count; b++) {
    if (!parts(split, b))
      continue;
    unsigned meeting = back->dominator[b + 1];
    const bool *seen = find_ways(split, b, meeting);
    for (unsigned way = 0; way < split->count; way++)
      apart[way] |= seen[way] && way + 1 != meeting;
  }
  return apart;
}

void split_find_uniform(Split *split) {
  const Graph *back = backwards(split);
  for (bool has_marked = true; has_marked;) {
    has_marked = mark_values(split);
    has_marked |= mark_branches(split, back);
  }
}
