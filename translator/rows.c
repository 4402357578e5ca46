// Rows in something wider: SOUND(rows-fit).
//
// A place y * pitch + x, of which the guard says that x is below a width, is in
// one of rows that are a pitch apart and have a width of elements in use: the
// width is no more than the pitch.  Both are arguments.  What x, or y, or
// anything else is compared with is no pitch but a size of its own, so a place
// made with the wrong one of two sizes is a race as before.

#include "translator/translator.h"

// Of the places of one kernel.
typedef struct RowFinder {
  Task *task;
  Kernel *kernel;
  ExprMap *bounds; // what something is compared with
  size_t looked;   // at so many parts of places
} RowFinder;

static Expr *without_extension(Expr *e) {
  while (e->op == EXPR_ZEXT || e->op == EXPR_SEXT)
    e = e->args[0];
  return e;
}

static bool is_argument(const Expr *e) {
  return e->op == EXPR_SYMBOL && e->symbol->kind == SYMBOL_PARAMETER;
}

static bool is_comparison(const Expr *e) {
  return e->op == EXPR_ULT || e->op == EXPR_ULE || e->op == EXPR_SLT ||
         e->op == EXPR_SLE || e->op == EXPR_EQ;
}

// `width` of width + 1 and the like.
static Expr *without_constant(Expr *e) {
  e = without_extension(e);
  bool is_sum = e->op == EXPR_ADD && expr_is_const(e->args[1]);
  return is_sum ? without_extension(e->args[0]) : e;
}

// ---------------------------------------------------------------- columns ---

static Expr *factor_of(Task *task, const Expr *e) {
  bool is_times = e->op == EXPR_MUL && expr_is_const(e->args[1]);
  return is_times ? e->args[1] : expr_const(task, e->width, 1);
}

static Expr *without_factor(Expr *e) {
  return e->op == EXPR_MUL && expr_is_const(e->args[1]) ? e->args[0] : e;
}

static unsigned terms_in(const Expr *sum) {
  unsigned count = 1;
  for (; sum->op == EXPR_ADD; sum = sum->args[0])
    count++;
  return count;
}

// Nothing of it is left when it is taken away.
static bool is_summand(Task *task, Expr *sum, Expr *part) {
  Expr *rest = expr_sub(task, sum, part);
  return rest->op == EXPR_CONST ||
         terms_in(rest) + terms_in(part) <= terms_in(sum);
}

// `x` in all of `whole`, `factor` times.
static bool is_part(Task *task, Expr *whole, Expr *x, Expr *factor) {
  if (x->width > whole->width)
    return false;
  return is_summand(task, whole,
                    expr_mul(task, expr_zext(task, x, whole->width), factor)) ||
         is_summand(task, whole,
                    expr_mul(task, expr_sext(task, x, whole->width), factor));
}

// Kept between edges: x, or a number, or the last column.
static bool is_kept(Task *task, Expr *e, Expr *x, const Expr *width) {
  e = without_extension(e);
  if (e->op != EXPR_ITE)
    return is_part(task, e, x, expr_const(task, e->width, 1));
  for (unsigned k = 1; k <= 2; k++) {
    Expr *edge = e->args[3 - k];
    if ((expr_is_const(edge) || without_constant(edge) == width) &&
        is_kept(task, e->args[k], x, width))
      return true;
  }
  return false;
}

static bool is_kept_times(Task *task, Expr *e, Expr *x, const Expr *width,
                          const Expr *factor) {
  Expr *choice = without_factor(e);
  return factor_of(task, e) == factor &&
         without_extension(choice)->op == EXPR_ITE &&
         is_kept(task, choice, x, width);
}

static bool has_column(Task *task, Expr *rest, Expr *x, const Expr *width,
                       Expr *factor) {
  if (is_part(task, rest, x, factor))
    return true;
  for (; rest->op == EXPR_ADD; rest = rest->args[0])
    if (is_kept_times(task, rest->args[1], x, width, factor))
      return true;
  return is_kept_times(task, rest, x, width, factor);
}

// The width is no more than the pitch, if it is natural.
static Expr *fits(Task *task, Expr *width, Expr *pitch) {
  unsigned wide = width->width > pitch->width ? width->width : pitch->width;
  bool is_signed = !pitch->symbol->is_unsigned;
  Expr *room =
      is_signed ? expr_sext(task, pitch, wide) : expr_zext(task, pitch, wide);
  Expr *fact = expr_binary(task, is_signed ? EXPR_SLE : EXPR_ULE,
                           expr_zext(task, width, wide), room);
  return expr_implies(task, premise_is_natural(task, width), fact);
}

static void add_fact(RowFinder *finder, Expr *fact) {
  const Premises *known = &finder->kernel->premises[PREMISE_ROWS_FIT];
  for (size_t i = 0; i < known->count; i++)
    if (known->at[i].fact == fact)
      return;
  premise_add(finder->task, finder->kernel, PREMISE_ROWS_FIT,
              (Premise){.fact = fact});
}

// What the guard says that a part of the rest is below.
static void find_columns(RowFinder *finder, Expr *guard, Expr *rest,
                         Expr *factor, Expr *pitch) {
  Task *task = finder->task;
  for (unsigned i = 0; guard->op == EXPR_AND && i < guard->count; i++)
    find_columns(finder, guard->args[i], rest, factor, pitch);
  if (guard->op != EXPR_SLT && guard->op != EXPR_ULT)
    return;
  Expr *x = guard->args[0], *width = without_constant(guard->args[1]);
  if (!expr_is_const(x) && is_argument(width) && width != pitch &&
      has_column(task, rest, x, width, factor))
    add_fact(finder, fits(task, width, pitch));
}

// ----------------------------------------------------------------- places ---

// y * pitch, or that a constant times.
static void find_row(RowFinder *finder, Expr *guard, Expr *sum, Expr *row) {
  Task *task = finder->task;
  Expr *factor = factor_of(task, row), *product = without_factor(row);
  for (unsigned k = 0; product->op == EXPR_MUL && k < 2; k++) {
    Expr *pitch = without_extension(product->args[k]);
    if (is_argument(pitch) && !expr_map_get(finder->bounds, pitch))
      find_columns(finder, guard, expr_sub(task, sum, row), factor, pitch);
  }
}

static void find_rows(RowFinder *finder, Expr *guard, Expr *sum) {
  enum { MOST_TERMS = 16 };
  Expr *chain = sum;
  if (terms_in(sum) > MOST_TERMS)
    return;
  for (; chain->op == EXPR_ADD; chain = chain->args[0])
    find_row(finder, guard, sum, chain->args[1]);
  find_row(finder, guard, sum, chain);
}

// A sum is looked at as a whole.
static void find_in_place(RowFinder *finder, const Stmt *stmt) {
  Task *task = finder->task;
  Exprs parts = {0};
  ExprMap *begun = expr_map_new(task);
  expr_order(task, stmt->access.offset, expr_map_new(task), &parts);
  for (size_t i = parts.count; i-- > 0;) {
    Expr *part = parts.at[i];
    if (part->op != EXPR_ADD)
      continue;
    expr_map_put(task, begun, part->args[0], part);
    if (!expr_map_get(begun, part))
      find_rows(finder, stmt->guard, part);
  }
  finder->looked += parts.count;
}

static ExprMap *bounds_of(Task *task, const Exprs *terms) {
  ExprMap *bounds = expr_map_new(task);
  for (size_t i = 0; i < terms->count; i++) {
    const Expr *term = terms->at[i];
    for (unsigned k = 0; is_comparison(term) && k < term->count; k++) {
      Expr *bound = without_constant(term->args[k]);
      expr_map_put(task, bounds, bound, bound);
    }
  }
  return bounds;
}

void kernel_find_rows(Task *task, Kernel *kernel, Exprs terms) {
  enum { ENOUGH = 1 << 17 }; // parts of places, of unrolled loops and the like
  RowFinder finder = {
      .task = task, .kernel = kernel, .bounds = bounds_of(task, &terms)};
  for (size_t i = 0; i < kernel->stmts.count && finder.looked < ENOUGH; i++) {
    const Stmt *stmt = kernel->stmts.at[i];
    if (stmt->kind == STMT_ACCESS && !stmt->access.is_for_annotations)
      find_in_place(&finder, stmt);
  }
}
