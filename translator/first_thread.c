// What the first thread of a block has, as another thread of it sees that.
//
// Its ids are zero.  What is the same in all threads of a block is that in the
// first one, too; what it read of a cell is what the cell held for all
// (cells.c).  Anything else is a function of the block and of the iterations of
// the loops that compute it: of a value nothing is known but that all who speak
// of it mean one.  Iterations are those that all are in, for only loops around
// the place are gone round together; of what other loops have computed we know
// nothing.
//
// This says nothing of whether the thread came there: that is its guard.

#include "translator/cells.h"

typedef struct View {
  const Cells *cells;
  const Loop *here;
  bool is_known;
  Substitution substitution;
} View;

static Expr *unknown(View *view, const Symbol *symbol) {
  view->is_known = false;
  return symbol->expr;
}

static Expr *its_own(const View *view, const Symbol *symbol) {
  Task *task = view->cells->follower.task;
  const Kernel *kernel = view->cells->follower.kernel;
  Exprs args = {0};
  for (unsigned axis = 0; axis < 3; axis++)
    push(&task->arena, &args, kernel->block_id[axis]);
  for (const Loop *loop = symbol->loop; loop; loop = loop->parent)
    push(&task->arena, &args, loop->iteration->expr);
  const char *function =
      arena_printf(&task->arena, "%s.%u@first", symbol->name, symbol->number);
  return expr_apply(task, function, symbol->width, args.at,
                    (unsigned)args.count);
}

static Expr *what_was_read(const View *view, const Symbol *symbol) {
  return symbol->kind == SYMBOL_LOAD && symbol->stmt
             ? cell_read(view->cells, symbol->stmt)
             : NULL;
}

static Expr *computed(View *view, Symbol *symbol) {
  Task *task = view->cells->follower.task;
  Expr *read = what_was_read(view, symbol);
  if (symbol->ghost ||
      (symbol->loop && !loop_is_inside(view->here, symbol->loop)))
    return unknown(view, symbol);
  if (symbol->kind == SYMBOL_PHI && symbol->closed)
    return expr_substitute(task, &view->substitution, symbol->closed);
  if (read)
    return read;
  return symbol->is_block_uniform ? symbol->expr : its_own(view, symbol);
}

static Expr *replace(Task *task, Symbol *symbol, void *data) {
  View *view = data;
  switch (symbol->kind) {
  case SYMBOL_THREAD_ID:
    return expr_const(task, symbol->width, 0);
  case SYMBOL_BLOCK_ID:
  case SYMBOL_BLOCK_SIZE:
  case SYMBOL_GRID_SIZE:
  case SYMBOL_PARAMETER:
  case SYMBOL_LAUNCH:
    return symbol->expr;
  case SYMBOL_ITERATION:
    return loop_is_inside(view->here, symbol->loop) ? symbol->expr
                                                    : unknown(view, symbol);
  case SYMBOL_PHI:
  case SYMBOL_LOAD:
  case SYMBOL_ATOMIC:
  case SYMBOL_UNKNOWN:
    break;
  }
  return computed(view, symbol);
}

Expr *first_thread_expr(const Cells *cells, Expr *a, const Loop *here) {
  View view = {.cells = cells, .here = here, .is_known = true};
  view.substitution = (Substitution){.replace = replace, .data = &view};
  Expr *its = expr_substitute(cells->follower.task, &view.substitution, a);
  return view.is_known ? its : NULL;
}
