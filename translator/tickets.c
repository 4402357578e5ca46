// Who comes last.
//
//   part[blockIdx.x] = ..
//   __threadfence();
//   if (atomicAdd(&count, 1) == gridDim.x - 1) ..
//
// The first thread of each block draws a number from a counter that begins at
// zero (atomics-start-at-zero), once, so a number is below that of the blocks,
// and no two blocks have one.  Of two blocks the one with the smaller number
// has drawn first.  What it did before, and a fence, has happened for what the
// other one does behind its draw and a fence.  Mostly that fence is missing:
// then an atomic has to acquire (loose-fences).
//
// Whoever draws the last number may set the counter to zero again, for all have
// drawn by then.

#include "translator/handover.h"

typedef struct Ticket {
  const Stmt *draw;
  Stmts resets; // of the counter, by who comes last
} Ticket;

struct Tickets {
  Task *task;
  Kernel *kernel;
  Vec(Ticket) all;
};

// --------------------------------------------------------------- numbers ---

static Expr *blocks_of(Task *task, const Kernel *kernel) {
  Expr *blocks = expr_const(task, 64, 1);
  for (unsigned axis = 0; axis < 3; axis++)
    blocks =
        expr_mul(task, blocks, expr_zext(task, kernel->grid_size[axis], 64));
  return blocks;
}

static Expr *one_more(Task *task, Expr *a) {
  return expr_add(task, expr_zext(task, a, 64), expr_const(task, 64, 1));
}

// The numbers of all blocks are numbers of the counter.
static Expr *has_room(Task *task, const Kernel *kernel, const Access *draw) {
  unsigned width = draw->operand->width;
  Expr *blocks = blocks_of(task, kernel);
  return width < 64 ? expr_binary(task, EXPR_ULE, blocks,
                                  expr_const(task, 64, (uint64_t)1 << width))
                    : expr_bool(task, true);
}

// The block has drawn, and that was its number.
static Expr *has_drawn_last(Task *task, const Kernel *kernel,
                            const Stmt *draw) {
  Expr *is_last = expr_eq(task, one_more(task, draw->access.result->expr),
                          blocks_of(task, kernel));
  return leader_expr(kernel->leaders, expr_and(task, draw->guard, is_last));
}

// ----------------------------------------------------------------- draws ---

static bool adds_one(const Access *access) {
  return access->op == ATOMIC_ADD && expr_is_const(access->operand) &&
         access->operand->value == 1;
}

// It goes back to zero with the last block at the earliest.
static Expr *goes_on(Task *task, const Kernel *kernel, const Access *access) {
  return expr_binary(task, EXPR_ULE, blocks_of(task, kernel),
                     one_more(task, access->operand));
}

static bool counts(Task *task, const Kernel *kernel, const Access *access) {
  return adds_one(access) ||
         (access->op == ATOMIC_INCREMENT &&
          atomic_is_promised(access, goes_on(task, kernel, access)));
}

static bool may_be_draw(const Stmt *stmt) {
  const Access *access = &stmt->access;
  return stmt->kind == STMT_ACCESS && access->kind == ACCESS_ATOMIC &&
         access->array->space == SPACE_GLOBAL && access->result &&
         access->operand && !access->is_any && access->scope >= SCOPE_GRID &&
         stmt->guard == stmt->block->guard && !stmt->block->loop;
}

static bool is_draw(Task *task, const Kernel *kernel, const Stmt *stmt) {
  return may_be_draw(stmt) && counts(task, kernel, &stmt->access) &&
         leader_alone(task, kernel, stmt);
}

// Is it done when all have drawn?
static bool is_reset(Task *task, const Kernel *kernel, const Stmt *draw,
                     const Stmt *stmt) {
  const Access *access = &stmt->access;
  return stmt->guard == stmt->block->guard && !access->event &&
         can_follow(task, kernel, draw, stmt) &&
         !can_follow(task, kernel, stmt, draw) &&
         atomic_is_promised(access, has_drawn_last(task, kernel, draw));
}

static bool changes(const Stmt *stmt, const Array *array) {
  return handover_is_at(stmt, array) && access_writes(&stmt->access) &&
         !atomic_keeps(&stmt->access);
}

static bool find_ticket(Task *task, const Kernel *kernel, const Array *array,
                        Ticket *ticket) {
  Stmts others = {0};
  for (size_t i = 0; i < kernel->stmts.count; i++) {
    const Stmt *stmt = kernel->stmts.at[i];
    if (!changes(stmt, array))
      continue;
    if (is_draw(task, kernel, stmt) && !ticket->draw)
      ticket->draw = stmt;
    else
      push(&task->arena, &others, stmt);
  }
  if (!ticket->draw)
    return false;
  for (size_t i = 0; i < others.count; i++)
    if (!is_reset(task, kernel, ticket->draw, others.at[i]))
      return false;
  ticket->resets = others;
  return true;
}

Tickets *tickets_new(Task *task, Kernel *kernel) {
  Tickets *tickets = NEW(&task->arena, Tickets);
  *tickets = (Tickets){.task = task, .kernel = kernel};
  for (size_t i = 0; i < kernel->arrays.count; i++) {
    Ticket ticket = {0};
    if (find_ticket(task, kernel, kernel->arrays.at[i], &ticket))
      push(&task->arena, &tickets->all, ticket);
  }
  return tickets;
}

Exprs tickets_promises_wanted(Task *task, const Kernel *kernel,
                              const Stmt *stmt) {
  Exprs wanted = {0};
  if (stmt->kind != STMT_ACCESS || !access_writes(&stmt->access))
    return wanted;
  if (may_be_draw(stmt) && stmt->access.op == ATOMIC_INCREMENT)
    push(&task->arena, &wanted, goes_on(task, kernel, &stmt->access));
  for (size_t i = 0; kernel->leaders && i < kernel->stmts.count; i++) {
    const Stmt *draw = kernel->stmts.at[i];
    if (draw != stmt && draw->access.array == stmt->access.array &&
        is_draw(task, kernel, draw))
      push(&task->arena, &wanted, has_drawn_last(task, kernel, draw));
  }
  return wanted;
}

// ----------------------------------------------------------------- facts ---

static Expr *drawn(Context *context, const Stmt *draw) {
  Leaders *leaders = context->meeting->kernel->leaders;
  return context_expr(context, leader_expr(leaders, draw->access.result->expr));
}

static Expr *is_last(Context *context, const Stmt *draw) {
  const Kernel *kernel = context->meeting->kernel;
  Task *task = context->meeting->task;
  return expr_eq(task, one_more(task, drawn(context, draw)),
                 blocks_of(task, kernel));
}

// The context's block draws: by itself, or since the other one has drawn the
// last number, of the only cell.
static Expr *draws(Meeting *meeting, const Stmt *draw, unsigned which) {
  Task *task = meeting->task;
  Context *other = &meeting->context[1 - which];
  Expr *guard = leader_expr(meeting->kernel->leaders, draw->guard);
  Expr *itself = context_expr(&meeting->context[which], guard);
  if (!expr_is_const(draw->access.offset))
    return itself;
  return expr_or(
      task, itself,
      expr_and(task, context_expr(other, guard), is_last(other, draw)));
}

// Both blocks draw, from one cell.
static Expr *both_draw(Tickets *tickets, Meeting *meeting, const Stmt *draw) {
  Task *task = tickets->task;
  Leaders *leaders = tickets->kernel->leaders;
  Expr *cell = leader_expr(leaders, draw->access.offset);
  Expr *both = expr_and(task, draws(meeting, draw, 0), draws(meeting, draw, 1));
  Expr *start = leader_start_at_zero(leaders);
  both = expr_and(
      task, both,
      expr_and(task, start, has_room(task, tickets->kernel, &draw->access)));
  return expr_and(task, both,
                  expr_eq(task, context_expr(&meeting->context[0], cell),
                          context_expr(&meeting->context[1], cell)));
}

// Under the premise it may be that two threads never come where they would
// race: that is no contradiction (SOUND(vacuity)), so it is part of the
// violation.
Expr *tickets_facts(Tickets *tickets, Meeting *meeting) {
  Task *task = tickets->task;
  Expr *blocks = blocks_of(task, tickets->kernel);
  Expr *all = expr_bool(task, true);
  for (size_t i = 0; !meeting->same_block && i < tickets->all.count; i++) {
    const Stmt *draw = tickets->all.at[i].draw;
    Expr *x = drawn(&meeting->context[0], draw);
    Expr *y = drawn(&meeting->context[1], draw);
    Expr *known = expr_not(task, expr_eq(task, x, y));
    Expr *both[] = {x, y};
    for (unsigned k = 0; k < 2; k++)
      known = expr_and(
          task, known,
          expr_binary(task, EXPR_ULT, expr_zext(task, both[k], 64), blocks));
    all =
        expr_and(task, all,
                 expr_implies(task, both_draw(tickets, meeting, draw), known));
  }
  return all;
}

// ----------------------------------------------------------------- order ---

static bool has_fence(Tickets *tickets, const Stmt *from, const Stmt *to) {
  return way_is_fenced(tickets->task, tickets->kernel, from, to, NULL,
                       SCOPE_GRID);
}

static Expr *is_first(Tickets *tickets, Context *context) {
  return context_expr(context, leader_is_self(tickets->task, tickets->kernel));
}

// The thread's access has happened for whoever learns of its block's draw.
static Expr *is_published(Tickets *tickets, Context *context,
                          const Ticket *ticket, const Stmt *stmt) {
  Task *task = tickets->task;
  const Kernel *kernel = tickets->kernel;
  const Stmt *draw = ticket->draw;
  if (stmt == draw)
    return expr_bool(task, true);
  if (can_follow(task, kernel, draw, stmt))
    return expr_bool(task, false);
  Expr *published = leader_publishes(kernel->leaders, stmt, draw, SCOPE_GRID);
  return draw->access.releases || has_fence(tickets, stmt, draw)
             ? expr_or(task, published, is_first(tickets, context))
             : published;
}

// The thread's access is behind its block's draw, and in order.
static Expr *is_behind(Tickets *tickets, Context *context, const Ticket *ticket,
                       const Stmt *stmt, Expr **known) {
  Task *task = tickets->task;
  Leaders *leaders = tickets->kernel->leaders;
  const Stmt *draw = ticket->draw;
  if (can_follow(task, tickets->kernel, stmt, draw))
    return expr_bool(task, false);
  bool is_fenced = draw->access.acquires || has_fence(tickets, draw, stmt);
  Expr *own = expr_and(task, is_first(tickets, context),
                       is_fenced ? expr_bool(task, true)
                                 : leader_loose_fences(leaders));
  Expr *of_block =
      leader_acquires(leaders, draw, draw->access.acquires, stmt, SCOPE_GRID);
  if (!expr_is_false(of_block))
    *known = expr_and(task, *known,
                      context_expr(context, leader_has_left(leaders, draw)));
  return expr_or(task, own, of_block);
}

static Expr *is_before(Tickets *tickets, Meeting *meeting, const Ticket *ticket,
                       const Stmt *stmt[2], unsigned first, Expr **known) {
  Task *task = tickets->task;
  Context *one = &meeting->context[first], *two = &meeting->context[1 - first];
  Expr *order =
      expr_and(task, is_published(tickets, one, ticket, stmt[first]),
               is_behind(tickets, two, ticket, stmt[1 - first], known));
  Expr *drew = expr_binary(task, EXPR_ULT, drawn(one, ticket->draw),
                           drawn(two, ticket->draw));
  return expr_and(task, order, drew);
}

Expr *tickets_keep_apart(Tickets *tickets, Meeting *meeting, const Stmt *a,
                         const Stmt *b, Expr **known) {
  Task *task = tickets->task;
  const Stmt *stmts[2] = {a, b};
  Expr *apart = expr_bool(task, false);
  for (size_t i = 0; !meeting->same_block && i < tickets->all.count; i++) {
    const Ticket *ticket = &tickets->all.at[i];
    Expr *either =
        expr_or(task, is_before(tickets, meeting, ticket, stmts, 0, known),
                is_before(tickets, meeting, ticket, stmts, 1, known));
    apart = expr_or(
        task, apart,
        expr_and(task, both_draw(tickets, meeting, ticket->draw), either));
  }
  return apart;
}

bool tickets_is_reset_of(const Tickets *tickets, const Stmt *draw,
                         const Stmt *stmt) {
  for (size_t i = 0; i < tickets->all.count; i++)
    for (size_t k = 0; k < tickets->all.at[i].resets.count; k++)
      if (tickets->all.at[i].draw == draw &&
          tickets->all.at[i].resets.at[k] == stmt)
        return true;
  return false;
}
