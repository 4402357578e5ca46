// Crashes of the program, and loops that nobody can stop.
//
// A signal that the program's code raises ends the run: the handler, on a stack
// of its own, writes down what happened and goes to the controller as any end
// of a run does.  A timer sees that a thread goes on for seconds without
// anything that others can see; it ends the search.  It also ends a run that is
// long when there is no time left.

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

// Seconds of the run, and of its last step.
static struct {
  uint64_t number, steps;
  unsigned of_run, of_step;
} seen;

static void look_at_run(void) {
  bool is_same_run = world.is_in_program && world.number == seen.number &&
                     world.steps >= seen.steps;
  bool is_same_step = is_same_run && world.steps == seen.steps;
  seen.of_run = is_same_run ? seen.of_run + 1 : 0;
  seen.of_step = is_same_step ? seen.of_step + 1 : 0;
  seen.number = world.number;
  seen.steps = world.steps;
}

static _Noreturn void end_run(Mishap mishap) {
  unsigned of_step = seen.of_step;
  seen.of_run = seen.of_step = 0;
  if (of_step >= MOST_SECONDS || (of_step && of_step >= world.patience))
    world_fail(mishap,
               "a thread goes on for %u s without an access that others can "
               "see",
               of_step);
  world_fail(mishap,
             "no schedule comes to its end within %g s: the program is "
             "endless, or far too long",
             world.seconds);
}

static void tick(int number) {
  (void)number;
  world.ticks++;
  look_at_run();
  if (!world.is_in_program)
    return;
  if (seen.of_step >= MOST_SECONDS)
    end_run(MISHAP_REFUSED);
  if (world.deadline <= 0 || seen.of_run < world.patience ||
      clock_seconds() < world.deadline ||
      (world.is_for_flaw && !world.flaw.mishap))
    return;
  world.is_late = true;
  end_run(MISHAP_LIMIT);
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
