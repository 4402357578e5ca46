// Variables whose block has ended.
//
// Each thread has a list of them, as far as their functions have not returned:
// a function leaves the list as long as it has found it, so that a call that
// has the same place on the stack is not held for its variables.  What lies
// beyond the program's frames was a variable of a function that has returned.
// Where the list is full, or a jump has left functions, less is
// known.

#include "runtime/threads/world.h"

enum {
  MOST_OVER = 64,      // of a thread
  MOST_OF_OURS = 4096, // bytes of frames, as a thread stops
};

typedef struct PastVariable {
  uint64_t at;
  uint32_t bytes, site; // where its block has ended
} PastVariable;

typedef struct PastVariables {
  uint32_t count;
  PastVariable at[MOST_OVER];
} PastVariables;

static PastVariables lists[MOST_PLACES];

static PastVariables *own_list(void) { return &lists[world.self->place]; }

void scopes_begin_thread(const PosixThread *thread) {
  lists[thread->place].count = 0;
}

void scopes_forget(void) { own_list()->count = 0; }

uint32_t threads_scopes(void) { return own_list()->count; }

void threads_scopes_left(uint32_t count) {
  PastVariables *list = own_list();
  if (list->count > count)
    list->count = count;
}

// Of the innermost function, whose variables come last.
void threads_scope_begins(const void *at) {
  PastVariables *list = own_list();
  for (uint32_t i = list->count; i-- > 0;)
    if (list->at[i].at == (uint64_t)(uintptr_t)at) {
      list->at[i] = list->at[--list->count];
      return;
    }
}

void threads_scope_ends(const void *at, uint64_t bytes, uint32_t site) {
  PastVariables *list = own_list();
  threads_scope_begins(at);
  if (list->count < MOST_OVER && bytes <= UINT32_MAX)
    list->at[list->count++] =
        (PastVariable){(uint64_t)(uintptr_t)at, (uint32_t)bytes, site};
}

static const PastVariable *find(const PosixThread *owner, uint64_t at) {
  const PastVariables *list = &lists[owner->place];
  for (uint32_t i = list->count; i-- > 0;)
    if (at - list->at[i].at < list->at[i].bytes)
      return &list->at[i];
  return NULL;
}

// The frames of a thread that waits end at the address that the last call of
// ours returns to; what looks like one on the way there makes us know less.
// Below the frame in which it was stopped calls have left such addresses, other
// ones in each run of a schedule.
static __attribute__((no_sanitize("address"))) bool
is_beyond_frames(const PosixThread *owner, uint64_t at) {
  const volatile uint64_t *each = owner->stopped_at;
  uint64_t end = (uint64_t)(uintptr_t)each;
  if (at > end && at - end > MOST_OF_OURS)
    return false;
  for (; (uint64_t)(uintptr_t)each < at; each++)
    if (*each - CODE_AT < CODE_BYTES)
      return false;
  return true;
}

// Main's function may have returned while others still look at its variables,
// which stay where they are, as do thread-local ones behind the stack.
static bool is_beyond(const PosixThread *owner, uint64_t at, const void *end) {
  if (owner == world.self)
    return at < (uint64_t)(uintptr_t)end;
  return !owner->has_returned && at < (uint64_t)(uintptr_t)owner->tls &&
         is_beyond_frames(owner, at);
}

void scopes_check(const PosixThread *owner, uint64_t at, bool is_write,
                  const void *end) {
  const char *verb = is_write ? "writes" : "reads";
  const PastVariable *variable = find(owner, at);
  if (variable)
    world_fail(MISHAP_USE_AFTER_FREE,
               "%s a variable of thread %u whose block has ended (%s)", verb,
               owner->index, world_site_text(variable->site));
  if (is_beyond(owner, at, end))
    world_fail(MISHAP_USE_AFTER_FREE,
               "%s a variable of thread %u whose function has returned", verb,
               owner->index);
}
