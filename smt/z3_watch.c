// Sees to it that Z3 stops.
//
// Z3 has a timer of its own, which goes by the clock, gets lost now and then
// where it is short (Z3 4.8.12), and is not used.  So each check is watched by
// a thread, which interrupts it once the thread that checks has worked so long,
// again and again until the check has ended.  Never later: what it then
// interrupts would be something else.

#define _GNU_SOURCE // pthread_cond_clockwait

#include "smt/z3_terms.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>

static const double grace = 0.2; // seconds, until it is told again

typedef struct Watch {
  Z3_context z3;
  clockid_t work; // of the thread that checks
  double until;   // on that
  pthread_mutex_t lock;
  pthread_cond_t changed;
  bool has_ended;
} Watch;

static double seconds_on(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static struct timespec after(double seconds) {
  double at = seconds_on(CLOCK_MONOTONIC) + seconds;
  time_t whole = (time_t)at;
  return (struct timespec){whole, (long)(1e9 * (at - (double)whole))};
}

// Nobody works faster than time passes, so what is left is slept through.
static double seconds_left(const Watch *own) {
  return own->until - seconds_on(own->work);
}

static void *watch(void *data) {
  Watch *own = data;
  pthread_mutex_lock(&own->lock);
  while (!own->has_ended) {
    double left = seconds_left(own);
    if (left <= 0)
      Z3_interrupt(own->z3);
    struct timespec at = after(left > 0 ? left : grace);
    pthread_cond_clockwait(&own->changed, &own->lock, CLOCK_MONOTONIC, &at);
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
               .lock = PTHREAD_MUTEX_INITIALIZER,
               .changed = PTHREAD_COND_INITIALIZER};
  pthread_t thread;
  pthread_getcpuclockid(pthread_self(), &own.work);
  own.until = seconds_on(own.work) + 1e-3 * milliseconds;
  if (!begin(&own, &thread))
    return Z3_L_UNDEF; // it might never end
  Z3_lbool answer = Z3_solver_check(solver->z3, z3_solver);
  end(&own);
  pthread_join(thread, NULL);
  return answer;
}
