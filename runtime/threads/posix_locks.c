// Read-write locks, spin locks, semaphores, barriers, pthread_once.
//
// As mutexes, they are kept in their own memory.

#define _GNU_SOURCE

#include "runtime/threads/world.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>

static void changed(void *object) { posix_lock_changed(object, 16); }

// ---------------------------------------------------------- read-write lock

typedef struct PosixReadWrite {
  uint32_t readers, writer; // number + 1
} PosixReadWrite;

static PosixReadWrite *rw_step(void *at) {
  world_step(at, sizeof(PosixReadWrite), true);
  changed(at);
  return at;
}

static int posix_pthread_rwlock_init(void *at, const void *attributes) {
  (void)attributes;
  *rw_step(at) = (PosixReadWrite){0, 0};
  return 0;
}

static int posix_pthread_rwlock_destroy(void *at) {
  PosixReadWrite *lock = rw_step(at);
  if (lock->readers || lock->writer)
    world_fail(MISHAP_MISUSE, "destroys a lock that somebody has");
  return 0;
}

static int lock_to_read(void *at, const struct timespec *until) {
  PosixReadWrite *lock = rw_step(at);
  int error = lock->writer == world.self->index + 1 ? EDEADLK : 0;
  while (lock->writer && !error)
    error = posix_wait_until(WAIT_READ_LOCK, lock, until);
  if (error)
    return error;
  lock->readers++;
  races_acquire(lock);
  return 0;
}

static int posix_pthread_rwlock_rdlock(void *at) {
  return lock_to_read(at, NULL);
}

static int posix_pthread_rwlock_timedrdlock(void *at,
                                            const struct timespec *until) {
  return posix_is_deadline(until) ? lock_to_read(at, until) : EINVAL;
}

static int posix_pthread_rwlock_tryrdlock(void *at) {
  PosixReadWrite *lock = rw_step(at);
  if (lock->writer)
    return EBUSY;
  lock->readers++;
  races_acquire(lock);
  return 0;
}

static int lock_to_write(void *at, const struct timespec *until) {
  PosixReadWrite *lock = rw_step(at);
  int error = lock->writer == world.self->index + 1 ? EDEADLK : 0;
  while ((lock->writer || lock->readers) && !error)
    error = posix_wait_until(WAIT_WRITE_LOCK, lock, until);
  if (error)
    return error;
  lock->writer = world.self->index + 1;
  races_acquire(lock);
  return 0;
}

static int posix_pthread_rwlock_wrlock(void *at) {
  return lock_to_write(at, NULL);
}

static int posix_pthread_rwlock_timedwrlock(void *at,
                                            const struct timespec *until) {
  return posix_is_deadline(until) ? lock_to_write(at, until) : EINVAL;
}

// By whatever clock: there is one time.
static int posix_pthread_rwlock_clockrdlock(void *at, int clock,
                                            const struct timespec *until) {
  return posix_is_clock(clock) ? posix_pthread_rwlock_timedrdlock(at, until)
                               : EINVAL;
}

static int posix_pthread_rwlock_clockwrlock(void *at, int clock,
                                            const struct timespec *until) {
  return posix_is_clock(clock) ? posix_pthread_rwlock_timedwrlock(at, until)
                               : EINVAL;
}

static int posix_pthread_rwlock_trywrlock(void *at) {
  PosixReadWrite *lock = rw_step(at);
  if (lock->writer || lock->readers)
    return EBUSY;
  lock->writer = world.self->index + 1;
  races_acquire(lock);
  return 0;
}

static int posix_pthread_rwlock_unlock(void *at) {
  PosixReadWrite *lock = rw_step(at);
  if (lock->writer && lock->writer != world.self->index + 1)
    world_fail(MISHAP_MISUSE, "unlocks a lock that thread %u has",
               lock->writer - 1);
  if (!lock->writer && !lock->readers)
    world_fail(MISHAP_MISUSE, "unlocks a lock that nobody has");
  races_release(lock);
  if (lock->writer)
    lock->writer = 0;
  else
    lock->readers--;
  world_wake_all(WAIT_READ_LOCK, lock);
  world_wake_all(WAIT_WRITE_LOCK, lock);
  return 0;
}

// --------------------------------------------------------------- spin locks

static int posix_pthread_spin_init(int *lock, int shared) {
  (void)shared;
  changed(lock);
  *lock = 0;
  return 0;
}

static int posix_pthread_spin_destroy(int *lock) {
  (void)lock;
  return 0;
}

static int posix_pthread_spin_lock(int *lock) {
  world_step(lock, sizeof *lock, true);
  while (*lock)
    world_wait(WAIT_WRITE_LOCK, lock);
  changed(lock);
  *lock = (int)world.self->index + 1;
  races_acquire(lock);
  return 0;
}

static int posix_pthread_spin_trylock(int *lock) {
  world_step(lock, sizeof *lock, true);
  if (*lock)
    return EBUSY;
  changed(lock);
  *lock = (int)world.self->index + 1;
  races_acquire(lock);
  return 0;
}

static int posix_pthread_spin_unlock(int *lock) {
  world_step(lock, sizeof *lock, true);
  if (*lock != (int)world.self->index + 1)
    world_fail(MISHAP_MISUSE, "unlocks a spin lock that it has not");
  races_release(lock);
  changed(lock);
  *lock = 0;
  world_wake_all(WAIT_WRITE_LOCK, lock);
  return 0;
}

// --------------------------------------------------------------- semaphores

static int posix_sem_init(int *semaphore, int shared, unsigned value) {
  (void)shared;
  world_step(semaphore, sizeof *semaphore, true);
  changed(semaphore);
  *semaphore = (int)value;
  return 0;
}

static int posix_sem_destroy(int *semaphore) {
  (void)semaphore;
  return 0;
}

static int fail_with(int error) {
  world_step(world.tls, sizeof error, true);
  *(int *)(void *)world.tls = error;
  return -1;
}

static int wait_at(int *semaphore, const struct timespec *until) {
  int error = 0;
  world_step(semaphore, sizeof *semaphore, true);
  posix_cancel_point();
  while (*semaphore <= 0 && !error) {
    error = posix_wait_until(WAIT_SEMAPHORE, semaphore, until);
    posix_cancel_wait();
  }
  if (error)
    return fail_with(error);
  changed(semaphore);
  --*semaphore;
  races_acquire(semaphore);
  return 0;
}

static int posix_sem_wait(int *semaphore) { return wait_at(semaphore, NULL); }

static int posix_sem_timedwait(int *semaphore, const struct timespec *until) {
  return posix_is_deadline(until) ? wait_at(semaphore, until)
                                  : fail_with(EINVAL);
}

static int posix_sem_clockwait(int *semaphore, int clock,
                               const struct timespec *until) {
  return posix_is_clock(clock) ? posix_sem_timedwait(semaphore, until)
                               : fail_with(EINVAL);
}

static int posix_sem_trywait(int *semaphore) {
  world_step(semaphore, sizeof *semaphore, true);
  if (*semaphore <= 0)
    return fail_with(EAGAIN);
  changed(semaphore);
  --*semaphore;
  races_acquire(semaphore);
  return 0;
}

static int posix_sem_post(int *semaphore) {
  world_step(semaphore, sizeof *semaphore, true);
  if (*semaphore == INT_MAX)
    return fail_with(EOVERFLOW);
  races_release(semaphore);
  changed(semaphore);
  ++*semaphore;
  world_wake_all(WAIT_SEMAPHORE, semaphore);
  return 0;
}

static int posix_sem_getvalue(int *semaphore, int *value) {
  world_check(semaphore, sizeof *semaphore);
  world_touch(value, sizeof *value, true);
  *value = *semaphore;
  return 0;
}

// ----------------------------------------------------------------- barriers

typedef struct PosixBarrier {
  uint32_t count, arrived, round;
  uint32_t leaving; // those that are let go and have not gone on yet
} PosixBarrier;

static int posix_pthread_barrier_init(PosixBarrier *barrier,
                                      const void *attributes, unsigned count) {
  (void)attributes;
  changed(barrier);
  // Who still wakes up from an earlier round must not take it for its own.
  *barrier = (PosixBarrier){.count = count, .round = barrier->round + 1};
  return count ? 0 : EINVAL;
}

static int posix_pthread_barrier_destroy(PosixBarrier *barrier) {
  if (barrier->arrived)
    world_fail(MISHAP_MISUSE, "destroys a barrier that threads wait at");
  while (barrier->leaving)
    world_wait(WAIT_BARRIER, &barrier->leaving);
  return 0;
}

static void wait_for_round(PosixBarrier *barrier) {
  uint32_t round = barrier->round;
  while (barrier->round == round) {
    world_wait(WAIT_BARRIER, barrier);
    world_check(barrier, sizeof *barrier);
  }
  changed(barrier);
  if (barrier->leaving && !--barrier->leaving)
    world_wake_all(WAIT_BARRIER, &barrier->leaving);
}

static int posix_pthread_barrier_wait(PosixBarrier *barrier) {
  world_step(barrier, sizeof *barrier, true);
  changed(barrier);
  races_release(barrier);
  bool is_last = ++barrier->arrived >= barrier->count;
  if (is_last) {
    barrier->leaving += barrier->arrived - 1;
    barrier->arrived = 0;
    barrier->round++;
    world_wake_all(WAIT_BARRIER, barrier);
  } else
    wait_for_round(barrier);
  races_acquire(barrier);
  return is_last ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

// --------------------------------------------------------------------- once

enum { ONCE_RUNS = 1, ONCE_DONE = 2 };

static void leave_once(int state) {
  int *once = world.self->once->once;
  world.self->once = world.self->once->outer;
  world_step(once, sizeof *once, true);
  changed(once);
  *once = state;
  races_release(once);
  world_wake_all(WAIT_ONCE, once);
}

void once_forget(void) { leave_once(0); }

static void run_once(int *once, void (*body)(void)) {
  PosixThread *self = world.self;
  OnceCall call = {self->once, once, self->cleanup};
  changed(once);
  *once = ONCE_RUNS;
  self->once = &call;
  posix_meet_before_call();
  body();
  leave_once(ONCE_DONE);
}

int posix_pthread_once(void *at, void (*body)(void)) {
  int *once = at;
  world_step(once, sizeof *once, true);
  while (*once == ONCE_RUNS)
    world_wait(WAIT_ONCE, once);
  races_acquire(once);
  if (*once != ONCE_DONE)
    run_once(once, body);
  return 0;
}

const PosixCall lock_calls[] = {
    POSIX_CALL(pthread_rwlock_timedrdlock),
    POSIX_CALL(pthread_rwlock_timedwrlock),
    POSIX_CALL(pthread_rwlock_clockrdlock),
    POSIX_CALL(pthread_rwlock_clockwrlock),
    POSIX_CALL(pthread_rwlock_init),
    POSIX_CALL(pthread_rwlock_destroy),
    POSIX_APART(pthread_rwlock_rdlock),
    POSIX_APART(pthread_rwlock_tryrdlock),
    POSIX_APART(pthread_rwlock_wrlock),
    POSIX_APART(pthread_rwlock_trywrlock),
    POSIX_APART(pthread_rwlock_unlock),
    POSIX_CALL(pthread_spin_init),
    POSIX_CALL(pthread_spin_destroy),
    POSIX_APART(pthread_spin_lock),
    POSIX_APART(pthread_spin_trylock),
    POSIX_APART(pthread_spin_unlock),
    POSIX_CALL(sem_init),
    POSIX_CALL(sem_destroy),
    POSIX_APART(sem_wait),
    POSIX_CALL(sem_timedwait),
    POSIX_CALL(sem_clockwait),
    POSIX_APART(sem_trywait),
    POSIX_APART(sem_post),
    POSIX_CALL(sem_getvalue),
    POSIX_CALL(pthread_barrier_init),
    POSIX_CALL(pthread_barrier_destroy),
    POSIX_APART(pthread_barrier_wait),
    {"pthread_once", (void *)(uintptr_t)posix_pthread_once, CAPTURES | APART},
    {NULL, NULL, 0}};
