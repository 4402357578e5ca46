// An interrupted proof says what it has no verdict on.
//
// What it has is printed when it is known.  The sentence about the rest is
// ready at any time, so that the handler only writes it, and then the signal
// does what it does without us.  While a report is printed, signals wait.

#define _XOPEN_SOURCE 700

#include "plugin/plugin.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

enum { MOST_TEXT = 4096 };

// The handler sees one of them while the other is written.
static char texts[2][MOST_TEXT];
static const char *volatile current;

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
enum { SIGNALS = sizeof signals / sizeof *signals };

// Only what a signal handler may call.
static void tell(int number) {
  const char *text = current;
  if (text) {
    ssize_t written = write(STDERR_FILENO, text, strlen(text));
    (void)written;
  }
  raise(number); // it is blocked until we return, and has its default
}

// What is ignored, as with nohup, stays so.
void interrupt_catch(void) {
  struct sigaction before,
      action = {.sa_handler = tell, .sa_flags = (int)SA_RESETHAND};
  sigemptyset(&action.sa_mask);
  for (unsigned i = 0; i < SIGNALS; i++)
    if (!sigaction(signals[i], NULL, &before) && before.sa_handler != SIG_IGN)
      sigaction(signals[i], &action, NULL);
}

void interrupt_hold(bool holds) {
  sigset_t set;
  sigemptyset(&set);
  for (unsigned i = 0; i < SIGNALS; i++)
    sigaddset(&set, signals[i]);
  sigprocmask(holds ? SIG_BLOCK : SIG_UNBLOCK, &set, NULL);
}

void interrupt_forget(void) { current = NULL; }

void interrupt_says(const char *file, const char *kernels, size_t files) {
  char *text = texts[current == texts[0]];
  char others[48] = "";
  if (files)
    snprintf(others, sizeof others, ", and on %zu more file%s", files,
             files == 1 ? "" : "s");
  int length =
      snprintf(text, MOST_TEXT,
               "gpuverify: interrupted: there is no verdict on %s of %s%s\n",
               kernels, file, others);
  if (length >= MOST_TEXT)
    text[MOST_TEXT - 2] = '\n';
  current = text;
}
