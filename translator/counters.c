// Counters that do not wrap.
//
// A loop-carried value that goes by equal steps is i0 + k * d modulo its width
// (recurrence.c).  That it has not wrapped on the way is guessed and proved
// where the loop's own bound sees to it (candidates.c).  Where the bound does
// not see to it:
//
// A counter of 64 bits is assumed not to wrap, if that would take too long, or
// lead to an address or a number of elements that no machine has:
// SOUND(long-counters).
//
// A counter of 32 bits may wrap: with n near 2^32, i += stride passes 2^32
// before it passes n.  The fact that it does not is kept aside: an alarm that
// contradicts it says so, and --no-overflow assumes it.  Counters of fewer bits
// wrap in real programs; nothing is kept of them.

#include "translator/translator.h"

// In the counter's own width the number of the iteration is the factor that
// the closed form has, too.
Expr *counter_is_exact(Task *task, const Symbol *phi, Expr *step) {
  unsigned width = phi->width, wide = 2 * width;
  Expr *iteration = phi->loop->iteration->expr;
  Expr *k = expr_to_width(task, iteration, width, false);
  Expr *gone = expr_sub(task, phi->expr, phi->init);
  Expr *product =
      expr_mul(task, expr_zext(task, step, wide), expr_zext(task, k, wide));
  Expr *is_all = expr_eq(task, expr_zext(task, k, iteration->width), iteration);
  return expr_and(task, is_all,
                  expr_eq(task, expr_zext(task, gone, wide), product));
}

// init + iteration * step, as integers, is below 2^bits.  With a step of zero
// the loop may go round any number of times.
static Expr *stays_below(Task *task, const Symbol *phi, Expr *step,
                         bool is_signed, unsigned bits) {
  unsigned width = phi->width, wide = 2 * width + 1;
  Expr *iteration = phi->loop->iteration->expr;
  Expr *k = expr_to_width(task, iteration, width, false);
  Expr *gone = expr_mul(task, expr_zext(task, step, 2 * width),
                        expr_zext(task, k, 2 * width));
  Expr *init = is_signed ? expr_sext(task, phi->init, wide)
                         : expr_zext(task, phi->init, wide);
  Expr *sum = expr_add(task, init, expr_zext(task, gone, wide));
  Expr *limit = expr_binary(task, EXPR_SHL, expr_const(task, wide, 1),
                            expr_const(task, wide, bits));
  Expr *is_all = expr_eq(task, expr_zext(task, k, iteration->width), iteration);
  Expr *stays = expr_eq(task, step, expr_const(task, width, 0));
  return expr_and(
      task, expr_or(task, stays, is_all),
      expr_binary(task, is_signed ? EXPR_SLT : EXPR_ULT, sum, limit));
}

// ----------------------------------------------------------- of 64 bits ---

static unsigned bits_of_constant(uint64_t value) {
  unsigned bits = 0;
  while (bits < 64 && value >> bits)
    bits++;
  return bits;
}

static unsigned bits_of_symbol(const Symbol *symbol) {
  enum { BLOCK_SIZE_BITS = 17, GRID_SIZE_BITS = 31 };
  if (symbol->kind == SYMBOL_BLOCK_SIZE || symbol->kind == SYMBOL_THREAD_ID)
    return BLOCK_SIZE_BITS;
  if (symbol->kind == SYMBOL_GRID_SIZE || symbol->kind == SYMBOL_BLOCK_ID)
    return GRID_SIZE_BITS;
  return symbol->width;
}

static unsigned bits_within(const Expr *a, unsigned depth) {
  unsigned bits[2] = {0}, most = a->width;
  for (unsigned i = 0; depth && i < a->count && i < 2; i++)
    bits[i] = bits_within(a->args[i], depth - 1);
  if (a->op == EXPR_CONST)
    most = bits_of_constant(a->value);
  else if (a->op == EXPR_SYMBOL)
    most = bits_of_symbol(a->symbol);
  else if (depth && a->op == EXPR_ZEXT)
    most = bits[0];
  else if (depth && a->op == EXPR_MUL)
    most = bits[0] + bits[1];
  else if (depth && a->op == EXPR_ADD)
    most = (bits[0] > bits[1] ? bits[0] : bits[1]) + 1;
  return most < a->width ? most : a->width;
}

unsigned counter_bits(const Expr *a) {
  enum { DEPTH = 8 };
  return bits_within(a, DEPTH);
}

static Expr *replace_by_next(Task *task, Symbol *symbol, void *data) {
  return symbol == data
             ? expr_add(task, symbol->expr, expr_const(task, symbol->width, 1))
             : symbol->expr;
}

// One more is so many bytes more, as it is of an index.
static bool grows_with(Task *task, Expr *offset, Symbol *phi) {
  enum { MOST_BYTES = 1 << 16 };
  Substitution substitution = {.replace = replace_by_next, .data = phi};
  Expr *next = expr_substitute(task, &substitution, offset);
  Expr *more = expr_sub(task, next, offset);
  return expr_is_const(more) && more->value && more->value <= MOST_BYTES;
}

static void add_conjuncts(Task *task, Expr *a, ExprMap *conjuncts) {
  expr_map_put(task, conjuncts, a, a);
  for (unsigned i = 0; a->op == EXPR_AND && i < a->count; i++)
    add_conjuncts(task, a->args[i], conjuncts);
}

static bool are_conjuncts(const ExprMap *conjuncts, const Expr *a) {
  if (expr_is_true(a) || expr_map_get(conjuncts, a))
    return true;
  for (unsigned i = 0; i < a->count; i++)
    if (a->op != EXPR_AND || !are_conjuncts(conjuncts, a->args[i]))
      return false;
  return a->op == EXPR_AND;
}

// Whoever goes round the loop makes an access for which the counter is an
// index: the guard of the access is a part of what going round takes.
static bool is_index(Task *task, const Kernel *kernel, Symbol *phi) {
  ExprMap *conjuncts = expr_map_new(task);
  add_conjuncts(task, phi->loop->again, conjuncts);
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    const Stmt *stmt = kernel->stmts.at[i];
    if (stmt->kind == STMT_ACCESS && are_conjuncts(conjuncts, stmt->guard) &&
        grows_with(task, stmt->access.offset, phi))
      return true;
  }
  return false;
}

static bool is_size(const Expr *a) {
  return a->op == EXPR_SYMBOL && (a->symbol->kind == SYMBOL_BLOCK_SIZE ||
                                  a->symbol->kind == SYMBOL_GRID_SIZE);
}

// The threads of the sizes that are known.
static double known_threads(const Kernel *kernel) {
  double threads = 1;
  for (unsigned axis = 0; axis < 3; axis++) {
    if (expr_is_const(kernel->block_size[axis]))
      threads *= (double)kernel->block_size[axis]->value;
    if (expr_is_const(kernel->grid_size[axis]))
      threads *= (double)kernel->grid_size[axis]->value;
  }
  return threads;
}

// What is cut to fewer bits than an int has may be any number.
static bool keeps_size(const Expr *e) {
  enum { INT_BITS = 32 };
  bool is_whole = e->op == EXPR_EXTRACT && e->width >= INT_BITS;
  bool is_multiple = e->op == EXPR_SHL && !expr_is_const(e->args[0]);
  return e->count == 0 || e->op == EXPR_ADD || e->op == EXPR_MUL ||
         e->op == EXPR_UDIV || is_multiple || e->op == EXPR_LSHR ||
         e->op == EXPR_ZEXT || e->op == EXPR_SEXT || is_whole;
}

static bool is_small(const Kernel *kernel, const Expr *e) {
  const double most_each = 1 << 10; // elements of a thread
  return expr_is_const(e) && !(e->value >> (e->width - 1) & 1) &&
         (double)e->value <= known_threads(kernel) * most_each;
}

// Made of the sizes of the launch and of small numbers.
static bool is_stride(Task *task, const Kernel *kernel, Expr *step) {
  Exprs order = {0};
  expr_order(task, step, expr_map_new(task), &order);
  for (size_t i = 0; i < order.count; i++) {
    const Expr *e = order.at[i];
    if (!keeps_size(e) ||
        (e->count == 0 && !is_size(e) && !is_small(kernel, e)))
      return false;
  }
  return true;
}

bool counter_is_long(Task *task, const Kernel *kernel, Symbol *phi,
                     Expr *step) {
  enum { WIDTH = 64, SLOW_BITS = 16, STEP_BITS = 48, START_BITS = 62 };
  unsigned bits = counter_bits(step);
  if (phi->width != WIDTH || bits > STEP_BITS ||
      counter_bits(phi->init) > START_BITS)
    return false;
  bool ends_loop = expr_mentions(task, phi->loop->again, phi);
  return bits <= SLOW_BITS || is_index(task, kernel, phi) ||
         (ends_loop && is_stride(task, kernel, step));
}

static void assume_long(Task *task, Kernel *kernel, Symbol *phi, Expr *step) {
  enum { BITS = 63 };
  push(&task->arena, &phi->loop->invariants,
       stays_below(task, phi, step, false, BITS));
  kernel_assume(task, kernel, "long-counters");
}

// ----------------------------------------------------------- of 32 bits ---

// Does the loop compare the counter, or what is made of it, as signed?
static bool is_signed(Task *task, const Symbol *phi) {
  Exprs order = {0};
  expr_order(task, phi->loop->again, expr_map_new(task), &order);
  for (size_t i = 0; i < order.count; i++) {
    Expr *e = order.at[i];
    if ((e->op == EXPR_SLT || e->op == EXPR_SLE) && expr_mentions(task, e, phi))
      return true;
  }
  return false;
}

static void keep_aside(Task *task, Kernel *kernel, Symbol *phi, Expr *step) {
  bool has_sign = is_signed(task, phi);
  Expr *fact = stays_below(task, phi, step, has_sign, phi->width - has_sign);
  push(&task->arena, &kernel->no_overflow,
       expr_implies(task, phi->loop->entry, fact));
}

// The counter itself, or with something added to it.
static bool is_counter(const Symbol *phi, const Expr *a) {
  while (a->op == EXPR_SEXT)
    a = a->args[0];
  if (a->op != EXPR_ADD)
    return a == phi->expr;
  for (unsigned i = 0; i < a->count; i++)
    if (is_counter(phi, a->args[i]))
      return true;
  return false;
}

// Its loop goes on by how it compares as a signed number.
static bool is_signed_counter(Task *task, const Symbol *phi) {
  Exprs order = {0};
  expr_order(task, phi->loop->again, expr_map_new(task), &order);
  for (size_t i = 0; i < order.count; i++) {
    const Expr *e = order.at[i];
    bool is_compared = e->op == EXPR_SLE || e->op == EXPR_SLT;
    if (is_compared &&
        (is_counter(phi, e->args[0]) || is_counter(phi, e->args[1])))
      return true;
  }
  return false;
}

// SOUND(no-signed-overflow), of a counter that goes up.  What is added may be
// negative where nobody knows it: then nothing is said.
static void add_premise(Task *task, Kernel *kernel, Symbol *phi, Expr *step) {
  if (!phi->steps_as_signed || !is_signed_counter(task, phi))
    return;
  Expr *goes_up =
      expr_binary(task, EXPR_SLE, expr_const(task, step->width, 0), step);
  Expr *fact = stays_below(task, phi, step, true, phi->width - 1);
  fact = expr_implies(task, expr_and(task, phi->loop->entry, goes_up), fact);
  premise_add(task, kernel, PREMISE_NO_SIGNED_OVERFLOW,
              (Premise){.fact = fact, .loop = phi->loop});
}

// The counter itself, or what it is soon.
static bool is_soon(const Symbol *phi, const Expr *step, const Expr *a) {
  enum { SOON = 1 << 10 };
  while (a->op == EXPR_SEXT || a->op == EXPR_ZEXT)
    a = a->args[0];
  if (a == phi->expr || a->op != EXPR_ADD)
    return a == phi->expr;
  bool is_left = a->args[0] == phi->expr;
  const Expr *more = a->args[is_left];
  bool is_few = expr_is_const(more) && more->value <= SOON;
  return (is_left || a->args[1] == phi->expr) && (is_few || more == step);
}

// Round the loop goes who finds the counter below something.
static bool is_below(Task *task, const Symbol *phi, const Expr *step,
                     const Expr *again, bool has_sign) {
  for (unsigned i = 0; again->op == EXPR_AND && i < again->count; i++)
    if (is_below(task, phi, step, again->args[i], has_sign))
      return true;
  return again->op == (has_sign ? EXPR_SLT : EXPR_ULT) &&
         is_soon(phi, step, again->args[0]) &&
         !expr_mentions(task, again->args[1], phi);
}

// SOUND(sizes-fit), of a counter that goes up by the number of threads.  Where
// it is compared in both ways nobody knows which its type is.
static void add_stride(Task *task, Kernel *kernel, Symbol *phi, Expr *step) {
  const Expr *again = phi->loop->again;
  bool has_sign = is_below(task, phi, step, again, true);
  bool is_bounded = has_sign != is_below(task, phi, step, again, false);
  bool goes_by_threads = is_stride(task, kernel, step);
  if (!is_bounded || !goes_by_threads)
    return;
  Expr *fact = stays_below(task, phi, step, has_sign, phi->width - has_sign);
  fact = expr_implies(task, phi->loop->entry, fact);
  premise_add(task, kernel, PREMISE_SIZES_FIT,
              (Premise){.fact = fact, .loop = phi->loop});
}

bool counter_assume(Task *task, Kernel *kernel, Symbol *phi, Expr *step) {
  enum { LEAST_WIDTH = 32 };
  bool goes_down = expr_is_const(step) && step->width <= 64 &&
                   step->value >> (step->width - 1) & 1;
  if (goes_down || phi->width < LEAST_WIDTH)
    return false;
  bool is_run = !phi->is_for_annotations;
  if (is_run && counter_is_long(task, kernel, phi, step)) {
    assume_long(task, kernel, phi, step);
    return true;
  }
  keep_aside(task, kernel, phi, step);
  if (is_run) {
    add_premise(task, kernel, phi, step);
    add_stride(task, kernel, phi, step);
  }
  return false;
}
