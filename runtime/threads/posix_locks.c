// Read-write locks, spin locks, semaphores, barriers, pthread_once.
//
// As mutexes, they are kept in their own memory.

#define _GNU_SOURCE

#include "runtime/threads/world.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>

// As the program has them: what is ours of them is smaller.
enum {
  LOCK_BYTES = sizeof(pthread_rwlock_t),
  SPIN_BYTES = sizeof(pthread_spinlock_t),
  SEMAPHORE_BYTES = sizeof(sem_t),
  BARRIER_BYTES = sizeof(pthread_barrier_t),
  ONCE_BYTES = sizeof(pthread_once_t),
};

// ---------------------------------------------------------- read-write lock

typedef struct PosixReadWrite {
  uint32_t readers, writer; // number + 1
} PosixReadWrite;

static bool is_read(const void *at, uint32_t thread) {
  (void)thread;
  return ((const PosixReadWrite *)at)->readers;
}

static bool is_written(const void *at, uint32_t thread) {
  return ((const PosixReadWrite *)at)->writer == thread + 1;
}

static PosixReadWrite *rw_step(void *at) {
  world_step(at, LOCK_BYTES, true);
  posix_lock_changed(at, LOCK_BYTES);
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

static int wait_at_lock(ThreadWait wait, void *lock,
                        const struct timespec *until) {
  int error = posix_wait_until(wait, lock, until);
  world_check(lock, LOCK_BYTES);
  return error;
}

static int lock_to_read(void *at, const struct timespec *until) {
  PosixReadWrite *lock = rw_step(at);
  int error = lock->writer == world.self->index + 1 ? EDEADLK : 0;
  while (lock->writer && !error)
    error = wait_at_lock(WAIT_READ_LOCK, lock, until);
  if (error)
    return error;
  lock->readers++;
  races_acquire(lock);
  held_begin(lock, is_read);
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
    error = wait_at_lock(WAIT_WRITE_LOCK, lock, until);
  if (error)
    return error;
  lock->writer = world.self->index + 1;
  races_acquire(lock);
  held_begin(lock, is_written);
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
  held_end(lock);
  if (lock->writer)
    lock->writer = 0;
  else
    lock->readers--;
  world_wake_all(WAIT_READ_LOCK, lock);
  world_wake_all(WAIT_WRITE_LOCK, lock);
  return 0;
}

// --------------------------------------------------------------- spin locks

static bool spins_for(const void *at, uint32_t thread) {
  return *(const int *)at == (int)thread + 1;
}

static int posix_pthread_spin_init(int *lock, int shared) {
  (void)shared;
  posix_lock_changed(lock, SPIN_BYTES);
  *lock = 0;
  return 0;
}

static int posix_pthread_spin_destroy(int *lock) {
  world_check(lock, SPIN_BYTES);
  return 0;
}

static int posix_pthread_spin_lock(int *lock) {
  world_step(lock, SPIN_BYTES, true);
  while (*lock)
    world_wait(WAIT_WRITE_LOCK, lock);
  posix_lock_changed(lock, SPIN_BYTES);
  *lock = (int)world.self->index + 1;
  races_acquire(lock);
  held_begin(lock, spins_for);
  return 0;
}

static int posix_pthread_spin_trylock(int *lock) {
  world_step(lock, SPIN_BYTES, true);
  if (*lock)
    return EBUSY;
  posix_lock_changed(lock, SPIN_BYTES);
  *lock = (int)world.self->index + 1;
  races_acquire(lock);
  return 0;
}

static int posix_pthread_spin_unlock(int *lock) {
  world_step(lock, SPIN_BYTES, true);
  if (*lock != (int)world.self->index + 1)
    world_fail(MISHAP_MISUSE, "unlocks a spin lock that it has not");
  races_release(lock);
  held_end(lock);
  posix_lock_changed(lock, SPIN_BYTES);
  *lock = 0;
  world_wake_all(WAIT_WRITE_LOCK, lock);
  return 0;
}

// --------------------------------------------------------------- semaphores

enum { DESTROYED = INT_MIN };

static int posix_sem_init(int *semaphore, int shared, unsigned value) {
  (void)shared;
  world_step(semaphore, SEMAPHORE_BYTES, true);
  posix_lock_changed(semaphore, SEMAPHORE_BYTES);
  *semaphore = (int)value;
  return 0;
}

// What it counts, while it is one; static memory begins as one of 0.
static int count_of(const int *semaphore) {
  if (*semaphore == DESTROYED)
    world_fail(MISHAP_MISUSE, "this semaphore was destroyed");
  if (*semaphore < 0)
    world_fail(MISHAP_MISUSE, "this semaphore was not initialised");
  return *semaphore;
}

static int posix_sem_destroy(int *semaphore) {
  world_check(semaphore, SEMAPHORE_BYTES);
  (void)count_of(semaphore);
  posix_lock_changed(semaphore, SEMAPHORE_BYTES);
  *semaphore = DESTROYED;
  return 0;
}

static int fail_with(int error) {
  world_step(world.tls, sizeof error, true);
  *(int *)(void *)world.tls = error;
  return -1;
}

static int wait_at(int *semaphore, const struct timespec *until) {
  int error = 0;
  world_step(semaphore, SEMAPHORE_BYTES, true);
  posix_cancel_point();
  while (!count_of(semaphore) && !error) {
    error = posix_wait_until(WAIT_SEMAPHORE, semaphore, until);
    posix_cancel_wait();
  }
  if (error)
    return fail_with(error);
  posix_lock_changed(semaphore, SEMAPHORE_BYTES);
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
  world_step(semaphore, SEMAPHORE_BYTES, true);
  if (!count_of(semaphore))
    return fail_with(EAGAIN);
  posix_lock_changed(semaphore, SEMAPHORE_BYTES);
  --*semaphore;
  races_acquire(semaphore);
  return 0;
}

static int posix_sem_post(int *semaphore) {
  world_step(semaphore, SEMAPHORE_BYTES, true);
  if (count_of(semaphore) == INT_MAX)
    return fail_with(EOVERFLOW);
  races_release(semaphore);
  posix_lock_changed(semaphore, SEMAPHORE_BYTES);
  ++*semaphore;
  world_wake_all(WAIT_SEMAPHORE, semaphore);
  return 0;
}

static int posix_sem_getvalue(int *semaphore, int *value) {
  world_check(semaphore, SEMAPHORE_BYTES);
  world_touch(value, sizeof *value, true);
  *value = count_of(semaphore);
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
  if (!count)
    return EINVAL;
  posix_lock_changed(barrier, BARRIER_BYTES);
  // Who still wakes up from an earlier round must not take it for its own.
  *barrier = (PosixBarrier){.count = count, .round = barrier->round + 1};
  return 0;
}

static int posix_pthread_barrier_destroy(PosixBarrier *barrier) {
  world_check(barrier, BARRIER_BYTES);
  if (barrier->arrived)
    world_fail(MISHAP_MISUSE, "destroys a barrier that threads wait at");
  while (barrier->leaving)
    world_wait(WAIT_BARRIER, &barrier->leaving);
  posix_lock_changed(barrier, BARRIER_BYTES);
  barrier->count = 0;
  return 0;
}

static void wait_for_round(PosixBarrier *barrier) {
  uint32_t round = barrier->round;
  while (barrier->round == round) {
    world_wait(WAIT_BARRIER, barrier);
    world_check(barrier, BARRIER_BYTES);
  }
  posix_lock_changed(barrier, BARRIER_BYTES);
  if (barrier->leaving && !--barrier->leaving)
    world_wake_all(WAIT_BARRIER, &barrier->leaving);
}

static int posix_pthread_barrier_wait(PosixBarrier *barrier) {
  world_step(barrier, BARRIER_BYTES, true);
  if (!barrier->count)
    world_fail(MISHAP_MISUSE,
               "waits at a barrier that was not initialised, "
               "or was destroyed");
  posix_lock_changed(barrier, BARRIER_BYTES);
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
  world_step(once, ONCE_BYTES, true);
  posix_lock_changed(once, ONCE_BYTES);
  *once = state;
  races_release(once);
  world_wake_all(WAIT_ONCE, once);
}

void once_forget(void) { leave_once(0); }

static void run_once(int *once, void (*body)(void)) {
  PosixThread *self = world.self;
  OnceCall call = {self->once, once, self->cleanup};
  posix_lock_changed(once, ONCE_BYTES);
  *once = ONCE_RUNS;
  self->once = &call;
  posix_meet_before_call();
  body();
  leave_once(ONCE_DONE);
}

int posix_pthread_once(void *at, void (*body)(void)) {
  int *once = at;
  world_step(once, ONCE_BYTES, true);
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
