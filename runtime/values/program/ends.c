// How a program ends: what the run comes to is told then, and after a race the
// status is another one.
//
// We come after everybody's handlers and destructors, but for those of
// libraries.  Where a program has no handler of its own for a signal that ends
// it, we have one.

#define _GNU_SOURCE

#include "runtime/values/program/program.h"
#include "runtime/values/program/runtime.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

enum { FIRST = 101 }; // of all constructors, and the last of all destructors

static int status_asked;
static pid_t process;

static int status_after(int status) {
  if (getpid() != process || settings_get()->is_off)
    return status;
  bool has_raced = reports_conclude();
  return has_raced && !status ? settings_get()->exit_code : status;
}

static void note_status(int status, void *data) {
  (void)data;
  status_asked = status;
}

static void end_quickly(void) {
  int status = status_after(0);
  if (status)
    _exit(status);
}

static void end_by_signal(int number) {
  status_after(0);
  signal(number, SIG_DFL);
  raise(number);
}

static void hear(int number) {
  struct sigaction before;
  if (!sigaction(number, NULL, &before) && before.sa_handler == SIG_DFL)
    sigaction(number,
              &(struct sigaction){.sa_handler = end_by_signal,
                                  .sa_flags = SA_NODEFER},
              NULL);
}

__attribute__((constructor(FIRST))) static void begin(void) {
  static const int signals[] = {SIGHUP, SIGINT, SIGILL,  SIGABRT,
                                SIGBUS, SIGFPE, SIGSEGV, SIGTERM};
  process = getpid();
  if (settings_get()->is_off)
    return;
  on_exit(note_status, NULL);
  at_quick_exit(end_quickly);
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
    hear(signals[i]);
}

__attribute__((destructor(FIRST))) static void end(void) {
  int status = status_after(status_asked);
  if (status != status_asked) {
    fflush(NULL);
    _exit(status);
  }
}

// A program's own call of _exit.
void __gpuverify_values_exit(int status) { _exit(status_after(status)); }
