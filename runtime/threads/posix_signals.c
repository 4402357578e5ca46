// Signals, of which none is ever sent.
//
// Whoever could send one is refused (ir_refuse.c), and nobody presses Ctrl-C.
// So masks and handlers are only kept, for the program may ask for them.

#define _GNU_SOURCE

#include "runtime/threads/world.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

enum { MOST_SIGNALS = 64 };

static struct sigaction actions[MOST_SIGNALS + 1];
static bool is_changed;

void signals_reset(void) {
  if (is_changed)
    memset(actions, 0, sizeof actions);
  is_changed = false;
}

static int fails(int error) {
  *(int *)(void *)world.tls = error;
  return -1;
}

static bool is_signal(int number) {
  return number > 0 && number <= MOST_SIGNALS;
}

// -------------------------------------------------------------------- sets ---

// One bit for each signal, of which the first word has all.
static int fill(uint64_t *set, uint64_t word) {
  world_touch(set, sizeof(sigset_t), true);
  memset(set, 0, sizeof(sigset_t));
  *set = word;
  return 0;
}

static int posix_sigemptyset(uint64_t *set) { return fill(set, 0); }
static int posix_sigfillset(uint64_t *set) { return fill(set, UINT64_MAX); }

static uint64_t bit(int number) { return UINT64_C(1) << (number - 1); }

static int posix_sigaddset(uint64_t *set, int number) {
  if (!is_signal(number))
    return fails(EINVAL);
  world_touch(set, sizeof *set, true);
  *set |= bit(number);
  return 0;
}

static int posix_sigdelset(uint64_t *set, int number) {
  if (!is_signal(number))
    return fails(EINVAL);
  world_touch(set, sizeof *set, true);
  *set &= ~bit(number);
  return 0;
}

static int posix_sigismember(const uint64_t *set, int number) {
  if (!is_signal(number))
    return fails(EINVAL);
  world_touch(set, sizeof *set, false);
  return (*set & bit(number)) != 0;
}

// ------------------------------------------------------------------- masks ---

static int posix_pthread_sigmask(int how, const uint64_t *set,
                                 uint64_t *before) {
  uint64_t mask = world.self->mask, word = 0;
  if (set && how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK)
    return EINVAL;
  if (set) {
    world_touch(set, sizeof *set, false);
    word = *set & ~(bit(SIGKILL) | bit(SIGSTOP));
    world.hidden++;
    world.self->mask = how == SIG_BLOCK     ? mask | word
                       : how == SIG_UNBLOCK ? mask & ~word
                                            : word;
  }
  return before ? fill(before, mask) : 0;
}

static int posix_sigprocmask(int how, const uint64_t *set, uint64_t *before) {
  int error = posix_pthread_sigmask(how, set, before);
  return error ? fails(error) : 0;
}

// ---------------------------------------------------------------- handlers ---

static int posix_sigaction(int number, const struct sigaction *action,
                           struct sigaction *before) {
  bool is_fixed = number == SIGKILL || number == SIGSTOP;
  if (!is_signal(number) || (action && is_fixed))
    return fails(EINVAL);
  struct sigaction kept = actions[number];
  if (action) {
    world_touch(action, sizeof *action, false);
    world.hidden++;
    actions[number] = *action;
    is_changed = true;
  }
  if (before) {
    world_touch(before, sizeof *before, true);
    *before = kept;
  }
  return 0;
}

static sighandler_t posix_signal(int number, sighandler_t handler) {
  struct sigaction action = {.sa_handler = handler}, before;
  return posix_sigaction(number, &action, &before) ? SIG_ERR
                                                   : before.sa_handler;
}

const PosixCall signal_calls[] = {
    POSIX_CALL(sigemptyset),
    POSIX_CALL(sigfillset),
    POSIX_CALL(sigaddset),
    POSIX_CALL(sigdelset),
    POSIX_CALL(sigismember),
    POSIX_CALL(pthread_sigmask),
    POSIX_CALL(sigprocmask),
    POSIX_CALL(sigaction),
    POSIX_CALL(signal),
    PURE_CALL(__libc_current_sigrtmin),
    PURE_CALL(__libc_current_sigrtmax),
    {"__sysv_signal", (void *)(uintptr_t)posix_signal, 0},
    {NULL, NULL, 0}};
