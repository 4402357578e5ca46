// A model by trial.
//
// Solvers get lost among hundreds of facts that a thread obeys without any
// effort, and in products on the way to two equal places: all is 0, sizes are
// small, and a few loops go round as often as they have to.  So plain numbers
// are tried first, one symbol after the other, as long as fewer formulas are
// false than before (GSAT: Selman, Levesque and Mitchell, AAAI 1992).  Where no
// number is better, one makes a formula true that costs fewest others, and what
// was changed stays for a while (Glover, "Tabu Search", 1989): who moves one
// thread away from the other has to move it back by another symbol.  Whether
// these numbers are a model the solver says, who has little left to find out.

#include "smt/smt.h"
#include "translator/expr.h"

enum {
  FEW = 2, // blocks and threads, at first
  MOST_NUMBERS = 24,
  MOST_CHANGES = 300,
  LEAST_TENURE = 3, // changes for which a variable stays what it has become,
  TENURES = 7,      // and how many more at most: else two go round together
  MOST_TERMS = 2000000, // that are evaluated: some 20 ms
  CHECK_EFFORT = 100,
};

// What has a value: a symbol, or a function, everywhere the same; or whether
// that function differs by its arguments.
typedef struct Variable {
  Symbol *symbol; // or NULL
  const char *function;
  bool is_mixed;
  unsigned width;
} Variable;

typedef Vec(size_t) Indices;

typedef struct Formula {
  Expr *expr;
  size_t terms;
  Indices variables;
  Exprs compared, constants; // in it
  bool has_quotients;
  bool is_false;
} Formula;

typedef struct Trial {
  Task *task;
  Vec(Formula) formulas; // that can be evaluated
  Vec(Variable) variables;
  uint64_t *values;  // of the variables
  unsigned *free_at; // the change from which on another may be tried
  unsigned changes;  // made so far
  size_t evaluated;  // terms
} Trial;

typedef struct Numbers {
  unsigned count;
  uint64_t at[MOST_NUMBERS];
} Numbers;

// ---------------------------------------------------------------- values ---

// A function is followed by whether it is mixed.
static size_t index_of(const Trial *trial, const Symbol *symbol,
                       const char *function) {
  for (size_t i = 0; i < trial->variables.count; i++)
    if (trial->variables.at[i].symbol == symbol &&
        trial->variables.at[i].function == function)
      return i;
  return SIZE_MAX;
}

static uint64_t value_of(const Symbol *symbol, void *data) {
  const Trial *trial = data;
  return trial->values[index_of(trial, symbol, NULL)];
}

static uint64_t apply(const char *function, const uint64_t *args,
                      unsigned count, void *data) {
  const Trial *trial = data;
  const size_t i = index_of(trial, NULL, function);
  uint64_t value = trial->values[i];
  for (unsigned k = 0; k < count && trial->values[i + 1]; k++)
    value = (value + args[k]) * UINT64_C(0x9E3779B97F4A7C15);
  return value & expr_mask(trial->variables.at[i].width);
}

static uint64_t evaluate(Trial *trial, Expr *e) {
  const Valuation valuation = {value_of, apply, trial};
  return expr_evaluate(trial->task, &valuation, e);
}

static bool holds(Trial *trial, const Formula *formula) {
  trial->evaluated += formula->terms;
  return evaluate(trial, formula->expr);
}

static bool is_spent(const Trial *trial) {
  return trial->evaluated > MOST_TERMS;
}

// --------------------------------------------------------------- numbers ---

static void add_number(Numbers *numbers, uint64_t number) {
  for (unsigned i = 0; i < numbers->count; i++)
    if (numbers->at[i] == number)
      return;
  if (numbers->count < MOST_NUMBERS)
    numbers->at[numbers->count++] = number;
}

// How far the first side is above the second one, with one more of a variable.
static int64_t distance(Trial *trial, const Expr *e, size_t variable,
                        uint64_t more) {
  const unsigned unused = 64 - e->args[0]->width;
  const uint64_t before = trial->values[variable];
  trial->values[variable] =
      (before + more) & expr_mask(trial->variables.at[variable].width);
  uint64_t difference =
      evaluate(trial, e->args[0]) - evaluate(trial, e->args[1]);
  trial->values[variable] = before;
  return (int64_t)(difference << unused) >> unused;
}

// How many more of a variable it takes that the sides come nearer or go apart,
// as of the number that a quotient is of; 0: none of these.
static uint64_t step_of(Trial *trial, const Expr *e, size_t variable,
                        int64_t now, bool has_quotients) {
  enum { MOST_BITS = 12 };
  const unsigned bits = has_quotients ? MOST_BITS : 1;
  for (unsigned bit = 0; bit < bits; bit++)
    if (distance(trial, e, variable, UINT64_C(1) << bit) != now)
      return UINT64_C(1) << bit;
  return 0;
}

// Where both sides are the same if what is compared is linear (Newton), and
// beside that.
static void add_root(Trial *trial, const Expr *e, size_t variable,
                     bool has_quotients, Numbers *numbers) {
  const uint64_t value = trial->values[variable];
  int64_t now = distance(trial, e, variable, 0);
  const uint64_t step = step_of(trial, e, variable, now, has_quotients);
  int64_t slope =
      (int64_t)((uint64_t)distance(trial, e, variable, step) - (uint64_t)now);
  if (!slope || now == INT64_MIN)
    return;
  uint64_t root = value - (uint64_t)(now / slope) * step;
  for (unsigned more = 0; more < 3; more++)
    if (more == 1 || e->op != EXPR_EQ || now % slope)
      add_number(numbers, root + more * step - step);
}

static bool is_comparison(const Expr *e) {
  return expr_is_comparison(e) && e->args[0]->width > 1;
}

// Those that make sides equal, small ones, and those that stand in the formula,
// with their neighbours.
static Numbers numbers_of(Trial *trial, const Formula *formula,
                          size_t variable) {
  Numbers numbers = {0};
  for (size_t i = 0; i < formula->compared.count; i++)
    add_root(trial, formula->compared.at[i], variable, formula->has_quotients,
             &numbers);
  for (uint64_t small = 0; small < 3; small++)
    add_number(&numbers, small);
  for (size_t i = 0; i < formula->constants.count; i++)
    for (unsigned more = 0; more < 3; more++)
      add_number(&numbers, formula->constants.at[i]->value + 1 - more);
  trial->evaluated += 4 * formula->terms;
  return numbers;
}

// ---------------------------------------------------------------- search ---

// A number for a variable, and how many more formulas are false with it.
typedef struct Change {
  size_t variable;
  uint64_t number;
  int worse;
  bool is_there;
} Change;

static bool is_of(const Formula *formula, size_t variable) {
  for (size_t i = 0; i < formula->variables.count; i++)
    if (formula->variables.at[i] == variable)
      return true;
  return false;
}

static int worse_by(Trial *trial, size_t variable, uint64_t number) {
  const uint64_t before = trial->values[variable];
  int worse = 0;
  trial->values[variable] = number;
  trial->evaluated += trial->formulas.count; // to look at them is no less
  for (size_t i = 0; i < trial->formulas.count; i++) {
    const Formula *formula = &trial->formulas.at[i];
    if (is_of(formula, variable))
      worse += !holds(trial, formula) - formula->is_false;
  }
  trial->values[variable] = before;
  return worse;
}

static bool makes_true(Trial *trial, const Formula *formula, size_t variable,
                       uint64_t number) {
  const uint64_t before = trial->values[variable];
  trial->values[variable] = number;
  bool is_true = holds(trial, formula);
  trial->values[variable] = before;
  return is_true;
}

static void note_false(Trial *trial) {
  for (size_t i = 0; i < trial->formulas.count; i++) {
    Formula *formula = &trial->formulas.at[i];
    formula->is_false = !holds(trial, formula);
  }
}

static void consider(Trial *trial, const Formula *formula, size_t variable,
                     bool is_step, Change *best) {
  const Numbers numbers = numbers_of(trial, formula, variable);
  const uint64_t mask = expr_mask(trial->variables.at[variable].width);
  for (unsigned k = 0; k < numbers.count; k++) {
    const uint64_t number = numbers.at[k] & mask;
    if (number == trial->values[variable] ||
        (!is_step && !makes_true(trial, formula, variable, number)))
      continue;
    int worse = worse_by(trial, variable, number);
    if (!best->is_there || worse < best->worse)
      *best = (Change){variable, number, worse, true};
  }
}

// What makes the formula true, or else is a step on the way, and fewest others
// false.
static Change best_change(Trial *trial, const Formula *formula, bool is_step) {
  Change best = {0};
  for (size_t i = 0; i < formula->variables.count && !is_spent(trial); i++) {
    const size_t variable = formula->variables.at[i];
    if (trial->free_at[variable] <= trial->changes)
      consider(trial, formula, variable, is_step, &best);
  }
  return best;
}

// Where there is none, variables become free again by and by.
static void make(Trial *trial, const Change *change) {
  trial->changes++;
  if (!change->is_there)
    return;
  trial->values[change->variable] = change->number;
  trial->free_at[change->variable] =
      trial->changes + LEAST_TENURE + 5 * trial->changes % TENURES;
  note_false(trial);
}

// Of the false formulas the first one that a change makes better, or else the
// best of them.
static Change best_of_all(Trial *trial, bool is_step) {
  Change best = {0};
  for (size_t i = 0; i < trial->formulas.count && !is_spent(trial); i++) {
    if (!trial->formulas.at[i].is_false)
      continue;
    Change change = best_change(trial, &trial->formulas.at[i], is_step);
    if (change.is_there && (!best.is_there || change.worse < best.worse))
      best = change;
    if (best.is_there && best.worse < 0)
      break;
  }
  return best;
}

static Change next_change(Trial *trial) {
  const Change change = best_of_all(trial, false);
  return change.is_there ? change : best_of_all(trial, true);
}

static bool are_all_true(const Trial *trial) {
  for (size_t i = 0; i < trial->formulas.count; i++)
    if (trial->formulas.at[i].is_false)
      return false;
  return true;
}

static bool is_hopeless(const Trial *trial) {
  for (size_t i = 0; i < trial->formulas.count; i++)
    if (expr_is_false(trial->formulas.at[i].expr))
      return true;
  return false;
}

static bool search(Trial *trial) {
  if (is_hopeless(trial))
    return false;
  note_false(trial);
  while (trial->changes < MOST_CHANGES && !are_all_true(trial)) {
    const Change change = next_change(trial);
    if (is_spent(trial))
      break;
    make(trial, &change);
  }
  return are_all_true(trial);
}

// ----------------------------------------------------------------- trial ---

// Its terms; none: some are wider than what can be evaluated.
static Exprs terms_of(Task *task, Expr *e) {
  Exprs terms = {0};
  expr_order(task, e, expr_map_new(task), &terms);
  for (size_t i = 0; i < terms.count; i++)
    if (terms.at[i]->width > 64)
      return (Exprs){0};
  return terms;
}

static size_t add_symbol(Trial *trial, Symbol *symbol) {
  const size_t i = index_of(trial, symbol, NULL);
  const Variable variable = {.symbol = symbol, .width = symbol->width};
  if (i != SIZE_MAX)
    return i;
  push(&trial->task->arena, &trial->variables, variable);
  return trial->variables.count - 1;
}

static size_t add_function(Trial *trial, const Expr *e) {
  const size_t i = index_of(trial, NULL, e->function);
  const Variable variable = {.function = e->function, .width = e->width};
  const Variable mixed = {.is_mixed = true, .width = 1};
  if (i != SIZE_MAX)
    return i;
  push(&trial->task->arena, &trial->variables, variable);
  push(&trial->task->arena, &trial->variables, mixed);
  return trial->variables.count - 2;
}

static void use(Trial *trial, size_t variable, Formula *formula) {
  if (!is_of(formula, variable))
    push(&trial->task->arena, &formula->variables, variable);
}

static void use_term(Trial *trial, const Expr *e, Formula *formula) {
  if (e->op == EXPR_SYMBOL)
    use(trial, add_symbol(trial, e->symbol), formula);
  if (e->op != EXPR_APPLY)
    return;
  const size_t function = add_function(trial, e);
  use(trial, function, formula);
  use(trial, function + 1, formula);
}

static Formula formula_of(Trial *trial, Expr *e, const Exprs *terms) {
  Arena *arena = &trial->task->arena;
  Formula formula = {.expr = e, .terms = terms->count};
  for (size_t i = 0; i < terms->count; i++) {
    Expr *term = terms->at[i];
    if (is_comparison(term))
      push(arena, &formula.compared, term);
    if (expr_is_const(term))
      push(arena, &formula.constants, term);
    formula.has_quotients |= expr_is_division(term) || term->op == EXPR_LSHR ||
                             term->op == EXPR_ASHR;
    use_term(trial, term, &formula);
  }
  return formula;
}

// What has to hold at once is better one by one.
static void add_formula(Trial *trial, Expr *e) {
  Task *task = trial->task;
  bool is_not = e->op == EXPR_NOT && e->args[0]->op == EXPR_OR;
  if (e->width == 1 && (e->op == EXPR_AND || is_not)) {
    Expr *const *parts = is_not ? e->args[0]->args : e->args;
    for (unsigned i = 0; i < 2; i++)
      add_formula(trial, is_not ? expr_not(task, parts[i]) : parts[i]);
    return;
  }
  const Exprs terms = terms_of(task, e);
  if (!terms.count)
    return;
  const Formula formula = formula_of(trial, e, &terms);
  push(&task->arena, &trial->formulas, formula);
}

static void start(Trial *trial) {
  Arena *arena = &trial->task->arena;
  const size_t count = trial->variables.count;
  trial->values = arena_alloc(arena, count * sizeof *trial->values + 1);
  trial->free_at = arena_alloc(arena, count * sizeof *trial->free_at + 1);
  for (size_t i = 0; i < count; i++) {
    const Symbol *symbol = trial->variables.at[i].symbol;
    bool is_size = symbol && (symbol->kind == SYMBOL_BLOCK_SIZE ||
                              symbol->kind == SYMBOL_GRID_SIZE);
    trial->values[i] = is_size ? FEW : 0;
  }
}

// What functions are the solver finds by itself.
static Exprs equations(const Trial *trial) {
  Task *task = trial->task;
  Exprs equal = {0};
  for (size_t i = 0; i < trial->variables.count; i++) {
    const Variable *variable = &trial->variables.at[i];
    if (variable->symbol)
      push(&task->arena, &equal,
           expr_eq(task, expr_symbol(task, variable->symbol),
                   expr_const(task, variable->width, trial->values[i])));
  }
  return equal;
}

static bool is_model(const Trial *trial, Solver *solver, const Exprs *formulas,
                     Model **model) {
  Exprs all = equations(trial);
  exprs_add(trial->task, formulas, &all);
  return solver_check(trial->task, solver, &all, CHECK_EFFORT, model) ==
         ANSWER_MODEL;
}

bool smt_try(Task *task, Solver *solver, const Exprs *formulas, Model **model) {
  Trial trial = {.task = task};
  task_open_scratch(task);
  for (size_t i = 0; i < formulas->count; i++)
    add_formula(&trial, formulas->at[i]);
  start(&trial);
  bool is_found = search(&trial) && is_model(&trial, solver, formulas, model);
  task_close_scratch(task);
  return is_found;
}
