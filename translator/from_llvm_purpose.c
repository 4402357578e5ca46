// What the result of an instruction is for.
//
// SOUND(no-signed-overflow) is about what the program computes, and what stands
// in an annotation alone is no part of it: an ordinary compilation leaves it
// out.

#include "translator/from_llvm_calls.h"

static bool has_meaning(Task *task, LLVMValueRef instruction,
                        const Meaning *meanings, size_t count) {
  bool is_call = LLVMIsACallInst(instruction) && called_function(instruction);
  const CallRow *row = is_call ? call_row(task, instruction) : NULL;
  for (size_t i = 0; row && i < count; i++)
    if (row->meaning == meanings[i])
      return true;
  return false;
}

static bool is_annotation(Task *task, LLVMValueRef instruction) {
  static const Meaning meanings[] = {CALL_QUIET,
                                     CALL_REQUIRES,
                                     CALL_ASSUME,
                                     CALL_ASSERT,
                                     CALL_ENSURED,
                                     CALL_GLOBAL_ASSERT,
                                     CALL_GLOBAL_INVARIANT,
                                     CALL_INVARIANT,
                                     CALL_FUNCTION_INVARIANT,
                                     CALL_FRESH_ARRAY,
                                     CALL_READS_FROM,
                                     CALL_WRITES_TO,
                                     CALL_OCCURRED,
                                     CALL_OCCURRED_AT,
                                     CALL_PTR_BASE,
                                     CALL_PTR_OFFSET,
                                     CALL_OTHER,
                                     CALL_ENABLED,
                                     CALL_HERE,
                                     CALL_SAME_GROUP};
  return has_meaning(task, instruction, meanings,
                     sizeof meanings / sizeof *meanings);
}

// It does something that others may notice, whatever becomes of its result.
static bool acts(Task *task, LLVMValueRef call) {
  static const Meaning meanings[] = {
      CALL_MEMCPY,        CALL_MEMSET,         CALL_VSTORE,
      CALL_NVVM_ATOMIC,   CALL_CL_ATOMIC,      CALL_CL_ATOMIC_ADD,
      CALL_CL_ATOMIC_SUB, CALL_CL_ATOMIC_STEP, CALL_CL_FLAG,
      CALL_ASYNC_COPY,    CALL_BARRIER_VOTE,   CALL_PRINT};
  bool is_void = LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind;
  return (is_void && called_function(call) && !is_annotation(task, call) &&
          !has_meaning(task, call, (Meaning[]){CALL_NOTHING}, 1)) ||
         has_meaning(task, call, meanings, sizeof meanings / sizeof *meanings);
}

static bool has_annotations(Task *task, LLVMBasicBlockRef block) {
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
       i = LLVMGetNextInstruction(i))
    if (is_annotation(task, i))
      return true;
  return false;
}

void find_annotations(Builder *builder) {
  for (unsigned i = 0; i < builder->graph->count; i++)
    builder->has_annotations |=
        has_annotations(builder->task, builder->llvm_blocks[i]);
  builder->is_endless = graph_endless(builder->task, builder->graph);
  builder->ends = graph_ends(builder->task, builder->graph);
}

// What was asked about already is thought to be aside, as a value is that goes
// round a loop into itself.
typedef struct Aside {
  Builder *builder;
  ValueTable seen;
} Aside;

static bool is_aside(Aside *aside, LLVMValueRef instruction);

static bool are_phis_aside(Aside *aside, LLVMBasicBlockRef block) {
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i && LLVMIsAPHINode(i);
       i = LLVMGetNextInstruction(i))
    if (!is_aside(aside, i))
      return false;
  return true;
}

static bool is_block_aside(Aside *aside, LLVMBasicBlockRef block) {
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
       i = LLVMGetNextInstruction(i))
    if (!LLVMIsABranchInst(i) && !is_aside(aside, i))
      return false;
  return true;
}

// All that a thread may do from `node` until it comes to `end`.
static bool is_way_aside(Aside *aside, unsigned node, unsigned end) {
  Builder *builder = aside->builder;
  const Graph *graph = builder->graph;
  LLVMBasicBlockRef block = builder->llvm_blocks[node];
  if (node == end)
    return are_phis_aside(aside, block);
  if (table_get(&aside->seen, block))
    return true;
  table_put(builder->task, &aside->seen, block, block);
  if (!is_block_aside(aside, block))
    return false;
  for (size_t i = 0; i < graph->out[node].count; i++)
    if (!is_way_aside(aside, graph->out[node].at[i], end))
      return false;
  return true;
}

// A thread in it does nothing but for annotations.  Where the loop is left to
// is not looked at, so the answer is yes too often rather than too seldom.
static bool is_loop_aside(Aside *aside, const GraphLoop *loop) {
  const Graph *graph = aside->builder->graph;
  for (unsigned node = 0; node < graph->count; node++)
    if (loop->contains[node] &&
        !is_block_aside(aside, aside->builder->llvm_blocks[node]))
      return false;
  return true;
}

// Those that come to an end which is no trap.
static unsigned count_ways(const Builder *builder, unsigned node) {
  const Numbers *out = &builder->graph->out[node];
  unsigned count = 0;
  for (size_t i = 0; i < out->count; i++)
    count += !builder->is_endless[out->at[i]] &&
             !LLVMIsAUnreachableInst(
                 LLVMGetBasicBlockTerminator(builder->llvm_blocks[out->at[i]]));
  return count;
}

// Who goes for ever to where nothing is done may do so for an annotation.
static bool is_endless_aside(Aside *aside, unsigned node) {
  const Numbers *out = &aside->builder->graph->out[node];
  for (size_t i = 0; i < out->count; i++)
    if (aside->builder->is_endless[out->at[i]] &&
        !is_way_aside(aside, out->at[i], GRAPH_NONE))
      return false;
  return true;
}

// Whatever way it goes, a thread does nothing but for annotations until the
// ways meet.
static bool is_branch_aside(Aside *aside, LLVMValueRef branch) {
  const Builder *builder = aside->builder;
  const Graph *graph = builder->graph;
  unsigned node = node_of(builder, LLVMGetInstructionParent(branch));
  unsigned end = builder->ends[node];
  unsigned loop = graph_loop_of(graph, node);
  if (graph->out[node].count < 2 ||
      (loop != GRAPH_NONE && is_loop_aside(aside, &graph->loops[loop])))
    return true;
  if (!is_endless_aside(aside, node))
    return false;
  if (count_ways(builder, node) < 2)
    return true;
  for (size_t i = 0; i < graph->out[node].count; i++) {
    unsigned to = graph->out[node].at[i];
    if (!builder->is_endless[to] &&
        (end == GRAPH_NONE || graph_is_back_edge(graph, node, to) ||
         !is_way_aside(aside, to, end)))
      return false;
  }
  return true;
}

static bool are_uses_aside(Aside *aside, LLVMValueRef value) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use))
    if (!is_aside(aside, LLVMGetUser(use)))
      return false;
  return true;
}

// What is kept in a variable of the thread's own is for those who read it.
static bool is_kept_aside(Aside *aside, LLVMValueRef to) {
  while (LLVMIsAGetElementPtrInst(to) || LLVMIsACastInst(to))
    to = LLVMGetOperand(to, 0);
  return LLVMIsAAllocaInst(to) && are_uses_aside(aside, to);
}

// What it writes to is for those who read it: its first operand, or each of
// them that is a pointer.
static bool is_filled_aside(Aside *aside, LLVMValueRef call, bool is_any) {
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
    LLVMValueRef operand = LLVMGetOperand(call, i);
    bool is_pointer =
        LLVMGetTypeKind(LLVMTypeOf(operand)) == LLVMPointerTypeKind;
    if (is_pointer && (is_any || i == 0) && !is_kept_aside(aside, operand))
      return false;
  }
  return true;
}

static bool is_call_aside(Aside *aside, LLVMValueRef call) {
  static const Meaning fills[] = {CALL_MEMCPY, CALL_MEMSET, CALL_FILL};
  static const Meaning outs[] = {CALL_PURE_OUT, CALL_CL_OUT};
  Task *task = aside->builder->task;
  if (has_meaning(task, call, fills, sizeof fills / sizeof *fills))
    return is_filled_aside(aside, call, false);
  if (has_meaning(task, call, outs, sizeof outs / sizeof *outs))
    return is_filled_aside(aside, call, true) && are_uses_aside(aside, call);
  return !acts(task, call) && are_uses_aside(aside, call);
}

// It does nothing by itself, and neither does what becomes of its result.  What
// nobody uses may have been computed for an annotation, too.
static bool is_aside(Aside *aside, LLVMValueRef instruction) {
  if (table_get(&aside->seen, instruction))
    return true;
  table_put(aside->builder->task, &aside->seen, instruction, instruction);
  if (LLVMIsACallInst(instruction))
    return is_call_aside(aside, instruction);
  if (LLVMIsAStoreInst(instruction))
    return is_kept_aside(aside, LLVMGetOperand(instruction, 1));
  if (LLVMIsABranchInst(instruction))
    return is_branch_aside(aside, instruction);
  return !LLVMIsAAtomicRMWInst(instruction) &&
         !LLVMIsAAtomicCmpXchgInst(instruction) &&
         are_uses_aside(aside, instruction);
}

bool is_for_annotations(Builder *builder, LLVMValueRef instruction) {
  if (builder->is_quiet)
    return true;
  if (!builder->has_annotations)
    return false;
  Aside aside = {.builder = builder};
  return is_aside(&aside, instruction);
}
