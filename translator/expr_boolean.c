// AND and OR of Booleans.
//
// Guards are built by walking a control-flow graph, so the same conditions meet
// again and again: a basic block behind a branch has the guard g & c or g & !c,
// and where the two sides join, their OR must be g again.  Chains are kept as
// sorted sets of parts (a & b & c: three parts, a left-leaning chain by id) as
// long as they are short, and pairs of parts are tried for absorption, a & (a |
// b) = a, and for resolution, (a & b) | (a & !b) = a.  Everything is done for
// AND and, mirrored, for OR.

#include "translator/expr.h"

#include <assert.h>
#include <string.h>

enum { MAX_PARTS = 24 };

typedef struct Parts {
  unsigned count;
  bool is_cut; // there are more than fit
  Expr *at[MAX_PARTS];
} Parts;

static bool are_opposed(const Expr *a, ExprOp op, const Expr *b, ExprOp other) {
  return a->op == op && b->op == other && a->args[0] == b->args[1] &&
         a->args[1] == b->args[0];
}

bool boolean_is_negation(const Expr *a, const Expr *b) {
  return (a->op == EXPR_NOT && a->args[0] == b) ||
         (b->op == EXPR_NOT && b->args[0] == a) ||
         are_opposed(a, EXPR_ULT, b, EXPR_ULE) ||
         are_opposed(a, EXPR_ULE, b, EXPR_ULT) ||
         are_opposed(a, EXPR_SLT, b, EXPR_SLE) ||
         are_opposed(a, EXPR_SLE, b, EXPR_SLT) ||
         (expr_is_const(a) && expr_is_const(b) && a != b);
}

static ExprOp dual(ExprOp op) { return op == EXPR_AND ? EXPR_OR : EXPR_AND; }

static bool has_part(const Parts *parts, const Expr *e) {
  for (unsigned i = 0; i < parts->count; i++)
    if (parts->at[i] == e)
      return true;
  return false;
}

static bool has_negation(const Parts *parts, const Expr *e) {
  for (unsigned i = 0; i < parts->count; i++)
    if (boolean_is_negation(parts->at[i], e))
      return true;
  return false;
}

static void add_part(Parts *parts, Expr *e) {
  if (has_part(parts, e))
    return;
  if (parts->count == MAX_PARTS) {
    parts->is_cut = true;
    return;
  }
  unsigned at = parts->count++;
  for (; at > 0 && parts->at[at - 1]->id > e->id; at--)
    parts->at[at] = parts->at[at - 1];
  parts->at[at] = e;
}

static void add_chain(Parts *parts, ExprOp op, Expr *e) {
  for (; e->op == op && !parts->is_cut; e = e->args[0])
    add_part(parts, e->args[1]);
  if (!parts->is_cut)
    add_part(parts, e);
}

static Parts parts_of(ExprOp op, Expr *e) {
  Parts parts = {0};
  add_chain(&parts, op, e);
  return parts;
}

static void drop_part(Parts *parts, unsigned at) {
  parts->count--;
  memmove(&parts->at[at], &parts->at[at + 1],
          (parts->count - at) * sizeof *parts->at);
}

static Expr *chain_of(Task *task, ExprOp op, const Parts *parts) {
  if (parts->count == 0)
    return expr_bool(task, op == EXPR_AND);
  Expr *chain = parts->at[0];
  for (unsigned i = 1; i < parts->count; i++)
    chain = expr_node2(task, op, 1, chain, parts->at[i]);
  return chain;
}

// a & !(a & b) = a & !b, and a & !(!a & b) = a.
static Expr *absorb_negation(Task *task, ExprOp op, Expr *x, Expr *y) {
  Parts inner = parts_of(op, y->args[0]);
  if (inner.is_cut)
    return NULL;
  if (has_negation(&inner, x))
    return x;
  for (unsigned i = 0; i < inner.count; i++) {
    if (inner.at[i] != x)
      continue;
    drop_part(&inner, i);
    return boolean_combine(task, op, x,
                           expr_not(task, chain_of(task, op, &inner)));
  }
  return NULL;
}

// a & (a | b) = a, and a & (!a | b) = a & b.
static Expr *absorb(Task *task, ExprOp op, Expr *x, Expr *y) {
  if (y->op == EXPR_NOT && y->args[0]->op == op)
    return absorb_negation(task, op, x, y);
  if (y->op != dual(op))
    return NULL;
  Parts inner = parts_of(dual(op), y);
  if (inner.is_cut)
    return NULL;
  if (has_part(&inner, x))
    return x;
  for (unsigned i = 0; i < inner.count; i++) {
    if (!boolean_is_negation(inner.at[i], x))
      continue;
    drop_part(&inner, i);
    return boolean_combine(task, op, x, chain_of(task, dual(op), &inner));
  }
  return NULL;
}

// Splits what x and y, chains of the dual operator, have in common from them.
static Parts take_common(Parts *x, Parts *y) {
  Parts common = {0};
  for (unsigned i = x->count; i-- > 0;) {
    for (unsigned j = 0; j < y->count; j++) {
      if (x->at[i] != y->at[j])
        continue;
      add_part(&common, x->at[i]);
      drop_part(x, i);
      drop_part(y, j);
      break;
    }
  }
  return common;
}

// (a & b) | (a & !b) = a and (a & b) | a = a; with `factor` also
// (a & b) | (a & c) = a & (b | c).
static Expr *resolve(Task *task, ExprOp op, Expr *x, Expr *y, bool factor) {
  ExprOp inner = dual(op);
  if (x->op != inner && y->op != inner)
    return NULL;
  Parts px = parts_of(inner, x), py = parts_of(inner, y);
  if (px.is_cut || py.is_cut)
    return NULL;
  Parts common = take_common(&px, &py);
  if (common.count == 0)
    return NULL;
  bool is_absorbed = px.count == 0 || py.count == 0;
  bool is_resolved =
      px.count == 1 && py.count == 1 && boolean_is_negation(px.at[0], py.at[0]);
  if (is_absorbed || is_resolved)
    return chain_of(task, inner, &common);
  if (!factor)
    return NULL;
  Expr *rest = boolean_combine(task, op, chain_of(task, inner, &px),
                               chain_of(task, inner, &py));
  return boolean_combine(task, inner, chain_of(task, inner, &common), rest);
}

static Expr *combine_two(Task *task, ExprOp op, Expr *x, Expr *y, bool factor) {
  Expr *result = absorb(task, op, x, y);
  if (!result)
    result = absorb(task, op, y, x);
  return result ? result : resolve(task, op, x, y, factor);
}

// One pair of parts became simpler: join that with all the others.
static Expr *join_again(Task *task, ExprOp op, const Parts *a, unsigned i,
                        const Parts *b, unsigned j, Expr *simpler) {
  Expr *result = simpler;
  for (unsigned k = 0; k < a->count; k++)
    if (k != i)
      result = boolean_combine(task, op, result, a->at[k]);
  for (unsigned k = 0; k < b->count; k++)
    if (k != j)
      result = boolean_combine(task, op, result, b->at[k]);
  return result;
}

static Expr *combine_parts(Task *task, ExprOp op, const Parts *a,
                           const Parts *b) {
  bool is_pair = a->count == 1 && b->count == 1;
  for (unsigned i = 0; i < a->count; i++)
    for (unsigned j = 0; j < b->count; j++) {
      Expr *simpler = combine_two(task, op, a->at[i], b->at[j], is_pair);
      if (simpler)
        return join_again(task, op, a, i, b, j, simpler);
    }
  return NULL;
}

static Expr *combine_chains(Task *task, ExprOp op, Expr *a, Expr *b) {
  Parts pa = parts_of(op, a), pb = parts_of(op, b);
  if (pa.is_cut || pb.is_cut)
    return has_part(&pa, b)   ? a
           : has_part(&pb, a) ? b
                              : expr_ordered(task, op, a, b);
  for (unsigned i = 0; i < pa.count; i++)
    if (has_negation(&pb, pa.at[i]))
      return expr_bool(task, op == EXPR_OR);
  Parts all = pa;
  for (unsigned i = 0; i < pb.count; i++)
    add_part(&all, pb.at[i]);
  if (all.is_cut)
    return expr_ordered(task, op, a, b);
  if (all.count == pa.count)
    return a;
  Expr *simpler = combine_parts(task, op, &pa, &pb);
  return simpler ? simpler : chain_of(task, op, &all);
}

Expr *boolean_combine(Task *task, ExprOp op, Expr *a, Expr *b) {
  assert(a->width == 1 && b->width == 1);
  bool neutral = op == EXPR_AND;
  if (expr_is_const(a))
    return (a->value != 0) == neutral ? b : a;
  if (expr_is_const(b))
    return (b->value != 0) == neutral ? a : b;
  if (a == b)
    return a;
  if (boolean_is_negation(a, b))
    return expr_bool(task, !neutral);
  return combine_chains(task, op, a, b);
}
