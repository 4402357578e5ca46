// What variables in shared memory hold when all threads have come to a barrier.
//
//   if (threadIdx.x == 0)
//     base = atomicAdd(next, count);
//   __syncthreads();
//   .. base ..
//
// As in contents.c that is a function of the barrier, the block and the
// iterations of the loops around.  A read behind the barrier returns it, if the
// thread cannot have written there meanwhile; that somebody else has would be a
// race.  What the first thread of the block was the only statement to write
// before the barrier is what is there then, whoever asks (first_thread.c).  And
// of what all add there totals.c knows something.
//
// This is for variables, at known offsets, in kernels with atomic additions:
// those are counted with them.  It rests on the obligations about races, so it
// is not for runs that leave some out.

#include "translator/cells.h"

// ------------------------------------------------------------------ cells ---

static bool is_one_place(const Access *access, const SharedCell *cell) {
  return access->offset == cell->offset && access->length == cell->length;
}

bool cell_is_written(const Stmt *stmt, const SharedCell *cell) {
  return handover_is_at(stmt, cell->array) && access_writes(&stmt->access) &&
         is_one_place(&stmt->access, cell);
}

static bool has_place(const Access *access) {
  return expr_is_const(access->offset) && expr_is_const(access->length) &&
         !access->is_any;
}

static bool is_beside(const Access *access, const SharedCell *cell) {
  uint64_t a = access->offset->value, b = cell->offset->value;
  return a < b ? access->length->value <= b - a : cell->length->value <= a - b;
}

// No barrier ends what is volatile.
static bool is_harmless(const Stmt *stmt, const SharedCell *cell) {
  const Access *access = &stmt->access;
  if (!handover_is_at(stmt, cell->array) || !access_writes(access))
    return true;
  return has_place(access) && !access->is_volatile &&
         (is_one_place(access, cell) || is_beside(access, cell));
}

static bool is_cell(const Cells *cells, const SharedCell *cell) {
  const Kernel *kernel = cells->follower.kernel;
  if (cell->array->space != SPACE_SHARED ||
      !contents_are_followed(&cells->follower, cell->array))
    return false;
  for (size_t i = 0; i < kernel->stmts.count; i++)
    if (!is_harmless(kernel->stmts.at[i], cell))
      return false;
  return true;
}

static const SharedCell *find_cell(const Cells *cells, const Access *access) {
  for (size_t i = 0; i < cells->all.count; i++)
    if (cells->all.at[i]->array == access->array &&
        is_one_place(access, cells->all.at[i]))
      return cells->all.at[i];
  return NULL;
}

static void find_cells(Cells *cells) {
  Arena *arena = &cells->follower.task->arena;
  const Kernel *kernel = cells->follower.kernel;
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    const Access *access = &kernel->stmts.at[i]->access;
    if (!contents_is_plain_read(kernel->stmts.at[i]) || !has_place(access) ||
        find_cell(cells, access))
      continue;
    SharedCell *cell = NEW(arena, SharedCell);
    *cell = (SharedCell){access->array, access->offset, access->length};
    if (is_cell(cells, cell))
      push(arena, &cells->all, cell);
  }
}

// --------------------------------------------------------------- barriers ---

bool cell_is_settled(const Stmt *stmt, const void *data) {
  (void)data;
  return barrier_orders(stmt, REACH_BLOCK, SPACE_SHARED);
}

static bool is_way(const Cells *cells, const Stmt *from, const Stmt *to,
                   const Loop *within) {
  return way_exists(cells->follower.task, cells->follower.kernel, from, to,
                    within, cell_is_settled, NULL);
}

// In the iteration that the barrier was in.
static bool is_same_iteration(const AccessPlace *place) {
  for (const Loop *loop = place->since->block->loop; loop; loop = loop->parent)
    if (place->relations[loop->index].kind != RELATION_SAME ||
        place->relations[loop->index].count)
      return false;
  return true;
}

static bool is_around(const Stmt *barrier, const Stmt *stmt) {
  return !barrier->block->loop ||
         loop_contains(barrier->block->loop, stmt->block);
}

const Stmt *cell_since(const Cells *cells, const Stmt *stmt) {
  const AccessPlaces *places = &cells->places[stmt->number];
  const Stmt *since = places->count ? places->at[0].since : NULL;
  for (size_t i = 0; since && i < places->count; i++)
    if (places->at[i].since != since || !is_same_iteration(&places->at[i]))
      return NULL;
  return since && is_around(since, stmt) ? since : NULL;
}

bool cell_is_next(const Cells *cells, const Stmt *since, const Stmt *until) {
  const Kernel *kernel = cells->follower.kernel;
  if (since->block->loop != until->block->loop ||
      since->number >= until->number || !is_way(cells, since, until, NULL))
    return false;
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    const Stmt *stmt = kernel->stmts.at[i];
    if (stmt != since && cell_is_settled(stmt, NULL) &&
        is_way(cells, stmt, until, NULL))
      return false;
  }
  return true;
}

bool cell_is_written_since(const Cells *cells, const SharedCell *cell,
                           const Stmt *since, const Stmt *stmt) {
  const AccessPlaces *places = &cells->places[stmt->number];
  if (!cell_is_written(stmt, cell))
    return false;
  for (size_t i = 0; i < places->count; i++)
    if (places->at[i].since == since)
      return true;
  return false;
}

// ----------------------------------------------------------------- writes ---

// No barrier is on any way from the write to this one.
static bool comes_next(const Cells *cells, const Stmt *write,
                       const Stmt *barrier) {
  Task *task = cells->follower.task;
  const Kernel *kernel = cells->follower.kernel;
  const Loop *loop = write->block->loop;
  if (loop != barrier->block->loop || write->number > barrier->number ||
      !is_way(cells, write, barrier, loop))
    return false;
  for (size_t i = write->number; i < barrier->number; i++) {
    const Stmt *stmt = kernel->stmts.at[i];
    if (cell_is_settled(stmt, NULL) &&
        way_exists(task, kernel, write, stmt, loop, NULL, NULL) &&
        way_exists(task, kernel, stmt, barrier, loop, NULL, NULL))
      return false;
  }
  return true;
}

// The only statement that can have changed the cell when all come to the
// barrier, since the one before: a plain write.  NULL: there are others.
static const Stmt *only_write(const Cells *cells, const SharedCell *cell,
                              const Stmt *barrier) {
  const Kernel *kernel = cells->follower.kernel;
  const Stmt *only = NULL;
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    const Stmt *stmt = kernel->stmts.at[i];
    if (!cell_is_written(stmt, cell) || !is_way(cells, stmt, barrier, NULL))
      continue;
    if (only || stmt->access.kind != ACCESS_WRITE || !stmt->access.value ||
        !comes_next(cells, stmt, barrier))
      return NULL;
    only = stmt;
  }
  return only;
}

static Expr *held_at(const Cells *cells, const SharedCell *cell,
                     const Stmt *barrier) {
  return contents_at_barrier(&cells->follower, barrier, NULL, cell->array,
                             cell->offset, 8 * (unsigned)cell->length->value);
}

// What the first thread wrote, and whether it did.  NULL: that is not known.
static Expr *written_before(const Cells *cells, const SharedCell *cell,
                            const Stmt *barrier, Expr **made) {
  const Stmt *write = only_write(cells, cell, barrier);
  if (!write)
    return NULL;
  const Loop *loop = write->block->loop;
  *made = first_thread_expr(cells, write->guard, loop);
  Expr *value = first_thread_expr(cells, write->access.value, loop);
  return *made && value && value->width == 8 * cell->length->value ? value
                                                                   : NULL;
}

static void add_write(Cells *cells, const SharedCell *cell,
                      const Stmt *barrier) {
  Task *task = cells->follower.task;
  Expr *made = NULL;
  Expr *value = written_before(cells, cell, barrier, &made);
  if (!value)
    return;
  expr_symbols(task, only_write(cells, cell, barrier)->access.value,
               &cells->told);
  cell_add_fact(
      cells, barrier,
      expr_implies(task, made,
                   expr_eq(task, held_at(cells, cell, barrier), value)));
}

static bool is_constant_write(const Stmt *write) {
  return write && expr_is_const(write->access.value);
}

Expr *cell_held(const Cells *cells, const SharedCell *cell,
                const Stmt *barrier) {
  Expr *made = NULL;
  if (!is_constant_write(only_write(cells, cell, barrier)))
    return held_at(cells, cell, barrier);
  Expr *value = written_before(cells, cell, barrier, &made);
  return value && expr_is_true(made) ? value : held_at(cells, cell, barrier);
}

// --------------------------------------------------------------- no write ---

static bool is_written_since(const Cells *cells, const SharedCell *cell,
                             const Stmt *since) {
  const Kernel *kernel = cells->follower.kernel;
  for (size_t i = 0; i < kernel->stmts.count; i++)
    if (cell_is_written_since(cells, cell, since, kernel->stmts.at[i]))
      return true;
  return false;
}

static const Stmt *barrier_before(const Cells *cells, const Stmt *barrier) {
  const Kernel *kernel = cells->follower.kernel;
  for (size_t i = 0; i < barrier->number; i++) {
    const Stmt *stmt = kernel->stmts.at[i];
    if (cell_is_settled(stmt, NULL) && cell_is_next(cells, stmt, barrier))
      return stmt;
  }
  return NULL;
}

// It holds what it held at the barrier before.
static void add_no_write(const Cells *cells, const SharedCell *cell,
                         const Stmt *barrier) {
  Task *task = cells->follower.task;
  const Stmt *before = barrier_before(cells, barrier);
  if (!before || is_written_since(cells, cell, before))
    return;
  Expr *same = expr_eq(task, held_at(cells, cell, barrier),
                       cell_held(cells, cell, before));
  cell_add_fact(cells, barrier, expr_implies(task, before->guard, same));
}

// ------------------------------------------------------------------ reads ---

// The thread itself may have written; and atomics go on while it reads.
static bool may_have_changed(const Cells *cells, const SharedCell *cell,
                             const Stmt *since, const Stmt *read) {
  const Kernel *kernel = cells->follower.kernel;
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    const Stmt *stmt = kernel->stmts.at[i];
    if (cell_is_written_since(cells, cell, since, stmt) &&
        (stmt->access.kind != ACCESS_WRITE || is_way(cells, stmt, read, NULL)))
      return true;
  }
  return false;
}

static Expr *find_read(const Cells *cells, const Stmt *read) {
  if (read->kind != STMT_ACCESS || !contents_is_plain_read(read))
    return NULL;
  const SharedCell *cell = find_cell(cells, &read->access);
  const Stmt *since = cell ? cell_since(cells, read) : NULL;
  if (!since || may_have_changed(cells, cell, since, read))
    return NULL;
  return cell_held(cells, cell, since);
}

// What a first thread wrote may be made of what it read, and so on.
Expr *cell_read(const Cells *cells, const Stmt *read) {
  CellRead *known = &cells->reads[read->number];
  if (!known->is_known)
    *known = (CellRead){true, find_read(cells, read)};
  return known->held;
}

static void add_read(const Cells *cells, const Stmt *read) {
  Expr *held = cell_read(cells, read);
  if (held)
    cell_add_fact(
        cells, read,
        expr_eq(cells->follower.task, read->access.result->expr, held));
}

// ------------------------------------------------------------------ facts ---

void cell_add_fact(const Cells *cells, const Stmt *behind, Expr *fact) {
  contents_add_behind(cells->follower.task, cells->follower.kernel, behind,
                      fact);
}

bool cells_may_tell(const Kernel *kernel, const Array *array) {
  bool has_addition = false;
  if (array->space != SPACE_SHARED)
    return false;
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    const Stmt *stmt = kernel->stmts.at[i];
    if (handover_is_at(stmt, array) && access_writes(&stmt->access) &&
        !has_place(&stmt->access))
      return false;
    has_addition |= stmt->kind == STMT_ACCESS &&
                    stmt->access.op == ATOMIC_ADD && stmt->access.result;
  }
  return has_addition;
}

// Races are looked for, all of them.
static bool is_meant(const Kernel *kernel) {
  const Options *options = kernel->options;
  if (options->follows_order || options->only_divergence || options->only_log)
    return false;
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    const Stmt *stmt = kernel->stmts.at[i];
    if (stmt->kind == STMT_ACCESS && stmt->access.op == ATOMIC_ADD &&
        stmt->access.result && stmt->access.result->is_relevant)
      return true;
  }
  return false;
}

static Cells *cells_new(Task *task, Kernel *kernel) {
  Cells *cells = NEW(&task->arena, Cells);
  cells->follower = (Follower){.task = task, .kernel = kernel};
  find_cells(cells);
  if (!cells->all.count)
    return NULL;
  cells->places = interval_places(task, kernel, REACH_BLOCK, SPACE_SHARED);
  cells->reads =
      arena_alloc(&task->arena, kernel->stmts.count * sizeof *cells->reads);
  return cells;
}

void kernel_find_cells(Task *task, Kernel *kernel) {
  Cells *cells = is_meant(kernel) ? cells_new(task, kernel) : NULL;
  kernel->cells = cells;
  for (size_t i = 0; cells && i < kernel->stmts.count; i++) {
    const Stmt *stmt = kernel->stmts.at[i];
    add_read(cells, stmt);
    for (size_t k = 0; cell_is_settled(stmt, NULL) && k < cells->all.count;
         k++) {
      add_write(cells, cells->all.at[k], stmt);
      add_no_write(cells, cells->all.at[k], stmt);
    }
  }
  if (cells)
    totals_find(cells);
}
