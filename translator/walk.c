// The source lines that a thread takes, by a model of an obligation.
//
// A walk through the basic blocks from the kernel's entry: at each end of a
// block the model says which edge is taken.  What the obligation does not speak
// of the model does not know either, so an edge that cannot lead to the
// statement at the end is never taken, and where the model names no other, the
// first that can is.  Nothing depends on the result but what people read.

#include "translator/pair.h"

#include <string.h>

enum { MOST_PLACES = 100 };

typedef struct Walk {
  Task *task;
  Context *context;
  const Stmt *to; // or NULL
  const Truth *truth;
  const bool *leads; // by BasicBlock.index: to the statement; NULL: all do
  Locs places;
} Walk;

// Blocks are in an order in which edges that are not back go forward.
static const bool *leading_to(Task *task, const Kernel *kernel,
                              const BasicBlock *end) {
  bool *leads = arena_alloc(&task->arena, kernel->blocks.count);
  leads[end->index] = true;
  for (size_t i = kernel->blocks.count; i-- > 0;) {
    const BasicBlock *block = kernel->blocks.at[i];
    for (size_t k = 0; k < block->out.count; k++)
      if (!block->out.at[k]->is_back)
        leads[i] |= leads[block->out.at[k]->to->index];
  }
  return leads;
}

static void add_place(Walk *walk, Loc loc) {
  const Loc *last =
      walk->places.count ? &walk->places.at[walk->places.count - 1] : NULL;
  if (!last || last->line != loc.line || strcmp(last->file, loc.file) != 0)
    push(&walk->task->arena, &walk->places, loc);
}

static void add_lines(Walk *walk, const BasicBlock *block) {
  bool is_last = walk->to && walk->to->block == block;
  for (size_t i = 0; i < block->lines.count; i++)
    if (!is_last || block->lines.at[i].stmt <= walk->to->number)
      add_place(walk, block->lines.at[i].loc);
}

static bool may_take(const Walk *walk, const Edge *edge) {
  return !edge->is_back && (!walk->leads || walk->leads[edge->to->index]);
}

static const BasicBlock *next_of(const Walk *walk, const BasicBlock *block) {
  const Edge *other = NULL;
  for (size_t i = 0; i < block->out.count; i++) {
    Edge *edge = block->out.at[i];
    if (!may_take(walk, edge))
      continue;
    if (block->out.count == 1 ||
        walk->truth->of(walk->truth->data,
                        context_expr(walk->context, edge->condition)))
      return edge->to;
    other = other ? other : edge;
  }
  return walk->to && other ? other->to : NULL;
}

static void keep_end(const Walk *walk, Locs *way) {
  size_t count = walk->places.count;
  for (size_t i = count > MOST_PLACES ? count - MOST_PLACES : 0; i < count; i++)
    push(&walk->task->arena, way, walk->places.at[i]);
}

void obligation_walk(Task *task, const Kernel *kernel,
                     const Obligation *obligation, unsigned thread,
                     const Stmt *to, const Truth *truth, Locs *way) {
  Walk walk = {task, obligation->context[thread], to, truth, NULL, {0}};
  if (to)
    walk.leads = leading_to(task, kernel, to->block);
  for (const BasicBlock *block = kernel->blocks.at[0]; block;
       block = to && block == to->block ? NULL : next_of(&walk, block))
    add_lines(&walk, block);
  if (to && loc_is_in_users_code(to->loc))
    add_place(&walk, to->loc);
  keep_end(&walk, way);
}
