// Futexes, by which programs and C++'s library wait for a word to change.
//
// Of the calls of the system by number there is this one alone.

#define _GNU_SOURCE

#include "runtime/threads/world.h"

#include <errno.h>
#include <linux/futex.h>
#include <time.h>

enum { NANO = 1000000000 };

static long fail_with(int error) {
  *(int *)(void *)world.tls = error;
  return -1;
}

static struct timespec from_now(const struct timespec *time) {
  uint64_t until = world.now + (uint64_t)time->tv_nsec;
  return (struct timespec){(time_t)(until / NANO) + time->tv_sec,
                           (long)(until % NANO)};
}

static long wait_for(const uint32_t *word, uint32_t value,
                     const struct timespec *until) {
  world_check(word, sizeof *word);
  if (*word != value)
    return fail_with(EAGAIN);
  int error = posix_wait_until(WAIT_FUTEX, word, until);
  races_acquire(word);
  return error ? fail_with(error) : 0;
}

// Those that have waited longest, as the kernel has it.
static unsigned wake(const uint32_t *word, unsigned most) {
  unsigned woken = 0;
  races_release(word);
  while (woken < most && world_wake_longest(WAIT_FUTEX, word))
    woken++;
  return woken;
}

static long futex(const uint32_t *word, int command, uint32_t value,
                  const struct timespec *time) {
  bool waits = command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET;
  bool wakes = command == FUTEX_WAKE || command == FUTEX_WAKE_BITSET;
  struct timespec until = {0};
  if ((uintptr_t)word % sizeof *word)
    return fail_with(EINVAL);
  if (wakes)
    return wake(word, value);
  if (!waits)
    world_fail(MISHAP_REFUSED, "futex with operation %d is not executed",
               command);
  if (time && !posix_is_deadline(time))
    return fail_with(EINVAL);
  if (time)
    until = command == FUTEX_WAIT ? from_now(time) : *time;
  return wait_for(word, value, time ? &until : NULL);
}

static long posix_syscall(long number, const uint32_t *word, int operation,
                          uint32_t value, const struct timespec *time,
                          const uint32_t *other, uint32_t bits) {
  (void)other;
  int command = operation & FUTEX_CMD_MASK;
  bool has_bits = command == FUTEX_WAIT_BITSET || command == FUTEX_WAKE_BITSET;
  if (number != FUTEX_NUMBER)
    world_fail(MISHAP_REFUSED, "call %ld of the system is not executed",
               number);
  if (has_bits && bits != FUTEX_BITSET_MATCH_ANY)
    world_fail(MISHAP_REFUSED, "futex with some bits is not executed");
  return futex(word, command, value, time);
}

// ------------------------------------------------------------ std::future ---

static void notify_all(const uint32_t *word) {
  wake(word, MOST_PROGRAM_THREADS);
}

// A member of an object, as the other one is not.  False: the time is over.
static bool wait_until(void *object, const uint32_t *word, uint32_t value,
                       bool has_limit, int64_t seconds, int64_t nanoseconds) {
  struct timespec until = {seconds, nanoseconds};
  (void)object;
  return wait_for(word, value, has_limit ? &until : NULL) != -1 ||
         *(int *)(void *)world.tls != ETIMEDOUT;
}

#define FUTURE(name) "_ZNSt28__atomic_futex_unsigned_base" name
#define TIMES                                                                  \
  "EPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EE" \
  "EE"

const PosixCall futex_calls[] = {
    POSIX_CALL(syscall),
    {FUTURE("19_M_futex_notify_allEPj"), (void *)(uintptr_t)notify_all, 0},
    {FUTURE("19_M_futex_wait_until" TIMES), (void *)(uintptr_t)wait_until, 0},
    {FUTURE("26_M_futex_wait_until_steady" TIMES),
     (void *)(uintptr_t)wait_until, 0},
    {NULL, NULL, 0}};
