// The calls that make graphs by hand, change them and launch them.

#include "runtime/cuda/cuda.h"

#include <stdlib.h>
#include <string.h>

struct CudaGraphExec {
  CudaGraph *graph; // sorted
  unsigned long long flags;
};

// cudaMemAllocNodeParams
typedef struct TakeNode {
  char pool[88];
  const void *access;
  size_t access_count, bytes;
  void *at;
} TakeNode;

// cudaGraphExecUpdateResultInfo
typedef struct UpdateResult {
  int result;
  GraphNode *node, *from;
} UpdateResult;

enum { UPDATE_DONE = 0, UPDATE_OTHER_SHAPE = 2, UPDATE_OTHER_KIND = 3 };

// ------------------------------------------------------------------ graphs ---

static CudaError create(CudaGraph **graph) {
  *graph = work_new();
  return *graph ? cudaSuccess : cudaErrorMemoryAllocation;
}

CALL(cudaGraphCreate, CudaGraph **graph, unsigned flags) {
  (void)flags;
  ANSWER(create(graph));
}

static CudaError destroy(CudaGraph *graph) {
  if (!graph)
    return cudaErrorInvalidValue;
  work_free(graph);
  return cudaSuccess;
}

CALL(cudaGraphDestroy, CudaGraph *graph) { ANSWER(destroy(graph)); }

static CudaError clone(CudaGraph **made, const CudaGraph *graph) {
  *made = work_copy(graph);
  return *made ? cudaSuccess : cudaErrorMemoryAllocation;
}

CALL(cudaGraphClone, CudaGraph **made, CudaGraph *graph) {
  ANSWER(clone(made, graph));
}

// ------------------------------------------------------------------- nodes ---

static CudaError add(GraphNode **made, CudaGraph *graph,
                     GraphNode *const *before, size_t count,
                     const GraphNode *node) {
  return graph && made ? work_add(graph, node, before, count, made)
                       : cudaErrorInvalidValue;
}

static GraphNode of_kernel(const CudaKernelNode *given) {
  return (GraphNode){.kind = NODE_KERNEL,
                     .launch = {given->kernel, given->grid, given->block,
                                given->arguments, given->shared, false}};
}

CALL(cudaGraphAddKernelNode, GraphNode **made, CudaGraph *graph,
     GraphNode *const *before, size_t count, const CudaKernelNode *given) {
  GraphNode node = of_kernel(given);
  if (given->extra)
    return cuda_unanswered("cudaGraphAddKernelNode with extra");
  ANSWER(add(made, graph, before, count, &node));
}

CALL(cudaGraphAddMemcpyNode, GraphNode **made, CudaGraph *graph,
     GraphNode *const *before, size_t count, const CudaCopy *copy) {
  GraphNode node = {.kind = NODE_COPY, .copy = *copy};
  ANSWER(add(made, graph, before, count, &node));
}

CALL(cudaGraphAddMemcpyNode1D, GraphNode **made, CudaGraph *graph,
     GraphNode *const *before, size_t count, void *to, const void *from,
     size_t bytes, int kind) {
  GraphNode node = {.kind = NODE_COPY,
                    .copy = copy_of_line(to, from, bytes, kind)};
  ANSWER(add(made, graph, before, count, &node));
}

CALL(cudaGraphAddMemcpyNodeToSymbol, GraphNode **made, CudaGraph *graph,
     GraphNode *const *before, size_t count, const void *symbol,
     const void *from, size_t bytes, size_t offset, int kind) {
  char *at = NULL;
  CudaError error = cuda_begin();
  if (!error)
    error = copy_symbol(symbol, offset, bytes, &at);
  GraphNode node = {.kind = NODE_COPY,
                    .copy = copy_of_line(at, from, bytes, kind)};
  return cuda_end(error ? error : add(made, graph, before, count, &node));
}

CALL(cudaGraphAddMemcpyNodeFromSymbol, GraphNode **made, CudaGraph *graph,
     GraphNode *const *before, size_t count, void *to, const void *symbol,
     size_t bytes, size_t offset, int kind) {
  char *at = NULL;
  CudaError error = cuda_begin();
  if (!error)
    error = copy_symbol(symbol, offset, bytes, &at);
  GraphNode node = {.kind = NODE_COPY,
                    .copy = copy_of_line(to, at, bytes, kind)};
  return cuda_end(error ? error : add(made, graph, before, count, &node));
}

CALL(cudaGraphAddMemsetNode, GraphNode **made, CudaGraph *graph,
     GraphNode *const *before, size_t count, const CudaFill *fill) {
  GraphNode node = {.kind = NODE_FILL, .fill = *fill};
  ANSWER(add(made, graph, before, count, &node));
}

CALL(cudaGraphAddHostNode, GraphNode **made, CudaGraph *graph,
     GraphNode *const *before, size_t count, const CudaHostNode *host) {
  GraphNode node = {.kind = NODE_HOST, .host = *host};
  ANSWER(add(made, graph, before, count, &node));
}

CALL(cudaGraphAddEmptyNode, GraphNode **made, CudaGraph *graph,
     GraphNode *const *before, size_t count) {
  GraphNode node = {.kind = NODE_EMPTY};
  ANSWER(add(made, graph, before, count, &node));
}

CALL(cudaGraphAddChildGraphNode, GraphNode **made, CudaGraph *graph,
     GraphNode *const *before, size_t count, CudaGraph *child) {
  GraphNode node = {.kind = NODE_GRAPH, .child = child};
  ANSWER(child ? add(made, graph, before, count, &node)
               : cudaErrorInvalidValue);
}

CALL(cudaGraphAddEventRecordNode, GraphNode **made, CudaGraph *graph,
     GraphNode *const *before, size_t count, CudaEvent *event) {
  GraphNode node = {.kind = NODE_RECORD, .event = event};
  ANSWER(add(made, graph, before, count, &node));
}

CALL(cudaGraphAddEventWaitNode, GraphNode **made, CudaGraph *graph,
     GraphNode *const *before, size_t count, CudaEvent *event) {
  GraphNode node = {.kind = NODE_WAIT, .event = event};
  ANSWER(add(made, graph, before, count, &node));
}

static CudaError add_taking(GraphNode **made, CudaGraph *graph,
                            GraphNode *const *before, size_t count,
                            TakeNode *given) {
  GraphNode node = {.kind = NODE_TAKE};
  CudaError error = memory_take(ALLOCATION_DEVICE, &node.memory, given->bytes);
  if (error || !node.memory)
    return error ? error : cudaErrorInvalidValue;
  memory_find(node.memory)->is_reserved = true;
  memory_give(node.memory, ALLOCATION_DEVICE);
  given->at = node.memory;
  return add(made, graph, before, count, &node);
}

CALL(cudaGraphAddMemAllocNode, GraphNode **made, CudaGraph *graph,
     GraphNode *const *before, size_t count, TakeNode *given) {
  ANSWER(add_taking(made, graph, before, count, given));
}

CALL(cudaGraphAddMemFreeNode, GraphNode **made, CudaGraph *graph,
     GraphNode *const *before, size_t count, void *at) {
  GraphNode node = {.kind = NODE_GIVE, .memory = at};
  ANSWER(add(made, graph, before, count, &node));
}

// ------------------------------------------------------------- dependencies
// ---

// Since CUDA 13 there is an argument before the count; a pointer is no count.
static size_t count_of(uintptr_t fourth, size_t fifth) {
  const uintptr_t most_edges = 1 << 20;
  return fourth && fourth < most_edges ? fourth : fifth;
}

CALL(cudaGraphAddDependencies, CudaGraph *graph, GraphNode *const *from,
     GraphNode *const *to, uintptr_t fourth, size_t fifth) {
  CudaError error = cuda_begin();
  size_t count = count_of(fourth, fifth);
  for (size_t i = 0; i < count && !error; i++) {
    if (from[i]->graph != graph || to[i]->graph != graph)
      error = cudaErrorInvalidValue;
    else
      push(&graph->arena, &to[i]->before, from[i]);
  }
  return cuda_end(error);
}

static CudaError list(const CudaGraph *graph, GraphNode **nodes, size_t *count,
                      bool only_roots) {
  size_t found = 0;
  for (size_t i = 0; i < graph->nodes.count; i++) {
    GraphNode *node = graph->nodes.at[i];
    if (only_roots && node->before.count)
      continue;
    if (nodes && found < *count)
      nodes[found] = node;
    found++;
  }
  if (!nodes || found < *count)
    *count = found;
  return cudaSuccess;
}

CALL(cudaGraphGetNodes, CudaGraph *graph, GraphNode **nodes, size_t *count) {
  ANSWER(list(graph, nodes, count, false));
}

CALL(cudaGraphGetRootNodes, CudaGraph *graph, GraphNode **nodes,
     size_t *count) {
  ANSWER(list(graph, nodes, count, true));
}

CALL(cudaGraphNodeGetType, GraphNode *node, int *kind) {
  *kind = (int)node->kind;
  ANSWER(cudaSuccess);
}

CALL(cudaGraphChildGraphNodeGetGraph, GraphNode *node, CudaGraph **graph) {
  *graph = node->child;
  ANSWER(node->child ? cudaSuccess : cudaErrorInvalidValue);
}

// ---------------------------------------------------------------- executable
// ---

static CudaError instantiate(CudaGraphExec **made, const CudaGraph *graph,
                             unsigned long long flags) {
  CudaGraphExec *exec = calloc(1, sizeof *exec);
  CudaGraph *copy = graph ? work_copy(graph) : NULL;
  if (exec && copy && work_sort(copy)) {
    *exec = (CudaGraphExec){copy, flags};
    *made = exec;
    return cudaSuccess;
  }
  if (copy)
    work_free(copy);
  free(exec);
  return cudaErrorInvalidValue;
}

CALL(cudaGraphInstantiate, CudaGraphExec **exec, CudaGraph *graph,
     unsigned long long flags) {
  ANSWER(instantiate(exec, graph, flags));
}

CALL(cudaGraphInstantiateWithFlags, CudaGraphExec **exec, CudaGraph *graph,
     unsigned long long flags) {
  ANSWER(instantiate(exec, graph, flags));
}

CALL(cudaGraphExecGetFlags, CudaGraphExec *exec, unsigned long long *flags) {
  *flags = exec->flags;
  ANSWER(cudaSuccess);
}

static CudaError drop(CudaGraphExec *exec) {
  if (!exec)
    return cudaErrorInvalidValue;
  work_free(exec->graph);
  free(exec);
  return cudaSuccess;
}

CALL(cudaGraphExecDestroy, CudaGraphExec *exec) { ANSWER(drop(exec)); }

// In a captured stream it is a part of that graph.
STREAM_CALL(cudaGraphLaunch, CudaGraphExec *exec, CudaStream *stream) {
  GraphNode node = {.kind = NODE_GRAPH, .child = exec ? exec->graph : NULL};
  return exec ? cuda_submit(stream, &node) : cudaErrorInvalidValue;
}

STREAM_CALL(cudaGraphUpload, CudaGraphExec *exec, CudaStream *stream) {
  (void)stream;
  ANSWER(exec ? cudaSuccess : cudaErrorInvalidValue);
}

// ------------------------------------------------------------------ changes
// ---

static GraphNode *find_in(const CudaGraph *graph, const GraphNode *origin) {
  GraphNode *found = NULL;
  for (size_t i = 0; i < graph->nodes.count && !found; i++) {
    GraphNode *node = graph->nodes.at[i];
    if (node->origin == origin)
      found = node;
    else if (node->child)
      found = find_in(node->child, origin);
  }
  return found;
}

// exec NULL: of the graph that the node is of.
static CudaError change(const CudaGraphExec *exec, GraphNode *node,
                        const GraphNode *to) {
  GraphNode *found = exec ? find_in(exec->graph, node) : node;
  if (!found || found->kind != to->kind)
    return cudaErrorInvalidValue;
  return work_fill(found, to);
}

CALL(cudaGraphExecKernelNodeSetParams, CudaGraphExec *exec, GraphNode *node,
     const CudaKernelNode *given) {
  GraphNode to = of_kernel(given);
  ANSWER(change(exec, node, &to));
}

CALL(cudaGraphKernelNodeSetParams, GraphNode *node,
     const CudaKernelNode *given) {
  GraphNode to = of_kernel(given);
  ANSWER(change(NULL, node, &to));
}

CALL(cudaGraphKernelNodeGetParams, GraphNode *node, CudaKernelNode *given) {
  *given = (CudaKernelNode){
      node->launch.kernel,           node->launch.grid,      node->launch.block,
      (unsigned)node->launch.shared, node->launch.arguments, NULL};
  ANSWER(node->kind == NODE_KERNEL ? cudaSuccess : cudaErrorInvalidValue);
}

CALL(cudaGraphExecMemcpyNodeSetParams, CudaGraphExec *exec, GraphNode *node,
     const CudaCopy *copy) {
  GraphNode to = {.kind = NODE_COPY, .copy = *copy};
  ANSWER(change(exec, node, &to));
}

CALL(cudaGraphMemcpyNodeSetParams, GraphNode *node, const CudaCopy *copy) {
  GraphNode to = {.kind = NODE_COPY, .copy = *copy};
  ANSWER(change(NULL, node, &to));
}

CALL(cudaGraphMemcpyNodeGetParams, GraphNode *node, CudaCopy *copy) {
  *copy = node->copy;
  ANSWER(node->kind == NODE_COPY ? cudaSuccess : cudaErrorInvalidValue);
}

CALL(cudaGraphExecMemcpyNodeSetParams1D, CudaGraphExec *exec, GraphNode *node,
     void *to_at, const void *from, size_t bytes, int kind) {
  GraphNode to = {.kind = NODE_COPY,
                  .copy = copy_of_line(to_at, from, bytes, kind)};
  ANSWER(change(exec, node, &to));
}

CALL(cudaGraphExecMemsetNodeSetParams, CudaGraphExec *exec, GraphNode *node,
     const CudaFill *fill) {
  GraphNode to = {.kind = NODE_FILL, .fill = *fill};
  ANSWER(change(exec, node, &to));
}

CALL(cudaGraphMemsetNodeSetParams, GraphNode *node, const CudaFill *fill) {
  GraphNode to = {.kind = NODE_FILL, .fill = *fill};
  ANSWER(change(NULL, node, &to));
}

CALL(cudaGraphMemsetNodeGetParams, GraphNode *node, CudaFill *fill) {
  *fill = node->fill;
  ANSWER(node->kind == NODE_FILL ? cudaSuccess : cudaErrorInvalidValue);
}

CALL(cudaGraphExecHostNodeSetParams, CudaGraphExec *exec, GraphNode *node,
     const CudaHostNode *host) {
  GraphNode to = {.kind = NODE_HOST, .host = *host};
  ANSWER(change(exec, node, &to));
}

CALL(cudaGraphExecChildGraphNodeSetParams, CudaGraphExec *exec, GraphNode *node,
     CudaGraph *child) {
  GraphNode to = {.kind = NODE_GRAPH, .child = child};
  ANSWER(change(exec, node, &to));
}

CALL(cudaGraphNodeSetEnabled, CudaGraphExec *exec, GraphNode *node,
     unsigned is_on) {
  CudaError error = cuda_begin();
  GraphNode *found = error ? NULL : find_in(exec->graph, node);
  if (found)
    found->is_off = !is_on;
  return cuda_end(error || found ? error : cudaErrorInvalidValue);
}

CALL(cudaGraphNodeGetEnabled, CudaGraphExec *exec, GraphNode *node,
     unsigned *is_on) {
  CudaError error = cuda_begin();
  const GraphNode *found = error ? NULL : find_in(exec->graph, node);
  if (found)
    *is_on = !found->is_off;
  return cuda_end(error || found ? error : cudaErrorInvalidValue);
}

// Node by node in the order of their making; the shape must be the same.
static int compare(const CudaGraph *old, const CudaGraph *new) {
  if (old->nodes.count != new->nodes.count)
    return UPDATE_OTHER_SHAPE;
  for (size_t i = 0; i < old->nodes.count; i++) {
    const GraphNode *a = old->nodes.at[i], *b = new->nodes.at[i];
    if (a->kind != b->kind)
      return UPDATE_OTHER_KIND;
    if (a->before.count != b->before.count)
      return UPDATE_OTHER_SHAPE;
  }
  return UPDATE_DONE;
}

static CudaError update(CudaGraphExec *exec, const CudaGraph *graph,
                        UpdateResult *result) {
  CudaGraph *copy = work_copy(graph);
  if (!copy || !work_sort(copy)) {
    if (copy)
      work_free(copy);
    return cudaErrorInvalidValue;
  }
  *result = (UpdateResult){compare(exec->graph, copy), NULL, NULL};
  for (size_t i = 0; i < copy->nodes.count && result->result == UPDATE_DONE;
       i++)
    work_fill(exec->graph->nodes.at[i], copy->nodes.at[i]);
  work_free(copy);
  return result->result == UPDATE_DONE ? cudaSuccess
                                       : cudaErrorGraphExecUpdateFailure;
}

CALL(cudaGraphExecUpdate, CudaGraphExec *exec, CudaGraph *graph,
     UpdateResult *result) {
  ANSWER(update(exec, graph, result));
}
