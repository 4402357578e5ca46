// The basic blocks of a function as a graph: a node's number is that of its
// block in the function's order.

#include "llvm/core.h"
#include "llvm/graph.h"

unsigned llvm_node(const LLVMBasicBlockRef *blocks, LLVMBasicBlockRef block) {
  unsigned node = 0;
  while (blocks[node] != block)
    node++;
  return node;
}

Graph *llvm_block_graph(Task *task, LLVMValueRef function,
                        LLVMBasicBlockRef **blocks) {
  unsigned count = LLVMCountBasicBlocks(function);
  Graph *graph = graph_new(task, count);
  *blocks = arena_alloc(&task->arena, count * sizeof **blocks);
  LLVMGetBasicBlocks(function, *blocks);
  for (unsigned from = 0; from < count; from++) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator((*blocks)[from]);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
      graph_add_edge(task, graph, from,
                     llvm_node(*blocks, LLVMGetSuccessor(end, i)));
  }
  graph_analyse(task, graph);
  return graph;
}
