// What bits say of sums, whatever these are made of.
//
//   i = block * blockDim + thread,  i ^ j > i,  i' ^ j > i',  i == i' ^ j
//
// is refuted by what bits are, for any i and i'.  Circuits see that at once
// where i is a number of its own, and not where they have to multiply first.
// So each sum or product with a product of unknowns gets a name, as a whole.
//
// Each model of the old formulas is one of the new, in which a name is what its
// term is; a model of the new says nothing.

#include "smt/smt.h"
#include "translator/expr.h"

typedef struct Naming {
  Task *task;
  ExprMap *products; // terms that have a product of unknowns
  ExprMap *named;    // term -> what it is with names
} Naming;

static bool has_one_in(const ExprMap *map, const Expr *e) {
  for (unsigned i = 0; i < e->count; i++)
    if (expr_map_get(map, e->args[i]))
      return true;
  return false;
}

// Of one such sum: what an overflow is told by has several.
static bool is_mask(const Naming *naming, const Expr *e) {
  bool is_of_bits = e->op == EXPR_AND || e->op == EXPR_OR || e->op == EXPR_XOR;
  unsigned sums = 0;
  for (unsigned i = 0; i < e->count; i++)
    sums += expr_map_get(naming->products, e->args[i]) != NULL;
  return is_of_bits && e->width > 1 && sums == 1;
}

// Its number is one that no other term has.
static Expr *name_of(Task *task, const Expr *sum) {
  const char *name = arena_printf(&task->arena, "sum%u", sum->width);
  Expr *number = expr_const(task, 64, sum->id);
  return expr_apply(task, name, sum->width, &number, 1);
}

static Expr *named(Naming *naming, Expr *e) {
  bool is_sum = e->op == EXPR_ADD || e->op == EXPR_MUL;
  if (is_sum && expr_map_get(naming->products, e))
    return name_of(naming->task, e);
  bool is_same = true;
  Expr **args =
      arena_alloc(&naming->task->arena, (e->count + 1) * sizeof *args);
  for (unsigned i = 0; i < e->count; i++) {
    args[i] = expr_map_get(naming->named, e->args[i]);
    is_same &= args[i] == e->args[i];
  }
  return is_same ? e : expr_rebuild(naming->task, e, args);
}

static bool has_mask(Naming *naming, const Exprs *terms) {
  bool is_there = false;
  for (size_t i = 0; i < terms->count; i++) {
    Expr *e = terms->at[i];
    if (product_is_of_unknowns(e) || has_one_in(naming->products, e))
      expr_map_put(naming->task, naming->products, e, e);
    is_there |= is_mask(naming, e);
  }
  return is_there;
}

bool smt_of_masks(Task *task, const Exprs *formulas, Exprs *rest) {
  Naming naming = {task, expr_map_new(task), expr_map_new(task)};
  ExprMap *seen = expr_map_new(task);
  Exprs terms = {0};
  for (size_t i = 0; i < formulas->count; i++)
    expr_order(task, formulas->at[i], seen, &terms);
  if (!has_mask(&naming, &terms))
    return false;
  for (size_t i = 0; i < terms.count; i++)
    expr_map_put(task, naming.named, terms.at[i], named(&naming, terms.at[i]));
  for (size_t i = 0; i < formulas->count; i++)
    push(&task->arena, rest, expr_map_get(naming.named, formulas->at[i]));
  return true;
}
