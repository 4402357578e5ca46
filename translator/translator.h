// From code to programs that we can reason about.
//
// In comes a kernel of a prepared module (llvm.h) with its launch; out comes
// the Kernel, one thread's program, and from that the Pair, its obligations.
// smt/ and plugin/ call.  The types come first, in the order in which a kernel
// meets them; then the functions under the name of their file, in pipeline
// order.

#ifndef TRANSLATOR_TRANSLATOR_H
#define TRANSLATOR_TRANSLATOR_H

#include "base/base.h"
#include "llvm/llvm.h"

typedef struct Access Access;
typedef struct Array Array;
typedef struct Barrier Barrier;
typedef struct BasicBlock BasicBlock;
typedef struct Cells Cells;
typedef struct Edge Edge;
typedef struct Expr Expr;
typedef struct Kernel Kernel;
typedef struct Leaders Leaders;
typedef struct Loop Loop;
typedef struct Obligation Obligation;
typedef struct Options Options;
typedef struct Pair Pair;
typedef struct Stmt Stmt;
typedef struct Symbol Symbol;

typedef Vec(Expr *) Exprs;

// What may be assumed of a program by its name.
typedef enum PremiseKind {
#define PREMISE(kind, name) PREMISE_##kind,
#include "translator/premises.def"
#undef PREMISE
  PREMISES
} PremiseKind;

// What the user knows of and wants no alarm of: docs/SUPPRESSIONS.md.
typedef struct Suppression {
  const char *reason;
  Loc where; // of a comment, or of a line in a list of ours
  bool is_in_source;
  bool *is_used; // the same for all copies of the process
} Suppression;

// --------------------------------------------------------------- options ---

// What the user asked for; the same set in every front door (options.def).
struct Options {
  Launch launch;
  Vec(KernelValues) kernel_args;
  Vec(KernelValues) kernel_arrays;   // bytes of each pointer argument
  const char *kernel;                // this one alone; NULL: all of a file
  struct Suppressions *suppressions; // plugin/suppress.h; NULL: none
  bool only_divergence;
  bool only_intra_group;
  bool only_log; // races are not looked for, what is logged is kept
  bool no_benign_tolerance;
  bool check_array_bounds;
  const char *check_arrays; // "A,B": races on these alone; NULL: on all
  bool no_annotations;      // source annotations are ignored ...
  bool only_requires;       // ... all but __requires
  bool no_overflow;         // assume that index arithmetic does not overflow
  bool assumed[PREMISES];   // these hold from the start ...
  bool tried[PREMISES];     // ... and these where a proof needs them
  bool pure_externals;      // functions without a body touch what is their own
  bool huge_grids;          // 2^31 threads or more along an axis
  bool confirm;             // execute what the witnesses of races say
  bool follows_order;       // order by atomics and fences; less is known of
                            // what memory contains
  bool assert_false;        // add a false assertion at the end of each kernel
  unsigned loop_unwind;     // back edges to search for bugs; 0: no search
  unsigned error_limit;     // problems after which a kernel is done; 0: default
  unsigned warp_sync;    // legacy: threads of a warp of this size in lock step
  unsigned timeout;      // seconds a kernel; 0 is no limit
  unsigned file_timeout; // seconds all kernels of a file; 0 is no limit
  unsigned memory;       // megabytes a kernel; 0 is no limit
  const char *dump;      // "kernel", "program", "pair", "smt" or NULL
  FILE *dump_out;        // where to
  const char *boogie;    // file for the Boogie text or NULL
  const char *program;   // file for the two-thread program or NULL
  const char *barriers;  // "auto" or "off": see barriers_auto.c
  bool one_block;        // of them: a proof for one block is enough

  bool invariants_as_candidates; // loop invariants are guesses, and may go
};

// ----------------------------------------------------------- expressions ---

typedef enum ExprOp {
#define OP(name, arguments, text, smt) EXPR_##name,
#include "translator/expr_ops.def"
#undef OP
  EXPR_OPS
} ExprOp;

// Immutable and hash-consed: pointer equality is structural equality.  The
// only expression language; Z3 and Boogie both print it.
struct Expr {
  ExprOp op;
  unsigned width;       // bits; 1 is Boolean
  unsigned id;          // order of creation, the same in every run
  unsigned count;       // arguments
  uint64_t value;       // CONST (width <= 64): the number; EXTRACT: the low bit
  Symbol *symbol;       // SYMBOL
  const char *function; // APPLY; interned: compare with ==
  Expr *args[];
};

typedef enum SymbolKind {
  SYMBOL_THREAD_ID,  // threadIdx.x .. z, by axis
  SYMBOL_BLOCK_ID,   // blockIdx
  SYMBOL_BLOCK_SIZE, // blockDim
  SYMBOL_GRID_SIZE,  // gridDim
  SYMBOL_PARAMETER,  // a scalar argument; equal in all threads
  SYMBOL_LAUNCH,     // any other launch-wide constant; equal in all threads
  SYMBOL_PHI,        // a loop-carried value
  SYMBOL_ITERATION,  // how often this loop's back edge was taken; 64 bits
  SYMBOL_LOAD,       // what a read returned
  SYMBOL_ATOMIC,     // what an atomic returned
  SYMBOL_UNKNOWN,    // anything (undef, an unmodelled pure value)
} SymbolKind;

struct Symbol {
  SymbolKind kind;
  unsigned number; // unique in the kernel
  unsigned width;
  unsigned axis;    // of ids and sizes: 0 x, 1 y, 2 z
  bool is_large;    // of blocks that are larger than any device has them
  const char *name; // as the user knows it where there is a name, else made up
  Loc loc;
  Expr *expr; // the expression that is this symbol
  Loop *loop; // the innermost loop that computes it anew; NULL: none
  Stmt *stmt; // LOAD, ATOMIC: the access
  const Symbol *original; // of a thread's copy; else NULL
  bool is_signed;         // PARAMETER: it is declared so, as int
  bool is_unsigned;       // ... as unsigned; neither: nobody knows
  bool is_member;         // ... in a struct
  bool is_shown_negative; // ... the host's code gives it a negative number
  bool is_vote; // UNKNOWN: a barrier's result, equal in all its threads
  const struct Ghost *ghost; // UNKNOWN: what it is, in an annotation; or NULL
  bool is_block_uniform;     // filled by kernel_find_uniform: the same value in
  bool is_grid_uniform;      // all threads of a block (grid) at one iteration
  bool is_relevant;          // filled by kernel_find_relevant
  bool is_for_annotations;   // PHI: no compiled program computes it
  bool steps_as_signed; // PHI: by signed sums, which the language forbids to
                        // overflow
  bool steps_once;      // .. by one in each round, to it and one number

  // PHI only, filled by the front end, then by kernel_solve_recurrences.
  Expr *init;   // on entry
  Expr *next;   // along the back edge
  Expr *closed; // over init and the ITERATION symbol, or NULL
};

// ---------------------------------------------------------------- kernel ---

// What no instruction computes and annotations speak of: a symbol of it is
// anything until claims.c says what it is.
typedef enum GhostKind {
  GHOST_OCCURRED,   // the logged access to the array is one
  GHOST_OFFSET,     // ... and where it is, in bytes
  GHOST_OTHER,      // what .value is in the other thread
  GHOST_ENABLED,    // control is there: .value is its guard
  GHOST_HERE,       // .value in a thread that comes there, anything in others
  GHOST_SAME_GROUP, // the other thread is of the same block
} GhostKind;

typedef struct Ghost {
  GhostKind kind;
  AccessKind access;  // OCCURRED, OFFSET: READ or WRITE
  const Array *array; // ... to this one
  Expr *value;        // OTHER, ENABLED, HERE
  Expr *guard;        // HERE: control is there
  const Loop *loop;   // where it is asked for: the loop around, or NULL
  unsigned stmt;      // ... behind the statements before this one
} Ghost;

// Modulo 2^64, as addresses are.
typedef struct ByteRange {
  uint64_t from, bytes;
} ByteRange;

// One object in memory: a pointer argument's pointee, a variable, an alloca.
// Arrays do not overlap: SOUND(no-alias).
struct Array {
  unsigned number; // from 1; 0 is the null pointer
  const char *name;
  Space space;
  Expr *bytes;      // size, 64 bits, or NULL where it is not known
  unsigned element; // bytes of the source element, for reports; 0 unknown
  Loc loc;
  bool is_parameter;
  bool is_by_value;         // an argument that is a struct: its own bytes
  Fields fields;            // ... as far as the debug information tells
  Array *holder;            // where the pointer to it lies
  uint64_t holder_offset;   // ... at this byte
  bool is_found;            // in memory, see from_llvm_found.c
  bool is_image;            // of OpenCL
  bool is_written;          // by a plain write, an atomic or a copy
  Vec(ByteRange) written;   // what is written at places that are numbers ...
  bool is_written_anywhere; // ... unless it may be more
  bool is_made_often;       // a variable that is another one each time
  Expr *address;  // 64 bits, where a kernel computes with it, else NULL
  Expr *window;   // the same in .shared of PTX: 32 bits
  Expr *function; // which function it is, if it is one, where it is
                  // compared with some, else NULL
};

// An atomic returns the old value and writes one of whole numbers.
typedef enum AtomicOp {
  ATOMIC_ANY,       // not known
  ATOMIC_ADD,       // the sum
  ATOMIC_INCREMENT, // one more, or 0 from the operand on
  ATOMIC_OR,        // the bits of both
  ATOMIC_EXCHANGE,  // the operand
  ATOMIC_COMPARE,   // the operand, if the old value is .expected
} AtomicOp;

// Bytes offset .. offset+length-1 of an array.
struct Access {
  AccessKind kind;
  Array *array;
  const char *name;   // which the code has for the array; NULL: the array's own
  Expr *offset;       // bytes, 64 bits
  Expr *length;       // bytes, 64 bits; a constant but for memcpy and the like
  unsigned alignment; // what its address has to be a multiple of; 0: of none
  Expr *value; // WRITE: what is stored (width 8*length) or NULL if not known
  Scope scope; // ATOMIC; SYSTEM: volatile
  bool is_for_annotations; // no compiled program makes it
  bool is_any;             // one of several, an unknown offset says which
  bool is_volatile;        // READ, WRITE: as strong as a relaxed atomic
  bool is_seed;            // READ: SOUND(seed-reads), if it may be assumed
  bool is_load;            // ATOMIC: writes nothing
  bool releases;           // ATOMIC: as with a fence before it
  bool acquires;           // ATOMIC: as with a fence behind it, ...
  bool acquires_always;    // ... also if it compares and changes nothing
  AtomicOp op;    // ATOMIC: what it makes of the old value and .operand, ...
  Expr *operand;  // ... which is NULL of ATOMIC_ANY
  Expr *expected; // ATOMIC_COMPARE
  Exprs promises; // ATOMIC: conditions on .operand, true whenever control is
                  // there; filled by smt
  Symbol *result; // READ, ATOMIC: what it returned, or NULL
  const Array *event; // of an asynchronous copy: where its event is kept
  uint64_t event_at;  // ... byte of it
  bool is_passed_on;  // ... the event that is there already, if there is one
};

typedef enum BarrierKind {
  BARRIER_BLOCK, // __syncthreads, barrier()
  BARRIER_WARP,  // __syncwarp: the threads of mask in one warp
  BARRIER_GRID,  // cooperative groups: the whole grid
  BARRIER_COPY,  // an asynchronous copy starts: all take part, no order
  BARRIER_EVENT, // wait_group_events: copies of the event are done
  BARRIER_LANES, // a shuffle or vote of the lanes of mask: no order; without a
                 // mask it waits for nobody
  BARRIER_SUB_GROUP, // the same of a sub-group, in which we do not know who is
} BarrierKind;

struct Barrier {
  BarrierKind kind;
  bool orders_shared; // fence flags: which accesses it orders
  bool orders_global;
  bool orders_images; // where there are some, as settle_image_fences says
  Expr *mask;         // WARP, LANES: 32 bits
  Symbol *told;       // LANES: what it returns if that is a mask; else NULL
  Expr *chosen;       // ... and is in it if this is true; NULL: not known
  Symbol *agreed;     // LANES: what it returns, if to all whom the mask names;
                      // else NULL
  Symbol *passed;     // LANES: what a shuffle returns; else NULL
  Expr *value;        // ... which is this in the lane that it comes from
  Expr *from;         // ... whose number is this, 0 .. 31
  const Array *event; // EVENT: where the events are kept
  uint64_t event_from, event_to; // EVENT: the bytes of that
  Exprs alike; // has to be the same for all threads that meet here
};

typedef enum StmtKind {
  STMT_ACCESS,
  STMT_BARRIER,
  STMT_ASSUME, // condition holds when control is here
  STMT_ASSERT, // condition has to hold when control is here
  STMT_CLAIM,  // ... and speaks of ghosts, so it is never a fact
  STMT_FENCE,  // what comes before is seen before what comes behind
  STMT_LOOK,   // an invariant of the next barrier reads what nobody else may
               // write until then; no access of the program
} StmtKind;

struct Stmt {
  StmtKind kind;
  unsigned number; // in the order of Kernel.stmts
  Loc loc;
  BasicBlock *block;
  Expr *guard;   // control gets here in the current iteration of each loop
  Access access; // ACCESS, LOOK
  Barrier barrier;
  Scope scope;         // FENCE
  bool is_full;        // FENCE: it releases and acquires
  Expr *condition;     // ASSUME, ASSERT, CLAIM
  const char *message; // ASSERT: its text, ASSUME: where it stems from,
                       // CLAIM: what it is
  const char *doubt;   // ASSERT: why nothing is known where it fails, or NULL:
                       // the program is wrong there
  bool is_requires;    // ASSUME: a __requires, listed with the verdict
  bool is_cut;         // ASSUME: a search ends here, whoever comes here
  bool is_global;      // CLAIM: also of threads that do not come here
  bool is_of_barrier;  // CLAIM: of threads of a block that both come here
};

// Threads of which an invariant is used, one or two.
typedef struct NamedThread {
  Expr *thread; // number along x
  Expr *exists; // the block has a thread of that number
} NamedThread;

typedef struct NamedThreads {
  NamedThread self;
  NamedThread other; // of an invariant about two
} NamedThreads;

// What holds of each thread when all have come to a barrier.
typedef struct BarrierInvariant {
  Stmt *check;   // that it holds, ASSERT, or CLAIM of two threads; reads memory
                 // by STMT_LOOK
  Stmt *barrier; // comes next
  bool is_of_two;
  Exprs alike; // has to be the same in both
  Vec(NamedThreads) named;
} BarrierInvariant;

struct Edge {
  BasicBlock *from, *to;
  Expr *guard;     // of taking it, in the current iteration
  Expr *condition; // ... once control is at `from`
  bool is_back;    // to the header of a loop around `from`
};

// A line of the source that a basic block was made of.
typedef struct BlockLine {
  Loc loc;
  unsigned stmt; // before the statement of this number
} BlockLine;

// Basic blocks are kept in reverse post-order of the graph without back edges:
// block[i] comes before block[j] whenever control can go from i to j inside one
// iteration.
struct BasicBlock {
  unsigned index;
  Expr *guard;
  Loop *loop; // innermost, or NULL
  Vec(Edge *) in, out;
  Vec(Stmt *) stmts;
  Vec(BlockLine) lines; // in the order of instructions; neighbours differ
};

// A natural loop.  Formulas about a loop speak of one iteration of it: the
// current one for statements inside, the last one for statements behind it.
struct Loop {
  unsigned index;
  BasicBlock *header;
  Loop *parent;
  unsigned depth; // 1 for the outermost
  Loc loc;
  Vec(BasicBlock *) blocks; // also those of inner loops
  Symbol *iteration;
  Vec(Symbol *) phis;
  Expr *entry; // control enters the loop
  Expr *again; // the current iteration takes a back edge
  // How many back edges whoever has left it has taken, a constant; NULL: that
  // is not known.  Filled by kernel_count_rounds.
  Expr *rounds;
  // No iteration goes without a barrier that orders accesses to shared [0] or
  // global [1] memory of threads of a warp, a block, a grid; filled by smt.
  bool always_synchronises[3][2];
  // Threads of a block [0], of the grid [1], that are in the same iteration of
  // the loops around go round equally often; filled by kernel_find_uniform.
  bool is_left_together[2];
  Exprs candidates;     // guessed, not yet proven
  Exprs invariants;     // user's (asserted), proven candidates, and that there
                        // are no more than .rounds
  Vec(Stmt *) asserted; // user's __invariant, checked on entry and on step
};

// A fact under a name.  It is about who is behind the statements before number
// `stmt`, in `block` or below it; or about who has entered `loop`; or, where
// both are NULL, about everybody.  It is meant for threads for which `when` may
// hold, too.
typedef struct Premise {
  Expr *fact;
  Expr *when; // or NULL
  const BasicBlock *block;
  unsigned stmt;
  const Loop *loop;
} Premise;
typedef Vec(Premise) Premises;

// A multiplication of which the language says nothing.
typedef struct SizeProduct {
  Expr *factor[2], *value;
} SizeProduct;

struct Kernel {
  const char *name;   // linkage name
  const char *source; // as the user writes it
  Loc loc;
  bool is_opencl;
  bool is_amdgcn;
  unsigned warp_lanes; // 32, or 64
  Launch launch;
  const Options *options;
  Vec(Array *) arrays;
  Vec(Symbol *) parameters; // scalars, in order; NULL for pointers
  Vec(Symbol *) symbols;
  Vec(BasicBlock *) blocks;
  Vec(Loop *) loops; // outer before inner
  Vec(Stmt *) stmts; // in the order of basic blocks
  Expr *thread_id[3], *block_id[3], *block_size[3], *grid_size[3];
  Expr *global_offset[3]; // where OpenCL's global ids start
  Exprs facts;            // what the launch fixes, of one thread
  Exprs meant;            // ... if the host's arithmetic in them is defined
  Exprs choices;          // what the host chooses between numbers in them by
  // SOUND(address-arithmetic) as assumptions at their place, not in stmts: each
  // before the statement of its number.
  Vec(Stmt *) addresses;
  Vec(BarrierInvariant *) barrier_invariants;
  Vec(Symbol *)
      partners; // any values; those of the other thread, where two meet
  // What memory contains, as assumptions at their place, not in stmts either;
  // filled by kernel_find_contents.
  Vec(Stmt *) contents;
  Cells *cells;        // NULL: none is known; filled by kernel_find_cells
  Leaders *leaders;    // NULL: order by atomics is not followed
  bool may_have_order; // ... and could matter; filled by pair_from_kernel
  Expr *block_limit;   // NULL, or of sizes that are free: few threads in all
  Exprs no_overflow;   // "guard implies no overflow", one an nsw operation
  Vec(SizeProduct) products;
  Premises premises[PREMISES];   // filled by kernel_find_premises, too
  Vec(const char *) assumptions; // names of SOUND() entries used, see docs
  Expr *exit;                    // control reaches the end of the kernel
};

// ---------------------------------------------------------- pair program ---

typedef enum ObligationKind {
  OBLIGATION_RACE,
  OBLIGATION_DIVERGENCE,
  OBLIGATION_ASSERTION,
  OBLIGATION_BOUNDS,
  OBLIGATION_INVARIANT, // a user's invariant, on entry or kept by the body
  OBLIGATION_CANDIDATE, // a guessed one that survived Houdini
} ObligationKind;

// One thing to prove: the facts and the violation together have no model.
struct Obligation {
  ObligationKind kind;
  unsigned number; // from 1
  Stmt *first;     // RACE: thread 1's access; else the statement it is about
  Stmt *second;    // RACE: thread 2's access; else NULL
  Stmt *barrier;   // RACE: the last barrier before both, NULL: kernel entry
  Loop *loop;      // INVARIANT, CANDIDATE, DIVERGENCE of a loop: which
  bool same_block; // RACE: threads of one block or of two
  bool same_warp;
  const char *doubt;    // why a model may be of no execution; NULL: it is
  const char *sentence; // what to say if it fails, without place
  const Suppression *suppression; // NULL: its failing is a problem
  Exprs facts;                    // may be many: the back ends slice
  Exprs history;            // more facts: the iteration before, block_limit
  Exprs no_overflow;        // true if no nsw or nuw arithmetic overflows
  Exprs counters;           // those of the facts that are about atomic counters
  Exprs premises[PREMISES]; // more facts, each under its name
  Expr *violation;
  Expr *reached;  // what the violation says of where the threads are, or NULL
  Expr *alone[2]; // RACE: the same of each of the two threads, not the other
  Obligation *strict;    // RACE: the same where what is tolerated is one, too;
                         // NULL: nothing is
  const char *tolerance; // ... "benign-writes", "volatile-accesses" or
                         // "seed-reads"
  // For the witness: the ids and values of each thread, in these formulas.
  Expr *thread_id[2][3], *block_id[2][3];
  Expr *offset[2];            // RACE, BOUNDS: byte offsets
  struct Context *context[2]; // the second is NULL where there is one thread
};

// The two-thread program of a kernel after its loops were cut: variables
// exist as $1 and $2, and what can go wrong is a list of obligations.
struct Pair {
  Kernel *kernel;
  Vec(Obligation *) obligations;
  Exprs consistent;         // must have a model, else the verdict is vacuous
  Exprs meant;              // ... and so must what is assumed by name, and this
  Exprs choices;            // ... with each of these, and with its opposite
  Exprs premises[PREMISES]; // of the same thread, at the end of the kernel
  Exprs occasions[PREMISES]; // when they are meant, as far as they say it
  Expr *exit;                // it comes there
};

// -------------------------------------------------- from_llvm_assembly.c ---

// Before llvm_prepare: inline assembly that is understood becomes IR.
void llvm_lower_assembly(Task *task, struct LLVMOpaqueModule *module);

// A copy of the module, for those who know more assembly.  It lives as long as
// the task.  NULL: there is none in it.
struct LLVMOpaqueModule *llvm_keep_assembly(Task *task,
                                            struct LLVMOpaqueModule *module);
// The same kernel in the copy.
KernelEntry llvm_entry_in(struct LLVMOpaqueModule *module,
                          const KernelEntry *entry);

// ------------------------------------------------------ from_llvm_uses.c ---

// Barriers by name and count, mbarriers or asynchronous copies, for an NVIDIA
// device.  Needs llvm_prepare.
bool llvm_uses_barriers(Task *task, const KernelEntry *entry);

// ----------------------------------------------------------- from_llvm.c ---

// One kernel under one launch.  Makes basic blocks, guards, accesses, loops.
Kernel *kernel_from_llvm(Task *task, const KernelEntry *entry,
                         const Options *options, const Launch *launch);

// Of a block; more than devices have where such a launch is asked for.
uint32_t kernel_most_threads(const Kernel *kernel);

// ------------------------------------------------------------- premise.c ---

const char *premise_name(PremiseKind kind); // "sizes-fit"
bool premise_find(const char *name, size_t length, PremiseKind *kind);
void premise_add(Task *task, Kernel *kernel, PremiseKind kind, Premise premise);
// Adds the name of an assumption that the verdict rests on, once.
void kernel_assume(Task *task, Kernel *kernel, const char *name);
// 0 <= a, signed.
Expr *premise_is_natural(Task *task, Expr *a);
// Those of arguments and sizes, once the kernel is translated.
void kernel_find_premises(Task *task, Kernel *kernel);

// -------------------------------------------------------------- exited.c ---

// Adds the premise that all threads are present at barriers.
void kernel_find_exited(Task *task, Kernel *kernel);

// --------------------------------------------------------------- sizes.c ---

void kernel_find_sizes(Task *task, Kernel *kernel);

// ---------------------------------------------------------------- rows.c ---

void kernel_find_rows(Task *task, Kernel *kernel);

// ---------------------------------------------------------- recurrence.c ---

bool loop_is_inside(const Loop *inner, const Loop *outer); // or equal
bool loop_contains(const Loop *loop, const BasicBlock *block);
// Nothing that the loop computes anew occurs in `a`.
bool loop_keeps(Task *task, const Loop *loop, Expr *a);

// Gives loop-carried values a closed form over the iteration number.
void kernel_solve_recurrences(Task *task, Kernel *kernel);

// ------------------------------------------------------------- rounds.c ---

// Finds loops that go round as often as their constants say; then what they
// carry has a closed form, too.  kernel_solve_recurrences does it at its end.
void kernel_count_rounds(Task *task, Kernel *kernel);

// ------------------------------------------------------------ counters.c ---

// So many bits are enough for every value of `a` in any launch.
unsigned counter_bits(const Expr *a);
// iteration * step does not wrap: it is phi - init.
Expr *counter_is_exact(Task *task, const Symbol *phi, Expr *step);
// init + iteration * step, as integers, is below 2^bits.
Expr *counter_stays_below(Task *task, const Symbol *phi, Expr *step,
                          bool is_signed, unsigned bits);
// SOUND(long-counters): it is assumed to stay below 2^63.
bool counter_is_long(Task *task, const Kernel *kernel, Symbol *phi, Expr *step);
// Of a counter that goes by `step`: what has to be assumed becomes an
// invariant of its loop; true, nothing is left to guess.  Or it is kept for
// the caveat, Kernel.no_overflow.
bool counter_assume(Task *task, Kernel *kernel, Symbol *phi, Expr *step);
// Where it is known how often the loop goes round only what signed sums say is
// left to tell.
void counter_of_rounds(Task *task, Kernel *kernel, const Symbol *phi,
                       Expr *step);

// ------------------------------------------------------- counter_index.c ---

// Whoever goes round the counter's loop goes on by `step` in some array.
bool counter_is_index(Task *task, const Kernel *kernel, Symbol *phi,
                      Expr *step);

// -------------------------------------------------------------- stride.c ---

// It goes by the number of threads until it is not below a number.
bool stride_ends_loop(Task *task, const Kernel *kernel, const Symbol *phi,
                      Expr *step);
// SOUND(sizes-fit), of such a counter.
void stride_add_premise(Task *task, Kernel *kernel, const Symbol *phi,
                        Expr *step);

// ------------------------------------------------------------- uniform.c ---

void kernel_find_uniform(Task *task, Kernel *kernel);
// It is the same in all threads of the launch, whatever they do.
bool symbol_is_of_launch(const Symbol *symbol);

// ------------------------------------------------------------ contents.c ---

// Makes Kernel.contents.  Needs uniformity.
void kernel_find_contents(Task *task, Kernel *kernel);

// --------------------------------------------------------------- cells.c ---

// Adds to Kernel.contents what variables in shared memory hold at barriers.
// Needs uniformity; makes use of what is promised.
void kernel_find_cells(Task *task, Kernel *kernel);
// What is read there may be what the first thread of a block has told.
bool cells_may_tell(const Kernel *kernel, const Array *array);

// -------------------------------------------------------------- leader.c ---

// Options.follows_order: fills Kernel.leaders.  Needs uniformity, and what is
// promised.
void kernel_find_leaders(Task *task, Kernel *kernel);
// Adds to Kernel.contents.
void leaders_add_facts(Kernel *kernel);

// ------------------------------------------------------------ handover.c ---

// The conditions of which it would help, for order by atomics, if they were
// proved.
Exprs handover_promises_wanted(Task *task, const Kernel *kernel,
                               const Stmt *stmt);

// ----------------------------------------------------------- relevance.c ---

// Finds the symbols that an obligation can depend on.  Needs recurrences.
void kernel_find_relevant(Task *task, Kernel *kernel);

// ---------------------------------------------------------- candidates.c ---

// Finds what is relevant, takes the user's invariants, Loop.invariants, and
// guesses those of what has no closed form, Loop.candidates.
void kernel_propose_invariants(Task *task, Kernel *kernel);

// -------------------------------------------------------------- atomic.c ---

// Is the condition on its operand one that was proved?
bool atomic_is_promised(const Access *access, const Expr *condition);
// Operand and value are not the same.
Expr *atomic_differs(Task *task, Expr *operand, Expr *value);
// Values of the array's cells that may mark them as free: those with which the
// kernel compares, and 0 and -1.
Exprs atomic_values(Task *task, const Kernel *kernel, const Array *array);
// The conditions of which it would help if they were proved.
Exprs atomic_promises_wanted(Task *task, const Kernel *kernel,
                             const Stmt *stmt);

// ---------------------------------------------------------------- pair.c ---

// In PTX's memory model: an atomic, or volatile in CUDA.
bool access_is_strong(const Access *access);
bool access_writes(const Access *access);
const char *accessed_name(const Access *access); // the name

// That no iteration goes without a barrier, see Loop.always_synchronises.
// NULL: no such barrier is in the loop.
Obligation *pair_synchronises(Task *task, Kernel *kernel, Loop *loop,
                              unsigned reach, bool is_global);

// That the condition holds whenever control is at the statement.  NULL: it
// does.
Obligation *pair_promise(Task *task, Kernel *kernel, Stmt *stmt,
                         Expr *condition);

// What has to hold for a candidate of a loop: it holds on entry (step false)
// or it is kept by an iteration, if `assumed` of the loop hold at its head.
Obligation *pair_candidate(Task *task, Kernel *kernel, Loop *loop,
                           Expr *candidate, bool step, const Exprs *assumed);

// Makes the obligations.  Needs recurrences and uniformity.
Pair *pair_from_kernel(Task *task, Kernel *kernel);

// ---------------------------------------------------------------- expr.c ---

// Constructors simplify: constants fold, neutral elements vanish, arguments
// of commutative operators are ordered.  Widths are checked by assert.
Expr *expr_const(Task *task, unsigned width, uint64_t value);
Expr *expr_bool(Task *task, bool value);
Expr *expr_symbol(Task *task, Symbol *symbol);
Expr *expr_binary(Task *task, ExprOp op, Expr *a, Expr *b);
Expr *expr_not(Task *task, Expr *a);
Expr *expr_and(Task *task, Expr *a, Expr *b);
Expr *expr_or(Task *task, Expr *a, Expr *b);
Expr *expr_implies(Task *task, Expr *a, Expr *b);
Expr *expr_eq(Task *task, Expr *a, Expr *b);
Expr *expr_add(Task *task, Expr *a, Expr *b);
Expr *expr_sub(Task *task, Expr *a, Expr *b);
Expr *expr_mul(Task *task, Expr *a, Expr *b);
Expr *expr_ite(Task *task, Expr *condition, Expr *yes, Expr *no);
Expr *expr_extract(Task *task, Expr *a, unsigned low, unsigned width);
Expr *expr_zext(Task *task, Expr *a, unsigned width);
Expr *expr_sext(Task *task, Expr *a, unsigned width);
Expr *expr_concat(Task *task, Expr *high, Expr *low);
// zext or truncation, sext or truncation: whatever `width` asks for.
Expr *expr_to_width(Task *task, Expr *a, unsigned width, bool is_signed);
Expr *expr_apply(Task *task, const char *function, unsigned width, Expr **args,
                 unsigned count);
// The same operator over other arguments, simplified again.
Expr *expr_rebuild(Task *task, const Expr *old, Expr **args);

bool expr_is_true(const Expr *a);
bool expr_is_false(const Expr *a);
bool expr_is_const(const Expr *a);
bool expr_is_comparison(const Expr *a); // of numbers: EQ, ULT, ULE, SLT, SLE
bool expr_is_division(const Expr *a);   // a quotient or a remainder
bool expr_is_content(const Expr *a);    // what memory contains
Expr *expr_without_extension(const Expr *a);
const char *expr_op_text(ExprOp op);
const char *expr_op_smt(ExprOp op);

// Replaces symbols.  `replace` gives the new expression of a symbol (its own
// expr to keep it).  Results are shared through the map, one a substitution.
typedef struct Substitution {
  Expr *(*replace)(Task *task, Symbol *symbol, void *data);
  void *data;
  struct ExprMap *map; // zero at first
} Substitution;
Expr *expr_substitute(Task *task, Substitution *substitution, Expr *a);

// Expr -> Expr, for memo tables of passes over the DAG.
typedef struct ExprMap ExprMap;
ExprMap *expr_map_new(Task *task);
Expr *expr_map_get(const ExprMap *map, const Expr *key); // NULL: absent
void expr_map_put(Task *task, ExprMap *map, const Expr *key, Expr *value);
// It is empty then, and its memory is for others.
void expr_map_drop(Task *task, ExprMap *map);

void exprs_add(Task *task, const Exprs *from, Exprs *to); // appends
void exprs_sort(Exprs *list);                             // by id
// Of the terms in their order.
uint64_t exprs_hash(const Exprs *list);
bool exprs_are_same(const Exprs *a, const Exprs *b);

// Appends the subexpressions of `a` that are not in `seen` yet, each once and
// after its arguments, and puts them there.
void expr_order(Task *task, Expr *a, ExprMap *seen, Exprs *order);

// The symbols that a formula speaks of, each once, in order of number.
typedef Vec(Symbol *) Symbols;
void expr_symbols(Task *task, Expr *a, Symbols *symbols);
bool expr_mentions(Task *task, Expr *a, const Symbol *symbol);

// The value of `a` where `value_of` gives the symbols'; widths up to 64.
// Uninterpreted functions are evaluated by `apply`.
typedef struct Valuation {
  uint64_t (*value_of)(const Symbol *symbol, void *data);
  uint64_t (*apply)(const char *function, const uint64_t *args, unsigned count,
                    void *data);
  void *data;
} Valuation;
uint64_t expr_evaluate(Task *task, const Valuation *valuation, const Expr *a);

// Infix text for people: "threadIdx.x$1 + 4 * k <u n".
char *expr_text(Task *task, const Expr *a);

// ---------------------------------------------------------------- bits.c ---

// Numbers of few bits: how many bits of `a` are set, and which is the first or
// the last one, counted from 1; 0 if there is none.  Widths 8, 16, 32, 64.
Expr *bits_count(Task *task, Expr *a);
Expr *bits_first(Task *task, Expr *a);
Expr *bits_last(Task *task, Expr *a);
// What is true of those that the obligation speaks of.
void bits_add_facts(Task *task, Obligation *obligation);

// ---------------------------------------------------------- obligation.c ---

// The facts that have to do with the violation, through common symbols.
Exprs obligation_facts(Task *task, const Obligation *obligation);

// Has the obligation a model?  With the violation.  The core has no history and
// tolerates nothing, so if it is refuted, all of it is: mostly that is enough,
// and sooner done.  An empty core: it would be all of it.
typedef struct Question {
  Exprs all, core;
} Question;
Question obligation_question(Task *task, const Obligation *obligation);

// --------------------------------------------------------------- walk.c ---

// Is a formula of the obligation true, in a model?
typedef struct Truth {
  bool (*of)(void *data, Expr *a);
  void *data;
} Truth;
typedef Vec(Loc) Locs;

// Appends the lines on the way of thread 0 or 1 of the obligation to `to`, or
// without that, as far as it goes.  Of each loop one iteration: the one that
// the obligation speaks of, or the last.  Long ways lose their beginning.
void obligation_walk(Task *task, const Kernel *kernel,
                     const Obligation *obligation, unsigned thread,
                     const Stmt *to, const Truth *truth, Locs *way);

// The subterms worth a name, by id: those of at least `least` nodes that are
// used more than once, and others until no term has more than `most` nodes,
// a name counting as one.
Exprs expr_shared(Task *task, const Exprs *roots, size_t least, size_t most);
// Where `e` is in such a list, or SIZE_MAX.
size_t expr_find(const Exprs *by_ids, const Expr *e);

// ---------------------------------------------------------------- dump.c ---

const char *access_name(AccessKind kind); // "read", "write", "atomic"

// --dump=kernel: one thread's program.  --dump=pair: the obligations.
void dump_kernel(Task *task, const Kernel *kernel, FILE *out);
void dump_pair(Task *task, const Pair *pair, FILE *out);

// ------------------------------------------------------------ lockstep.c ---

// The two-thread program, loops and all, from the kernel as it was translated:
// needs nothing that comes behind kernel_from_llvm.
typedef struct Program Program;
Program *lockstep_from_kernel(Task *task, Kernel *kernel);
// --emit-program, as Boogie 2 text: verifies if there is no race, divergence
// or failing assertion.  Guessed invariants are for /contractInfer.
void lockstep_print(Task *task, const Program *program, FILE *out);
// --dump=program
void lockstep_dump(Task *task, const Program *program, FILE *out);

// -------------------------------------------------------------- boogie.c ---

// The pair program as Boogie 2 text: one procedure an obligation, named
// obligation_<number>, which Boogie verifies exactly if there is no violation.
void boogie_print(Task *task, const Pair *pair, FILE *out);

#endif
