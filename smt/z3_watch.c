// Sees to it that Z3 stops when the time of a task is over.
//
// Z3 has a timer of its own, which goes by the clock, gets lost now and then
// where it is short (Z3 4.8.12), and is not used.  So each check is watched by
// a thread, which interrupts it once the thread that checks has worked so long,
// again and again until the check has ended.  Never later: what it then
// interrupts would be something else.  So is one stopped that takes many times
// as long as its steps should: some of what Z3 does it does not count as steps.
//
// One thread watches the checks of a process, one after the other, and ends
// when there are no more of them; on a busy machine a new one for each check,
// which has to come to its turn before it can end, would take most of the time.

#define _GNU_SOURCE // pthread_cond_clockwait

#include "smt/z3_terms.h"

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

static const double grace = 0.2;    // seconds, until it is told again
static const double patience = 0.5; // seconds without a check until it ends

typedef struct Watch {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  pid_t process;   // whose this is
  bool is_there;   // the thread
  double looks_at; // when the thread will look, by the clock
  double idle_at;  // when the last check has ended
  Z3_context z3;   // what is checked; NULL: nothing
  bool is_told;    // to stop
  clockid_t work;  // of the thread that checks
  double until;    // on that
} Watch;

static const Watch nobody = {.lock = PTHREAD_MUTEX_INITIALIZER,
                             .changed = PTHREAD_COND_INITIALIZER};
static Watch own;

static double seconds_on(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Nobody works faster than time passes, so what is left is slept through.
static double next_look(double now) {
  if (!own.z3)
    return own.idle_at + patience;
  double left = own.until - seconds_on(own.work);
  if (left <= 0) {
    own.is_told = true;
    Z3_interrupt(own.z3);
  }
  return now + (left > 0 ? left : grace);
}

static void sleep_until(double at) {
  double whole = floor(at);
  struct timespec when = {(time_t)whole, (long)(1e9 * (at - whole))};
  pthread_cond_clockwait(&own.changed, &own.lock, CLOCK_MONOTONIC, &when);
}

static void *watch(void *data) {
  pthread_mutex_lock(&own.lock);
  for (;;) {
    double now = seconds_on(CLOCK_MONOTONIC);
    own.looks_at = next_look(now);
    if (!own.z3 && own.looks_at <= now)
      break;
    sleep_until(own.looks_at);
  }
  own.is_there = false;
  pthread_mutex_unlock(&own.lock);
  return data;
}

// The thread takes no signals: they are for the program that we are in.
static bool start(void) {
  sigset_t all, before;
  pthread_t thread;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  bool is_there = !pthread_create(&thread, NULL, watch, NULL);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (is_there)
    pthread_detach(thread);
  return is_there;
}

// False: there is no thread to be had.
static bool begin(Z3_context z3, double seconds) {
  pid_t process = getpid();
  if (own.process != process)
    own = nobody; // the thread has stayed with whom we are a copy of
  pthread_mutex_lock(&own.lock);
  own.process = process;
  pthread_getcpuclockid(pthread_self(), &own.work);
  own.until = seconds_on(own.work) + seconds;
  own.z3 = z3;
  own.is_told = false;
  if (!own.is_there)
    own.is_there = start();
  else if (own.looks_at > seconds_on(CLOCK_MONOTONIC) + seconds)
    pthread_cond_signal(&own.changed);
  bool is_watched = own.is_there;
  pthread_mutex_unlock(&own.lock);
  return is_watched;
}

// True: the check was told to stop.
static bool end(void) {
  pthread_mutex_lock(&own.lock);
  bool was_told = own.is_told;
  own.z3 = NULL;
  own.idle_at = seconds_on(CLOCK_MONOTONIC);
  pthread_mutex_unlock(&own.lock);
  return was_told;
}

void z3_take_late_stop(Z3_context z3) {
  Z3_solver solver = Z3_mk_simple_solver(z3);
  Z3_solver_inc_ref(z3, solver);
  Z3_ast number = Z3_mk_fresh_const(z3, "n", Z3_mk_int_sort(z3));
  Z3_inc_ref(z3, number);
  Z3_ast zero = Z3_mk_int(z3, 0, Z3_mk_int_sort(z3));
  Z3_inc_ref(z3, zero);
  Z3_solver_assert(z3, solver, Z3_mk_gt(z3, number, zero));
  Z3_solver_check(z3, solver);
  Z3_dec_ref(z3, zero);
  Z3_dec_ref(z3, number);
  Z3_solver_dec_ref(z3, solver);
}

Z3_lbool z3_watched_check(const Task *task, Z3Solver *solver,
                          Z3_solver z3_solver, double seconds) {
  Z3_lbool answer = Z3_L_UNDEF; // unwatched, it might never end
  if (task->deadline <= 0)
    return Z3_solver_check(solver->z3, z3_solver);
  if (begin(solver->z3, fmin(seconds, task->deadline - work_seconds())))
    answer = Z3_solver_check(solver->z3, z3_solver);
  if (end())
    z3_take_late_stop(solver->z3);
  return answer;
}
