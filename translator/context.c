// Two threads in one formula.
//
// A formula of the kernel speaks of one thread.  Here it becomes thread 1's
// or thread 2's: `x` turns into `x$1` and `x$2`.  What is the same in both
// threads stays `x`: launch-wide values always; block-wide values, and what
// the uniformity analysis found, if both threads are in the same iteration of
// every loop that computes the value.  Loop-carried values with a closed form
// are replaced by it, over the thread's own iteration number, so that no
// invariant is needed for them.

#include "translator/pair.h"

#include <assert.h>
#include <string.h>

// ------------------------------------------------------------- positions ---

Position position_of(const Stmt *stmt) {
  return (Position){.block = stmt->block, .stmt = stmt->number};
}

// The number behind the last statement of the blocks before `end`.
static unsigned statements_before(const Kernel *kernel, unsigned end) {
  unsigned number = 0;
  for (size_t i = 0; i < kernel->stmts.count; i++)
    if (kernel->stmts.at[i]->block->index < end)
      number = kernel->stmts.at[i]->number + 1;
  return number;
}

Position position_before(const Kernel *kernel, const Loop *loop) {
  return (Position){.before = loop,
                    .stmt = statements_before(kernel, loop->header->index)};
}

Position position_at_latch(const Kernel *kernel, const Loop *loop) {
  const BasicBlock *last = loop->blocks.at[loop->blocks.count - 1];
  return (Position){.end_of = loop,
                    .stmt = statements_before(kernel, last->index + 1)};
}

static bool is_inside(Position position, const Loop *loop) {
  if (position.before)
    return loop_is_inside(position.before->parent, loop);
  return position.end_of ? loop_is_inside(position.end_of, loop)
                         : loop_contains(loop, position.block);
}

// Where the order of blocks has what is beside `loop`: a loop is as a whole at
// its header, for its body may come after what follows it.
static unsigned index_beside(const Loop *loop, const Loop *around,
                             unsigned index) {
  for (; around && around != loop->parent; around = around->parent)
    index = around->header->index;
  return index;
}

// A thread at the position that entered the loop has left it again: loops
// end, SOUND(termination).
static bool is_behind(Position position, const Loop *loop) {
  if (is_inside(position, loop))
    return false;
  while (loop->parent && !is_inside(position, loop->parent))
    loop = loop->parent; // who left that one has left the loops in it
  if (position.before)
    return loop->header->index < index_beside(loop, position.before, 0);
  const BasicBlock *block = position.block;
  if (!position.end_of)
    return loop->header->index < index_beside(loop, block->loop, block->index);
  return loop_is_inside(loop, position.end_of) ||
         loop->header->index < index_beside(loop, position.end_of, 0);
}

// ---------------------------------------------------------------- copies ---

Meetings *meetings_new(Task *task, Kernel *kernel) {
  Meetings *meetings = NEW(&task->arena, Meetings);
  meetings->task = task;
  meetings->kernel = kernel;
  meetings->symbols = kernel->symbols.count;
  size_t loops = kernel->loops.count + 1;
  size_t bytes = (meetings->symbols + 1) * sizeof(Expr *);
  meetings->anew = arena_alloc(&task->arena, bytes);
  for (int i = 0; i < 2; i++) {
    meetings->copies[i] = arena_alloc(&task->arena, bytes);
    meetings->previous[i] =
        arena_alloc(&task->arena, loops * sizeof *meetings->previous[i]);
  }
  return meetings;
}

Expr *meetings_copy(Meetings *meetings, const Symbol *symbol,
                    const char *suffix) {
  Task *task = meetings->task;
  Kernel *kernel = meetings->kernel;
  Symbol *copy = NEW(&task->arena, Symbol);
  *copy = *symbol;
  copy->number = (unsigned)kernel->symbols.count;
  copy->original = symbol;
  copy->name = arena_printf(&task->arena, "%s%s", symbol->name, suffix);
  copy->expr = NULL;
  push(&task->arena, &kernel->symbols, copy);
  return expr_symbol(task, copy);
}

static Expr *thread_copy(Meetings *meetings, const Symbol *symbol,
                         unsigned thread) {
  Expr **slot = &meetings->copies[thread][symbol->number];
  if (!*slot)
    *slot = meetings_copy(meetings, symbol, thread ? "$2" : "$1");
  return *slot;
}

Expr *meetings_anew(Meetings *meetings, const Symbol *symbol) {
  Expr **slot = &meetings->anew[symbol->number];
  if (!*slot) {
    *slot = meetings_copy(meetings, symbol, "''");
    (*slot)->symbol->kind = SYMBOL_UNKNOWN;
  }
  return *slot;
}

// --------------------------------------------------------------- sharing ---

static bool is_uniform(const Meeting *meeting, const Symbol *symbol) {
  if (meeting->is_one)
    return true;
  return meeting->same_block ? symbol->is_block_uniform
                             : symbol->is_grid_uniform;
}

bool meeting_in_one_iteration(const Meeting *meeting, const Loop *inner) {
  Expr **one = meeting->context[0].iterations;
  Expr **two = meeting->context[1].iterations;
  return !inner || (one[inner->index] == two[inner->index] &&
                    meeting_in_one_iteration(meeting, inner->parent));
}

static bool is_shared(const Meeting *meeting, const Symbol *symbol) {
  if (meeting->is_single)
    return true;
  return is_uniform(meeting, symbol) &&
         meeting_in_one_iteration(meeting, symbol->loop);
}

// What `a` is at the end of the loop's iteration does not depend on loops in
// it, in which a thread in the middle may have any number of rounds to go.
static bool is_known_early(Task *task, const Loop *loop, Expr *a) {
  Symbols symbols = {0};
  expr_symbols(task, a, &symbols);
  for (size_t i = 0; i < symbols.count; i++) {
    const Loop *own = symbols.at[i]->loop;
    if (own && own != loop && loop_is_inside(own, loop))
      return false;
  }
  return true;
}

// The other thread is one iteration back, and the value is uniform: it is
// what the other thread will have next.
static Expr *next_of_other(Context *context, const Symbol *symbol) {
  Meeting *meeting = context->meeting;
  Task *task = meeting->task;
  const Loop *loop = symbol->loop;
  if (!is_uniform(meeting, symbol) ||
      !is_known_early(task, loop, symbol->next) ||
      !meeting_in_one_iteration(meeting, loop->parent))
    return NULL;
  Context *other = &meeting->context[1 - context->thread];
  Expr *later =
      expr_add(task, other->iterations[loop->index], expr_const(task, 64, 1));
  if (later != context->iterations[loop->index])
    return NULL;
  return context_expr(other, symbol->next);
}

// The thread has left the loop, after so many rounds as are known.
static bool is_counted(const Context *context, const Loop *loop) {
  return loop->rounds && context->iterations[loop->index] == loop->rounds;
}

static Expr *replace_symbol(Task *task, Symbol *symbol, void *data) {
  (void)task;
  Context *context = data;
  Meeting *meeting = context->meeting;
  Expr *value;
  switch (symbol->kind) {
  case SYMBOL_BLOCK_SIZE:
  case SYMBOL_GRID_SIZE:
  case SYMBOL_PARAMETER:
  case SYMBOL_LAUNCH:
    return symbol->expr;
  case SYMBOL_ITERATION:
    return context->iterations[symbol->loop->index];
  case SYMBOL_PHI:
    if (symbol->closed &&
        (!meeting->keeps_phis || is_counted(context, symbol->loop)))
      return context_expr(context, symbol->closed);
    value = next_of_other(context, symbol);
    if (value)
      return value;
    break;
  case SYMBOL_THREAD_ID:
  case SYMBOL_BLOCK_ID:
  case SYMBOL_LOAD:
  case SYMBOL_ATOMIC:
  case SYMBOL_UNKNOWN:
    break;
  }
  return is_shared(meeting, symbol)
             ? symbol->expr
             : thread_copy(meeting->meetings, symbol, context->thread);
}

Expr *context_expr(Context *context, Expr *a) {
  return expr_substitute(context->meeting->task, &context->substitution, a);
}

static bool is_conjunct(const Expr *a, const Expr *of) {
  for (unsigned i = 0; of->op == EXPR_AND && i < of->count; i++)
    if (is_conjunct(a, of->args[i]))
      return true;
  return a == of;
}

static Expr *without(Task *task, Expr *a, const Expr *known) {
  Expr *rest = expr_bool(task, true);
  if (is_conjunct(a, known))
    return rest;
  if (a->op != EXPR_AND)
    return a;
  for (unsigned i = 0; i < a->count; i++)
    rest = expr_and(task, rest, without(task, a->args[i], known));
  return rest;
}

Expr *context_guard(Context *context, const Stmt *stmt) {
  Expr *rest = context->reached ? without(context->meeting->task, stmt->guard,
                                          context->reached)
                                : stmt->guard;
  return context_expr(context, rest);
}

Expr *meeting_is_in_one(const Meeting *meeting, const Loop *inner) {
  Task *task = meeting->task;
  Expr **one = meeting->context[0].iterations;
  Expr **two = meeting->context[1].iterations;
  if (!inner)
    return expr_bool(task, true);
  return expr_and(task, expr_eq(task, one[inner->index], two[inner->index]),
                  meeting_is_in_one(meeting, inner->parent));
}

Expr *meeting_equal(Meeting *meeting, Expr *a) {
  Task *task = meeting->task;
  Expr *all = expr_bool(task, true);
  Symbols symbols = {0};
  expr_symbols(task, a, &symbols);
  for (size_t i = 0; i < symbols.count; i++) {
    const Symbol *symbol = symbols.at[i];
    bool is_alike = symbol->loop && is_uniform(meeting, symbol);
    if (!is_alike)
      continue;
    Expr *one = context_expr(&meeting->context[0], symbol->expr);
    Expr *two = context_expr(&meeting->context[1], symbol->expr);
    all = expr_and(task, all,
                   expr_implies(task, meeting_is_in_one(meeting, symbol->loop),
                                expr_eq(task, one, two)));
  }
  return all;
}

// -------------------------------------------------------------- meetings ---

static Meeting *meeting_draft(Meetings *meetings, bool is_single,
                              bool same_block) {
  Task *task = meetings->task;
  Kernel *kernel = meetings->kernel;
  Meeting *meeting = NEW(&task->arena, Meeting);
  *meeting = (Meeting){.task = task,
                       .kernel = kernel,
                       .meetings = meetings,
                       .is_single = is_single,
                       .same_block = same_block};
  for (unsigned i = 0; i < 2; i++) {
    Context *context = &meeting->context[i];
    context->meeting = meeting;
    context->thread = i;
    context->substitution =
        (Substitution){.replace = replace_symbol, .data = context};
    context->iterations =
        arena_alloc(&task->arena, (kernel->loops.count + 1) * sizeof(Expr *));
  }
  return meeting;
}

static bool is_like(const Meeting *a, const Meeting *b) {
  if (a->is_single != b->is_single || a->is_one != b->is_one ||
      a->same_block != b->same_block || a->keeps_phis != b->keeps_phis)
    return false;
  for (size_t i = 0; i < a->kernel->loops.count; i++)
    if (a->context[0].iterations[i] != b->context[0].iterations[i] ||
        a->context[1].iterations[i] != b->context[1].iterations[i])
      return false;
  return true;
}

static Meeting *meeting_keep(Meetings *meetings, Meeting *draft) {
  for (size_t i = 0; i < meetings->all.count; i++)
    if (is_like(meetings->all.at[i], draft))
      return meetings->all.at[i];
  push(&meetings->task->arena, &meetings->all, draft);
  return draft;
}

static void set_same(Meeting *meeting, const Loop *loop, Expr *iteration) {
  meeting->context[0].iterations[loop->index] = iteration;
  meeting->context[1].iterations[loop->index] = iteration;
}

static void set_own(Meeting *meeting, const Loop *loop) {
  for (unsigned i = 0; i < 2; i++)
    meeting->context[i].iterations[loop->index] =
        thread_copy(meeting->meetings, loop->iteration, i);
}

Meeting *meeting_single(Meetings *meetings, bool keeps_phis) {
  Meeting *meeting = meeting_draft(meetings, true, true);
  meeting->keeps_phis = keeps_phis;
  for (size_t i = 0; i < meetings->kernel->loops.count; i++) {
    const Loop *loop = meetings->kernel->loops.at[i];
    set_same(meeting, loop, loop->iteration->expr);
  }
  return meeting_keep(meetings, meeting);
}

// How often a loop that both have left equally often went round.
static Expr *rounds_of(const Loop *loop) {
  return loop->rounds ? loop->rounds : loop->iteration->expr;
}

Meeting *meeting_single_at(Meetings *meetings, bool keeps_phis,
                           Position position) {
  Meeting *meeting = meeting_draft(meetings, true, true);
  meeting->keeps_phis = keeps_phis;
  for (size_t i = 0; i < meetings->kernel->loops.count; i++) {
    const Loop *loop = meetings->kernel->loops.at[i];
    set_same(meeting, loop,
             is_behind(position, loop) ? rounds_of(loop)
                                       : loop->iteration->expr);
  }
  return meeting_keep(meetings, meeting);
}

Meeting *meeting_passing(Meetings *meetings, const Loop *passed,
                         const bool *skipped) {
  Meeting *meeting = meeting_draft(meetings, true, true);
  for (size_t i = 0; i < meetings->kernel->loops.count; i++) {
    const Loop *loop = meetings->kernel->loops.at[i];
    bool is_skipped =
        skipped[i] && loop != passed && loop_is_inside(loop, passed);
    set_same(meeting, loop,
             is_skipped ? expr_const(meetings->task, 64, 0)
                        : loop->iteration->expr);
  }
  return meeting_keep(meetings, meeting);
}

// Both threads have left the loop, after equally many iterations.
static bool left_together(const Meeting *meeting, const Loop *loop, Position a,
                          Position b) {
  return is_behind(a, loop) && is_behind(b, loop) &&
         meeting_in_one_iteration(meeting, loop->parent) &&
         (meeting->is_one || loop->is_left_together[!meeting->same_block]);
}

static Expr *later(const Meeting *meeting, const Loop *loop, unsigned count) {
  return expr_add(meeting->task, loop->iteration->expr,
                  expr_const(meeting->task, 64, count));
}

static void relate(Meeting *meeting, const Loop *loop, Relation a, Relation b) {
  Expr **one = &meeting->context[0].iterations[loop->index];
  Expr **two = &meeting->context[1].iterations[loop->index];
  set_own(meeting, loop);
  if (a.kind == RELATION_SAME && b.kind == RELATION_SAME) {
    unsigned least = a.count < b.count ? a.count : b.count;
    *one = later(meeting, loop, a.count - least);
    *two = later(meeting, loop, b.count - least);
  } else {
    if (a.kind == RELATION_FIRST)
      *one = expr_const(meeting->task, 64, a.count);
    if (b.kind == RELATION_FIRST)
      *two = expr_const(meeting->task, 64, b.count);
  }
}

// Whoever is behind a loop has gone round it as often as is known.
static void count_left(Meeting *meeting, const Loop *loop, unsigned thread,
                       Position position) {
  if (is_behind(position, loop) && loop->rounds)
    meeting->context[thread].iterations[loop->index] = loop->rounds;
}

static Meeting *at_places(Meetings *meetings, Meeting *draft, Position a,
                          const AccessPlace *place_a, Position b,
                          const AccessPlace *place_b) {
  for (size_t i = 0; i < meetings->kernel->loops.count; i++) {
    const Loop *loop = meetings->kernel->loops.at[i];
    if (left_together(draft, loop, a, b)) {
      set_same(draft, loop, rounds_of(loop));
      continue;
    }
    relate(draft, loop, place_a->relations[i], place_b->relations[i]);
    if (place_a->relations[i].kind == RELATION_FREE)
      count_left(draft, loop, 0, a);
    if (place_b->relations[i].kind == RELATION_FREE)
      count_left(draft, loop, 1, b);
  }
  return meeting_keep(meetings, draft);
}

Meeting *meeting_of_places(Meetings *meetings, bool same_block, Position a,
                           const AccessPlace *place_a, Position b,
                           const AccessPlace *place_b) {
  Meeting *meeting = meeting_draft(meetings, false, same_block);
  return at_places(meetings, meeting, a, place_a, b, place_b);
}

Meeting *meeting_of_one(Meetings *meetings, Position a,
                        const AccessPlace *place_a, Position b,
                        const AccessPlace *place_b) {
  Meeting *meeting = meeting_draft(meetings, false, true);
  meeting->is_one = true;
  return at_places(meetings, meeting, a, place_a, b, place_b);
}

Meeting *meeting_in_step(Meetings *meetings, bool same_block,
                         Position position) {
  return meeting_apart(meetings, same_block, position, NULL);
}

Meeting *meeting_apart(Meetings *meetings, bool same_block, Position position,
                       const Loop *parting) {
  Meeting *meeting = meeting_draft(meetings, false, same_block);
  for (size_t i = 0; i < meetings->kernel->loops.count; i++) {
    const Loop *loop = meetings->kernel->loops.at[i];
    if (parting && loop_is_inside(loop, parting))
      set_own(meeting, loop);
    else if (loop->rounds && is_behind(position, loop))
      set_same(meeting, loop, loop->rounds);
    else if (is_inside(position, loop) ||
             left_together(meeting, loop, position, position))
      set_same(meeting, loop, loop->iteration->expr);
    else
      set_own(meeting, loop);
  }
  return meeting_keep(meetings, meeting);
}

// ----------------------------------------------------------------- facts ---

static void add_fact(Context *context, Exprs *facts, Expr *fact) {
  Expr *own = context_expr(context, fact);
  if (!expr_is_true(own))
    push(&context->meeting->task->arena, facts, own);
}

static void add_loop_facts(Context *context, const Loop *loop, bool is_left,
                           Exprs *facts) {
  Task *task = context->meeting->task;
  for (size_t i = 0; i < loop->invariants.count; i++)
    add_fact(context, facts,
             expr_implies(task, loop->entry, loop->invariants.at[i]));
  if (is_left) // who never entered it does not go on either
    add_fact(context, facts, expr_not(task, loop->again));
}

static const Loop *innermost_around(Position position) {
  if (position.before)
    return position.before->parent;
  return position.end_of ? position.end_of : position.block->loop;
}

// Statements are numbered in an order of the graph without back edges, in which
// what comes behind a loop may stand before the loop's body.  Of two threads at
// the end of an iteration one may be about to leave the loop, and has not come
// there yet.
bool position_has_passed(Position position, const Stmt *stmt) {
  for (const Loop *loop = innermost_around(position); loop; loop = loop->parent)
    if (!loop_contains(loop, stmt->block) &&
        stmt->block->index > loop->header->index)
      return false;
  return stmt->number < position.stmt;
}

// Has the thread computed what stands before that statement of the block?
static bool has_computed(Position position, const BasicBlock *block,
                         unsigned stmt) {
  for (const Loop *loop = innermost_around(position); loop; loop = loop->parent)
    if (!loop_contains(loop, block) && block->index > loop->header->index)
      return false;
  if (position.before && block->index >= position.before->header->index)
    return false;
  return stmt <= position.stmt;
}

// A premise holds from its place on, as an assertion does.
static bool is_due(Position position, const Premise *premise) {
  if (premise->loop)
    return is_inside(position, premise->loop) ||
           is_behind(position, premise->loop);
  return !premise->block ||
         has_computed(position, premise->block, premise->stmt);
}

void context_premises(Context *context, Position position, PremiseKind kind,
                      Exprs *facts) {
  const Premises *premises = &context->meeting->kernel->premises[kind];
  for (size_t i = 0; i < premises->count; i++)
    if (is_due(position, &premises->at[i]))
      add_fact(context, facts, premises->at[i].fact);
}

// Of who comes there.
static void add_condition(Context *context, const Stmt *stmt, Exprs *facts) {
  add_fact(context, facts,
           expr_implies(context->meeting->task, stmt->guard, stmt->condition));
}

// An assertion that control has passed holds from there on: that it may fail
// is an obligation of its own.
static void add_statement_facts(Context *context, Position position,
                                Exprs *facts) {
  const Kernel *kernel = context->meeting->kernel;
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    const Stmt *stmt = kernel->stmts.at[i];
    bool is_condition = stmt->kind == STMT_ASSUME || stmt->kind == STMT_ASSERT;
    if (is_condition && position_has_passed(position, stmt))
      add_condition(context, stmt, facts);
  }
}

static void add_if_computed(Context *context, Position position,
                            const Stmt *stmt, Exprs *facts) {
  if (has_computed(position, stmt->block, stmt->number))
    add_condition(context, stmt, facts);
}

// Nobody has computed an address of a place that is still to come, nor read
// what is there.
static void add_computed_facts(Context *context, Position position,
                               Exprs *facts) {
  const Kernel *kernel = context->meeting->kernel;
  for (size_t i = 0; i < kernel->addresses.count; i++)
    add_if_computed(context, position, kernel->addresses.at[i], facts);
  for (size_t i = 0; i < kernel->contents.count; i++)
    add_if_computed(context, position, kernel->contents.at[i], facts);
}

void context_facts(Meetings *meetings, Context *context, Position position,
                   Exprs *facts) {
  const Kernel *kernel = meetings->kernel;
  for (size_t i = 0; i < kernel->facts.count; i++)
    add_fact(context, facts, kernel->facts.at[i]);
  for (size_t i = 0; i < kernel->loops.count; i++) {
    const Loop *loop = kernel->loops.at[i];
    bool is_left = is_behind(position, loop);
    if (is_left || is_inside(position, loop))
      add_loop_facts(context, loop, is_left, facts);
  }
  add_statement_facts(context, position, facts);
  add_computed_facts(context, position, facts);
}

// --------------------------------------------------------------- history ---

// The iteration before the current one of a loop.
typedef struct History {
  Meetings *meetings;
  Context *context;
  const Loop *loop;
  Substitution substitution;
} History;

// Few loops are asked for.
static Expr **previous_copies(const History *history) {
  Meetings *meetings = history->meetings;
  unsigned thread = history->context->thread;
  Expr ***copies = &meetings->previous[thread][history->loop->index];
  if (!*copies)
    *copies = arena_alloc(&meetings->task->arena,
                          (meetings->symbols + 1) * sizeof **copies);
  return *copies;
}

static Expr *previous_copy(History *history, const Symbol *symbol) {
  Meetings *meetings = history->meetings;
  unsigned thread = history->context->thread;
  Expr **slot = &previous_copies(history)[symbol->number];
  if (!*slot)
    *slot = meetings_copy(meetings, symbol, thread ? "'$2" : "'$1");
  return *slot;
}

static Expr *replace_previous(Task *task, Symbol *symbol, void *data) {
  History *history = data;
  if (!symbol->loop || !loop_is_inside(symbol->loop, history->loop))
    return context_expr(history->context, symbol->expr);
  if (symbol == history->loop->iteration)
    return expr_sub(task, context_expr(history->context, symbol->expr),
                    expr_const(task, 64, 1));
  if (symbol->kind == SYMBOL_PHI && symbol->closed)
    return expr_substitute(task, &history->substitution, symbol->closed);
  return previous_copy(history, symbol);
}

static void history_of(History *history, Meetings *meetings, Context *context,
                       const Loop *loop) {
  *history =
      (History){.meetings = meetings,
                .context = context,
                .loop = loop,
                .substitution = {.replace = replace_previous, .data = history}};
}

Expr *context_before(Meetings *meetings, Context *context, const Loop *loop,
                     Expr *a) {
  History history;
  history_of(&history, meetings, context, loop);
  Expr *before = expr_substitute(meetings->task, &history.substitution, a);
  expr_map_drop(meetings->task, history.substitution.map);
  return before;
}

static bool is_all_closed(const Loop *loop) {
  for (size_t i = 0; i < loop->phis.count; i++)
    if (!loop->phis.at[i]->closed && loop->phis.at[i]->is_relevant)
      return false;
  return true;
}

static void add_loop_history(Meetings *meetings, Context *context,
                             const Loop *loop, Exprs *facts) {
  Task *task = meetings->task;
  History history;
  if (is_counted(context, loop) && is_all_closed(loop))
    return;
  history_of(&history, meetings, context, loop);
  Substitution *before = &history.substitution;
  Expr *first = expr_eq(task, context_expr(context, loop->iteration->expr),
                        expr_const(task, 64, 0));
  Expr *start = first, *step = expr_substitute(task, before, loop->again);
  for (size_t i = 0; i < loop->invariants.count; i++)
    step = expr_and(task, step,
                    expr_substitute(task, before, loop->invariants.at[i]));
  for (size_t i = 0; i < loop->phis.count; i++) {
    const Symbol *phi = loop->phis.at[i];
    if (phi->closed || !phi->is_relevant)
      continue;
    Expr *now = context_expr(context, phi->expr);
    start = expr_and(task, start,
                     expr_eq(task, now, context_expr(context, phi->init)));
    step =
        expr_and(task, step,
                 expr_eq(task, now, expr_substitute(task, before, phi->next)));
  }
  Expr *either =
      expr_or(task, start, expr_and(task, expr_not(task, first), step));
  Expr *entry = context_expr(context, loop->entry);
  push(&task->arena, facts, expr_implies(task, entry, either));
  expr_map_drop(task, before->map);
}

void context_history(Meetings *meetings, Context *context, Position position,
                     Exprs *facts) {
  for (size_t i = 0; i < meetings->kernel->loops.count; i++) {
    const Loop *loop = meetings->kernel->loops.at[i];
    if (is_behind(position, loop) || is_inside(position, loop))
      add_loop_history(meetings, context, loop, facts);
  }
}

// ------------------------------------------------------------------- ids ---

void context_id(Context *context, Expr *thread_id[3], Expr *block_id[3]) {
  const Kernel *kernel = context->meeting->kernel;
  for (unsigned axis = 0; axis < 3; axis++) {
    thread_id[axis] = context_expr(context, kernel->thread_id[axis]);
    block_id[axis] = context_expr(context, kernel->block_id[axis]);
  }
}

Expr *meeting_is_of_two(Meeting *meeting) {
  Task *task = meeting->task;
  Expr *thread[2][3], *block[2][3];
  Expr *equal = expr_bool(task, true);
  for (unsigned i = 0; i < 2; i++)
    context_id(&meeting->context[i], thread[i], block[i]);
  for (unsigned axis = 0; axis < 3; axis++)
    equal = expr_and(task, equal,
                     meeting->same_block
                         ? expr_eq(task, thread[0][axis], thread[1][axis])
                         : expr_eq(task, block[0][axis], block[1][axis]));
  return expr_not(task, equal);
}

// Threads of a block are counted x first.
Expr *context_linear(Context *context) {
  Task *task = context->meeting->task;
  const Kernel *kernel = context->meeting->kernel;
  Expr *linear = kernel->thread_id[2];
  for (unsigned axis = 2; axis-- > 0;)
    linear = expr_add(task, expr_mul(task, linear, kernel->block_size[axis]),
                      kernel->thread_id[axis]);
  return context_expr(context, linear);
}

Expr *context_group(Context *context, unsigned size) {
  Task *task = context->meeting->task;
  Expr *linear = context_linear(context);
  return expr_binary(task, EXPR_UDIV, linear,
                     expr_const(task, linear->width, size));
}

Expr *context_warp(Context *context) {
  return context_group(context, context->meeting->kernel->warp_lanes);
}
