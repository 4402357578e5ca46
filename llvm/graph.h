// Control-flow graphs as numbers: what the front end needs to know of a
// function's shape before it translates or cuts it.

#ifndef LLVM_GRAPH_H
#define LLVM_GRAPH_H

#include "base/base.h"

typedef Vec(unsigned) Numbers;

enum { GRAPH_NONE = 0x7fffffff };

// Nodes are 0 .. count-1; node 0 is the entry.
typedef struct Graph {
  unsigned count;
  Numbers *out, *in; // per node, filled by the caller through graph_add_edge

  // Filled by graph_analyse.  Unreachable nodes have position GRAPH_NONE.
  Numbers order;            // reverse post-order of the reachable nodes
  unsigned *position;       // node -> index in order
  unsigned *dominator;      // immediate one, GRAPH_NONE for the entry
  unsigned *post_dominator; // immediate one when back edges are cut, or NONE
  bool is_reducible;
  unsigned loop_count;
  struct GraphLoop *loops; // outer before inner
} Graph;

typedef struct GraphLoop {
  unsigned header;
  unsigned parent; // index of the loop around it, or GRAPH_NONE
  bool *contains;  // per node
} GraphLoop;

Graph *graph_new(Task *task, unsigned count);
void graph_add_edge(Task *task, Graph *graph, unsigned from, unsigned to);
void graph_analyse(Task *task, Graph *graph);

bool graph_dominates(const Graph *graph, unsigned above, unsigned below);
// Every way from `from` that stays in one iteration passes `through`.
bool graph_must_pass(const Graph *graph, unsigned from, unsigned through);
// Per node: each way from there goes on for ever.
bool *graph_endless(Task *task, const Graph *graph);
// Per node: where its ways meet that go round no loop.
unsigned *graph_ends(Task *task, const Graph *graph);
bool graph_is_back_edge(const Graph *graph, unsigned from, unsigned to);
// The innermost loop of a node, or GRAPH_NONE.
unsigned graph_loop_of(const Graph *graph, unsigned node);

#endif
