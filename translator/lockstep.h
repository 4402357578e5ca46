// The two-thread program as steps, and what its makers share.
//
// Two threads execute one list of steps in lock step.  Where only some of them
// are, a step has that in its values: "x := here ? e : x".  Its variables are
// Symbols and its formulas Exprs over them, so it can be printed for Boogie
// and for people alike.

#ifndef TRANSLATOR_LOCKSTEP_H
#define TRANSLATOR_LOCKSTEP_H

#include "translator/translator.h"

typedef enum LockstepStepKind {
  STEP_SET,    // the variables get the values, all at once
  STEP_FORGET, // the variables get any values
  STEP_ASSUME,
  STEP_CHECK,  // the condition has to hold; assumed from here on
  STEP_REPEAT, // while the condition holds, up to ...
  STEP_END,    // ... this
  STEP_NOTE,   // nothing; where the next steps come from
} LockstepStepKind;

typedef struct LockstepStep {
  LockstepStepKind kind;
  Symbols variables; // SET, FORGET
  Exprs values;      // SET
  Expr *condition;   // ASSUME, CHECK, REPEAT
  Exprs candidates;  // REPEAT: guessed invariants
  const char *text;  // CHECK: what is wrong if it fails; NOTE
  Loc loc;
} LockstepStep;

// Whom the two threads are.  Assertions are about one thread alone: a block
// may have no second one.
typedef enum Threads { THREADS_ONE, THREADS_BLOCK, THREADS_GRID } Threads;
enum { THREADS_KINDS = THREADS_GRID + 1 };

typedef struct Procedure {
  const char *name;
  Threads threads;
  Symbols variables;
  Vec(LockstepStep *) steps;
} Procedure;

struct Program {
  const Kernel *kernel;
  const char *unsupported; // or what the program cannot say, and where
  Loc where;
  const char *too_much; // what allows it more than the kernel does; or NULL
  Vec(Procedure *) procedures;
};

// ----------------------------------------------------------- lockstep_log.c
// ---

// Strong accesses are told apart by scope and by size, 1 to 16 bytes.
enum { SCOPES = SCOPE_SYSTEM + 1, SIZES = 5, STRENGTHS = SCOPES * SIZES };

// What thread 1 has done to the watched byte of an array since the barrier
// that orders it.  Of writes one is kept, any, for what others would write.
typedef struct Log {
  bool is_kept;
  bool has_values;      // the offset, value and its width are kept, too
  unsigned value_bits;  // of the widest
  Symbol *read, *write; // plain
  Symbol *atomic[STRENGTHS], *strong_read[STRENGTHS];
  Symbol *offset, *value, *bits;
} Log;

// What a thread got from an atomic that counts, the last time.
typedef struct Count {
  Symbol *is_done, *offset, *value;
} Count;

// ------------------------------------------------------------- lockstep.c ---

// A procedure in the making.
typedef struct Maker {
  Task *task;
  Kernel *kernel;
  const Options *options;
  Program *program;
  Procedure *procedure;
  unsigned threads;   // 1 or 2
  unsigned variables; // made so far
  Symbol **copies[2]; // by the number of the kernel's symbol
  Substitution copying[2];
  Expr **here[2];      // by block: the thread is there
  Symbol **left[2];    // by block: ... it came out of a loop
  Symbol **turn[2];    // by loop: the thread is at its head
  Symbol **entered[2]; // by loop: ... was, when the loop began
  Symbol **came[2];    // by loop: an inner loop led back to its head
  Symbol **rounds;     // by loop: how often it was gone round
  Log *logs;           // by array number
  Symbol *watched;     // the byte in question, of each array
  Expr *same_warp;     // of the two threads, or NULL
  Count *counts[2];    // by number of the statement
} Maker;

Symbol *lockstep_variable(Maker *maker, const char *name, unsigned width);
LockstepStep *lockstep_add(Maker *maker, LockstepStepKind kind);
void lockstep_set(Maker *maker, Symbol *variable, Expr *value);
void lockstep_forget(Maker *maker, Symbol *variable);
void lockstep_assume(Maker *maker, Expr *condition);
void lockstep_check(Maker *maker, Expr *condition, const char *text, Loc loc);
// A formula of the kernel as one of thread 0 or 1.
Expr *lockstep_copy(Maker *maker, unsigned thread, Expr *a);
// Is thread 1's and thread 2's value one variable?
bool lockstep_is_common(const Maker *maker, const Symbol *symbol);

// Its variable.
Symbol *lockstep_symbol(Maker *maker, const Symbol *symbol, unsigned thread);
bool lockstep_is_of_block(const Maker *maker);

// -------------------------------------------------- lockstep_statements.c ---

// The thread is at the statement, by its block and its own condition.
Expr *lockstep_here(Maker *maker, const Stmt *stmt, unsigned thread);
// What an assumption or an assertion says, of each thread that is there.
void lockstep_condition(Maker *maker, const Stmt *stmt, bool is_checked);
// Some other value than in the iteration before, for a thread that is here.
void lockstep_forget_copies(Maker *maker, const Symbol *symbol,
                            Expr *const here[2], bool is_equal);
void lockstep_statement(Maker *maker, const Stmt *stmt);

// ---------------------------------------------------- lockstep_counters.c ---

void lockstep_count_start(Maker *maker);
// Behind an atomic: its result differs from those before it.
void lockstep_count(Maker *maker, const Stmt *stmt, Expr *const here[2]);
// Draws may come out equal in the program that never do in the kernel.
bool lockstep_counts_roughly(const Kernel *kernel, const Stmt *stmt);

// --------------------------------------------------------- lockstep_log.c ---

void lockstep_log_start(Maker *maker);
// What says that the watched byte was accessed so.
Symbol **lockstep_flag(Log *log, const Access *access);
// An access: what thread 1 does is logged, what thread 2 does is compared.
void lockstep_log_access(Maker *maker, const Stmt *stmt, Expr *const here[2]);
// Forgets what `barrier` orders, if `orders`.
void lockstep_log_reset(Maker *maker, const Barrier *barrier, Expr *orders);
// The thread accesses the watched byte.
Expr *lockstep_covers(Maker *maker, Expr *offset, Expr *length);

// -------------------------------------------------- lockstep_candidates.c ---

// Guesses invariants of a loop whose steps have been made.
void lockstep_propose(Maker *maker, const Loop *loop, LockstepStep *repeat);

#endif
