// The end of the program, assertions, random numbers.

#define _GNU_SOURCE

#include "runtime/threads/world.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_AT_EXIT = 1 << 16, PAGE_BYTES = 4096 };

// By atexit, by __cxa_atexit of C++, or by on_exit.
typedef struct ExitHandler {
  void (*plain)(void);
  void (*destroy)(void *);
  void (*asks)(int, void *);
  void *argument;
} ExitHandler;

static ExitHandler at_exit[MOST_AT_EXIT];
static unsigned at_exit_count;
static uint64_t random_state, device_state;

void process_reset(void) {
  device_state = 2;
  at_exit_count = 0;
  random_state = 1;
}

static void run_handler(const ExitHandler *handler, int status) {
  if (handler->plain)
    handler->plain();
  else if (handler->destroy)
    handler->destroy(handler->argument);
  else
    handler->asks(status, handler->argument);
}

_Noreturn void posix_exit(int status) {
  world.caller = 0;
  locals_end_thread();
  while (at_exit_count) {
    posix_meet_before_call();
    ExitHandler last = at_exit[--at_exit_count];
    run_handler(&last, status);
    threads_meet(); // the others may come as far as they like
  }
  world.is_over = true;
  world.end.status = status & 255;
  world_end();
}

static _Noreturn void posix_exit_by_thread(int status) {
  world_step(NULL, 0, true);
  world.end.site = world_place();
  world.end.thread = world.self->index;
  posix_exit(status);
}

static _Noreturn void posix__exit(int status) {
  world_step(NULL, 0, true);
  world.end.site = world_place();
  world.end.thread = world.self->index;
  world.end.status = status & 255;
  world_end();
}

static int add_handler(ExitHandler handler) {
  if (at_exit_count == MOST_AT_EXIT)
    world_fail(MISHAP_REFUSED, "more than %d functions for the end",
               MOST_AT_EXIT);
  world.hidden++;
  at_exit[at_exit_count++] = handler;
  return 0;
}

static int posix_atexit(void (*body)(void)) {
  return add_handler((ExitHandler){.plain = body});
}

static int posix___cxa_atexit(void (*body)(void *), void *argument,
                              const void *library) {
  (void)library;
  return add_handler((ExitHandler){.destroy = body, .argument = argument});
}

static int posix_on_exit(void (*body)(int, void *), void *argument) {
  return add_handler((ExitHandler){.asks = body, .argument = argument});
}

static _Noreturn void posix_abort(void) {
  world_fail(MISHAP_ABORT, "abort is called");
}

static _Noreturn void posix___assert_fail(const char *what, const char *file,
                                          unsigned line, const char *function) {
  (void)file;
  (void)line;
  (void)function;
  world_fail(MISHAP_ASSERTION, "assertion '%s' fails", what);
}

static int *posix___errno_location(void) { return (int *)(void *)world.tls; }

// ------------------------------------------------------------------ random ---

static int next_random(uint64_t *state) {
  world.hidden++;
  *state =
      *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (int)(*state >> 33);
}

static int posix_rand(void) { return next_random(&random_state); }

static void posix_srand(unsigned seed) {
  world.hidden++;
  random_state = seed;
}

static long posix_random(void) { return posix_rand(); }

static int posix_rand_r(unsigned *seed) {
  world_touch(seed, sizeof *seed, true);
  uint64_t state = *seed;
  int value = next_random(&state);
  *seed = (unsigned)(state >> 16);
  return value;
}

static long posix_mrand48(void) { return (int)((uint32_t)posix_rand() << 1); }

static double posix_drand48(void) { return posix_rand() / 2147483648.0; }

// Of std::random_device: the same ones in each schedule.
static unsigned draw_from_device(void *device) {
  (void)device;
  return (unsigned)next_random(&device_state) << 1 ^
         (unsigned)next_random(&device_state);
}

static void nothing(void *device) { (void)device; }

// ------------------------------------------------------------------- other ---

static int posix_getpid(void) { return PROCESS; }
static int posix_getppid(void) { return PROCESS - 1; }
static int posix_getpagesize(void) { return PAGE_BYTES; }
static int posix_get_nprocs(void) { return (int)world.question->processors; }

// There is C's alone, and what the user has is taken for it.
static const char *posix_setlocale(int category, const char *name) {
  (void)category;
  if (!name)
    return "C";
  world_touch(name, strlen(name) + 1, false);
  return !*name || !strcmp(name, "C") || !strcmp(name, "POSIX") ? "C" : NULL;
}

static long posix_sysconf(int name) {
  if (name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF)
    return world.question->processors;
  if (name != _SC_PAGESIZE)
    world_fail(MISHAP_REFUSED, "sysconf(%d) is not executed", name);
  return PAGE_BYTES;
}

// What err and its like print goes to stderr, where nobody sees it.
static void look_at_text(const char *format, va_list arguments) {
  file_wait_for_errors();
  if (format)
    format_touch_output(format, arguments);
}

static void posix_warn(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  look_at_text(format, arguments);
  va_end(arguments);
}

static _Noreturn void posix_err(int status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  look_at_text(format, arguments);
  va_end(arguments);
  posix_exit_by_thread(status);
}

static _Noreturn void posix_verr(int status, const char *format,
                                 va_list arguments) {
  look_at_text(format, arguments);
  posix_exit_by_thread(status);
}

const PosixCall process_calls[] = {
    POSIX_CALL(warn),
    {"warnx", (void *)(uintptr_t)posix_warn, 0},
    {"vwarn", (void *)(uintptr_t)look_at_text, 0},
    {"vwarnx", (void *)(uintptr_t)look_at_text, 0},
    POSIX_CALL(err),
    {"errx", (void *)(uintptr_t)posix_err, 0},
    POSIX_CALL(verr),
    {"verrx", (void *)(uintptr_t)posix_verr, 0},
    {"exit", (void *)(uintptr_t)posix_exit_by_thread, 0},
    POSIX_CALL(_exit),
    {"_Exit", (void *)(uintptr_t)posix__exit, 0},
    {"quick_exit", (void *)(uintptr_t)posix__exit, 0},
    POSIX_KEEPER(atexit),
    POSIX_LEAVER(__cxa_atexit),
    POSIX_LEAVER(on_exit),
    POSIX_CALL(abort),
    POSIX_CALL(__assert_fail),
    POSIX_APART(__errno_location),
    POSIX_CALL(rand),
    POSIX_CALL(srand),
    POSIX_CALL(random),
    {"srandom", (void *)(uintptr_t)posix_srand, 0},
    {"srand48", (void *)(uintptr_t)posix_srand, 0},
    POSIX_CALL(rand_r),
    POSIX_CALL(drand48),
    {"lrand48", (void *)(uintptr_t)posix_random, 0},
    POSIX_CALL(mrand48),
    {"_ZNSt13random_device7_M_initERKNSt7__cxx1112basic_stringIcSt11char_"
     "traitsIcESaIcEEE",
     (void *)(uintptr_t)nothing, 0},
    {"_ZNSt13random_device7_M_finiEv", (void *)(uintptr_t)nothing, 0},
    {"_ZNSt13random_device9_M_getvalEv", (void *)(uintptr_t)draw_from_device,
     0},
    POSIX_CALL(getpid),
    POSIX_CALL(getppid),
    {"getuid", (void *)(uintptr_t)posix_getpid, APART},
    {"geteuid", (void *)(uintptr_t)posix_getpid, APART},
    {"getgid", (void *)(uintptr_t)posix_getpid, APART},
    {"getegid", (void *)(uintptr_t)posix_getpid, APART},
    POSIX_CALL(getpagesize),
    POSIX_CALL(get_nprocs),
    {"_ZNSt6thread20hardware_concurrencyEv",
     (void *)(uintptr_t)posix_get_nprocs, 0},
    {"get_nprocs_conf", (void *)(uintptr_t)posix_get_nprocs, 0},
    POSIX_CALL(setlocale),
    POSIX_CALL(sysconf),
    {NULL, NULL, 0}};
