// Products of sizes: SOUND(sizes-fit).
//
// A place in memory that is made of x * size, of which x is below another size
// of the program, is a place in something that has so many rows of so many
// elements: the host has memory for it, and the product of the sizes fits.
// What is below what is looked for in the guard, and else in the launch:
//
//   x < n                        where the guard says so
//   a thread's number            below the block's size, a block's below the
//                                grid's
//   y * size + z                 below b * size, where y is below b, z below
//                                size
//   a block's number + argument  below the next one, and no row is behind it
//   y % n, y / n                 below n, below m, where y is below m * n
//
// The rows of (y * a) * b are those of y * (a * b), too, if a and b are sizes,
// and a * s + b * s is (a + b) * s.  Of what is cut to the bits of an index
// there is as much as these can say.
//
// A size is an argument, a size of the launch, or what a program computes of
// these: a product, a sum, a difference or a quotient, also with a number; what
// x is multiplied by, or what the guard says of it, may also be a number.
//
// The rows that are there are those of threads that make the access.  There are
// those up to the thread's own, and no more, where only some threads may come,
// where a loop may leave rows out, and where no size but a mere number says how
// many or how long they are; nor are there more than a launch whose sizes are
// known has threads for.
//
// It is in the place as a whole: what is added to it is not negative, and what
// it is multiplied by is positive.  So nothing takes it away again.

#include "translator/expr.h"
#include "translator/provenance.h"
#include "translator/translator.h"

enum { MOST_DEPTH = 6, MOST_BOUNDS = 8, MOST_SIZES = 3, MOST_ELEMENT = 16 };

// Below `size`, if `natural`.
typedef struct SizeBound {
  Expr *size, *natural;
  Expr *least; // there are as many as that
} SizeBound;
typedef Vec(SizeBound) SizeBounds;

// Of the places of one access.
typedef struct SizeFinder {
  Task *task;
  Kernel *kernel;
  const Stmt *access;
  Expr *guard;   // of whoever has the place
  Expr *whole;   // the part that is looked at is in the place as a whole
  ExprMap *seen; // parts of it
  bool is_end;   // what numbers are below is looked for, not how many come
  unsigned bits; // that the place keeps of it
} SizeFinder;

// ------------------------------------------------------------------ sizes ---

static bool is_size_symbol(const Expr *a) {
  return a->op == EXPR_SYMBOL && (a->symbol->kind == SYMBOL_PARAMETER ||
                                  a->symbol->kind == SYMBOL_BLOCK_SIZE ||
                                  a->symbol->kind == SYMBOL_GRID_SIZE);
}

static bool is_known_size(const Kernel *kernel, const Expr *a) {
  for (unsigned axis = 0; axis < 3; axis++) {
    const Expr *sizes[] = {kernel->block_size[axis], kernel->grid_size[axis]};
    for (unsigned i = 0; i < 2; i++)
      if (expr_is_const(sizes[i]) && sizes[i]->value == a->value)
        return true;
  }
  return false;
}

static const Expr *unextended(const Expr *a) {
  while (a->op == EXPR_ZEXT || a->op == EXPR_SEXT)
    a = a->args[0];
  return a;
}

static bool is_size(const Kernel *kernel, const Expr *a);

static bool is_few(const Expr *a) {
  enum { FEW = 1 << 10 };
  uint64_t less = expr_is_const(a) ? -a->value & expr_mask(a->width) : FEW + 1;
  return expr_is_const(a) && (a->value <= FEW || less <= FEW);
}

// So many times a size, or that number, are taken away from another.
static bool is_less(const Expr *a) {
  uint64_t sign = (uint64_t)1 << (a->width - 1);
  const Expr *factor = a->op == EXPR_MUL ? a->args[1] : a;
  return is_few(factor) && factor->value & sign;
}

// Of each element there may be a few numbers.
static bool is_times(const Kernel *kernel, const Expr *a) {
  return is_size(kernel, a) || (is_few(a) && !is_less(a));
}

static bool is_size_times(const Kernel *kernel, const Expr *a) {
  return is_size(kernel, a->args[0]) && is_times(kernel, a->args[1]);
}

static bool is_size_sum(const Kernel *kernel, const Expr *a) {
  const Expr *more = a->args[1];
  bool is_times = more->op == EXPR_MUL && is_less(more);
  return is_size(kernel, a->args[0]) &&
         (is_few(more) || is_size(kernel, is_times ? more->args[0] : more));
}

// The edges of a picture, a half of it, the vectors of a row.
static bool is_size(const Kernel *kernel, const Expr *a) {
  a = unextended(a);
  switch ((unsigned)a->op) {
  case EXPR_MUL:
    return is_size_times(kernel, a);
  case EXPR_ADD:
    return is_size_sum(kernel, a);
  case EXPR_UDIV:
  case EXPR_SDIV:
  case EXPR_LSHR:
  case EXPR_ASHR:
    return is_size(kernel, a->args[0]) &&
           (expr_is_const(a->args[1]) || is_size(kernel, a->args[1]));
  }
  return expr_is_const(a) ? is_known_size(kernel, a) : is_size_symbol(a);
}

// Of so many elements a program may have one row each: the tile of a block.
static bool is_length(const Kernel *kernel, const Expr *a) {
  enum { LONGEST = 1 << 16 };
  return is_size(kernel, a) ||
         (expr_is_const(a) && a->value && a->value <= LONGEST);
}

static bool has_mark(const ExprMap *marked, const Expr *a) {
  bool has = false;
  for (unsigned i = 0; i < a->count; i++)
    has |= expr_map_get(marked, a->args[i]) != NULL;
  return has;
}

static bool takes_away(const Expr *a) {
  bool takes = false;
  for (unsigned i = 0; a->op == EXPR_ADD && i < a->count; i++)
    takes |= is_less(a->args[i]);
  return takes;
}

static bool has_sign(const Expr *a) {
  return (a->op == EXPR_SYMBOL && !a->symbol->is_unsigned) ||
         a->op == EXPR_ZEXT || a->op == EXPR_SEXT;
}

// Where a sign counts, none of what it is computed of is below zero.  What is
// taken away from an unsigned number in its own bits is as it is.
static Expr *are_natural(Task *task, Expr *whole) {
  Expr *natural = expr_bool(task, true);
  ExprMap *taken = expr_map_new(task), *signs = expr_map_new(task);
  Exprs parts = {0};
  expr_order(task, whole, expr_map_new(task), &parts);
  for (size_t i = 0; i < parts.count; i++) {
    Expr *a = parts.at[i];
    bool is_taken = takes_away(a) || has_mark(taken, a);
    bool is_of_signs = has_sign(a) || has_mark(signs, a);
    bool is_signed =
        a->op == EXPR_SEXT || a->op == EXPR_SDIV || a->op == EXPR_ASHR;
    if (is_taken)
      expr_map_put(task, taken, a, a);
    if (is_of_signs)
      expr_map_put(task, signs, a, a);
    for (unsigned k = 0; is_signed && k < a->count; k++)
      natural = expr_and(task, natural, premise_is_natural(task, a->args[k]));
    if (a->op == EXPR_ADD && is_taken && is_of_signs)
      natural = expr_and(task, natural, premise_is_natural(task, a));
  }
  return natural;
}

// What may be meant as a negative number says nothing of sizes.
static Expr *is_natural(Task *task, Expr *a) {
  Expr *natural = are_natural(task, a);
  Symbols symbols = {0};
  expr_symbols(task, a, &symbols);
  for (size_t i = 0; i < symbols.count; i++)
    if (symbols.at[i]->kind == SYMBOL_PARAMETER && !symbols.at[i]->is_unsigned)
      natural = expr_and(task, natural,
                         premise_is_natural(task, symbols.at[i]->expr));
  return natural;
}

// Nothing in memory has more elements than a processor has addresses.
enum { ADDRESS_BITS = 57 };

static unsigned least_of(unsigned a, unsigned b) { return a < b ? a : b; }

static Expr *fits_bits(Task *task, Expr *a, Expr *b, unsigned bits) {
  unsigned wide = 2 * b->width, most = least_of(b->width, bits);
  Expr *exact =
      expr_mul(task, expr_zext(task, a, wide), expr_zext(task, b, wide));
  Expr *limit = expr_binary(task, EXPR_SHL, expr_const(task, wide, 1),
                            expr_const(task, wide, most));
  return expr_binary(task, EXPR_ULT, exact, limit);
}

static Expr *fits(Task *task, Expr *a, Expr *b) {
  return fits_bits(task, a, b, ADDRESS_BITS);
}

static bool is_taken_from(const Expr *a) {
  bool is_part = takes_away(a);
  for (unsigned i = 0; i < a->count; i++)
    is_part |= is_taken_from(a->args[i]);
  return is_part;
}

// A sum or multiple of sizes is as large as they are together.  Where something
// is taken away, what it is in between says nothing: it is as it is.
static Expr *is_made(Task *task, Expr *a) {
  Expr *parts = expr_bool(task, true);
  if (is_taken_from(a))
    return parts;
  for (unsigned i = 0; i < a->count; i++)
    parts = expr_and(task, parts, is_made(task, a->args[i]));
  if (a->op == EXPR_ADD)
    return expr_and(task, parts, expr_binary(task, EXPR_ULE, a->args[0], a));
  if (a->op == EXPR_MUL && expr_is_const(a->args[1]))
    return expr_and(task, parts, fits(task, a->args[0], a->args[1]));
  return parts;
}

// ----------------------------------------------------------------- bounds ---

static void add_bound(const SizeFinder *finder, SizeBounds *bounds, Expr *size,
                      Expr *natural) {
  if (bounds->count < MOST_BOUNDS)
    push(&finder->task->arena, bounds, ((SizeBound){size, natural, size}));
}

static void add_said(const SizeFinder *finder, Expr *x, Expr *condition,
                     SizeBounds *bounds) {
  Task *task = finder->task;
  for (unsigned i = 0; condition->op == EXPR_AND && i < condition->count; i++)
    add_said(finder, x, condition->args[i], bounds);
  bool is_signed = condition->op == EXPR_SLT;
  if ((is_signed || condition->op == EXPR_ULT) && condition->args[0] == x &&
      is_length(finder->kernel, condition->args[1]))
    add_bound(finder, bounds, condition->args[1],
              is_signed ? premise_is_natural(task, x) : expr_bool(task, true));
}

// What the fact says is the same as the size, where nothing else of it is true.
static void add_equal(const SizeFinder *finder, const Expr *fact, Expr *size,
                      Expr *natural, SizeBounds *bounds) {
  Task *task = finder->task;
  for (unsigned k = 0; fact->op == EXPR_EQ && k < 2; k++)
    if (fact->args[k] == size && is_size(finder->kernel, fact->args[1 - k]))
      add_bound(finder, bounds, fact->args[1 - k], natural);
  for (unsigned k = 0; fact->op == EXPR_OR && k < 2; k++)
    add_equal(finder, fact->args[k], size,
              expr_and(task, natural, expr_not(task, fact->args[1 - k])),
              bounds);
}

// Of the launch, and what the host says is the same, perhaps only where its
// arithmetic is defined.
static void add_launched(const SizeFinder *finder, Expr *size,
                         SizeBounds *bounds) {
  const Kernel *kernel = finder->kernel;
  Expr *always = expr_bool(finder->task, true);
  add_bound(finder, bounds, size, always);
  for (size_t i = 0; i < kernel->facts.count; i++)
    add_equal(finder, kernel->facts.at[i], size, always, bounds);
}

static void add_number(const SizeFinder *finder, const Expr *x,
                       SizeBounds *bounds) {
  const Kernel *kernel = finder->kernel;
  for (unsigned axis = 0; axis < 3; axis++) {
    if (x == kernel->thread_id[axis])
      add_launched(finder, kernel->block_size[axis], bounds);
    if (x == kernel->block_id[axis])
      add_launched(finder, kernel->grid_size[axis], bounds);
  }
}

static void add_bounds(const SizeFinder *finder, Expr *x, unsigned depth,
                       SizeBounds *bounds);

// Of what is not negative both extensions are one.
static void add_extended(const SizeFinder *finder, const Expr *x,
                         unsigned depth, SizeBounds *bounds) {
  Task *task = finder->task;
  SizeBounds narrow = {0};
  Expr *same = expr_bool(task, true);
  if (x->op == EXPR_SEXT)
    same = premise_is_natural(task, x->args[0]);
  add_bounds(finder, x->args[0], depth, &narrow);
  for (size_t i = 0; i < narrow.count; i++)
    add_bound(finder, bounds, expr_zext(task, narrow.at[i].size, x->width),
              expr_and(task, narrow.at[i].natural, same));
}

// m, if the size is m * n; else NULL.  Products are chains of their factors.
static Expr *size_without(Task *task, Expr *size, Expr *n) {
  if (size == n)
    return expr_const(task, size->width, 1);
  if (n->op == EXPR_MUL) {
    Expr *part = size_without(task, size, n->args[1]);
    return part ? size_without(task, part, n->args[0]) : NULL;
  }
  if (size->op != EXPR_MUL)
    return NULL;
  if (size->args[1] == n)
    return size->args[0];
  Expr *rest = size_without(task, size->args[0], n);
  return rest ? expr_mul(task, rest, size->args[1]) : NULL;
}

// y * size is below b * size, if y is below b.
static void add_rows(const SizeFinder *finder, Expr *y, Expr *size,
                     Expr *natural, unsigned depth, SizeBounds *bounds) {
  Task *task = finder->task;
  SizeBounds rows = {0};
  add_bounds(finder, y, depth, &rows);
  for (size_t i = 0; i < rows.count; i++)
    add_bound(finder, bounds, expr_mul(task, rows.at[i].size, size),
              expr_and(task, natural, rows.at[i].natural));
}

static void add_multiplied(const SizeFinder *finder, const Expr *product,
                           unsigned depth, SizeBounds *bounds) {
  Expr *always = expr_bool(finder->task, true);
  for (unsigned k = 0; k < 2; k++)
    if (is_size(finder->kernel, product->args[k]))
      add_rows(finder, product->args[1 - k], product->args[k], always, depth,
               bounds);
}

// A few more than what is below a size.
static void add_more(const SizeFinder *finder, const Expr *x, unsigned depth,
                     SizeBounds *bounds) {
  Task *task = finder->task;
  SizeBounds fewer = {0};
  if (!is_few(x->args[1]) || is_less(x->args[1]))
    return;
  add_bounds(finder, x->args[0], depth, &fewer);
  for (size_t i = 0; i < fewer.count; i++)
    add_bound(finder, bounds, expr_add(task, fewer.at[i].size, x->args[1]),
              fewer.at[i].natural);
}

// The factor that so many columns have room in, with an edge or without.
static Expr *row_of(const SizeFinder *finder, Expr *product, Expr *columns) {
  Task *task = finder->task;
  for (unsigned k = 0; k < 2; k++) {
    Expr *row = product->args[k];
    Expr *edge =
        row->width == columns->width ? expr_sub(task, row, columns) : columns;
    if (is_size(finder->kernel, row) && is_few(edge) && !is_less(edge))
      return row;
  }
  return columns;
}

// z is below what y is multiplied by.
static void add_sum(const SizeFinder *finder, const Expr *sum, unsigned depth,
                    SizeBounds *bounds) {
  SizeFinder ends = *finder;
  ends.is_end = true;
  for (unsigned k = 0; k < 2; k++) {
    SizeBounds columns = {0};
    if (sum->args[k]->op != EXPR_MUL)
      continue;
    add_bounds(&ends, sum->args[1 - k], depth, &columns);
    for (size_t i = 0; i < columns.count; i++) {
      const SizeBound *column = &columns.at[i];
      Expr *row = row_of(finder, sum->args[k], column->size);
      Expr *y = size_without(finder->task, sum->args[k], row);
      if (y && is_size(finder->kernel, row))
        add_rows(finder, y, row, column->natural, depth, bounds);
    }
  }
}

static bool is_quotient(const Expr *x) {
  return x->op == EXPR_UDIV || x->op == EXPR_SDIV;
}

static bool is_remainder(const Expr *x) {
  return x->op == EXPR_UREM || x->op == EXPR_SREM;
}

static bool is_by_size(const Kernel *kernel, const Expr *x) {
  return (is_quotient(x) || is_remainder(x)) && is_size(kernel, x->args[1]);
}

// Of what is below m * n the remainders by n are all that there are.
static void add_divided(const SizeFinder *finder, const Expr *x, unsigned depth,
                        SizeBounds *bounds) {
  Task *task = finder->task;
  Expr *n = x->args[1], *zero = expr_const(task, n->width, 0);
  Expr *natural = expr_not(task, expr_eq(task, n, zero));
  SizeBounds whole = {0};
  if (x->op == EXPR_SDIV || x->op == EXPR_SREM)
    natural = expr_and(task, natural,
                       expr_and(task, premise_is_natural(task, x->args[0]),
                                premise_is_natural(task, n)));
  add_bounds(finder, x->args[0], depth, &whole);
  for (size_t i = 0; i < whole.count; i++) {
    Expr *rows = size_without(task, whole.at[i].size, n);
    if (rows && !expr_is_const(rows))
      add_bound(finder, bounds, is_remainder(x) ? n : rows,
                expr_and(task, natural, whole.at[i].natural));
  }
}

// Whether x is made of numbers of threads or blocks, each of which is known.
static bool is_launch_known(const SizeFinder *finder, Expr *x) {
  const Kernel *kernel = finder->kernel;
  Symbols symbols = {0};
  bool is_known = false;
  expr_symbols(finder->task, x, &symbols);
  for (size_t i = 0; i < symbols.count; i++)
    for (unsigned axis = 0; axis < 3; axis++) {
      const Expr *number = symbols.at[i]->expr;
      bool is_thread = number == kernel->thread_id[axis];
      if (!is_thread && number != kernel->block_id[axis])
        continue;
      if (!expr_is_const(is_thread ? kernel->block_size[axis]
                                   : kernel->grid_size[axis]))
        return false;
      is_known = true;
    }
  return is_known;
}

// Of the rows there are those up to this one.
static void cut_rows(const SizeFinder *finder, Expr *x, SizeBound *bound) {
  Task *task = finder->task;
  Expr *rows = expr_add(task, x, expr_const(task, x->width, 1));
  Expr *last = expr_eq(task, rows, expr_const(task, x->width, 0));
  bound->natural = expr_and(task, bound->natural, expr_not(task, last));
  bound->size = rows;
}

// ... in bits in which it is never 0: of a number below a size there is a next.
static Expr *rows_up_to(Task *task, Expr *x) {
  unsigned wide = 2 * x->width;
  return expr_add(task, expr_zext(task, x, wide), expr_const(task, wide, 1));
}

// What a launch of which the sizes are known says of x; else NULL.
static SizeBound *launched(const SizeFinder *finder, Expr *x, unsigned depth) {
  SizeFinder launch = *finder;
  SizeBounds bounds = {0};
  launch.guard = expr_bool(finder->task, true);
  add_bounds(&launch, x, depth, &bounds);
  for (size_t i = 0; i < bounds.count; i++)
    if (expr_is_const(bounds.at[i].size))
      return &bounds.at[i];
  return NULL;
}

// Of what the guard speaks of there is what the launch has threads for.
static void cut_said(const SizeFinder *finder, Expr *x, unsigned depth,
                     SizeBounds *said) {
  Task *task = finder->task;
  const SizeBound *all = launched(finder, x, depth);
  for (size_t i = 0; !all && i < said->count && is_launch_known(finder, x); i++)
    cut_rows(finder, x, &said->at[i]);
  for (size_t i = 0, count = said->count; all && i < count; i++) {
    SizeBound *bound = &said->at[i];
    Expr *is_less = expr_binary(task, EXPR_ULT, all->size, bound->size);
    bound->natural = expr_and(task, bound->natural, expr_not(task, is_less));
    add_bound(finder, said, all->size, expr_and(task, all->natural, is_less));
  }
}

// Threads or blocks are counted from an argument on, and the sum does not wrap.
static void add_shifted(const SizeFinder *finder, Expr *x, SizeBounds *bounds) {
  Task *task = finder->task;
  for (unsigned k = 0; k < 2; k++) {
    Expr *first = x->args[k];
    SizeBounds numbers = {0};
    bool is_argument =
        first->op == EXPR_SYMBOL && first->symbol->kind == SYMBOL_PARAMETER;
    if (is_argument)
      add_number(finder, x->args[1 - k], &numbers);
    if (!numbers.count)
      continue;
    SizeBound bound = {NULL,
                       expr_and(task, is_natural(task, first),
                                expr_binary(task, EXPR_ULE, first, x)),
                       numbers.at[0].size};
    cut_rows(finder, x, &bound);
    if (bounds->count < MOST_BOUNDS)
      push(&task->arena, bounds, bound);
  }
}

static void add_bounds(const SizeFinder *finder, Expr *x, unsigned depth,
                       SizeBounds *bounds) {
  SizeBounds said = {0};
  add_said(finder, x, finder->guard, &said);
  if (said.count && depth && !finder->is_end)
    cut_said(finder, x, depth - 1, &said);
  for (size_t i = 0; i < said.count; i++)
    add_bound(finder, bounds, said.at[i].size, said.at[i].natural);
  if (said.count || depth == 0)
    return;
  add_number(finder, x, bounds);
  if (x->op == EXPR_ZEXT || x->op == EXPR_SEXT)
    add_extended(finder, x, depth - 1, bounds);
  if (x->op == EXPR_MUL)
    add_multiplied(finder, x, depth - 1, bounds);
  if (x->op == EXPR_ADD) {
    add_sum(finder, x, depth - 1, bounds);
    add_more(finder, x, depth - 1, bounds);
    add_shifted(finder, x, bounds);
  }
  if (is_by_size(finder->kernel, x))
    add_divided(finder, x, depth - 1, bounds);
}

// --------------------------------------------------------------- products ---

// Not all threads of the launch come there: the guard says more of them than
// that `parts` are below sizes, each below one.
static bool is_cut(const SizeFinder *finder, const Provenance *x,
                   ExprMap *parts, Expr *condition) {
  Task *task = finder->task;
  bool is_bound = condition->op == EXPR_SLT || condition->op == EXPR_ULT;
  for (unsigned i = 0; condition->op == EXPR_AND && i < condition->count; i++)
    if (is_cut(finder, x, parts, condition->args[i]))
      return true;
  if (condition->op == EXPR_AND)
    return false;
  Expr *part = is_bound ? expr_map_get(parts, condition->args[0]) : NULL;
  if (part && is_length(finder->kernel, condition->args[1])) {
    expr_map_put(task, parts, part, condition);
    return part != condition->args[0];
  }
  Provenance origin = provenance_of(task, condition);
  return provenance_tells(x, &origin);
}

// What x counts rows of, or parts of which there are so many in each.
static Expr *counted_by(const Kernel *kernel, const Expr *x) {
  if (x->op == EXPR_ZEXT || x->op == EXPR_SEXT || is_by_size(kernel, x))
    return x->args[0];
  for (unsigned k = 0; x->op == EXPR_MUL && k < 2; k++)
    if (is_size(kernel, x->args[k]))
      return x->args[1 - k];
  return NULL;
}

// What the rows are counted by, for what the guard says is below a size.
static void add_counted(const SizeFinder *finder, Expr *x, ExprMap *parts) {
  Task *task = finder->task;
  SizeBounds said = {0};
  Symbols symbols = {0};
  Expr *counted = counted_by(finder->kernel, x);
  add_said(finder, x, finder->guard, &said);
  if (said.count)
    expr_map_put(task, parts, x, x);
  else if (counted)
    add_counted(finder, counted, parts);
  else
    expr_symbols(task, x, &symbols);
  for (size_t i = 0; i < symbols.count; i++)
    expr_map_put(task, parts, symbols.at[i]->expr, symbols.at[i]->expr);
}

static ExprMap *counted_parts(const SizeFinder *finder, Expr *x) {
  ExprMap *parts = expr_map_new(finder->task);
  add_counted(finder, x, parts);
  return parts;
}

static bool is_bound(const Expr *a) {
  return a->op == EXPR_SLT || a->op == EXPR_ULT;
}

// The guard says that the counter is below the same.
static bool is_below_too(const Expr *guard, const Symbol *phi,
                         const Expr *bound) {
  for (unsigned i = 0; guard->op == EXPR_AND && i < guard->count; i++)
    if (is_below_too(guard->args[i], phi, bound))
      return true;
  return is_bound(guard) && guard->args[1] == bound &&
         unextended(guard->args[0]) == phi->expr;
}

// Does the loop end where the counter comes to the guard's bound, and nowhere
// else?
static bool ends_at_bound(const SizeFinder *finder, const Symbol *phi,
                          const Expr *again) {
  for (unsigned i = 0; again->op == EXPR_AND && i < again->count; i++)
    if (!ends_at_bound(finder, phi, again->args[i]))
      return false;
  if (!is_bound(again))
    return again->op == EXPR_AND;
  const Expr *counter = unextended(again->args[0]);
  return (counter == phi->expr || counter == phi->next) &&
         loop_keeps(finder->task, phi->loop, again->args[1]) &&
         is_below_too(finder->guard, phi, again->args[1]);
}

// A step by one, or by as many as there are threads or blocks.
static bool is_stride(const Kernel *kernel, const Expr *step) {
  const Expr *a = unextended(step);
  if (a->op == EXPR_MUL)
    return is_stride(kernel, a->args[0]) && is_stride(kernel, a->args[1]);
  if (expr_is_const(a))
    return a->value == 1 || is_known_size(kernel, a);
  return is_size_symbol(a) && a->symbol->kind != SYMBOL_PARAMETER;
}

// A loop that ends early, or leaves rows out, does not come to all of them.
static bool ends_early(const SizeFinder *finder, Expr *x) {
  Task *task = finder->task;
  Symbols symbols = {0};
  expr_symbols(task, x, &symbols);
  for (size_t i = 0; i < symbols.count; i++) {
    const Symbol *symbol = symbols.at[i];
    if (symbol->kind != SYMBOL_PHI)
      continue;
    const Expr *step = expr_sub(task, symbol->next, symbol->expr);
    if (!ends_at_bound(finder, symbol, symbol->loop->again) ||
        !is_stride(finder->kernel, step))
      return true;
  }
  return false;
}

static bool comes_in_part(const SizeFinder *finder, Expr *x) {
  Provenance origin = provenance_of(finder->task, x);
  return ends_early(finder, x) ||
         is_cut(finder, &origin, counted_parts(finder, x), finder->guard);
}

static const Expr *known_factor(const Expr *a) {
  a = unextended(a);
  if (a->op != EXPR_MUL)
    return expr_is_const(a) ? a : NULL;
  const Expr *factor = known_factor(a->args[0]);
  return factor ? factor : known_factor(a->args[1]);
}

// Of a number that is none of the sizes nobody says that there are so many.
static bool is_number(const Kernel *kernel, const Expr *a) {
  const Expr *factor = known_factor(a);
  return factor && !is_known_size(kernel, factor);
}

static void add_product(const SizeFinder *finder, const SizeBound *bound,
                        Expr *size) {
  Task *task = finder->task;
  const Stmt *access = finder->access;
  Expr *sizes =
      expr_and(task, is_natural(task, bound->size), is_natural(task, size));
  Expr *product = expr_and(task, is_made(task, size),
                           fits_bits(task, bound->size, size, finder->bits));
  if (is_size(finder->kernel, bound->size))
    product = expr_and(task, product, is_made(task, bound->size));
  Expr *known = expr_and(task, finder->guard, finder->whole);
  known = expr_and(task, known, expr_and(task, bound->natural, sizes));
  Expr *fact = expr_implies(task, known, product);
  premise_add(task, finder->kernel, PREMISE_SIZES_FIT,
              (Premise){fact, known, access->block, access->number, NULL});
}

// Of numbers that are known: the product is not meant to fit.
static bool is_overfull(const SizeFinder *finder, const SizeBound *bound,
                        Expr *size) {
  const uint64_t most =
      UINT64_MAX >> (64 - least_of(size->width, finder->bits));
  return expr_is_const(bound->least) && expr_is_const(size) &&
         bound->least->value && size->value > most / bound->least->value;
}

static void add_products(const SizeFinder *finder, const SizeProduct *product) {
  for (unsigned k = 0; k < 2; k++) {
    Expr *x = product->factor[k], *size = product->factor[1 - k];
    SizeBounds bounds = {0};
    if (!is_length(finder->kernel, size) || is_size(finder->kernel, x))
      continue;
    add_bounds(finder, x, MOST_DEPTH, &bounds);
    bool is_part = comes_in_part(finder, x);
    bool has_part = is_part || is_number(finder->kernel, size);
    for (size_t i = 0; i < bounds.count; i++) {
      SizeBound *bound = &bounds.at[i];
      if (!is_part && is_overfull(finder, bound, size))
        continue;
      if (has_part || is_number(finder->kernel, bound->size))
        bound->size = rows_up_to(finder->task, x);
      add_product(finder, bound, size);
    }
  }
}

static void add_grouped(const SizeFinder *finder, const SizeProduct *product,
                        unsigned depth);

// Of (y * a) * b the rows are those of y * (a * b) as well, and there is one.
static void add_group(const SizeFinder *finder, Expr *value, Expr *y, Expr *a,
                      Expr *b, unsigned depth) {
  Task *task = finder->task;
  const SizeBound row = {a, expr_bool(task, true), a};
  SizeBounds rows = {0};
  if (depth == 0 || is_size(finder->kernel, y) || !is_size(finder->kernel, a) ||
      !is_times(finder->kernel, b) || is_overfull(finder, &row, b))
    return;
  add_bounds(finder, y, MOST_DEPTH, &rows);
  if (rows.count)
    add_product(finder, &row, b);
  add_grouped(finder, &(SizeProduct){{y, expr_mul(task, a, b)}, value},
              depth - 1);
}

static void add_grouped(const SizeFinder *finder, const SizeProduct *product,
                        unsigned depth) {
  const Kernel *kernel = finder->kernel;
  add_products(finder, product);
  for (size_t i = 0; i < kernel->products.count; i++)
    for (unsigned k = 0; k < 4; k++) {
      const SizeProduct *inner = &kernel->products.at[i];
      if (inner->value == product->factor[k >> 1])
        add_group(finder, product->value, inner->factor[k & 1],
                  inner->factor[!(k & 1)], product->factor[!(k >> 1)], depth);
    }
}

// ----------------------------------------------------------------- places ---

static void find_products(const SizeFinder *finder, Expr *place);

static void find_where(const SizeFinder *finder, Expr *place, Expr *condition) {
  SizeFinder there = *finder;
  there.guard = expr_and(finder->task, finder->guard, condition);
  find_products(&there, place);
}

static bool is_few_less(const Expr *a) { return is_few(a) && is_less(a); }

// It counts something that there is in memory, or it is the sum of such
// numbers, or where their elements are.
static Expr *is_counted(const SizeFinder *finder, Expr *a) {
  enum { BITS_OF_PLACES = 64 };
  Task *task = finder->task;
  SizeBounds bounds = {0};
  Expr *is_below = expr_bool(task, is_few_less(a));
  add_bounds(finder, a, MOST_DEPTH, &bounds);
  for (size_t i = 0; i < bounds.count; i++)
    is_below = expr_or(task, is_below, bounds.at[i].natural);
  if (a->op == EXPR_ADD)
    return expr_or(task, is_below,
                   expr_and(task, is_counted(finder, a->args[0]),
                            is_counted(finder, a->args[1])));
  bool are_elements = a->op == EXPR_MUL && a->width == BITS_OF_PLACES &&
                      expr_is_const(a->args[1]) &&
                      a->args[1]->value <= MOST_ELEMENT;
  return are_elements ? expr_or(task, is_below, is_counted(finder, a->args[0]))
                      : is_below;
}

// Sizes are taken away, as where the row before is read.
static bool is_less_a_size(const SizeFinder *finder, Expr *a) {
  Task *task = finder->task;
  if (a->op == EXPR_ADD)
    return is_less_a_size(finder, a->args[0]) ||
           is_less_a_size(finder, a->args[1]);
  const Expr *less = expr_sub(task, expr_const(task, a->width, 0), a);
  bool are_elements = less->op == EXPR_MUL && expr_is_const(less->args[1]) &&
                      less->args[1]->value <= MOST_ELEMENT;
  return is_size(finder->kernel, are_elements ? less->args[0] : less);
}

// A sum with it is no less.
static Expr *is_added(const SizeFinder *finder, Expr *a) {
  Task *task = finder->task;
  if (is_less_a_size(finder, a))
    return expr_bool(task, false);
  if (is_few_less(a) || counter_bits(a) < a->width)
    return expr_bool(task, true);
  return expr_or(task, premise_is_natural(task, a), is_counted(finder, a));
}

// A product with it is no less, nor as good as any number.
static Expr *is_multiple(const SizeFinder *finder, Expr *a) {
  enum { MANY = 1 << 16 };
  Task *task = finder->task;
  Expr *zero = expr_const(task, a->width, 0);
  if (is_size(finder->kernel, a))
    return expr_and(task, is_natural(task, a),
                    expr_not(task, expr_eq(task, a, zero)));
  if (expr_is_const(a))
    return expr_bool(task, a->value && a->value <= MANY);
  return expr_binary(task, EXPR_SLT, zero, a);
}

// It is what it began with and more: its steps do not go down, and their sum
// does not come round.
static Expr *is_gone_up(Task *task, const Symbol *phi) {
  enum { FEW_BITS = 48, LONG = 64 };
  Expr *step = expr_sub(task, phi->next, phi->expr);
  if (phi->width == LONG && counter_bits(step) <= FEW_BITS)
    return expr_bool(task, true);
  if (!loop_keeps(task, phi->loop, step))
    return expr_bool(task, false);
  Expr *goes_up = premise_is_natural(task, step);
  if (phi->width == LONG || expr_is_false(goes_up))
    return goes_up;
  return expr_and(task, goes_up,
                  counter_stays_below(task, phi, step, false, phi->width));
}

// Of elements that are a few numbers each, as float4 is.
enum { WIDEST = 16, WIDEST_SHIFT = 4 };

static bool is_of_vectors(const Expr *quotient) {
  const Expr *divisor = quotient->args[1];
  uint64_t most = quotient->op == EXPR_LSHR ? WIDEST_SHIFT : WIDEST;
  return expr_is_const(divisor) && divisor->value && divisor->value <= most;
}

static void find_within(const SizeFinder *finder, Expr *part, Expr *whole) {
  SizeFinder there = *finder;
  there.whole = expr_and(finder->task, finder->whole, whole);
  if (!expr_is_false(there.whole))
    find_products(&there, part);
}

static void find_in_bits(const SizeFinder *finder, Expr *part, unsigned bits) {
  SizeFinder there = *finder;
  there.bits = least_of(bits, ADDRESS_BITS);
  find_products(&there, part);
}

// Who keeps so many bits of a place means it to have no more: at = y * row, cut
// to 32 bits, is as good as a product of as many.
static void find_in_cut(const SizeFinder *finder, const Expr *cut) {
  enum { FEWEST_BITS = 32 };
  unsigned bits = least_of(finder->bits, cut->width);
  if (cut->width >= FEWEST_BITS && cut->value <= WIDEST_SHIFT)
    find_in_bits(finder, cut->args[0], bits + (unsigned)cut->value);
}

static void find_in_factors(const SizeFinder *finder, Expr *const factors[2]) {
  for (unsigned i = 0; i < 2; i++)
    find_within(finder, factors[i], is_multiple(finder, factors[1 - i]));
}

// What a place is the sum or the product of.
static void find_in_parts(const SizeFinder *finder, const Expr *place) {
  Task *task = finder->task;
  switch ((unsigned)place->op) {
  case EXPR_ITE:
    find_where(finder, place->args[1], place->args[0]);
    find_where(finder, place->args[2], expr_not(task, place->args[0]));
    return;
  case EXPR_SYMBOL:
    if (place->symbol->init && place->symbol->next)
      find_within(finder, place->symbol->init, is_gone_up(task, place->symbol));
    return;
  case EXPR_ADD:
    for (unsigned i = 0; i < 2; i++)
      find_within(finder, place->args[i], is_added(finder, place->args[1 - i]));
    return;
  case EXPR_MUL:
    find_in_factors(finder, place->args);
    return;
  case EXPR_UDIV:
  case EXPR_LSHR:
    if (is_of_vectors(place))
      find_in_bits(finder, place->args[0], finder->bits + WIDEST_SHIFT);
    return;
  case EXPR_ZEXT:
  case EXPR_SEXT:
    find_products(finder, place->args[0]);
    return;
  case EXPR_EXTRACT:
    find_in_cut(finder, place);
    return;
  }
}

// The place may be of so many bytes or numbers for each element.
static bool is_multiple_of(const Expr *place, const Expr *product) {
  enum { MANY = 1 << 16 };
  uint64_t times = 1, many = 1;
  if (place == product)
    return true;
  if (place->op == EXPR_MUL && expr_is_const(place->args[1])) {
    many = place->args[1]->value;
    place = place->args[0];
  }
  if (product->op == EXPR_MUL && expr_is_const(product->args[1])) {
    times = product->args[1]->value;
    product = product->args[0];
  }
  return place == product && times && many % times == 0 && many <= MANY;
}

static unsigned summands_of(const Expr *a) {
  return a->op == EXPR_ADD ? summands_of(a->args[0]) + 1 : 1;
}

// What a place is besides so many times a product that is a sum itself, as that
// of cells with a few numbers each; NULL: it is not made of it.
static Expr *besides(Task *task, Expr *place, Expr *product, uint64_t many) {
  if (place->op != EXPR_ADD || product->op != EXPR_ADD ||
      place->width != product->width)
    return NULL;
  Expr *times = expr_const(task, place->width, many);
  Expr *rest = expr_sub(task, place, expr_mul(task, product, times));
  unsigned fewer = summands_of(place) - summands_of(product);
  return summands_of(rest) == fewer ? rest : NULL;
}

static void find_sum(const SizeFinder *finder, Expr *place,
                     const SizeProduct *product) {
  for (uint64_t many = 1; many <= MOST_ELEMENT; many *= 2) {
    Expr *rest = besides(finder->task, place, product->value, many);
    if (!rest)
      continue;
    SizeFinder there = *finder;
    there.whole = expr_and(finder->task, finder->whole, is_added(finder, rest));
    if (expr_is_false(there.whole))
      continue;
    add_grouped(&there, product, MOST_SIZES);
    find_in_factors(&there, product->factor);
  }
}

// What several products of one size were put together to: a * s + b * s.
static bool is_joined(const SizeFinder *finder, const Expr *place) {
  const Kernel *kernel = finder->kernel;
  if (place->op != EXPR_MUL || expr_is_const(place->args[1]))
    return false;
  for (size_t i = 0; i < kernel->products.count; i++)
    if (kernel->products.at[i].value == place)
      return false;
  return true;
}

static void find_products(const SizeFinder *finder, Expr *place) {
  const Kernel *kernel = finder->kernel;
  if (expr_map_get(finder->seen, place))
    return;
  expr_map_put(finder->task, finder->seen, place, place);
  if (is_joined(finder, place))
    add_grouped(finder, &(SizeProduct){{place->args[0], place->args[1]}, place},
                MOST_SIZES);
  for (size_t i = 0; i < kernel->products.count; i++) {
    const SizeProduct *product = &kernel->products.at[i];
    find_sum(finder, place, product);
    if (!is_multiple_of(place, product->value))
      continue;
    add_grouped(finder, product, MOST_SIZES);
    find_in_factors(finder, product->factor);
  }
  find_in_parts(finder, place);
}

void kernel_find_sizes(Task *task, Kernel *kernel) {
  for (size_t i = 0; kernel->products.count && i < kernel->stmts.count; i++) {
    const Stmt *stmt = kernel->stmts.at[i];
    if (stmt->kind != STMT_ACCESS || stmt->access.is_for_annotations)
      continue;
    Expr *length = stmt->access.length;
    Expr *none = expr_const(task, length->width, 0);
    Expr *is_made = expr_not(task, expr_eq(task, length, none));
    const SizeFinder finder = {task,
                               kernel,
                               stmt,
                               expr_and(task, stmt->guard, is_made),
                               expr_bool(task, true),
                               expr_map_new(task),
                               false,
                               ADDRESS_BITS};
    find_products(&finder, stmt->access.offset);
  }
}
