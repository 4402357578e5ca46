// What the files about variables in shared memory share.  Private to
// translator/.

#ifndef TRANSLATOR_CELLS_H
#define TRANSLATOR_CELLS_H

#include "translator/contents.h"
#include "translator/handover.h"

// A variable in shared memory, or a part of one, of which all that is written
// is known: whatever changes it has its offset and its length.
typedef struct SharedCell {
  const Array *array;
  Expr *offset, *length;
} SharedCell;

// Between two barriers a cell is changed by additions alone, which never go
// back, and come to less than what it has room for.
typedef struct Total {
  const SharedCell *cell;
  const Stmt *since, *until; // the barriers
  Stmts draws;
} Total;

// What a statement reads, once that has been looked for.
typedef struct CellRead {
  bool is_known;
  Expr *held;
} CellRead;

struct Cells {
  Follower follower;
  AccessPlaces *places; // of shared accesses, within a block
  Vec(const SharedCell *) all;
  Vec(const Total *) totals;
  CellRead *reads; // by the statement's number
  Symbols told;    // that first threads have written there for all
};

// ------------------------------------------------------------- cells.c ---

bool cell_is_written(const Stmt *stmt, const SharedCell *cell);
// A barrier that orders what is in shared memory, for threads of a block.
bool cell_is_settled(const Stmt *stmt, const void *data);
// All ways to the statement are from that barrier, in one iteration of the
// loops around it.  NULL: there is no such barrier.
const Stmt *cell_since(const Cells *cells, const Stmt *stmt);
// No other barrier comes before the second one: all who have passed the first
// one in an iteration come to it next.
bool cell_is_next(const Cells *cells, const Stmt *since, const Stmt *until);
// May the statement change the cell before the next barrier?
bool cell_is_written_since(const Cells *cells, const SharedCell *cell,
                           const Stmt *since, const Stmt *stmt);
// What the cell holds when all have come to the barrier.
Expr *cell_held(const Cells *cells, const SharedCell *cell,
                const Stmt *barrier);
// What a plain read of a cell returns: what it held at the barrier before.
// NULL: that is not known.
Expr *cell_read(const Cells *cells, const Stmt *read);
// A fact about whoever is behind the statement.
void cell_add_fact(const Cells *cells, const Stmt *behind, Expr *fact);

// ------------------------------------------------------ first_thread.c ---

// What the formula, of one thread within an iteration of `here`, is of the
// first thread of its block in the same iteration.  NULL: that is not known.
Expr *first_thread_expr(const Cells *cells, Expr *a, const Loop *here);

// -------------------------------------------------------------- totals.c ---

// Finds the totals, and says what is known of them.
void totals_find(Cells *cells);

#endif
