// The two-thread program: a second way to a verdict.
//
// GPUVerify's program ("GPUVerify: a verifier for GPU kernels", OOPSLA 2012) in
// steps: two arbitrary threads execute the kernel in lock step, loops included,
// and each statement has a condition for each thread, that it is there.  A loop
// goes on while either thread is in it; a thread that left keeps its values, so
// behind the loop they are those of its last iteration.  At a barrier both
// threads are there or neither is.  A read of written memory returns an
// arbitrary value, the same one to both threads if they read one cell at once.
// What thread 1 does to an arbitrary byte is logged, and what thread 2 does is
// compared with the log (lockstep_log.c).  That covers both orders of two
// accesses, because either thread may be called thread 1.
//
// It shares nothing with the obligations: it takes basic blocks, edges, loops,
// carried values and statements from the kernel as it was translated, and no
// interval, uniform value or closed form.  Invariants are guessed anew
// (lockstep_candidates.c), and it is for Boogie to check them.

#include "translator/lockstep.h"

#include <assert.h>

enum { VARIABLE_NUMBERS = 1 << 24 }; // beyond those of the kernel's symbols

// ----------------------------------------------------------------- pieces ---

Symbol *lockstep_variable(Maker *maker, const char *name, unsigned width) {
  Task *task = maker->task;
  Symbol *symbol = NEW(&task->arena, Symbol);
  symbol->kind = SYMBOL_UNKNOWN;
  symbol->number = VARIABLE_NUMBERS + maker->variables++;
  symbol->width = width;
  symbol->name = name;
  expr_symbol(task, symbol);
  push(&task->arena, &maker->procedure->variables, symbol);
  return symbol;
}

LockstepStep *lockstep_add(Maker *maker, LockstepStepKind kind) {
  LockstepStep *step = NEW(&maker->task->arena, LockstepStep);
  step->kind = kind;
  push(&maker->task->arena, &maker->procedure->steps, step);
  return step;
}

static void also_set(Maker *maker, LockstepStep *step, Symbol *variable,
                     Expr *value) {
  assert(variable->width == value->width);
  push(&maker->task->arena, &step->variables, variable);
  push(&maker->task->arena, &step->values, value);
}

void lockstep_set(Maker *maker, Symbol *variable, Expr *value) {
  also_set(maker, lockstep_add(maker, STEP_SET), variable, value);
}

void lockstep_forget(Maker *maker, Symbol *variable) {
  LockstepStep *step = lockstep_add(maker, STEP_FORGET);
  push(&maker->task->arena, &step->variables, variable);
}

void lockstep_assume(Maker *maker, Expr *condition) {
  if (!expr_is_true(condition))
    lockstep_add(maker, STEP_ASSUME)->condition = condition;
}

void lockstep_check(Maker *maker, Expr *condition, const char *text, Loc loc) {
  if (expr_is_true(condition))
    return;
  LockstepStep *step = lockstep_add(maker, STEP_CHECK);
  step->condition = condition;
  step->text = text;
  step->loc = loc;
}

static void note(Maker *maker, Loc loc, const char *text) {
  LockstepStep *step = lockstep_add(maker, STEP_NOTE);
  step->text = text;
  step->loc = loc;
}

static Expr *truth(const Maker *maker, bool value) {
  return expr_bool(maker->task, value);
}

bool lockstep_is_of_block(const Maker *maker) {
  return maker->procedure->threads == THREADS_BLOCK;
}

static const char *suffix_of(unsigned thread) { return thread ? "$2" : "$1"; }

static Symbol *own_variable(Maker *maker, const char *name, unsigned number,
                            unsigned thread, unsigned width) {
  return lockstep_variable(maker,
                           arena_printf(&maker->task->arena, "%s%u%s", name,
                                        number, suffix_of(thread)),
                           width);
}

// ------------------------------------------------------------ the threads ---

bool lockstep_is_common(const Maker *maker, const Symbol *symbol) {
  switch (symbol->kind) {
  case SYMBOL_BLOCK_SIZE:
  case SYMBOL_GRID_SIZE:
  case SYMBOL_PARAMETER:
  case SYMBOL_LAUNCH:
    return true;
  case SYMBOL_BLOCK_ID:
    return lockstep_is_of_block(maker);
  case SYMBOL_UNKNOWN: // a vote that is not taken again
    return symbol->is_vote && !symbol->loop && lockstep_is_of_block(maker);
  case SYMBOL_THREAD_ID:
  case SYMBOL_PHI:
  case SYMBOL_ITERATION:
  case SYMBOL_LOAD:
  case SYMBOL_ATOMIC:
    break;
  }
  return false;
}

static const char *copy_name(Maker *maker, const Symbol *symbol,
                             unsigned thread) {
  Arena *arena = &maker->task->arena;
  bool is_made_up = symbol->kind == SYMBOL_LOAD ||
                    symbol->kind == SYMBOL_ATOMIC ||
                    symbol->kind == SYMBOL_UNKNOWN;
  const char *name =
      is_made_up ? arena_printf(arena, "%s.%u", symbol->name, symbol->number)
                 : symbol->name;
  return lockstep_is_common(maker, symbol)
             ? name
             : arena_printf(arena, "%s%s", name, suffix_of(thread));
}

Symbol *lockstep_symbol(Maker *maker, const Symbol *symbol, unsigned thread) {
  if (lockstep_is_common(maker, symbol))
    thread = 0;
  Symbol **copy = &maker->copies[thread][symbol->number];
  if (!*copy)
    *copy = lockstep_variable(maker, copy_name(maker, symbol, thread),
                              symbol->width);
  return *copy;
}

typedef struct CopyingTo {
  Maker *maker;
  unsigned thread;
} CopyingTo;

static Expr *replace(Task *task, Symbol *symbol, void *data) {
  (void)task;
  CopyingTo *to = data;
  return lockstep_symbol(to->maker, symbol, to->thread)->expr;
}

Expr *lockstep_copy(Maker *maker, unsigned thread, Expr *a) {
  return expr_substitute(maker->task, &maker->copying[thread], a);
}

// --------------------------------------------------------------- the ids ---

static Expr *linear_id(Maker *maker, unsigned thread) {
  Task *task = maker->task;
  Kernel *kernel = maker->kernel;
  Expr *linear = expr_const(task, 32, 0);
  for (unsigned axis = 3; axis-- > 0;) {
    Expr *size = lockstep_copy(maker, thread, kernel->block_size[axis]);
    Expr *id = lockstep_copy(maker, thread, kernel->thread_id[axis]);
    linear = expr_add(task, expr_mul(task, linear, size), id);
  }
  return linear;
}

static void find_same_warp(Maker *maker) {
  enum { WIDE_WARP = 64 };
  Task *task = maker->task;
  bool is_wide = maker->kernel->warp_lanes == WIDE_WARP;
  Expr *bits = expr_const(task, 32, is_wide ? 6 : 5), *warp[2];
  for (unsigned t = 0; t < 2; t++)
    warp[t] = expr_binary(task, EXPR_LSHR, linear_id(maker, t), bits);
  Symbol *same = lockstep_variable(maker, "same_warp", 1);
  lockstep_set(maker, same, expr_eq(task, warp[0], warp[1]));
  maker->same_warp = same->expr;
}

static Expr *are_equal(Maker *maker, Expr *const id[3]) {
  Expr *equal = truth(maker, true);
  for (unsigned axis = 0; axis < 3; axis++)
    equal = expr_and(maker->task, equal,
                     expr_eq(maker->task, lockstep_copy(maker, 0, id[axis]),
                             lockstep_copy(maker, 1, id[axis])));
  return equal;
}

static void assume_distinct(Maker *maker) {
  if (maker->threads < 2)
    return;
  Expr *const *id = lockstep_is_of_block(maker) ? maker->kernel->thread_id
                                                : maker->kernel->block_id;
  lockstep_assume(maker, expr_not(maker->task, are_equal(maker, id)));
}

static void assume_launch(Maker *maker) {
  const Kernel *kernel = maker->kernel;
  for (size_t i = 0; i < kernel->facts.count; i++) {
    Expr *one = lockstep_copy(maker, 0, kernel->facts.at[i]);
    lockstep_assume(maker, one);
    Expr *two = lockstep_copy(maker, maker->threads - 1, kernel->facts.at[i]);
    if (two != one)
      lockstep_assume(maker, two);
  }
  if (kernel->block_limit)
    lockstep_assume(maker, lockstep_copy(maker, 0, kernel->block_limit));
}

// ------------------------------------------------------------ control flow ---

// The thread takes the edge.  Evaluated behind its block; its values stay.
static Expr *takes(Maker *maker, const Edge *edge, unsigned thread) {
  return expr_and(maker->task, maker->here[thread][edge->from->index],
                  lockstep_copy(maker, thread, edge->condition));
}

static bool is_head(const BasicBlock *block) {
  return block->loop && block->loop->header == block;
}

// Over edges from blocks of `loop` itself, not from those of inner loops.
static Expr *takes_any(Maker *maker, const BasicBlock *to, const Loop *loop,
                       bool is_back, unsigned thread) {
  Expr *any = truth(maker, false);
  for (size_t i = 0; i < to->in.count; i++) {
    const Edge *edge = to->in.at[i];
    if (edge->from->loop == loop && edge->is_back == is_back)
      any = expr_or(maker->task, any, takes(maker, edge, thread));
  }
  return any;
}

static Symbol **where_it_leads(Maker *maker, const Edge *edge, unsigned t) {
  return edge->is_back ? &maker->came[t][edge->to->loop->index]
                       : &maker->left[t][edge->to->index];
}

// The loop in whose text the target of an edge lies.
static const Loop *level_of(const Edge *edge) {
  const BasicBlock *to = edge->to;
  return is_head(to) && !edge->is_back ? to->loop->parent : to->loop;
}

static bool leaves_a_loop(const Edge *edge) {
  return edge->from->loop != level_of(edge);
}

static void make_leaving(Maker *maker, const BasicBlock *block) {
  for (size_t i = 0; i < block->out.count; i++) {
    const Edge *edge = block->out.at[i];
    for (unsigned t = 0; leaves_a_loop(edge) && t < maker->threads; t++) {
      Symbol *led = *where_it_leads(maker, edge, t);
      lockstep_set(maker, led,
                   expr_or(maker->task, led->expr, takes(maker, edge, t)));
    }
  }
}

// Variables for threads that come out of inner loops; nobody has so far.
static void start_leaving(Maker *maker, const Loop *inside) {
  const Kernel *kernel = maker->kernel;
  for (size_t i = 0; i < kernel->blocks.count; i++) {
    const BasicBlock *block = kernel->blocks.at[i];
    for (size_t k = 0; k < block->out.count; k++) {
      const Edge *edge = block->out.at[k];
      if (!leaves_a_loop(edge) || level_of(edge) != inside)
        continue;
      for (unsigned t = 0; t < maker->threads; t++) {
        Symbol **led = where_it_leads(maker, edge, t);
        if (!*led)
          *led = own_variable(maker, edge->is_back ? "came" : "left",
                              edge->is_back ? edge->to->loop->index + 1
                                            : edge->to->index,
                              t, 1);
        lockstep_set(maker, *led, truth(maker, false));
      }
    }
  }
}

// Control gets to the block from outside of it.
static Expr *arrives(Maker *maker, const BasicBlock *block, unsigned t) {
  const Loop *level = is_head(block) ? block->loop->parent : block->loop;
  Expr *here = block->index == 0 ? truth(maker, true)
                                 : takes_any(maker, block, level, false, t);
  Symbol *left = maker->left[t][block->index];
  return left ? expr_or(maker->task, here, left->expr) : here;
}

static void make_here(Maker *maker, const BasicBlock *block) {
  for (unsigned t = 0; t < maker->threads; t++) {
    Expr *here = is_head(block) ? maker->turn[t][block->loop->index]->expr
                                : arrives(maker, block, t);
    if (here->count > 0) {
      Symbol *at = own_variable(maker, "here", block->index, t, 1);
      lockstep_set(maker, at, here);
      here = at->expr;
    }
    maker->here[t][block->index] = here;
  }
}

static Loc place_of(const BasicBlock *block) {
  return block->stmts.count ? block->stmts.at[0]->loc : (Loc){0};
}

// Addresses were noted with the number of the statement that comes next.
static void make_addresses(Maker *maker, const BasicBlock *block,
                           unsigned before, size_t *next) {
  const Kernel *kernel = maker->kernel;
  for (; *next < kernel->addresses.count; (*next)++) {
    const Stmt *stmt = kernel->addresses.at[*next];
    if (stmt->block != block)
      continue;
    if (stmt->number > before)
      return;
    lockstep_condition(maker, stmt, false);
  }
}

static void make_block(Maker *maker, const BasicBlock *block) {
  size_t next = 0;
  note(maker, place_of(block),
       arena_printf(&maker->task->arena, "block %u", block->index));
  make_here(maker, block);
  for (size_t i = 0; i < block->stmts.count; i++) {
    make_addresses(maker, block, block->stmts.at[i]->number, &next);
    lockstep_statement(maker, block->stmts.at[i]);
  }
  make_addresses(maker, block, UINT32_MAX, &next);
  make_leaving(maker, block);
}

// ------------------------------------------------------------------ loops ---

// What the loop carries: on entry, or round it.
static void make_carried(Maker *maker, const Loop *loop, bool is_next,
                         Expr *const moves[2]) {
  Task *task = maker->task;
  LockstepStep *step = NEW(&task->arena, LockstepStep);
  step->kind = STEP_SET;
  for (size_t i = 0; i < loop->phis.count; i++)
    for (unsigned t = 0; t < maker->threads; t++) {
      const Symbol *phi = loop->phis.at[i];
      Expr *old = lockstep_copy(maker, t, phi->expr);
      Expr *value = lockstep_copy(maker, t, is_next ? phi->next : phi->init);
      also_set(maker, step, old->symbol, expr_ite(task, moves[t], value, old));
    }
  if (step->variables.count)
    push(&task->arena, &maker->procedure->steps, step);
}

static bool is_new_each_round(const Symbol *symbol, const Loop *loop) {
  if (symbol->loop != loop || symbol->stmt)
    return false;
  return symbol->kind == SYMBOL_LOAD || symbol->kind == SYMBOL_ATOMIC ||
         symbol->kind == SYMBOL_UNKNOWN;
}

static void forget_values(Maker *maker, const Loop *loop, Expr *const here[2]) {
  for (size_t i = 0; i < maker->kernel->symbols.count; i++) {
    const Symbol *symbol = maker->kernel->symbols.at[i];
    if (is_new_each_round(symbol, loop))
      lockstep_forget_copies(maker, symbol, here,
                             symbol->is_vote && lockstep_is_of_block(maker));
  }
}

static bool changes_in(Task *task, Expr *a, const Loop *loop) {
  Symbols symbols = {0};
  expr_symbols(task, a, &symbols);
  for (size_t i = 0; i < symbols.count; i++)
    for (const Loop *of = symbols.at[i]->loop; of; of = of->parent)
      if (of == loop)
        return true;
  return false;
}

// SOUND(long-counters): such a counter stays below 2^63.
static bool is_long_counter(Maker *maker, Symbol *phi) {
  Expr *step = expr_sub(maker->task, phi->next, phi->expr);
  return !changes_in(maker->task, step, phi->loop) &&
         counter_is_long(maker->task, maker->kernel, phi, step);
}

static void assume_long_counters(Maker *maker, const Loop *loop,
                                 Expr *const here[2]) {
  Task *task = maker->task;
  Expr *limit = expr_const(task, 64, UINT64_C(1) << 63);
  for (size_t i = 0; i < loop->phis.count; i++)
    for (unsigned t = 0; t < maker->threads; t++)
      if (is_long_counter(maker, loop->phis.at[i])) {
        Expr *phi = lockstep_copy(maker, t, loop->phis.at[i]->expr);
        lockstep_assume(maker,
                        expr_implies(task, here[t],
                                     expr_binary(task, EXPR_ULT, phi, limit)));
      }
}

static void make_user_invariants(Maker *maker, const Loop *loop) {
  bool is_checked = maker->procedure->threads == THREADS_ONE &&
                    !maker->options->only_divergence;
  for (size_t i = 0; i < loop->asserted.count; i++)
    lockstep_condition(maker, loop->asserted.at[i], is_checked);
}

static void make_text(Maker *maker, const Loop *inside);

static void make_round(Maker *maker, const Loop *loop) {
  Task *task = maker->task;
  Expr *here[2] = {NULL, NULL}, *again[2] = {NULL, NULL};
  for (unsigned t = 0; t < maker->threads; t++) {
    here[t] = maker->turn[t][loop->index]->expr;
    maker->here[t][loop->header->index] = here[t];
  }
  start_leaving(maker, loop);
  forget_values(maker, loop, here);
  assume_long_counters(maker, loop, here);
  make_user_invariants(maker, loop);
  make_text(maker, loop);
  for (unsigned t = 0; t < maker->threads; t++) {
    Symbol *came = maker->came[t][loop->index];
    Expr *back = takes_any(maker, loop->header, loop, true, t);
    Symbol *goes = own_variable(maker, "again", loop->index + 1, t, 1);
    lockstep_set(maker, goes, came ? expr_or(task, back, came->expr) : back);
    again[t] = goes->expr;
  }
  make_carried(maker, loop, true, again);
  for (unsigned t = 0; t < maker->threads; t++)
    lockstep_set(maker, maker->turn[t][loop->index], again[t]);
}

static void start_loop(Maker *maker, const Loop *loop) {
  unsigned i = loop->index;
  for (unsigned t = 0; t < maker->threads; t++) {
    maker->turn[t][i] = own_variable(maker, "loop", i + 1, t, 1);
    maker->entered[t][i] = own_variable(maker, "entered", i + 1, t, 1);
    lockstep_set(maker, maker->entered[t][i], arrives(maker, loop->header, t));
    lockstep_set(maker, maker->turn[t][i], maker->entered[t][i]->expr);
  }
  maker->rounds[i] = lockstep_variable(
      maker, arena_printf(&maker->task->arena, "rounds%u", i + 1), 64);
  lockstep_set(maker, maker->rounds[i], expr_const(maker->task, 64, 0));
}

static void make_loop(Maker *maker, const Loop *loop) {
  Task *task = maker->task;
  Expr *enters[2] = {NULL, NULL}, *any = truth(maker, false);
  note(maker, loop->loc,
       arena_printf(&task->arena, "loop %u", loop->index + 1));
  start_loop(maker, loop);
  for (unsigned t = 0; t < maker->threads; t++) {
    enters[t] = maker->entered[t][loop->index]->expr;
    any = expr_or(task, any, maker->turn[t][loop->index]->expr);
  }
  make_carried(maker, loop, false, enters);
  LockstepStep *repeat = lockstep_add(maker, STEP_REPEAT);
  repeat->condition = any;
  make_round(maker, loop);
  Symbol *rounds = maker->rounds[loop->index];
  lockstep_set(maker, rounds,
               expr_add(task, rounds->expr, expr_const(task, 64, 1)));
  lockstep_add(maker, STEP_END);
  lockstep_propose(maker, loop, repeat);
}

// The blocks of a loop, or of no loop, in order; inner loops as a whole, at
// the place of their head.
static void make_text(Maker *maker, const Loop *inside) {
  const Kernel *kernel = maker->kernel;
  for (size_t i = 0; i < kernel->blocks.count; i++) {
    const BasicBlock *block = kernel->blocks.at[i];
    task_check_time(maker->task, kernel->loc);
    if (block->loop == inside)
      make_block(maker, block);
    else if (is_head(block) && block->loop->parent == inside)
      make_loop(maker, block->loop);
  }
}

// ------------------------------------------------------------- procedures ---

static void *table(Maker *maker, size_t count) {
  return arena_alloc(&maker->task->arena, (count + 1) * sizeof(void *));
}

static Maker *maker_new(Task *task, Kernel *kernel, Program *program,
                        Threads threads) {
  static const char *const names[] = {"one_thread", "one_block", "two_blocks"};
  Maker *maker = NEW(&task->arena, Maker);
  *maker = (Maker){.task = task,
                   .kernel = kernel,
                   .options = kernel->options,
                   .program = program,
                   .procedure = NEW(&task->arena, Procedure),
                   .threads = threads == THREADS_ONE ? 1 : 2};
  maker->procedure->name = names[threads];
  maker->procedure->threads = threads;
  for (unsigned t = 0; t < 2; t++) {
    CopyingTo *to = NEW(&task->arena, CopyingTo);
    *to = (CopyingTo){maker, t};
    maker->copying[t] = (Substitution){.replace = replace, .data = to};
    maker->copies[t] = table(maker, kernel->symbols.count);
    maker->here[t] = table(maker, kernel->blocks.count);
    maker->left[t] = table(maker, kernel->blocks.count);
    maker->turn[t] = table(maker, kernel->loops.count);
    maker->entered[t] = table(maker, kernel->loops.count);
    maker->came[t] = table(maker, kernel->loops.count);
  }
  maker->rounds = table(maker, kernel->loops.count);
  return maker;
}

static bool has_barrier(const Kernel *kernel, BarrierKind kind) {
  for (size_t i = 0; i < kernel->stmts.count; i++)
    if (kernel->stmts.at[i]->kind == STMT_BARRIER &&
        kernel->stmts.at[i]->barrier.kind == kind)
      return true;
  return false;
}

// Is there anything that only threads of a warp have to do with each other?
static bool needs_warps(const Kernel *kernel) {
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    const Stmt *stmt = kernel->stmts.at[i];
    if (stmt->kind == STMT_ACCESS && stmt->access.kind == ACCESS_ATOMIC &&
        stmt->access.scope == SCOPE_WARP)
      return true;
  }
  return has_barrier(kernel, BARRIER_WARP) ||
         has_barrier(kernel, BARRIER_LANES);
}

static void make_procedure(Task *task, Kernel *kernel, Program *program,
                           Threads threads) {
  Maker *maker = maker_new(task, kernel, program, threads);
  push(&task->arena, &program->procedures, maker->procedure);
  assume_launch(maker);
  assume_distinct(maker);
  if (threads == THREADS_BLOCK && needs_warps(kernel))
    find_same_warp(maker);
  if (maker->threads == 2)
    lockstep_log_start(maker);
  lockstep_count_start(maker);
  start_leaving(maker, NULL);
  make_text(maker, NULL);
}

// ------------------------------------------------------------ the program ---

static void refuse(Program *program, const char *what, Loc where) {
  if (program->unsupported)
    return;
  program->unsupported = what;
  program->where = where;
}

static bool is_of_whole_warp(const Barrier *barrier) {
  return barrier->mask && expr_is_const(barrier->mask) &&
         barrier->mask->value == UINT32_MAX;
}

// Symbols that a round makes anew have no values yet where it begins.
static bool is_of_round(Task *task, Expr *a, const Loop *loop) {
  Symbols symbols = {0};
  expr_symbols(task, a, &symbols);
  for (size_t i = 0; i < symbols.count; i++) {
    const Symbol *symbol = symbols.at[i];
    bool is_carried = symbol->kind == SYMBOL_PHI && symbol->loop == loop;
    if (symbol->loop && !is_carried &&
        loop_contains(loop, symbol->loop->header))
      return true;
  }
  return false;
}

static void check_invariants(Task *task, Program *program) {
  const Kernel *kernel = program->kernel;
  for (size_t i = 0; i < kernel->loops.count; i++) {
    const Loop *loop = kernel->loops.at[i];
    for (size_t k = 0; k < loop->asserted.count; k++)
      if (is_of_round(task, loop->asserted.at[k]->condition, loop))
        refuse(program, "an invariant of what a round computes",
               loop->asserted.at[k]->loc);
  }
}

static bool reads_what_changes(const Kernel *kernel, const Stmt *read) {
  if (read->kind != STMT_ACCESS || read->access.kind != ACCESS_READ)
    return false;
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    const Stmt *stmt = kernel->stmts.at[i];
    if (stmt->kind == STMT_ACCESS && access_writes(&stmt->access) &&
        stmt->access.array == read->access.array)
      return true;
  }
  return false;
}

// What the program leaves open and the kernel does not: a run that goes wrong
// is no run of the kernel then.
static void find_too_much(Program *program) {
  const Kernel *kernel = program->kernel;
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    const Stmt *stmt = kernel->stmts.at[i];
    if (lockstep_counts_roughly(kernel, stmt))
      program->too_much = "what atomics return is not followed";
    else if ((kernel->options->only_divergence || kernel->options->only_log) &&
             reads_what_changes(kernel, stmt))
      program->too_much = "memory that changes has any values";
  }
}

static void check_statement(Program *program, const Stmt *stmt) {
  if (stmt->kind == STMT_CLAIM)
    refuse(program, "an annotation about accesses or two threads", stmt->loc);
  if (stmt->kind == STMT_LOOK)
    refuse(program, "an annotation about what memory contains", stmt->loc);
  if (stmt->kind != STMT_BARRIER)
    return;
  if (stmt->barrier.alike.count)
    refuse(program, "arguments that have to be the same", stmt->loc);
  switch (stmt->barrier.kind) {
  case BARRIER_COPY:
  case BARRIER_EVENT:
    refuse(program, "an asynchronous copy", stmt->loc);
    return;
  case BARRIER_WARP:
  case BARRIER_LANES:
    if (!is_of_whole_warp(&stmt->barrier))
      refuse(program, "an exchange or barrier for some of the lanes",
             stmt->loc);
    return;
  case BARRIER_SUB_GROUP:
    refuse(program, "an exchange of a sub-group", stmt->loc);
    return;
  case BARRIER_BLOCK:
  case BARRIER_GRID:
    return;
  }
}

static void check_supported(Task *task, Program *program) {
  const Kernel *kernel = program->kernel;
  const Options *options = kernel->options;
  if (options->warp_sync)
    refuse(program, "--warp-sync", kernel->loc);
  if (options->no_overflow)
    refuse(program, "--no-overflow", kernel->loc);
  if (options->check_arrays)
    refuse(program, "--check-arrays", kernel->loc);
  for (unsigned i = 0; i < PREMISES; i++)
    if (options->assumed[i])
      refuse(program, "--assume", kernel->loc);
  for (size_t i = 0; i < kernel->stmts.count; i++)
    check_statement(program, kernel->stmts.at[i]);
  check_invariants(task, program);
}

static bool has_assertions(const Kernel *kernel) {
  for (size_t i = 0; i < kernel->loops.count; i++)
    if (kernel->loops.at[i]->asserted.count)
      return true;
  for (size_t i = 0; i < kernel->stmts.count; i++)
    if (kernel->stmts.at[i]->kind == STMT_ASSERT)
      return true;
  return kernel->options->check_array_bounds;
}

static bool needs_two_blocks(const Kernel *kernel) {
  const Options *options = kernel->options;
  return has_barrier(kernel, BARRIER_GRID) ||
         (!options->only_divergence && !options->only_log &&
          !options->only_intra_group);
}

Program *lockstep_from_kernel(Task *task, Kernel *kernel) {
  Program *program = NEW(&task->arena, Program);
  program->kernel = kernel;
  kernel_find_relevant(task, kernel);
  check_supported(task, program);
  if (program->unsupported)
    return program;
  find_too_much(program);
  if (has_assertions(kernel))
    make_procedure(task, kernel, program, THREADS_ONE);
  make_procedure(task, kernel, program, THREADS_BLOCK);
  if (needs_two_blocks(kernel))
    make_procedure(task, kernel, program, THREADS_GRID);
  return program;
}
