// A kernel is executed in a process of its own, so that it can do no harm.
//
// The child has a limit of processor time, leaves no core file, dies with its
// parent, and answers through memory that both share.  A crash in it is caught
// on a stack of its own, told with the thread that ran, and ends it.

#define _GNU_SOURCE

#include "runtime/machine/machine.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

// --------------------------------------------------------------- signals ---

// Whatever was interrupted cannot go on, and may hold locks.
static void leave(IncidentKind kind, const char *text) {
  Incident incident = {.kind = kind, .count = machine.self != NULL};
  snprintf(incident.text, sizeof incident.text, "%s", text);
  if (machine.self)
    incident.actors[0] = machine_actor(machine.self);
  machine_note(&incident);
  machine.outcome->steps = machine.steps;
  _exit(0);
}

void machine_fault(int number, const void *at) {
  bool is_access = number == SIGSEGV || number == SIGBUS;
  if (is_access && stacks_is_guard(&machine.stacks, at))
    machine_fail(INCIDENT_STACK, "%s", "");
  if (is_access && machine.memory)
    region_fault(at);
  machine_fail(INCIDENT_CRASH, "signal %d", number);
}

// Of the kernel that is being compiled; or NULL.
static Outcome *awaited;

void outcome_refuse(Outcome *outcome, IncidentKind kind, const char *reason) {
  Incident *incident = &outcome->incidents[outcome->count++];
  *incident = (Incident){.kind = kind, .times = 1};
  snprintf(incident->text, sizeof incident->text, "%s", reason);
}

void child_await(Outcome *outcome) { awaited = outcome; }

// The kernel has done nothing yet.
static _Noreturn void leave_compiler(int number) {
  if (awaited && (number == SIGPROF || number == SIGXCPU))
    outcome_refuse(awaited, INCIDENT_LIMIT,
                   "the time is used up before the kernel is compiled");
  _exit(1);
}

static void tell_crash(int number, siginfo_t *info, void *context) {
  (void)context;
  if (!machine.outcome)
    leave_compiler(number);
  if (number == SIGPROF || number == SIGXCPU)
    leave(INCIDENT_LIMIT, "the time is used up");
  if (!machine.self)
    leave(INCIDENT_CRASH, "outside of all threads");
  machine_fault(number, info->si_addr);
}

static void catch_signals(void) {
  static const int numbers[] = {SIGSEGV, SIGBUS,  SIGILL, SIGFPE,
                                SIGTRAP, SIGPROF, SIGXCPU};
  static char stack[1 << 16];
  stack_t alternative = {.ss_sp = stack, .ss_size = sizeof stack};
  struct sigaction action = {.sa_sigaction = tell_crash,
                             .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
  sigaltstack(&alternative, NULL);
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    sigaction(numbers[i], &action, NULL);
  signal(SIGABRT, SIG_DFL);
}

static void set_limits(double seconds) {
  struct rlimit none = {0, 0};
  struct itimerval timer = {
      .it_value = {(time_t)seconds,
                   (suseconds_t)((seconds - (double)(time_t)seconds) * 1e6)}};
  rlim_t whole = (rlim_t)seconds + 2;
  struct rlimit processor = {whole, whole};
  setrlimit(RLIMIT_CORE, &none);
  setrlimit(RLIMIT_CPU, &processor);
  setitimer(ITIMER_PROF, &timer, NULL);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
}

// ----------------------------------------------------------------- child ---

static volatile pid_t executing; // 0: none
static volatile sig_atomic_t interrupted;

static void interrupt(int number) {
  interrupted = number;
  if (executing > 0)
    kill(executing, SIGKILL);
}

static const int interrupts[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
enum { INTERRUPTS = sizeof interrupts / sizeof *interrupts };

// What we were told to ignore stays ignored.
static void catch_interrupts(void) {
  struct sigaction before, action = {.sa_handler = interrupt};
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < INTERRUPTS; i++)
    if (!sigaction(interrupts[i], NULL, &before) &&
        before.sa_handler == SIG_DFL)
      sigaction(interrupts[i], &action, NULL);
}

static void leave_interrupts(void) {
  struct sigaction before;
  for (size_t i = 0; i < INTERRUPTS; i++)
    if (!sigaction(interrupts[i], NULL, &before) &&
        before.sa_handler == interrupt)
      signal(interrupts[i], SIG_DFL);
}

bool child_run(void (*work)(void *), void *data, double seconds) {
  int status = 0;
  fflush(NULL);
  pid_t child = fork();
  if (child < 0)
    return false;
  if (!child) {
    leave_interrupts();
    catch_signals();
    set_limits(seconds);
    work(data);
    _exit(0);
  }
  executing = child;
  if (interrupted)
    kill(child, SIGKILL);
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return false;
  executing = 0;
  return WIFEXITED(status) && !WEXITSTATUS(status);
}

bool child_run_interruptibly(void (*work)(void *), void *data, double seconds) {
  catch_interrupts();
  bool has_ended = child_run(work, data, seconds);
  leave_interrupts();
  return has_ended;
}

bool child_was_interrupted(void) { return interrupted; }
