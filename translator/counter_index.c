// Counters that are an index, as of the next row.
//
// If each round of a loop accesses the place
//
//   offset = factor * counter + rest
//
// of one array, then the counter cannot have gone up by much: the array would
// be larger than any memory.  For this
//
// - the access is made in each round, in the loop, of one byte at least, and in
//   an ordinary compilation, too;
// - the offset goes up by so little a round that it does not come round;
// - the rest does not go down: it stays as it is in the loop, but for what has
//   few bits.  So it contains no other counter of 64 bits, which might go as
//   far as this one and take away what it adds.
//
// With objects of less than 2^56 bytes, the rounds' offsets but for the rest's
// few bits are numbers between -2^56 and 2^56 that go up by less than 2^60.  So
// they end, and the counter has gone up by less than 2^57.

#include "translator/translator.h"

static Expr *replace_by_next(Task *task, Symbol *symbol, void *data) {
  return symbol == data
             ? expr_add(task, symbol->expr, expr_const(task, symbol->width, 1))
             : symbol->expr;
}

// How many bytes one more is, if that is always the same number, else 0.
static uint64_t bytes_of_one(Task *task, Expr *offset, Symbol *phi) {
  enum { MOST_BYTES = 1 << 16 };
  Substitution substitution = {.replace = replace_by_next, .data = phi};
  Expr *next = expr_substitute(task, &substitution, offset);
  Expr *more = expr_sub(task, next, offset);
  return expr_is_const(more) && more->value <= MOST_BYTES ? more->value : 0;
}

// What changes in it is small.
static bool stays(Task *task, const Loop *loop, Expr *rest, unsigned *terms) {
  enum { MOST_TERMS = 128, FEW_BITS = 48 };
  if (rest->op == EXPR_ADD)
    return stays(task, loop, rest->args[0], terms) &&
           stays(task, loop, rest->args[1], terms);
  return ++*terms <= MOST_TERMS &&
         (loop_keeps(task, loop, rest) || counter_bits(rest) <= FEW_BITS);
}

static bool goes_on(Task *task, Expr *offset, Symbol *phi, const Expr *step) {
  enum { MOST_BITS = 60 };
  unsigned terms = 0, bits = 0;
  uint64_t bytes = bytes_of_one(task, offset, phi);
  if (!bytes)
    return false;
  Expr *factor = expr_const(task, phi->width, bytes);
  Expr *rest = expr_sub(task, offset, expr_mul(task, phi->expr, factor));
  while (bytes >> bits)
    bits++;
  return bits + counter_bits(step) <= MOST_BITS &&
         !expr_mentions(task, rest, phi) &&
         stays(task, phi->loop, rest, &terms);
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

static bool is_made(const Access *access) {
  return !access->is_for_annotations && expr_is_const(access->length) &&
         access->length->value;
}

// The guard of the access is a part of what going round takes.
static bool is_in_each_round(const Loop *loop, const ExprMap *again,
                             const Stmt *stmt) {
  return stmt->kind == STMT_ACCESS && loop_contains(loop, stmt->block) &&
         are_conjuncts(again, stmt->guard);
}

bool counter_is_index(Task *task, const Kernel *kernel, Symbol *phi,
                      Expr *step) {
  ExprMap *again = expr_map_new(task);
  add_conjuncts(task, phi->loop->again, again);
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    const Stmt *stmt = kernel->stmts.at[i];
    if (is_in_each_round(phi->loop, again, stmt) && is_made(&stmt->access) &&
        goes_on(task, stmt->access.offset, phi, step))
      return true;
  }
  return false;
}
