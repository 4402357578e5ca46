// Expressions as Z3's bit vectors, exactly.
//
// What is one bit wide becomes a Boolean.  Uninterpreted functions stay such,
// one for each name and signature.  Terms are remembered by the number of
// their expression, so what many queries share is made once.

#include "smt/z3_terms.h"

#include <assert.h>

// ----------------------------------------------------------------- terms ---

static Z3_ast number(Task *task, Z3Solver *solver, unsigned width,
                     uint64_t value) {
  Z3_sort sort = Z3_mk_bv_sort(solver->z3, width);
  return z3_keep(task, solver, Z3_mk_unsigned_int64(solver->z3, value, sort));
}

static Z3_ast ones(Task *task, Z3Solver *solver, unsigned width) {
  Z3_ast zero = number(task, solver, width, 0);
  return z3_keep(task, solver, Z3_mk_bvnot(solver->z3, zero));
}

Z3_ast bits_constant(Task *task, Z3Solver *solver, const Expr *a) {
  if (a->width > 1)
    return number(task, solver, a->width, a->value);
  return z3_keep(task, solver,
                 a->value ? Z3_mk_true(solver->z3) : Z3_mk_false(solver->z3));
}

Z3_sort bits_sort(Z3Solver *solver, unsigned width) {
  return width == 1 ? Z3_mk_bool_sort(solver->z3)
                    : Z3_mk_bv_sort(solver->z3, width);
}

// The id makes names of different symbols differ.
static Z3_ast symbol(Task *task, Z3Solver *solver, const Expr *a) {
  const char *name =
      arena_printf(&task->arena, "%s!%u", a->symbol->name, a->id);
  return z3_keep(task, solver,
                 Z3_mk_const(solver->z3, Z3_mk_string_symbol(solver->z3, name),
                             bits_sort(solver, a->width)));
}

// SMT-LIB has no overloading, so the name carries the signature.
static Z3_ast apply(Task *task, Z3Solver *solver, const Expr *a, Z3_ast *args) {
  Vec(Z3_sort) domain = {0};
  const char *name = arena_printf(&task->arena, "%s:%u", a->function, a->width);
  for (unsigned i = 0; i < a->count; i++) {
    unsigned width = a->args[i]->width;
    push(&task->arena, &domain, bits_sort(solver, width));
    name = arena_printf(&task->arena, "%s:%u", name, width);
  }
  Z3_func_decl function =
      Z3_mk_func_decl(solver->z3, Z3_mk_string_symbol(solver->z3, name),
                      a->count, domain.at, bits_sort(solver, a->width));
  const char *message = z3_failure(solver);
  if (message)
    unsupported(task, (Loc){0}, "z3: %s", message);
  Z3_inc_ref(solver->z3, Z3_func_decl_to_ast(solver->z3, function));
  push(task_lasting(task), &solver->kept,
       Z3_func_decl_to_ast(solver->z3, function));
  return z3_keep(task, solver, Z3_mk_app(solver->z3, function, a->count, args));
}

Z3_ast bits_not(Task *task, Z3Solver *solver, Z3_ast a) {
  return z3_keep(task, solver, Z3_mk_not(solver->z3, a));
}

Z3_ast bits_and(Task *task, Z3Solver *solver, Z3_ast a, Z3_ast b) {
  return z3_keep(task, solver, Z3_mk_and(solver->z3, 2, (Z3_ast[]){a, b}));
}

Z3_ast bits_or(Task *task, Z3Solver *solver, Z3_ast a, Z3_ast b) {
  return z3_keep(task, solver, Z3_mk_or(solver->z3, 2, (Z3_ast[]){a, b}));
}

// An operator on single bits, following SMT-LIB's bit vectors of width one:
// division by zero gives one, remainder by zero the dividend, and "true" is
// minus one where the order is signed.
Z3_ast bits_operation(Task *task, Z3Solver *solver, const Expr *e, Z3_ast a,
                      Z3_ast b) {
  switch (e->op) {
  case EXPR_ADD:
  case EXPR_SUB:
  case EXPR_XOR:
    return z3_keep(task, solver, Z3_mk_xor(solver->z3, a, b));
  case EXPR_MUL:
  case EXPR_AND:
    return bits_and(task, solver, a, b);
  case EXPR_OR:
    return bits_or(task, solver, a, b);
  case EXPR_UREM:
  case EXPR_SREM:
  case EXPR_SHL:
  case EXPR_LSHR:
  case EXPR_SLT:
    return bits_and(task, solver, a, bits_not(task, solver, b));
  case EXPR_UDIV:
  case EXPR_SDIV:
  case EXPR_SLE:
    return bits_or(task, solver, a, bits_not(task, solver, b));
  case EXPR_ULT:
    return bits_and(task, solver, bits_not(task, solver, a), b);
  case EXPR_ULE:
    return bits_or(task, solver, bits_not(task, solver, a), b);
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
static Z3_ast bit_to_vector(Task *task, Z3Solver *solver, Z3_ast bit,
                            unsigned width, bool is_signed) {
  Z3_ast zero = number(task, solver, width, 0);
  Z3_ast one =
      is_signed ? ones(task, solver, width) : number(task, solver, width, 1);
  return z3_keep(task, solver, Z3_mk_ite(solver->z3, bit, one, zero));
}

static Z3_ast extend(Task *task, Z3Solver *solver, const Expr *e, Z3_ast a,
                     bool is_signed) {
  unsigned from = e->args[0]->width, more = e->width - from;
  if (!more)
    return a;
  if (from == 1)
    return bit_to_vector(task, solver, a, e->width, is_signed);
  return z3_keep(task, solver,
                 is_signed ? Z3_mk_sign_ext(solver->z3, more, a)
                           : Z3_mk_zero_ext(solver->z3, more, a));
}

static Z3_ast extract(Task *task, Z3Solver *solver, const Expr *e, Z3_ast a) {
  if (e->args[0]->width == 1)
    return a;
  unsigned low = (unsigned)e->value;
  Z3_ast bits = z3_keep(task, solver,
                        Z3_mk_extract(solver->z3, low + e->width - 1, low, a));
  if (e->width > 1)
    return bits;
  Z3_ast one = number(task, solver, 1, 1);
  return z3_keep(task, solver, Z3_mk_eq(solver->z3, bits, one));
}

static Z3_ast concat(Task *task, Z3Solver *solver, const Expr *e,
                     Z3_ast *args) {
  Z3_ast parts[2];
  for (unsigned i = 0; i < 2; i++)
    parts[i] = e->args[i]->width > 1
                   ? args[i]
                   : bit_to_vector(task, solver, args[i], 1, false);
  return z3_keep(task, solver, Z3_mk_concat(solver->z3, parts[0], parts[1]));
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

static Z3_ast binary(Task *task, Z3Solver *solver, const Expr *e, Z3_ast a,
                     Z3_ast b) {
  if (e->args[0]->width == 1)
    return bits_operation(task, solver, e, a, b);
  assert(binary_makers[e->op]);
  return z3_keep(task, solver, binary_makers[e->op](solver->z3, a, b));
}

static Z3_ast term_over(Task *task, Z3Solver *solver, const Expr *e,
                        Z3_ast *args) {
  switch (e->op) {
  case EXPR_CONST:
    return bits_constant(task, solver, e);
  case EXPR_SYMBOL:
    return symbol(task, solver, e);
  case EXPR_APPLY:
    return apply(task, solver, e, args);
  case EXPR_NOT:
    return e->width == 1
               ? bits_not(task, solver, args[0])
               : z3_keep(task, solver, Z3_mk_bvnot(solver->z3, args[0]));
  case EXPR_EQ:
    return z3_keep(task, solver, Z3_mk_eq(solver->z3, args[0], args[1]));
  case EXPR_ITE:
    return z3_keep(task, solver,
                   Z3_mk_ite(solver->z3, args[0], args[1], args[2]));
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

Z3_ast bits_known(const Z3Solver *solver, const Expr *a) {
  return a->id < solver->terms.count ? solver->terms.at[a->id] : NULL;
}

static void remember(Task *task, Z3Solver *solver, const Expr *e, Z3_ast term,
                     bool has_functions) {
  while (solver->terms.count <= e->id) {
    push(task_lasting(task), &solver->terms, NULL);
    push(task_lasting(task), &solver->has_functions, false);
  }
  solver->terms.at[e->id] = term;
  solver->has_functions.at[e->id] = has_functions;
}

// Needs the terms of all arguments.
static void make_term(Task *task, Z3Solver *solver, const Expr *e) {
  Vec(Z3_ast) args = {0};
  bool has_functions = e->op == EXPR_APPLY;
  for (unsigned i = 0; i < e->count; i++) {
    push(&task->arena, &args, bits_known(solver, e->args[i]));
    has_functions |= solver->has_functions.at[e->args[i]->id];
  }
  remember(task, solver, e, term_over(task, solver, e, args.at), has_functions);
}

// Arguments first, on a stack of our own: loops that were unrolled make
// expressions deeper than the C stack is.
Z3_ast bits_term(Task *task, Z3Solver *solver, Expr *a) {
  Exprs stack = {0};
  push(&task->arena, &stack, a);
  while (stack.count) {
    Expr *e = stack.at[stack.count - 1];
    size_t before = stack.count;
    if (!bits_known(solver, e))
      for (unsigned i = 0; i < e->count; i++)
        if (!bits_known(solver, e->args[i]))
          push(&task->arena, &stack, e->args[i]);
    if (stack.count > before)
      continue;
    stack.count--;
    if (!bits_known(solver, e))
      make_term(task, solver, e);
  }
  return bits_known(solver, a);
}

bool bits_make_all(Task *task, Z3Solver *solver, const Exprs *formulas) {
  bool has_functions = false;
  for (size_t i = 0; i < formulas->count; i++) {
    assert(formulas->at[i]->width == 1);
    bits_term(task, solver, formulas->at[i]);
    has_functions |= solver->has_functions.at[formulas->at[i]->id];
  }
  return has_functions;
}
