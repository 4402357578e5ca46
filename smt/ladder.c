// The ladder of named assumptions.
//
// What is not proved of what the code says alone may hold in every program that
// people run: nothing signed overflows, warps are whole, sizes fit, arguments
// are not negative.  These are facts under names (translator/premises.def), and
// a proof that needs one says so.  All of them are tried at once, for a race
// that they do not exclude is a race; of what proves an obligation the names
// that it does not need are dropped again, the highest first, and what goes
// wrong without each of the others is kept for the report.
//
// SOUND(vacuity): names that contradict what is known, or under which no thread
// comes to the end of the kernel, are not used.

#include "smt/smt.h"
#include "translator/expr.h"

#include <string.h>

enum { CONSISTENCY_EFFORT = 1000, FIND_EFFORT = 200 };

bool names_have(PremiseSet names, unsigned kind) { return names >> kind & 1; }

PremiseSet names_without(PremiseSet names, unsigned kind) {
  return names & ~((PremiseSet)1 << kind);
}

PremiseSet names_with(PremiseSet names, unsigned kind) {
  return names | (PremiseSet)1 << kind;
}

PremiseSet ladder_names(const Obligation *obligation) {
  PremiseSet names = 0;
  for (unsigned i = 0; i < PREMISES; i++)
    if (obligation->premises[i].count)
      names = names_with(names, i);
  return names;
}

static Obligation *copy_with(Task *task, const Obligation *obligation) {
  Obligation *more = NEW(&task->arena, Obligation);
  *more = *obligation;
  more->facts = (Exprs){0};
  exprs_add(task, &obligation->facts, &more->facts);
  return more;
}

const Obligation *ladder_with(Task *task, const Obligation *obligation,
                              PremiseSet names) {
  if (!names)
    return obligation;
  Obligation *more = copy_with(task, obligation);
  for (unsigned i = 0; i < PREMISES; i++)
    if (names_have(names, i))
      exprs_add(task, &obligation->premises[i], &more->facts);
  return more;
}

static bool is_extended(const Expr *a) {
  return (a->op == EXPR_SEXT || a->op == EXPR_ZEXT) && a->args[0]->count;
}

// Sums and products are flat, and a factor of a sum is one of each summand.
static bool is_made_of(const ExprMap *terms, const Expr *a) {
  if (expr_is_const(a) || expr_map_get(terms, a))
    return !expr_is_const(a);
  bool is_multiple = a->op == EXPR_MUL && expr_is_const(a->args[1]);
  return (a->op == EXPR_ADD || a->op == EXPR_MUL) &&
         is_made_of(terms, a->args[0]) &&
         (is_multiple || is_made_of(terms, a->args[1]));
}

static bool extends_terms(Task *task, const ExprMap *terms, Expr *equation) {
  Exprs order = {0};
  expr_order(task, equation, expr_map_new(task), &order);
  for (size_t i = 0; i < order.count; i++)
    if (is_extended(order.at[i]) && !is_made_of(terms, order.at[i]->args[0]))
      return false;
  return true;
}

// A fact that an operation is exact is an equation in which its operands and
// its result are extended, or else nobody comes there.
static bool is_of_terms(Task *task, const ExprMap *terms, Expr *fact) {
  for (unsigned i = 0; fact->op == EXPR_OR && i < fact->count; i++)
    if (!is_of_terms(task, terms, fact->args[i]))
      return false;
  return fact->op != EXPR_EQ || extends_terms(task, terms, fact);
}

// Else it is about a counter, which says where it began.
static bool has_equation(const Expr *fact) {
  bool has = fact->op == EXPR_EQ;
  for (unsigned i = 0; fact->op == EXPR_OR && i < fact->count; i++)
    has |= has_equation(fact->args[i]);
  return has;
}

// It says what one of the terms is made of.
static bool makes_term(const ExprMap *terms, const Expr *fact) {
  bool makes = false;
  for (unsigned i = 0; fact->op == EXPR_OR && i < fact->count; i++)
    makes |= makes_term(terms, fact->args[i]);
  for (unsigned i = 0; fact->op == EXPR_EQ && i < 2; i++)
    makes |= is_extended(fact->args[i]) &&
             expr_map_get(terms, fact->args[i]->args[0]);
  return makes;
}

// Where counters begin, and what that is made of.
static void add_beginnings(Task *task, const Exprs *exact, ExprMap *terms) {
  ExprMap *begun = expr_map_new(task);
  Exprs order = {0};
  for (size_t i = 0; i < exact->count; i++)
    if (!has_equation(exact->at[i]))
      expr_order(task, exact->at[i], begun, &order);
  for (size_t known = SIZE_MAX; order.count && known != order.count;) {
    known = order.count;
    for (size_t i = 0; i < exact->count; i++)
      if (makes_term(begun, exact->at[i]))
        expr_order(task, exact->at[i], begun, &order);
  }
  for (size_t i = 0; i < order.count; i++)
    expr_map_put(task, terms, order.at[i], order.at[i]);
}

const Obligation *ladder_near(Task *task, const Obligation *obligation,
                              PremiseSet names) {
  const Exprs *exact = &obligation->premises[PREMISE_NO_SIGNED_OVERFLOW];
  PremiseSet others = names_without(names, PREMISE_NO_SIGNED_OVERFLOW);
  ExprMap *terms = expr_map_new(task);
  Exprs order = {0}, near = {0};
  if (others == names)
    return NULL;
  expr_order(task, obligation->violation, terms, &order);
  for (size_t i = 0; i < obligation->facts.count; i++)
    expr_order(task, obligation->facts.at[i], terms, &order);
  add_beginnings(task, exact, terms);
  for (size_t i = 0; i < exact->count; i++)
    if (is_of_terms(task, terms, exact->at[i]))
      push(&task->arena, &near, exact->at[i]);
  if (near.count == exact->count)
    return NULL;
  Obligation *more = copy_with(task, ladder_with(task, obligation, others));
  exprs_add(task, &near, &more->facts);
  return more;
}

// ----------------------------------------------------------------- cases ---

unsigned ladder_cases(const Exprs *choices) {
  return choices->count > LADDER_MOST_CHOICES ? 0 : 1u << choices->count;
}

Expr *ladder_case(Task *task, const Exprs *choices, unsigned number) {
  Expr *all = expr_bool(task, true);
  for (size_t i = 0; i < choices->count; i++) {
    bool is_chosen = number >> i & 1;
    all = expr_and(task, all,
                   is_chosen ? choices->at[i] : expr_not(task, choices->at[i]));
  }
  return all;
}

// ----------------------------------------------------------- consistency ---

typedef struct Looking {
  Task *task;
  Solver *solver;
  const Pair *pair;
  Vec(Model *) models; // that were found
} Looking;

static bool is_model(const Looking *to, Model *model, const Exprs *formulas) {
  for (size_t i = 0; i < formulas->count; i++)
    if (!solver_value(to->task, model, formulas->at[i]))
      return false;
  return true;
}

static bool has_known_model(const Looking *to, const Exprs *formulas) {
  for (size_t i = to->models.count; i-- > 0;)
    if (is_model(to, to->models.at[i], formulas))
      return true;
  return false;
}

static void keep(Looking *to, Model *model) {
  if (model)
    push(&to->task->arena, &to->models, model);
}

// Mostly there is a model, and one of another question is often one of this.
static Answer ask(Looking *to, const Question *question) {
  Model *model = NULL;
  if (has_known_model(to, &question->all))
    return ANSWER_MODEL;
  Answer answer = smt_try(to->task, to->solver, &question->all, &model)
                      ? ANSWER_MODEL
                      : smt_decide(to->task, to->solver, question,
                                   CONSISTENCY_EFFORT, &model);
  keep(to, model);
  return answer;
}

static Question known_of(const Looking *to) {
  Question question = {0};
  exprs_add(to->task, &to->pair->consistent, &question.all);
  exprs_add(to->task, &to->pair->meant, &question.all);
  return question;
}

static Question end_of(const Looking *to, PremiseSet names) {
  const Pair *pair = to->pair;
  Question question = known_of(to);
  for (unsigned i = 0; i < PREMISES; i++)
    if (names_have(names, i))
      exprs_add(to->task, &pair->premises[i], &question.all);
  if (pair->exit)
    push(&to->task->arena, &question.all, pair->exit);
  return question;
}

static Answer ask_end(Looking *to, PremiseSet names) {
  const Question question = end_of(to, names);
  return ask(to, &question);
}

// One thread that comes to the end may be all that is asked for.
static void look_for_all(Looking *to, PremiseSet names) {
  Question question = end_of(to, names);
  Model *model = NULL;
  for (unsigned i = 0; i < PREMISES; i++)
    if (names_have(names, i))
      exprs_add(to->task, &to->pair->occasions[i], &question.all);
  smt_find(to->task, to->solver, &question, FIND_EFFORT, &model);
  keep(to, model);
}

static Answer ask_occasion(Looking *to, const Exprs *facts, Expr *occasion) {
  Question question = known_of(to);
  exprs_add(to->task, facts, &question.all);
  push(&to->task->arena, &question.all, occasion);
  return ask(to, &question);
}

// It leaves nothing of what there is without it.
static bool rules_out(Looking *to, unsigned kind, Expr *occasion) {
  const Exprs *facts = &to->pair->premises[kind], none = {0};
  return ask_occasion(to, facts, occasion) == ANSWER_NO_MODEL &&
         ask_occasion(to, &none, occasion) != ANSWER_NO_MODEL;
}

// What rules out the very threads that it is meant for is not assumed, nor what
// rules out one of the launches that the host chooses between, but where all
// that the host does is known.  Nothing is where no time is left to look, or
// where these are too many.
static bool is_meant(Looking *to, unsigned kind) {
  const Exprs *occasions = &to->pair->occasions[kind];
  const Exprs *choices = &to->pair->choices;
  if (kind == PREMISE_WHOLE_PROGRAM)
    return true;
  if (!ladder_cases(choices))
    return false;
  for (size_t i = 0; i < occasions->count; i++)
    if (task_is_late(to->task) || rules_out(to, kind, occasions->at[i]))
      return false;
  for (unsigned i = 0; choices->count && i < ladder_cases(choices); i++)
    if (rules_out(to, kind, ladder_case(to->task, choices, i)))
      return false;
  return true;
}

static PremiseSet all_meant(Looking *to, PremiseSet names) {
  for (unsigned i = 0; i < PREMISES; i++)
    if (names_have(names, i) && !is_meant(to, i))
      names = names_without(names, i);
  return names;
}

static PremiseSet all_of(const Pair *pair) {
  PremiseSet names = 0;
  for (unsigned i = 0; i < PREMISES; i++)
    if (pair->premises[i].count)
      names = names_with(names, i);
  return names;
}

PremiseSet ladder_consistent(Task *task, Solver *solver, const Pair *pair,
                             bool *is_known) {
  Looking looking = {.task = task, .solver = solver, .pair = pair};
  PremiseSet all = all_of(pair), names = 0;
  if (all)
    look_for_all(&looking, all);
  all = all_meant(&looking, all);
  *is_known = true;
  if (!all || ask_end(&looking, all) == ANSWER_MODEL)
    return all;
  for (unsigned i = 0; i < PREMISES; i++) {
    if (!names_have(all, i))
      continue;
    Answer answer = ask_end(&looking, names_with(names, i));
    if (answer == ANSWER_NO_MODEL)
      continue;
    names = names_with(names, i);
    *is_known = *is_known && answer == ANSWER_MODEL;
  }
  return names;
}
