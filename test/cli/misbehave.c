// Loaded before the C library: the first process in a folder that forbids
// itself core files, as one that proves a kernel does, takes a gigabyte and a
// half or all the time there is, as MISBEHAVE says.  Time runs a hundred times
// as fast meanwhile, so that a test need not wait for a minute.

#define _GNU_SOURCE

#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { GREED = 1536 << 20, HASTE = 100 };

int clock_gettime(clockid_t clock, struct timespec *time) {
  int (*real)(clockid_t, struct timespec *) =
      (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  int result = real(clock, time);
  const char *how = getenv("MISBEHAVE");
  if (clock == CLOCK_MONOTONIC && how && !strcmp(how, "time")) {
    time->tv_sec = time->tv_sec * HASTE + time->tv_nsec / (1000000000 / HASTE);
    time->tv_nsec = time->tv_nsec % (1000000000 / HASTE) * HASTE;
  }
  return result;
}

int setrlimit(__rlimit_resource_t resource, const struct rlimit *limit) {
  int (*real)(__rlimit_resource_t, const struct rlimit *) =
      (int (*)(__rlimit_resource_t, const struct rlimit *))dlsym(RTLD_NEXT,
                                                                 "setrlimit");
  const char *how = getenv("MISBEHAVE");
  if (how && resource == RLIMIT_CORE &&
      open("misbehaved", O_CREAT | O_EXCL | O_WRONLY, 0600) >= 0) {
    volatile char *taken = !strcmp(how, "memory") ? malloc(GREED) : NULL;
    for (size_t i = 0; taken && i < GREED; i += 4096)
      taken[i] = 1;
    for (;;)
      pause();
  }
  return real(resource, limit);
}
