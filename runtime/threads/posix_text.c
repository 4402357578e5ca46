// Strings, characters and numbers in text.
//
// What is read and written of the program's memory is told as one access each,
// and the function itself is not stopped.

#define _GNU_SOURCE

#include "runtime/threads/world.h"

#include <ctype.h>
#include <errno.h>
#include <libgen.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// Up to and with `last`.
static void reads_to(const char *text, const char *last) {
  world_touch(text, (uint64_t)(last - text) + 1, false);
}

static void reads(const char *text) { reads_to(text, text + strlen(text)); }

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
static char *posix_stpncpy(char *to, const char *from, size_t most) {
  posix_strncpy(to, from, most);
  return to + strnlen(from, most);
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

// Of both as far as they are alike, and the first difference or end.
static void reads_alike(const char *a, const char *b, size_t most,
                        int (*fold)(int)) {
  size_t same = 0;
  while (same < most && a[same] &&
         fold((unsigned char)a[same]) == fold((unsigned char)b[same]))
    same++;
  size_t bytes = same < most ? same + 1 : most;
  world_touch(a, bytes, false);
  world_touch(b, bytes, false);
}
static int as_it_is(int value) { return value; }

static int posix_strcmp(const char *a, const char *b) {
  reads_alike(a, b, SIZE_MAX, as_it_is);
  return strcmp(a, b);
}
static int posix_strncmp(const char *a, const char *b, size_t most) {
  reads_alike(a, b, most, as_it_is);
  return strncmp(a, b, most);
}
static int posix_strcasecmp(const char *a, const char *b) {
  reads_alike(a, b, SIZE_MAX, tolower);
  return strcasecmp(a, b);
}
static int posix_strncasecmp(const char *a, const char *b, size_t most) {
  reads_alike(a, b, most, tolower);
  return strncasecmp(a, b, most);
}
static char *posix_strchr(const char *text, int value) {
  char *found = strchr(text, value);
  reads_to(text, found ? found : text + strlen(text));
  return found;
}
static char *posix_strrchr(const char *text, int value) {
  reads(text);
  return strrchr(text, value);
}
// As far as the part that was found, which may be NULL.
static char *reads_part(const char *text, const char *part, char *found) {
  size_t length = strlen(part);
  reads(part);
  if (!found)
    reads(text);
  else if (length)
    reads_to(text, found + length - 1);
  return found;
}
static char *posix_strstr(const char *text, const char *part) {
  return reads_part(text, part, strstr(text, part));
}
static size_t posix_strspn(const char *text, const char *set) {
  size_t length = strspn(text, set);
  reads_to(text, text + length);
  reads(set);
  return length;
}
static size_t posix_strcspn(const char *text, const char *set) {
  size_t length = strcspn(text, set);
  reads_to(text, text + length);
  reads(set);
  return length;
}
static char *posix_strpbrk(const char *text, const char *set) {
  size_t length = posix_strcspn(text, set);
  return text[length] ? (char *)(uintptr_t)text + length : NULL;
}
static char *posix_strcasestr(const char *text, const char *part) {
  return reads_part(text, part, strcasestr(text, part));
}
static char *posix_stpcpy(char *to, const char *from) {
  return posix_strcpy(to, from) + strlen(from);
}
static char *copy_of(const char *text, size_t length) {
  char *copy = block_take(length + 1, GRANULE, BLOCK_TAKEN);
  if (!copy)
    return NULL;
  copy[length] = 0;
  return memcpy(copy, text, length);
}
static char *posix_strdup(const char *text) {
  reads(text);
  return copy_of(text, strlen(text));
}
static char *posix_strndup(const char *text, size_t most) {
  reads_most(text, most);
  return copy_of(text, strnlen(text, most));
}

// Where it goes on is memory of the program's, and of strtok the library's:
// two threads that use that at once race.
static char *posix_strtok_r(char *text, const char *set, char **kept) {
  world_touch(kept, sizeof *kept, true);
  char *at = text ? text : *kept;
  if (!at)
    world_fail(MISHAP_CRASH, "there is no text to go on with");
  at += posix_strspn(at, set);
  *kept = at;
  if (!*at)
    return NULL;
  char *end = at + posix_strcspn(at, set);
  *kept = end + (*end != 0);
  if (*end) {
    world_touch(end, 1, true);
    *end = 0;
  }
  return at;
}
static char *posix_strtok(char *text, const char *set) {
  return posix_strtok_r(text, set,
                        (char **)(uintptr_t)posix_variable("strtok()"));
}

static char *posix_strsep(char **kept, const char *set) {
  world_touch(kept, sizeof *kept, true);
  char *at = *kept;
  if (!at)
    return NULL;
  char *end = at + posix_strcspn(at, set);
  *kept = *end ? end + 1 : NULL;
  if (*end) {
    world_touch(end, 1, true);
    *end = 0;
  }
  return at;
}

// Of what it does not know each thread has one text, behind its errno.
static char *unknown_text(size_t at, const char *format, int number) {
  enum { ROOM = 32 };
  char **text = (char **)(void *)(world.tls + at);
  if (!*text)
    *text = block_take(ROOM, GRANULE, BLOCK_MAPPED);
  if (*text)
    snprintf(*text, ROOM, format, number);
  return *text;
}
static char *posix_strerror(int error) {
  const char *known = strerrordesc_np(error);
  return known ? (char *)(uintptr_t)known
               : unknown_text(sizeof(char *), "Unknown error %d", error);
}
static char *posix_strsignal(int number) {
  const char *known = sigdescr_np(number);
  bool is_real = number >= SIGRTMIN && number <= SIGRTMAX;
  if (known)
    return (char *)(uintptr_t)known;
  return is_real ? unknown_text(SIGNAL_TEXT_AT, "Real-time signal %d",
                                number - SIGRTMIN)
                 : unknown_text(SIGNAL_TEXT_AT, "Unknown signal %d", number);
}

static size_t put_error(int error, char *to, size_t room) {
  char text[128];
  const char *known = strerrordesc_np(error);
  int length = known ? snprintf(text, sizeof text, "%s", known)
                     : snprintf(text, sizeof text, "Unknown error %d", error);
  size_t bytes = (size_t)length + 1;
  world_touch(to, bytes < room ? bytes : room, true);
  snprintf(to, room, "%s", text);
  return bytes;
}
static int posix___xpg_strerror_r(int error, char *to, size_t room) {
  bool fits = put_error(error, to, room) <= room;
  return !strerrordesc_np(error) ? EINVAL : fits ? 0 : ERANGE;
}
static char *posix_strerror_r(int error, char *to, size_t room) {
  const char *known = strerrordesc_np(error);
  if (!known)
    put_error(error, to, room);
  return known ? (char *)(uintptr_t)known : to;
}
static char *posix_strchrnul(const char *text, int value) {
  char *found = strchrnul(text, value);
  reads_to(text, found);
  return found;
}

// The last part of a path, which may be cut for it; "." of none is the C
// library's.
static char *posix___xpg_basename(char *path) {
  if (path)
    world_touch(path, strlen(path) + 1, true);
  return __xpg_basename(path);
}
static char *posix_dirname(char *path) {
  if (path)
    world_touch(path, strlen(path) + 1, true);
  return dirname(path);
}
static char *posix_basename(const char *path) {
  char *slash = posix_strrchr(path, '/');
  return slash ? slash + 1 : (char *)(uintptr_t)path;
}

// ----------------------------------------------------------------- numbers ---

// The blanks, what was understood, and the character that was not.
static void reads_number(const char *text, const char *end) {
  const char *first = text + strspn(text, " \t\n\v\f\r");
  reads_to(text, end > first ? end : first);
}
static void keep_end(char **end, char *at) {
  if (!end)
    return;
  world_touch(end, sizeof *end, true);
  *end = at;
}
// Those of the C library say in an errno of their own what was too large.
static void keep_error(void) {
  if (errno)
    *(int *)(void *)world.tls = errno;
}

// Then nothing is read, and *end stays.
static bool is_no_base(int base) {
  bool is_none = base < 0 || base == 1 || base > 36;
  if (is_none)
    *(int *)(void *)world.tls = EINVAL;
  return is_none;
}

static long posix_strtol(const char *text, char **end, int base) {
  char *at;
  if (is_no_base(base))
    return 0;
  errno = 0;
  long value = strtol(text, &at, base);
  keep_error();
  reads_number(text, at);
  keep_end(end, at);
  return value;
}
static unsigned long posix_strtoul(const char *text, char **end, int base) {
  char *at;
  if (is_no_base(base))
    return 0;
  errno = 0;
  unsigned long value = strtoul(text, &at, base);
  keep_error();
  reads_number(text, at);
  keep_end(end, at);
  return value;
}

static double posix_strtod(const char *text, char **end) {
  char *at;
  errno = 0;
  double value = strtod(text, &at);
  keep_error();
  reads_number(text, at);
  keep_end(end, at);
  return value;
}
static float posix_strtof(const char *text, char **end) {
  char *at;
  errno = 0;
  float value = strtof(text, &at);
  keep_error();
  reads_number(text, at);
  keep_end(end, at);
  return value;
}
static long double posix_strtold(const char *text, char **end) {
  char *at;
  errno = 0;
  long double value = strtold(text, &at);
  keep_error();
  reads_number(text, at);
  keep_end(end, at);
  return value;
}
static long posix_atol(const char *text) {
  return posix_strtol(text, NULL, 10);
}
static int posix_atoi(const char *text) { return (int)posix_atol(text); }
static double posix_atof(const char *text) { return posix_strtod(text, NULL); }

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
    POSIX_CALL(strncasecmp),
    {"strcoll", (void *)(uintptr_t)posix_strcmp, 0},
    POSIX_CALL(strchr),
    {"index", (void *)(uintptr_t)posix_strchr, 0},
    {"rindex", (void *)(uintptr_t)posix_strrchr, 0},
    POSIX_CALL(strrchr),
    POSIX_CALL(strstr),
    POSIX_CALL(strspn),
    POSIX_CALL(strcspn),
    POSIX_CALL(strpbrk),
    POSIX_CALL(strcasestr),
    POSIX_CALL(stpcpy),
    POSIX_CALL(stpncpy),
    {"strtoimax", (void *)(uintptr_t)posix_strtol, CAPTURES | LEAVES},
    {"strtoumax", (void *)(uintptr_t)posix_strtoul, CAPTURES | LEAVES},
    POSIX_CALL(strdup),
    POSIX_CALL(strndup),
    POSIX_CALL(strsep),
    POSIX_LEAVER(strtok_r),
    POSIX_LEAVER(strtok),
    POSIX_CALL(strerror),
    POSIX_CALL(strsignal),
    PLAIN_CALL(sigabbrev_np),
    PLAIN_CALL(sigdescr_np),
    POSIX_CALL(strerror_r),
    POSIX_CALL(__xpg_strerror_r),
    POSIX_CALL(strchrnul),
    POSIX_CALL(__xpg_basename),
    POSIX_CALL(dirname),
    {"basename", (void *)(uintptr_t)posix_basename, 0},
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
    POSIX_LEAVER(strtof),
    POSIX_LEAVER(strtold),
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
    PLAIN_CALL(iscntrl),
    PLAIN_CALL(isgraph),
    PLAIN_CALL(isblank),
    {NULL, NULL, 0}};
