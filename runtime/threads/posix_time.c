// Time, which passes only when somebody asks for it or sleeps.

#define _GNU_SOURCE

#include "runtime/threads/world.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>

enum { NANO = 1000000000 };

static uint64_t now(void) {
  world.hidden++;
  return world.now += 1000;
}

static int64_t cxx_now(void) { return (int64_t)now(); }

static long posix_time(long *to) {
  long seconds = (long)(now() / NANO);
  if (to) {
    world_touch(to, sizeof *to, true);
    *to = seconds;
  }
  return seconds;
}

static int fail_with(int error) {
  *(int *)(void *)world.tls = error;
  return -1;
}

bool posix_is_clock(int clock) {
  struct timespec resolution;
  return !clock_getres(clock, &resolution);
}

static bool is_time(const struct timespec *time) {
  return time->tv_sec >= 0 && time->tv_nsec >= 0 && time->tv_nsec < NANO;
}

// Whether it is past does not matter: a wait may be over at once.
bool posix_is_deadline(const struct timespec *until) {
  world_touch(until, sizeof *until, false);
  return until->tv_nsec >= 0 && until->tv_nsec < NANO;
}

static uint64_t deadline(const struct timespec *until) {
  return until->tv_sec < 0
             ? 0
             : (uint64_t)until->tv_sec * NANO + (uint64_t)until->tv_nsec;
}

// What would last for centuries does not.
static bool is_over_once(const struct timespec *until) {
  return until && until->tv_sec < INT64_MAX / NANO;
}

int posix_wait_until(ThreadWait wait, const void *object,
                     const struct timespec *until) {
  if (!is_over_once(until)) {
    world_wait(wait, object);
    return 0;
  }
  uint64_t end = deadline(until);
  if (world_wait_timed(wait, object))
    return 0;
  if (end > world.now) {
    world.hidden++;
    world.now = end;
  }
  return ETIMEDOUT;
}

static int posix_clock_gettime(int clock, struct timespec *to) {
  if (!posix_is_clock(clock))
    return fail_with(EINVAL);
  uint64_t value = now();
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

// Of the process all time that has passed, and nothing else.
static int posix_getrusage(int whose, struct rusage *to) {
  uint64_t value = now();
  (void)whose;
  world_touch(to, sizeof *to, true);
  *to = (struct rusage){
      .ru_utime = {(time_t)(value / NANO), (long)(value % NANO / 1000)}};
  return 0;
}

static long posix_times(struct tms *to) {
  long ticks = (long)(now() / (NANO / 100));
  if (to) {
    world_touch(to, sizeof *to, true);
    *to = (struct tms){.tms_utime = ticks};
  }
  return ticks;
}

static double posix_difftime(long a, long b) { return (double)(a - b); }

uint64_t posix_nanoseconds(const struct timespec *time) {
  return time->tv_sec >= INT64_MAX / NANO
             ? INT64_MAX
             : (uint64_t)time->tv_sec * NANO + (uint64_t)time->tv_nsec;
}

// Who is cancelled before it goes on was so while it slept.
void posix_sleep_for(uint64_t nanoseconds) {
  posix_cancel_point();
  world_sleep(nanoseconds);
  posix_cancel_point();
}

static unsigned posix_sleep(unsigned seconds) {
  posix_sleep_for((uint64_t)seconds * NANO);
  return 0;
}

static int posix_usleep(unsigned microseconds) {
  posix_sleep_for((uint64_t)microseconds * 1000);
  return 0;
}

static int posix_nanosleep(const struct timespec *time, void *left) {
  (void)left;
  world_touch(time, sizeof *time, false);
  if (!is_time(time))
    return fail_with(EINVAL);
  posix_sleep_for(posix_nanoseconds(time));
  return 0;
}

static int posix_clock_getres(int clock, struct timespec *to) {
  if (!posix_is_clock(clock))
    return fail_with(EINVAL);
  if (!to)
    return 0;
  world_touch(to, sizeof *to, true);
  *to = (struct timespec){0, 1};
  return 0;
}

static int posix_clock_nanosleep(int clock, int flags,
                                 const struct timespec *time, void *left) {
  (void)left;
  world_touch(time, sizeof *time, false);
  if (!posix_is_clock(clock) || !is_time(time))
    return EINVAL;
  uint64_t until = posix_nanoseconds(time);
  if (flags & TIMER_ABSTIME)
    until = until > world.now ? until - world.now : 0;
  posix_sleep_for(until);
  return 0;
}

static int posix_timespec_get(struct timespec *to, int base) {
  if (base != TIME_UTC)
    return 0;
  posix_clock_gettime(CLOCK_REALTIME, to);
  return base;
}

// --------------------------------------------------------------- calendar ---

// Clocks here show the time of Greenwich.
static struct tm *posix_gmtime_r(const time_t *time, struct tm *to) {
  world_touch(time, sizeof *time, false);
  world_touch(to, sizeof *to, true);
  struct tm *date = gmtime_r(time, to);
  if (!date)
    fail_with(EOVERFLOW);
  return date;
}

static struct tm *posix_gmtime(const time_t *time) {
  return posix_gmtime_r(time,
                        (struct tm *)(uintptr_t)posix_variable("gmtime()"));
}

static time_t posix_timegm(struct tm *date) {
  world_touch(date, sizeof *date, true);
  return timegm(date);
}

// Who says that it is summer means an hour before.
static time_t posix_mktime(struct tm *date) {
  enum { HOUR = 3600 };
  bool is_summer = date->tm_isdst > 0;
  time_t time = posix_timegm(date) - (is_summer ? HOUR : 0);
  if (is_summer)
    gmtime_r(&time, date);
  return time;
}

static char *posix_asctime_r(const struct tm *date, char *to) {
  enum { ROOM = 26 };
  world_touch(date, sizeof *date, false);
  world_touch(to, ROOM, true);
  return asctime_r(date, to);
}

static char *posix_asctime(const struct tm *date) {
  return posix_asctime_r(date, (char *)(uintptr_t)posix_variable("asctime()"));
}

static char *posix_ctime_r(const time_t *time, char *to) {
  struct tm date;
  world_touch(time, sizeof *time, false);
  return posix_asctime_r(gmtime_r(time, &date), to);
}

static char *posix_ctime(const time_t *time) {
  return posix_ctime_r(time, (char *)(uintptr_t)posix_variable("asctime()"));
}

// Where there is not room enough, the beginning may be written.
static size_t posix_strftime(char *to, size_t room, const char *format,
                             const struct tm *date) {
  enum { LONGEST = 4096 };
  char text[LONGEST];
  world_touch(format, strlen(format) + 1, false);
  world_touch(date, sizeof *date, false);
  text[0] = 1;
  size_t bytes = strftime(text, sizeof text, format, date);
  if (!bytes && text[0])
    world_fail(MISHAP_REFUSED,
               "strftime with a text of 4,096 bytes or more is not executed");
  bool fits = bytes < room;
  world_touch(to, fits ? bytes + 1 : room, true);
  if (fits)
    memcpy(to, text, bytes + 1);
  return fits ? bytes : 0;
}

const PosixCall time_calls[] = {
    POSIX_CALL(clock_getres),
    {"_ZNSt6chrono3_V212steady_clock3nowEv", (void *)(uintptr_t)cxx_now, 0},
    {"_ZNSt6chrono3_V212system_clock3nowEv", (void *)(uintptr_t)cxx_now, 0},
    POSIX_CALL(clock_nanosleep),
    POSIX_CALL(timespec_get),
    POSIX_CALL(gmtime),
    POSIX_CALL(gmtime_r),
    {"localtime", (void *)(uintptr_t)posix_gmtime, 0},
    {"localtime_r", (void *)(uintptr_t)posix_gmtime_r, 0},
    POSIX_CALL(timegm),
    POSIX_CALL(mktime),
    POSIX_CALL(asctime),
    POSIX_CALL(asctime_r),
    POSIX_CALL(ctime),
    POSIX_CALL(ctime_r),
    POSIX_CALL(strftime),
    POSIX_CALL(time),
    POSIX_CALL(clock_gettime),
    POSIX_CALL(gettimeofday),
    POSIX_CALL(getrusage),
    POSIX_CALL(times),
    POSIX_CALL(clock),
    POSIX_CALL(difftime),
    POSIX_CALL(sleep),
    POSIX_CALL(usleep),
    POSIX_CALL(nanosleep),
    {NULL, NULL, 0}};
