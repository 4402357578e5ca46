// Ways through the kernel, statement by statement.

#include "translator/handover.h"

typedef struct Walk {
  const Kernel *kernel;
  const Loop *within;
  StmtTest *is_end, *cuts;
  const void *end_data, *data;
  bool *seen; // by BasicBlock.index
  Vec(const BasicBlock *) work;
} Walk;

const Loop *ways_common_loop(const Stmt *a, const Stmt *b) {
  const Loop *loop = a->block->loop;
  while (loop && !loop_contains(loop, b->block))
    loop = loop->parent;
  return loop;
}

typedef enum Passage { PASSES, CUT, ENDS } Passage;

// The statements of the block from that index on.
static Passage pass(const Walk *walk, const BasicBlock *block, size_t first) {
  for (size_t i = first; i < block->stmts.count; i++) {
    const Stmt *stmt = block->stmts.at[i];
    if (walk->is_end(stmt, walk->end_data))
      return ENDS;
    if (walk->cuts && walk->cuts(stmt, walk->data))
      return CUT;
  }
  return PASSES;
}

// Does the edge stay in the iteration?
static bool stays(const Edge *edge, const Loop *within) {
  return !within || (loop_contains(within, edge->to) &&
                     !(edge->is_back && edge->to == within->header));
}

static void go_on(Task *task, Walk *walk, const BasicBlock *block) {
  for (size_t i = 0; i < block->out.count; i++) {
    const BasicBlock *next = block->out.at[i]->to;
    if (walk->seen[next->index] || !stays(block->out.at[i], walk->within))
      continue;
    walk->seen[next->index] = true;
    push(&task->arena, &walk->work, next);
  }
}

static bool walk_on(Task *task, Walk *walk) {
  Passage passage = PASSES;
  while (passage != ENDS && walk->work.count) {
    const BasicBlock *block = walk->work.at[--walk->work.count];
    passage = pass(walk, block, 0);
    if (passage == PASSES)
      go_on(task, walk, block);
  }
  return passage == ENDS;
}

static bool walk_from(Task *task, Walk *walk, const Stmt *from) {
  size_t first = 0;
  walk->seen = arena_alloc(&task->arena, walk->kernel->blocks.count);
  while (from->block->stmts.at[first] != from)
    first++;
  Passage passage = pass(walk, from->block, first + 1);
  if (passage == PASSES)
    go_on(task, walk, from->block);
  return passage == ENDS || walk_on(task, walk);
}

static bool is_one(const Stmt *stmt, const void *data) { return stmt == data; }

bool way_exists(Task *task, const Kernel *kernel, const Stmt *from,
                const Stmt *to, const Loop *within, StmtTest *cuts,
                const void *data) {
  Walk walk = {.kernel = kernel,
               .within = within,
               .is_end = is_one,
               .end_data = to,
               .cuts = cuts,
               .data = data};
  return walk_from(task, &walk, from);
}

bool way_exists_from(Task *task, const Kernel *kernel, const BasicBlock *from,
                     const Stmt *to) {
  Walk walk = {.kernel = kernel, .is_end = is_one, .end_data = to};
  walk.seen = arena_alloc(&task->arena, kernel->blocks.count);
  push(&task->arena, &walk.work, from);
  return walk_on(task, &walk);
}

bool way_exists_to(Task *task, const Kernel *kernel, const Stmt *from,
                   StmtTest *is_meant, StmtTest *cuts, const void *data) {
  Walk walk = {.kernel = kernel,
               .is_end = is_meant,
               .end_data = data,
               .cuts = cuts,
               .data = data};
  return walk_from(task, &walk, from);
}

bool is_full_fence(const Stmt *stmt, const void *data) {
  return stmt->kind == STMT_FENCE && stmt->is_full &&
         stmt->scope >= *(const Scope *)data;
}

bool way_is_fenced(Task *task, const Kernel *kernel, const Stmt *from,
                   const Stmt *to, const Loop *within, Scope scope) {
  return !way_exists(task, kernel, from, to, within, is_full_fence, &scope);
}

bool is_block_barrier(const Stmt *stmt, const void *data) {
  (void)data;
  return stmt->kind == STMT_BARRIER && (stmt->barrier.kind == BARRIER_BLOCK ||
                                        stmt->barrier.kind == BARRIER_GRID);
}
