// Rows in something wider: SOUND(rows-fit).
//
// Where y * pitch + x is written, and the guard says that x is below a width,
// there are rows that are a pitch apart and have a width of elements in use:
// the width is no more than the pitch, or where that is a number of bytes all
// elements of the width are.  Both are arguments.  What anything else
// is compared with is no pitch but a size of its own, so a place made with the
// wrong one of two sizes is a race as before; and who reads the array that it
// writes may mean rows that overlap.

#include "translator/translator.h"

// Of the places of one kernel.
typedef struct RowFinder {
  Task *task;
  Kernel *kernel;
  ExprMap *bounds; // arguments that something is compared with
  bool has_hidden; // ... what it is compared with may be any member of a struct
  ExprMap *seen;   // while these are looked for
  const Access *write;
} RowFinder;

// Of what is computed of floats nobody knows the sign.
static bool is_size(const Expr *e) {
  return e->op == EXPR_SYMBOL && e->symbol->kind == SYMBOL_PARAMETER &&
         (e->symbol->is_signed || e->symbol->is_unsigned);
}

// `width` of width + 1 and the like.
static Expr *without_constant(Expr *e) {
  e = expr_without_extension(e);
  bool is_sum = e->op == EXPR_ADD && expr_is_const(e->args[1]);
  return is_sum ? expr_without_extension(e->args[0]) : e;
}

// ----------------------------------------------------------------- bounds ---

// Of numbers with a fraction it is a function.
static bool is_comparison(const Expr *e) {
  return expr_is_comparison(e) || (e->op == EXPR_APPLY && e->width == 1);
}

// Several members at once, or one of them, have no declaration.
static bool is_hidden(const Expr *e) {
  return expr_is_content(e) ||
         (e->op == EXPR_SYMBOL && e->symbol->is_member && !is_size(e));
}

// Where memory is read is not what is compared.
static void add_bound(RowFinder *finder, Expr *e, Exprs *bounds) {
  finder->has_hidden |= is_hidden(e);
  if (expr_map_get(finder->bounds, e) || expr_is_content(e))
    return;
  expr_map_put(finder->task, finder->bounds, e, e);
  push(&finder->task->arena, bounds, e);
}

// All that the number is made of, also where a loop counts with it.
static void add_bounds(RowFinder *finder, Expr *whole) {
  Exprs bounds = {0};
  add_bound(finder, whole, &bounds);
  for (size_t i = 0; i < bounds.count; i++) {
    const Expr *e = bounds.at[i];
    for (unsigned k = 0; k < e->count; k++)
      add_bound(finder, e->args[k], &bounds);
    if (e->op == EXPR_SYMBOL && e->symbol->init && e->symbol->next) {
      add_bound(finder, e->symbol->init, &bounds);
      add_bound(finder, e->symbol->next, &bounds);
    }
  }
}

static void add_compared(RowFinder *finder, Expr *whole) {
  Exprs terms = {0};
  if (whole)
    expr_order(finder->task, whole, finder->seen, &terms);
  for (size_t i = 0; i < terms.count; i++) {
    Expr *term = terms.at[i];
    for (unsigned k = 0; is_comparison(term) && k < term->count; k++)
      add_bounds(finder, term->args[k]);
    if (expr_is_division(term))
      add_bounds(finder, term->args[1]);
  }
}

static void find_bounds(RowFinder *finder) {
  const Kernel *kernel = finder->kernel;
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    const Stmt *stmt = kernel->stmts.at[i];
    add_compared(finder, stmt->guard);
    if (stmt->kind == STMT_ACCESS) {
      add_compared(finder, stmt->access.offset);
      add_compared(finder, stmt->access.value);
    }
    if (stmt->kind == STMT_ASSUME || stmt->kind == STMT_ASSERT)
      add_compared(finder, stmt->condition);
  }
  for (size_t i = 0; i < kernel->loops.count; i++)
    add_compared(finder, kernel->loops.at[i]->again);
  for (size_t i = 0; i < kernel->symbols.count; i++) {
    add_compared(finder, kernel->symbols.at[i]->init);
    add_compared(finder, kernel->symbols.at[i]->next);
  }
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
  e = expr_without_extension(e);
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
         expr_without_extension(choice)->op == EXPR_ITE &&
         is_kept(task, choice, x, width);
}

// Where vectors are written and their number is extended: x is the first
// element of one, as 4 * i where the vector's number is i.
static bool is_vector_times(Task *task, Expr *e, const Expr *x,
                            const Expr *factor) {
  Expr *number = without_factor(e);
  uint64_t bytes = factor_of(task, e)->value, each = factor->value;
  if (number->op != EXPR_ZEXT && number->op != EXPR_SEXT)
    return false;
  number = number->args[0];
  return number->width == x->width && bytes > each && bytes % each == 0 &&
         expr_mul(task, number, expr_const(task, x->width, bytes / each)) == x;
}

static bool has_column(Task *task, Expr *rest, Expr *x, const Expr *width,
                       Expr *factor) {
  if (is_part(task, rest, x, factor))
    return true;
  for (;; rest = rest->args[0]) {
    Expr *summand = rest->op == EXPR_ADD ? rest->args[1] : rest;
    if (is_kept_times(task, summand, x, width, factor) ||
        is_vector_times(task, summand, x, factor))
      return true;
    if (rest->op != EXPR_ADD)
      return false;
  }
}

static Expr *is_natural(Task *task, Expr *size) {
  return size->symbol->is_signed ? premise_is_natural(task, size)
                                 : expr_bool(task, true);
}

// Not after its sign was extended.
static bool is_compared_as_unsigned(const Expr *guard, const Expr *width) {
  return guard->op == EXPR_ULT && guard->args[0]->width == width->width;
}

// A width that is natural, or compared as an unsigned number, of elements of
// 2^shift bytes where the pitch is in bytes, is no more than the pitch.
static Expr *fits(Task *task, const Expr *guard, Expr *width, Expr *pitch,
                  unsigned shift) {
  unsigned wide = width->width > pitch->width ? width->width : pitch->width;
  Expr *most = expr_binary(task, EXPR_LSHR, expr_zext(task, pitch, wide),
                           expr_const(task, wide, shift));
  Expr *is_less =
      expr_binary(task, EXPR_ULE, expr_zext(task, width, wide), most);
  return expr_implies(task,
                      is_compared_as_unsigned(guard, width)
                          ? expr_bool(task, true)
                          : is_natural(task, width),
                      expr_and(task, is_natural(task, pitch), is_less));
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
                         Expr *factor, Expr *pitch, unsigned shift) {
  Task *task = finder->task;
  for (unsigned i = 0; guard->op == EXPR_AND && i < guard->count; i++)
    find_columns(finder, guard->args[i], rest, factor, pitch, shift);
  if (guard->op != EXPR_SLT && guard->op != EXPR_ULT)
    return;
  Expr *x = guard->args[0], *width = without_constant(guard->args[1]);
  if (!expr_is_const(x) && is_size(width) && width != pitch &&
      has_column(task, rest, x, width, factor))
    add_fact(finder, fits(task, guard, width, pitch, shift));
}

// A pitch of bytes, and columns of whole elements as they are written.
static void find_elements(RowFinder *finder, Expr *guard, Expr *rest,
                          Expr *pitch) {
  enum { LARGEST_SHIFT = 4 };
  Expr *length = finder->write->length;
  for (unsigned shift = 1; shift <= LARGEST_SHIFT; shift++)
    if (expr_is_const(length) && length->value == UINT64_C(1) << shift)
      find_columns(finder, guard, rest, length, pitch, shift);
}

// ----------------------------------------------------------------- places ---

static bool is_of_factors(const Expr *e) {
  return e->op == EXPR_MUL || e->op == EXPR_ZEXT || e->op == EXPR_SEXT;
}

// Of y * (a * b) the pitch is a * b.
static bool is_times_size(Task *task, Expr *product) {
  Exprs factors = {0};
  ExprMap *seen = expr_map_new(task);
  push(&task->arena, &factors, product);
  for (size_t i = 0; i < factors.count; i++) {
    const Expr *e = factors.at[i];
    if (e->op == EXPR_SYMBOL && e->symbol->kind == SYMBOL_PARAMETER)
      return true;
    for (unsigned k = 0; k < e->count && is_of_factors(e); k++)
      if (!expr_map_get(seen, e->args[k])) {
        expr_map_put(task, seen, e->args[k], e->args[k]);
        push(&task->arena, &factors, e->args[k]);
      }
  }
  return false;
}

// y * pitch, or that a constant times.
static void find_row(RowFinder *finder, Expr *guard, Expr *sum, Expr *row) {
  Task *task = finder->task;
  Expr *factor = factor_of(task, row), *whole = without_factor(row);
  Expr *product = expr_without_extension(whole);
  bool is_of_bytes = sum == finder->write->offset && whole == row;
  for (unsigned k = 0; product->op == EXPR_MUL && k < 2; k++) {
    Expr *pitch = expr_without_extension(product->args[k]);
    if (!is_size(pitch) || expr_map_get(finder->bounds, pitch) ||
        (pitch->symbol->is_member && finder->has_hidden) ||
        is_times_size(task, product->args[1 - k]))
      continue;
    Expr *rest = expr_sub(task, sum, row);
    find_columns(finder, guard, rest, factor, pitch, 0);
    if (is_of_bytes)
      find_elements(finder, guard, rest, pitch);
  }
}

// A place that is a sum, or extended or multiplied, or a summand of such.
static void find_in_sum(RowFinder *finder, Expr *guard, const Expr *place,
                        ExprMap *seen, Exprs *summands) {
  enum { MOST_TERMS = 16 };
  Task *task = finder->task;
  Expr *sum =
      expr_without_extension(without_factor(expr_without_extension(place)));
  if (sum->op != EXPR_ADD || terms_in(sum) > MOST_TERMS ||
      expr_map_get(seen, sum))
    return;
  expr_map_put(task, seen, sum, sum);
  for (Expr *chain = sum;; chain = chain->args[0]) {
    Expr *summand = chain->op == EXPR_ADD ? chain->args[1] : chain;
    find_row(finder, guard, sum, summand);
    push(&task->arena, summands, summand);
    if (chain->op != EXPR_ADD)
      return;
  }
}

static void find_rows(RowFinder *finder, Expr *guard, Expr *place) {
  Exprs places = {0};
  ExprMap *seen = expr_map_new(finder->task);
  push(&finder->task->arena, &places, place);
  for (size_t i = 0; i < places.count; i++)
    find_in_sum(finder, guard, places.at[i], seen, &places);
}

// Perhaps by another counter, or from the other end.
static bool is_read_too(const Kernel *kernel, const Access *write) {
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    const Stmt *stmt = kernel->stmts.at[i];
    if (stmt->kind == STMT_ACCESS && stmt->access.kind != ACCESS_WRITE &&
        stmt->access.array == write->array)
      return true;
  }
  return false;
}

void kernel_find_rows(Task *task, Kernel *kernel) {
  RowFinder finder = {.task = task,
                      .kernel = kernel,
                      .bounds = expr_map_new(task),
                      .seen = expr_map_new(task)};
  find_bounds(&finder);
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    const Stmt *stmt = kernel->stmts.at[i];
    if (stmt->kind == STMT_ACCESS && stmt->access.kind == ACCESS_WRITE &&
        !stmt->access.is_for_annotations &&
        !is_read_too(kernel, &stmt->access)) {
      finder.write = &stmt->access;
      find_rows(&finder, stmt->guard, stmt->access.offset);
    }
  }
}
