// What the files about the contents of memory share.  Private to translator/.

#ifndef TRANSLATOR_CONTENTS_H
#define TRANSLATOR_CONTENTS_H

#include "translator/pair.h"

// The formulas of the iteration before of a loop, which is then not the first.
// Of what it has computed anew, and has no closed form, nothing is known.
typedef struct Shift Shift;

typedef struct Follower {
  Task *task;
  Kernel *kernel;
  ExprMap *divisors; // see overlap.c
  Shift **shifts;    // by Loop.index; NULL: not yet needed
} Follower;

// ---------------------------------------------------------- contents.c ---

// Whoever writes it and is not ordered by a barrier races with who reads it,
// and races are looked for.
bool contents_are_followed(const Follower *follower, const Array *array);
// A scalar, which no other statement may have read instead.
bool contents_is_plain_read(const Stmt *stmt);
// What is there when all have come to the barrier, in the iteration before if
// there is a shift.
Expr *contents_at_barrier(const Follower *follower, const Stmt *barrier,
                          Shift *shift, const Array *array, Expr *offset,
                          unsigned bits);
// Any value, another one in each thread and iteration of the loop.
Expr *contents_anything(const Follower *follower, const Symbol *symbol,
                        Loop *loop);
// A fact about whoever is behind the statement.
void contents_add_behind(Task *task, Kernel *kernel, const Stmt *behind,
                         Expr *fact);
// ... and, if that is in a loop, also about the iteration before.
void contents_add(Follower *follower, const Stmt *behind, Expr *fact);

// ----------------------------------------------------- named_threads.c ---

// Uses an invariant for the threads that it names.
void contents_use(Follower *follower, const BarrierInvariant *invariant);

#endif
