// Memory that dies with its task, growing arrays, places, and giving up.
//
// A task owns an arena; nothing in the pipeline calls free.  Whatever cannot
// be modelled ends the task through `unsupported`, which is why no C++ frame
// may stand between it and `task_run`.

#define _POSIX_C_SOURCE 200809L

#include "base/base.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum {
  CHUNK_BYTES = 1 << 16,
  MOVING_BYTES = 1 << 10, // what may move and is larger has its own chunk
};

typedef struct Chunk {
  struct Chunk *next;
  size_t used, size;
  bool is_whole; // one thing has it all
  max_align_t data[];
} Chunk;

typedef struct Cleanup {
  struct Cleanup *next;
  void (*release)(void *);
  void *object;
} Cleanup;

typedef struct Kept {
  Arena arena;
  struct Kept *outer;
} Kept;

// Of one size; its blocks begin with the address of the next.
typedef struct Spare {
  struct Spare *next;
  size_t bytes;
  void *blocks;
} Spare;

static void die_of_memory(void) {
  fputs("out of memory\n", stderr);
  abort();
}

static Chunk *use_chunk(Arena *arena, Chunk *chunk, size_t size) {
  if (!chunk)
    die_of_memory();
  chunk->used = 0;
  chunk->size = size;
  chunk->is_whole = false;
  arena->bytes += size;
  return chunk;
}

// A chunk of its own, behind the one that is being filled.  Of zeroed memory
// the system gives only those pages that are touched.
static void *alloc_large(Arena *arena, size_t bytes) {
  Chunk *chunk = use_chunk(arena, calloc(1, sizeof *chunk + bytes), bytes);
  Chunk **link = arena->chunks ? &arena->chunks->next : &arena->chunks;
  chunk->used = bytes;
  chunk->is_whole = true;
  chunk->next = *link;
  *link = chunk;
  return chunk->data;
}

static Spare *spare_of(const Arena *arena, size_t bytes) {
  Spare *spare = arena->spare;
  while (spare && spare->bytes != bytes)
    spare = spare->next;
  return spare;
}

static void *take_spare(Spare *spare) {
  void *memory = spare->blocks;
  memcpy(&spare->blocks, memory, sizeof spare->blocks);
  return memset(memory, 0, spare->bytes);
}

static size_t aligned(size_t bytes) {
  const size_t align = sizeof(max_align_t);
  return (bytes + align - 1) / align * align;
}

void *arena_alloc(Arena *arena, size_t bytes) {
  bytes = aligned(bytes);
  Spare *spare = arena->spare ? spare_of(arena, bytes) : NULL;
  if (spare && spare->blocks)
    return take_spare(spare);
  if (bytes > CHUNK_BYTES / 2)
    return alloc_large(arena, bytes);
  Chunk *chunk = arena->chunks;
  if (!chunk || chunk->size - chunk->used < bytes) {
    chunk = use_chunk(arena, malloc(sizeof *chunk + CHUNK_BYTES), CHUNK_BYTES);
    chunk->next = arena->chunks;
    arena->chunks = chunk;
  }
  void *memory = (char *)chunk->data + chunk->used;
  chunk->used += bytes;
  return memset(memory, 0, bytes);
}

void arena_give_back(Arena *arena, void *memory, size_t bytes) {
  bytes = aligned(bytes);
  if (!memory || !bytes)
    return;
  Spare *spare = spare_of(arena, bytes);
  if (!spare) {
    spare = NEW(arena, Spare);
    *spare = (Spare){arena->spare, bytes, NULL};
    arena->spare = spare;
  }
  memcpy(memory, &spare->blocks, sizeof spare->blocks);
  spare->blocks = memory;
}

size_t arena_bytes(const Arena *arena) { return arena->bytes; }

char *arena_copy(Arena *arena, const char *text) {
  size_t size = strlen(text) + 1;
  return memcpy(arena_alloc(arena, size), text, size);
}

char *arena_printf(Arena *arena, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  va_list again;
  va_copy(again, args);
  int length = vsnprintf(NULL, 0, fmt, args);
  va_end(args);
  char *text = arena_alloc(arena, (size_t)length + 1);
  vsnprintf(text, (size_t)length + 1, fmt, again);
  va_end(again);
  return text;
}

void *vec_grow(Arena *arena, void *at, size_t count, size_t *room,
               size_t size) {
  if (count < *room)
    return at;
  *room = *room ? 2 * *room : 8;
  void *larger = arena_alloc(arena, *room * size);
  return count ? memcpy(larger, at, count * size) : larger;
}

static Chunk **find_chunk(Arena *arena, const void *at) {
  Chunk **link = &arena->chunks;
  while (*link && ((const void *)(*link)->data != at || !(*link)->is_whole))
    link = &(*link)->next;
  return *link ? link : NULL;
}

void *vec_move(Arena *arena, void *at, size_t count, size_t *room,
               size_t size) {
  size_t bytes = 2 * *room * size;
  if (count < *room)
    return at;
  if (bytes < MOVING_BYTES)
    return vec_grow(arena, at, count, room, size);
  *room *= 2;
  Chunk **link = find_chunk(arena, at);
  if (!link)
    return memcpy(alloc_large(arena, bytes), at, count * size);
  arena->bytes -= (*link)->size;
  *link = use_chunk(arena, realloc(*link, sizeof **link + bytes), bytes);
  (*link)->used = bytes;
  (*link)->is_whole = true;
  return (*link)->data;
}

void arena_defer(Arena *arena, void (*release)(void *), void *object) {
  Cleanup *cleanup = NEW(arena, Cleanup);
  *cleanup = (Cleanup){arena->cleanups, release, object};
  arena->cleanups = cleanup;
}

void arena_free(Arena *arena) {
  for (Cleanup *c = arena->cleanups; c; c = c->next)
    c->release(c->object);
  for (Chunk *chunk = arena->chunks, *next; chunk; chunk = next) {
    next = chunk->next;
    free(chunk);
  }
  *arena = (Arena){0};
}

static void free_kept(void *object) {
  Kept *kept = object;
  arena_free(&kept->arena);
  free(kept);
}

// If nobody closes it, whoever frees the scratch frees what it stands for.
void task_open_scratch(Task *task) {
  Kept *kept = malloc(sizeof *kept);
  if (!kept)
    die_of_memory();
  *kept = (Kept){task->arena, task->kept};
  task->kept = kept;
  task->arena = (Arena){0};
  arena_defer(&task->arena, free_kept, kept);
}

void task_close_scratch(Task *task) {
  Kept *kept = task->kept;
  assert(kept);
  Arena scratch = task->arena;
  task->arena = kept->arena;
  task->kept = kept->outer;
  kept->arena = (Arena){0};
  arena_free(&scratch);
}

Arena *task_lasting(Task *task) {
  Kept *kept = task->kept;
  while (kept && kept->outer)
    kept = kept->outer;
  return kept ? &kept->arena : &task->arena;
}

// "/usr/local/cuda-13.0/include/", "/opt/nvidia/cuda/13.0/include/": of the
// SDK, other than "/home/me/cuda-samples/include/".
static bool is_in_sdk(const char *file) {
  static const char folder[] = "/cuda";
  for (const char *at = file; (at = strstr(at, folder));) {
    at += sizeof folder - 1;
    at += *at == '-' || *at == '/';
    size_t version = strspn(at, "0123456789.");
    if (version && at[version] == '/' && strstr(at, "/include/"))
      return true;
  }
  return false;
}

// The last ones also where the SDK's headers are linked into another folder.
static bool is_runtime_header(const char *file) {
  static const char *const parts[] = {"gpuverify/cuda",
                                      "gpuverify/prelude.h",
                                      "gpuverify.h",
                                      "/sdkfree/",
                                      "/lib/clang/",
                                      "/include/crt/",
                                      "/cuda/include/",
                                      "/targets/x86_64-linux/include/",
                                      "/cooperative_groups",
                                      "gpuverify/hip",
                                      "/hip/amd_detail/",
                                      "atomic_functions.h",
                                      "/cuda_fp",
                                      "/cuda_bf16.h",
                                      "/cuda_awbarrier",
                                      "/cuda_pipeline",
                                      "/sm_20_intrinsics.",
                                      "/sm_30_intrinsics.",
                                      "/sm_32_intrinsics.",
                                      "/sm_35_intrinsics.",
                                      "/sm_61_intrinsics.",
                                      "/surface_indirect_functions.h",
                                      "/device_functions.h",
                                      "/texture_indirect_functions.h"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    if (strstr(file, parts[i]))
      return true;
  return is_in_sdk(file);
}

bool loc_is_in_users_code(Loc loc) {
  return loc.file && loc.line && !is_runtime_header(loc.file);
}

static double seconds_of(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double clock_seconds(void) { return seconds_of(CLOCK_MONOTONIC); }
double children_seconds(void) {
  struct rusage used;
  if (getrusage(RUSAGE_CHILDREN, &used))
    return 0;
  return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
         (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e-6;
}

// Of the thread, for in a compiler others may have work of their own.
double work_seconds(void) {
  return seconds_of(CLOCK_THREAD_CPUTIME_ID) + children_seconds();
}

size_t task_bytes(const Task *task) {
  size_t bytes = 0;
  for (; task; task = task->outer) {
    bytes += arena_bytes(&task->arena);
    for (const Kept *kept = task->kept; kept; kept = kept->outer)
      bytes += arena_bytes(&kept->arena);
  }
  return bytes;
}

// The clock is read in nanoseconds, work in microseconds; and no thread works
// longer than time passes.
bool task_is_late(Task *task) {
  if (task->deadline <= 0)
    return false;
  double now = clock_seconds();
  if (task->looked == task->deadline && now < task->look_again)
    return false;
  double left = task->deadline - work_seconds();
  task->looked = task->deadline;
  task->look_again = now + left;
  return left <= 0;
}

void task_check_time(Task *task, Loc where) {
  if (task_is_late(task))
    unsupported(task, where,
                "the time budget is used up (see --timeout, --file-timeout)");
  if (task->memory && task_bytes(task) > task->memory)
    unsupported(task, where, "the memory budget is used up (see --memory)");
}

bool task_run(Task *task, void (*work)(Task *, void *), void *data) {
  task->reason = NULL;
  if (setjmp(task->give_up))
    return false;
  work(task, data);
  return true;
}

bool task_try(Task *task, void (*work)(Task *, void *), void *data) {
  jmp_buf before;
  memcpy(&before, &task->give_up, sizeof before);
  bool is_done = task_run(task, work, data);
  memcpy(&task->give_up, &before, sizeof before);
  return is_done;
}

static void free_inner(void *inner) { arena_free(&((Task *)inner)->arena); }

void task_stage(Task *task, void (*work)(Task *, void *), void *data) {
  Task *inner = NEW(&task->arena, Task);
  inner->outer = task;
  inner->deadline = task->deadline;
  inner->memory = task->memory;
  arena_defer(&task->arena, free_inner, inner);
  if (!task_run(inner, work, data))
    unsupported(task, inner->where, "%s", inner->reason);
  arena_free(&inner->arena);
}

void unsupported(Task *task, Loc where, const char *fmt, ...) {
  char text[256];
  va_list args;
  va_start(args, fmt);
  vsnprintf(text, sizeof text, fmt, args);
  va_end(args);
  task->reason = arena_printf(&task->arena, "%s", text);
  task->where = where;
  longjmp(task->give_up, 1);
}
