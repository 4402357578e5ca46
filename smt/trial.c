// A model by trial.
//
// Solvers get lost among hundreds of facts that a thread obeys without any
// effort: all is 0, sizes are small, and a few loops go round as often as they
// have to.  So plain numbers are tried first, one symbol after the other, as
// long as fewer formulas are false than before (GSAT: Selman, Levesque and
// Mitchell, AAAI 1992).  Whether these numbers are a model the solver says, who
// has little left to find out.

#include "smt/smt.h"
#include "translator/expr.h"

enum {
  FEW = 2, // blocks and threads, at first
  MOST_NUMBERS = 16,
  MOST_CHANGES = 60,
  MOST_TERMS = 5000000, // that are evaluated: a part of a second
  CHECK_EFFORT = 100,
};

typedef struct Formula {
  Expr *expr;
  size_t terms;
  Symbols symbols;
  bool is_false;
  bool is_stuck; // no number of one of its symbols is better
} Formula;

typedef struct Trial {
  Task *task;
  Vec(Formula) formulas; // that can be evaluated
  Symbols symbols;
  uint64_t *values; // of the symbols
  size_t evaluated; // terms
} Trial;

typedef struct Numbers {
  unsigned count;
  uint64_t at[MOST_NUMBERS];
} Numbers;

// ---------------------------------------------------------------- values ---

static size_t index_of(const Symbols *symbols, const Symbol *symbol) {
  for (size_t i = 0; i < symbols->count; i++)
    if (symbols->at[i] == symbol)
      return i;
  return SIZE_MAX;
}

static uint64_t value_of(const Symbol *symbol, void *data) {
  const Trial *trial = data;
  return trial->values[index_of(&trial->symbols, symbol)];
}

// All that is read is 0.
static uint64_t read_nothing(const char *function, const uint64_t *args,
                             unsigned count, void *data) {
  (void)function, (void)args, (void)count, (void)data;
  return 0;
}

static bool holds(Trial *trial, const Formula *formula) {
  const Valuation valuation = {value_of, read_nothing, trial};
  trial->evaluated += formula->terms;
  return expr_evaluate(trial->task, &valuation, formula->expr);
}

static bool is_spent(const Trial *trial) {
  return trial->evaluated > MOST_TERMS;
}

// ---------------------------------------------------------------- search ---

static void add_number(Numbers *numbers, uint64_t number) {
  for (unsigned i = 0; i < numbers->count; i++)
    if (numbers->at[i] == number)
      return;
  if (numbers->count < MOST_NUMBERS)
    numbers->at[numbers->count++] = number;
}

// Small ones, and those that stand in the formula, with their neighbours.
static Numbers numbers_of(const Trial *trial, const Formula *formula) {
  Numbers numbers = {3, {0, 1, 2}};
  Exprs terms = {0};
  expr_order(trial->task, formula->expr, expr_map_new(trial->task), &terms);
  for (size_t i = 0; i < terms.count; i++)
    for (unsigned more = 0; expr_is_const(terms.at[i]) && more < 3; more++)
      add_number(&numbers, terms.at[i]->value + 1 - more);
  return numbers;
}

// How many more formulas are false with this number for the symbol.
static int worse_by(Trial *trial, size_t symbol, uint64_t number) {
  const uint64_t before = trial->values[symbol];
  int worse = 0;
  trial->values[symbol] = number;
  for (size_t i = 0; i < trial->formulas.count; i++) {
    const Formula *formula = &trial->formulas.at[i];
    if (index_of(&formula->symbols, trial->symbols.at[symbol]) != SIZE_MAX)
      worse += !holds(trial, formula) - formula->is_false;
  }
  trial->values[symbol] = before;
  return worse;
}

static void note_false(Trial *trial) {
  for (size_t i = 0; i < trial->formulas.count; i++) {
    Formula *formula = &trial->formulas.at[i];
    formula->is_false = !holds(trial, formula);
    formula->is_stuck = false;
  }
}

// The number of a symbol by which fewest formulas are false; false: no number
// is better than what there is.
static bool improve(Trial *trial, const Formula *formula) {
  const Numbers numbers = numbers_of(trial, formula);
  size_t best_symbol = 0;
  uint64_t best_number = 0;
  int best = 0;
  for (size_t i = 0; i < formula->symbols.count && !is_spent(trial); i++) {
    size_t symbol = index_of(&trial->symbols, formula->symbols.at[i]);
    for (unsigned k = 0; k < numbers.count; k++) {
      uint64_t number =
          numbers.at[k] & expr_mask(formula->symbols.at[i]->width);
      int worse = worse_by(trial, symbol, number);
      if (worse < best) {
        best = worse;
        best_symbol = symbol;
        best_number = number;
      }
    }
  }
  if (best < 0)
    trial->values[best_symbol] = best_number;
  return best < 0;
}

static Formula *first_false(Trial *trial) {
  for (size_t i = 0; i < trial->formulas.count; i++)
    if (trial->formulas.at[i].is_false && !trial->formulas.at[i].is_stuck)
      return &trial->formulas.at[i];
  return NULL;
}

static bool are_all_true(const Trial *trial) {
  for (size_t i = 0; i < trial->formulas.count; i++)
    if (trial->formulas.at[i].is_false)
      return false;
  return true;
}

static bool search(Trial *trial) {
  note_false(trial);
  for (unsigned i = 0; i < MOST_CHANGES; i++) {
    Formula *formula = first_false(trial);
    if (!formula || is_spent(trial))
      break;
    if (improve(trial, formula))
      note_false(trial);
    else
      formula->is_stuck = true;
  }
  return are_all_true(trial);
}

// ----------------------------------------------------------------- trial ---

// How many terms it has; 0: some are wider than what can be evaluated.
static size_t count_terms(Task *task, Expr *e) {
  Exprs terms = {0};
  expr_order(task, e, expr_map_new(task), &terms);
  for (size_t i = 0; i < terms.count; i++)
    if (terms.at[i]->width > 64)
      return 0;
  return terms.count;
}

// What has to hold at once is better one by one.
static void add_formula(Trial *trial, Expr *e) {
  if (e->op == EXPR_AND && e->width == 1) {
    add_formula(trial, e->args[0]);
    add_formula(trial, e->args[1]);
    return;
  }
  Formula formula = {.expr = e, .terms = count_terms(trial->task, e)};
  if (!formula.terms)
    return;
  expr_symbols(trial->task, e, &formula.symbols);
  expr_symbols(trial->task, e, &trial->symbols);
  push(&trial->task->arena, &trial->formulas, formula);
}

static void start(Trial *trial) {
  trial->values = arena_alloc(&trial->task->arena,
                              trial->symbols.count * sizeof *trial->values + 1);
  for (size_t i = 0; i < trial->symbols.count; i++) {
    SymbolKind kind = trial->symbols.at[i]->kind;
    bool is_size = kind == SYMBOL_BLOCK_SIZE || kind == SYMBOL_GRID_SIZE;
    trial->values[i] = is_size ? FEW : 0;
  }
}

static Exprs equations(const Trial *trial) {
  Task *task = trial->task;
  Exprs equal = {0};
  for (size_t i = 0; i < trial->symbols.count; i++) {
    Symbol *symbol = trial->symbols.at[i];
    push(&task->arena, &equal,
         expr_eq(task, expr_symbol(task, symbol),
                 expr_const(task, symbol->width, trial->values[i])));
  }
  return equal;
}

static bool is_found(Trial *trial) {
  task_open_scratch(trial->task);
  bool is_model = search(trial);
  task_close_scratch(trial->task);
  return is_model;
}

bool smt_try(Task *task, Solver *solver, const Exprs *formulas, Model **model) {
  Trial trial = {.task = task};
  for (size_t i = 0; i < formulas->count; i++)
    add_formula(&trial, formulas->at[i]);
  start(&trial);
  if (!is_found(&trial))
    return false;
  Exprs all = equations(&trial);
  exprs_add(task, formulas, &all);
  return solver_check(task, solver, &all, CHECK_EFFORT, model) == ANSWER_MODEL;
}
