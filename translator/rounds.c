// How often a loop goes round, where constants alone decide.
//
// In `for (i = 1; i < 12; i *= 3)` what is carried begins as a number and each
// round makes the next one of it, so the rounds are counted here by going them:
// with what is carried put in, each condition of another round is true, until
// one is false.  A condition that is also one of entering the loop holds in
// each round.  So does the end of a loop within, of which one condition alone
// decides whether it goes on: whoever has entered that leaves it, by
// SOUND(termination), and then the condition is false.
//
// Whoever has left such a loop has taken just so many back edges
// (Loop.rounds), and whoever is in it no more.  A carried value without a
// closed form has one now, a table, if there are few rounds.

#include "translator/translator.h"

enum { MOST_ROUNDS = 256, MOST_ENTRIES = 16 };

// One round, with the values that are known in it.
typedef struct Round {
  const Loop *loop;
  uint64_t number;
  Expr **values; // of the loop's phis; NULL: it is not known
} Round;

static Expr *replace_known(Task *task, Symbol *symbol, void *data) {
  const Round *round = data;
  if (symbol == round->loop->iteration)
    return expr_const(task, symbol->width, round->number);
  for (size_t i = 0; i < round->loop->phis.count; i++)
    if (round->loop->phis.at[i] == symbol && round->values[i])
      return round->values[i];
  return symbol->expr;
}

static Expr *in_round(Task *task, const Round *round, Expr *a) {
  Substitution substitution = {.replace = replace_known, .data = (void *)round};
  Expr *value = expr_substitute(task, &substitution, a);
  expr_map_drop(task, substitution.map);
  return value;
}

// ------------------------------------------------------------- conditions ---

static void add_conditions(Task *task, Expr *a, Exprs *conditions) {
  for (unsigned i = 0; a->op == EXPR_AND && i < a->count; i++)
    add_conditions(task, a->args[i], conditions);
  if (a->op != EXPR_AND)
    push(&task->arena, conditions, a);
}

static bool has(const Exprs *conditions, const Expr *a) {
  for (size_t i = 0; i < conditions->count; i++)
    if (conditions->at[i] == a)
      return true;
  return false;
}

// Those of `again` that are none of entering the loop.
static Exprs deciding(Task *task, const Loop *loop) {
  Exprs entry = {0}, again = {0}, own = {0};
  add_conditions(task, loop->entry, &entry);
  add_conditions(task, loop->again, &again);
  for (size_t i = 0; i < again.count; i++)
    if (!has(&entry, again.at[i]))
      push(&task->arena, &own, again.at[i]);
  return own;
}

static bool has_all(Task *task, const Exprs *conditions, Expr *of) {
  Exprs parts = {0};
  add_conditions(task, of, &parts);
  for (size_t i = 0; i < parts.count; i++)
    if (!has(conditions, parts.at[i]))
      return false;
  return true;
}

// Who goes round has entered a loop within, and so left it.
static bool ends_inner(Task *task, const Kernel *kernel, const Loop *loop,
                       Expr *condition) {
  Exprs again = {0};
  add_conditions(task, loop->again, &again);
  for (size_t i = 0; i < kernel->loops.count; i++) {
    const Loop *inner = kernel->loops.at[i];
    if (inner->parent != loop || !has_all(task, &again, inner->entry))
      continue;
    Exprs own = deciding(task, inner);
    if (own.count == 1 && condition == expr_not(task, own.at[0]))
      return true;
  }
  return false;
}

static Exprs conditions_of(Task *task, const Kernel *kernel, const Loop *loop) {
  Exprs own = deciding(task, loop), open = {0};
  for (size_t i = 0; i < own.count; i++)
    if (!ends_inner(task, kernel, loop, own.at[i]))
      push(&task->arena, &open, own.at[i]);
  return open;
}

// ----------------------------------------------------------------- rounds ---

static bool is_left(Task *task, const Round *round, const Exprs *conditions,
                    bool *is_known) {
  *is_known = true;
  for (size_t i = 0; i < conditions->count; i++) {
    Expr *condition = in_round(task, round, conditions->at[i]);
    if (expr_is_false(condition))
      return true;
    *is_known &= expr_is_true(condition);
  }
  return false;
}

static Expr **first_values(Task *task, const Loop *loop) {
  const size_t bytes = (loop->phis.count + 1) * sizeof(Expr *);
  Expr **values = arena_alloc(&task->arena, bytes);
  for (size_t i = 0; i < loop->phis.count; i++) {
    Expr *init = loop->phis.at[i]->init;
    values[i] = expr_is_const(init) ? init : NULL;
  }
  return values;
}

static void go_round(Task *task, Round *round) {
  const Loop *loop = round->loop;
  const size_t bytes = (loop->phis.count + 1) * sizeof(Expr *);
  Expr **next = arena_alloc(&task->arena, bytes);
  for (size_t i = 0; i < loop->phis.count; i++) {
    Expr *value =
        round->values[i] ? in_round(task, round, loop->phis.at[i]->next) : NULL;
    next[i] = value && expr_is_const(value) ? value : NULL;
  }
  round->values = next;
  round->number++;
}

typedef Vec(Round) Rounds;

// From the first round to the one in which the loop is left; none: that is not
// known.
static Rounds rounds_of(Task *task, const Kernel *kernel, const Loop *loop) {
  const Exprs conditions = conditions_of(task, kernel, loop);
  Round round = {.loop = loop, .values = first_values(task, loop)};
  Rounds rounds = {0};
  bool is_known = true;
  while (conditions.count && is_known && rounds.count <= MOST_ROUNDS) {
    push(&task->arena, &rounds, round);
    if (is_left(task, &round, &conditions, &is_known))
      return rounds;
    go_round(task, &round);
  }
  return (Rounds){0};
}

// In the last round it may be anything that is not asked for.
static Expr *table(Task *task, const Loop *loop, const Rounds *rounds,
                   size_t phi) {
  Expr *value = rounds->at[0].values[phi];
  for (size_t i = 1; value && i < rounds->count; i++) {
    Expr *one = rounds->at[i].values[phi];
    Expr *is_round = expr_eq(task, loop->iteration->expr,
                             expr_const(task, loop->iteration->width, i));
    value = one ? expr_ite(task, is_round, one, value) : NULL;
  }
  return value;
}

static void count_rounds(Task *task, const Kernel *kernel, Loop *loop) {
  const Rounds rounds = rounds_of(task, kernel, loop);
  if (!rounds.count)
    return;
  loop->rounds = expr_const(task, loop->iteration->width, rounds.count - 1);
  push(&task->arena, &loop->invariants,
       expr_binary(task, EXPR_ULE, loop->iteration->expr, loop->rounds));
  for (size_t i = 0; i < loop->phis.count; i++) {
    Symbol *phi = loop->phis.at[i];
    if (!phi->closed && rounds.count <= MOST_ENTRIES)
      phi->closed = table(task, loop, &rounds, i);
  }
}

void kernel_count_rounds(Task *task, Kernel *kernel) {
  for (size_t i = 0; i < kernel->loops.count; i++)
    count_rounds(task, kernel, kernel->loops.at[i]);
}
