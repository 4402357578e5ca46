// What the result of an instruction is for.
//
// SOUND(no-signed-overflow) is about what the program computes, and what stands
// in an annotation alone is no part of it: an ordinary compilation leaves it
// out.

#include "translator/from_llvm_calls.h"

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
                                     CALL_OCCURRED,
                                     CALL_OCCURRED_AT,
                                     CALL_PTR_BASE,
                                     CALL_PTR_OFFSET,
                                     CALL_OTHER,
                                     CALL_ENABLED,
                                     CALL_SAME_GROUP};
  bool is_call = LLVMIsACallInst(instruction) && called_function(instruction);
  const CallRow *row = is_call ? call_row(task, instruction) : NULL;
  for (size_t i = 0; row && i < sizeof meanings / sizeof *meanings; i++)
    if (row->meaning == meanings[i])
      return true;
  return false;
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
    if (graph_is_back_edge(graph, node, graph->out[node].at[i]) ||
        !is_way_aside(aside, graph->out[node].at[i], end))
      return false;
  return true;
}

// Whatever way it goes, a thread does nothing but for annotations until the
// ways meet.
static bool is_branch_aside(Aside *aside, LLVMValueRef branch) {
  const Graph *graph = aside->builder->graph;
  unsigned node = node_of(aside->builder, LLVMGetInstructionParent(branch));
  unsigned end = graph->post_dominator[node];
  for (size_t i = 0; i < graph->out[node].count; i++)
    if (end == GRAPH_NONE ||
        graph_is_back_edge(graph, node, graph->out[node].at[i]) ||
        !is_way_aside(aside, graph->out[node].at[i], end))
      return false;
  return true;
}

static bool are_uses_aside(Aside *aside, LLVMValueRef value) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use))
    if (!is_aside(aside, LLVMGetUser(use)))
      return false;
  return true;
}

// It does nothing by itself, and neither does what becomes of its result.
static bool is_aside(Aside *aside, LLVMValueRef instruction) {
  if (table_get(&aside->seen, instruction))
    return true;
  table_put(aside->builder->task, &aside->seen, instruction, instruction);
  if (LLVMIsACallInst(instruction))
    return is_annotation(aside->builder->task, instruction) &&
           are_uses_aside(aside, instruction);
  if (LLVMIsABranchInst(instruction))
    return is_branch_aside(aside, instruction);
  bool is_pure =
      LLVMIsABinaryOperator(instruction) || LLVMIsACastInst(instruction) ||
      LLVMIsACmpInst(instruction) || LLVMIsAPHINode(instruction) ||
      LLVMIsASelectInst(instruction) || LLVMIsAGetElementPtrInst(instruction) ||
      LLVMIsALoadInst(instruction);
  return is_pure && are_uses_aside(aside, instruction);
}

bool is_for_annotations(Builder *builder, LLVMValueRef instruction) {
  if (builder->is_quiet)
    return true;
  if (!builder->has_annotations || !LLVMGetFirstUse(instruction))
    return false;
  Aside aside = {.builder = builder};
  return is_aside(&aside, instruction);
}
