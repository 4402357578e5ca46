// Inputs under which an obligation fails, chosen so that a person can follow.
//
// The obligation was refuted without the facts that have nothing to do with it;
// a witness has to obey those too.  Mostly the values found so far can stay,
// which is cheap to find out, so these are tried first.  We look for a witness
// in which no index computation overflows: an alarm that needs an overflow is
// worth a caveat, and the person who knows that n stays below 2^30 may switch
// it off.

#include "smt/smt.h"

#include <stdlib.h>
#include <string.h>

enum {
  TAME_EFFORT = 500,
  REST_EFFORT = 200,
  FULL_EFFORT = 1000,
  MOST_USUAL = 1023,
  FREE_ARGUMENT = 256,
  MAX_OTHERS = 12, // values that are neither sizes nor arguments
};

typedef struct Search {
  Task *task;
  Solver *solver;
  const Obligation *obligation;
  Model *sliced; // of what is connected with the obligation
  Model *model;  // of everything
  Exprs values;  // symbol == value in the former
} Search;

const char *const smt_overflow_caveat =
    "only if an index computation overflows; --no-overflow assumes that none "
    "does";

// ---------------------------------------------------------------- search ---

// What the obligation's own symbols are in the model that refuted it.
static Exprs found_values(const Search *search) {
  Task *task = search->task;
  Question question = obligation_question(task, search->obligation);
  Exprs values = {0};
  Symbols symbols = {0};
  for (size_t i = 0; i < question.all.count; i++)
    expr_symbols(task, question.all.at[i], &symbols);
  for (size_t i = 0; i < symbols.count; i++) {
    Expr *symbol = expr_symbol(task, symbols.at[i]);
    if (symbol->width <= 64)
      push(&task->arena, &values,
           expr_eq(task, symbol,
                   expr_const(task, symbol->width,
                              solver_value(task, search->sliced, symbol))));
  }
  return values;
}

// What a trial finds is less like what people's programs do, so fewer of its
// witnesses are seen when executed.
static bool has_model(Search *search, const Exprs *formulas) {
  return solver_check(search->task, search->solver, formulas, REST_EFFORT,
                      &search->model) == ANSWER_MODEL ||
         smt_try(search->task, search->solver, formulas, &search->model);
}

static bool is_from_memory(const Symbol *symbol) {
  return (symbol->kind == SYMBOL_LOAD || symbol->kind == SYMBOL_ATOMIC) &&
         symbol->width >= 16 && symbol->width <= 64;
}

// What is read may be an index, and an argument of 0 leads nowhere.
static void add_usual(Search *search, const Exprs *formulas, Exprs *usual) {
  Task *task = search->task;
  Symbols symbols = {0};
  for (size_t i = 0; i < formulas->count; i++)
    expr_symbols(task, formulas->at[i], &symbols);
  for (size_t i = 0; i < symbols.count; i++) {
    const Symbol *symbol = symbols.at[i];
    Expr *value = expr_symbol(task, symbols.at[i]);
    if (is_from_memory(symbol))
      push(&task->arena, usual,
           expr_binary(task, EXPR_ULE, value,
                       expr_const(task, symbol->width, MOST_USUAL)));
    else if (symbol->kind == SYMBOL_PARAMETER && symbol->width >= 8 &&
             symbol->width <= 64)
      push(&task->arena, usual,
           expr_not(task,
                    expr_eq(task, value, expr_const(task, symbol->width, 0))));
  }
}

// Small values, which a person can follow and an execution come to.
static bool look_for_small(Search *search, const Exprs *formulas) {
  Exprs small = {0}, usual = {0};
  bool is_bounded = smt_bound(search->task, formulas, &small);
  add_usual(search, formulas, &usual);
  size_t count = usual.count;
  exprs_add(search->task, &small, &usual);
  return (count && has_model(search, &usual)) ||
         (is_bounded && has_model(search, &small));
}

// Small values; else those that were found, with small ones for the rest, or
// any.
static Answer look_for(Search *search, const Exprs *formulas) {
  Exprs with_values = {0}, small = {0};
  if (look_for_small(search, formulas))
    return ANSWER_MODEL;
  exprs_add(search->task, formulas, &with_values);
  exprs_add(search->task, &search->values, &with_values);
  if (smt_bound(search->task, &with_values, &small) &&
      has_model(search, &small))
    return ANSWER_MODEL;
  if (has_model(search, &with_values))
    return ANSWER_MODEL;
  Question question = {.all = *formulas};
  return smt_decide(search->task, search->solver, &question, FULL_EFFORT,
                    &search->model);
}

bool smt_needs_overflow(Task *task, Solver *solver,
                        const Obligation *obligation) {
  Obligation tame = *obligation;
  tame.facts = (Exprs){0};
  exprs_add(task, &obligation->facts, &tame.facts);
  exprs_add(task, &obligation->no_overflow, &tame.facts);
  Question question = obligation_question(task, &tame);
  return obligation->no_overflow.count &&
         smt_refutes(task, solver, &question, TAME_EFFORT);
}

static const char overflow_here[] =
    "these inputs make an index computation overflow; --no-overflow assumes "
    "that none does";

// Is it so in the model, where it is not known whether it has to be?
static bool overflows(const Search *search) {
  const Exprs *no_overflow = &search->obligation->no_overflow;
  for (size_t i = 0; i < no_overflow->count; i++)
    if (!solver_value(search->task, search->model, no_overflow->at[i]))
      return true;
  return false;
}

// Of a model that keeps clear of it nobody has to ask.
static bool needs_overflow(const Search *search) {
  return overflows(search) &&
         smt_needs_overflow(search->task, search->solver, search->obligation);
}

// NO_MODEL: the facts that were left out refute the obligation.
static Answer look_everywhere(Search *search, const char **caveat) {
  Task *task = search->task;
  const Obligation *obligation = search->obligation;
  Exprs all = {0}, tame = {0};
  exprs_add(task, &obligation->facts, &all);
  exprs_add(task, &obligation->history, &all);
  push(&task->arena, &all, obligation->violation);
  if (needs_overflow(search)) {
    *caveat = smt_overflow_caveat;
    return look_for(search, &all);
  }
  if (!obligation->no_overflow.count)
    return look_for(search, &all);
  exprs_add(task, &all, &tame);
  exprs_add(task, &obligation->no_overflow, &tame);
  Answer answer = look_for(search, &tame);
  if (answer == ANSWER_MODEL)
    return answer;
  *caveat = answer == ANSWER_NO_MODEL ? smt_overflow_caveat : NULL;
  answer = look_for(search, &all);
  if (answer == ANSWER_MODEL && !*caveat && overflows(search))
    *caveat = overflow_here;
  return answer;
}

// ---------------------------------------------------------------- values ---

static uint64_t value_of(const Search *search, Expr *a) {
  return a && a->width <= 64 ? solver_value(search->task, search->model, a) : 0;
}

static void fill_threads(const Search *search, Witness *witness) {
  const Obligation *obligation = search->obligation;
  for (unsigned i = 0; i < 2; i++) {
    for (unsigned axis = 0; axis < 3; axis++) {
      witness->thread[i][axis] =
          (uint32_t)value_of(search, obligation->thread_id[i][axis]);
      witness->block[i][axis] =
          (uint32_t)value_of(search, obligation->block_id[i][axis]);
    }
    witness->offset[i] = value_of(search, obligation->offset[i]);
  }
}

static uint64_t bytes_of(const Stmt *stmt) {
  bool is_known = stmt && stmt->kind == STMT_ACCESS && stmt->access.length &&
                  expr_is_const(stmt->access.length);
  return is_known ? stmt->access.length->value : 1;
}

// A size that nothing was said about is one.
static uint32_t size_of(const Search *search, Expr *size) {
  uint32_t value = (uint32_t)value_of(search, size);
  return value ? value : 1;
}

static void fill_launch(const Search *search, const Kernel *kernel,
                        Witness *witness) {
  for (unsigned axis = 0; axis < 3; axis++) {
    witness->block_size[axis] = size_of(search, kernel->block_size[axis]);
    witness->grid_size[axis] = size_of(search, kernel->grid_size[axis]);
    witness->global_offset[axis] =
        (uint32_t)value_of(search, kernel->global_offset[axis]);
  }
}

static void mentioned_symbols(const Search *search, Symbols *symbols) {
  const Obligation *obligation = search->obligation;
  const Exprs *all[] = {&obligation->facts, &obligation->history,
                        &obligation->no_overflow};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    for (size_t j = 0; j < all[i]->count; j++)
      expr_symbols(search->task, all[i]->at[j], symbols);
  expr_symbols(search->task, obligation->violation, symbols);
}

static bool is_among(const Symbols *symbols, const Symbol *symbol) {
  for (size_t i = 0; i < symbols->count; i++)
    if (symbols->at[i] == symbol)
      return true;
  return false;
}

// An argument that may be anything: with 0 elements nothing is computed.
static uint64_t free_value(const Symbol *symbol) {
  return symbol->width < 16 ? 1 : FREE_ARGUMENT;
}

static void fill_arguments(const Search *search, const Kernel *kernel,
                           Witness *witness) {
  Task *task = search->task;
  Symbols symbols = {0};
  mentioned_symbols(search, &symbols);
  for (size_t i = 0; i < kernel->parameters.count; i++) {
    Symbol *symbol = kernel->parameters.at[i];
    if (!symbol || symbol->width > 64)
      continue;
    bool is_given = i < kernel->launch.arguments.count &&
                    kernel->launch.arguments.at[i].known;
    uint64_t value = is_given ? kernel->launch.arguments.at[i].value
                     : is_among(&symbols, symbol)
                         ? value_of(search, expr_symbol(task, symbol))
                         : free_value(symbol);
    if (symbol->width < 64)
      value &= (UINT64_C(1) << symbol->width) - 1;
    Value argument = {symbol->name, symbol->width, value, symbol->is_signed};
    push(&task->arena, &witness->arguments, argument);
  }
}

static bool is_other(const Symbol *symbol) {
  switch (symbol->kind) {
  case SYMBOL_PHI:
  case SYMBOL_ITERATION:
  case SYMBOL_LOAD:
  case SYMBOL_ATOMIC:
  case SYMBOL_LAUNCH:
  case SYMBOL_UNKNOWN:
    return symbol->width <= 64;
  case SYMBOL_THREAD_ID:
  case SYMBOL_BLOCK_ID:
  case SYMBOL_BLOCK_SIZE:
  case SYMBOL_GRID_SIZE:
  case SYMBOL_PARAMETER:
    break;
  }
  return false;
}

static void fill_others(const Search *search, Witness *witness) {
  Task *task = search->task;
  Symbols symbols = {0};
  expr_symbols(task, search->obligation->violation, &symbols);
  for (size_t i = 0; i < symbols.count; i++) {
    Symbol *symbol = symbols.at[i];
    if (!is_other(symbol) || witness->others.count == MAX_OTHERS)
      continue;
    Value other = {symbol->name, symbol->width,
                   value_of(search, expr_symbol(task, symbol)), false};
    push(&task->arena, &witness->others, other);
  }
}

// -------------------------------------------------------------- contents ---

// The array whose contents a function such as "index#2.32" stands for.
static const Array *array_of(const Kernel *kernel, const Expr *term) {
  const char *number =
      term->op == EXPR_APPLY ? strrchr(term->function, '#') : NULL;
  size_t index = number ? strtoul(number + 1, NULL, 10) : 0;
  return index && index <= kernel->arrays.count ? kernel->arrays.at[index - 1]
                                                : NULL;
}

// As the user calls it, if that is known.
static void tell_field(const Search *search, const Held *held,
                       Witness *witness) {
  const Array *array = held->array;
  for (size_t i = 0; i < array->fields.count; i++) {
    const Field *field = &array->fields.at[i];
    if (field->offset != held->offset || 8 * field->bytes != held->width)
      continue;
    Arena *arena = &search->task->arena;
    Value value = {arena_printf(arena, "%s.%s", array->name, field->name),
                   held->width, held->value, field->is_signed};
    push(arena, &witness->arguments, value);
    return;
  }
}

// "p+8" is a field of the argument p.
static void add_field(const Search *search, const Kernel *kernel,
                      Symbol *symbol, Witness *witness) {
  const char *plus = strrchr(symbol->name, '+');
  for (size_t i = 0; plus && i < kernel->arrays.count; i++) {
    const Array *array = kernel->arrays.at[i];
    size_t length = (size_t)(plus - symbol->name);
    if (!array->is_by_value || strlen(array->name) != length ||
        strncmp(array->name, symbol->name, length) != 0)
      continue;
    Held held = {array, strtoull(plus + 1, NULL, 10), symbol->width,
                 value_of(search, expr_symbol(search->task, symbol))};
    push(&search->task->arena, &witness->contents, held);
    tell_field(search, &held, witness);
  }
}

static void add_load(const Search *search, Symbol *symbol, Witness *witness) {
  const Stmt *stmt = symbol->stmt;
  size_t length = strlen(symbol->name);
  unsigned thread = 2;
  if (!stmt || stmt->access.array->space == SPACE_PRIVATE)
    return;
  if (length > 2 && symbol->name[length - 2] == '$')
    thread = (unsigned)(symbol->name[length - 1] - '1') & 1;
  Found found = {thread, stmt->loc, symbol->width,
                 value_of(search, expr_symbol(search->task, symbol))};
  push(&search->task->arena, &witness->found, found);
}

static void add_term(const Search *search, const Kernel *kernel, Expr *term,
                     Witness *witness) {
  const Array *array = array_of(kernel, term);
  if (array && term->count == 1 && term->width <= 64) {
    Held held = {array, value_of(search, term->args[0]), term->width,
                 value_of(search, term)};
    push(&search->task->arena, &witness->contents, held);
  }
  if (term->op != EXPR_SYMBOL || term->width > 64)
    return;
  if (term->symbol->kind == SYMBOL_PARAMETER)
    add_field(search, kernel, term->symbol, witness);
  else if (term->symbol->kind == SYMBOL_LOAD ||
           term->symbol->kind == SYMBOL_ATOMIC)
    add_load(search, term->symbol, witness);
}

static void fill_contents(const Search *search, const Kernel *kernel,
                          Witness *witness) {
  Task *task = search->task;
  Question question = obligation_question(task, search->obligation);
  ExprMap *seen = expr_map_new(task);
  Exprs terms = {0};
  for (size_t i = 0; i < question.all.count; i++)
    expr_order(task, question.all.at[i], seen, &terms);
  for (size_t i = 0; i < terms.count; i++)
    add_term(search, kernel, terms.at[i], witness);
}

// ------------------------------------------------------------------ ways ---

static bool is_true(void *data, Expr *a) {
  const Search *search = data;
  return solver_value(search->task, search->model, a) != 0;
}

// The second of two threads of one statement does not come there.
static void fill_ways(Search *search, const Kernel *kernel, Witness *witness) {
  const Obligation *obligation = search->obligation;
  const Stmt *ends[2] = {obligation->first, obligation->second};
  Truth truth = {is_true, search};
  for (unsigned i = 0; i < 2; i++)
    if (obligation->context[i])
      obligation_walk(search->task, kernel, obligation, i, ends[i], &truth,
                      &witness->way[i]);
}

bool smt_find_witness(Task *task, Solver *solver, const Kernel *kernel,
                      Model *sliced, Problem *problem) {
  const Obligation *obligation = problem->obligation;
  Search search = {task, solver, obligation, sliced, sliced, {0}};
  search.values = found_values(&search);
  if (look_everywhere(&search, &problem->caveat) == ANSWER_NO_MODEL)
    return false;
  Witness *witness = &problem->witness;
  fill_threads(&search, witness);
  fill_launch(&search, kernel, witness);
  fill_arguments(&search, kernel, witness);
  fill_others(&search, witness);
  fill_contents(&search, kernel, witness);
  fill_ways(&search, kernel, witness);
  witness->bytes[0] = bytes_of(obligation->first);
  witness->bytes[1] = bytes_of(obligation->second);
  problem->has_witness = true;
  return true;
}
