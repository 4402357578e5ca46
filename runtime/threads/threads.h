// Programs with POSIX threads, executed under many schedules in one process.
//
// In comes LLVM IR of a whole program; out comes what went wrong under one of
// the schedules, with the schedule itself, or how much was looked at.  The
// doors (plugin/) call, report/ reads the answer.  The program is instrumented
// and compiled once (program.c); a schedule is a run of it in which one thread
// goes on at a time and may be stopped before each access that others may see
// (world.c); who goes on a policy says (policies.h); the search (search.c)
// makes many schedules, in processes that are copies of each other.

#ifndef RUNTIME_THREADS_THREADS_H
#define RUNTIME_THREADS_THREADS_H

#include "base/base.h"

#include <stdatomic.h>

struct LLVMOpaqueModule;

enum {
  MOST_PROGRAM_THREADS = 65535,
  MOST_PLACES = 1024, // of threads that have not ended
  MOST_DEPTH = 7,
  MOST_DEVIATIONS = 1 << 16,
  MOST_DEEDS = 4096,
  MOST_ENDS = 64,
  MISHAP_TEXT = 400,
  END_TEXT = 240,
  MOST_WORKERS = 256,
  TRACES = 1 << 22,
};

// -------------------------------------------------------------- program.c ---

typedef enum DeedKind {
  DEED_READ,
  DEED_WRITE,
  DEED_ATOMIC_READ,
  DEED_ATOMIC_WRITE, // or both, read and write
  DEED_CALL,         // of a function of ours, `callee`
} DeedKind;

// An instruction that the machine is told of.
typedef struct DeedSite {
  Loc loc;
  DeedKind kind;
  unsigned bytes;     // of an access whose size is fixed
  const char *callee; // CALL; NULL: through a pointer
  // Of an atomic operation: its memory order, and whether it reads what it
  // writes.
  bool acquires, releases, exchanges;
  bool is_inner; // in a header of the system
} DeedSite;

// A variable of the program, or one that stdio and the like have.
typedef struct ProgramVariable {
  const char *name;
  uint64_t at, bytes;
} ProgramVariable;

typedef struct ProgramImage {
  Vec(DeedSite) sites; // the first is nowhere
  Vec(ProgramVariable) variables;
  uint64_t text; // a hash of the IR, by which a schedule knows its program
  int (*main)(int, char **, char **);
  bool takes_addresses; // of functions of the library
  bool asks_for_ends;   // whether a thread has ended already
  uint64_t globals_end; // behind the last variable
  // As it is before it is compiled, in bitcode, if that is wanted.
  bool is_kept;
  const char *instrumented;
  size_t instrumented_bytes;
} ProgramImage;

// Bitcode, linked.  NULL: *reason says why not.
struct LLVMOpaqueModule *program_files_read(Task *task, size_t count,
                                            const char *const *files,
                                            const char **reason);
// The module is taken.  False: *reason and *where say what is not executed.
bool program_image_make(Task *task, struct LLVMOpaqueModule *module,
                        ProgramImage *image, const char **reason, Loc *where);

// --------------------------------------------------------------- schedule ---

// A thread does not go on, but another one: at its own step number `step`, or,
// if that is forced, where it waits or ends there.  Where nothing is said, a
// thread goes on, and after it the one with the lowest number that can.
typedef struct Deviation {
  uint32_t thread, step, to;
  bool is_forced;
} Deviation;

typedef struct ThreadSchedule {
  uint32_t count;
  bool is_cut;    // there were more
  uint64_t limit; // of steps; 0: what the first schedules may have
  unsigned spurious;
  Deviation at[MOST_DEVIATIONS];
} ThreadSchedule;

// ------------------------------------------------------------ what happens ---

typedef enum Mishap {
  MISHAP_NONE,
  MISHAP_ASSERTION,
  MISHAP_ABORT,
  MISHAP_CRASH,
  MISHAP_STACK,
  MISHAP_USE_AFTER_FREE,
  MISHAP_DOUBLE_FREE,
  MISHAP_OUT_OF_BOUNDS,
  MISHAP_MISUSE, // of a function of POSIX
  MISHAP_DEADLOCK,
  MISHAP_LIVELOCK,
  MISHAP_RACE, // a flaw, as the next two: the run goes on
  MISHAP_LEAK,
  MISHAP_LOCKED, // a lock of a thread that has ended
  MISHAP_STATUS, // the exit status is another one than in the first schedule
  // What is no mistake of the program's.
  MISHAP_LIMIT,   // too many steps
  MISHAP_REFUSED, // it wants what is not there
  MISHAP_ASTRAY,  // it does not do what it did: the schedule does not fit
  MISHAP_PRUNED,  // dfs: others have covered the rest
} Mishap;

bool mishap_is_bug(Mishap mishap);
bool mishap_is_flaw(Mishap mishap);
const char *mishap_name(Mishap mishap);

// How a schedule ended.
typedef struct RunEnd {
  Mishap mishap;
  uint32_t site, thread;             // where, and who
  uint32_t other_site, other_thread; // of a race
  bool other_writes;
  int status; // of exit
  uint64_t steps, output,
      trace; // hashes of what was printed and of who did what
  uint32_t threads;
  char text[MISHAP_TEXT];
} RunEnd;

// What happened in a schedule that is told, in order.
typedef struct ThreadDeed {
  uint32_t thread, site;
  uint64_t at; // the address
  DeedKind kind;
  uint32_t place; // a site, too: the one to be told
} ThreadDeed;

typedef struct ThreadDeeds {
  uint32_t count;
  bool is_cut;
  ThreadDeed at[MOST_DEEDS];
} ThreadDeeds;

// ------------------------------------------------------------------ device ---

typedef struct ThreadsDevice ThreadsDevice;
typedef struct ThreadsQuestion ThreadsQuestion;

// What the first schedules, which the processor has executed, have shown.
typedef struct DeviceProfile {
  const ThreadsQuestion *question;
  uint64_t limit, steps, heap_bytes;
  unsigned threads;
  // Memory as a schedule begins with it; of the globals the part up to `own` is
  // what the program changes.
  const void *globals, *constants, *locals;
  uint64_t globals_bytes, own_bytes, constants_bytes, locals_bytes;
  uint64_t arguments, environment; // addresses of the program
} DeviceProfile;

// How a schedule ended there: as RunEnd has it.
typedef struct DeviceEnd {
  Mishap mishap;
  bool is_beyond;   // what it wants is not there: the processor has to do it
  bool may_leak;    // memory was not freed: the processor looks for it
  bool has_yielded; // a thread had to wait though it could go on
  uint32_t site, thread, threads;
  int status;
  uint64_t steps, trace;
  uint64_t memory; // of those that are checked: a hash of it
} DeviceEnd;

// Who executes schedules by their numbers, many at once.
struct ThreadsDevice {
  char name[120];
  uint64_t most;    // at once, a multiple of 64
  uint64_t checked; // so many are executed by the processor, too, and compared
  const char *reason;
  // False: `reason` says why not.
  bool (*begin)(ThreadsDevice *device, const DeviceProfile *profile);
  // Those with the numbers from `first` on; of those before `start` nothing is
  // told.
  bool (*run)(ThreadsDevice *device, uint64_t first, uint64_t start,
              uint64_t count, DeviceEnd *ends);
  void *data; // its own
};

// ----------------------------------------------------------------- search ---

typedef enum PolicyKind {
#define POLICY(name, help) POLICY_##name,
#include "runtime/threads/policies.def"
#undef POLICY
  POLICIES,
} PolicyKind;

const char *policy_name(PolicyKind kind);
PolicyKind policy_by_name(const char *name); // POLICIES: there is none

struct ThreadsQuestion {
  const ProgramImage *image;
  PolicyKind policy;
  unsigned depth, jobs;
  uint64_t seed, schedules; // 0: no limit
  double seconds;           // 0: no limit
  bool shows_progress;
  bool ends_at_flaw;   // does not look further than the first schedules then
  unsigned lots;       // of the first schedules, at least 1
  unsigned processors; // that the program is told of
  unsigned spurious;   // waits at condition variables that nobody's signal ends
  int argc;
  char **argv;
  const ThreadSchedule *replayed; // this schedule alone; or NULL
  bool replays_race;
  ThreadsDevice *device; // NULL: the processor alone
};

// A way to end that some schedule has shown.
typedef struct ProgramOutput {
  uint64_t hash, times;
  int status;
  char text[END_TEXT]; // the beginning of what was printed
} ProgramOutput;

// In memory that all processes of a search share.
typedef struct ThreadsAnswer {
  bool is_done;        // the search came to its end
  uint64_t refused_at; // the schedule that `reason` is about, or 0
  bool is_beyond;      // ... which wanted what is not there, or too many steps
  char beyond[MISHAP_TEXT]; // that reason, where a flaw was seen before it
  bool is_exhausted;        // dfs: there are no others
  bool is_interrupted;
  char reason[MISHAP_TEXT];     // not done: why
  uint64_t schedules, distinct; // run; with other orders of deeds
  uint64_t cut;                 // schedules with too many steps
  uint64_t unwatched; // ... in which there was too much to look for all races
  uint64_t yielded;   // ... in which a thread had to wait though it could go on
  uint64_t points;    // of the longest schedule to begin with
  uint64_t first_limit; // of steps, for these
  unsigned threads;
  double seconds;
  double work;       // seconds of processors
  uint64_t found_at; // number of the schedule; UINT64_MAX: none
  RunEnd found;
  ThreadSchedule schedule; // ... minimised
  uint32_t preemptions;    // ... of it, and before that
  uint32_t preemptions_before;
  ThreadDeeds deeds;
  RunEnd flaw; // the first one; mishap NONE: none
  unsigned end_count;
  bool ends_are_cut;
  ProgramOutput ends[MOST_ENDS];
  int status; // of the first schedule, if that came to its end
  bool has_status;
  uint64_t flaw_at;
  uint64_t heap_bytes; // that one of the first schedules has used at most
  // Of a device: schedules, those that it left to the processor, its time, and
  // what it has found.
  uint64_t device_schedules, device_left, device_leaks;
  double device_seconds;
  RunEnd device_found;
  volatile int is_asked;   // to stop
  _Atomic uint64_t lowest; // schedule with a mistake, as yet
  _Atomic int is_merging;
  volatile uint64_t run[MOST_WORKERS]; // by each worker
  uint8_t traces[TRACES];              // those seen, by hash
} ThreadsAnswer;

// NULL: no memory.
ThreadsAnswer *threads_answer_new(void);
void threads_answer_free(ThreadsAnswer *answer);
void threads_search(const ThreadsQuestion *question, ThreadsAnswer *answer);
// An upper limit of the probability that so many schedules have missed a bug of
// this depth, by PCT's theorem; 1: the policy promises nothing.
double threads_missed(const ThreadsQuestion *question,
                      const ThreadsAnswer *answer);

#endif
