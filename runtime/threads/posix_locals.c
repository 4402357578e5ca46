// Objects of C++ that are thread_local: what destroys them.
//
// Each is told when it has been made, and destroyed where its thread ends, or
// where that ends the program, the last one first; one that is made meanwhile
// is destroyed, too.

#define _GNU_SOURCE

#include "runtime/threads/world.h"

enum { MOST_OBJECTS = 4096 };

typedef struct LocalObject {
  uint32_t thread;
  void (*destroy)(void *);
  void *object;
} LocalObject;

static LocalObject objects[MOST_OBJECTS];
static unsigned count;

void locals_reset(void) { count = 0; }

static int posix___cxa_thread_atexit(void (*destroy)(void *), void *object,
                                     const void *library) {
  (void)library;
  if (count == MOST_OBJECTS)
    world_fail(MISHAP_REFUSED, "more than %d objects that are thread_local",
               MOST_OBJECTS);
  world.hidden++;
  objects[count++] = (LocalObject){world.self->index, destroy, object};
  return 0;
}

// Of the running thread the last one, which is taken away.
static bool take_last(LocalObject *last) {
  for (unsigned i = count; i-- > 0;) {
    if (objects[i].thread != world.self->index)
      continue;
    *last = objects[i];
    count--;
    for (; i < count; i++)
      objects[i] = objects[i + 1];
    world.hidden++;
    return true;
  }
  return false;
}

void locals_end_thread(void) {
  LocalObject last;
  while (take_last(&last)) {
    posix_meet_before_call();
    last.destroy(last.object);
  }
}

const PosixCall local_calls[] = {POSIX_LEAVER(__cxa_thread_atexit),
                                 {NULL, NULL, 0}};
