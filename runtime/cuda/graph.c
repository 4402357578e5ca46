// Graphs: work with an order, which is done when the graph is launched.
//
// A node keeps what it is to do, with copies of a kernel's arguments; a graph
// that is ready to be launched is a copy of another, sorted.  Nodes are done
// one after the other, each after those before it, which is one of the orders
// that a device may take.  Memory that a graph takes has its addresses from the
// start and is there only between the nodes that take and give it.

#include "runtime/cuda/cuda.h"

#include <stdlib.h>
#include <string.h>

CudaGraph *work_new(void) {
  static unsigned long long number;
  CudaGraph *graph = calloc(1, sizeof *graph);
  if (graph)
    graph->number = ++number;
  return graph;
}

void work_free(CudaGraph *graph) {
  for (size_t i = 0; i < graph->nodes.count; i++)
    if (graph->nodes.at[i]->child)
      work_free(graph->nodes.at[i]->child);
  arena_free(&graph->arena);
  free(graph);
}

CudaCopy copy_of_line(void *to, const void *from, uint64_t bytes, int kind) {
  return (CudaCopy){.to = {to, bytes, bytes, 1},
                    .from = {(void *)(uintptr_t)from, bytes, bytes, 1},
                    .extent = {bytes, 1, 1},
                    .kind = kind};
}

// ------------------------------------------------------------------- nodes ---

// The arguments of a launch are the caller's only until it returns.
static CudaError keep_arguments(Arena *arena, CudaLaunch *launch) {
  CudaError error = cudaSuccess;
  const CudaKernel *kernel = cuda_ready_kernel(launch->kernel, &error);
  if (!kernel)
    return error;
  size_t count = kernel->made.code->parameters.count;
  void **kept = arena_alloc(arena, (count + 1) * sizeof *kept);
  for (size_t i = 0; i < count; i++) {
    unsigned bytes = kernel->made.code->parameters.at[i].bytes;
    kept[i] = arena_alloc(arena, bytes);
    memcpy(kept[i], launch->arguments[i], bytes);
  }
  launch->arguments = kept;
  return cudaSuccess;
}

CudaError work_fill(GraphNode *node, const GraphNode *from) {
  Arena *arena = &node->graph->arena;
  CudaError error = cudaSuccess;
  CudaLaunch launch = from->launch;
  if (from->kind == NODE_KERNEL)
    error = keep_arguments(arena, &launch);
  if (error)
    return error;
  CudaGraph *child = from->child ? work_copy(from->child) : NULL;
  if (from->child && !child)
    return cudaErrorMemoryAllocation;
  if (node->child)
    work_free(node->child);
  node->launch = launch;
  node->copy = from->copy;
  node->fill = from->fill;
  node->host = from->host;
  node->event = from->event;
  node->memory = from->memory;
  node->child = child;
  return cudaSuccess;
}

CudaError work_add(CudaGraph *graph, const GraphNode *node,
                   GraphNode *const *before, size_t count, GraphNode **made) {
  GraphNode *added = NEW(&graph->arena, GraphNode);
  added->kind = node->kind;
  added->graph = graph;
  CudaError error = work_fill(added, node);
  for (size_t i = 0; i < count && !error; i++) {
    if (before[i]->graph != graph)
      return cudaErrorInvalidValue;
    push(&graph->arena, &added->before, before[i]);
  }
  if (error)
    return error;
  push(&graph->arena, &graph->nodes, added);
  *made = added;
  return cudaSuccess;
}

// ------------------------------------------------------------------ copies ---

static GraphNode *copy_in(const CudaGraph *graph, const GraphNode *origin) {
  for (size_t i = 0; i < graph->nodes.count; i++)
    if (graph->nodes.at[i]->origin == origin)
      return graph->nodes.at[i];
  return NULL;
}

CudaGraph *work_copy(const CudaGraph *graph) {
  CudaGraph *made = work_new();
  GraphNode *copy = NULL;
  for (size_t i = 0; made && i < graph->nodes.count; i++) {
    if (work_add(made, graph->nodes.at[i], NULL, 0, &copy)) {
      work_free(made);
      return NULL;
    }
    copy->origin = graph->nodes.at[i];
    copy->is_off = graph->nodes.at[i]->is_off;
  }
  for (size_t i = 0; made && i < graph->nodes.count; i++) {
    const GraphNodes *before = &graph->nodes.at[i]->before;
    for (size_t n = 0; n < before->count; n++)
      push(&made->arena, &made->nodes.at[i]->before,
           copy_in(made, before->at[n]));
  }
  return made;
}

static bool is_ready(const GraphNode *node) {
  for (size_t i = 0; i < node->before.count; i++)
    if (!node->before.at[i]->is_marked)
      return false;
  return !node->is_marked;
}

bool work_sort(CudaGraph *graph) {
  GraphNodes sorted = {0};
  bool is_moving = true;
  for (size_t i = 0; i < graph->nodes.count; i++) {
    GraphNode *node = graph->nodes.at[i];
    node->is_marked = false;
    if (node->child && !work_sort(node->child))
      return false;
  }
  while (is_moving) {
    is_moving = false;
    for (size_t i = 0; i < graph->nodes.count; i++)
      if (is_ready(graph->nodes.at[i])) {
        graph->nodes.at[i]->is_marked = is_moving = true;
        push(&graph->arena, &sorted, graph->nodes.at[i]);
      }
  }
  bool is_whole = sorted.count == graph->nodes.count;
  if (is_whole)
    graph->nodes = sorted;
  return is_whole;
}

// --------------------------------------------------------------- execution ---

// With the lock held.
static CudaError execute_here(const GraphNode *node) {
  switch (node->kind) {
  case NODE_COPY:
    return copy_3d(&node->copy);
  case NODE_FILL:
    return copy_fill(&node->fill);
  case NODE_RECORD:
    event_happens(node->event);
    return cudaSuccess;
  case NODE_TAKE:
    return memory_revive(node->memory);
  case NODE_GIVE:
    return memory_give(node->memory, ALLOCATION_DEVICE);
  case NODE_EMPTY:
  case NODE_WAIT:
  case NODE_KERNEL:
  case NODE_HOST:
  case NODE_GRAPH:
    break;
  }
  return cudaSuccess;
}

// Functions of the program run without the lock.
CudaError work_execute(const GraphNode *node) {
  if (node->is_off)
    return cudaSuccess;
  if (node->kind == NODE_KERNEL)
    return cuda_launch(&node->launch);
  if (node->kind == NODE_GRAPH)
    return work_execute_all(node->child);
  CudaError error = cuda_begin();
  if (!error)
    error = execute_here(node);
  cuda_end(error);
  if (!error && node->kind == NODE_HOST)
    node->host.call(node->host.data);
  return error;
}

CudaError work_execute_all(const CudaGraph *graph) {
  CudaError error = cudaSuccess;
  for (size_t i = 0; i < graph->nodes.count && !error; i++)
    error = work_execute(graph->nodes.at[i]);
  return error;
}
