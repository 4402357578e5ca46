// Events of asynchronous copies that are lost.
//
// A wait is for what its variable holds when it comes.  So between a copy and
// the wait for it, on every way, nothing may write where its event is kept: but
// for the store of that event itself, and for copies that are given the event
// and store it again.  A way is followed round loops, where the copy may store
// the next event over the one that nobody waited for.

#include "translator/pair.h"

enum { EVENT_BYTES = 8 };

// Does it write bytes of the place where the copy's event is kept?
static bool writes_event(const Stmt *stmt, const Access *copy) {
  if (stmt->kind != STMT_ACCESS || !access_writes(&stmt->access) ||
      stmt->access.array != copy->event)
    return false;
  const Expr *offset = stmt->access.offset, *length = stmt->access.length;
  if (!expr_is_const(offset) || !expr_is_const(length))
    return true;
  return offset->value < copy->event_at + EVENT_BYTES &&
         copy->event_at < offset->value + length->value;
}

// Where the copy's event is stored: the first such write behind it in its
// block.
static const Stmt *own_store(const Kernel *kernel, const Stmt *copy) {
  for (size_t i = copy->number + 1; i < kernel->stmts.count; i++) {
    const Stmt *stmt = kernel->stmts.at[i];
    if (writes_event(stmt, &copy->access))
      return stmt->block == copy->block ? stmt : NULL;
  }
  return NULL;
}

static bool is_in_iteration_of(const Stmt *copy, const AccessPlace *place) {
  for (const Loop *loop = copy->block->loop; loop; loop = loop->parent) {
    Relation relation = place->relations[loop->index];
    if (relation.kind != RELATION_SAME || relation.count)
      return false;
  }
  return true;
}

// What a copy stores that was given the event of this very place.
static bool is_passed_on(const Kernel *kernel, const Stmt *store,
                         const Access *event) {
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    const Stmt *copy = kernel->stmts.at[i];
    if (copy->kind == STMT_ACCESS && copy->access.is_passed_on &&
        copy->access.event == event->event &&
        copy->access.event_at == event->event_at &&
        own_store(kernel, copy) == store)
      return true;
  }
  return false;
}

static void check_copy(Task *task, const Kernel *kernel,
                       const AccessPlaces *places, const Stmt *copy) {
  const Stmt *own = own_store(kernel, copy);
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    const Stmt *stmt = kernel->stmts.at[i];
    if (!writes_event(stmt, &copy->access) ||
        is_passed_on(kernel, stmt, &copy->access))
      continue;
    for (size_t k = 0; k < places[i].count; k++) {
      const AccessPlace *place = &places[i].at[k];
      bool is_own = stmt == own && is_in_iteration_of(copy, place);
      if (place->since == copy && !is_own)
        unsupported(task, copy->loc,
                    "an event whose variable is written again before the wait");
    }
  }
}

void events_check(Task *task, const Kernel *kernel,
                  const AccessPlaces *places) {
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    const Stmt *stmt = kernel->stmts.at[i];
    if (stmt->kind == STMT_ACCESS && stmt->access.event)
      check_copy(task, kernel, places, stmt);
  }
}
