// Thread-specific data by key.

#include "runtime/threads/world.h"

#include <errno.h>

enum { ROUNDS = 4 }; // PTHREAD_DESTRUCTOR_ITERATIONS

typedef struct PosixKey {
  bool is_used;
  void (*destroy)(void *);
} PosixKey;

static PosixKey keys[MOST_KEYS];
static unsigned count; // so many were used in this run

void keys_reset(void) {
  for (unsigned i = 0; i < count; i++)
    keys[i] = (PosixKey){0};
  count = 0;
}

static int posix_pthread_key_create(uint32_t *key, void (*destroy)(void *)) {
  if (count == MOST_KEYS)
    return EAGAIN;
  keys[count] = (PosixKey){true, destroy};
  world_touch(key, sizeof *key, true);
  *key = count++;
  return 0;
}

static int posix_pthread_key_delete(uint32_t key) {
  if (key >= count || !keys[key].is_used)
    return EINVAL;
  keys[key].is_used = false;
  return 0;
}

static int posix_pthread_setspecific(uint32_t key, void *value) {
  if (key >= count || !keys[key].is_used)
    return EINVAL;
  world.self->specific[key] = value;
  return 0;
}

static void *posix_pthread_getspecific(uint32_t key) {
  return key < count && keys[key].is_used ? world.self->specific[key] : NULL;
}

void keys_end_thread(void) {
  for (unsigned round = 0; round < ROUNDS; round++)
    for (unsigned i = 0; i < count; i++) {
      void *value = world.self->specific[i];
      if (value)
        threads_meet(); // others may take the key away
      world.self->specific[i] = NULL;
      if (value && keys[i].is_used && keys[i].destroy)
        keys[i].destroy(value);
    }
}

const PosixCall key_calls[] = {POSIX_CALL(pthread_key_create),
                               POSIX_CALL(pthread_key_delete),
                               POSIX_LEAVER(pthread_setspecific),
                               POSIX_CALL(pthread_getspecific),
                               {NULL, NULL, 0}};
