// Time, which passes only when somebody asks for it or sleeps.

#define _GNU_SOURCE

#include "runtime/threads/world.h"

#include <sys/time.h>
#include <time.h>

enum { NANO = 1000000000 };

static uint64_t now(void) {
  world.hidden++;
  return world.now += 1000;
}

static long posix_time(long *to) {
  long seconds = (long)(now() / NANO);
  if (to) {
    world_touch(to, sizeof *to, true);
    *to = seconds;
  }
  return seconds;
}

static int posix_clock_gettime(int clock, struct timespec *to) {
  uint64_t value = now();
  (void)clock;
  world_touch(to, sizeof *to, true);
  *to = (struct timespec){(time_t)(value / NANO), (long)(value % NANO)};
  return 0;
}

static int posix_gettimeofday(struct timeval *to, void *zone) {
  uint64_t value = now();
  (void)zone;
  world_touch(to, sizeof *to, true);
  *to = (struct timeval){(time_t)(value / NANO), (long)(value % NANO / 1000)};
  return 0;
}

static long posix_clock(void) { return (long)(now() / 1000); }

static double posix_difftime(long a, long b) { return (double)(a - b); }

static unsigned posix_sleep(unsigned seconds) {
  world_sleep((uint64_t)seconds * NANO);
  return 0;
}

static int posix_usleep(unsigned microseconds) {
  world_sleep((uint64_t)microseconds * 1000);
  return 0;
}

static int posix_nanosleep(const struct timespec *time, void *left) {
  (void)left;
  world_touch(time, sizeof *time, false);
  world_sleep((uint64_t)time->tv_sec * NANO + (uint64_t)time->tv_nsec);
  return 0;
}

const PosixCall time_calls[] = {
    POSIX_CALL(time),   POSIX_CALL(clock_gettime), POSIX_CALL(gettimeofday),
    POSIX_CALL(clock),  POSIX_CALL(difftime),      POSIX_CALL(sleep),
    POSIX_CALL(usleep), POSIX_CALL(nanosleep),     {NULL, NULL, 0}};
