// Variables of the library, the arguments and the environment.
//
// They lie around the program's own, and are put back with them after a run.  A
// name with brackets is what a function keeps for itself; posix_options.c has
// its variables from optarg on as a struct.

#define _GNU_SOURCE

#include "runtime/threads/world.h"

#include <assert.h>
#include <string.h>
#include <unistd.h>

enum { ARGUMENTS_AT = 64 };

static const struct {
  const char *name;
  unsigned at;
} variables[] = {{"stdin", 0},    {"stdout", 8},  {"stderr", 16},
                 {"environ", 24}, {"optarg", 32}, {"optind", 40},
                 {"opterr", 44},  {"optopt", 48}, {"strtok()", 80}};

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

// Behind the program's variables.
void posix_variables_set(const ThreadsQuestion *question) {
  char *base = (char *)(uintptr_t)GLOBALS_AT;
  uint64_t count = (uint64_t)question->argc + 1;
  for (char **each = environ; *each; each++)
    count++;
  char **pointers =
      (char **)(void *)(base + (world.globals_bytes + 63) / 64 * 64);
  char *text = (char *)(pointers + count + 1);
  for (unsigned i = 0; i < 3; i++)
    ((uint64_t *)(void *)base)[i] = GLOBALS_AT + STREAMS_AT + i;
  *(int *)(void *)(base + 40) = *(int *)(void *)(base + 44) = 1;
  *(int *)(void *)(base + 48) = '?';
  *(int *)(void *)(base + 72) = *(int *)(void *)(base + 76) = 1;
  *(char ***)(void *)(base + ARGUMENTS_AT - 8) = pointers;
  for (int i = 0; i < question->argc; i++)
    *pointers++ = copy(&text, question->argv[i]);
  *pointers++ = NULL;
  *(char ***)(void *)(base + 24) = pointers;
  for (char **each = environ; *each; each++)
    *pointers++ = copy(&text, *each);
  *pointers = NULL;
  world.globals_bytes = (uint64_t)(text - base);
  assert(world.globals_bytes <= GLOBALS_BYTES);
}
