// Which solver to ask, and how much effort it may make.
//
// No method is best for every query.  Linear integers refute in milliseconds
// where sums decide and know nothing of bits, the sooner the less they are
// told, so they get the question without history first; bit vectors are exact
// and get lost in products; products made abstract can be refuted but not
// believed when they have a model; and a bug that exists at all mostly exists
// for small sizes, where bit vectors find it at once, the sooner where factors
// are plain numbers (small.c).  So all of them may make a little effort, then
// three times as much, until one knows or the effort is used up.  Queries of a
// kernel are alike, so the method that knew the last one is asked first.  One
// that said what it can say is not asked again.

#include "smt/smt.h"

#include <math.h>

typedef enum MethodKind {
  INTEGERS,
  DIGITS, // the same, with sums of digits taken apart
  PLAIN,  // sizes and factors are a few numbers
  CASES,  // one for each power of two
  SMALL,
  EXACT,
  INTEGERS_AGAIN, // with history; and lemmas make luck matter
  ABSTRACT,
  METHODS,
} MethodKind;

static const double first_effort = 60, growth = 3;

enum { LONGEST_ATTEMPT = 60, DIGIT_EFFORT = 60 }; // in effort

typedef struct Method {
  Exprs formulas, lemmas; // of PLAIN: what symbols are that others stand for
  unsigned variant;       // PLAIN; CASES: how many have no model
  bool models_count;      // a model is one of the query
  bool refusals_count;    // no model means that the query has none
  bool is_done;           // or not there
} Method;

typedef struct Decision {
  Task *task;
  Solver *solver;
  Method methods[METHODS];
  Exprs facts;     // all of them
  bool is_refuted; // before any solver is asked
  bool has_products, has_circuits, has_core;
  bool has_digits, has_abstract; // DIGITS, ABSTRACT are made
  unsigned seed;                 // of the next attempt over integers
  bool wants_model;
} Decision;

// --------------------------------------------------------------- methods ---

static void without_products(Task *task, const Exprs *formulas,
                             Method *method) {
  method->refusals_count = true;
  Exprs abstract = {0};
  bool has_products =
      product_abstract(task, formulas, &abstract, &method->lemmas);
  method->formulas =
      has_products ? smt_rewrite(task, &abstract, &method->lemmas) : *formulas;
  carry_lemmas(task, &method->formulas, &method->lemmas);
}

static void over_integers(Task *task, const Exprs *formulas, Method *method) {
  const Exprs opaque = smt_opaque(task, formulas);
  without_products(task, &opaque, method);
}

// Circuits of these are large, and searched for long.
static bool is_large_circuit(const Expr *e) {
  return product_is_of_unknowns(e) || (expr_is_division(e) && e->width >= 32);
}

static void look_for_circuits(Decision *decision) {
  Task *task = decision->task;
  ExprMap *seen = expr_map_new(task);
  Exprs terms = {0};
  for (size_t i = 0; i < decision->facts.count; i++)
    expr_order(task, decision->facts.at[i], seen, &terms);
  for (size_t i = 0; i < terms.count; i++) {
    decision->has_products |= product_is_of_unknowns(terms.at[i]);
    decision->has_circuits |= is_large_circuit(terms.at[i]);
  }
}

// A model that somebody looks at has to give defined symbols their values, too.
static void add_exact_methods(Decision *decision, const Exprs *facts,
                              const Exprs *definitions) {
  Method *small = &decision->methods[SMALL], *exact = &decision->methods[EXACT];
  decision->methods[PLAIN] = (Method){
      .formulas = *facts, .lemmas = *definitions, .models_count = true};
  *exact = (Method){.models_count = true, .refusals_count = true};
  exprs_add(decision->task, facts, &exact->formulas);
  exprs_add(decision->task, definitions, &exact->formulas);
  decision->methods[CASES] = *exact;
  decision->methods[CASES].is_done =
      !decision->has_products || !smt_cases(decision->task, &exact->formulas);
  small->models_count = true;
  small->is_done =
      !smt_bound(decision->task, &exact->formulas, &small->formulas);
}

static bool is_false_by_itself(const Exprs *formulas) {
  for (size_t i = 0; i < formulas->count; i++)
    if (expr_is_false(formulas->at[i]))
      return true;
  return false;
}

// What digits that are read off the facts refute needs no solver; else solvers
// do better with sums as they are.  What is equal by its digits may be a sum of
// digits itself, as the number of a thread is.
static bool is_refuted_by_digits(Task *task, const Exprs *formulas) {
  enum { MOST_ROUNDS = 3 };
  Exprs facts = *formulas;
  for (unsigned i = 0; i < MOST_ROUNDS && !is_false_by_itself(&facts); i++) {
    Exprs split = {0}, unused = {0};
    if (!radix_split(task, NULL, &facts, &split))
      return false;
    facts = smt_reduce(task, &split, &unused);
  }
  return is_false_by_itself(&facts);
}

static Exprs reduced(Task *task, const Exprs *formulas, Exprs *definitions) {
  Exprs few = smt_reduce(task, formulas, definitions);
  few = smt_multiples(task, &few, definitions);
  return smt_quotients(task, &few);
}

static void add_methods(Decision *decision, const Question *question) {
  Task *task = decision->task;
  Method *methods = decision->methods, *again = &methods[INTEGERS_AGAIN];
  const Exprs *core = &question->core;
  Exprs definitions = {0}, unused = {0}, none = {0};
  Exprs facts = reduced(task, &question->all, &definitions);
  decision->has_core = core->count;
  Exprs few = core->count ? reduced(task, core, &unused) : facts;
  Exprs asked = smt_without_idle(task, &few);
  asked = smt_about_threads(task, &asked);
  bool has_more = core->count || asked.count < few.count;
  decision->facts = smt_rewrite(task, &facts, &none);
  few = smt_rewrite(task, &asked, &none);
  decision->is_refuted = is_refuted_by_digits(task, &decision->facts) ||
                         is_refuted_by_digits(task, &facts);
  if (decision->is_refuted)
    return;
  look_for_circuits(decision);
  over_integers(task, &decision->facts, again);
  over_integers(task, &few, &methods[INTEGERS]);
  again->is_done = !has_more && !again->lemmas.count;
  add_exact_methods(decision, &facts,
                    decision->wants_model ? &definitions : &none);
  methods[ABSTRACT].is_done = !decision->has_products;
}

// Several short attempts find what one long one misses: how long it takes is
// luck, and mostly short or very long.  Seeds take turns, beginning with one
// like that which refuted the last query.
static Answer ask_integers(Decision *decision, const Method *method,
                           unsigned effort) {
  Solver *solver = decision->solver;
  const unsigned attempts = 2 * (1 + effort / (2 * LONGEST_ATTEMPT));
  double made = -1; // effort; a solver that makes none was not asked
  for (unsigned i = 0; i < attempts && made < solver->effort; i++) {
    made = solver->effort;
    unsigned seed = decision->seed++;
    Answer answer =
        solver_check_integers(decision->task, solver, &method->formulas,
                              &method->lemmas, seed, effort / attempts);
    if (answer == ANSWER_NO_MODEL)
      solver->seed = seed % 2;
    if (answer != ANSWER_UNKNOWN)
      return answer;
  }
  return ANSWER_UNKNOWN;
}

// A query that comes again, with more effort, has the same digits.
static bool refutes(void *data, const Exprs *formulas) {
  Decision *decision = data;
  Method method = {0};
  bool is_refuted = false;
  if (asked_before(decision->solver, formulas, &is_refuted))
    return is_refuted;
  over_integers(decision->task, formulas, &method);
  is_refuted = ask_integers(decision, &method, DIGIT_EFFORT) == ANSWER_NO_MODEL;
  asked_note(decision->task, decision->solver, formulas, is_refuted);
  return is_refuted;
}

// It takes questions to find out which sums are made of digits, so nobody
// looks before integers have failed.
static void make_digits(Decision *decision) {
  Method *method = &decision->methods[DIGITS];
  const Refuter refuter = {refutes, decision};
  Exprs split = {0}, unused = {0};
  decision->has_digits = true;
  method->is_done =
      !radix_split(decision->task, &refuter, &decision->facts, &split);
  Exprs reduced = smt_reduce(decision->task, &split, &unused);
  over_integers(decision->task, &reduced, method);
}

// Equal places have equal values here.
static void make_abstract(Decision *decision) {
  Method *method = &decision->methods[ABSTRACT];
  decision->has_abstract = true;
  without_products(decision->task, &decision->facts, method);
  exprs_add(decision->task, &method->lemmas, &method->formulas);
}

// Factors that are numbers leave no products of unknowns.
static Answer ask_plain(Decision *decision, unsigned effort, Model **model) {
  Method *method = &decision->methods[PLAIN];
  Answer answer = ANSWER_NO_MODEL;
  while (method->variant < SMT_VARIANTS && answer == ANSWER_NO_MODEL) {
    Exprs formulas = {0};
    if (!smt_fix(decision->task, method->variant, &method->formulas, &formulas))
      return ANSWER_NO_MODEL;
    exprs_add(decision->task, &method->lemmas, &formulas);
    answer = is_false_by_itself(&formulas)
                 ? ANSWER_NO_MODEL
                 : solver_check(decision->task, decision->solver, &formulas,
                                effort, model);
    method->variant += answer == ANSWER_NO_MODEL;
  }
  return answer;
}

// A case is a query of its own, which has fewer cases; the last one is all that
// they leave.
static Answer ask_cases(Decision *decision, unsigned effort, Model **model) {
  Method *method = &decision->methods[CASES];
  Solver *solver = decision->solver;
  const unsigned cases = smt_cases(decision->task, &method->formulas);
  const double end = solver->effort + effort;
  for (; method->variant <= cases && solver->effort < end; method->variant++) {
    const unsigned left = (unsigned)fmax(end - solver->effort, 1);
    const Question question = {
        .all = smt_case(decision->task, &method->formulas, method->variant)};
    Answer answer =
        method->variant < cases
            ? smt_decide(decision->task, solver, &question, left, model)
            : solver_check(decision->task, solver, &question.all, left, model);
    if (answer != ANSWER_NO_MODEL)
      return answer;
  }
  return method->variant > cases ? ANSWER_NO_MODEL : ANSWER_UNKNOWN;
}

static Answer ask(Decision *decision, MethodKind kind, unsigned effort,
                  Model **model) {
  if (kind == INTEGERS || kind == DIGITS || kind == INTEGERS_AGAIN)
    return ask_integers(decision, &decision->methods[kind], effort);
  if (kind == PLAIN)
    return ask_plain(decision, effort, model);
  if (kind == CASES)
    return ask_cases(decision, effort, model);
  return solver_check(decision->task, decision->solver,
                      &decision->methods[kind].formulas, effort, model);
}

// What the answer tells about the query itself.
static Answer conclusion(const Method *method, Answer answer) {
  bool counts =
      answer == ANSWER_MODEL ? method->models_count : method->refusals_count;
  return counts ? answer : ANSWER_UNKNOWN;
}

// A model over integers suggests that there is a small one.  Circuits of
// products of unknowns say something at once, or not soon.
static unsigned worth(const Decision *decision, MethodKind kind,
                      unsigned effort) {
  enum {
    HOPE = 3,
    AT_ONCE = 20,
    PLAINLY = 100,
    SOON = 150,
    ABSTRACT_SOON = 500
  };
  bool has_products = decision->has_products;
  if (kind == CASES)
    return HOPE * effort;
  if (kind == PLAIN)
    return effort < PLAINLY ? effort : PLAINLY;
  if (kind == SMALL && decision->methods[INTEGERS].is_done)
    return HOPE * effort;
  if (kind == EXACT && has_products && effort > AT_ONCE && effort < SOON)
    return AT_ONCE;
  return kind == ABSTRACT && effort < ABSTRACT_SOON ? 0 : effort;
}

static Answer ask_one(Decision *decision, MethodKind kind, unsigned effort,
                      Model **model) {
  Method *method = &decision->methods[kind];
  if (task_is_late(decision->task))
    return ANSWER_UNKNOWN;
  if (kind == DIGITS && !decision->has_digits)
    make_digits(decision);
  if (method->is_done)
    return ANSWER_UNKNOWN;
  unsigned share = worth(decision, kind, effort);
  if (!share)
    return ANSWER_UNKNOWN;
  if (kind == ABSTRACT && !decision->has_abstract)
    make_abstract(decision);
  Answer answer = ask(decision, kind, share, model);
  method->is_done = answer != ANSWER_UNKNOWN;
  Answer known = conclusion(method, answer);
  if (known != ANSWER_UNKNOWN)
    decision->solver->favourite = kind;
  decision->solver->is_of_core =
      known == ANSWER_NO_MODEL && kind == INTEGERS && decision->has_core;
  return known;
}

static Answer ask_all(Decision *decision, unsigned effort, Model **model) {
  unsigned favourite = decision->solver->favourite;
  Answer answer = ask_one(decision, favourite, effort, model);
  for (unsigned kind = 0; kind < METHODS && answer == ANSWER_UNKNOWN; kind++)
    if (kind != favourite)
      answer = ask_one(decision, kind, effort, model);
  return answer;
}

// ----------------------------------------------------------------- ways ---

static Answer decide(Decision *decision, unsigned effort, Model **model) {
  const double end = decision->solver->effort + effort;
  for (double budget = first_effort;; budget *= growth) {
    double left = end - decision->solver->effort;
    bool is_last = budget >= left;
    unsigned round = (unsigned)(is_last ? fmax(left, 1) : budget);
    Answer answer = ask_all(decision, round, model);
    if (answer != ANSWER_UNKNOWN || is_last || task_is_late(decision->task))
      return answer;
  }
}

// A model is worth nothing here, so what finds one gets little; large circuits
// cost more than they refute.
static Answer sift(Decision *decision, unsigned effort, Model **model) {
  static const struct {
    MethodKind kind;
    unsigned part; // of the effort
    bool is_of_circuits;
  } ways[] = {
      {INTEGERS, 4, false}, {PLAIN, 16, false}, {SMALL, 16, true},
      {EXACT, 16, true},    {CASES, 1, false},  {INTEGERS_AGAIN, 3, false},
      {DIGITS, 3, false},   {EXACT, 4, true},   {EXACT, 16, false}};
  Answer answer = ANSWER_UNKNOWN;
  for (unsigned i = 0; i < sizeof ways / sizeof *ways; i++) {
    if (ways[i].is_of_circuits && decision->has_circuits)
      continue;
    answer = ask_one(decision, ways[i].kind, effort / ways[i].part, model);
    if (answer != ANSWER_UNKNOWN)
      break;
  }
  return answer;
}

static Answer refute(Decision *decision, unsigned effort, Model **model) {
  static const MethodKind kinds[] = {INTEGERS, DIGITS, INTEGERS_AGAIN};
  Answer answer = ANSWER_UNKNOWN;
  for (unsigned i = 0; i < 3 && answer == ANSWER_UNKNOWN; i++)
    answer = ask_one(decision, kinds[i], effort / 2, model);
  return answer;
}

// Circuits of products of unknowns find nothing soon.
static Answer find(Decision *decision, unsigned effort, Model **model) {
  static const MethodKind kinds[] = {PLAIN, SMALL, EXACT};
  Answer answer = ANSWER_UNKNOWN;
  for (unsigned i = 0; i < 3 && answer == ANSWER_UNKNOWN; i++)
    if (kinds[i] != EXACT || !decision->has_products)
      answer = ask_one(decision, kinds[i], effort, model);
  return answer;
}

enum { MOST_CHOICES = 2 };

typedef Answer (*Way)(Decision *decision, unsigned effort, Model **model);

// What a question is written as is as large as the question; only terms, which
// others may have, and models outlive it.
static Answer answer_at_once(Way way, Task *task, Solver *solver,
                             const Question *question, unsigned effort,
                             Model **model) {
  Decision decision = {.task = task,
                       .solver = solver,
                       .seed = solver->seed,
                       .wants_model = model != NULL};
  solver->is_of_core = false;
  if (is_false_by_itself(&question->all))
    return ANSWER_NO_MODEL;
  if (task_is_late(task))
    return ANSWER_UNKNOWN;
  task_open_scratch(task);
  add_methods(&decision, question);
  Answer answer =
      decision.is_refuted ? ANSWER_NO_MODEL : way(&decision, effort, model);
  if (answer == ANSWER_NO_MODEL)
    solver->was_read = decision.is_refuted;
  task_close_scratch(task);
  return answer;
}

// Nobody is asked.
static Answer read_only(Decision *decision, unsigned effort, Model **model) {
  (void)decision, (void)effort, (void)model;
  return ANSWER_UNKNOWN;
}

// What integers see at once.
static Answer look(Decision *decision, unsigned effort, Model **model) {
  return ask_one(decision, INTEGERS, effort, model);
}

// Circuits know how bits of ids differ, as in i ^ j.
static Answer refute_exactly(Decision *decision, unsigned effort,
                             Model **model) {
  Answer answer = ask_one(decision, INTEGERS, effort, model);
  if (answer == ANSWER_UNKNOWN && !decision->has_products)
    answer = ask_one(decision, EXACT, effort, model);
  return answer;
}

// Of few facts circuits are small.
static Answer refute_places(Decision *decision, unsigned effort,
                            Model **model) {
  if (decision->has_products)
    return refute(decision, effort, model);
  Answer answer = ask_one(decision, INTEGERS, effort / 2, model);
  return answer == ANSWER_UNKNOWN ? ask_one(decision, EXACT, effort, model)
                                  : answer;
}

// A query that says less, if there is one.
typedef bool Weaken(Task *task, const Exprs *formulas, Exprs *rest);

static bool is_refuted_by_less(Task *task, Solver *solver,
                               const Question *question, Weaken *weaken,
                               Way way, unsigned effort) {
  Question weaker = {0};
  task_open_scratch(task);
  bool is_there = weaken(task, &question->all, &weaker.all);
  Answer answer = is_there
                      ? answer_at_once(way, task, solver, &weaker, effort, NULL)
                      : ANSWER_UNKNOWN;
  task_close_scratch(task);
  return answer == ANSWER_NO_MODEL;
}

static Question chosen_question(Task *task, const Question *question,
                                Expr *condition, bool truth) {
  Question chosen = {.all = smt_chosen(task, &question->all, condition, truth)};
  if (question->core.count)
    chosen.core = smt_chosen(task, &question->core, condition, truth);
  return chosen;
}

// Each choice is looked at with a part of the effort, first that it is so. What
// one leaves open the other may still have a model of.
static Answer answer_by(Way way, Task *task, Solver *solver,
                        const Question *question, unsigned effort,
                        Model **model, unsigned choices) {
  Answer answer = ANSWER_NO_MODEL;
  bool is_of_core = true, is_over = false;
  task_open_scratch(task);
  Expr *condition = choices ? smt_choice(task, &question->all) : NULL;
  for (unsigned i = 0; condition && i < 2 && !is_over; i++) {
    const Question chosen = chosen_question(task, question, condition, i == 0);
    Answer one = answer_by(way, task, solver, &chosen, effort / 2 + 1, model,
                           choices - 1);
    answer = one == ANSWER_NO_MODEL ? answer : one;
    is_over = one == ANSWER_MODEL || (one == ANSWER_UNKNOWN && !model);
    is_of_core &= solver->is_of_core;
  }
  task_close_scratch(task);
  if (!condition)
    return answer_at_once(way, task, solver, question, effort, model);
  solver->is_of_core = is_of_core;
  return answer;
}

Answer smt_decide(Task *task, Solver *solver, const Question *question,
                  unsigned effort, Model **model) {
  return answer_by(decide, task, solver, question, effort, model, MOST_CHOICES);
}

Answer smt_find(Task *task, Solver *solver, const Question *question,
                unsigned effort, Model **model) {
  return answer_by(find, task, solver, question, effort, model, MOST_CHOICES);
}

bool smt_sift(Task *task, Solver *solver, const Question *question,
              unsigned effort) {
  return answer_by(sift, task, solver, question, effort, NULL, MOST_CHOICES) ==
         ANSWER_NO_MODEL;
}

bool smt_sees(Task *task, Solver *solver, const Question *question,
              unsigned effort) {
  return answer_by(look, task, solver, question, effort, NULL, MOST_CHOICES) ==
         ANSWER_NO_MODEL;
}

bool smt_refutes(Task *task, Solver *solver, const Question *question,
                 unsigned effort) {
  unsigned share = effort < first_effort ? effort : (unsigned)first_effort;
  bool is_read =
      solver->was_read && answer_by(read_only, task, solver, question, 0, NULL,
                                    MOST_CHOICES) == ANSWER_NO_MODEL;
  return is_read ||
         is_refuted_by_less(task, solver, question, smt_of_places,
                            refute_places, effort) ||
         is_refuted_by_less(task, solver, question, smt_without_data,
                            refute_exactly, share) ||
         is_refuted_by_less(task, solver, question, smt_of_masks,
                            refute_exactly, share) ||
         answer_by(refute, task, solver, question, effort, NULL,
                   MOST_CHOICES) == ANSWER_NO_MODEL;
}
