// The environment, which is in the program's memory and begins as the user's.
//
// What setenv makes is memory that nobody frees, as with the C library; it is
// no leak.  Whoever reads while somebody writes races.

#define _GNU_SOURCE

#include "runtime/threads/world.h"

#include <errno.h>
#include <string.h>

static char ***words(void) {
  return (char ***)(uintptr_t)posix_variable("environ");
}

static int fail_with(int error) {
  *(int *)(void *)world.tls = error;
  return -1;
}

// With the NULL behind them.
static size_t count_words(void) {
  world_touch(words(), sizeof *words(), false);
  char **all = *words();
  size_t count = 0;
  if (!all)
    return 0;
  while (all[count++])
    ;
  world_touch(all, count * sizeof *all, false);
  return count;
}

// Of the user's, and so not of what another thread has put there.
static bool is_given(const char *word) {
  uint64_t own = world.question->image->globals_end;
  return (uint64_t)(uintptr_t)word - GLOBALS_AT - own < GLOBALS_BYTES - own;
}

static bool is_called(const char *word, const char *name, size_t length) {
  size_t same = 0;
  while (same < length && word[same] == name[same])
    same++;
  if (!is_given(word))
    world_touch(word, same + 1, false);
  return same == length && word[length] == '=';
}

// NULL: there is none.
static char **find(const char *name, size_t length) {
  count_words();
  char **each = *words();
  while (each && *each && !is_called(*each, name, length))
    each++;
  return each && *each ? each : NULL;
}

char *posix_getenv(const char *name) {
  size_t length = strlen(name);
  world_touch(name, length + 1, false);
  char **found = find(name, length);
  return found ? *found + length + 1 : NULL;
}

static void set(char **at, char *word) {
  world_touch(at, sizeof *at, true);
  *at = word;
}

// A larger array, which has room for one more.
static bool append(char *word) {
  size_t count = count_words();
  size_t kept = count ? count - 1 : 0;
  char **larger =
      block_take((kept + 2) * sizeof *larger, GRANULE, BLOCK_MAPPED);
  if (!larger)
    return false;
  world_touch(larger, (kept + 2) * sizeof *larger, true);
  if (kept)
    memcpy(larger, *words(), kept * sizeof *larger);
  larger[kept] = word;
  larger[kept + 1] = NULL;
  world_touch(words(), sizeof *words(), true);
  *words() = larger;
  return true;
}

static int put(char *word, size_t length) {
  char **found = find(word, length);
  if (found)
    set(found, word);
  else if (!append(word))
    return fail_with(ENOMEM);
  return 0;
}

static bool is_name(const char *name) {
  if (name)
    world_touch(name, strlen(name) + 1, false);
  return name && *name && !strchr(name, '=');
}

static int posix_setenv(const char *name, const char *value, int replaces) {
  if (!is_name(name))
    return fail_with(EINVAL);
  size_t length = strlen(name), bytes = length + strlen(value) + 2;
  world_touch(value, strlen(value) + 1, false);
  if (find(name, length) && !replaces)
    return 0;
  char *word = block_take(bytes, GRANULE, BLOCK_MAPPED);
  if (!word)
    return fail_with(ENOMEM);
  world_touch(word, bytes, true);
  snprintf(word, bytes, "%s=%s", name, value);
  return put(word, length);
}

static int posix_unsetenv(const char *name) {
  if (!is_name(name))
    return fail_with(EINVAL);
  for (char **at; (at = find(name, strlen(name)));)
    do
      set(at, at[1]);
    while (*at++);
  return 0;
}

// The string becomes a part of the environment.
static int posix_putenv(char *word) {
  world_touch(word, strlen(word) + 1, false);
  const char *end = strchr(word, '=');
  return end ? put(word, (size_t)(end - word)) : posix_unsetenv(word);
}

static int posix_clearenv(void) {
  world_touch(words(), sizeof *words(), true);
  *words() = NULL;
  return 0;
}

const PosixCall environment_calls[] = {
    POSIX_CALL(getenv),   {"secure_getenv", (void *)(uintptr_t)posix_getenv, 0},
    POSIX_CALL(setenv),   POSIX_CALL(unsetenv),
    POSIX_LEAVER(putenv), POSIX_CALL(clearenv),
    {NULL, NULL, 0}};
