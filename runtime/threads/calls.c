// The functions that a program may call, by name.

#include "runtime/threads/world.h"

#include <string.h>

static const PosixCall *const lists[] = {
    thread_calls,     mutex_calls,  lock_calls, key_calls,   c11_calls,
    process_calls,    memory_calls, text_calls, print_calls, file_calls,
    descriptor_calls, time_calls,   math_calls};

static size_t count_of(const PosixCall *list) {
  size_t count = 0;
  while (list[count].name)
    count++;
  return count;
}

const PosixCall *posix_call(const char *name) {
  for (size_t list = 0; list < sizeof lists / sizeof *lists; list++)
    for (const PosixCall *call = lists[list]; call->name; call++)
      if (!strcmp(call->name, name))
        return call;
  return NULL;
}

// Those that meet others at one object, by a step of their own before they
// look at it, and those that meet nobody.
bool posix_is_apart(const PosixCall *call) {
  static const char *const names[] = {"pthread_mutex_lock",
                                      "pthread_mutex_unlock",
                                      "pthread_mutex_trylock",
                                      "pthread_mutex_timedlock",
                                      "pthread_rwlock_rdlock",
                                      "pthread_rwlock_wrlock",
                                      "pthread_rwlock_unlock",
                                      "pthread_rwlock_tryrdlock",
                                      "pthread_rwlock_trywrlock",
                                      "pthread_spin_lock",
                                      "pthread_spin_unlock",
                                      "pthread_spin_trylock",
                                      "sem_wait",
                                      "sem_post",
                                      "sem_trywait",
                                      "sem_timedwait",
                                      "pthread_barrier_wait",
                                      "pthread_once",
                                      "pthread_cond_wait",
                                      "pthread_cond_signal",
                                      "pthread_cond_broadcast",
                                      "pthread_self",
                                      "pthread_equal",
                                      "sched_yield",
                                      "mtx_lock",
                                      "mtx_unlock",
                                      "mtx_trylock",
                                      "cnd_wait",
                                      "cnd_signal",
                                      "cnd_broadcast",
                                      "thrd_current",
                                      "thrd_equal",
                                      "thrd_yield",
                                      "pthread_yield",
                                      "__errno_location"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(names[i], call->name))
      return true;
  return call >= math_calls && call < math_calls + count_of(math_calls);
}

void posix_reset(void) {
  keys_reset();
  process_reset();
  files_reset();
  text_reset();
}
