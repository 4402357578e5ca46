// What the makers of the pair program share.  Private to translator/.

#ifndef TRANSLATOR_PAIR_H
#define TRANSLATOR_PAIR_H

#include "translator/translator.h"

// ------------------------------------------------------------ interval.c ---

// Which threads are meant to be kept apart, and so which barriers count.
typedef enum Reach {
  REACH_WARP,  // threads of one warp: block barriers and full warp barriers
  REACH_BLOCK, // threads of one block
  REACH_GRID,  // threads of two blocks: grid barriers alone
  REACH_EVENT, // an asynchronous copy and what follows it: waits alone
} Reach;

// What is known of a loop's iteration at a statement, since a barrier.
typedef enum RelationKind {
  RELATION_FREE,  // nothing
  RELATION_SAME,  // `count` back edges after the one of the barrier
  RELATION_FIRST, // entered since; `count` back edges after that
} RelationKind;

typedef struct Relation {
  RelationKind kind;
  unsigned count;
  bool was_left;       // the barrier's run of the loop was left on the way,
  unsigned left_after; // so many back edges after the barrier
} Relation;

// One way in which a statement lies in a barrier interval.
typedef struct AccessPlace {
  Stmt *since;         // the barrier that opens it; NULL: the kernel's entry;
                       // REACH_EVENT: the copy
  Relation *relations; // by Loop.index
  Expr *condition;     // that no barrier was passed on the way here
  const Loop *round;   // a loop whose back edge was taken once on the way, ...
  Expr *before;        // ... and this is true of its iteration before; or NULL
} AccessPlace;
typedef Vec(AccessPlace) AccessPlaces;

// Does the barrier order accesses to `space` of threads within `reach`?
bool barrier_orders(const Stmt *stmt, Reach reach, Space space);

// For every access statement (by Stmt.number): its places.
AccessPlaces *interval_places(Task *task, const Kernel *kernel, Reach reach,
                              Space space);
// The places of one statement in what follows an access, until a barrier cuts.
AccessPlaces interval_since(Task *task, const Kernel *kernel, Reach reach,
                            Space space, Stmt *access, const Stmt *stmt);
bool places_share_interval(const AccessPlaces *a, const AccessPlaces *b);
bool *loops_with_barrier(Task *task, const Kernel *kernel, Reach reach,
                         Space space); // by Loop.index
bool loop_has_barrier(const Kernel *kernel, const Loop *loop,
                      BarrierKind at_least);

// --------------------------------------------------------- first_round.c ---

// The guard of the statement in the first round of the loops around it that are
// within the other loop (NULL: of all), in the terms of that one's iteration.
// NULL: not known.
Expr *first_round_guard(Task *task, const Stmt *stmt, const Loop *within);

// -------------------------------------------------------------- events.c ---

// Gives up where the event of a copy may be lost before somebody waits for it.
// Needs the places of REACH_EVENT.
void events_check(Task *task, const Kernel *kernel, const AccessPlaces *places);

// ------------------------------------------------------------- context.c ---

// One of two threads (or the only one) in the formulas of an obligation.
typedef struct Context {
  struct Meeting *meeting;
  unsigned thread;   // 0 or 1
  Expr **iterations; // by Loop.index
  Expr *reached;     // a guard of the kernel that is true of it, or NULL
  Substitution substitution;
} Context;

// The lane that a shuffle gave a thread its result from.
typedef struct Source {
  Context *of;          // the thread
  const Stmt *shuffle;  // of several with one lane the first
  const Stmt *gathered; // who took part was told there, and each may be in an
                        // iteration of its own; or NULL
  Context context;      // the lane, in the formulas of the obligation
  Exprs copies;         // its own symbols
} Source;
typedef Vec(Source *) Sources;

// Two threads and what they have in common.  Meetings of the same kind are
// one object, so that what was translated for one obligation serves others.
typedef struct Meeting {
  Task *task;
  Kernel *kernel;
  struct Meetings *meetings;
  bool is_single;  // just one thread: context[0]
  bool is_one;     // both contexts are of one thread, at two places
  bool keeps_phis; // closed forms are not used
  bool same_block;
  Context context[2];
  Sources sources; // of either
} Meeting;

// Where in the kernel a thread is.
typedef struct Position {
  const BasicBlock *block; // at a statement of this block ...
  unsigned stmt;           // ... all statements with a smaller number are done
  const Loop *end_of;      // or at the end of an iteration of this loop
  const Loop *before;      // or about to enter this loop
} Position;

// --------------------------------------------------------------- order.c ---

// Control can go from one statement to the other, round loops too.
bool can_follow(Task *task, const Kernel *kernel, const Stmt *from,
                const Stmt *to);

// Fences and atomics might order the accesses of two threads.
bool order_may_exist(Task *task, const Kernel *kernel, const Stmt *a,
                     const Stmt *b, bool same_block);

// ------------------------------------------------------------- context.c ---

typedef struct Meetings {
  Task *task;
  Kernel *kernel;
  size_t symbols;      // of the kernel itself
  Expr **copies[2];    // the threads' own symbols, by Symbol.number
  Expr ***previous[2]; // ... of an iteration before, by Loop.index
  Expr **anew;         // ... of another iteration, see meetings_anew
  Vec(Meeting *) all;
} Meetings;

Meetings *meetings_new(Task *task, Kernel *kernel);
// What a symbol that each iteration computes anew is in another one: anything.
Expr *meetings_anew(Meetings *meetings, const Symbol *symbol);
// A symbol of somebody's own, of the same name with the suffix.
Expr *meetings_copy(Meetings *meetings, const Symbol *symbol,
                    const char *suffix);
Position position_of(const Stmt *stmt);
// A thread there has done the statement, in the iteration that formulas about
// it speak of, or its guard is false.
bool position_has_passed(Position position, const Stmt *stmt);
Position position_before(const Kernel *kernel, const Loop *loop);
Position position_at_latch(const Kernel *kernel, const Loop *loop);

// One thread alone.  `keeps_phis`: what loops carry stays a symbol, which
// makes proofs by induction easier.
Meeting *meeting_single(Meetings *meetings, bool keeps_phis);
// The same, at the position: loops that it has left went round as often as is
// known.
Meeting *meeting_single_at(Meetings *meetings, bool keeps_phis,
                           Position position);
// One thread that goes through `loop` and leaves the loops in it that are
// marked in `skipped` (by Loop.index) in their first iteration.
Meeting *meeting_passing(Meetings *meetings, const Loop *loop,
                         const bool *skipped);
// Two threads at two places of one barrier interval.
Meeting *meeting_of_places(Meetings *meetings, bool same_block, Position a,
                           const AccessPlace *place_a, Position b,
                           const AccessPlace *place_b);
// One thread at two places of a barrier interval.
Meeting *meeting_of_one(Meetings *meetings, Position a,
                        const AccessPlace *place_a, Position b,
                        const AccessPlace *place_b);
// Two threads at one position, in lock step.
Meeting *meeting_in_step(Meetings *meetings, bool same_block,
                         Position position);

// Two threads in lock step but for `parting`, in which only the first is.
Meeting *meeting_apart(Meetings *meetings, bool same_block, Position position,
                       const Loop *parting);
// Both are in the same iteration of the loop, and of those around it.
bool meeting_in_one_iteration(const Meeting *meeting, const Loop *inner);
// ... as a formula.
Expr *meeting_is_in_one(const Meeting *meeting, const Loop *inner);
// If they are, as only the rest of a formula may say, what is uniform in `a` is
// one.
Expr *meeting_equal(Meeting *meeting, Expr *a);
Expr *context_expr(Context *context, Expr *a);
// The thread gets to the statement; what is known already is left out.
Expr *context_guard(Context *context, const Stmt *stmt);
// What holds for a thread at its position, beside that it got there.
void context_facts(Meetings *meetings, Context *context, Position position,
                   Exprs *facts);
// What holds for a thread at its position under a name.
void context_premises(Context *context, Position position, PremiseKind kind,
                      Exprs *facts);
// What `a` was one iteration of the loop earlier.
Expr *context_before(Meetings *meetings, Context *context, const Loop *loop,
                     Expr *a);
// How values compare with those of the iteration before.
void context_history(Meetings *meetings, Context *context, Position position,
                     Exprs *facts);
// The two threads are two.
Expr *meeting_is_of_two(Meeting *meeting);
Expr *context_linear(Context *context); // number of the thread in its block
Expr *context_group(Context *context, unsigned size); // of so many in a row
Expr *context_warp(Context *context); // number of the thread's warp
void context_id(Context *context, Expr *thread_id[3], Expr *block_id[3]);

// --------------------------------------------------------------- lanes.c ---

// Of two threads in lock step: the first waits for the second at an exchange of
// the warp or sub-group, and the second does not come, or means other lanes.
Expr *lanes_part(Meeting *meeting, const Stmt *stmt);
Expr *lanes_same_warp(Meeting *meeting);
// The first means lanes without its own; of BARRIER_LANES.
Expr *lanes_without_own(Meeting *meeting, const Stmt *stmt);
// The two have to go round this loop around the exchange together.
Expr *lanes_go_together(Meeting *meeting, const Stmt *stmt, const Loop *loop);
// Who takes part follows from what is known; else a problem is in doubt.
bool lanes_are_known(Task *task, const Stmt *stmt);
// What two threads in step that were told masks know of each other.
void lanes_facts(Meeting *meeting, Position position, Exprs *facts);
// The same of two threads at these positions.
void lanes_facts_behind(Meeting *meeting, const Position *positions,
                        Exprs *facts);
// ... of any two that came there in one iteration of the loops around, one of
// whom the other's mask may name.
Expr *lanes_tell_both(Context *one, Context *two, const Stmt *stmt);
// The statement that told those lanes who comes here together, whatever the
// iterations are that they are in; NULL: none did, or they need not come.
const Stmt *lanes_gathered_by(const Kernel *kernel, const Stmt *stmt);
bool lanes_are_told(const Stmt *stmt); // something by which they know
Expr *lanes_name(Task *task, Expr *mask, Expr *lane);
Expr *lanes_number(Context *context); // of the thread's lane

// ----------------------------------------------------------- shuffles.c ---

// From whom the shuffles that the violation speaks of have their results, and
// what is known of these lanes; `sources` by thread.
void shuffles_add_facts(Meeting *meeting, const Position *positions,
                        Obligation *obligation, Sources *sources);
// When all is said of them: the lanes of both threads may be one.
void shuffles_add_consistency(const Sources *sources, Exprs *facts);
// The lane takes part in the shuffle; else nothing is known of it.
Expr *source_is_there(const Source *source);
Expr *sources_are_one(const Source *one, const Source *two);
Expr *sources_in_one_iteration(const Source *one, const Source *two,
                               const Loop *inner);

// ------------------------------------------------------- atomic_writes.c ---

// Is it one array to both threads?
bool meeting_shares(const Meeting *meeting, const Array *array);
// An atomic at the array that writes.
bool atomic_writes(const Stmt *stmt, const Array *array);
// It leaves the cell as it was, whatever that is.
bool atomic_keeps(const Access *access);
// May the statement's write come between the atomics at its array, or, with
// --only-intra-group, that of another block?
bool atomics_are_disturbed(Task *task, const Kernel *kernel, const Stmt *stmt);
double kernel_most_blocks(const Kernel *kernel); // INFINITY: any number

// ----------------------------------------------------------- additions.c ---

typedef Vec(const Stmt *) Stmts;

typedef struct Counting {
  Task *task;
  const Kernel *kernel;
  Meetings *meetings;
} Counting;

typedef struct Additions {
  Stmts of;           // atomics, to one cell
  const Loop *around; // in one iteration of it, NULL: in the whole kernel
  bool is_down;
} Additions;

// How far the addition takes the cell.
Expr *addition_amount(Task *task, const Access *access, bool is_down);
// How far all of them take the cell at most.  `unknown` counts for each number
// that is not known.
double additions_sum(const Counting *counting, const Additions *additions,
                     double unknown);
// They take it no further than `room`.  Of what is not known it is assumed, if
// there is room for many.
bool additions_fit(const Counting *counting, const Additions *additions,
                   double room);

// ------------------------------------------------------ atomic_counter.c ---

// The arrays of a kernel whose atomics are counters.
typedef struct Counters Counters;
Counters *counters_new(Task *task, Kernel *kernel, Meetings *meetings);
// Who got x and adds by_x, and who got y and adds by_y, have no number in
// common.
Expr *counter_parts(Task *task, Expr *x, Expr *by_x, Expr *y, Expr *by_y,
                    bool is_down);
// What the counters gave the two threads is not the same.
void counters_add_facts(Counters *counters, Meeting *meeting,
                        Obligation *obligation);
// ... nor what they gave the lanes that shuffles had their results from, unless
// that is one addition.
void counters_add_of_sources(Counters *counters, const Sources *sources,
                             const Position *positions, Obligation *obligation);

// -------------------------------------------------------------- totals.c ---

// The barrier since which both threads draw from one cell, if they are in the
// same iteration of the loops around it.  NULL: they do not.
const Stmt *total_opens_both(const Cells *cells, const Stmt *a, const Stmt *b);
// What the lane drew is within what all drew; the thread that asks it is at the
// position.
void totals_add_of_source(const Cells *cells, Source *source, Position position,
                          Exprs *facts);

// ------------------------------------------------------- first_draws.c ---

// What the first threads of the two blocks drew is not the same.  NULL: nothing
// is known.
Expr *first_draws_apart(const Cells *cells, Meeting *meeting, const Stmt *a,
                        const Stmt *b, bool is_down);

// ------------------------------------------------------- atomic_winner.c ---

// The arrays of a kernel whose cells atomics claim.
typedef struct Winners Winners;
Winners *winners_new(Task *task, const Kernel *kernel);
// Not both of the two threads find a cell as it was.
void winners_add_facts(Winners *winners, Meeting *meeting, Exprs *facts);

// ------------------------------------------------------------- uniform.c ---

// Seen from within `here` (NULL: from outside of all loops), which the loops
// that compute the symbol, and do not contain `here`, were left for.
bool symbol_is_uniform(const Symbol *symbol, const Loop *here, bool grid);

// -------------------------------------------------------------- extent.c ---

// No two threads of any launch have a byte of the same array in common by
// these accesses, as far as can be seen at once.
bool accesses_are_apart(const Kernel *kernel, const Access *a, const Access *b);

// ------------------------------------------------------------- overlap.c ---

// Byte ranges [a, a+n) and [b, b+m), neither empty, have a byte in common.
// `divisors` remembers what divides terms, from call to call.
Expr *bytes_overlap(Task *task, ExprMap *divisors, Expr *a, Expr *n, Expr *b,
                    Expr *m);
// `a` is a multiple of a power of two, as far as the code says it and not what
// an argument is.
bool bytes_are_aligned_by_arguments(Task *task, ExprMap *divisors,
                                    const Expr *a, uint64_t of);

// ---------------------------------------------------------------- pair.c ---

Obligation *pair_add(Task *task, Pair *pair, ObligationKind kind,
                     Expr *violation);
// What is known of one thread (or both) at its position.
void pair_fill_facts(Obligation *obligation, Meeting *meeting,
                     const Position *positions);

// From `stmt` a thread gets to the end of the loop's iteration: no loop is
// around it or ahead in which it might go round for ever, and nothing is
// assumed on the way, which would say that the thread never comes there.  So
// Loop.again is what it will decide.
bool will_decide(const Kernel *kernel, const Stmt *stmt, const Loop *loop);

// -------------------------------------------------------------- claims.c ---

// Assertions about logged accesses and about two threads.
void claims_add_all(Pair *pair, Meetings *meetings);

// ---------------------------------------------------------- divergence.c ---

// All threads pass the same barriers, with the same arguments.
void divergence_add_all(Pair *pair, Meetings *meetings);

#endif
