// Crashes of the program, and loops that nobody can stop.
//
// A signal that the program's code raises ends the run: the handler, on a stack
// of its own, writes down what happened and goes to the controller as any end
// of a run does.  A timer sees that a thread goes on for seconds without
// anything that others can see; it ends the search.

#define _GNU_SOURCE

#include "runtime/threads/world.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

enum { PAGE_BYTES = 4096, MOST_SECONDS = 10 };

static bool is_guard(uint64_t at) {
  return is_of_stack(at) && at - stack_at(stack_owner(at)) < PAGE_BYTES;
}

static const char *reason_of(int number) {
  return number == SIGFPE   ? "divides by zero, or overflows in a division"
         : number == SIGILL ? "executes what must never be reached"
                            : "accesses memory that is not there";
}

static void crash(int number, siginfo_t *info, void *context) {
  (void)context;
  if (!world.is_in_program)
    _exit(128 + number);
  uint64_t at = (uint64_t)(uintptr_t)info->si_addr;
  if (number == SIGSEGV && is_guard(at))
    world_fail(MISHAP_STACK, "the stack is used up");
  if (number == SIGSEGV && at < PAGE_BYTES && info->si_code > 0)
    world_fail(MISHAP_CRASH, "accesses address %p: a null pointer",
               info->si_addr);
  world_fail(MISHAP_CRASH, "%s", reason_of(number));
}

static void tick(int number) {
  static uint64_t last_number, last_steps;
  static unsigned times;
  (void)number;
  bool is_same = world.is_in_program && world.number == last_number &&
                 world.steps == last_steps;
  times = is_same ? times + 1 : 0;
  last_number = world.number;
  last_steps = world.steps;
  if (times < MOST_SECONDS)
    return;
  times = 0;
  world_fail(MISHAP_REFUSED,
             "a thread goes on for %d s without an access that others can see",
             MOST_SECONDS);
}

void crash_catch(void) {
  static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
  static char stack[1 << 16];
  stack_t alternative = {.ss_sp = stack, .ss_size = sizeof stack};
  struct sigaction action = {.sa_sigaction = crash,
                             .sa_flags = SA_ONSTACK | SA_SIGINFO | SA_NODEFER};
  struct itimerval every = {{1, 0}, {1, 0}};
  sigemptyset(&action.sa_mask);
  sigaltstack(&alternative, NULL);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    sigaction(numbers[i], &action, NULL);
  signal(SIGABRT, SIG_DFL);
  action.sa_flags = SA_ONSTACK | SA_NODEFER | SA_RESTART;
  action.sa_handler = tick;
  sigaction(SIGVTALRM, &action, NULL);
  setitimer(ITIMER_VIRTUAL, &every, NULL);
}
