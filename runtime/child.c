// A process of its own for whatever a kernel may do.
//
// The child has a limit of processor time, leaves no core file, dies with its
// parent, and answers through memory that both share.  A crash in it is caught
// on a stack of its own, told with the thread that ran, and ends it.

#define _GNU_SOURCE

#include "runtime/machine.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = 4096, ALIGNMENT = 16, MOST_POPULATED = 1 << 26 };

// ---------------------------------------------------------------- memory ---

static uint64_t pages(uint64_t bytes) {
  return (bytes + PAGE - 1) / PAGE * PAGE;
}

static char *map(uint64_t bytes, int flags) {
  void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                  flags | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return at == MAP_FAILED ? NULL : at;
}

uint64_t memory_room(void) {
  const uint64_t room = UINT64_C(16) << 30;
  struct rlimit limit;
  bool is_free =
      !getrlimit(RLIMIT_AS, &limit) && limit.rlim_cur == RLIM_INFINITY;
  return is_free && sizeof(void *) == 8 ? room : PAGE;
}

char *memory_apart(uint64_t bytes, uint64_t room, bool is_shared) {
  int flags = MAP_ANONYMOUS | MAP_NORESERVE;
  char *whole =
      mmap(NULL, bytes + 2 * room, PROT_NONE, MAP_PRIVATE | flags, -1, 0);
  if (whole == MAP_FAILED)
    return NULL;
  flags |= MAP_FIXED | (is_shared ? MAP_SHARED : MAP_PRIVATE);
  if (!bytes || mmap(whole + room, bytes, PROT_READ | PROT_WRITE, flags, -1,
                     0) != MAP_FAILED)
    return whole + room;
  munmap(whole, bytes + 2 * room);
  return NULL;
}

void memory_apart_free(char *at, uint64_t bytes, uint64_t room) {
  munmap(at - room, bytes + 2 * room);
}

// The end of the array is as near to the page behind it as alignment allows.
static uint64_t lead(uint64_t bytes) {
  return (pages(bytes) - bytes) / ALIGNMENT * ALIGNMENT;
}

char *memory_shared(uint64_t bytes) {
  if (bytes > UINT64_MAX / 2)
    return NULL;
  char *at = memory_apart(pages(bytes), memory_room(), true);
  return at ? at + lead(bytes) : NULL;
}

void memory_shared_free(char *at, uint64_t bytes) {
  memory_apart_free(at - lead(bytes), pages(bytes), memory_room());
}

bool memory_make_private(char *at, uint64_t bytes) {
  char *start = at - lead(bytes);
  char *copy = map(pages(bytes), MAP_PRIVATE);
  if (!copy)
    return false;
  memcpy(copy, start, pages(bytes));
  return mremap(copy, pages(bytes), pages(bytes), MREMAP_MAYMOVE | MREMAP_FIXED,
                start) == start;
}

char *memory_private(uint64_t before, uint64_t bytes) {
  char *at = map(pages(before) + pages(bytes), MAP_PRIVATE);
  return at ? at + pages(before) : NULL;
}

void memory_private_free(char *at, uint64_t before, uint64_t bytes) {
  munmap(at - pages(before), pages(before) + pages(bytes));
}

char *memory_low(uint64_t bytes) {
#ifdef MAP_32BIT
  char *low = map(pages(bytes), MAP_PRIVATE | MAP_32BIT);
  if (low)
    return low;
#endif
  return memory_private(0, bytes);
}

Outcome *outcome_new(void) {
  return (Outcome *)(void *)map(pages(sizeof(Outcome)), MAP_SHARED);
}

void outcome_free(Outcome *outcome) { munmap(outcome, pages(sizeof *outcome)); }

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

static void tell_crash(int number, siginfo_t *info, void *context) {
  (void)context;
  if (!machine.outcome)
    _exit(1);
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

bool child_run(void (*work)(void *), void *data, double seconds) {
  int status = 0;
  fflush(NULL);
  pid_t child = fork();
  if (child < 0)
    return false;
  if (!child) {
    catch_signals();
    set_limits(seconds);
    work(data);
    _exit(0);
  }
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return false;
  return WIFEXITED(status) && !WEXITSTATUS(status);
}

typedef struct Work {
  const Run *run;
  Outcome *outcome;
} Work;

static void refuse(Outcome *outcome, IncidentKind kind, const char *reason) {
  Incident *incident = &outcome->incidents[outcome->count++];
  *incident = (Incident){.kind = kind, .times = 1};
  snprintf(incident->text, sizeof incident->text, "%s", reason);
}

// Memory that the parent has filled becomes this process's in one go, which is
// cheaper than a fault a page.
static void populate(const Run *run) {
  for (size_t i = 0; i < run->buffers.count; i++) {
    const Buffer *buffer = &run->buffers.at[i];
    if (buffer->bytes <= MOST_POPULATED)
      madvise(buffer->at - lead(buffer->bytes), pages(buffer->bytes),
              MADV_POPULATE_WRITE);
  }
}

static void compile_and_run(void *data) {
  Work *work = data;
  Task task = {0};
  Image image = {0};
  const char *reason = NULL;
  machine.outcome = NULL;
  populate(work->run);
  if (image_make(&task, work->run, &image, &reason))
    machine_execute(work->run, &image, work->outcome);
  else
    refuse(work->outcome, INCIDENT_REFUSED, reason);
}

void run_in_child(const Run *run, Outcome *outcome) {
  Work work = {run, outcome};
  *outcome = (Outcome){0};
  if (!child_run(compile_and_run, &work, run->max_seconds) && !outcome->count)
    refuse(outcome, INCIDENT_CRASH, "the process that executed it has died");
}
