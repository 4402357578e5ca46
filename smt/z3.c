// The only file that includes z3.h.
//
// Expressions become Z3 terms, Booleans where they are one bit wide and bit
// vectors elsewhere; uninterpreted functions stay such, one for each name and
// signature.  Each query gets a fresh solver: on sliced queries that is
// several times faster than one solver that accumulates guarded formulas.
//
// The context is made once a process, which costs more than a typical query.
// It counts references: a task keeps the terms it made in its Solver and
// gives them back when its arena goes, however the task ended.  Once Z3 ran
// out of memory its context is not trusted any more; the next task gets a
// new one.
//
// Z3 errors are looked at in one place, `keep`, after the call, because a
// jump out of Z3's callback would skip destructors inside libz3.

#include "smt/smt.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <z3.h>

// Shared by all tasks of the process; deleted when the last one lets go of a
// context that is spoiled.
typedef struct Context {
  Z3_context z3;
  unsigned users;
  bool is_spoiled; // Z3 ran out of memory in it
} Context;

static Context *shared;

// An expression as a number.
typedef struct Integer {
  Z3_ast loose;     // equal modulo 2^width; a Boolean where the width is one
  Z3_ast tight;     // in 0 .. 2^width - 1; NULL until someone asks
  Z3_ast range;     // what has to be known of it, or NULL
  double low, high; // of `loose`, rounded outwards
} Integer;

struct Solver {
  Context *context;
  Z3_context z3;
  Vec(Z3_ast) terms;       // by Expr.id, NULL where there is none yet
  Vec(bool) has_functions; // by Expr.id: an APPLY is in it
  Vec(Integer) integers;   // by Expr.id, see below
  Vec(Z3_ast) kept;        // what we hold references to
  Vec(Z3_model) models;
};

struct Model {
  Solver *solver;
  Z3_model z3;
};

// --------------------------------------------------------------- context ---

static Context *new_context(void) {
  Z3_toggle_warning_messages(false);
  Z3_config config = Z3_mk_config();
  Context *context = calloc(1, sizeof *context);
  assert(context);
  context->z3 = Z3_mk_context_rc(config);
  Z3_del_config(config);
  Z3_set_error_handler(context->z3, NULL); // the default would exit clang
  return context;
}

static Context *acquire_context(void) {
  if (shared && shared->is_spoiled)
    shared = NULL; // its last user deletes it
  if (!shared)
    shared = new_context();
  shared->users++;
  return shared;
}

static void release_context(Context *context) {
  context->users--;
  if (context->users || !context->is_spoiled)
    return;
  if (shared == context)
    shared = NULL;
  Z3_del_context(context->z3);
  free(context);
}

static void release_solver(void *object) {
  Solver *solver = object;
  for (size_t i = 0; i < solver->models.count; i++)
    Z3_model_dec_ref(solver->z3, solver->models.at[i]);
  for (size_t i = 0; i < solver->kept.count; i++)
    Z3_dec_ref(solver->z3, solver->kept.at[i]);
  release_context(solver->context);
}

static void limit_memory(unsigned megabytes) {
  char text[16];
  snprintf(text, sizeof text, "%u", megabytes);
  Z3_global_param_set("memory_max_size", text);
}

Solver *z3_open(Task *task, unsigned megabytes) {
  Solver *solver = NEW(&task->arena, Solver);
  limit_memory(megabytes);
  solver->context = acquire_context();
  solver->z3 = solver->context->z3;
  arena_defer(&task->arena, release_solver, solver);
  return solver;
}

// Did the last call fail?  Z3 tells only the first who asks.
static const char *failure(Solver *solver) {
  Z3_error_code code = Z3_get_error_code(solver->z3);
  if (code == Z3_OK)
    return NULL;
  if (code == Z3_MEMOUT_FAIL)
    solver->context->is_spoiled = true;
  return Z3_get_error_msg(solver->z3, code);
}

// ----------------------------------------------------------------- terms ---

// Every term goes through here.
static Z3_ast keep(Task *task, Solver *solver, Z3_ast term) {
  const char *message = failure(solver);
  if (message)
    unsupported(task, (Loc){0}, "z3: %s", message);
  Z3_inc_ref(solver->z3, term);
  push(&task->arena, &solver->kept, term);
  return term;
}

static Z3_ast number(Task *task, Solver *solver, unsigned width,
                     uint64_t value) {
  Z3_sort sort = Z3_mk_bv_sort(solver->z3, width);
  return keep(task, solver, Z3_mk_unsigned_int64(solver->z3, value, sort));
}

static Z3_ast ones(Task *task, Solver *solver, unsigned width) {
  Z3_ast zero = number(task, solver, width, 0);
  return keep(task, solver, Z3_mk_bvnot(solver->z3, zero));
}

static Z3_ast constant(Task *task, Solver *solver, const Expr *a) {
  if (a->width > 1)
    return number(task, solver, a->width, a->value);
  return keep(task, solver,
              a->value ? Z3_mk_true(solver->z3) : Z3_mk_false(solver->z3));
}

static Z3_sort sort_of(Solver *solver, unsigned width) {
  return width == 1 ? Z3_mk_bool_sort(solver->z3)
                    : Z3_mk_bv_sort(solver->z3, width);
}

// The id makes names of different symbols differ.
static Z3_ast symbol(Task *task, Solver *solver, const Expr *a) {
  const char *name =
      arena_printf(&task->arena, "%s!%u", a->symbol->name, a->id);
  return keep(task, solver,
              Z3_mk_const(solver->z3, Z3_mk_string_symbol(solver->z3, name),
                          sort_of(solver, a->width)));
}

// SMT-LIB has no overloading, so the name carries the signature.
static Z3_ast apply(Task *task, Solver *solver, const Expr *a, Z3_ast *args) {
  Vec(Z3_sort) domain = {0};
  const char *name = arena_printf(&task->arena, "%s:%u", a->function, a->width);
  for (unsigned i = 0; i < a->count; i++) {
    unsigned width = a->args[i]->width;
    push(&task->arena, &domain, sort_of(solver, width));
    name = arena_printf(&task->arena, "%s:%u", name, width);
  }
  Z3_func_decl function =
      Z3_mk_func_decl(solver->z3, Z3_mk_string_symbol(solver->z3, name),
                      a->count, domain.at, sort_of(solver, a->width));
  const char *message = failure(solver);
  if (message)
    unsupported(task, (Loc){0}, "z3: %s", message);
  Z3_inc_ref(solver->z3, Z3_func_decl_to_ast(solver->z3, function));
  push(&task->arena, &solver->kept, Z3_func_decl_to_ast(solver->z3, function));
  return keep(task, solver, Z3_mk_app(solver->z3, function, a->count, args));
}

static Z3_ast negation(Task *task, Solver *solver, Z3_ast a) {
  return keep(task, solver, Z3_mk_not(solver->z3, a));
}

static Z3_ast both(Task *task, Solver *solver, Z3_ast a, Z3_ast b) {
  return keep(task, solver, Z3_mk_and(solver->z3, 2, (Z3_ast[]){a, b}));
}

static Z3_ast either(Task *task, Solver *solver, Z3_ast a, Z3_ast b) {
  return keep(task, solver, Z3_mk_or(solver->z3, 2, (Z3_ast[]){a, b}));
}

// An operator on single bits, following SMT-LIB's bit vectors of width one:
// division by zero gives one, remainder by zero the dividend, and "true" is
// minus one where the order is signed.
static Z3_ast bit_operation(Task *task, Solver *solver, const Expr *e, Z3_ast a,
                            Z3_ast b) {
  switch (e->op) {
  case EXPR_ADD:
  case EXPR_SUB:
  case EXPR_XOR:
    return keep(task, solver, Z3_mk_xor(solver->z3, a, b));
  case EXPR_MUL:
  case EXPR_AND:
    return both(task, solver, a, b);
  case EXPR_OR:
    return either(task, solver, a, b);
  case EXPR_UREM:
  case EXPR_SREM:
  case EXPR_SHL:
  case EXPR_LSHR:
  case EXPR_SLT:
    return both(task, solver, a, negation(task, solver, b));
  case EXPR_UDIV:
  case EXPR_SDIV:
  case EXPR_SLE:
    return either(task, solver, a, negation(task, solver, b));
  case EXPR_ULT:
    return both(task, solver, negation(task, solver, a), b);
  case EXPR_ULE:
    return either(task, solver, negation(task, solver, a), b);
  case EXPR_ASHR:
    return a;
  case EXPR_EQ:
  case EXPR_CONST:
  case EXPR_SYMBOL:
  case EXPR_NOT:
  case EXPR_ITE:
  case EXPR_EXTRACT:
  case EXPR_ZEXT:
  case EXPR_SEXT:
  case EXPR_CONCAT:
  case EXPR_APPLY:
  case EXPR_OPS:
    break;
  }
  unsupported(task, (Loc){0}, "operator %s on single bits",
              expr_op_text(e->op));
}

// A Boolean as the vector `yes` or `no`.
static Z3_ast bit_to_vector(Task *task, Solver *solver, Z3_ast bit,
                            unsigned width, bool is_signed) {
  Z3_ast zero = number(task, solver, width, 0);
  Z3_ast one =
      is_signed ? ones(task, solver, width) : number(task, solver, width, 1);
  return keep(task, solver, Z3_mk_ite(solver->z3, bit, one, zero));
}

static Z3_ast extend(Task *task, Solver *solver, const Expr *e, Z3_ast a,
                     bool is_signed) {
  unsigned from = e->args[0]->width, more = e->width - from;
  if (!more)
    return a;
  if (from == 1)
    return bit_to_vector(task, solver, a, e->width, is_signed);
  return keep(task, solver,
              is_signed ? Z3_mk_sign_ext(solver->z3, more, a)
                        : Z3_mk_zero_ext(solver->z3, more, a));
}

static Z3_ast extract(Task *task, Solver *solver, const Expr *e, Z3_ast a) {
  if (e->args[0]->width == 1)
    return a;
  unsigned low = (unsigned)e->value;
  Z3_ast bits =
      keep(task, solver, Z3_mk_extract(solver->z3, low + e->width - 1, low, a));
  if (e->width > 1)
    return bits;
  Z3_ast one = number(task, solver, 1, 1);
  return keep(task, solver, Z3_mk_eq(solver->z3, bits, one));
}

static Z3_ast concat(Task *task, Solver *solver, const Expr *e, Z3_ast *args) {
  Z3_ast parts[2];
  for (unsigned i = 0; i < 2; i++)
    parts[i] = e->args[i]->width > 1
                   ? args[i]
                   : bit_to_vector(task, solver, args[i], 1, false);
  return keep(task, solver, Z3_mk_concat(solver->z3, parts[0], parts[1]));
}

typedef Z3_ast BinaryMaker(Z3_context, Z3_ast, Z3_ast);

// How Z3 spells our operators on two vectors.
static BinaryMaker *const binary_makers[EXPR_OPS] = {
    [EXPR_ADD] = Z3_mk_bvadd,   [EXPR_SUB] = Z3_mk_bvsub,
    [EXPR_MUL] = Z3_mk_bvmul,   [EXPR_UDIV] = Z3_mk_bvudiv,
    [EXPR_SDIV] = Z3_mk_bvsdiv, [EXPR_UREM] = Z3_mk_bvurem,
    [EXPR_SREM] = Z3_mk_bvsrem, [EXPR_AND] = Z3_mk_bvand,
    [EXPR_OR] = Z3_mk_bvor,     [EXPR_XOR] = Z3_mk_bvxor,
    [EXPR_SHL] = Z3_mk_bvshl,   [EXPR_LSHR] = Z3_mk_bvlshr,
    [EXPR_ASHR] = Z3_mk_bvashr, [EXPR_ULT] = Z3_mk_bvult,
    [EXPR_ULE] = Z3_mk_bvule,   [EXPR_SLT] = Z3_mk_bvslt,
    [EXPR_SLE] = Z3_mk_bvsle,
};

static Z3_ast binary(Task *task, Solver *solver, const Expr *e, Z3_ast a,
                     Z3_ast b) {
  if (e->args[0]->width == 1)
    return bit_operation(task, solver, e, a, b);
  assert(binary_makers[e->op]);
  return keep(task, solver, binary_makers[e->op](solver->z3, a, b));
}

static Z3_ast term_over(Task *task, Solver *solver, const Expr *e,
                        Z3_ast *args) {
  switch (e->op) {
  case EXPR_CONST:
    return constant(task, solver, e);
  case EXPR_SYMBOL:
    return symbol(task, solver, e);
  case EXPR_APPLY:
    return apply(task, solver, e, args);
  case EXPR_NOT:
    return e->width == 1 ? negation(task, solver, args[0])
                         : keep(task, solver, Z3_mk_bvnot(solver->z3, args[0]));
  case EXPR_EQ:
    return keep(task, solver, Z3_mk_eq(solver->z3, args[0], args[1]));
  case EXPR_ITE:
    return keep(task, solver, Z3_mk_ite(solver->z3, args[0], args[1], args[2]));
  case EXPR_EXTRACT:
    return extract(task, solver, e, args[0]);
  case EXPR_ZEXT:
    return extend(task, solver, e, args[0], false);
  case EXPR_SEXT:
    return extend(task, solver, e, args[0], true);
  case EXPR_CONCAT:
    return concat(task, solver, e, args);
  case EXPR_ADD:
  case EXPR_SUB:
  case EXPR_MUL:
  case EXPR_UDIV:
  case EXPR_SDIV:
  case EXPR_UREM:
  case EXPR_SREM:
  case EXPR_AND:
  case EXPR_OR:
  case EXPR_XOR:
  case EXPR_SHL:
  case EXPR_LSHR:
  case EXPR_ASHR:
  case EXPR_ULT:
  case EXPR_ULE:
  case EXPR_SLT:
  case EXPR_SLE:
    return binary(task, solver, e, args[0], args[1]);
  case EXPR_OPS:
    break;
  }
  unsupported(task, (Loc){0}, "an expression that is none");
}

static Z3_ast known_term(const Solver *solver, const Expr *a) {
  return a->id < solver->terms.count ? solver->terms.at[a->id] : NULL;
}

static void remember(Task *task, Solver *solver, const Expr *e, Z3_ast term,
                     bool has_functions) {
  while (solver->terms.count <= e->id) {
    push(&task->arena, &solver->terms, NULL);
    push(&task->arena, &solver->has_functions, false);
  }
  solver->terms.at[e->id] = term;
  solver->has_functions.at[e->id] = has_functions;
}

// Needs the terms of all arguments.
static void make_term(Task *task, Solver *solver, const Expr *e) {
  Vec(Z3_ast) args = {0};
  bool has_functions = e->op == EXPR_APPLY;
  for (unsigned i = 0; i < e->count; i++) {
    push(&task->arena, &args, known_term(solver, e->args[i]));
    has_functions |= solver->has_functions.at[e->args[i]->id];
  }
  remember(task, solver, e, term_over(task, solver, e, args.at), has_functions);
}

// Arguments first, on a stack of our own: loops that were unrolled make
// expressions deeper than the C stack is.
static Z3_ast term_of(Task *task, Solver *solver, Expr *a) {
  Exprs stack = {0};
  push(&task->arena, &stack, a);
  while (stack.count) {
    Expr *e = stack.at[stack.count - 1];
    size_t before = stack.count;
    if (!known_term(solver, e))
      for (unsigned i = 0; i < e->count; i++)
        if (!known_term(solver, e->args[i]))
          push(&task->arena, &stack, e->args[i]);
    if (stack.count > before)
      continue;
    stack.count--;
    if (!known_term(solver, e))
      make_term(task, solver, e);
  }
  return known_term(solver, a);
}

// -------------------------------------------------------------- integers ---

// The value of an expression as an integer, for linear arithmetic, which
// proves in milliseconds what adders and comparators hide from a SAT solver.
// Sums and products by constants stay as they are as long as only their low
// bits matter (`loose`) and are reduced where their value does (`tight`), not
// even that where it cannot have left the range.  What is not linear is any
// number of the right size, so that only "no model" carries over.

static double power(unsigned exponent) { return ldexp(1, (int)exponent); }

// `value` has to be exact: a power of two or a small number.
static Z3_ast whole(Task *task, Solver *solver, double value) {
  char text[400];
  snprintf(text, sizeof text, "%.0f", value);
  return keep(task, solver,
              Z3_mk_numeral(solver->z3, text, Z3_mk_int_sort(solver->z3)));
}

static Z3_ast plus(Task *task, Solver *solver, Z3_ast a, Z3_ast b) {
  return keep(task, solver, Z3_mk_add(solver->z3, 2, (Z3_ast[]){a, b}));
}

static Z3_ast minus(Task *task, Solver *solver, Z3_ast a, Z3_ast b) {
  return keep(task, solver, Z3_mk_sub(solver->z3, 2, (Z3_ast[]){a, b}));
}

static Z3_ast times(Task *task, Solver *solver, Z3_ast a, Z3_ast b) {
  return keep(task, solver, Z3_mk_mul(solver->z3, 2, (Z3_ast[]){a, b}));
}

static Z3_ast choose(Task *task, Solver *solver, Z3_ast c, Z3_ast a, Z3_ast b) {
  return keep(task, solver, Z3_mk_ite(solver->z3, c, a, b));
}

// Division towards minus infinity, and its remainder, by a positive number.
static Z3_ast div_by(Task *task, Solver *solver, Z3_ast a, Z3_ast n) {
  return keep(task, solver, Z3_mk_div(solver->z3, a, n));
}

static Z3_ast mod_by(Task *task, Solver *solver, Z3_ast a, Z3_ast n) {
  return keep(task, solver, Z3_mk_mod(solver->z3, a, n));
}

static Z3_ast at_most(Task *task, Solver *solver, Z3_ast a, Z3_ast b) {
  return keep(task, solver, Z3_mk_le(solver->z3, a, b));
}

static double outwards(double bound, double direction) {
  return fabs(bound) < power(52) ? bound
                                 : bound + direction * ldexp(fabs(bound), -50);
}

static Integer bounded(Z3_ast loose, double low, double high) {
  return (Integer){
      .loose = loose, .low = outwards(low, -1), .high = outwards(high, 1)};
}

static Integer *integer_of(const Solver *solver, const Expr *e) {
  assert(e->id < solver->integers.count && solver->integers.at[e->id].loose);
  return &solver->integers.at[e->id];
}

static Z3_ast tight(Task *task, Solver *solver, const Expr *e) {
  Integer *a = integer_of(solver, e);
  bool is_inside = a->low >= 0 && a->high < power(e->width);
  if (!a->tight && is_inside)
    a->tight = a->loose;
  if (!a->tight)
    a->tight =
        mod_by(task, solver, a->loose, whole(task, solver, power(e->width)));
  return a->tight;
}

static double tight_high(Task *task, Solver *solver, const Expr *e) {
  Integer *a = integer_of(solver, e);
  double all = power(e->width) - 1;
  return tight(task, solver, e) == a->loose && a->high < all ? a->high : all;
}

// The value in two's complement.
static Z3_ast signed_value(Task *task, Solver *solver, const Expr *e) {
  Integer *a = integer_of(solver, e);
  double half = power(e->width - 1);
  if (a->low >= -half && a->high < half)
    return a->loose;
  Z3_ast value = tight(task, solver, e);
  if (tight_high(task, solver, e) < half)
    return value;
  Z3_ast is_positive = keep(
      task, solver, Z3_mk_lt(solver->z3, value, whole(task, solver, half)));
  return choose(
      task, solver, is_positive, value,
      minus(task, solver, value, whole(task, solver, power(e->width))));
}

static Integer unknown(Task *task, Solver *solver, unsigned width) {
  Z3_context z3 = solver->z3;
  if (width == 1)
    return (Integer){
        .loose =
            keep(task, solver, Z3_mk_fresh_const(z3, "b", sort_of(solver, 1)))};
  Z3_ast a = keep(task, solver, Z3_mk_fresh_const(z3, "i", Z3_mk_int_sort(z3)));
  Z3_ast is_small =
      keep(task, solver, Z3_mk_lt(z3, a, whole(task, solver, power(width))));
  Integer integer = bounded(a, 0, power(width) - 1);
  integer.tight = a;
  integer.range = both(
      task, solver, at_most(task, solver, whole(task, solver, 0), a), is_small);
  return integer;
}

static Integer constant_integer(Task *task, Solver *solver, const Expr *e) {
  if (e->width == 1)
    return (Integer){.loose = constant(task, solver, e)};
  Z3_sort sort = Z3_mk_int_sort(solver->z3);
  bool is_negative = e->width <= 64 && e->value >> (e->width - 1);
  int64_t value = (int64_t)(e->width < 64 && is_negative
                                ? e->value - (UINT64_C(1) << e->width)
                                : e->value);
  Z3_ast natural =
      keep(task, solver, Z3_mk_unsigned_int64(solver->z3, e->value, sort));
  Integer integer = bounded(natural, (double)e->value, (double)e->value);
  if (is_negative)
    integer = bounded(keep(task, solver, Z3_mk_int64(solver->z3, value, sort)),
                      (double)value, (double)value);
  integer.tight = natural;
  return integer;
}

static Integer scaled(Task *task, Solver *solver, const Expr *e,
                      const Integer *factor) {
  Integer *a = integer_of(solver, e);
  double x = a->low * factor->low, y = a->high * factor->low;
  return bounded(times(task, solver, factor->loose, a->loose), fmin(x, y),
                 fmax(x, y));
}

static Integer sum(Task *task, Solver *solver, const Expr *e) {
  Integer *a = integer_of(solver, e->args[0]);
  Integer *b = integer_of(solver, e->args[1]);
  if (e->op == EXPR_SUB)
    return bounded(minus(task, solver, a->loose, b->loose), a->low - b->high,
                   a->high - b->low);
  return bounded(plus(task, solver, a->loose, b->loose), a->low + b->low,
                 a->high + b->high);
}

static Integer product(Task *task, Solver *solver, const Expr *e) {
  if (expr_is_const(e->args[1]))
    return scaled(task, solver, e->args[0], integer_of(solver, e->args[1]));
  if (expr_is_const(e->args[0]))
    return scaled(task, solver, e->args[1], integer_of(solver, e->args[0]));
  return unknown(task, solver, e->width);
}

static Integer shifted_left(Task *task, Solver *solver, const Expr *e) {
  const Expr *amount = e->args[1];
  if (!expr_is_const(amount) || amount->value >= e->width)
    return unknown(task, solver, e->width);
  double factor = power((unsigned)amount->value);
  Integer by = {.loose = whole(task, solver, factor), .low = factor};
  return scaled(task, solver, e->args[0], &by);
}

static Integer quotient(Task *task, Solver *solver, const Expr *a,
                        double divisor) {
  double high = tight_high(task, solver, a);
  return bounded(div_by(task, solver, tight(task, solver, a),
                        whole(task, solver, divisor)),
                 0, floor(high / divisor));
}

static Integer rest(Task *task, Solver *solver, const Expr *a, double divisor) {
  double high = tight_high(task, solver, a);
  return bounded(mod_by(task, solver, tight(task, solver, a),
                        whole(task, solver, divisor)),
                 0, fmin(high, divisor - 1));
}

static Integer shifted_right(Task *task, Solver *solver, const Expr *e) {
  const Expr *amount = e->args[1];
  if (!expr_is_const(amount) || amount->value >= e->width)
    return unknown(task, solver, e->width);
  return quotient(task, solver, e->args[0], power((unsigned)amount->value));
}

static Integer signed_division(Task *task, Solver *solver, const Expr *e,
                               double divisor) {
  Z3_ast a = signed_value(task, solver, e->args[0]);
  Z3_ast zero = whole(task, solver, 0);
  Z3_ast n = whole(task, solver, divisor);
  Z3_ast opposite = minus(task, solver, zero, a);
  bool is_quotient = e->op == EXPR_SDIV;
  Z3_ast plain =
      is_quotient ? div_by(task, solver, a, n) : mod_by(task, solver, a, n);
  Z3_ast mirrored = is_quotient ? div_by(task, solver, opposite, n)
                                : mod_by(task, solver, opposite, n);
  double most =
      is_quotient ? floor(power(e->width - 1) / divisor) : divisor - 1;
  return bounded(choose(task, solver, at_most(task, solver, zero, a), plain,
                        minus(task, solver, zero, mirrored)),
                 -most, most);
}

// Divisors that a double holds exactly.
static Integer division(Task *task, Solver *solver, const Expr *e) {
  const Expr *n = e->args[1];
  if (!expr_is_const(n) || n->value == 0 || n->value >> 30)
    return unknown(task, solver, e->width);
  bool is_negative = n->value >> (e->width - 1) & 1;
  double divisor = (double)n->value;
  if (e->op == EXPR_UDIV)
    return quotient(task, solver, e->args[0], divisor);
  if (e->op == EXPR_UREM)
    return rest(task, solver, e->args[0], divisor);
  return is_negative ? unknown(task, solver, e->width)
                     : signed_division(task, solver, e, divisor);
}

// A mask of low bits is a remainder; other masks only make smaller.
static Integer masked(Task *task, Solver *solver, const Expr *e) {
  const Expr *mask = e->args[1];
  if (expr_is_const(mask) && e->width <= 64 && mask->value < UINT64_MAX &&
      (mask->value & (mask->value + 1)) == 0)
    return rest(task, solver, e->args[0], (double)(mask->value + 1));
  Integer integer = unknown(task, solver, e->width);
  for (unsigned i = 0; i < 2; i++)
    integer.range = both(
        task, solver, integer.range,
        at_most(task, solver, integer.loose, tight(task, solver, e->args[i])));
  return integer;
}

static Integer complement(Task *task, Solver *solver, const Expr *e) {
  Integer *a = integer_of(solver, e->args[0]);
  return bounded(minus(task, solver, whole(task, solver, -1), a->loose),
                 -1 - a->high, -1 - a->low);
}

// The low bits of a counter or a size: itself where it is small.  That they
// are a remainder elsewhere is true, but costs far more than it gives.
static Integer low_part(Task *task, Solver *solver, const Expr *e) {
  Z3_ast all = tight(task, solver, e->args[0]);
  Integer part = unknown(task, solver, e->width);
  Z3_ast is_large =
      at_most(task, solver, whole(task, solver, power(e->width)), all);
  Z3_ast is_all = keep(task, solver, Z3_mk_eq(solver->z3, part.loose, all));
  part.range =
      both(task, solver, part.range, either(task, solver, is_large, is_all));
  return part;
}

static Integer bits_of(Task *task, Solver *solver, const Expr *e) {
  const Expr *a = e->args[0];
  Integer high = e->value ? quotient(task, solver, a, power((unsigned)e->value))
                          : *integer_of(solver, a);
  if (e->width > 1 && e->value == 0 && a->op == EXPR_SYMBOL)
    return low_part(task, solver, e);
  if (e->width > 1)
    return bounded(high.loose, high.low, high.high);
  Z3_ast bit = mod_by(task, solver, high.loose, whole(task, solver, 2));
  return (Integer){.loose =
                       keep(task, solver,
                            Z3_mk_eq(solver->z3, bit, whole(task, solver, 1)))};
}

static Integer extended(Task *task, Solver *solver, const Expr *e) {
  const Expr *a = e->args[0];
  double one = e->op == EXPR_SEXT ? -1 : 1;
  if (a->width == 1)
    return bounded(choose(task, solver, integer_of(solver, a)->loose,
                          whole(task, solver, one), whole(task, solver, 0)),
                   fmin(one, 0), fmax(one, 0));
  if (e->op == EXPR_ZEXT)
    return bounded(tight(task, solver, a), 0, tight_high(task, solver, a));
  double half = power(a->width - 1);
  return bounded(signed_value(task, solver, a), -half,
                 fmin(half - 1, tight_high(task, solver, a)));
}

static Integer joined(Task *task, Solver *solver, const Expr *e) {
  const Expr *high = e->args[0], *low = e->args[1];
  if (high->width == 1 || low->width == 1)
    return unknown(task, solver, e->width);
  double factor = power(low->width);
  return bounded(plus(task, solver,
                      times(task, solver, whole(task, solver, factor),
                            tight(task, solver, high)),
                      tight(task, solver, low)),
                 0,
                 factor * tight_high(task, solver, high) +
                     tight_high(task, solver, low));
}

static Integer chosen(Task *task, Solver *solver, const Expr *e) {
  Integer *a = integer_of(solver, e->args[1]);
  Integer *b = integer_of(solver, e->args[2]);
  return bounded(choose(task, solver, integer_of(solver, e->args[0])->loose,
                        a->loose, b->loose),
                 fmin(a->low, b->low), fmax(a->high, b->high));
}

static Z3_ast comparison(Task *task, Solver *solver, const Expr *e) {
  bool is_signed = e->op == EXPR_SLT || e->op == EXPR_SLE;
  Z3_ast value[2];
  for (unsigned i = 0; i < 2; i++)
    value[i] = is_signed ? signed_value(task, solver, e->args[i])
                         : tight(task, solver, e->args[i]);
  if (e->op == EXPR_EQ)
    return keep(task, solver, Z3_mk_eq(solver->z3, value[0], value[1]));
  if (e->op == EXPR_ULT || e->op == EXPR_SLT)
    return keep(task, solver, Z3_mk_lt(solver->z3, value[0], value[1]));
  return at_most(task, solver, value[0], value[1]);
}

static Z3_ast boolean(Task *task, Solver *solver, const Expr *e) {
  Z3_ast a = integer_of(solver, e->args[0])->loose;
  if (e->op == EXPR_NOT)
    return negation(task, solver, a);
  Z3_ast b = integer_of(solver, e->args[1])->loose;
  if (e->op == EXPR_EQ)
    return keep(task, solver, Z3_mk_eq(solver->z3, a, b));
  return bit_operation(task, solver, e, a, b);
}

static bool is_boolean_operator(const Expr *e) {
  return e->count > 0 && e->count < 3 && e->op != EXPR_APPLY &&
         e->args[0]->width == 1 && e->width == 1 && e->op != EXPR_EXTRACT;
}

// Needs the integers of all arguments.
static Integer make_integer(Task *task, Solver *solver, const Expr *e) {
  if (is_boolean_operator(e))
    return (Integer){.loose = boolean(task, solver, e)};
  switch (e->op) {
  case EXPR_CONST:
    return constant_integer(task, solver, e);
  case EXPR_ADD:
  case EXPR_SUB:
    return sum(task, solver, e);
  case EXPR_MUL:
    return product(task, solver, e);
  case EXPR_UDIV:
  case EXPR_SDIV:
  case EXPR_UREM:
  case EXPR_SREM:
    return division(task, solver, e);
  case EXPR_AND:
    return masked(task, solver, e);
  case EXPR_SHL:
    return shifted_left(task, solver, e);
  case EXPR_LSHR:
    return shifted_right(task, solver, e);
  case EXPR_EQ:
  case EXPR_ULT:
  case EXPR_ULE:
  case EXPR_SLT:
  case EXPR_SLE:
    return (Integer){.loose = comparison(task, solver, e)};
  case EXPR_NOT:
    return complement(task, solver, e);
  case EXPR_ITE:
    return chosen(task, solver, e);
  case EXPR_EXTRACT:
    return bits_of(task, solver, e);
  case EXPR_ZEXT:
  case EXPR_SEXT:
    return extended(task, solver, e);
  case EXPR_CONCAT:
    return joined(task, solver, e);
  case EXPR_SYMBOL:
  case EXPR_APPLY:
  case EXPR_OR:
  case EXPR_XOR:
  case EXPR_ASHR:
  case EXPR_OPS:
    break;
  }
  return unknown(task, solver, e->width);
}

// All expressions of the formulas, arguments first.
static Exprs make_integers(Task *task, Solver *solver, const Exprs *formulas,
                           const Exprs *lemmas) {
  ExprMap *seen = expr_map_new(task);
  Exprs order = {0};
  for (size_t i = 0; i < formulas->count; i++)
    expr_order(task, formulas->at[i], seen, &order);
  for (size_t i = 0; i < lemmas->count; i++)
    expr_order(task, lemmas->at[i], seen, &order);
  for (size_t i = 0; i < order.count; i++) {
    const Expr *e = order.at[i];
    while (solver->integers.count <= e->id)
      push(&task->arena, &solver->integers, (Integer){0});
    if (!solver->integers.at[e->id].loose) {
      Integer integer = make_integer(task, solver, e);
      solver->integers.at[e->id] = integer;
    }
  }
  return order;
}

// --------------------------------------------------------------- queries ---

// Z3's own choice of procedure costs 10 ms a query, so we choose.
static Z3_solver new_solver(Solver *solver, bool has_functions) {
  const char *logic = has_functions ? "QF_UFBV" : "QF_BV";
  Z3_solver z3_solver = Z3_mk_solver_for_logic(
      solver->z3, Z3_mk_string_symbol(solver->z3, logic));
  Z3_solver_inc_ref(solver->z3, z3_solver);
  return z3_solver;
}

static void set_number(Z3_context z3, Z3_params params, const char *name,
                       unsigned value) {
  Z3_params_set_uint(z3, params, Z3_mk_string_symbol(z3, name), value);
}

// Ctrl-C stays the host's: clang's or the user's.
static Z3_params new_parameters(Solver *solver, unsigned milliseconds) {
  Z3_context z3 = solver->z3;
  Z3_params params = Z3_mk_params(z3);
  Z3_params_inc_ref(z3, params);
  set_number(z3, params, "timeout", milliseconds);
  Z3_params_set_bool(z3, params, Z3_mk_string_symbol(z3, "ctrl_c"), false);
  return params;
}

static void set_parameters(Solver *solver, Z3_solver z3_solver,
                           unsigned milliseconds) {
  Z3_params params = new_parameters(solver, milliseconds);
  Z3_solver_set_params(solver->z3, z3_solver, params);
  Z3_params_dec_ref(solver->z3, params);
}

static Model *model_of(Task *task, Solver *solver, Z3_solver z3_solver) {
  Z3_model z3_model = Z3_solver_get_model(solver->z3, z3_solver);
  if (failure(solver) || !z3_model)
    return NULL;
  Z3_model_inc_ref(solver->z3, z3_model);
  push(&task->arena, &solver->models, z3_model);
  Model *model = NEW(&task->arena, Model);
  *model = (Model){solver, z3_model};
  return model;
}

static Answer run_solver(Task *task, Solver *solver, Z3_solver z3_solver,
                         Model **model) {
  Z3_lbool answer = Z3_solver_check(solver->z3, z3_solver);
  if (failure(solver))
    return ANSWER_UNKNOWN;
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

// What may still be spent, 0 if nothing.
static unsigned time_left(const Task *task, unsigned milliseconds) {
  if (task->deadline <= 0)
    return milliseconds;
  double left = 1000 * (task->deadline - clock_seconds());
  if (left < 1)
    return 0;
  return left < milliseconds ? (unsigned)left : milliseconds;
}

// Makes all terms, which may end the task, before there is a solver to lose.
static bool make_terms(Task *task, Solver *solver, const Exprs *formulas) {
  bool has_functions = false;
  for (size_t i = 0; i < formulas->count; i++) {
    assert(formulas->at[i]->width == 1);
    term_of(task, solver, formulas->at[i]);
    has_functions |= solver->has_functions.at[formulas->at[i]->id];
  }
  return has_functions;
}

static void assert_all(Solver *solver, Z3_solver z3_solver,
                       const Exprs *formulas) {
  for (size_t i = 0; i < formulas->count; i++)
    Z3_solver_assert(solver->z3, z3_solver,
                     known_term(solver, formulas->at[i]));
}

Answer z3_check(Task *task, Solver *solver, const Exprs *formulas,
                unsigned milliseconds, Model **model) {
  bool has_functions = make_terms(task, solver, formulas);
  milliseconds = time_left(task, milliseconds);
  if (!milliseconds || solver->context->is_spoiled)
    return ANSWER_UNKNOWN;
  Z3_solver z3_solver = new_solver(solver, has_functions);
  set_parameters(solver, z3_solver, milliseconds);
  assert_all(solver, z3_solver, formulas);
  Answer answer = failure(solver) ? ANSWER_UNKNOWN
                                  : run_solver(task, solver, z3_solver, model);
  Z3_solver_dec_ref(solver->z3, z3_solver);
  return answer;
}

// Without relevancy, lemmas about products are refuted several times faster
// (Z3 4.8.12, the queries of test_product.c).  The older simplex, solver 2,
// is faster still, but crashes.
static Z3_solver new_integer_solver(Solver *solver, unsigned seed) {
  Z3_solver z3_solver = Z3_mk_simple_solver(solver->z3);
  Z3_solver_inc_ref(solver->z3, z3_solver);
  Z3_params params = new_parameters(solver, UINT_MAX);
  set_number(solver->z3, params, "relevancy", 0);
  set_number(solver->z3, params, "random_seed", seed);
  Z3_solver_set_params(solver->z3, z3_solver, params);
  Z3_params_dec_ref(solver->z3, params);
  return z3_solver;
}

static void assert_ranges(Solver *solver, Z3_solver z3_solver,
                          const Exprs *order) {
  for (size_t i = 0; i < order->count; i++) {
    Z3_ast range = integer_of(solver, order->at[i])->range;
    if (range)
      Z3_solver_assert(solver->z3, z3_solver, range);
  }
}

static void assert_integer(Solver *solver, Z3_solver z3_solver,
                           const Expr *formula) {
  Z3_solver_assert(solver->z3, z3_solver, integer_of(solver, formula)->loose);
}

static bool holds_in(Solver *solver, Z3_model model, const Expr *formula) {
  Z3_ast value = NULL;
  Z3_model_eval(solver->z3, model, integer_of(solver, formula)->loose, true,
                &value);
  return !failure(solver) && value &&
         Z3_get_bool_value(solver->z3, value) == Z3_L_TRUE;
}

// Asserts the lemmas that the solver's model breaks.  Were there any?
static bool refine(Solver *solver, Z3_solver z3_solver, const Exprs *lemmas,
                   bool *is_asserted) {
  Z3_model model = Z3_solver_get_model(solver->z3, z3_solver);
  if (failure(solver) || !model)
    return false;
  Z3_model_inc_ref(solver->z3, model);
  bool is_refined = false;
  for (size_t i = 0; i < lemmas->count; i++) {
    if (is_asserted[i] || holds_in(solver, model, lemmas->at[i]))
      continue;
    assert_integer(solver, z3_solver, lemmas->at[i]);
    is_asserted[i] = is_refined = true;
  }
  Z3_model_dec_ref(solver->z3, model);
  return is_refined;
}

// Most lemmas are never needed, and all at once are a burden.
static Answer check_lazily(Task *task, Solver *solver, Z3_solver z3_solver,
                           const Exprs *lemmas, unsigned milliseconds) {
  bool *is_asserted = arena_alloc(&task->arena, lemmas->count + 1);
  double end = clock_seconds() + 1e-3 * milliseconds;
  for (;;) {
    double left = 1e3 * (end - clock_seconds());
    if (left < 1)
      return ANSWER_UNKNOWN;
    set_parameters(solver, z3_solver, (unsigned)left);
    Answer answer = run_solver(task, solver, z3_solver, NULL);
    if (answer != ANSWER_MODEL ||
        !refine(solver, z3_solver, lemmas, is_asserted))
      return answer;
  }
}

Answer z3_check_integers(Task *task, Solver *solver, const Exprs *formulas,
                         const Exprs *lemmas, unsigned seed,
                         unsigned milliseconds) {
  Exprs order = make_integers(task, solver, formulas, lemmas);
  milliseconds = time_left(task, milliseconds);
  if (!milliseconds || solver->context->is_spoiled)
    return ANSWER_UNKNOWN;
  Z3_solver z3_solver = new_integer_solver(solver, seed);
  assert_ranges(solver, z3_solver, &order);
  for (size_t i = 0; i < formulas->count; i++)
    assert_integer(solver, z3_solver, formulas->at[i]);
  Answer answer = failure(solver) ? ANSWER_UNKNOWN
                                  : check_lazily(task, solver, z3_solver,
                                                 lemmas, milliseconds);
  Z3_solver_dec_ref(solver->z3, z3_solver);
  return answer;
}

uint64_t z3_value(Task *task, Model *model, Expr *a) {
  assert(a->width <= 64);
  Solver *solver = model->solver;
  Z3_ast value = NULL, term = term_of(task, solver, a);
  Z3_model_eval(solver->z3, model->z3, term, true, &value);
  value = keep(task, solver, value);
  if (a->width == 1)
    return Z3_get_bool_value(solver->z3, value) == Z3_L_TRUE;
  uint64_t number_of_value = 0;
  if (!Z3_get_numeral_uint64(solver->z3, value, &number_of_value))
    unsupported(task, (Loc){0}, "z3 gave no value for %s", expr_text(task, a));
  return number_of_value;
}

void z3_print(Task *task, Solver *solver, const Exprs *formulas, FILE *out) {
  bool has_functions = make_terms(task, solver, formulas);
  Z3_solver z3_solver = Z3_mk_simple_solver(solver->z3);
  Z3_solver_inc_ref(solver->z3, z3_solver);
  assert_all(solver, z3_solver, formulas);
  const char *text = Z3_solver_to_string(solver->z3, z3_solver);
  fprintf(out, "(set-logic %s)\n%s(check-sat)\n",
          has_functions ? "QF_UFBV" : "QF_BV", text ? text : "");
  Z3_solver_dec_ref(solver->z3, z3_solver);
}
