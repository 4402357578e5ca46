// Thread-specific data by key.
//
// A thread's values begin as NULL, and so do all threads' where a key is made
// again whose place another one had.

#define _GNU_SOURCE

#include "runtime/threads/world.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

enum { MOST_KEYS = PTHREAD_KEYS_MAX, ROUNDS = PTHREAD_DESTRUCTOR_ITERATIONS };

typedef struct PosixKey {
  bool is_used;
  void (*destroy)(void *);
} PosixKey;

static PosixKey keys[MOST_KEYS];
static void *values[MOST_PLACES][MOST_KEYS];
static unsigned count; // so many were used in this run
static unsigned most;  // ... in any

void keys_reset(void) {
  if (count)
    memset(keys, 0, count * sizeof *keys);
  count = 0;
}

// To fill no bytes of a page that is not there is slow, and most programs have
// no keys.
void keys_begin_thread(const PosixThread *thread) {
  if (most)
    memset(values[thread->place], 0, most * sizeof **values);
}

void *const *keys_values(const PosixThread *thread, unsigned *number) {
  *number = count;
  return values[thread->place];
}

int posix_pthread_key_create(uint32_t *key, void (*destroy)(void *)) {
  unsigned free = 0;
  while (free < count && keys[free].is_used)
    free++;
  if (free == MOST_KEYS)
    return EAGAIN;
  for (uint32_t i = 0; i < world.count && i < MOST_PLACES; i++)
    values[i][free] = NULL;
  world.hidden++;
  keys[free] = (PosixKey){true, destroy};
  count = free == count ? count + 1 : count;
  most = most < count ? count : most;
  world_touch(key, sizeof *key, true);
  *key = free;
  return 0;
}

int posix_pthread_key_delete(uint32_t key) {
  if (key >= count || !keys[key].is_used)
    return EINVAL;
  world.hidden++;
  keys[key].is_used = false;
  return 0;
}

int posix_pthread_setspecific(uint32_t key, void *value) {
  if (key >= count || !keys[key].is_used)
    return EINVAL;
  world.hidden++;
  values[world.self->place][key] = value;
  return 0;
}

void *posix_pthread_getspecific(uint32_t key) {
  return key < count && keys[key].is_used ? values[world.self->place][key]
                                          : NULL;
}

void keys_end_thread(void) {
  void **own = values[world.self->place];
  for (unsigned round = 0; round < ROUNDS; round++)
    for (unsigned i = 0; i < count; i++) {
      void *value = own[i];
      if (value)
        threads_meet(); // others may take the key away
      if (!keys[i].is_used)
        continue;
      own[i] = NULL;
      if (value && keys[i].destroy)
        keys[i].destroy(value);
    }
}

const PosixCall key_calls[] = {
    POSIX_CALL(pthread_key_create),
    {"__pthread_key_create", (void *)(uintptr_t)posix_pthread_key_create, 0},
    POSIX_CALL(pthread_key_delete),
    POSIX_LEAVER(pthread_setspecific),
    POSIX_CALL(pthread_getspecific),
    {NULL, NULL, 0}};
