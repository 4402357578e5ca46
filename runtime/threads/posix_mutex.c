// Mutexes and condition variables.
//
// What they are is kept in their own memory, so that it goes and comes with the
// program's: one that all is zero in is a static initialiser's.  Where a thread
// waits, it asks again when it is woken.  A signal wakes who has waited
// longest; without one so many are woken as --spurious says.  A wait with a
// time limit may end by time at any step.

#define _GNU_SOURCE

#include "runtime/threads/world.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

enum {
  KIND_DESTROYED = -1,
  // As the program has them: what is ours of them is smaller.
  MUTEX_BYTES = sizeof(pthread_mutex_t),
  CONDITION_BYTES = sizeof(pthread_cond_t),
};

// As glibc's, as far as the initialisers go.
typedef struct PosixMutex {
  uint32_t depth; // 0: nobody has it
  uint32_t waiting;
  uint32_t owner, spare;
  int kind;
} PosixMutex;

void posix_lock_changed(void *object, uint64_t bytes) {
  world_check(object, (uint32_t)bytes);
  world_written(object, bytes);
}

void mutex_begin(void *at, int kind) {
  PosixMutex *mutex = at;
  posix_lock_changed(mutex, MUTEX_BYTES);
  *mutex = (PosixMutex){.kind = kind};
}

static void check(const PosixMutex *mutex) {
  if (mutex->kind == KIND_DESTROYED)
    world_fail(MISHAP_MISUSE, "this mutex was destroyed");
  if (mutex->kind < 0 || mutex->kind > PTHREAD_MUTEX_ADAPTIVE_NP)
    world_fail(MISHAP_MISUSE, "this mutex was not initialised");
}

static PosixMutex *look_at(void *at) {
  world_step(at, MUTEX_BYTES, true);
  check(at);
  return at;
}

static bool is_of(const void *at, uint32_t thread) {
  const PosixMutex *mutex = at;
  return mutex->depth && mutex->owner == thread;
}

static bool is_mine(const PosixMutex *mutex) {
  return is_of(mutex, world.self->index);
}

static void take(PosixMutex *mutex) {
  posix_lock_changed(mutex, MUTEX_BYTES);
  mutex->depth = 1;
  mutex->owner = world.self->index;
  races_acquire(mutex);
}

static void take_to_keep(PosixMutex *mutex) {
  take(mutex);
  held_begin(mutex, is_of);
}

// ETIMEDOUT: its time was over.
static int wait_for(PosixMutex *mutex, const struct timespec *until) {
  int error = 0;
  posix_lock_changed(mutex, MUTEX_BYTES);
  while (mutex->depth && !error) {
    mutex->waiting++;
    error = posix_wait_until(WAIT_MUTEX, mutex, until);
    mutex->waiting--;
  }
  return error;
}

static int lock(void *at, const struct timespec *until) {
  PosixMutex *mutex = look_at(at);
  if (is_mine(mutex) && mutex->kind == PTHREAD_MUTEX_RECURSIVE) {
    posix_lock_changed(mutex, MUTEX_BYTES);
    mutex->depth++;
    return 0;
  }
  if (is_mine(mutex) && mutex->kind == PTHREAD_MUTEX_ERRORCHECK)
    return EDEADLK;
  if (mutex->depth && until && !posix_is_deadline(until))
    return EINVAL;
  int error = wait_for(mutex, until);
  if (!error)
    take_to_keep(mutex);
  return error;
}

int posix_pthread_mutex_lock(void *mutex) { return lock(mutex, NULL); }

int posix_pthread_mutex_timedlock(void *mutex, const struct timespec *until) {
  return lock(mutex, until);
}

int posix_pthread_mutex_trylock(void *at) {
  PosixMutex *mutex = look_at(at);
  if (is_mine(mutex) && mutex->kind == PTHREAD_MUTEX_RECURSIVE) {
    posix_lock_changed(mutex, MUTEX_BYTES);
    mutex->depth++;
    return 0;
  }
  if (mutex->depth)
    return EBUSY;
  take(mutex);
  return 0;
}

static void release(PosixMutex *mutex) {
  races_release(mutex);
  posix_lock_changed(mutex, MUTEX_BYTES);
  if (--mutex->depth)
    return;
  held_end(mutex);
  if (mutex->waiting)
    world_wake_all(WAIT_MUTEX, mutex);
}

int posix_pthread_mutex_unlock(void *at) {
  PosixMutex *mutex = look_at(at);
  bool is_checked = mutex->kind == PTHREAD_MUTEX_RECURSIVE ||
                    mutex->kind == PTHREAD_MUTEX_ERRORCHECK;
  if (!is_mine(mutex) && is_checked)
    return EPERM;
  if (!mutex->depth)
    world_fail(MISHAP_MISUSE, "unlocks a mutex that nobody has");
  if (!is_mine(mutex))
    world_fail(MISHAP_MISUSE, "unlocks a mutex that thread %u has",
               mutex->owner);
  release(mutex);
  return 0;
}

static int posix_pthread_mutex_init(void *mutex, const int *attributes) {
  world_step(mutex, MUTEX_BYTES, true);
  if (attributes)
    world_touch(attributes, sizeof *attributes, false);
  mutex_begin(mutex, attributes ? *attributes : PTHREAD_MUTEX_NORMAL);
  return 0;
}

int posix_pthread_mutex_destroy(void *at) {
  PosixMutex *mutex = look_at(at);
  if (mutex->depth)
    world_fail(MISHAP_MISUSE, "destroys a mutex that thread %u has",
               mutex->owner);
  mutex_begin(mutex, KIND_DESTROYED);
  return 0;
}

// --------------------------------------------------------------- conditions

void condition_begin(uint32_t *condition) {
  posix_lock_changed(condition, CONDITION_BYTES);
  *condition = 0;
}

static int posix_pthread_cond_init(uint32_t *condition,
                                   const void *attributes) {
  (void)attributes;
  condition_begin(condition);
  return 0;
}

int posix_pthread_cond_destroy(void *condition) {
  world_check(condition, CONDITION_BYTES);
  return 0;
}

// As glibc has it, who has locked a recursive mutex twice has unlocked it once,
// and so nobody else gets it meanwhile.
static void take_again(PosixMutex *mutex) {
  world_step(mutex, MUTEX_BYTES, true);
  if (is_mine(mutex)) {
    posix_lock_changed(mutex, MUTEX_BYTES);
    mutex->depth++;
    return;
  }
  wait_for(mutex, NULL);
  take_to_keep(mutex);
}

static int wait_at(void *condition, void *at, const struct timespec *until) {
  PosixMutex *mutex = at;
  world_step(NULL, 0, true); // it lets go of the mutex, too
  world_check(condition, CONDITION_BYTES);
  world_check(mutex, MUTEX_BYTES);
  check(mutex);
  if (!is_mine(mutex))
    world_fail(MISHAP_MISUSE,
               "waits at a condition variable with a mutex that it has not");
  if (until && !posix_is_deadline(until))
    return EINVAL;
  posix_cancel_point();
  int error = 0;
  release(mutex);
  if (until)
    error = posix_wait_until(WAIT_CONDITION, condition, until);
  else
    world_wait_spurious(WAIT_CONDITION, condition);
  take_again(mutex);
  races_acquire(condition);
  posix_cancel_wait();
  return error;
}

int posix_pthread_cond_wait(void *condition, void *mutex) {
  return wait_at(condition, mutex, NULL);
}

int posix_pthread_cond_timedwait(void *condition, void *mutex,
                                 const struct timespec *until) {
  return wait_at(condition, mutex, until);
}

// By whatever clock: there is one time.
static int posix_pthread_cond_clockwait(void *condition, void *mutex, int clock,
                                        const struct timespec *until) {
  return posix_is_clock(clock) ? wait_at(condition, mutex, until) : EINVAL;
}

static int posix_pthread_mutex_clocklock(void *mutex, int clock,
                                         const struct timespec *until) {
  return posix_is_clock(clock) ? lock(mutex, until) : EINVAL;
}

int posix_pthread_cond_signal(void *condition) {
  world_step(condition, CONDITION_BYTES, true);
  races_release(condition);
  world_wake_longest(WAIT_CONDITION, condition);
  return 0;
}

int posix_pthread_cond_broadcast(void *condition) {
  world_step(condition, CONDITION_BYTES, true);
  races_release(condition);
  world_wake_all(WAIT_CONDITION, condition);
  return 0;
}

int posix_owner(const PosixThread *thread) {
  const PosixMutex *mutex = thread->wait_for;
  switch (thread->wait) {
  case WAIT_MUTEX:
    return mutex->depth ? (int)mutex->owner : -1;
  case WAIT_JOIN:
    return (int)((const PosixThread *)thread->wait_for)->index;
  case WAIT_NOT:
  case WAIT_CONDITION:
  case WAIT_READ_LOCK:
  case WAIT_WRITE_LOCK:
  case WAIT_BARRIER:
  case WAIT_SEMAPHORE:
  case WAIT_ONCE:
  case WAIT_FUTEX:
    break;
  }
  return -1;
}

const PosixCall mutex_calls[] = {POSIX_APART(pthread_mutex_lock),
                                 POSIX_APART(pthread_mutex_trylock),
                                 POSIX_CALL(pthread_mutex_timedlock),
                                 POSIX_APART(pthread_mutex_unlock),
                                 POSIX_CALL(pthread_mutex_init),
                                 POSIX_CALL(pthread_mutex_destroy),
                                 POSIX_CALL(pthread_cond_init),
                                 POSIX_CALL(pthread_cond_destroy),
                                 POSIX_APART(pthread_cond_wait),
                                 POSIX_CALL(pthread_cond_timedwait),
                                 POSIX_CALL(pthread_cond_clockwait),
                                 POSIX_CALL(pthread_mutex_clocklock),
                                 POSIX_APART(pthread_cond_signal),
                                 POSIX_APART(pthread_cond_broadcast),
                                 {NULL, NULL, 0}};
