// Attributes of threads, of mutexes and of condition variables.
//
// What a program sets is kept, for it may ask.  But for the state of a thread
// and the kind of a mutex nothing has an effect: all threads have the same
// scope, policy and room, and all locks are of one process, without
// priorities.

#define _GNU_SOURCE

#include "runtime/threads/world.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>

typedef struct ThreadAttributes {
  int state, scope, policy, inherits, priority, unused;
  size_t stack, guard;
} ThreadAttributes;

_Static_assert(sizeof(ThreadAttributes) <= sizeof(pthread_attr_t),
               "there is room for it");

static int put(int *field, int value, bool is_known) {
  if (!is_known)
    return EINVAL;
  world_touch(field, sizeof *field, true);
  *field = value;
  return 0;
}

static int get(const int *field, int *to) {
  world_touch(field, sizeof *field, false);
  world_touch(to, sizeof *to, true);
  *to = *field;
  return 0;
}

static int put_size(size_t *field, size_t value) {
  world_touch(field, sizeof *field, true);
  *field = value;
  return 0;
}

static int get_size(const size_t *field, size_t *to) {
  world_touch(field, sizeof *field, false);
  world_touch(to, sizeof *to, true);
  *to = *field;
  return 0;
}

// ----------------------------------------------------------------- threads ---

static int posix_pthread_attr_init(ThreadAttributes *at) {
  enum { GUARD = 4096 };
  world_touch(at, sizeof(pthread_attr_t), true);
  *at = (ThreadAttributes){.state = PTHREAD_CREATE_JOINABLE,
                           .scope = PTHREAD_SCOPE_SYSTEM,
                           .policy = SCHED_OTHER,
                           .inherits = PTHREAD_INHERIT_SCHED,
                           .stack = STACK_BYTES,
                           .guard = GUARD};
  return 0;
}

static int posix_pthread_attr_setdetachstate(ThreadAttributes *at, int state) {
  return put(&at->state, state,
             state == PTHREAD_CREATE_DETACHED ||
                 state == PTHREAD_CREATE_JOINABLE);
}

static int posix_pthread_attr_getdetachstate(const ThreadAttributes *at,
                                             int *to) {
  return get(&at->state, to);
}

static int posix_pthread_attr_setscope(ThreadAttributes *at, int scope) {
  return scope == PTHREAD_SCOPE_PROCESS
             ? ENOTSUP
             : put(&at->scope, scope, scope == PTHREAD_SCOPE_SYSTEM);
}

static int posix_pthread_attr_getscope(const ThreadAttributes *at, int *to) {
  return get(&at->scope, to);
}

static bool is_policy(int policy) {
  return policy == SCHED_OTHER || policy == SCHED_FIFO || policy == SCHED_RR;
}

static int posix_pthread_attr_setschedpolicy(ThreadAttributes *at, int policy) {
  return put(&at->policy, policy, is_policy(policy));
}

static int posix_pthread_attr_getschedpolicy(const ThreadAttributes *at,
                                             int *to) {
  return get(&at->policy, to);
}

static int posix_pthread_attr_setinheritsched(ThreadAttributes *at, int value) {
  return put(&at->inherits, value,
             value == PTHREAD_INHERIT_SCHED || value == PTHREAD_EXPLICIT_SCHED);
}

static int posix_pthread_attr_getinheritsched(const ThreadAttributes *at,
                                              int *to) {
  return get(&at->inherits, to);
}

static int posix_pthread_attr_setschedparam(ThreadAttributes *at,
                                            const struct sched_param *from) {
  int least = sched_get_priority_min(at->policy),
      most = sched_get_priority_max(at->policy), value = from->sched_priority;
  world_touch(from, sizeof *from, false);
  return put(&at->priority, value, value >= least && value <= most);
}

static int posix_pthread_attr_getschedparam(const ThreadAttributes *at,
                                            struct sched_param *to) {
  return get(&at->priority, &to->sched_priority);
}

static int posix_pthread_attr_setstacksize(ThreadAttributes *at, size_t bytes) {
  return bytes < (size_t)PTHREAD_STACK_MIN ? EINVAL
                                           : put_size(&at->stack, bytes);
}

static int posix_pthread_attr_getstacksize(const ThreadAttributes *at,
                                           size_t *to) {
  return get_size(&at->stack, to);
}

static int posix_pthread_attr_setguardsize(ThreadAttributes *at, size_t bytes) {
  return put_size(&at->guard, bytes);
}

static int posix_pthread_attr_getguardsize(const ThreadAttributes *at,
                                           size_t *to) {
  return get_size(&at->guard, to);
}

static int posix_pthread_getschedparam(uint64_t thread, int *policy,
                                       struct sched_param *to) {
  (void)thread;
  world_touch(policy, sizeof *policy, true);
  world_touch(to, sizeof *to, true);
  *policy = SCHED_OTHER;
  to->sched_priority = 0;
  return 0;
}

static int priority(int policy, int value) {
  if (is_policy(policy))
    return value;
  *(int *)(void *)world.tls = EINVAL;
  return -1;
}

static int posix_sched_get_priority_min(int policy) {
  return priority(policy, sched_get_priority_min(policy));
}

static int posix_sched_get_priority_max(int policy) {
  return priority(policy, sched_get_priority_max(policy));
}

// ---------------------------------------------------- mutexes, conditions ---

static int posix_pthread_mutexattr_init(int *kind) {
  return put(kind, PTHREAD_MUTEX_NORMAL, true);
}

static int posix_pthread_mutexattr_settype(int *at, int kind) {
  return put(at, kind, kind >= 0 && kind <= PTHREAD_MUTEX_ADAPTIVE_NP);
}

static int posix_pthread_mutexattr_gettype(const int *kind, int *to) {
  return get(kind, to);
}

static int posix_pthread_condattr_init(int *clock) {
  return put(clock, CLOCK_REALTIME, true);
}

static int posix_pthread_condattr_setclock(int *at, int clock) {
  return put(at, clock, clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC);
}

static int posix_pthread_condattr_getclock(const int *clock, int *to) {
  return get(clock, to);
}

// Of any kind: none is smaller than a word.
static int posix_attribute_any(const int *attributes, uint64_t value) {
  world_touch(attributes, sizeof *attributes, false);
  (void)value;
  return 0;
}

#define IGNORED(name) {#name, (void *)(uintptr_t)posix_attribute_any, 0}

const PosixCall attribute_calls[] = {POSIX_CALL(pthread_attr_init),
                                     IGNORED(pthread_attr_destroy),
                                     POSIX_CALL(pthread_attr_setdetachstate),
                                     POSIX_CALL(pthread_attr_getdetachstate),
                                     POSIX_CALL(pthread_attr_setscope),
                                     POSIX_CALL(pthread_attr_getscope),
                                     POSIX_CALL(pthread_attr_setschedpolicy),
                                     POSIX_CALL(pthread_attr_getschedpolicy),
                                     POSIX_CALL(pthread_attr_setinheritsched),
                                     POSIX_CALL(pthread_attr_getinheritsched),
                                     POSIX_CALL(pthread_attr_setschedparam),
                                     POSIX_CALL(pthread_attr_getschedparam),
                                     POSIX_CALL(pthread_attr_setstacksize),
                                     POSIX_CALL(pthread_attr_getstacksize),
                                     POSIX_CALL(pthread_attr_setguardsize),
                                     POSIX_CALL(pthread_attr_getguardsize),
                                     IGNORED(pthread_attr_setaffinity_np),
                                     POSIX_CALL(pthread_getschedparam),
                                     POSIX_CALL(sched_get_priority_min),
                                     POSIX_CALL(sched_get_priority_max),
                                     POSIX_CALL(pthread_mutexattr_init),
                                     IGNORED(pthread_mutexattr_destroy),
                                     POSIX_CALL(pthread_mutexattr_settype),
                                     POSIX_CALL(pthread_mutexattr_gettype),
                                     IGNORED(pthread_mutexattr_setpshared),
                                     IGNORED(pthread_mutexattr_setprotocol),
                                     POSIX_CALL(pthread_condattr_init),
                                     IGNORED(pthread_condattr_destroy),
                                     POSIX_CALL(pthread_condattr_setclock),
                                     POSIX_CALL(pthread_condattr_getclock),
                                     IGNORED(pthread_condattr_setpshared),
                                     IGNORED(pthread_rwlockattr_init),
                                     IGNORED(pthread_rwlockattr_destroy),
                                     IGNORED(pthread_rwlockattr_setpshared),
                                     IGNORED(pthread_rwlockattr_setkind_np),
                                     IGNORED(pthread_barrierattr_init),
                                     IGNORED(pthread_barrierattr_destroy),
                                     IGNORED(pthread_barrierattr_setpshared),
                                     {NULL, NULL, 0}};
