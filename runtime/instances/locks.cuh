// Calls of the library that meet at an object: mutexes, condition variables,
// read-write and spin locks, semaphores, barriers, pthread_once; as
// runtime/threads/posix_mutex.c and posix_locks.c have them.
//
// Each function gets its arguments as 64 bits, leaves its result in the world,
// and answers whether its thread has stopped; then it is called `again`, and
// knows by the thread's phase where it was.

#ifndef RUNTIME_INSTANCES_LOCKS_CUH
#define RUNTIME_INSTANCES_LOCKS_CUH

#include "runtime/instances/engine.cuh"

#define POSIX(name)                                                            \
  CALLED Word gpuverify_posix_##name(                                          \
      World *w, [[maybe_unused]] Word again, [[maybe_unused]] Long a,          \
      [[maybe_unused]] Long b, [[maybe_unused]] Long c,                        \
      [[maybe_unused]] Long d)

enum { EAGAIN = 11, EBUSY = 16, EINVAL = 22, EDEADLK = 35, ETIMEDOUT = 110 };

INLINE Word answer(World *w, Long value) {
  w->result = value;
  return DONE;
}

template <typename T> INLINE T *object_at(World *w, Long at) {
  if (at % alignof(T)) {
    fail(w, INSTANCE_BEYOND); // a device does not do that
    return nullptr;
  }
  return (T *)(void *)place_of(w, at, sizeof(T), true);
}

// A step at an object, then what is there; NULL: stopped, or over.
template <typename T>
INLINE T *step_at(World *w, Word again, Long at, Long bytes) {
  if (!again && library_step(w))
    return nullptr;
  library_on(w);
  return check(w, at, bytes) ? nullptr : object_at<T>(w, at);
}

INLINE Word changed(World *w, Long at) {
  if (check(w, at, 1))
    return STOPPED;
  w->changed = w->steps;
  return DONE;
}

INLINE Word put(World *w, Long at, Long value, Word bytes) {
  if (touch(w, at, bytes, true))
    return STOPPED;
  Byte *to = place_of(w, at, bytes, true);
  if (!to)
    return STOPPED;
  for (Word i = 0; i < bytes; i++)
    to[i] = (Byte)(value >> 8 * i);
  return DONE;
}

// For a limited time: it may be that nobody else goes on.  A time that is none,
// or centuries away, is the processor's.
DEVICE Word wait_timed(World *w, Word wait, Long object, Long until) {
  enum { NANOSECONDS = 1000000000 };
  if (until % alignof(Long))
    return fail(w, INSTANCE_BEYOND);
  const Long *time =
      touch(w, until, 2 * sizeof(Long), false)
          ? nullptr
          : (const Long *)(void *)place_of(w, until, 2 * sizeof(Long), false);
  if (!time)
    return STOPPED;
  if (time[0] >= ~0ULL / 2 / NANOSECONDS || time[1] >= NANOSECONDS)
    return fail(w, INSTANCE_BEYOND);
  begin_wait(w, wait, object);
  self_of(w)->is_timed = 1;
  self_of(w)->until = time[0] * NANOSECONDS + time[1];
  yield(w, w->self);
  return give_way(w);
}

// ----------------------------------------------------------------- mutexes ---

struct Mutex {
  Word depth, waiting, owner, spare;
  int kind;
};

enum { NORMAL, RECURSIVE, CHECKED, ADAPTIVE };

enum { LOOKS, WAITS, IS_SIGNALLED, COMES_BACK };

DEVICE Mutex *mutex_at(World *w, Long at) {
  Mutex *mutex = object_at<Mutex>(w, at);
  if (mutex && (mutex->kind < 0 || mutex->kind > ADAPTIVE)) {
    fail(w, INSTANCE_MISUSE);
    return nullptr;
  }
  return mutex;
}

DEVICE Mutex *look_at_mutex(World *w, Word again, Long at) {
  if (!again && library_step(w))
    return nullptr;
  library_on(w);
  return check(w, at, sizeof(Mutex)) ? nullptr : mutex_at(w, at);
}

INLINE bool is_mine(const World *w, const Mutex *mutex) {
  return mutex->depth && mutex->owner == w->self;
}

DEVICE Word take_mutex(World *w, Mutex *mutex, Long at, Word depth) {
  if (changed(w, at))
    return STOPPED;
  mutex->depth = depth;
  mutex->owner = w->self;
  return answer(w, 0);
}

// From where it has looked at the mutex, or has been woken.
DEVICE Word wait_for_mutex(World *w, Mutex *mutex, Long at, Long until) {
  Thread *self = self_of(w);
  if (!mutex->depth)
    return take_mutex(w, mutex, at, 1);
  mutex->waiting++;
  self->phase = WAITS;
  if (!until)
    return wait_for(w, WAIT_MUTEX, at);
  if (wait_timed(w, WAIT_MUTEX, at, until))
    return STOPPED;
  mutex->waiting--;
  woken_in_time(w);
  return answer(w, ETIMEDOUT);
}

DEVICE Word woken_at_mutex(World *w, Long at, Long until) {
  Mutex *mutex = object_at<Mutex>(w, at);
  bool is_late = until && !woken_in_time(w);
  woken(w);
  if (!mutex)
    return STOPPED;
  mutex->waiting--;
  return is_late ? answer(w, ETIMEDOUT) : wait_for_mutex(w, mutex, at, until);
}

// With an address of the time up to which it waits, or 0.
DEVICE Word lock(World *w, Word again, Long at, Long until) {
  if (again && self_of(w)->phase == WAITS)
    return woken_at_mutex(w, at, until);
  self_of(w)->phase = LOOKS;
  Mutex *mutex = look_at_mutex(w, again, at);
  if (!mutex)
    return STOPPED;
  if (is_mine(w, mutex) && mutex->kind == RECURSIVE)
    return take_mutex(w, mutex, at, mutex->depth + 1);
  if (is_mine(w, mutex) && mutex->kind == CHECKED)
    return answer(w, EDEADLK);
  return changed(w, at) ? (Word)STOPPED : wait_for_mutex(w, mutex, at, until);
}

POSIX(pthread_mutex_lock) { return lock(w, again, a, 0); }
POSIX(pthread_mutex_timedlock) { return lock(w, again, a, b); }

POSIX(pthread_mutex_trylock) {
  Mutex *mutex = look_at_mutex(w, again, a);
  if (!mutex)
    return STOPPED;
  if (is_mine(w, mutex) && mutex->kind == RECURSIVE)
    return take_mutex(w, mutex, a, mutex->depth + 1);
  return mutex->depth ? answer(w, EBUSY) : take_mutex(w, mutex, a, 1);
}

DEVICE Word release(World *w, Mutex *mutex, Long at) {
  if (changed(w, at))
    return STOPPED;
  if (!--mutex->depth && mutex->waiting)
    wake_all(w, WAIT_MUTEX, at);
  return answer(w, 0);
}

POSIX(pthread_mutex_unlock) {
  Mutex *mutex = look_at_mutex(w, again, a);
  if (!mutex)
    return STOPPED;
  bool is_checked = mutex->kind == RECURSIVE || mutex->kind == CHECKED;
  if (!is_mine(w, mutex))
    return is_checked ? answer(w, 1) : fail(w, INSTANCE_MISUSE);
  return release(w, mutex, a);
}

DEVICE Word begin_mutex(World *w, Long at, int kind) {
  Mutex *mutex = object_at<Mutex>(w, at);
  if (!mutex || changed(w, at))
    return STOPPED;
  *mutex = Mutex{0, 0, 0, 0, kind};
  return answer(w, 0);
}

POSIX(pthread_mutex_init) {
  Mutex *mutex = step_at<Mutex>(w, again, a, sizeof(Mutex));
  int *kind = mutex && b ? object_at<int>(w, b) : nullptr;
  if (!mutex || (b && !kind))
    return STOPPED;
  return begin_mutex(w, a, kind ? *kind : (int)NORMAL);
}

POSIX(pthread_mutex_destroy) {
  Mutex *mutex = look_at_mutex(w, again, a);
  if (!mutex)
    return STOPPED;
  return mutex->depth ? fail(w, INSTANCE_MISUSE) : begin_mutex(w, a, -1);
}

DEVICE Word set_attribute(World *w, Long at, Long value) {
  int *attribute = object_at<int>(w, at);
  if (!attribute)
    return STOPPED;
  *attribute = (int)value;
  w->changed = w->steps;
  return answer(w, 0);
}

POSIX(pthread_mutexattr_init) { return set_attribute(w, a, NORMAL); }
POSIX(pthread_mutexattr_settype) {
  return (int)b < 0 || (int)b > ADAPTIVE ? answer(w, EINVAL)
                                         : set_attribute(w, a, b);
}
POSIX(pthread_mutexattr_destroy) { return answer(w, 0); }

// -------------------------------------------------------------- conditions ---

POSIX(pthread_cond_init) {
  Word *condition = object_at<Word>(w, a);
  if (!condition || changed(w, a))
    return STOPPED;
  *condition = 0;
  return answer(w, 0);
}

POSIX(pthread_cond_destroy) { return answer(w, 0); }

// It lets go of the mutex, and waits.
DEVICE Word begin_waiting(World *w, Long condition, Long at, Long until) {
  Thread *self = self_of(w);
  library_on(w);
  if (check(w, condition, 4))
    return STOPPED;
  Mutex *mutex = mutex_at(w, at);
  if (!mutex)
    return STOPPED;
  if (!is_mine(w, mutex))
    return fail(w, INSTANCE_MISUSE);
  if (mutex->depth > 1)
    return fail(w, INSTANCE_BEYOND); // it keeps the mutex
  self->kept = 0;
  if (release(w, mutex, at))
    return STOPPED;
  self->phase = IS_SIGNALLED;
  return until ? wait_timed(w, WAIT_CONDITION, condition, until)
               : wait_for(w, WAIT_CONDITION, condition);
}

DEVICE Word come_back(World *w, bool is_timed) {
  Thread *self = self_of(w);
  if (is_timed && !woken_in_time(w))
    self->kept = ETIMEDOUT;
  woken(w);
  self->phase = COMES_BACK;
  return library_step(w);
}

DEVICE Word at_condition(World *w, Word again, Long condition, Long at,
                         Long until) {
  Thread *self = self_of(w);
  Word phase = again ? self->phase : (Word)LOOKS;
  if (!again) {
    self->phase = LOOKS;
    if (library_step(w))
      return STOPPED;
  }
  if (phase == LOOKS && begin_waiting(w, condition, at, until))
    return STOPPED;
  if ((phase == LOOKS || phase == IS_SIGNALLED) && come_back(w, until))
    return STOPPED;
  Word taken;
  if (phase == WAITS) {
    taken = woken_at_mutex(w, at, 0);
  } else {
    library_on(w);
    Mutex *mutex = check(w, at, sizeof(Mutex)) || changed(w, at)
                       ? nullptr
                       : object_at<Mutex>(w, at);
    if (!mutex)
      return STOPPED;
    taken = wait_for_mutex(w, mutex, at, 0);
  }
  return taken ? taken : answer(w, self->kept);
}

POSIX(pthread_cond_wait) { return at_condition(w, again, a, b, 0); }
POSIX(pthread_cond_timedwait) { return at_condition(w, again, a, b, c); }

POSIX(pthread_cond_signal) {
  if (!step_at<Word>(w, again, a, 4))
    return STOPPED;
  Thread *longest = nullptr;
  for (Word i = 0; i < w->count; i++) {
    Thread *thread = &w->threads[i];
    if (thread->wait == WAIT_CONDITION && thread->wait_for == a &&
        (!longest || thread->waits_since < longest->waits_since))
      longest = thread;
  }
  if (longest)
    wake(w, longest);
  return answer(w, 0);
}

POSIX(pthread_cond_broadcast) {
  if (!step_at<Word>(w, again, a, 4))
    return STOPPED;
  wake_all(w, WAIT_CONDITION, a);
  return answer(w, 0);
}

// ---------------------------------------------------------- read-write lock
// ---

struct ReadWrite {
  Word readers, writer; // number + 1
};

DEVICE ReadWrite *look_at_rwlock(World *w, Word again, Long at) {
  if (again && self_of(w)->phase == WAITS) {
    woken(w);
    return object_at<ReadWrite>(w, at);
  }
  self_of(w)->phase = LOOKS;
  ReadWrite *rwlock = step_at<ReadWrite>(w, again, at, sizeof(ReadWrite));
  return rwlock && !changed(w, at) ? rwlock : nullptr;
}

POSIX(pthread_rwlock_init) {
  ReadWrite *rwlock = look_at_rwlock(w, again, a);
  if (!rwlock)
    return STOPPED;
  *rwlock = ReadWrite{0, 0};
  return answer(w, 0);
}

POSIX(pthread_rwlock_destroy) {
  ReadWrite *rwlock = look_at_rwlock(w, again, a);
  if (!rwlock)
    return STOPPED;
  return rwlock->readers || rwlock->writer ? fail(w, INSTANCE_MISUSE)
                                           : answer(w, 0);
}

POSIX(pthread_rwlock_rdlock) {
  ReadWrite *rwlock = look_at_rwlock(w, again, a);
  if (!rwlock)
    return STOPPED;
  if (!again && rwlock->writer == w->self + 1)
    return answer(w, EDEADLK);
  if (rwlock->writer) {
    self_of(w)->phase = WAITS;
    return wait_for(w, WAIT_READ_LOCK, a);
  }
  rwlock->readers++;
  return answer(w, 0);
}

POSIX(pthread_rwlock_tryrdlock) {
  ReadWrite *rwlock = look_at_rwlock(w, again, a);
  if (!rwlock)
    return STOPPED;
  if (rwlock->writer)
    return answer(w, EBUSY);
  rwlock->readers++;
  return answer(w, 0);
}

POSIX(pthread_rwlock_wrlock) {
  ReadWrite *rwlock = look_at_rwlock(w, again, a);
  if (!rwlock)
    return STOPPED;
  if (rwlock->writer == w->self + 1)
    return answer(w, EDEADLK);
  if (rwlock->writer || rwlock->readers) {
    self_of(w)->phase = WAITS;
    return wait_for(w, WAIT_WRITE_LOCK, a);
  }
  rwlock->writer = w->self + 1;
  return answer(w, 0);
}

POSIX(pthread_rwlock_trywrlock) {
  ReadWrite *rwlock = look_at_rwlock(w, again, a);
  if (!rwlock)
    return STOPPED;
  if (rwlock->writer || rwlock->readers)
    return answer(w, EBUSY);
  rwlock->writer = w->self + 1;
  return answer(w, 0);
}

POSIX(pthread_rwlock_unlock) {
  ReadWrite *rwlock = look_at_rwlock(w, again, a);
  if (!rwlock)
    return STOPPED;
  if (rwlock->writer ? rwlock->writer != w->self + 1 : !rwlock->readers)
    return fail(w, INSTANCE_MISUSE);
  if (rwlock->writer)
    rwlock->writer = 0;
  else
    rwlock->readers--;
  wake_all(w, WAIT_READ_LOCK, a);
  wake_all(w, WAIT_WRITE_LOCK, a);
  return answer(w, 0);
}

// --------------------------------------------------------------- spin locks
// ---

DEVICE Word set_word(World *w, Long at, Word value) {
  Word *word = object_at<Word>(w, at);
  if (!word || changed(w, at))
    return STOPPED;
  *word = value;
  return answer(w, 0);
}

POSIX(pthread_spin_init) { return set_word(w, a, 0); }
POSIX(pthread_spin_destroy) { return answer(w, 0); }

// A word that is stepped at, or at which the thread has waited.
DEVICE Word *look_at_word(World *w, Word again, Long at) {
  if (again && self_of(w)->phase == WAITS) {
    woken(w);
    return object_at<Word>(w, at);
  }
  self_of(w)->phase = LOOKS;
  return step_at<Word>(w, again, at, 4);
}

POSIX(pthread_spin_lock) {
  Word *word = look_at_word(w, again, a);
  if (!word)
    return STOPPED;
  if (!*word)
    return set_word(w, a, w->self + 1);
  self_of(w)->phase = WAITS;
  return wait_for(w, WAIT_WRITE_LOCK, a);
}

POSIX(pthread_spin_trylock) {
  Word *word = look_at_word(w, again, a);
  if (!word)
    return STOPPED;
  return *word ? answer(w, EBUSY) : set_word(w, a, w->self + 1);
}

POSIX(pthread_spin_unlock) {
  Word *word = look_at_word(w, again, a);
  if (!word)
    return STOPPED;
  if (*word != w->self + 1)
    return fail(w, INSTANCE_MISUSE);
  if (set_word(w, a, 0))
    return STOPPED;
  wake_all(w, WAIT_WRITE_LOCK, a);
  return answer(w, 0);
}

// -------------------------------------------------------------- semaphores ---

POSIX(sem_init) {
  return look_at_word(w, again, a) ? set_word(w, a, (Word)c) : (Word)STOPPED;
}

enum { SEMAPHORE_DESTROYED = -0x7fffffff - 1 };

// NULL: it was destroyed, or never was one.
DEVICE Word *semaphore_of(World *w, Word *word) {
  if (!word || (int)*word >= 0)
    return word;
  fail(w, INSTANCE_MISUSE);
  return nullptr;
}

DEVICE Word *look_at_semaphore(World *w, Word again, Long at) {
  return semaphore_of(w, look_at_word(w, again, at));
}

DEVICE Word *semaphore_at(World *w, Long at) {
  return semaphore_of(w, check(w, at, 4) ? nullptr : object_at<Word>(w, at));
}

POSIX(sem_destroy) {
  return semaphore_at(w, a) ? set_word(w, a, (Word)SEMAPHORE_DESTROYED)
                            : (Word)STOPPED;
}

POSIX(sem_wait) {
  Word *word = look_at_semaphore(w, again, a);
  if (!word)
    return STOPPED;
  if (*word)
    return set_word(w, a, *word - 1);
  self_of(w)->phase = WAITS;
  return wait_for(w, WAIT_SEMAPHORE, a);
}

POSIX(sem_post) {
  Word *word = look_at_semaphore(w, again, a);
  if (!word || set_word(w, a, *word + 1))
    return STOPPED;
  wake_all(w, WAIT_SEMAPHORE, a);
  return answer(w, 0);
}

POSIX(sem_getvalue) {
  Word *word = semaphore_at(w, a);
  return !word || put(w, b, *word, 4) ? (Word)STOPPED : answer(w, 0);
}

// ---------------------------------------------------------------- barriers ---

struct Barrier {
  Word count, arrived, round;
};

POSIX(pthread_barrier_init) {
  if (!(Word)c)
    return answer(w, EINVAL);
  Barrier *barrier = object_at<Barrier>(w, a);
  if (!barrier || changed(w, a))
    return STOPPED;
  *barrier = Barrier{(Word)c, 0, barrier->round + 1};
  return answer(w, 0);
}

POSIX(pthread_barrier_destroy) {
  Barrier *barrier = object_at<Barrier>(w, a);
  if (!barrier)
    return STOPPED;
  if (barrier->arrived)
    return fail(w, INSTANCE_MISUSE);
  if (changed(w, a))
    return STOPPED;
  barrier->count = 0;
  return answer(w, 0);
}

DEVICE Word wait_at_barrier(World *w, Barrier *barrier, Long at) {
  if (barrier->round != (Word)self_of(w)->kept)
    return answer(w, 0);
  self_of(w)->phase = WAITS;
  return wait_for(w, WAIT_BARRIER, at);
}

POSIX(pthread_barrier_wait) {
  Thread *self = self_of(w);
  if (again && self->phase == WAITS) {
    woken(w);
    Barrier *barrier =
        check(w, a, sizeof(Barrier)) ? nullptr : object_at<Barrier>(w, a);
    return barrier ? wait_at_barrier(w, barrier, a) : (Word)STOPPED;
  }
  self->phase = LOOKS;
  Barrier *barrier = step_at<Barrier>(w, again, a, sizeof(Barrier));
  if (!barrier || changed(w, a))
    return STOPPED;
  if (!barrier->count)
    return fail(w, INSTANCE_MISUSE);
  self->kept = barrier->round;
  if (++barrier->arrived < barrier->count)
    return wait_at_barrier(w, barrier, a);
  barrier->arrived = 0;
  barrier->round++;
  wake_all(w, WAIT_BARRIER, a);
  return answer(w, (Long)-1);
}

// ------------------------------------------------------------------- once ---

enum { ONCE_RUNS = 1, ONCE_DONE = 2 };

// Is the function to be called?
POSIX(once_begin) {
  Word *once = look_at_word(w, again, a);
  if (!once)
    return STOPPED;
  if (*once == ONCE_RUNS) {
    self_of(w)->phase = WAITS;
    return wait_for(w, WAIT_ONCE, a);
  }
  if (*once == ONCE_DONE)
    return answer(w, false);
  return set_word(w, a, ONCE_RUNS) ? (Word)STOPPED : answer(w, true);
}

POSIX(once_end) {
  Word *once = step_at<Word>(w, again, a, 4);
  if (!once)
    return STOPPED;
  *once = ONCE_DONE;
  wake_all(w, WAIT_ONCE, a);
  return answer(w, 0);
}

#endif
