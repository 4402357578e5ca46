// Invariants: the user's own, and guesses.
//
// The user's are assumed; that they hold are obligations of their own.
//
// For loop-carried values without a closed form, guesses in the manner of
// GPUVerify's candidate rules: bounds by the value on entry, no negative
// number, a power of two, the same remainder as on entry where all steps are
// multiples of one power of two, no more than the number of iterations so far
// times the largest step, and the value on entry unless this is the last
// iteration.  A counter that goes by equal steps has a closed form, but only
// modulo its width: for it we guess that it has not wrapped, and where the loop
// is left by `i == end` that it has not passed the end. Houdini keeps what
// holds.  Of values that have no bearing on what is to be proved (relevance.c)
// nothing is guessed.

#include "translator/pair.h"

enum { LEAVES_LIMIT = 16 };

typedef struct Guess {
  Task *task;
  Kernel *kernel;
  Loop *loop;
  Symbol *phi;
} Guess;

static void propose(const Guess *guess, Expr *candidate) {
  if (!expr_is_true(candidate) && !expr_is_false(candidate))
    push(&guess->task->arena, &guess->loop->candidates, candidate);
}

static Expr *number(const Guess *guess, uint64_t value) {
  return expr_const(guess->task, guess->phi->width, value);
}

static void propose_bounds(const Guess *guess) {
  static const ExprOp orders[] = {EXPR_SLE, EXPR_ULE};
  Expr *phi = guess->phi->expr, *init = guess->phi->init;
  for (size_t i = 0; i < 2; i++) {
    propose(guess, expr_binary(guess->task, orders[i], init, phi));
    propose(guess, expr_binary(guess->task, orders[i], phi, init));
  }
  propose(guess, expr_binary(guess->task, EXPR_SLE, number(guess, 0), phi));
}

// Keeps i << k from having lost its only bit.
static void propose_not_zero(const Guess *guess) {
  propose(guess, expr_not(guess->task, expr_eq(guess->task, guess->phi->expr,
                                               number(guess, 0))));
}

// What i >> k can be; loops inside need a bound that does not speak of k.
static void propose_shrinking(const Guess *guess) {
  Expr *phi = guess->phi->expr, *init = guess->phi->init;
  propose(guess, expr_binary(guess->task, EXPR_ULE, phi, init));
  propose(guess, expr_binary(guess->task, EXPR_SLE, number(guess, 0), phi));
}

static void propose_power(const Guess *guess) {
  Task *task = guess->task;
  Expr *phi = guess->phi->expr;
  Expr *less = expr_sub(task, phi, number(guess, 1));
  Expr *is_zero = expr_eq(task, phi, number(guess, 0));
  Expr *common = expr_binary(task, EXPR_AND, phi, less);
  propose(guess,
          expr_or(task, is_zero, expr_eq(task, common, number(guess, 0))));
  propose(guess, expr_not(task, is_zero));
}

// The constants that `step` may be; false if it may be something else.
static bool add_steps(Expr *step, uint64_t *steps, unsigned *count) {
  if (step->op == EXPR_ITE)
    return add_steps(step->args[1], steps, count) &&
           add_steps(step->args[2], steps, count);
  if (step->op == EXPR_ZEXT && step->args[0]->width == 1 &&
      *count + 1 < LEAVES_LIMIT) { // a Boolean
    steps[(*count)++] = 0;
    steps[(*count)++] = 1;
    return true;
  }
  if (!expr_is_const(step) || *count == LEAVES_LIMIT)
    return false;
  steps[(*count)++] = step->value;
  return true;
}

// The constants that one iteration may add; false if there are others.
static bool find_steps(const Guess *guess, Expr *next, uint64_t *steps,
                       unsigned *count) {
  if (next->op == EXPR_ITE)
    return find_steps(guess, next->args[1], steps, count) &&
           find_steps(guess, next->args[2], steps, count);
  Expr *step = expr_sub(guess->task, next, guess->phi->expr);
  return add_steps(step, steps, count);
}

static void propose_steps(const Guess *guess) {
  Task *task = guess->task;
  uint64_t steps[LEAVES_LIMIT], bits = 0, largest = 0;
  unsigned count = 0;
  if (!find_steps(guess, guess->phi->next, steps, &count))
    return;
  for (unsigned i = 0; i < count; i++) {
    bits |= steps[i];
    largest = steps[i] > largest ? steps[i] : largest;
  }
  Expr *gone = expr_sub(task, guess->phi->expr, guess->phi->init);
  uint64_t modulus = bits & -bits;
  if (modulus > 1)
    propose(guess, expr_eq(task,
                           expr_binary(task, EXPR_AND, gone,
                                       number(guess, modulus - 1)),
                           number(guess, 0)));
  if (largest < 1024 && guess->phi->width <= 32) {
    Expr *most = expr_mul(task, guess->loop->iteration->expr,
                          expr_const(task, 64, largest));
    propose(guess,
            expr_binary(task, EXPR_ULE, expr_zext(task, gone, 64), most));
  }
}

// It is the same at the start of each iteration of the loop.
static bool is_at_hand(const Guess *guess, Expr *a) {
  Symbols symbols = {0};
  expr_symbols(guess->task, a, &symbols);
  for (size_t i = 0; i < symbols.count; i++) {
    const Symbol *symbol = symbols.at[i];
    if (symbol->loop && loop_is_inside(symbol->loop, guess->loop) &&
        !(symbol->loop == guess->loop && symbol->kind == SYMBOL_PHI))
      return false;
  }
  return true;
}

// What the start of an iteration says of whether there is another one.
static Expr *goes_on(const Guess *guess, Expr *again) {
  Task *task = guess->task;
  if (again->op == EXPR_AND)
    return expr_and(task, goes_on(guess, again->args[0]),
                    goes_on(guess, again->args[1]));
  return is_at_hand(guess, again) ? again : expr_bool(task, true);
}

static bool may_stay(const Guess *guess, const Expr *next) {
  return next == guess->phi->expr ||
         (next->op == EXPR_ITE &&
          (may_stay(guess, next->args[1]) || may_stay(guess, next->args[2])));
}

// A tile that is cut where the data end is whole in each iteration but the
// last.
static void propose_whole(const Guess *guess) {
  Task *task = guess->task;
  Expr *whole = expr_eq(task, guess->phi->expr, guess->phi->init);
  if (may_stay(guess, guess->phi->next))
    propose(guess,
            expr_implies(task, goes_on(guess, guess->loop->again), whole));
}

static bool is_negative(const Expr *a) {
  return expr_is_const(a) && a->value >> (a->width - 1) & 1;
}

// Two iterations are told apart by the counter, or another value goes with it.
static bool needs_exact(const Guess *guess) {
  return guess->loop->phis.count > 1 ||
         loop_has_barrier(guess->kernel, guess->loop, BARRIER_COPY);
}

// i0 <= i for a step up, i <= i0 for one down, signed and unsigned.
static void propose_counter(const Guess *guess, Expr *step) {
  Task *task = guess->task;
  Expr *phi = guess->phi->expr, *init = guess->phi->init;
  bool down = is_negative(step);
  Expr *low = down ? phi : init, *high = down ? init : phi;
  propose(guess, expr_binary(task, EXPR_SLE, low, high));
  propose(guess, expr_binary(task, EXPR_ULE, low, high));
  if (!expr_is_const(step)) {
    propose(guess, counter_is_exact(task, guess->phi, step));
  } else if (needs_exact(guess)) {
    Expr *far = expr_zext(task, expr_sub(task, high, low), 64);
    propose(guess,
            expr_binary(task, EXPR_ULE, guess->loop->iteration->expr, far));
  }
}

// What the counter is when the loop is left by `a == b`; NULL: that is another
// comparison.
static Expr *end_of(const Guess *guess, Expr *a, Expr *b) {
  Expr *phi = guess->phi->expr;
  if (a->width != phi->width)
    return NULL;
  for (int turn = 0; turn < 2; turn++) {
    Expr *off =
        turn ? expr_sub(guess->task, a, b) : expr_sub(guess->task, b, a);
    Expr *end = expr_add(guess->task, phi, off);
    if (!expr_mentions(guess->task, end, guess->phi))
      return end;
  }
  return NULL;
}

// A counter that meets its end exactly does not go past it, nor does any other
// of the loop go on longer.
static void propose_end(const Guess *guess, Expr *step, Expr *end) {
  Task *task = guess->task;
  Expr *phi = guess->phi->expr, *init = guess->phi->init;
  Expr *k = guess->loop->iteration->expr;
  bool down = is_negative(step);
  Expr *size = down ? expr_sub(task, number(guess, 0), step) : step;
  Expr *gone = down ? expr_sub(task, init, phi) : expr_sub(task, phi, init);
  Expr *way = down ? expr_sub(task, init, end) : expr_sub(task, end, init);
  Expr *rounds = expr_to_width(task, k, phi->width, false);
  Expr *most = expr_zext(task, expr_binary(task, EXPR_UDIV, way, size), 64);
  propose(guess,
          expr_and(task, expr_eq(task, gone, expr_mul(task, rounds, size)),
                   expr_binary(task, EXPR_ULE, k, most)));
}

static void propose_ends(const Guess *guess, Expr *step) {
  Exprs order = {0};
  expr_order(guess->task, guess->loop->again, expr_map_new(guess->task),
             &order);
  for (size_t i = 0; i < order.count; i++) {
    Expr *e = order.at[i];
    Expr *end = e->op == EXPR_EQ && expr_mentions(guess->task, e, guess->phi)
                    ? end_of(guess, e->args[0], e->args[1])
                    : NULL;
    if (end)
      propose_end(guess, step, end);
  }
}

static void propose_for(const Guess *guess) {
  Expr *step = expr_sub(guess->task, guess->phi->next, guess->phi->expr);
  bool moves = guess->phi->closed && guess->phi->next != guess->phi->expr;
  bool is_counter = moves && !expr_mentions(guess->task, step, guess->phi);
  if (guess->phi->closed && guess->loop->rounds) {
    if (is_counter)
      counter_of_rounds(guess->task, guess->kernel, guess->phi, step);
    return; // nothing is left to be guessed
  }
  if (is_counter) {
    if (!counter_assume(guess->task, guess->kernel, guess->phi, step))
      propose_counter(guess, step);
    if (expr_is_const(step))
      propose_ends(guess, step);
  } else if (moves) {
    propose_not_zero(guess);
    propose_shrinking(guess);
  } else if (!guess->phi->closed) {
    propose_bounds(guess);
    propose_power(guess);
    propose_steps(guess);
    propose_whole(guess);
  }
}

static void assume_asserted(Task *task, Loop *loop) {
  for (size_t i = 0; i < loop->asserted.count; i++)
    push(&task->arena, &loop->invariants, loop->asserted.at[i]->condition);
}

static bool has_guesses(const Symbol *phi) {
  return phi->is_relevant && phi->width > 1 && phi->width <= 64;
}

void kernel_propose_invariants(Task *task, Kernel *kernel) {
  kernel_find_relevant(task, kernel);
  for (size_t i = 0; i < kernel->loops.count; i++) {
    Loop *loop = kernel->loops.at[i];
    assume_asserted(task, loop);
    for (size_t k = 0; k < loop->phis.count; k++) {
      Guess guess = {task, kernel, loop, loop->phis.at[k]};
      if (has_guesses(guess.phi))
        propose_for(&guess);
    }
  }
}
