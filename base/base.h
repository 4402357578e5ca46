// The ground every other file stands on: memory, strings, places and giving up.

#ifndef BASE_BASE_H
#define BASE_BASE_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))

typedef struct Arena Arena;
typedef struct Loc Loc;
typedef struct Task Task;

// Where in the user's source something came from; line 0 means unknown.
struct Loc {
  const char *file;
  unsigned line, column;
};

// Known, and in none of the headers that stand for CUDA itself, which tell the
// user nothing.
bool loc_is_in_users_code(Loc loc);

// Everything one verification task allocates, freed in one go.
struct Arena {
  struct Chunk *chunks;
  struct Cleanup *cleanups;
  size_t bytes;        // taken from malloc
  struct Spare *spare; // what was given back
};

void *arena_alloc(Arena *arena, size_t bytes); // zeroed, never NULL
char *arena_printf(Arena *arena, const char *fmt, ...) PRINTF(2, 3);
void arena_defer(Arena *arena, void (*release)(void *), void *object);
// Nobody uses the `bytes` that arena_alloc gave any more; who allocates as many
// may have them.  For tables that grow, or are needed for a while.
void arena_give_back(Arena *arena, void *memory, size_t bytes);
void arena_free(Arena *arena);
size_t arena_bytes(const Arena *arena);
char *arena_copy(Arena *arena, const char *text);

#define NEW(arena, type) ((type *)arena_alloc((arena), sizeof(type)))

// A growing array; the old storage stays in the arena.
#define Vec(type)                                                              \
  struct {                                                                     \
    type *at;                                                                  \
    size_t count, room;                                                        \
  }

#define push(arena, vec, item)                                                 \
  ((vec)->at = (vec)->count < (vec)->room                                      \
                   ? (vec)->at                                                 \
                   : vec_grow((arena), (vec)->at, (vec)->count, &(vec)->room,  \
                              sizeof *(vec)->at),                              \
   (vec)->at[(vec)->count++] = (item))

void *vec_grow(Arena *arena, void *at, size_t count, size_t *room, size_t size);

// The same, but the old storage may go: for what grows large, and where nobody
// keeps pointers into it.
#define push_moving(arena, vec, item)                                          \
  ((vec)->at = (vec)->count < (vec)->room                                      \
                   ? (vec)->at                                                 \
                   : vec_move((arena), (vec)->at, (vec)->count, &(vec)->room,  \
                              sizeof *(vec)->at),                              \
   (vec)->at[(vec)->count++] = (item))

void *vec_move(Arena *arena, void *at, size_t count, size_t *room, size_t size);

// One kernel under one launch configuration, from source to verdict.
struct Task {
  Arena arena;
  struct ExprTable *exprs;   // expr.c: every expression of this task
  double deadline;           // on work_seconds(); 0: none
  double looked, look_again; // at which deadline; not before, by the clock
  size_t memory;             // bytes that the arena may take; 0: no limit
  const struct Task *outer;  // of a stage (task_stage); its arena counts, too
  struct Kept *kept;         // what `arena` was before scratch, newest first
  jmp_buf give_up;
  const char *reason; // why the verdict is UNKNOWN, once give_up was taken
  Loc where;
};

double clock_seconds(void);    // monotonic
double children_seconds(void); // of processes that were waited for
// What deadlines and limits of time count: how long processors have worked for
// us, in this thread and in processes that were waited for.  On a busy machine
// it passes no faster.
double work_seconds(void);

// What its arenas take, with those that stages share with it.
size_t task_bytes(const Task *task);
// Has the deadline passed?
bool task_is_late(Task *task);
// Gives up once the deadline has passed or the arena is larger than allowed.
void task_check_time(Task *task, Loc where);

// Runs work(task, data).  Returns false if the work gave up; then
// task->reason and task->where say why.
bool task_run(Task *task, void (*work)(Task *, void *), void *data);

// The same within what a task_run of this task has called.
bool task_try(Task *task, void (*work)(Task *, void *), void *data);

// Runs work(inner, data) within a task and its limits; what it takes of
// inner->arena goes when it is done.  If it gives up, so does the task.
void task_stage(Task *task, void (*work)(Task *, void *), void *data);

// From here on task->arena is memory that goes when it is closed; may be
// nested. A task that gives up in between keeps both until task->arena is
// freed.
void task_open_scratch(Task *task);
void task_close_scratch(Task *task);
// For what outlives scratch: task->arena as it was before any was opened.
Arena *task_lasting(Task *task);

// Ends the task with verdict UNKNOWN.  The one way to meet a construct we
// do not model: skipping it silently would make VERIFIED a lie.
void unsupported(Task *task, Loc where, const char *fmt, ...)
    __attribute__((noreturn)) PRINTF(3, 4);

// --------------------------------------------------------------- quote.c ---

// file:line:column, or the file alone, `file` if the place has none.
void report_place(FILE *out, Loc loc, const char *file);
// The line of the source, without blanks around it and with single ones inside;
// NULL: it cannot be read.
const char *text_of_line(Arena *arena, Loc loc);
// The line of the source with a mark under the column, if it can be read.
void report_quote(FILE *out, Loc loc, const char *indent);
// The same line and column, whatever the files.
bool report_is_same_place(Loc a, Loc b);
void report_triple(FILE *out, const uint32_t triple[3]); // "(1,0,0)"
// "scan" of "_Z4scanPfi", without parameters, and "tile" of a static local of
// it, "_ZZ4scanPfiE4tile"; another name stays as it is.
const char *plain_name(Task *task, const char *name);

#endif
