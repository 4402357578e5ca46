// One run of a program, and what the files of this room share.  Private.
//
// There is one world in a process.  What the program can reach lies below 2 GB
// at fixed addresses: the same in each process, so that a schedule repeats
// exactly, and short in code.

#ifndef RUNTIME_THREADS_WORLD_H
#define RUNTIME_THREADS_WORLD_H

#include "runtime/machine/machine.h"
#include "runtime/threads/rules.h"
#include "runtime/threads/threads.h"

#include <setjmp.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <time.h>

// ------------------------------------------------------------------ layout ---

#define GLOBALS_AT UINT64_C(0x10000000)
#define GLOBALS_BYTES UINT64_C(0x08000000)
#define CONSTANTS_AT UINT64_C(0x18000000)
#define CONSTANTS_BYTES UINT64_C(0x08000000)
#define HEAP_AT UINT64_C(0x20000000)
#define HEAP_BYTES UINT64_C(0x20000000)
// Main's and those of the first threads, and behind them smaller ones.
#define STACKS_AT UINT64_C(0x40000000)
#define STACK_BYTES UINT64_C(0x00800000)
#define SMALL_STACKS_AT (STACKS_AT + LARGE_STACKS * STACK_BYTES)
#define SMALL_STACK_BYTES UINT64_C(0x00080000)
// Machine code of the program, and what it has beside it; below where systems
// put what asks for no address, and above AddressSanitizer's memory.
#define CODE_AT UINT64_C(0x200000000000)
#define CODE_BYTES UINT64_C(0x10000000)
#define DATA_AT (CODE_AT + CODE_BYTES)
#define DATA_BYTES UINT64_C(0x30000000)
#define FIRST_TIME UINT64_C(1700000000000000000) // nanoseconds since 1970
#define LAST_TIME UINT64_C(0x7000000000000000)
#define END_OF_WORLD                                                           \
  (SMALL_STACKS_AT + (MOST_PLACES - LARGE_STACKS) * SMALL_STACK_BYTES)

enum {
  LARGE_STACKS = 64,
  CHUNK_BITS = 8, // of globals that are put back as a whole
  MALLOC_FILLING = 0xa5,
  PROCESS = 1000, // the number that the program is told of itself
  JUMP_BYTES = sizeof(__jmp_buf) + 24, // of a jmp_buf, that are looked at
  FUTEX_NUMBER = SYS_futex,            // of the calls of the system
  ONCE_CALLABLE_AT = 16, // thread-local variables of C++'s library
  ONCE_CALL_AT = 24,
  SIGNAL_TEXT_AT = 32,
  TLS_OF_LIBRARY = 48, // errno, and the text of an error
  MOST_TLS = 1 << 17,  // bytes of thread-local variables
  SLOT_WORDS = 18,
  MOST_HELD = 4,   // locks of a thread that are looked at when it has ended
  FIRST_SLOT = 24, // below: threads whose priority was lowered
  ABOVE_LOWERED = FIRST_SLOT - 1, // ... all but one, with ppct
  SPARE_SLOT = 0,                 // nobody's
  SLOTS = SLOT_WORDS * 64,
};

static inline uint64_t stack_bytes(uint64_t place) {
  return place < LARGE_STACKS ? STACK_BYTES : SMALL_STACK_BYTES;
}

static inline uint64_t stack_at(uint64_t place) {
  return place < LARGE_STACKS
             ? STACKS_AT + place * STACK_BYTES
             : SMALL_STACKS_AT + (place - LARGE_STACKS) * SMALL_STACK_BYTES;
}

// The place whose stack the address is of, which is of one.
static inline uint64_t stack_owner(uint64_t at) {
  return at < SMALL_STACKS_AT
             ? (at - STACKS_AT) / STACK_BYTES
             : LARGE_STACKS + (at - SMALL_STACKS_AT) / SMALL_STACK_BYTES;
}

static inline bool is_of_stack(uint64_t at) {
  return at - STACKS_AT < END_OF_WORLD - STACKS_AT;
}

// ----------------------------------------------------------------- threads ---

// What a thread is about to do.
typedef struct PosixDeed {
  uint64_t at; // 0: nothing that others can see
  uint32_t bytes, site;
  bool is_write;
} PosixDeed;

// A call of a function with setjmp that has not returned: in its own frame.
typedef struct JumpFrame {
  struct JumpFrame *outer;
  uint64_t number;
} JumpFrame;

// A call of pthread_once whose function has not returned: in its own frame.
typedef struct OnceCall {
  struct OnceCall *outer;
  int *once;
  const void *cleanup; // the last block of handlers when it was called
} OnceCall;

// A lock that a thread has taken: is it still the thread's?
typedef bool HeldCheck(const void *at, uint32_t thread);

typedef struct HeldLock {
  const void *at;
  HeldCheck *is_held;
  uint32_t site;
} HeldLock;

typedef struct PosixThread {
  Fiber fiber;
  uint32_t index, slot;
  uint32_t place;      // of its stack, which it may have from one that ended
  uint64_t steps;      // up to when it last went on
  uint64_t resumed_at; // steps of the world then
  bool is_started, is_ended, is_detached, is_joined, is_published;
  bool is_timed;     // it may go on though nobody woke it
  bool is_spurious;  // ... once only, of all that wait so
  bool has_returned; // from its function; what it had there is no more
  bool has_left;     // ... and not for the program's end, as main does
  ThreadWait wait;
  const void *wait_for; // its object
  uint32_t wait_site, wait_place;
  uint32_t caller;         // when it last went on
  uint64_t waits_since;    // a step
  uint32_t next_deviation; // policy replay
  PosixDeed pending;
  const void *stopped_at; // a frame of ours, below those of the program
  uint64_t priority;      // policy pos
  void *(*body)(void *);
  int (*c11)(void *);
  void *argument, *result;
  void *cleanup;    // the last block of its handlers
  JumpFrame *frame; // the innermost one
  OnceCall *once;   // the innermost one
  int cancel_state, cancel_type;
  bool is_cancelled, is_exiting; // that it was asked for; it runs handlers
  bool is_cut_short;             // its wait has ended by that
  bool is_gone;                  // its number is no thread's any more
  uint64_t mask;                 // of signals
  char name[16];                 // or none
  char *tls;
  unsigned held_count; // locks, if they are not more than there is room for
  HeldLock held[MOST_HELD];
} PosixThread;

typedef struct SchedulePolicy {
  void (*begin)(void);
  // The running thread is at a step: who makes the next one.
  PosixThread *(*at_point)(void);
  // It cannot go on: who does.  Somebody can.
  PosixThread *(*choose)(void);
  void (*add)(PosixThread *thread);   // gives it a slot
  void (*yield)(PosixThread *thread); // it is of no use that it goes on
} SchedulePolicy;

typedef struct World {
  // What each access looks at.
  uint64_t steps, event;      // the policy wants to be asked then
  uint64_t own_at, own_bytes; // the running thread's stack, if nobody else has
                              // an address of it
  uint64_t heap_used;
  uint32_t site;
  uint32_t caller; // the program's last call of a header of the system, or 0
  bool observes;
  char *tls;
  PosixThread *self;
  const DeedSite *sites;
  uint64_t changed; // the step of the last change of memory
  uint64_t limit;   // of steps
  // Threads that can go on, by slot.
  unsigned words;
  uint64_t ready[SLOT_WORDS];
  PosixThread *at_slot[SLOTS];
  unsigned ready_count;
  uint32_t count, ended; // threads
  uint32_t waiting;      // ... that wait
  bool ended_with_lock;  // one of them
  PosixThread *threads;
  PosixThread *at_place[MOST_PLACES];
  const SchedulePolicy *policy;
  uint64_t random; // of this schedule
  uint64_t number, group;
  Fiber controller;
  const ThreadsQuestion *question;
  RunEnd end, flaw;
  bool is_over;      // main has returned, or exit was called
  unsigned spurious; // wake-ups that are left
  bool is_judged;    // only to see whether it is endless (endless.c)
  uint64_t hidden;   // changes of what is no memory of the program
  bool has_yielded;  // some thread was let wait though it could go on
  ThreadSchedule *record;
  uint64_t trace, now; // virtual nanoseconds
  uint64_t globals_bytes, constants_bytes, tls_bytes;
  uint64_t library_at, library_end; // variables of C++'s library
  char tls_image[MOST_TLS];
  // Globals that were written to.
  char *pristine;
  uint8_t *dirty;
  uint32_t *dirty_list;
  uint32_t dirty_count;
  uint8_t *granules;       // of the heap
  uint64_t expected_steps; // of a schedule
  uint32_t expected_threads;
  ThreadDeeds *deeds; // where they are told; or NULL
  bool watches_races;
  bool misses_races;  // there are too many cells or threads
  bool is_in_program; // code of the program, or called by it, is executed
  int expected_status;
  bool knows_status;
  // After so many seconds of the search; 0: none.  A run that goes on behind
  // it, and has taken some of these itself, is ended, and is_late.
  double deadline, seconds;
  unsigned patience;
  bool is_for_flaw; // ... if it has shown one
  bool is_late;
  unsigned ticks; // seconds that this process has taken
} World;

extern World world;

// Those that were taken.
static inline uint32_t world_places(void) {
  return world.count < MOST_PLACES ? world.count : MOST_PLACES;
}

static inline bool thread_is_ready(const PosixThread *thread) {
  return !thread->is_ended && (!thread->wait || thread->is_timed);
}

// ----------------------------------------------------------------- world.c ---

bool world_open(const ThreadsQuestion *question, const char **reason);
// Runs the program once.  The end is in world.end.
void world_run(const SchedulePolicy *policy);
// What the last run has written is as it was before it.
bool world_is_put_back(void);
// The run ends here, by this.
_Noreturn void world_fail(Mishap mishap, const char *format, ...) PRINTF(2, 3);
_Noreturn void world_end(void);
// Before something that others can see: the thread may be stopped.
void world_step(const void *at, uint32_t bytes, bool is_write);
// Of an object that is looked at without a step: is it memory, and whose?
void world_check(const void *at, uint32_t bytes);
// Another thread, which no schedule tells.
void world_go_on(PosixThread *next);
bool world_is_own(const void *at); // nobody else has the running thread's stack
// Somebody else goes on, since this thread cannot, until it is woken.
void world_wait(ThreadWait wait, const void *object);
// The same for a limited time.  False: that was over before it was woken.
bool world_wait_timed(ThreadWait wait, const void *object);
void world_wake(PosixThread *thread);
// As world_wait, but it may end without being woken, if that is asked for and
// has not happened so often yet.
void world_wait_spurious(ThreadWait wait, const void *object);
// Those that wait so for the object.
void world_wake_all(ThreadWait wait, const void *object);
// The one that has waited longest.  False: there is none.
bool world_wake_longest(ThreadWait wait, const void *object);
_Noreturn void world_leave(void); // the running thread has ended
void world_yield(void);
void world_sleep(uint64_t nanoseconds);
PosixThread *world_add_thread(void *(*body)(void *), void *argument);
void world_move(PosixThread *thread, unsigned slot);
uint64_t world_own_steps(void); // of the running thread
// Memory of the program that a function of ours is going to change or read.
void world_touch(const void *at, uint64_t bytes, bool is_write);
void world_written(const void *at, uint64_t bytes);
const char *world_stack_end(const PosixThread *thread);
uint64_t world_draw(uint64_t *state);
uint64_t world_below(uint64_t *state, uint64_t limit);
bool world_is_program_memory(const void *at, uint64_t bytes);
const char *world_site_text(uint32_t site);
// The site where the running thread is, as it is told: of what stands in a
// header the program's call of that.
uint32_t world_place(void);

// Called by the code of the program.
void threads_read(const char *at, uint32_t site);
void threads_write(const char *at, uint32_t site);
void threads_atomic(const char *at, uint32_t site);
void threads_copy(char *to, const char *from, uint64_t bytes, uint32_t site);
void threads_fill(char *to, uint64_t bytes, uint32_t site);
void threads_fence(bool acquires, bool releases);
void threads_changed(bool is_changed);
void threads_publish(const void *at);
// Before a function of the library that is not known to meet others at one
// object alone: a step that depends on all others.
void threads_meet(void);
// Before a function of C++'s library that is code of the program: a step, if
// others may see what it is given.
void threads_library_enter(const void *object, const void *other);
// In there: an access that is none of its own.
void threads_library_access(const void *at, uint64_t bytes, bool is_write);
// Of functions with setjmp.
void threads_enter(JumpFrame *frame);
void threads_leave(const JumpFrame *frame);
void threads_saved(void *buffer, int result, int saves_mask);

// ---------------------------------------------------------------- scopes.c ---

// Of the running thread: variables whose block has ended, as far as it is
// known.
uint32_t threads_scopes(void);
void threads_scopes_left(uint32_t count); // only the first of them are so
void threads_scope_begins(const void *at);
void threads_scope_ends(const void *at, uint64_t bytes, uint32_t site);
void scopes_forget(void);
void scopes_begin_thread(const PosixThread *thread);
// The address, of its stack, is of a variable that is still one.  `end` is
// where the frames of the running thread begin; NULL: that is not looked at.
void scopes_check(const PosixThread *owner, uint64_t at, bool is_write,
                  const void *end);

// --------------------------------------------------------------- endless.c ---

// At each step from the limit on: the run ends where the running thread cannot
// be seen to do the same forever, and where all have been.
void endless_look(void);
_Noreturn void endless_not(void);

// ----------------------------------------------------------------- crash.c ---

// From here on a crash of the program is an end of its run.
void crash_catch(void);

// -------------------------------------------------------------- debugger.c ---

bool debugger_looks(void);

// -------------------------------------------------------------- minimise.c ---

// Executes the schedule, and again with fewer deviations, as long as it ends
// the same way.  False: it does not end the same way at all.
bool minimise(const ThreadsQuestion *question, ThreadsAnswer *answer);
// The run of this schedule, with what it does in answer->deeds.
void replay_told(const ThreadsQuestion *question, ThreadsAnswer *answer,
                 const ThreadSchedule *schedule);
bool ends_alike(const RunEnd *a, const RunEnd *b);
// How the last run ended, all things considered.
RunEnd world_verdict(void);

// ------------------------------------------------------------------ blocks.c
// ---

typedef enum BlockKind {
  BLOCK_TAKEN,
  BLOCK_MAPPED, // by mmap
  BLOCK_FREED,
} BlockKind;

// What stands before each block.
typedef struct HeapBlock {
  uint32_t bytes, site;
  uint32_t before; // the granule of the block taken before; 0: none
  uint16_t thread; // that has taken it
  uint8_t kind;
  bool is_reached;
} HeapBlock;

void blocks_reset(void);
void block_check(const void *at, uint64_t bytes, bool is_write);
void *block_take(uint64_t bytes, uint64_t alignment, BlockKind kind);
// It is one that was taken so, and not given back.
void block_require(const void *at, BlockKind kind);
void block_give(void *at, BlockKind kind);
HeapBlock *block_last(void);                     // or NULL
HeapBlock *block_before(const HeapBlock *block); // or NULL
uint64_t block_bytes(const void *at);            // of a block
bool block_is(const void *at);
bool block_is_there(const void *at); // inside of one, not given back

// ----------------------------------------------------------------- held.c ---

// The running thread has taken a lock, by a call that waits for it, or it has
// it no more.
void held_begin(const void *at, HeldCheck *is_held);
void held_end(const void *at);
// It ends, and has some.
void held_leave(void);
// Of a program that is over: locks of threads that have ended.
void held_look(void);

// ----------------------------------------------------------------- leaks.c ---

// Of a program that is over: blocks that nothing points to any more.
void leaks_look(void);

// ----------------------------------------------------------------- races.c ---

void races_reset(void);
void races_access(const void *at, uint64_t bytes, bool is_write);
void races_acquire(const void *object);
void races_release(const void *object);
// An atomic operation, as far as its order says behind those that have written
// some of what it reads.
void races_atomic(const void *at, const DeedSite *deed);
void races_fence(bool acquires, bool releases);
void races_fork(const PosixThread *child);
void races_join(const PosixThread *child);

// ---------------------------------------------------------------- output.c ---

void output_reset(void);
const char *output_text(uint64_t *bytes);
uint64_t output_hash(void);
void output_add(const char *at, uint64_t bytes);
// Until no other thread has locked it, before what it prints is looked at.
void file_wait(const void *stream);
void file_wait_for_errors(void); // stderr
// To a stream, as the program knows it.  False: it was opened to be read.
// Or it is of wide characters.
bool file_write(void *stream, const char *text, uint64_t bytes);
// The same of what wide characters have become; then it is not of bytes.
bool file_write_wide(void *stream, const char *text, uint64_t bytes);
// It is of that from here on, if it is of nothing yet: 1, wide characters; -1,
// bytes; 0 only asks.  What it is of.
int file_orient(const void *stream, int width);

// ----------------------------------------------------------------- calls.c ---

typedef enum PosixTrait {
  CAPTURES = 1, // it keeps a pointer that it gets
  LEAVES = 2,   // ... where others may find it
  APART = 4, // it meets nobody, or others at one object, by a step of its own
             // before it looks at that
} PosixTrait;

typedef struct PosixCall {
  const char *name;
  void *code;
  unsigned traits;
} PosixCall;

// NULL: there is none of that name.
const PosixCall *posix_call(const char *name);
// Those of each file; a row without a name ends a list.
extern const PosixCall thread_calls[], mutex_calls[], lock_calls[], key_calls[],
    c11_calls[], process_calls[], option_calls[], memory_calls[], text_calls[],
    print_calls[], scan_calls[], file_calls[], descriptor_calls[], time_calls[],
    math_calls[], wide_calls[], cleanup_calls[], attribute_calls[],
    signal_calls[], cxx_calls[], jump_calls[], environment_calls[],
    container_calls[], futex_calls[], local_calls[], rtti_calls[],
    wide_text_calls[], wide_print_calls[], search_calls[];
#define POSIX_CALL(name) {#name, (void *)(uintptr_t)posix_##name, 0}
#define POSIX_KEEPER(name) {#name, (void *)(uintptr_t)posix_##name, CAPTURES}
#define POSIX_LEAVER(name)                                                     \
  {#name, (void *)(uintptr_t)posix_##name, CAPTURES | LEAVES}
#define POSIX_APART(name) {#name, (void *)(uintptr_t)posix_##name, APART}
#define PLAIN_CALL(name) {#name, (void *)(uintptr_t)name, 0}
#define PURE_CALL(name) {#name, (void *)(uintptr_t)name, APART}
void posix_reset(void);
// Before the machine calls a function that the program gave it, which may be
// one of the library, without a step before it.
void posix_meet_before_call(void);
// What a file keeps for the program from call to call.
void keys_reset(void);
void process_reset(void);
void signals_reset(void);
void jumps_reset(void);
void files_reset(void);
void descriptors_reset(void);
void streams_reset(void);
char *posix_getenv(const char *name);
void locals_reset(void);
void locals_end_thread(void); // the thread_local objects of the running one
void keys_begin_thread(const PosixThread *thread);
// What it has for each key.
void *const *keys_values(const PosixThread *thread, unsigned *number);
void keys_end_thread(void); // the destructors of the running thread
// To change a lock and the like: it is memory of the program.
void posix_lock_changed(void *object, uint64_t bytes);
int posix_pthread_mutex_lock(void *mutex);
int posix_pthread_mutex_trylock(void *mutex);
int posix_pthread_mutex_timedlock(void *mutex, const struct timespec *until);
int posix_pthread_mutex_unlock(void *mutex);
int posix_pthread_mutex_destroy(void *mutex);
int posix_pthread_cond_wait(void *condition, void *mutex);
int posix_pthread_cond_timedwait(void *condition, void *mutex,
                                 const struct timespec *until);
int posix_pthread_cond_signal(void *condition);
int posix_pthread_cond_broadcast(void *condition);
int posix_pthread_once(void *once, void (*body)(void));
// The running thread ends within the innermost call: as if it had not been.
void once_forget(void);
// A wait until then, which may end by time at any step; the clock shows no less
// afterwards.  ETIMEDOUT: it did.
int posix_wait_until(ThreadWait wait, const void *object,
                     const struct timespec *until);
void posix_sleep_for(uint64_t nanoseconds);
// Of a time that is none of the past; centuries are less than they are.
uint64_t posix_nanoseconds(const struct timespec *time);
bool posix_is_clock(int clock);
bool posix_is_deadline(const struct timespec *until); // else EINVAL
void mutex_begin(void *mutex, int kind);
void condition_begin(uint32_t *condition);
int posix_pthread_cond_destroy(void *condition);
PosixThread *thread_create(uint64_t *handle, void *(*body)(void *),
                           void *argument);
PosixThread *posix_thread(uint64_t handle);
// It has not ended behind a join or a detach: its number may be another's then.
PosixThread *posix_thread_there(uint64_t handle, const char *does);
// Where a thread that was cancelled ends, if it may.
void posix_cancel_point(void);
// Behind a wait of such a function.
void posix_cancel_wait(void);
int posix_pthread_join(uint64_t handle, void **result);
int posix_pthread_detach(uint64_t handle);
uint64_t posix_pthread_self(void);
int posix_pthread_key_create(uint32_t *key, void (*destroy)(void *));
int posix_pthread_key_delete(uint32_t key);
int posix_pthread_setspecific(uint32_t key, void *value);
void *posix_pthread_getspecific(uint32_t key);
// The thread that has what this one waits for, or -1.
int posix_owner(const PosixThread *thread);
// To where the running thread has saved its registers.
_Noreturn void posix_jump(void *buffer, int value);
_Noreturn void posix_thread_end(void *result);
_Noreturn void posix_thread_exit(void *result); // ... behind its handlers
_Noreturn void posix_exit(int status);

// -------------------------------------------------------- posix_formats.c ---

// The strings that printf reads, and the numbers that %n writes.
void format_touch_output(const char *format, va_list arguments);
// The same of a format that is no memory of the program.
void format_touch_arguments(const char *format, va_list arguments);
// Of the numbers %n of sscanf's format those that are written, told before it
// is called, for it may write to its text.
unsigned format_counts_reached(const char *text, size_t bytes,
                               const char *format);
// What sscanf has written when it has found so many values, and so many %n.
void format_touch_input(const char *format, int found, unsigned counts,
                        va_list arguments);

// ------------------------------------------------------------ variables.c ---

enum { POSIX_VARIABLES_BYTES = 4096, STREAMS_AT = 2048 };
// The address of a variable of the library, as stdout; 0: there is none.
uint64_t posix_variable(const char *name);
// argv, and behind it the environment.
char **posix_arguments(void);
// False: the program's own leave no room.
bool posix_variables_set(const ThreadsQuestion *question);

// -------------------------------------------------------------- policies ---

const SchedulePolicy *policy_of(PolicyKind kind);
extern const SchedulePolicy policy_random, policy_dfs, policy_replay;
extern const SchedulePolicy policy_first; // nobody is stopped
// dfs: forgets what is behind the last schedule.  False: that was all.
bool dfs_next(void);
// Threads that had only looked were made to wait: not all schedules were tried.
bool dfs_has_passed_over(void);
PosixThread *ready_highest(void);
PosixThread *ready_any(uint64_t *random);
PosixThread *ready_lowest_index(void);
PosixThread *ready_after(const PosixThread *thread); // in turns
void policy_no_yield(PosixThread *thread);
void policy_in_order(PosixThread *thread); // a slot by the thread's number

// Threads with priorities: the slots.
typedef struct SlotPool {
  uint64_t random;
  unsigned taken, size;
  uint16_t at[SLOTS];
  // Of threads whose priority was lowered: a slot below which there is none,
  // the lowest rank, and levels by slot.
  unsigned bottom, lowest;
  uint8_t levels[FIRST_SLOT];
} SlotPool;

void pool_begin(uint64_t random, unsigned threads);
void pool_add(PosixThread *thread);       // a slot by lot
void pool_to_bottom(PosixThread *thread); // below all others
// The same, of a thread that waits for a time half of the time: whether that is
// long or not is as open as all else.
void pool_yield(PosixThread *thread);
// Below those whose priority was not lowered, or to a higher rank, and those
// that came below all others before any was lowered to a rank as low.
void pool_lower(PosixThread *thread, unsigned rank);
// The policy is asked at this step, if not before.
void policy_ask_at(uint64_t step);

#endif
