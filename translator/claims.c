// Claims: assertions about logged accesses, or about two threads.
//
// The logged access to an array, one for reads and one for writes, is none or
// any that the thread has made since the last barrier that orders it: between
// threads of one block, or for global memory, which threads of two blocks
// share, a barrier of the grid.  For each statement that may have made it there
// is an obligation about one thread that is at two places, at the access and
// later at the claim.  Atomics are logged as neither, as in GPUVerify.
//
// What a value is in the other thread: the two are in the same iteration of
// every loop around the claim.  Where loops are not left together the other one
// may also have left, or not entered; then it is not enabled, and the values
// that such a loop computes are those of any iteration.
//
// A global claim about a log is also one about whoever is elsewhere: it did not
// come to the claim in this iteration, left the loop or the kernel, or is on
// another way.  What such a thread has logged is any access that leads to the
// claim without a barrier, or that shares an interval with it and does not come
// behind it.
//
// A claim is never a fact, so that whoever proves nothing of it loses nothing
// else.

#include "translator/pair.h"

#include <assert.h>
#include <string.h>

// One of the logs that a claim speaks of.
typedef struct Log {
  const Array *array;
  AccessKind access;
  Symbol *any;   // a symbol of the claim that is about it
  Stmt *made_by; // what is tried: the logged access, or NULL for none
  const AccessPlace *place; // ... of the claim, seen from there
  bool is_here;             // ... in the claim's iteration of all its loops
} Log;

typedef struct Maker {
  Task *task;
  Kernel *kernel;
  Pair *pair;
  Meetings *meetings;
  Stmt *stmt; // the claim
  bool same_block;
  bool is_elsewhere; // the thread whose logs are meant
  Vec(Log) logs;
} Maker;

// What a formula with ghosts is in a meeting.
typedef struct Reading {
  Maker *maker;
  Meeting *meeting;
  bool is_enabled; // who is asked for may be where the claim is
  bool is_other;   // read for the other thread
} Reading;

static Expr *read_by(Reading *reading, Expr *a);

static Log *log_of(Maker *maker, const Ghost *ghost) {
  for (size_t i = 0; i < maker->logs.count; i++)
    if (maker->logs.at[i].array == ghost->array &&
        maker->logs.at[i].access == ghost->access)
      return &maker->logs.at[i];
  return NULL;
}

// ------------------------------------------------------- logged accesses ---

static Context *context_of(const Log *log, Meeting *meeting) {
  return &meeting->context[!log->is_here];
}

static Expr *any_offset(const Maker *maker, const Log *log) {
  return meetings_anew(maker->meetings, log->any);
}

// One element of the source; several are logged one by one.
static bool is_one_element(const Access *access) {
  return expr_is_const(access->length) &&
         access->length->value == access->array->element;
}

static Expr *logged_offset(Reading *reading, const Log *log) {
  const Stmt *by = log->made_by;
  return by && is_one_element(&by->access)
             ? context_expr(context_of(log, reading->meeting),
                            by->access.offset)
             : any_offset(reading->maker, log);
}

// The offset of one of several elements.
static Expr *is_in_range(const Maker *maker, Meeting *meeting, const Log *log) {
  Task *task = maker->task;
  const Access *access = &log->made_by->access;
  if (!log->any || is_one_element(access))
    return expr_bool(task, true);
  Context *context = context_of(log, meeting);
  Expr *inside = expr_sub(task, any_offset(maker, log),
                          context_expr(context, access->offset));
  Expr *length = context_expr(context, access->length);
  Expr *within = expr_binary(task, EXPR_ULT, inside, length);
  uint64_t element = access->array->element;
  if (!element || !expr_is_const(length) || length->value % element)
    return within;
  Expr *rest =
      expr_binary(task, EXPR_UREM, inside, expr_const(task, 64, element));
  return expr_and(task, within, expr_eq(task, rest, expr_const(task, 64, 0)));
}

// The thread has made the access and gone from there to the claim.
static Expr *was_made(const Maker *maker, Meeting *meeting, const Log *log) {
  Task *task = maker->task;
  const Stmt *by = log->made_by;
  const AccessPlace *place = log->place;
  Context *then = context_of(log, meeting), *now = &meeting->context[0];
  Expr *empty = expr_eq(task, context_expr(then, by->access.length),
                        expr_const(task, 64, 0));
  Expr *made =
      expr_and(task, context_expr(then, by->guard), expr_not(task, empty));
  made = expr_and(task, made, context_expr(now, place->condition));
  if (place->round)
    made = expr_and(
        task, made,
        context_before(maker->meetings, now, place->round, place->before));
  return expr_and(task, made, is_in_range(maker, meeting, log));
}

// --------------------------------------------------------------- reading ---

// Of one thread alone it is known only in a global claim: else it is true.
static Expr *is_enabled(Reading *reading, const Ghost *ghost) {
  assert(reading->is_other || reading->maker->stmt->is_global);
  Context *context = &reading->meeting->context[reading->is_other];
  return reading->is_enabled ? context_expr(context, ghost->value)
                             : expr_bool(reading->maker->task, false);
}

// Whoever makes a claim that is not global is where the claim is.
static Expr *value_here(Reading *reading, const Symbol *symbol) {
  Task *task = reading->maker->task;
  const Ghost *ghost = symbol->ghost;
  Context *context = &reading->meeting->context[reading->is_other];
  Expr *value = read_by(reading, ghost->value);
  if (!reading->is_other && !reading->maker->stmt->is_global)
    return value;
  Expr *is_here = reading->is_enabled ? context_expr(context, ghost->guard)
                                      : expr_bool(task, false);
  return expr_ite(task, is_here, value, context_expr(context, symbol->expr));
}

static Expr *ghost_value(Reading *reading, const Symbol *symbol) {
  Task *task = reading->maker->task;
  const Ghost *ghost = symbol->ghost;
  const Log *log = log_of(reading->maker, ghost);
  Reading other = *reading;
  other.is_other = true;
  switch (ghost->kind) {
  case GHOST_OCCURRED:
    return expr_bool(task, log->made_by);
  case GHOST_OFFSET:
    return logged_offset(reading, log);
  case GHOST_OTHER:
    return read_by(&other, ghost->value);
  case GHOST_ENABLED:
    return is_enabled(reading, ghost);
  case GHOST_HERE:
    return value_here(reading, symbol);
  case GHOST_SAME_GROUP:
    return expr_bool(task, reading->maker->same_block);
  }
  assert(!"a ghost of no kind");
  return NULL;
}

static Expr *replace_ghosts(Task *task, Symbol *symbol, void *data) {
  (void)task;
  Reading *reading = data;
  return symbol->ghost
             ? ghost_value(reading, symbol)
             : context_expr(&reading->meeting->context[reading->is_other],
                            symbol->expr);
}

static Expr *read_by(Reading *reading, Expr *a) {
  Substitution substitution = {.replace = replace_ghosts, .data = reading};
  return expr_substitute(reading->maker->task, &substitution, a);
}

// ----------------------------------------------------------- obligations ---

// Of logs, who is elsewhere is asked by itself.
static Expr *is_there(const Maker *maker, Meeting *meeting) {
  return maker->stmt->is_global && (maker->is_elsewhere || !maker->logs.count)
             ? expr_bool(maker->task, true)
             : context_expr(&meeting->context[0], maker->stmt->guard);
}

static Obligation *add_claim(Maker *maker, Meeting *meeting, Expr *violation,
                             const Position positions[2]) {
  Obligation *obligation =
      pair_add(maker->task, maker->pair, OBLIGATION_ASSERTION, violation);
  obligation->first = maker->stmt;
  obligation->same_block = maker->same_block;
  obligation->reached = is_there(maker, meeting);
  pair_fill_facts(obligation, meeting, positions);
  return obligation;
}

static Expr *is_violated(Reading *reading) {
  Maker *maker = reading->maker;
  return expr_and(
      maker->task, is_there(maker, reading->meeting),
      expr_not(maker->task, read_by(reading, maker->stmt->condition)));
}

// ----------------------------------------------------------------- of one ---

static const Log *far_log(Maker *maker) {
  const Log *far = NULL;
  for (size_t i = 0; i < maker->logs.count; i++) {
    const Log *log = &maker->logs.at[i];
    if (!log->made_by || log->is_here)
      continue;
    if (far)
      unsupported(maker->task, maker->stmt->loc,
                  "an annotation about several logged accesses of other "
                  "iterations");
    far = log;
  }
  return far;
}

static AccessPlace *own_place(Maker *maker, const Stmt *stmt) {
  AccessPlace *place = NEW(&maker->task->arena, AccessPlace);
  place->relations =
      arena_alloc(&maker->task->arena,
                  (maker->kernel->loops.count + 1) * sizeof *place->relations);
  for (const Loop *loop = stmt->block->loop; loop; loop = loop->parent)
    place->relations[loop->index].kind = RELATION_SAME;
  return place;
}

// Of one run of a loop: the claim is in a later iteration.
static void add_order(Maker *maker, Meeting *meeting, const Stmt *access,
                      Obligation *obligation) {
  Expr **now = meeting->context[0].iterations;
  Expr **then = meeting->context[1].iterations;
  for (const Loop *loop = access->block->loop; loop; loop = loop->parent)
    if (now[loop->index] != then[loop->index] &&
        meeting_in_one_iteration(meeting, loop->parent))
      push(&maker->task->arena, &obligation->facts,
           expr_binary(maker->task, EXPR_ULT, then[loop->index],
                       now[loop->index]));
}

static const char *log_sentence(const Maker *maker) {
  const char *what = maker->stmt->message, *sentence = NULL;
  Arena *arena = &maker->task->arena;
  for (size_t i = 0; i < maker->logs.count; i++) {
    const Log *log = &maker->logs.at[i];
    if (log->made_by)
      sentence = arena_printf(
          arena, "%s%s the %s of '%s' in line %u",
          sentence ? sentence : arena_printf(arena, "%s may fail for", what),
          sentence ? " and" : "", access_name(log->access),
          accessed_name(&log->made_by->access), log->made_by->loc.line);
  }
  if (sentence)
    return sentence;
  return arena_printf(arena, "%s may fail%s", what,
                      maker->logs.count ? " where nothing is logged" : "");
}

// Of a thread there nothing is known but what is known of any thread.
static Position position_anywhere(const Maker *maker) {
  return (Position){.block = maker->kernel->blocks.at[0]};
}

static bool may_be_there(const Maker *maker) { return !maker->is_elsewhere; }

// For the accesses that the logs have at the moment.
static void add_of_one(Maker *maker) {
  const Log *far = far_log(maker);
  Position now =
      maker->is_elsewhere ? position_anywhere(maker) : position_of(maker->stmt);
  Position positions[2] = {now, far ? position_of(far->made_by) : now};
  Meeting *meeting =
      far ? meeting_of_one(maker->meetings, now, far->place, positions[1],
                           own_place(maker, far->made_by))
          : meeting_single(maker->meetings, false);
  Reading reading = {maker, meeting, may_be_there(maker), false};
  Expr *violation = is_violated(&reading);
  for (size_t i = 0; i < maker->logs.count; i++)
    if (maker->logs.at[i].made_by)
      violation = expr_and(maker->task, violation,
                           was_made(maker, meeting, &maker->logs.at[i]));
  if (expr_is_false(violation))
    return;
  Obligation *obligation = add_claim(maker, meeting, violation, positions);
  obligation->sentence = log_sentence(maker);
  if (far && !maker->is_elsewhere)
    add_order(maker, meeting, far->made_by, obligation);
}

static bool is_in_iteration(const Stmt *claim, const Stmt *access,
                            const AccessPlace *place) {
  for (const Loop *loop = access->block->loop; loop; loop = loop->parent) {
    const Relation *relation = &place->relations[loop->index];
    bool is_another = relation->kind != RELATION_SAME || relation->count > 0;
    if (is_another || !loop_contains(loop, claim->block))
      return false;
  }
  return true;
}

static bool is_logged(const Log *log, const Stmt *stmt) {
  return stmt->kind == STMT_ACCESS && stmt->access.array == log->array &&
         stmt->access.kind == log->access;
}

static Reach reach_of(const Maker *maker, const Array *array) {
  bool is_of_block = array->space == SPACE_SHARED || maker->same_block ||
                     maker->kernel->options->only_intra_group;
  return is_of_block ? REACH_BLOCK : REACH_GRID;
}

static bool leads_to(const Maker *maker, const Log *log, Stmt *from,
                     const Stmt *to) {
  return interval_since(maker->task, maker->kernel, reach_of(maker, log->array),
                        log->array->space, from, to)
      .count;
}

static bool may_be_logged_elsewhere(const Maker *maker, const Log *log,
                                    Stmt *access) {
  if (leads_to(maker, log, access, maker->stmt))
    return true;
  const AccessPlaces *places =
      interval_places(maker->task, maker->kernel, reach_of(maker, log->array),
                      log->array->space);
  return places_share_interval(&places[access->number],
                               &places[maker->stmt->number]) &&
         !leads_to(maker, log, maker->stmt, access);
}

static void try_logs(Maker *maker, size_t next);

static void try_elsewhere(Maker *maker, size_t which, Stmt *access) {
  Task *task = maker->task;
  Log *log = &maker->logs.at[which];
  if (!may_be_logged_elsewhere(maker, log, access))
    return;
  AccessPlace *any = own_place(maker, maker->stmt);
  memset(any->relations, 0,
         maker->kernel->loops.count * sizeof *any->relations);
  any->condition = expr_bool(task, true);
  log->made_by = access;
  log->place = any;
  log->is_here = false;
  try_logs(maker, which + 1);
  log->made_by = NULL;
}

static void try_access(Maker *maker, size_t which, Stmt *access) {
  Log *log = &maker->logs.at[which];
  AccessPlaces places =
      interval_since(maker->task, maker->kernel, reach_of(maker, log->array),
                     log->array->space, access, maker->stmt);
  if (access->access.event)
    unsupported(maker->task, maker->stmt->loc,
                "an annotation about accesses of an asynchronous copy");
  if (maker->is_elsewhere) {
    try_elsewhere(maker, which, access);
    return;
  }
  log->made_by = access;
  for (size_t i = 0; i < places.count; i++) {
    log->place = &places.at[i];
    log->is_here = is_in_iteration(maker->stmt, access, log->place);
    try_logs(maker, which + 1);
  }
  log->made_by = NULL;
}

// All that the logs from the next one on may have.
static void try_logs(Maker *maker, size_t next) {
  task_check_time(maker->task, maker->stmt->loc);
  if (next == maker->logs.count) {
    add_of_one(maker);
    return;
  }
  try_logs(maker, next + 1);
  for (size_t i = 0; i < maker->kernel->stmts.count; i++)
    if (is_logged(&maker->logs.at[next], maker->kernel->stmts.at[i]))
      try_access(maker, next, maker->kernel->stmts.at[i]);
}

// -------------------------------------------------------------- elsewhere ---

static const BasicBlock *earlier(const BasicBlock *a, const BasicBlock *b) {
  return a && a->index < b->index ? a : b;
}

// Behind the loop and not behind those around it.
static Position position_behind(const Maker *maker, const Loop *loop) {
  Position before = position_before(maker->kernel, loop);
  const BasicBlock *behind = NULL;
  for (size_t i = 0; i < loop->blocks.count; i++) {
    const BasicBlock *block = loop->blocks.at[i];
    for (size_t k = 0; k < block->out.count; k++) {
      const BasicBlock *to = block->out.at[k]->to;
      if (!loop_contains(loop, to) &&
          (!loop->parent || loop_contains(loop->parent, to)))
        behind = earlier(behind, to);
    }
  }
  return behind ? (Position){.block = behind, .stmt = before.stmt} : before;
}

// A global claim in a loop, of a thread that has left the loop or did not enter
// it.  What the loop computes has its last value there, if there is one.
static void add_elsewhere(Maker *maker, const Loop *loop) {
  Position behind = position_behind(maker, loop);
  Position positions[2] = {behind, behind};
  Meeting *meeting = meeting_single(maker->meetings, false);
  Reading reading = {maker, meeting, false, false};
  Expr *violation = is_violated(&reading);
  if (expr_is_false(violation))
    return;
  Obligation *obligation = add_claim(maker, meeting, violation, positions);
  obligation->sentence =
      arena_printf(&maker->task->arena, "%s may fail for who has left the loop",
                   maker->stmt->message);
}

static void add_all_elsewhere(Maker *maker) {
  for (const Loop *loop = maker->stmt->block->loop; loop; loop = loop->parent)
    add_elsewhere(maker, loop);
}

// ----------------------------------------------------------------- of two ---

// The outermost loop around the claim that one thread may be in alone.
static const Loop *parting_loop(const Maker *maker) {
  const Loop *parting = NULL;
  for (const Loop *loop = maker->stmt->block->loop; loop; loop = loop->parent)
    if (!loop->is_left_together[!maker->same_block])
      parting = loop;
  return parting;
}

// What annotations asked, and read from memory at such addresses.
static void add_others(Reading *reading, Exprs *facts) {
  const Maker *maker = reading->maker;
  Reading other = *reading;
  other.is_other = true;
  for (size_t i = 0; i < maker->meetings->symbols; i++) {
    const Symbol *symbol = maker->kernel->symbols.at[i];
    if (!symbol->ghost || symbol->ghost->kind != GHOST_OTHER)
      continue;
    Expr *asked = context_expr(&reading->meeting->context[0], symbol->expr);
    push(&maker->task->arena, facts,
         expr_eq(maker->task, asked, read_by(&other, symbol->ghost->value)));
  }
}

// `parting`: the other thread has left that loop, or never entered it.
static void add_of_two(Maker *maker, const Loop *parting) {
  Position here = position_of(maker->stmt);
  Position positions[2] = {
      here, parting ? position_before(maker->kernel, parting) : here};
  Meeting *meeting =
      parting ? meeting_apart(maker->meetings, maker->same_block, here, parting)
              : meeting_in_step(maker->meetings, maker->same_block, here);
  bool may_be_here = !parting;
  Reading reading = {maker, meeting, may_be_here, false};
  Expr *violation =
      expr_and(maker->task, meeting_is_of_two(meeting), is_violated(&reading));
  if (maker->stmt->is_of_barrier)
    violation =
        expr_and(maker->task, violation,
                 context_expr(&meeting->context[1], maker->stmt->guard));
  if (expr_is_false(violation))
    return;
  Obligation *obligation = add_claim(maker, meeting, violation, positions);
  add_others(&reading, &obligation->facts);
  obligation->sentence = arena_printf(
      &maker->task->arena, "%s may fail for two threads of %s",
      maker->stmt->message, maker->same_block ? "a block" : "two blocks");
}

// ------------------------------------------------------------- all claims ---

static void note_log(Maker *maker, Symbol *symbol) {
  const Ghost *ghost = symbol->ghost;
  Log *log = log_of(maker, ghost);
  if (!log) {
    push(&maker->task->arena, &maker->logs,
         ((Log){.array = ghost->array, .access = ghost->access}));
    log = &maker->logs.at[maker->logs.count - 1];
  }
  if (ghost->kind == GHOST_OFFSET)
    log->any = symbol;
}

// It was read at an address that the other thread's values are in.
static bool is_read_there(const Maker *maker, const Symbol *symbol) {
  Symbols symbols = {0};
  if (symbol->kind == SYMBOL_LOAD && symbol->stmt)
    expr_symbols(maker->task, symbol->stmt->access.offset, &symbols);
  for (size_t i = 0; i < symbols.count; i++)
    if (symbols.at[i]->ghost && symbols.at[i]->ghost->kind == GHOST_OTHER)
      return true;
  return false;
}

// Which logs are there; true: another thread is spoken of.
static bool find_ghosts(Maker *maker, bool *is_of_groups) {
  bool is_of_two = false;
  Symbols symbols = {0};
  expr_symbols(maker->task, maker->stmt->condition, &symbols);
  for (size_t i = 0; i < symbols.count; i++) {
    const Ghost *ghost = symbols.at[i]->ghost;
    is_of_two |= is_read_there(maker, symbols.at[i]);
    if (!ghost)
      continue;
    is_of_two |= ghost->kind == GHOST_OTHER;
    *is_of_groups |= ghost->kind == GHOST_SAME_GROUP;
    if (ghost->kind == GHOST_OCCURRED || ghost->kind == GHOST_OFFSET)
      note_log(maker, symbols.at[i]);
  }
  return is_of_two;
}

static void add_for_groups(Maker *maker, bool same_block, bool is_of_two) {
  maker->same_block = same_block;
  if (!is_of_two) {
    try_logs(maker, 0);
    maker->is_elsewhere = maker->stmt->is_global && maker->logs.count;
    if (maker->is_elsewhere)
      try_logs(maker, 0);
    maker->is_elsewhere = false;
    return;
  }
  const Loop *parting = parting_loop(maker);
  add_of_two(maker, NULL);
  if (parting)
    add_of_two(maker, parting);
}

// What is logged for threads of two blocks has all that is logged for those of
// one.
static void add_statement(Maker *maker) {
  bool is_of_groups = false;
  maker->logs.count = 0;
  bool is_of_two = find_ghosts(maker, &is_of_groups);
  bool only_one = maker->kernel->options->only_intra_group;
  if (maker->stmt->is_of_barrier) {
    maker->same_block = true;
    add_of_two(maker, NULL);
    return;
  }
  if (is_of_two || is_of_groups || only_one)
    add_for_groups(maker, true, is_of_two);
  if (!only_one)
    add_for_groups(maker, false, is_of_two);
  if (maker->stmt->is_global && !maker->logs.count)
    add_all_elsewhere(maker);
}

void claims_add_all(Pair *pair, Meetings *meetings) {
  Maker maker = {.task = meetings->task,
                 .kernel = meetings->kernel,
                 .pair = pair,
                 .meetings = meetings};
  for (size_t i = 0; i < maker.kernel->stmts.count; i++) {
    maker.stmt = maker.kernel->stmts.at[i];
    if (maker.stmt->kind == STMT_CLAIM)
      add_statement(&maker);
  }
}
