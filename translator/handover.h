// Memory that threads hand over to each other by atomics and fences: who holds
// a lock, who comes last, and who has seen a flag.  Private to translator/.
//
// This is only for kernels that are translated to follow orders
// (Options.follows_order): then nothing is concluded from what memory contains
// on the ground that somebody else would race.

#ifndef TRANSLATOR_HANDOVER_H
#define TRANSLATOR_HANDOVER_H

#include "translator/pair.h"

// An access to the array, to which control can come.
static inline bool handover_is_at(const Stmt *stmt, const Array *array) {
  return stmt->kind == STMT_ACCESS && stmt->access.array == array &&
         !expr_is_false(stmt->guard);
}

// -------------------------------------------------------------- ways.c ---

typedef bool StmtTest(const Stmt *stmt, const void *data);

// The innermost loop around both, or NULL.
const Loop *ways_common_loop(const Stmt *a, const Stmt *b);
// Control can go from behind one statement to the other and passes none that
// cuts (NULL: none does), in one iteration of `within` and of the loops around
// it.  NULL: through all loops.
bool way_exists(Task *task, const Kernel *kernel, const Stmt *from,
                const Stmt *to, const Loop *within, StmtTest *cuts,
                const void *data);
// The same from the start of a block, through all loops.
bool way_exists_from(Task *task, const Kernel *kernel, const BasicBlock *from,
                     const Stmt *to);
// The same to any statement that is meant, through all loops.
bool way_exists_to(Task *task, const Kernel *kernel, const Stmt *from,
                   StmtTest *is_meant, StmtTest *cuts, const void *data);

// A fence that both releases and acquires; `data`: of at least that Scope.
bool is_full_fence(const Stmt *stmt, const void *data);
// Each way passes such a fence, see way_exists.
bool way_is_fenced(Task *task, const Kernel *kernel, const Stmt *from,
                   const Stmt *to, const Loop *within, Scope scope);
bool is_block_barrier(const Stmt *stmt, const void *data);

// ------------------------------------------------------------ leader.c ---

// What has to be proved of the statement, so that it may be told of others.
// NULL: nothing.
Expr *leader_promise_wanted(Task *task, const Kernel *kernel, const Stmt *stmt);
// The thread is the first one of its block.
Expr *leader_is_self(Task *task, const Kernel *kernel);
// Nobody but the first thread of a block comes there: proved.
bool leader_alone(Task *task, const Kernel *kernel, const Stmt *stmt);
// What the formula, of one thread, is of the block's first thread when that has
// computed it for the last time.
Expr *leader_expr(Leaders *leaders, Expr *a);
// The block's first thread has left the loops before and around the statement:
// of whom leader_publishes or leader_acquires say that a barrier is behind it.
Expr *leader_has_left(Leaders *leaders, const Stmt *stmt);
Symbol *leader_symbol(Task *task, Kernel *kernel, SymbolKind kind,
                      unsigned width, const char *name);
// The premises, as Booleans.
Expr *leader_start_at_zero(const Leaders *leaders);
Expr *leader_loose_fences(const Leaders *leaders);
// The access of any thread of the block is behind a barrier when another thread
// of the block comes to the atomic, and who sees what the atomic did sees the
// access.
Expr *leader_publishes(const Leaders *leaders, const Stmt *stmt,
                       const Stmt *atomic, Scope scope);
// A barrier is between the atomic of one thread of the block and the access of
// any, which sees what the atomic has learnt of; `is_fenced`: the atomic
// acquires.
Expr *leader_acquires(const Leaders *leaders, const Stmt *atomic,
                      bool is_fenced, const Stmt *stmt, Scope scope);

// ------------------------------------------------------------- locks.c ---

typedef struct Locks Locks;
// What has to be proved of the statement, if it gives a lock back.
Exprs locks_promises_wanted(Task *task, const Kernel *kernel, const Stmt *stmt);
Locks *locks_new(Task *task, Kernel *kernel);
// A lock keeps the two threads from being there at once; adds to what is
// `known` of the blocks' first threads.
Expr *locks_keep_apart(Locks *locks, Meeting *meeting, const Stmt *a,
                       const Stmt *b, Expr **known);

// ----------------------------------------------------------- tickets.c ---

typedef struct Tickets Tickets;
// What has to be proved of the statement, if it draws or sets a counter back.
Exprs tickets_promises_wanted(Task *task, const Kernel *kernel,
                              const Stmt *stmt);
Tickets *tickets_new(Task *task, Kernel *kernel);
// One of the two threads has been there before the other one comes.
Expr *tickets_keep_apart(Tickets *tickets, Meeting *meeting, const Stmt *a,
                         const Stmt *b, Expr **known);
// What is known of the numbers that two blocks draw.
Expr *tickets_facts(Tickets *tickets, Meeting *meeting);
// The one draws, the other sets the counter back.
bool tickets_is_reset_of(const Tickets *tickets, const Stmt *draw,
                         const Stmt *stmt);

// ------------------------------------------------------------- flags.c ---

typedef struct Flags Flags;
Flags *flags_new(Task *task, Kernel *kernel);
// One of the two threads has seen a flag that was raised behind the access of
// the other.
Expr *flags_keep_apart(Flags *flags, Meeting *meeting, const Stmt *a,
                       const Stmt *b, Expr **known);

// ---------------------------------------------------------- handover.c ---

typedef struct Handover Handover;
Handover *handover_new(Task *task, Kernel *kernel);
// Nothing orders the two accesses.
Expr *handover_leaves_open(Handover *handover, Meeting *meeting, const Stmt *a,
                           const Stmt *b);

#endif
