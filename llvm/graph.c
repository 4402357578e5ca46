// Order, dominators, natural loops.
//
// Dominators are those of Cooper, Harvey and Kennedy ("A Simple, Fast Dominance
// Algorithm", 2001).  A back edge goes to a node that dominates its source; a
// graph is reducible if every edge against the order is one.  Post-dominators
// are taken in the graph without back edges: there every way ends, in a return
// or at a latch, so they tell which basic blocks a thread cannot miss in the
// current iteration.

#include "llvm/graph.h"

#include <assert.h>
#include <string.h>

Graph *graph_new(Task *task, unsigned count) {
  Graph *graph = NEW(&task->arena, Graph);
  graph->count = count;
  graph->out = arena_alloc(&task->arena, count * sizeof *graph->out);
  graph->in = arena_alloc(&task->arena, count * sizeof *graph->in);
  return graph;
}

void graph_add_edge(Task *task, Graph *graph, unsigned from, unsigned to) {
  assert(from < graph->count && to < graph->count);
  push(&task->arena, &graph->out[from], to);
  push(&task->arena, &graph->in[to], from);
}

static unsigned *new_numbers(Task *task, unsigned count, unsigned value) {
  unsigned *numbers = arena_alloc(&task->arena, count * sizeof *numbers);
  for (unsigned i = 0; i < count; i++)
    numbers[i] = value;
  return numbers;
}

// Depth first without recursion: `next` is the edge to look at in each node.
static void find_order(Task *task, Graph *graph) {
  unsigned *next = new_numbers(task, graph->count, 0);
  bool *seen = arena_alloc(&task->arena, graph->count);
  Numbers stack = {0}, finished = {0};
  push(&task->arena, &stack, 0);
  seen[0] = true;
  while (stack.count) {
    unsigned node = stack.at[stack.count - 1];
    if (next[node] == graph->out[node].count) {
      push(&task->arena, &finished, node);
      stack.count--;
      continue;
    }
    unsigned to = graph->out[node].at[next[node]++];
    if (!seen[to]) {
      seen[to] = true;
      push(&task->arena, &stack, to);
    }
  }
  graph->position = new_numbers(task, graph->count, GRAPH_NONE);
  for (size_t i = finished.count; i-- > 0;) {
    graph->position[finished.at[i]] = (unsigned)graph->order.count;
    push(&task->arena, &graph->order, finished.at[i]);
  }
}

// The nearest common ancestor in a tree whose parents have smaller (or, for
// post-dominators, larger) positions.
static unsigned meet(const unsigned *parent, const unsigned *position,
                     unsigned a, unsigned b, bool upwards) {
  while (a != b) {
    if (a == GRAPH_NONE || b == GRAPH_NONE)
      return GRAPH_NONE;
    bool a_is_deeper =
        upwards ? position[a] < position[b] : position[a] > position[b];
    if (a_is_deeper)
      a = parent[a];
    else
      b = parent[b];
  }
  return a;
}

static bool update_dominator(Graph *graph, unsigned node) {
  unsigned best = GRAPH_NONE;
  for (size_t i = 0; i < graph->in[node].count; i++) {
    unsigned from = graph->in[node].at[i];
    bool is_ready = from == 0 || graph->dominator[from] != GRAPH_NONE;
    if (graph->position[from] == GRAPH_NONE || !is_ready)
      continue;
    best = best == GRAPH_NONE
               ? from
               : meet(graph->dominator, graph->position, best, from, false);
  }
  bool changed = graph->dominator[node] != best;
  graph->dominator[node] = best;
  return changed;
}

static void find_dominators(Task *task, Graph *graph) {
  graph->dominator = new_numbers(task, graph->count, GRAPH_NONE);
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 1; i < graph->order.count; i++)
      changed |= update_dominator(graph, graph->order.at[i]);
  }
}

bool graph_dominates(const Graph *graph, unsigned above, unsigned below) {
  while (below != GRAPH_NONE && below != above)
    below = graph->dominator[below];
  return below == above;
}

bool graph_is_back_edge(const Graph *graph, unsigned from, unsigned to) {
  return graph_dominates(graph, to, from);
}

static void check_reducible(Graph *graph) {
  graph->is_reducible = true;
  for (size_t i = 0; i < graph->order.count; i++) {
    unsigned node = graph->order.at[i];
    for (size_t k = 0; k < graph->out[node].count; k++) {
      unsigned to = graph->out[node].at[k];
      if (graph->position[to] <= graph->position[node] &&
          !graph_is_back_edge(graph, node, to))
        graph->is_reducible = false;
    }
  }
}

// One pass is enough: without back edges, successors come later in the order.
// What is left out is where all ways lead to latches.
static unsigned *post_dominators(Task *task, const Graph *graph,
                                 bool with_latches) {
  unsigned *nearest = new_numbers(task, graph->count, GRAPH_NONE);
  bool *is_left_out = arena_alloc(&task->arena, graph->count);
  for (size_t i = graph->order.count; i-- > 0;) {
    unsigned node = graph->order.at[i], best = GRAPH_NONE;
    bool is_first = true;
    for (size_t k = 0; k < graph->out[node].count; k++) {
      unsigned to = graph->out[node].at[k];
      bool is_back = graph_is_back_edge(graph, node, to);
      unsigned next = is_back ? GRAPH_NONE : to;
      if (!with_latches && (is_back || is_left_out[to]))
        continue;
      best = is_first ? next : meet(nearest, graph->position, best, next, true);
      is_first = false;
    }
    nearest[node] = best;
    is_left_out[node] = is_first && graph->out[node].count;
  }
  return nearest;
}

unsigned *graph_ends(Task *task, const Graph *graph) {
  return post_dominators(task, graph, false);
}

bool *graph_endless(Task *task, const Graph *graph) {
  bool *is_endless = arena_alloc(&task->arena, graph->count);
  Numbers work = {0};
  for (unsigned node = 0; node < graph->count; node++) {
    is_endless[node] = graph->out[node].count > 0;
    if (!is_endless[node])
      push(&task->arena, &work, node);
  }
  while (work.count) {
    const Numbers *in = &graph->in[work.at[--work.count]];
    for (size_t i = 0; i < in->count; i++) {
      if (!is_endless[in->at[i]])
        continue;
      is_endless[in->at[i]] = false;
      push(&task->arena, &work, in->at[i]);
    }
  }
  return is_endless;
}

bool graph_must_pass(const Graph *graph, unsigned from, unsigned through) {
  while (from != GRAPH_NONE && from != through)
    from = graph->post_dominator[from];
  return from == through;
}

// Everything that reaches `latch` without passing the header.
static void fill_loop(Task *task, Graph *graph, GraphLoop *loop,
                      unsigned latch) {
  Numbers work = {0};
  push(&task->arena, &work, latch);
  loop->contains[loop->header] = true;
  while (work.count) {
    unsigned node = work.at[--work.count];
    if (loop->contains[node] || graph->position[node] == GRAPH_NONE)
      continue;
    loop->contains[node] = true;
    for (size_t i = 0; i < graph->in[node].count; i++)
      push(&task->arena, &work, graph->in[node].at[i]);
  }
}

// Headers in reverse post-order, so outer loops come before inner ones.
static void find_loops(Task *task, Graph *graph) {
  Vec(GraphLoop) loops = {0};
  for (size_t i = 0; i < graph->order.count; i++) {
    unsigned header = graph->order.at[i];
    GraphLoop loop = {.header = header, .parent = GRAPH_NONE};
    for (size_t k = 0; k < graph->in[header].count; k++) {
      unsigned latch = graph->in[header].at[k];
      if (graph->position[latch] == GRAPH_NONE ||
          !graph_is_back_edge(graph, latch, header))
        continue;
      if (!loop.contains)
        loop.contains = arena_alloc(&task->arena, graph->count);
      fill_loop(task, graph, &loop, latch);
    }
    if (!loop.contains)
      continue;
    for (unsigned outer = 0; outer < loops.count; outer++)
      if (loops.at[outer].contains[header])
        loop.parent = outer;
    push(&task->arena, &loops, loop);
  }
  graph->loops = loops.at;
  graph->loop_count = (unsigned)loops.count;
}

unsigned graph_loop_of(const Graph *graph, unsigned node) {
  unsigned innermost = GRAPH_NONE;
  for (unsigned i = 0; i < graph->loop_count; i++)
    if (graph->loops[i].contains[node])
      innermost = i;
  return innermost;
}

void graph_analyse(Task *task, Graph *graph) {
  find_order(task, graph);
  find_dominators(task, graph);
  check_reducible(graph);
  if (!graph->is_reducible)
    return;
  graph->post_dominator = post_dominators(task, graph, true);
  find_loops(task, graph);
}
