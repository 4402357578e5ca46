// Z3: its context, its solvers, its errors.
//
// Each query gets a fresh solver: on sliced queries that is several times
// faster than one solver that accumulates guarded formulas.
//
// The context is made once a process, which costs more than a typical query.
// It counts references: a task keeps the terms it made in its solver and
// gives them back when its arena goes, however the task ended.  Once Z3 ran
// out of memory its context is not trusted any more; the next task gets a
// new one.
//
// Z3 errors are looked at after the call, in `z3_keep` and `z3_failure`,
// because a jump out of Z3's callback would skip destructors inside libz3.

#include "smt/z3_terms.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Of Z3's rlimit, in a unit of effort.  A step over integers takes longer.
static const double steps_of_unit[] = {[LANGUAGE_BITS] = 4000,
                                       [LANGUAGE_INTEGERS] = 1000};

static TermContext *shared;

typedef struct Z3Model {
  Model common;
  Z3_model z3;
} Z3Model;

// --------------------------------------------------------------- context ---

static TermContext *new_context(void) {
  Z3_toggle_warning_messages(false);
  Z3_config config = Z3_mk_config();
  Z3_context z3 = Z3_mk_context_rc(config);
  Z3_del_config(config);
  if (!z3)
    return NULL;
  Z3_set_error_handler(z3, NULL); // the default would exit clang
  TermContext *context = calloc(1, sizeof *context);
  assert(context);
  context->z3 = z3;
  return context;
}

static TermContext *acquire_context(Task *task) {
  if (shared && shared->is_spoiled)
    shared = NULL; // its last user deletes it
  if (!shared)
    shared = new_context();
  if (!shared)
    unsupported(task, (Loc){0}, "z3 has no memory left (see --memory)");
  shared->users++;
  return shared;
}

static void release_context(TermContext *context) {
  context->users--;
  if (context->users || !context->is_spoiled)
    return;
  if (shared == context)
    shared = NULL;
  Z3_del_context(context->z3);
  free(context);
}

static void release_solver(void *object) {
  Z3Solver *solver = object;
  for (size_t i = 0; i < solver->models.count; i++)
    Z3_model_dec_ref(solver->z3, solver->models.at[i]);
  for (size_t i = 0; i < solver->kept.count; i++)
    Z3_dec_ref(solver->z3, solver->kept.at[i]);
  release_context(solver->context);
}

static void set_global(const char *name, uint64_t value) {
  char text[24];
  snprintf(text, sizeof text, "%llu", (unsigned long long)value);
  Z3_global_param_set(name, text);
}

// Beyond the mark a query gives up in good order.  At the limit Z3 throws
// wherever it is, which is not everywhere caught, so the limit is far off.
static void limit_memory(unsigned megabytes) {
  enum { FAR = 4 };
  uint64_t mark = (uint64_t)megabytes << 20; // Z3 keeps 32 bits of it
  set_global("memory_high_watermark", mark < UINT32_MAX ? mark : UINT32_MAX);
  set_global("sat.max_memory", megabytes ? megabytes : UINT32_MAX);
  set_global("memory_max_size", (uint64_t)FAR * megabytes);
}

static Solver *open_z3(Task *task, unsigned megabytes) {
  Z3Solver *solver = NEW(task_lasting(task), Z3Solver);
  limit_memory(megabytes);
  solver->context = acquire_context(task);
  solver->z3 = solver->context->z3;
  arena_defer(task_lasting(task), release_solver, solver);
  return &solver->common;
}

// Did the last call fail?  Z3 tells only the first who asks.
const char *z3_failure(Z3Solver *solver) {
  Z3_error_code code = Z3_get_error_code(solver->z3);
  if (code == Z3_OK)
    return NULL;
  if (code == Z3_MEMOUT_FAIL)
    solver->context->is_spoiled = true;
  return Z3_get_error_msg(solver->z3, code);
}

// Every term goes through here.
Z3_ast z3_keep(Task *task, Z3Solver *solver, Z3_ast term) {
  const char *message = z3_failure(solver);
  if (message)
    unsupported(task, (Loc){0}, "z3: %s", message);
  Z3_inc_ref(solver->z3, term);
  push(task_lasting(task), &solver->kept, term);
  return term;
}

// --------------------------------------------------------------- queries ---

// Z3's own choice of procedure costs 10 ms a query, so we choose.
static Z3_solver new_solver(Z3Solver *solver, bool has_functions) {
  const char *logic = has_functions ? "QF_UFBV" : "QF_BV";
  Z3_solver z3_solver = Z3_mk_solver_for_logic(
      solver->z3, Z3_mk_string_symbol(solver->z3, logic));
  Z3_solver_inc_ref(solver->z3, z3_solver);
  return z3_solver;
}

void z3_set_number(Z3_context z3, Z3_params params, const char *name,
                   unsigned value) {
  Z3_params_set_uint(z3, params, Z3_mk_string_symbol(z3, name), value);
}

// Ctrl-C stays the host's: clang's or the user's.
Z3_params z3_new_parameters(Z3Solver *solver) {
  Z3_context z3 = solver->z3;
  Z3_params params = Z3_mk_params(z3);
  Z3_params_inc_ref(z3, params);
  Z3_params_set_bool(z3, params, Z3_mk_string_symbol(z3, "ctrl_c"), false);
  return params;
}

static Model *model_of(Task *task, Z3Solver *solver, Z3_solver z3_solver) {
  Z3_model z3_model = Z3_solver_get_model(solver->z3, z3_solver);
  if (z3_failure(solver) || !z3_model)
    return NULL;
  Z3_model_inc_ref(solver->z3, z3_model);
  push(task_lasting(task), &solver->models, z3_model);
  Z3Model *model = NEW(task_lasting(task), Z3Model);
  *model = (Z3Model){{&solver->common}, z3_model};
  return &model->common;
}

static void limit_steps(Z3Solver *solver, Z3_solver z3_solver, double steps) {
  Z3_params params = z3_new_parameters(solver);
  z3_set_number(solver->z3, params, "rlimit",
                (unsigned)fmin(fmax(steps, 1), UINT_MAX)); // 0 is no limit
  Z3_solver_set_params(solver->z3, z3_solver, params);
  Z3_params_dec_ref(solver->z3, params);
}

static double number_of(Z3_context z3, Z3_stats stats, unsigned i) {
  return Z3_stats_is_uint(z3, stats, i)
             ? Z3_stats_get_uint_value(z3, stats, i)
             : Z3_stats_get_double_value(z3, stats, i);
}

// Those of all solvers of the context.
static double steps_so_far(Z3Solver *solver, Z3_solver z3_solver) {
  Z3_context z3 = solver->z3;
  Z3_stats stats = Z3_solver_get_statistics(z3, z3_solver);
  double steps = 0;
  Z3_stats_inc_ref(z3, stats);
  for (unsigned i = 0; i < Z3_stats_size(z3, stats); i++)
    if (!strcmp(Z3_stats_get_key(z3, stats, i), "rlimit count"))
      steps = number_of(z3, stats, i);
  Z3_stats_dec_ref(z3, stats);
  return steps;
}

// So far from what such an effort takes that a slow machine matters little.
static double most_seconds(double effort) {
  enum { LEAST = 1, TIMES = 10 };
  return LEAST + TIMES * effort / EFFORT_OF_SECOND;
}

Answer z3_run(Task *task, Z3Solver *solver, Z3_solver z3_solver,
              TermLanguage language, double effort, Model **model) {
  const double unit = steps_of_unit[language];
  const double before = steps_so_far(solver, z3_solver);
  limit_steps(solver, z3_solver, unit * effort);
  Z3_lbool answer =
      z3_watched_check(task, solver, z3_solver, most_seconds(effort));
  if (z3_failure(solver)) {
    solver->common.effort += effort;
    return ANSWER_UNKNOWN;
  }
  solver->common.effort += (steps_so_far(solver, z3_solver) - before) / unit;
  switch (answer) {
  case Z3_L_FALSE:
    return ANSWER_NO_MODEL;
  case Z3_L_TRUE:
    if (model && !(*model = model_of(task, solver, z3_solver)))
      return ANSWER_UNKNOWN;
    return ANSWER_MODEL;
  case Z3_L_UNDEF:
    break;
  }
  return ANSWER_UNKNOWN;
}

static void assert_all(Z3Solver *solver, Z3_solver z3_solver,
                       const Exprs *formulas) {
  for (size_t i = 0; i < formulas->count; i++)
    Z3_solver_assert(solver->z3, z3_solver,
                     bits_known(solver, formulas->at[i]));
}

static Answer check(Task *task, Solver *common, const Exprs *formulas,
                    unsigned effort, Model **model) {
  Z3Solver *solver = z3_of(common);
  bool has_functions = bits_make_all(task, solver, formulas);
  if (task_is_late(task) || solver->context->is_spoiled)
    return ANSWER_UNKNOWN;
  Z3_solver z3_solver = new_solver(solver, has_functions);
  assert_all(solver, z3_solver, formulas);
  Answer answer = z3_failure(solver) ? ANSWER_UNKNOWN
                                     : z3_run(task, solver, z3_solver,
                                              LANGUAGE_BITS, effort, model);
  Z3_solver_dec_ref(solver->z3, z3_solver);
  return answer;
}

static uint64_t value_of(Task *task, Model *common, Expr *a) {
  const Z3Model *model = (const Z3Model *)common;
  Z3Solver *solver = z3_of(common->solver);
  Z3_ast value = NULL, term = bits_term(task, solver, a);
  Z3_model_eval(solver->z3, model->z3, term, true, &value);
  value = z3_keep(task, solver, value);
  if (a->width == 1)
    return Z3_get_bool_value(solver->z3, value) == Z3_L_TRUE;
  uint64_t number_of_value = 0;
  if (!Z3_get_numeral_uint64(solver->z3, value, &number_of_value))
    unsupported(task, (Loc){0}, "z3 gave no value for %s", expr_text(task, a));
  return number_of_value;
}

static void print(Task *task, Solver *common, const Exprs *formulas,
                  FILE *out) {
  Z3Solver *solver = z3_of(common);
  bool has_functions = bits_make_all(task, solver, formulas);
  Z3_solver z3_solver = Z3_mk_simple_solver(solver->z3);
  Z3_solver_inc_ref(solver->z3, z3_solver);
  assert_all(solver, z3_solver, formulas);
  const char *text = Z3_solver_to_string(solver->z3, z3_solver);
  fprintf(out, "(set-logic %s)\n%s(check-sat)\n",
          has_functions ? "QF_UFBV" : "QF_BV", text ? text : "");
  Z3_solver_dec_ref(solver->z3, z3_solver);
}

// "Z3 4.8.12.0" as it says it.
static const char *version(void) { return Z3_get_full_version(); }

const SolverKind z3_kind = {.open = open_z3,
                            .check = check,
                            .check_integers = z3_check_integers,
                            .value = value_of,
                            .print = print,
                            .version = version};
