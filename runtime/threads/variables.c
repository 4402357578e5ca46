// Variables of the library, the arguments and the environment.
//
// Those of C++'s library are never looked at: a program only has their address.
// They lie around the program's own, and are put back with them after a run.  A
// name with brackets is what a function keeps for itself; posix_options.c has
// its variables from optarg on as a struct.

#define _GNU_SOURCE

#include "runtime/threads/world.h"

#include <string.h>
#include <unistd.h>

enum { ARGUMENTS_AT = 64 };

static const struct {
  const char *name;
  unsigned at;
} variables[] = {{"stdin", 0},
                 {"stdout", 8},
                 {"stderr", 16},
                 {"environ", 24},
                 {"optarg", 32},
                 {"optind", 40},
                 {"opterr", 44},
                 {"optopt", 48},
                 {"strtok()", 80},
                 {"__dso_handle", 96},
                 {"__libc_single_threaded", 104},
                 {"_ZSt7nothrow", 112},
                 {"_ZTVN10__cxxabiv117__class_type_infoE", 320},
                 {"_ZTVN10__cxxabiv120__si_class_type_infoE", 384},
                 {"_ZTVN10__cxxabiv121__vmi_class_type_infoE", 448},
                 {"_ZTVN10__cxxabiv116__enum_type_infoE", 256},
                 {"_ZTVN10__cxxabiv117__array_type_infoE", 256},
                 {"_ZTVN10__cxxabiv119__pointer_type_infoE", 256},
                 {"_ZTVN10__cxxabiv120__function_type_infoE", 256},
                 {"_ZTVN10__cxxabiv129__pointer_to_member_type_infoE", 256},
                 {"_ZTINSt6thread6_StateE", 256},
                 {"_ZTVNSt6thread6_StateE", 256},
                 {"_ZTINSt13__future_base12_Result_baseE", 256},
                 {"_ZTISt12future_error", 256},
                 {"_ZTVSt12future_error", 256},
                 {"gmtime()", 128},
                 {"asctime()", 192},
                 {"hsearch()", 224}};

uint64_t posix_variable(const char *name) {
  for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
    if (!strcmp(variables[i].name, name))
      return GLOBALS_AT + variables[i].at;
  return 0;
}

char **posix_arguments(void) {
  return *(char ***)(uintptr_t)(GLOBALS_AT + ARGUMENTS_AT - 8);
}

static char *copy(char **to, const char *text) {
  char *at = *to;
  strcpy(at, text);
  *to += strlen(text) + 1;
  return at;
}

static uint64_t bytes_of(char *const *words, uint64_t *count) {
  uint64_t bytes = 0;
  for (; *words; words++, ++*count)
    bytes += strlen(*words) + 1;
  return bytes;
}

static char **copy_all(char *const *words, char **to, char **text) {
  for (; *words; words++)
    *to++ = copy(text, *words);
  *to++ = NULL;
  return to;
}

static void set_variables(char *base, char **arguments, char **environment) {
  for (unsigned i = 0; i < 3; i++)
    ((uint64_t *)(void *)base)[i] = GLOBALS_AT + STREAMS_AT + i;
  *(int *)(void *)(base + 40) = *(int *)(void *)(base + 44) = 1;
  *(int *)(void *)(base + 48) = '?';
  *(int *)(void *)(base + 72) = *(int *)(void *)(base + 76) = 1;
  *(char ***)(void *)(base + ARGUMENTS_AT - 8) = arguments;
  *(char ***)(void *)(base + 24) = environment;
}

// Behind the program's variables.
bool posix_variables_set(const ThreadsQuestion *question) {
  char *base = (char *)(uintptr_t)GLOBALS_AT;
  uint64_t at = (world.globals_bytes + 63) / 64 * 64, count = 2;
  uint64_t bytes = bytes_of(question->argv, &count) + bytes_of(environ, &count);
  uint64_t end = at + count * sizeof(char *) + bytes;
  if (end > GLOBALS_BYTES)
    return false;
  char **arguments = (char **)(void *)(base + at);
  char *text = (char *)(arguments + count);
  char **environment = copy_all(question->argv, arguments, &text);
  copy_all(environ, environment, &text);
  set_variables(base, arguments, environment);
  world.globals_bytes = end;
  return true;
}
