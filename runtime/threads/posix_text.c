// Strings, characters and numbers in text.
//
// What is read and written of the program's memory is told as one access each,
// and the function itself is not stopped.

#define _GNU_SOURCE

#include "runtime/threads/world.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static char *token; // of strtok

void text_reset(void) { token = NULL; }

static void reads(const char *text) {
  world_touch(text, strlen(text) + 1, false);
}

static void reads_most(const char *text, size_t most) {
  size_t length = strnlen(text, most);
  world_touch(text, length < most ? length + 1 : most, false);
}

static size_t posix_strlen(const char *text) {
  reads(text);
  return strlen(text);
}
static size_t posix_strnlen(const char *text, size_t most) {
  reads_most(text, most);
  return strnlen(text, most);
}
static char *posix_strcpy(char *to, const char *from) {
  reads(from);
  world_touch(to, strlen(from) + 1, true);
  return strcpy(to, from);
}
static char *posix_strncpy(char *to, const char *from, size_t most) {
  reads_most(from, most);
  world_touch(to, most, true);
  return strncpy(to, from, most);
}
static char *posix_strcat(char *to, const char *from) {
  reads(from);
  reads(to);
  world_touch(to + strlen(to), strlen(from) + 1, true);
  return strcat(to, from);
}
static char *posix_strncat(char *to, const char *from, size_t most) {
  reads_most(from, most);
  reads(to);
  world_touch(to + strlen(to), strnlen(from, most) + 1, true);
  return strncat(to, from, most);
}
static int posix_strcmp(const char *a, const char *b) {
  reads(a);
  reads(b);
  return strcmp(a, b);
}
static int posix_strncmp(const char *a, const char *b, size_t most) {
  size_t same = 0;
  while (same < most && a[same] && a[same] == b[same])
    same++;
  reads_most(a, same + 1 < most ? same + 1 : most);
  reads_most(b, same + 1 < most ? same + 1 : most);
  return strncmp(a, b, most);
}
static int posix_strcasecmp(const char *a, const char *b) {
  reads(a);
  reads(b);
  return strcasecmp(a, b);
}
static char *posix_strchr(const char *text, int value) {
  reads(text);
  return strchr(text, value);
}
static char *posix_strrchr(const char *text, int value) {
  reads(text);
  return strrchr(text, value);
}
static char *posix_strstr(const char *text, const char *part) {
  reads(text);
  reads(part);
  return strstr(text, part);
}
static size_t posix_strspn(const char *text, const char *set) {
  reads(text);
  reads(set);
  return strspn(text, set);
}
static size_t posix_strcspn(const char *text, const char *set) {
  reads(text);
  reads(set);
  return strcspn(text, set);
}
static char *posix_strdup(const char *text) {
  reads(text);
  size_t bytes = strlen(text) + 1;
  char *copy = block_take(bytes, GRANULE, BLOCK_TAKEN);
  return copy ? memcpy(copy, text, bytes) : NULL;
}
static char *posix_strtok_r(char *text, const char *set, char **kept) {
  reads(set);
  if (text ? text : *kept) {
    const char *all = text ? text : *kept;
    world_touch(all, strlen(all) + 1, true);
  }
  return strtok_r(text, set, kept);
}
static char *posix_strtok(char *text, const char *set) {
  return posix_strtok_r(text, set, &token);
}
static char *posix_strerror(int error) { return strerror(error); }

static int posix_atoi(const char *text) {
  reads(text);
  return atoi(text);
}
static long posix_atol(const char *text) {
  reads(text);
  return atol(text);
}
static double posix_atof(const char *text) {
  reads(text);
  return atof(text);
}
static void keep_end(char **end, char *at) {
  if (!end)
    return;
  world_touch(end, sizeof *end, true);
  *end = at;
}
static long posix_strtol(const char *text, char **end, int base) {
  char *at;
  reads(text);
  long value = strtol(text, &at, base);
  keep_end(end, at);
  return value;
}
static unsigned long posix_strtoul(const char *text, char **end, int base) {
  char *at;
  reads(text);
  unsigned long value = strtoul(text, &at, base);
  keep_end(end, at);
  return value;
}
static double posix_strtod(const char *text, char **end) {
  char *at;
  reads(text);
  double value = strtod(text, &at);
  keep_end(end, at);
  return value;
}

const PosixCall text_calls[] = {
    POSIX_CALL(strlen),
    POSIX_CALL(strnlen),
    POSIX_CALL(strcpy),
    POSIX_CALL(strncpy),
    POSIX_CALL(strcat),
    POSIX_CALL(strncat),
    POSIX_CALL(strcmp),
    POSIX_CALL(strncmp),
    POSIX_CALL(strcasecmp),
    POSIX_CALL(strchr),
    POSIX_CALL(strrchr),
    POSIX_CALL(strstr),
    POSIX_CALL(strspn),
    POSIX_CALL(strcspn),
    POSIX_CALL(strdup),
    POSIX_LEAVER(strtok_r),
    POSIX_LEAVER(strtok),
    POSIX_CALL(strerror),
    POSIX_CALL(atoi),
    POSIX_CALL(atol),
    {"atoll", (void *)(uintptr_t)posix_atol, 0},
    POSIX_CALL(atof),
    POSIX_LEAVER(strtol),
    {"strtoll", (void *)(uintptr_t)posix_strtol, CAPTURES | LEAVES},
    {"__isoc23_strtol", (void *)(uintptr_t)posix_strtol, CAPTURES | LEAVES},
    {"__isoc23_strtoul", (void *)(uintptr_t)posix_strtoul, CAPTURES | LEAVES},
    POSIX_LEAVER(strtoul),
    {"strtoull", (void *)(uintptr_t)posix_strtoul, CAPTURES | LEAVES},
    POSIX_LEAVER(strtod),
    PLAIN_CALL(__ctype_b_loc),
    PLAIN_CALL(__ctype_tolower_loc),
    PLAIN_CALL(__ctype_toupper_loc),
    PLAIN_CALL(toupper),
    PLAIN_CALL(tolower),
    PLAIN_CALL(isalpha),
    PLAIN_CALL(isdigit),
    PLAIN_CALL(isalnum),
    PLAIN_CALL(isspace),
    PLAIN_CALL(isupper),
    PLAIN_CALL(islower),
    PLAIN_CALL(isprint),
    PLAIN_CALL(ispunct),
    PLAIN_CALL(isxdigit),
    {NULL, NULL, 0}};
