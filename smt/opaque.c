// What is read, without where it is read.
//
//   row[4 * sext(3 * (block * n))]    becomes    read32(17)
//
// To linear integers a value from memory is any number, whatever its place is:
// they do not know that equal places have equal values.  But they look at all
// that a place is made of, and at its products with all their lemmas.  So each
// such term gets a name of its own.
//
// So does a comparison that has a product or quotient in it and is about such
// values alone, as of a distance between points that are read: linear integers
// see nothing in it that decides where a thread goes.
//
// Each model of the old formulas is one of the new, in which a name is what its
// term is.

#include "smt/smt.h"
#include "translator/expr.h"

typedef struct Opaque {
  Task *task;
  ExprMap *renamed;  // term -> what it is with names
  ExprMap *open;     // terms that are about more than what is read
  ExprMap *products; // terms that have a product
} Opaque;

static bool has_place(const Expr *read) {
  for (unsigned i = 0; i < read->count; i++)
    if (!expr_is_const(read->args[i]))
      return true;
  return false;
}

// Its number is a place that no other term has.
static Expr *name_of(Task *task, const Expr *term) {
  const char *name = arena_printf(&task->arena, "read%u", term->width);
  Expr *number = expr_const(task, 64, term->id);
  return expr_apply(task, name, term->width, &number, 1);
}

static bool is_read(const Expr *e) {
  if (e->op != EXPR_SYMBOL)
    return e->op == EXPR_APPLY;
  return e->symbol->kind == SYMBOL_LOAD || e->symbol->kind == SYMBOL_ATOMIC;
}

static bool has_one_in(const ExprMap *map, const Expr *e) {
  for (unsigned i = 0; i < e->count; i++)
    if (expr_map_get(map, e->args[i]))
      return true;
  return false;
}

// Whatever a place is made of, what is read there is a value and no more.
static void note(Opaque *to, Expr *e) {
  if (is_read(e))
    return;
  if (e->op == EXPR_SYMBOL || has_one_in(to->open, e))
    expr_map_put(to->task, to->open, e, e);
  if (product_is_of_unknowns(e) || has_one_in(to->products, e))
    expr_map_put(to->task, to->products, e, e);
}

static bool is_named(const Opaque *to, const Expr *e) {
  if (e->op == EXPR_APPLY)
    return has_place(e);
  return expr_is_comparison(e) && !expr_map_get(to->open, e) &&
         expr_map_get(to->products, e);
}

static Expr *renamed(Opaque *to, Expr *e) {
  note(to, e);
  if (is_named(to, e))
    return name_of(to->task, e);
  bool is_same = true;
  Expr **args = arena_alloc(&to->task->arena, (e->count + 1) * sizeof *args);
  for (unsigned i = 0; i < e->count; i++) {
    args[i] = expr_map_get(to->renamed, e->args[i]);
    is_same &= args[i] == e->args[i];
  }
  return is_same ? e : expr_rebuild(to->task, e, args);
}

Exprs smt_opaque(Task *task, const Exprs *formulas) {
  Opaque to = {task, expr_map_new(task), expr_map_new(task),
               expr_map_new(task)};
  ExprMap *seen = expr_map_new(task);
  Exprs order = {0}, named = {0};
  for (size_t i = 0; i < formulas->count; i++)
    expr_order(task, formulas->at[i], seen, &order);
  for (size_t i = 0; i < order.count; i++)
    expr_map_put(task, to.renamed, order.at[i], renamed(&to, order.at[i]));
  for (size_t i = 0; i < formulas->count; i++)
    push(&task->arena, &named, expr_map_get(to.renamed, formulas->at[i]));
  return named;
}
