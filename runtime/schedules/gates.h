// Gates: one schedule, enforced on an execution that has a scheduler of its
// own.
//
// A schedule is executed here once, and every access that counts is told
// (explore.h).  That order is made into tickets: each thread has a list of
// those it will need.  Before an access it waits until its ticket is up, behind
// the access it calls the next one.  So the accesses come in this order and in
// no other, whoever schedules the threads.  A thread that comes with another
// access than the one it has a ticket for, or waits too long, ends the
// execution and says so.
//
// What is in this header lies in the memory of the device as it is here.

#ifndef RUNTIME_SCHEDULES_GATES_H
#define RUNTIME_SCHEDULES_GATES_H

#include "runtime/schedules/explore.h"

// Why all threads leave.
typedef enum GatesEnd {
  GATES_NONE,
  GATES_ASSERTION,
  GATES_TRAP,
  GATES_OTHER,   // a thread makes another access than in the schedule
  GATES_LATE,    // the ticket of nobody comes up any more
  GATES_MORE,    // a thread makes more accesses than in the schedule
  GATES_RUNNING, // the schedule is over, and threads still go round loops
} GatesEnd;

typedef struct Gate {
  uint32_t ticket, site;
} Gate;

// The gates that are left to a thread.
typedef struct GateList {
  uint32_t next, last;
} GateList;

// The gates of a launch.  `gates` and `lists` are addresses where it runs.
typedef struct Gates {
  uint32_t ticket;   // whose turn it is
  uint32_t end;      // a GatesEnd, by the first one who has reason to
  uint32_t thread;   // ... of the grid
  uint32_t site;     // ... where
  uint32_t beyond;   // MORE: who has no ticket left has to wait for the end;
                     // RUNNING: it goes on, for some time
  uint32_t is_off;   // accesses have no gates
  uint64_t patience; // nanoseconds without progress
  uint64_t since;    // when somebody had no ticket left, 0: nobody
  uint64_t gates, lists;
} Gates;

// --------------------------------------------------------------- gates.c ---

// The same before a launch, and where the threads of the grid find theirs.
typedef struct GatePlan {
  Gates head; // without addresses
  uint32_t count;
  Gate *gates; // thread by thread
  uint32_t threads;
  GateList *lists;
} GatePlan;

// Of what a schedule has done.  NULL, or why that cannot be enforced.
const char *gates_plan(Task *task, const Run *run, const Steps *steps,
                       const Trial *trial, GatePlan *plan);

// ---------------------------------------------------------- gates_text.c ---

// In parts, up to NULL.
extern const char *const gates_text[];

// ------------------------------------------------------------ gates_ir.c ---

#define GATES_NAME "gpuverify_gates"            // a variable, a Gates
#define GATES_VARIABLE "gpuverify_variable_%zu" // of the kernel's, by index
#define GATES_ENTRY "gpuverify_entry"
#define GATES_ALSO "gpuverify_also"

// Puts gates into the module of a kernel that runtime/jit/code.c has seen: at
// `at` in this process or, if that is NULL, in a variable.  False: *reason says
// why.
bool gates_insert(Task *task, const Code *code, struct LLVMOpaqueModule *module,
                  const Gates *at, const char **reason);
// The kernel with gates, and what is executed beside it, as PTX text of this
// version, 80 for 8.0; the module stays as it is.  NULL: *reason says why.
const char *gates_ptx(Task *task, const Code *code, unsigned version,
                      const char **reason);

#endif
