// Guessed invariants of the two-thread program's loops.
//
// After GPUVerify's list ("The Design and Implementation of a Verification
// Technique for GPU Kernels", TOPLAS 2015), as far as there is a use for it
// here: about who is in the loop, about what it carries, and about the log.
// Boogie's Houdini drops those that do not hold, so a bad guess costs time
// and nothing else.
//
//   who       both threads are in it or neither is; who entered it is in it
//             or has left it where its conditions say
//   carried   equal in both threads; what it was, plus rounds * step; at least
//             (at most) what it was; a power of two; up to what it is compared
//             with
//   log       nothing is logged; what is, lies where an access of thread 1
//             went, or has gone in an earlier round: between its first offset
//             and its current one, or so many steps from the first

#include "translator/lockstep.h"

typedef struct Guess {
  Maker *maker;
  Task *task;
  const Loop *loop;
  LockstepStep *repeat;
  unsigned index; // of the loop
} Guess;

static void propose(const Guess *guess, Expr *candidate) {
  Exprs *all = &guess->repeat->candidates;
  for (size_t i = 0; i < all->count; i++)
    if (all->at[i] == candidate)
      return;
  if (!expr_is_const(candidate))
    push(&guess->task->arena, all, candidate);
}

static void propose_if(const Guess *guess, Expr *condition, Expr *candidate) {
  propose(guess, expr_implies(guess->task, condition, candidate));
}

static Expr *turn(const Guess *guess, unsigned thread) {
  return guess->maker->turn[thread][guess->index]->expr;
}

static Expr *entered(const Guess *guess, unsigned thread) {
  return guess->maker->entered[thread][guess->index]->expr;
}

static bool is_in(const Loop *inner, const Loop *outer) {
  while (inner && inner != outer)
    inner = inner->parent;
  return inner == outer;
}

// Something that the loop computes anew occurs in `a`.
static bool changes(const Guess *guess, Expr *a) {
  Symbols symbols = {0};
  expr_symbols(guess->task, a, &symbols);
  for (size_t i = 0; i < symbols.count; i++)
    if (symbols.at[i]->loop && is_in(symbols.at[i]->loop, guess->loop))
      return true;
  return false;
}

// The same of both threads: always, if both entered the loop, or if they are
// of one warp and wait for each other alone.
static void propose_same(const Guess *guess, Expr *one, Expr *two) {
  Task *task = guess->task;
  Expr *same = expr_eq(task, one, two);
  propose(guess, same);
  propose_if(guess, expr_and(task, entered(guess, 0), entered(guess, 1)), same);
  if (guess->maker->same_warp)
    propose_if(guess, guess->maker->same_warp, same);
}

// ------------------------------------------------------------------- who ---

static bool leaves(const Edge *edge, const Loop *loop) {
  return is_in(edge->from->loop, loop) && !is_in(edge->to->loop, loop);
}

static Symbol *way_out(const Maker *maker, const Edge *edge, unsigned t) {
  return edge->is_back ? maker->came[t][edge->to->loop->index]
                       : maker->left[t][edge->to->index];
}

// Who left by an edge meets its conditions, with the values it left with.
static Expr *conditions_of(const Guess *guess, const Edge *like, unsigned t) {
  Expr *any = expr_bool(guess->task, false);
  for (size_t i = 0; i < guess->loop->blocks.count; i++) {
    const BasicBlock *block = guess->loop->blocks.at[i];
    for (size_t k = 0; k < block->out.count; k++) {
      const Edge *edge = block->out.at[k];
      if (leaves(edge, guess->loop) && edge->to == like->to)
        any = expr_or(guess->task, any,
                      lockstep_copy(guess->maker, t, edge->guard));
    }
  }
  return any;
}

static void propose_exits(const Guess *guess, unsigned t) {
  Task *task = guess->task;
  Expr *somewhere = turn(guess, t);
  for (size_t i = 0; i < guess->loop->blocks.count; i++) {
    const BasicBlock *block = guess->loop->blocks.at[i];
    for (size_t k = 0; k < block->out.count; k++) {
      const Edge *edge = block->out.at[k];
      if (!leaves(edge, guess->loop))
        continue;
      Expr *left = way_out(guess->maker, edge, t)->expr;
      somewhere = expr_or(task, somewhere, left);
      propose_if(guess, turn(guess, t), expr_not(task, left));
      propose_if(guess, expr_and(task, entered(guess, t), left),
                 conditions_of(guess, edge, t));
      if (t == 1)
        propose_same(guess, way_out(guess->maker, edge, 0)->expr, left);
    }
  }
  propose_if(guess, turn(guess, t), entered(guess, t));
  propose_if(guess, entered(guess, t), somewhere);
}

// --------------------------------------------------------------- carried ---

static Expr *number(const Symbol *phi, Task *task, uint64_t value) {
  return expr_const(task, phi->width, value);
}

static void propose_sum(const Guess *guess, const Symbol *phi, unsigned t) {
  Task *task = guess->task;
  Maker *maker = guess->maker;
  Expr *step = expr_sub(task, phi->next, phi->expr);
  if (changes(guess, step))
    return;
  Expr *rounds =
      expr_to_width(task, maker->rounds[guess->index]->expr, phi->width, false);
  Expr *sum = expr_add(task, lockstep_copy(maker, t, phi->init),
                       expr_mul(task, rounds, lockstep_copy(maker, t, step)));
  propose_if(guess, turn(guess, t),
             expr_eq(task, lockstep_copy(maker, t, phi->expr), sum));
}

static void propose_order(const Guess *guess, const Symbol *phi, unsigned t) {
  Task *task = guess->task;
  Expr *x = lockstep_copy(guess->maker, t, phi->expr);
  Expr *init = lockstep_copy(guess->maker, t, phi->init);
  Expr *here = entered(guess, t);
  propose_if(guess, here, expr_binary(task, EXPR_SLE, init, x));
  propose_if(guess, here, expr_binary(task, EXPR_ULE, init, x));
  propose_if(guess, here, expr_binary(task, EXPR_SLE, x, init));
  propose_if(guess, here, expr_binary(task, EXPR_ULE, x, init));
}

static bool is_scaled(const Expr *next, const Expr *phi) {
  bool is_scaling = next->op == EXPR_SHL || next->op == EXPR_LSHR ||
                    next->op == EXPR_ASHR || next->op == EXPR_UDIV ||
                    next->op == EXPR_SDIV || next->op == EXPR_MUL;
  return is_scaling && next->args[0] == phi;
}

static void propose_power(const Guess *guess, const Symbol *phi, unsigned t) {
  Task *task = guess->task;
  if (!is_scaled(phi->next, phi->expr))
    return;
  Expr *x = lockstep_copy(guess->maker, t, phi->expr);
  Expr *zero = number(phi, task, 0);
  Expr *less = expr_sub(task, x, number(phi, task, 1));
  propose_if(guess, entered(guess, t),
             expr_eq(task, expr_binary(task, EXPR_AND, x, less), zero));
  propose_if(guess, entered(guess, t), expr_not(task, expr_eq(task, x, zero)));
  propose_if(guess, entered(guess, t), expr_binary(task, EXPR_SLE, zero, x));
}

// x <= bound, or x is still what it was.
static void propose_bound(const Guess *guess, const Symbol *phi, ExprOp op,
                          Expr *bound, bool is_upper, unsigned t) {
  Task *task = guess->task;
  Expr *x = lockstep_copy(guess->maker, t, phi->expr);
  Expr *init = lockstep_copy(guess->maker, t, phi->init);
  bound = lockstep_copy(guess->maker, t, bound);
  ExprOp order = op == EXPR_SLT || op == EXPR_SLE ? EXPR_SLE : EXPR_ULE;
  Expr *within = is_upper ? expr_binary(task, order, x, bound)
                          : expr_binary(task, order, bound, x);
  propose_if(guess, entered(guess, t),
             expr_or(task, within, expr_eq(task, x, init)));
}

static void propose_compared(const Guess *guess, const Symbol *phi, Expr *e,
                             unsigned t) {
  if (e->count != 2)
    return;
  for (int side = 0; side < 2; side++) {
    Expr *bound = e->args[1 - side];
    if (e->args[side] != phi->expr || changes(guess, bound))
      continue;
    if (e->op == EXPR_EQ)
      propose_bound(guess, phi, EXPR_SLE, bound, true, t);
    else
      propose_bound(guess, phi, e->op, bound, side == 0, t);
  }
}

static void propose_bounds(const Guess *guess, const Symbol *phi, unsigned t) {
  for (size_t i = 0; i < guess->loop->blocks.count; i++) {
    const BasicBlock *block = guess->loop->blocks.at[i];
    for (size_t k = 0; k < block->out.count; k++) {
      Exprs order = {0};
      expr_order(guess->task, block->out.at[k]->condition,
                 expr_map_new(guess->task), &order);
      for (size_t e = 0; e < order.count; e++)
        if (order.at[e]->op == EXPR_SLT || order.at[e]->op == EXPR_SLE ||
            order.at[e]->op == EXPR_ULT || order.at[e]->op == EXPR_ULE ||
            order.at[e]->op == EXPR_EQ)
          propose_compared(guess, phi, order.at[e], t);
    }
  }
}

static void propose_equal(const Guess *guess, const Symbol *symbol) {
  Task *task = guess->task;
  Maker *maker = guess->maker;
  Expr *one = lockstep_copy(maker, 0, symbol->expr);
  Expr *two = lockstep_copy(maker, 1, symbol->expr);
  propose_same(guess, one, two);
  propose_if(guess, expr_and(task, turn(guess, 0), turn(guess, 1)),
             expr_eq(task, one, two));
}

static void propose_carried(const Guess *guess, const Symbol *phi) {
  for (unsigned t = 0; t < guess->maker->threads; t++) {
    if (phi->width == 1 || phi->width > 64)
      continue;
    propose_sum(guess, phi, t);
    propose_order(guess, phi, t);
    propose_power(guess, phi, t);
    propose_bounds(guess, phi, t);
  }
  if (guess->maker->threads == 2)
    propose_equal(guess, phi);
}

// ------------------------------------------------------------------- log ---

static Expr *to_start(Task *task, Symbol *symbol, void *data) {
  (void)task;
  const Loop *from = data;
  bool is_inside = from ? is_in(symbol->loop, from) : symbol->loop != NULL;
  return symbol->kind == SYMBOL_PHI && is_inside ? symbol->init : symbol->expr;
}

// With what loops from `from` on inwards carry as it is on entry; NULL: all.
static Expr *at_start(Task *task, Expr *a, const Loop *from) {
  for (const Expr *before = NULL; a != before;) {
    Substitution substitution = {.replace = to_start, .data = (void *)from};
    before = a;
    a = expr_substitute(task, &substitution, a);
  }
  return a;
}

static Expr *to_next(Task *task, Symbol *symbol, void *data) {
  (void)task;
  return symbol == data ? symbol->next : symbol->expr;
}

// What every round of every loop adds to `a` is a multiple of this; 0: it adds
// nothing; 1: nothing is known.
static uint64_t modulus_of(Task *task, Expr *a) {
  Symbols symbols = {0};
  uint64_t all = 0;
  expr_symbols(task, a, &symbols);
  for (size_t i = 0; i < symbols.count; i++) {
    Symbol *symbol = symbols.at[i];
    if (!symbol->loop)
      continue;
    if (symbol->kind != SYMBOL_PHI)
      return 1;
    Substitution substitution = {.replace = to_next, .data = symbol};
    Expr *added = expr_sub(task, expr_substitute(task, &substitution, a), a);
    if (!expr_is_const(added))
      return 1;
    all |= added->value;
  }
  return all & -all;
}

typedef enum Form { FORM_BETWEEN, FORM_BETWEEN_ALL, FORM_STEPS } Form;

// Where thread 1 can have gone by this access so far.
static Expr *went(const Guess *guess, const Access *access, Form form) {
  Task *task = guess->task;
  Maker *maker = guess->maker;
  Expr *length = lockstep_copy(maker, 0, access->length);
  Expr *plain = lockstep_copy(maker, 0, access->offset);
  if (!changes(guess, access->offset) && form != FORM_BETWEEN_ALL)
    return lockstep_covers(maker, plain, length);
  Expr *first =
      at_start(task, access->offset, form == FORM_BETWEEN ? guess->loop : NULL);
  Expr *begin = lockstep_copy(maker, 0, first);
  Expr *gone = expr_sub(task, maker->watched->expr, begin);
  if (form == FORM_STEPS) {
    uint64_t modulus = modulus_of(task, access->offset);
    if (modulus < 2)
      return expr_bool(task, modulus == 1);
    Expr *mask = expr_const(task, 64, modulus - 1);
    return expr_binary(task, EXPR_ULT, expr_binary(task, EXPR_AND, gone, mask),
                       length);
  }
  // Inner loops have not begun where this one's head is.
  Expr *now = access->offset;
  for (size_t i = 0; i < maker->kernel->loops.count; i++) {
    const Loop *loop = maker->kernel->loops.at[i];
    if (loop != guess->loop && is_in(loop, guess->loop))
      now = at_start(task, now, loop);
  }
  Expr *far = expr_sub(task, lockstep_copy(maker, 0, now), begin);
  Expr *done = expr_binary(task, EXPR_ULT, gone, far);
  return form == FORM_BETWEEN
             ? done
             : expr_or(task, done, lockstep_covers(maker, plain, length));
}

static bool is_logged_as(const Maker *maker, const Stmt *stmt,
                         const Symbol *flag) {
  if (stmt->kind != STMT_ACCESS)
    return false;
  Log *log = &maker->logs[stmt->access.array->number];
  return log->is_kept && *lockstep_flag(log, &stmt->access) == flag;
}

// The loops around are one text: what comes behind this loop in them may have
// been logged in the round before.
static const Loop *outermost(const Loop *loop) {
  while (loop->parent)
    loop = loop->parent;
  return loop;
}

static bool may_be_logged(const Guess *guess, const Stmt *stmt) {
  return stmt->block->index < guess->loop->header->index ||
         is_in(stmt->block->loop, outermost(guess->loop));
}

static void propose_places(const Guess *guess, Symbol *flag, Form form) {
  const Kernel *kernel = guess->maker->kernel;
  Task *task = guess->task;
  Expr *any = expr_bool(task, false);
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    const Stmt *stmt = kernel->stmts.at[i];
    if (is_logged_as(guess->maker, stmt, flag) && may_be_logged(guess, stmt))
      any = expr_or(task, any, went(guess, &stmt->access, form));
  }
  propose_if(guess, flag->expr, any);
}

static void propose_flag(const Guess *guess, Symbol *flag) {
  if (!flag)
    return;
  propose(guess, expr_not(guess->task, flag->expr));
  if (guess->maker->same_warp)
    propose_if(guess, guess->maker->same_warp,
               expr_not(guess->task, flag->expr));
  propose_places(guess, flag, FORM_BETWEEN);
  propose_places(guess, flag, FORM_BETWEEN_ALL);
  propose_places(guess, flag, FORM_STEPS);
}

static void propose_logs(const Guess *guess) {
  const Kernel *kernel = guess->maker->kernel;
  for (size_t i = 0; i < kernel->arrays.count; i++) {
    const Log *log = &guess->maker->logs[kernel->arrays.at[i]->number];
    if (!log->is_kept)
      continue;
    propose_flag(guess, log->read);
    propose_flag(guess, log->write);
    for (int k = 0; k < STRENGTHS; k++) {
      propose_flag(guess, log->atomic[k]);
      propose_flag(guess, log->strong_read[k]);
    }
  }
}

void lockstep_propose(Maker *maker, const Loop *loop, LockstepStep *repeat) {
  Guess guess = {maker, maker->task, loop, repeat, loop->index};
  for (unsigned t = 0; t < maker->threads; t++)
    propose_exits(&guess, t);
  for (size_t i = 0; i < loop->phis.count; i++)
    propose_carried(&guess, loop->phis.at[i]);
  for (size_t i = 0; i < loop->candidates.count; i++)
    for (unsigned t = 0; t < maker->threads; t++)
      propose_if(&guess, turn(&guess, t),
                 lockstep_copy(maker, t, loop->candidates.at[i]));
  for (size_t i = 0; i < loop->asserted.count; i++)
    for (unsigned t = 0; t < maker->threads; t++)
      propose_if(&guess, turn(&guess, t),
                 lockstep_copy(maker, t, loop->asserted.at[i]->condition));
  if (maker->threads < 2)
    return;
  propose_same(&guess, turn(&guess, 0), turn(&guess, 1));
  propose_logs(&guess);
}
