// From which lane a shuffle's result is.
//
// A shuffle gives the thread what a third one has, the lane that it asks.  That
// lane takes part if the thread's mask names it and the block has it: that all
// come whom a mask names is what divergence.c proves.  So behind the shuffle
// there is such a thread, with the same mask, in the same iteration of the
// loops around, or in some iteration where lanes come by a mask that says who
// is there (lanes.c), and what it had is what the thread has got.  It becomes a
// context of its own beside the two of an obligation, with symbols of its own:
// its ids, what it was told by votes, what atomics returned to it.
//
// The lanes that the two threads have asked may be one and the same thread.
// Then what it computes once is one value.  Else they are two threads like any
// others, so that atomic counters gave them different numbers.

#include "translator/pair.h"

enum { MOST_SOURCES = 4, LANES_OF_WARP = 32 };

static bool is_around(const Loop *loop, const Source *source) {
  return !loop ||
         (!source->gathered && loop_contains(loop, source->shuffle->block));
}

static Expr *source_copy(Source *source, const Symbol *symbol) {
  Context *of = source->of;
  for (size_t i = 0; i < source->copies.count; i++)
    if (source->copies.at[i]->symbol->original == symbol)
      return source->copies.at[i];
  Expr *copy =
      meetings_copy(of->meeting->meetings, symbol,
                    arena_printf(&of->meeting->task->arena, "$%u^%u",
                                 of->thread + 1, source->shuffle->number));
  push(&of->meeting->task->arena, &source->copies, copy);
  return copy;
}

static Expr *replace_in_source(Task *task, Symbol *symbol, void *data) {
  (void)task;
  Source *source = data;
  bool is_same = false;
  switch (symbol->kind) {
  case SYMBOL_BLOCK_ID:
  case SYMBOL_BLOCK_SIZE:
  case SYMBOL_GRID_SIZE:
  case SYMBOL_PARAMETER:
  case SYMBOL_LAUNCH:
    is_same = true;
    break;
  case SYMBOL_ITERATION:
    is_same = is_around(symbol->loop, source);
    break;
  case SYMBOL_PHI:
    if (symbol->closed)
      return context_expr(&source->context, symbol->closed);
    is_same = symbol->is_block_uniform && is_around(symbol->loop, source);
    break;
  case SYMBOL_THREAD_ID:
    break;
  case SYMBOL_LOAD:
  case SYMBOL_ATOMIC:
  case SYMBOL_UNKNOWN:
    is_same = symbol->is_block_uniform && is_around(symbol->loop, source);
    break;
  }
  return is_same ? context_expr(source->of, symbol->expr)
                 : source_copy(source, symbol);
}

// Whoever has come to the later one has come to the first.
static bool is_alike(const Source *source, const Context *of,
                     const Stmt *stmt) {
  const Stmt *shuffle = source->shuffle;
  return source->of == of && shuffle->number <= stmt->number &&
         shuffle->guard == stmt->guard &&
         shuffle->block->loop == stmt->block->loop &&
         shuffle->barrier.mask == stmt->barrier.mask &&
         shuffle->barrier.from == stmt->barrier.from;
}

// One lane that two shuffles ask is one context.
static Source *source_of(Context *of, const Stmt *shuffle) {
  Meeting *meeting = of->meeting;
  for (size_t i = 0; i < meeting->sources.count; i++)
    if (is_alike(meeting->sources.at[i], of, shuffle))
      return meeting->sources.at[i];
  Source *source = NEW(&meeting->task->arena, Source);
  *source = (Source){.of = of,
                     .shuffle = shuffle,
                     .gathered = lanes_gathered_by(meeting->kernel, shuffle)};
  source->context = *of;
  source->context.reached = shuffle->guard;
  source->context.substitution =
      (Substitution){.replace = replace_in_source, .data = source};
  push(&meeting->task->arena, &meeting->sources, source);
  return source;
}

// ----------------------------------------------------------------- facts ---

static Expr *asked_for(const Source *source) {
  return context_expr(source->of, source->shuffle->barrier.from);
}

static bool has_told(const Source *source, const Stmt *stmt) {
  return stmt == source->gathered ||
         (lanes_are_told(stmt) && is_around(stmt->block->loop, source) &&
          position_has_passed(position_of(source->shuffle), stmt));
}

// The block has the lane of the thread's warp, where that is known: it is not
// above the thread's own, it is in a mask that the thread was told, or the size
// of the block is given.
static Expr *exists(const Source *source, Expr *lane) {
  Context *of = source->of;
  Task *task = of->meeting->task;
  const Kernel *kernel = of->meeting->kernel;
  Expr *const *size = kernel->block_size;
  Expr *threads = expr_mul(task, expr_mul(task, size[0], size[1]), size[2]);
  Expr *first = expr_mul(task, context_warp(of),
                         expr_const(task, lane->width, LANES_OF_WARP));
  Expr *some = expr_binary(task, EXPR_ULE, lane, lanes_number(of));
  if (expr_is_const(threads))
    some = expr_or(
        task, some,
        expr_binary(task, EXPR_ULT, expr_add(task, first, lane), threads));
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    const Stmt *stmt = kernel->stmts.at[i];
    if (!has_told(source, stmt))
      continue;
    Expr *told = context_expr(of, stmt->barrier.told->expr);
    some = expr_or(task, some,
                   expr_and(task, context_expr(of, stmt->guard),
                            lanes_name(task, told, lane)));
  }
  return some;
}

Expr *source_is_there(const Source *source) {
  const Stmt *shuffle = source->shuffle;
  Context *of = source->of;
  Task *task = of->meeting->task;
  Expr *lane = asked_for(source);
  Expr *named = lanes_name(task, context_expr(of, shuffle->barrier.mask), lane);
  return expr_and(task, context_expr(of, shuffle->guard),
                  expr_and(task, named, exists(source, lane)));
}

// Of the lane, if it is there: it is a thread of the warp, and came.
static Expr *who_it_is(Source *source) {
  Context *of = source->of, *context = &source->context;
  Task *task = of->meeting->task;
  const Kernel *kernel = of->meeting->kernel;
  const Stmt *shuffle = source->shuffle;
  Expr *lane = asked_for(source);
  Expr *all =
      expr_and(task, expr_eq(task, context_warp(context), context_warp(of)),
               expr_eq(task, lanes_number(context), lane));
  for (size_t i = 0; i < kernel->facts.count; i++)
    if (context_expr(of, kernel->facts.at[i]) !=
        context_expr(context, kernel->facts.at[i]))
      all = expr_and(task, all, context_expr(context, kernel->facts.at[i]));
  all = expr_and(task, all,
                 expr_eq(task, context_expr(context, shuffle->barrier.mask),
                         context_expr(of, shuffle->barrier.mask)));
  for (size_t i = 0; i < kernel->stmts.count; i++)
    if (has_told(source, kernel->stmts.at[i]))
      all = expr_and(task, all,
                     lanes_tell_both(context, of, kernel->stmts.at[i]));
  return all;
}

static void add_result(Source *source, const Stmt *shuffle, Exprs *facts) {
  Task *task = source->of->meeting->task;
  const Barrier *barrier = &shuffle->barrier;
  Expr *had = context_expr(&source->context, barrier->value);
  Expr *got = context_expr(source->of, barrier->passed->expr);
  push(&task->arena, facts,
       expr_implies(task, source_is_there(source), expr_eq(task, had, got)));
}

// ------------------------------------------------------------ one thread ---

Expr *sources_are_one(const Source *one, const Source *two) {
  Task *task = one->of->meeting->task;
  Expr *thread[2][3], *block[2][3], *same = expr_bool(task, true);
  Context *a = (Context *)&one->context, *b = (Context *)&two->context;
  context_id(a, thread[0], block[0]);
  context_id(b, thread[1], block[1]);
  for (unsigned axis = 0; axis < 3; axis++) {
    same =
        expr_and(task, same, expr_eq(task, thread[0][axis], thread[1][axis]));
    same = expr_and(task, same, expr_eq(task, block[0][axis], block[1][axis]));
  }
  return same;
}

Expr *sources_in_one_iteration(const Source *one, const Source *two,
                               const Loop *inner) {
  Task *task = one->of->meeting->task;
  Expr *same = expr_bool(task, true);
  Context *a = (Context *)&one->context, *b = (Context *)&two->context;
  for (const Loop *loop = inner; loop; loop = loop->parent)
    same = expr_and(task, same,
                    expr_eq(task, context_expr(a, loop->iteration->expr),
                            context_expr(b, loop->iteration->expr)));
  return same;
}

static const Expr *copy_of(const Source *source, const Symbol *symbol) {
  for (size_t i = 0; i < source->copies.count; i++)
    if (source->copies.at[i]->symbol->original == symbol)
      return source->copies.at[i];
  return NULL;
}

// What one thread computes in one iteration is one value.
static void add_consistency(const Source *one, const Source *two,
                            Exprs *facts) {
  Task *task = one->of->meeting->task;
  Expr *both = expr_and(task, source_is_there(one), source_is_there(two));
  both = expr_and(task, both, sources_are_one(one, two));
  for (size_t i = 0; i < one->copies.count; i++) {
    Expr *a = one->copies.at[i];
    const Symbol *symbol = a->symbol->original;
    Expr *b = (Expr *)copy_of(two, symbol);
    if (!b || symbol->kind == SYMBOL_ITERATION)
      continue;
    Expr *same = sources_in_one_iteration(one, two, symbol->loop);
    push(&task->arena, facts,
         expr_implies(task, expr_and(task, both, same), expr_eq(task, a, b)));
  }
}

// --------------------------------------------------------------- looking ---

static bool is_asked(Context *of, Position position, const Stmt *stmt,
                     Expr *violation) {
  const Barrier *barrier = &stmt->barrier;
  if (stmt->kind != STMT_BARRIER || !barrier->passed ||
      !position_has_passed(position, stmt))
    return false;
  Expr *got = context_expr(of, barrier->passed->expr);
  return got->op == EXPR_SYMBOL &&
         expr_mentions(of->meeting->task, violation, got->symbol);
}

static void add_once(Task *task, Sources *sources, Source *source) {
  for (size_t i = 0; i < sources->count; i++)
    if (sources->at[i] == source)
      return;
  push(&task->arena, sources, source);
}

static void find_sources(Context *of, Position position, Obligation *obligation,
                         Sources *sources) {
  Task *task = of->meeting->task;
  const Kernel *kernel = of->meeting->kernel;
  for (size_t i = 0; i < kernel->stmts.count && sources->count < MOST_SOURCES;
       i++) {
    const Stmt *stmt = kernel->stmts.at[i];
    if (!is_asked(of, position, stmt, obligation->violation))
      continue;
    Source *source = source_of(of, stmt);
    add_once(task, sources, source);
    add_result(source, stmt, &obligation->facts);
  }
}

void shuffles_add_facts(Meeting *meeting, const Position *positions,
                        Obligation *obligation, Sources *sources) {
  Task *task = meeting->task;
  Exprs *facts = &obligation->facts;
  for (unsigned i = 0; i < 2; i++) {
    find_sources(&meeting->context[i], positions[i], obligation, &sources[i]);
    for (size_t k = 0; k < sources[i].count; k++) {
      Source *source = sources[i].at[k];
      push(&task->arena, facts,
           expr_implies(task, source_is_there(source), who_it_is(source)));
    }
  }
}

void shuffles_add_consistency(const Sources *sources, Exprs *facts) {
  for (size_t i = 0; i < sources[0].count; i++)
    for (size_t k = 0; k < sources[1].count; k++)
      add_consistency(sources[0].at[i], sources[1].at[k], facts);
}
