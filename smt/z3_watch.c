// Sees to it that Z3 stops.
//
// Z3 has a timer of its own, which gets lost now and then where it is short or
// the machine is busy (Z3 4.8.12); the check then goes on for ever.  So each
// check is watched by a thread, which interrupts it a little after its time,
// again and again until it has ended.  Never later: what it then interrupts
// would be something else.

#define _GNU_SOURCE // pthread_cond_clockwait

#include "smt/z3_terms.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>

enum { GRACE_MILLISECONDS = 200 };

typedef struct Watch {
  Z3_context z3;
  unsigned milliseconds;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  bool has_ended;
} Watch;

static void add_milliseconds(struct timespec *at, unsigned milliseconds) {
  const long billion = 1000000000;
  at->tv_sec += milliseconds / 1000;
  at->tv_nsec += (long)(milliseconds % 1000) * 1000000;
  at->tv_sec += at->tv_nsec / billion;
  at->tv_nsec %= billion;
}

static void *watch(void *data) {
  Watch *own = data;
  struct timespec at;
  clock_gettime(CLOCK_MONOTONIC, &at);
  add_milliseconds(&at, own->milliseconds);
  pthread_mutex_lock(&own->lock);
  while (!own->has_ended) {
    add_milliseconds(&at, GRACE_MILLISECONDS);
    if (pthread_cond_clockwait(&own->changed, &own->lock, CLOCK_MONOTONIC,
                               &at) &&
        !own->has_ended)
      Z3_interrupt(own->z3);
  }
  pthread_mutex_unlock(&own->lock);
  return NULL;
}

// The thread takes no signals: they are for the program that we are in.
static bool begin(Watch *own, pthread_t *thread) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  bool is_watched = !pthread_create(thread, NULL, watch, own);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return is_watched;
}

static void end(Watch *own) {
  pthread_mutex_lock(&own->lock);
  own->has_ended = true;
  pthread_cond_signal(&own->changed);
  pthread_mutex_unlock(&own->lock);
}

Z3_lbool z3_watched_check(Solver *solver, Z3_solver z3_solver,
                          unsigned milliseconds) {
  Watch own = {.z3 = solver->z3,
               .milliseconds = milliseconds,
               .lock = PTHREAD_MUTEX_INITIALIZER,
               .changed = PTHREAD_COND_INITIALIZER};
  pthread_t thread;
  bool is_watched = begin(&own, &thread);
  Z3_lbool answer = Z3_solver_check(solver->z3, z3_solver);
  end(&own);
  if (is_watched)
    pthread_join(thread, NULL);
  return answer;
}
