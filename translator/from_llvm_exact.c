// What the language says of the operations that a thread has executed.
//
// A signed sum, difference or product does not overflow, and nothing is divided
// by 0: facts under names, of whoever is behind the operation, and of whoever
// has gone round a loop since.

#include "translator/from_llvm.h"

// Widening both sides keeps the exact result: it overflowed if the narrow
// result, widened, is another one.
static Expr *no_overflow(Task *task, ExprOp op, Expr *a, Expr *b,
                         bool is_signed) {
  unsigned wide = 2 * a->width;
  if (wide > 64 && op == EXPR_MUL)
    return expr_bool(task, true);
  Expr *narrow = expr_binary(task, op, a, b);
  if (is_signed)
    return expr_eq(task, expr_sext(task, narrow, wide),
                   expr_binary(task, op, expr_sext(task, a, wide),
                               expr_sext(task, b, wide)));
  return expr_eq(task, expr_zext(task, narrow, wide),
                 expr_binary(task, op, expr_zext(task, a, wide),
                             expr_zext(task, b, wide)));
}

static Premise premise_here(const Builder *builder, Expr *fact) {
  return (Premise){.fact = fact,
                   .block = builder->block,
                   .stmt = (unsigned)builder->kernel->stmts.count};
}

// An unsigned product wraps by right, and of 64 bits nothing else is assumed;
// SOUND(sizes-fit) is about some.
static void note_product(Builder *builder, LLVMValueRef value, ExprOp op,
                         Expr *a, Expr *b) {
  enum { MARKED_BITS = 32, MOST_BITS = 64 };
  if (op == EXPR_SHL && expr_is_const(b) && b->value < b->width) {
    op = EXPR_MUL;
    b = expr_const(builder->task, b->width, UINT64_C(1) << b->value);
  }
  if (op != EXPR_MUL || builder->is_quiet || a->width > MOST_BITS ||
      (expr_is_const(a) && expr_is_const(b)))
    return;
  bool is_marked = LLVMGetNSW(value) || LLVMGetNUW(value);
  if (is_marked && a->width <= MARKED_BITS)
    return;
  SizeProduct product = {{a, b}, expr_mul(builder->task, a, b)};
  push(&builder->task->arena, &builder->kernel->products, product);
}

static bool is_of_launch(Task *task, Expr *fact) {
  Exprs terms = {0};
  expr_order(task, fact, expr_map_new(task), &terms);
  for (size_t i = 0; i < terms.count; i++) {
    const Expr *term = terms.at[i];
    if (term->op == EXPR_APPLY ||
        (term->op == EXPR_SYMBOL && !symbol_is_of_launch(term->symbol)))
      return false;
  }
  return true;
}

// Whoever goes round the loop comes through here.
static bool is_in_each_round(const Builder *builder, const Loop *loop) {
  const Graph *graph = builder->graph;
  unsigned here = graph->order.at[builder->block->index];
  unsigned header = graph->order.at[loop->header->index];
  for (size_t i = 0; i < graph->in[header].count; i++) {
    unsigned from = graph->in[header].at[i];
    if (graph->position[from] != GRAPH_NONE &&
        graph_is_back_edge(graph, from, header) &&
        !graph_dominates(graph, here, from))
      return false;
  }
  return true;
}

// In the second round of a loop the operations of the first one are done.
static void note_rounds(Builder *builder, Expr *exact) {
  Task *task = builder->task;
  if (!builder->block->loop || !is_of_launch(task, exact))
    return;
  for (const Loop *loop = builder->block->loop;
       loop && is_in_each_round(builder, loop); loop = loop->parent) {
    Expr *iteration = loop->iteration->expr;
    Expr *is_first =
        expr_eq(task, iteration, expr_const(task, iteration->width, 0));
    Expr *fact =
        expr_implies(task, loop->header->guard, expr_or(task, is_first, exact));
    premise_add(task, builder->kernel, PREMISE_NO_SIGNED_OVERFLOW,
                (Premise){.fact = fact, .loop = loop});
  }
}

// SOUND(no-overflow): collected for the answer "only if an index overflows"
// and --no-overflow; never used without either.  What is signed is also for
// SOUND(no-signed-overflow).
static void note_overflow(Builder *builder, LLVMValueRef value, ExprOp op,
                          Expr *a, Expr *b) {
  Task *task = builder->task;
  bool can = op == EXPR_ADD || op == EXPR_SUB || op == EXPR_MUL;
  if (!can || a->width > 32 || expr_is_const(expr_binary(task, op, a, b)))
    return;
  for (int is_signed = 0; is_signed < 2; is_signed++) {
    if (!(is_signed ? LLVMGetNSW(value) : LLVMGetNUW(value)))
      continue;
    Expr *exact = no_overflow(task, op, a, b, is_signed);
    Expr *fact = expr_implies(task, builder->block->guard, exact);
    push(&task->arena, &builder->kernel->no_overflow, fact);
    if (!is_signed || is_for_annotations(builder, value))
      continue;
    premise_add(task, builder->kernel, PREMISE_NO_SIGNED_OVERFLOW,
                premise_here(builder, fact));
    note_rounds(builder, exact);
  }
}

// SOUND(no-division-by-zero).
static void note_divisor(Builder *builder, LLVMValueRef value, ExprOp op,
                         Expr *by) {
  Task *task = builder->task;
  bool divides =
      op == EXPR_UDIV || op == EXPR_SDIV || op == EXPR_UREM || op == EXPR_SREM;
  if (!divides || is_for_annotations(builder, value))
    return;
  Expr *is_zero = expr_eq(task, by, expr_const(task, by->width, 0));
  Expr *fact =
      expr_implies(task, builder->block->guard, expr_not(task, is_zero));
  premise_add(task, builder->kernel, PREMISE_NO_DIVISION_BY_ZERO,
              premise_here(builder, fact));
}

void note_exactness(Builder *builder, LLVMValueRef value, ExprOp op, Expr *a,
                    Expr *b) {
  note_overflow(builder, value, op, a, b);
  note_product(builder, value, op, a, b);
  note_divisor(builder, value, op, b);
}
