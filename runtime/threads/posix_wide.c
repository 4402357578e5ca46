// Wide characters.
//
// The locale is C's, in which a character is a byte, so the C library keeps
// nothing from call to call, and does the work.  What it reads and writes of
// the program's memory is told as one access each.

#define _GNU_SOURCE

#include "runtime/threads/world.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

static void touch(const wchar_t *at, size_t count, bool is_write) {
  world_touch(at, count * sizeof *at, is_write);
}

// Up to and with `last`.
static void reads_to(const wchar_t *text, const wchar_t *last) {
  touch(text, (size_t)(last - text) + 1, false);
}

static size_t reads(const wchar_t *text) {
  size_t length = wcslen(text);
  reads_to(text, text + length);
  return length;
}

static size_t reads_most(const wchar_t *text, size_t most) {
  size_t length = wcsnlen(text, most);
  touch(text, length < most ? length + 1 : most, false);
  return length;
}

// ----------------------------------------------------------------- strings ---

static size_t posix_wcslen(const wchar_t *text) { return reads(text); }
static size_t posix_wcsnlen(const wchar_t *text, size_t most) {
  return reads_most(text, most);
}
static wchar_t *posix_wcscpy(wchar_t *to, const wchar_t *from) {
  touch(to, reads(from) + 1, true);
  return wcscpy(to, from);
}
static wchar_t *posix_wcpcpy(wchar_t *to, const wchar_t *from) {
  return posix_wcscpy(to, from) + wcslen(from);
}
static wchar_t *posix_wcsncpy(wchar_t *to, const wchar_t *from, size_t most) {
  reads_most(from, most);
  touch(to, most, true);
  return wcsncpy(to, from, most);
}
static wchar_t *posix_wcscat(wchar_t *to, const wchar_t *from) {
  size_t length = reads(from);
  touch(to + reads(to), length + 1, true);
  return wcscat(to, from);
}
static wchar_t *posix_wcsncat(wchar_t *to, const wchar_t *from, size_t most) {
  size_t length = reads_most(from, most);
  touch(to + reads(to), length + 1, true);
  return wcsncat(to, from, most);
}

// Of both as far as they are alike, and the first difference or end.
static void reads_alike(const wchar_t *a, const wchar_t *b, size_t most,
                        bool folds) {
  size_t same = 0;
  while (same < most && a[same] &&
         (folds ? towlower((wint_t)a[same]) == towlower((wint_t)b[same])
                : a[same] == b[same]))
    same++;
  size_t count = same < most ? same + 1 : most;
  touch(a, count, false);
  touch(b, count, false);
}
static int posix_wcscmp(const wchar_t *a, const wchar_t *b) {
  reads_alike(a, b, SIZE_MAX, false);
  return wcscmp(a, b);
}
static int posix_wcsncmp(const wchar_t *a, const wchar_t *b, size_t most) {
  reads_alike(a, b, most, false);
  return wcsncmp(a, b, most);
}
static int posix_wcscasecmp(const wchar_t *a, const wchar_t *b) {
  reads_alike(a, b, SIZE_MAX, true);
  return wcscasecmp(a, b);
}
static int posix_wcsncasecmp(const wchar_t *a, const wchar_t *b, size_t most) {
  reads_alike(a, b, most, true);
  return wcsncasecmp(a, b, most);
}
static wchar_t *posix_wcschr(const wchar_t *text, wchar_t value) {
  wchar_t *found = wcschr(text, value);
  reads_to(text, found ? found : text + wcslen(text));
  return found;
}
static wchar_t *posix_wcsrchr(const wchar_t *text, wchar_t value) {
  reads(text);
  return wcsrchr(text, value);
}
static wchar_t *posix_wcschrnul(const wchar_t *text, wchar_t value) {
  wchar_t *found = wcschrnul(text, value);
  reads_to(text, found);
  return found;
}
static wchar_t *posix_wcsstr(const wchar_t *text, const wchar_t *part) {
  wchar_t *found = wcsstr(text, part);
  size_t length = reads(part);
  if (!found)
    reads(text);
  else
    touch(text, (size_t)(found - text) + length, false);
  return found;
}
static size_t posix_wcsspn(const wchar_t *text, const wchar_t *set) {
  size_t length = wcsspn(text, set);
  reads_to(text, text + length);
  reads(set);
  return length;
}
static size_t posix_wcscspn(const wchar_t *text, const wchar_t *set) {
  size_t length = wcscspn(text, set);
  reads_to(text, text + length);
  reads(set);
  return length;
}
static wchar_t *posix_wcspbrk(const wchar_t *text, const wchar_t *set) {
  size_t length = posix_wcscspn(text, set);
  return text[length] ? (wchar_t *)(uintptr_t)text + length : NULL;
}
static wchar_t *posix_wcsdup(const wchar_t *text) {
  size_t bytes = (reads(text) + 1) * sizeof *text;
  wchar_t *copy = block_take(bytes, GRANULE, BLOCK_TAKEN);
  return copy ? memcpy(copy, text, bytes) : NULL;
}
static wchar_t *posix_wcstok(wchar_t *text, const wchar_t *set,
                             wchar_t **kept) {
  world_touch(kept, sizeof *kept, true);
  wchar_t *at = text ? text : *kept;
  if (!at)
    return NULL;
  at += posix_wcsspn(at, set);
  *kept = at;
  if (!*at)
    return NULL;
  wchar_t *end = at + posix_wcscspn(at, set);
  *kept = end + (*end != 0);
  if (*end) {
    touch(end, 1, true);
    *end = 0;
  }
  return at;
}

// ------------------------------------------------------------------ memory ---

static wchar_t *posix_wmemcpy(wchar_t *to, const wchar_t *from, size_t count) {
  touch(from, count, false);
  touch(to, count, true);
  return wmemmove(to, from, count);
}
static wchar_t *posix_wmempcpy(wchar_t *to, const wchar_t *from, size_t count) {
  return posix_wmemcpy(to, from, count) + count;
}
static wchar_t *posix_wmemset(wchar_t *to, wchar_t value, size_t count) {
  touch(to, count, true);
  return wmemset(to, value, count);
}
static int posix_wmemcmp(const wchar_t *a, const wchar_t *b, size_t count) {
  touch(a, count, false);
  touch(b, count, false);
  return wmemcmp(a, b, count);
}
static wchar_t *posix_wmemchr(const wchar_t *text, wchar_t value,
                              size_t count) {
  wchar_t *found = wmemchr(text, value, count);
  touch(text, found ? (size_t)(found - text) + 1 : count, false);
  return found;
}

// ----------------------------------------------------------------- numbers ---

static void keep_error(void) {
  if (errno)
    *(int *)(void *)world.tls = errno;
}

static void finish(const wchar_t *text, wchar_t *at, wchar_t **end) {
  keep_error();
  reads_to(text, at);
  if (!end)
    return;
  world_touch(end, sizeof *end, true);
  *end = at;
}

static long posix_wcstol(const wchar_t *text, wchar_t **end, int base) {
  wchar_t *at = (wchar_t *)(uintptr_t)text;
  errno = 0;
  long value = wcstol(text, &at, base);
  finish(text, at, end);
  return value;
}
static unsigned long posix_wcstoul(const wchar_t *text, wchar_t **end,
                                   int base) {
  wchar_t *at = (wchar_t *)(uintptr_t)text;
  errno = 0;
  unsigned long value = wcstoul(text, &at, base);
  finish(text, at, end);
  return value;
}
static double posix_wcstod(const wchar_t *text, wchar_t **end) {
  wchar_t *at;
  errno = 0;
  double value = wcstod(text, &at);
  finish(text, at, end);
  return value;
}
static float posix_wcstof(const wchar_t *text, wchar_t **end) {
  wchar_t *at;
  errno = 0;
  float value = wcstof(text, &at);
  finish(text, at, end);
  return value;
}
static long double posix_wcstold(const wchar_t *text, wchar_t **end) {
  wchar_t *at;
  errno = 0;
  long double value = wcstold(text, &at);
  finish(text, at, end);
  return value;
}

// ------------------------------------------------------------------- bytes ---

// Of which one is a character.
static void touch_state(const mbstate_t *state) {
  if (state)
    world_touch(state, sizeof *state, true);
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

// `most` characters at most, or as many as there are if nobody wants them.
static void touch_widened(const char *from, const wchar_t *to, size_t most) {
  size_t count = strnlen(from, to ? most : SIZE_MAX) + 1;
  world_touch(from, to ? least(count, most) : count, false);
  if (to)
    touch(to, least(count, most), true);
}
static void touch_narrowed(const wchar_t *from, const char *to, size_t most) {
  size_t count = wcsnlen(from, to ? most : SIZE_MAX) + 1;
  touch(from, to ? least(count, most) : count, false);
  if (to)
    world_touch(to, least(count, most), true);
}

static size_t posix_mbsrtowcs(wchar_t *to, const char **from, size_t most,
                              mbstate_t *state) {
  world_touch(from, sizeof *from, to);
  touch_state(state);
  touch_widened(*from, to, most);
  errno = 0;
  size_t made = mbsrtowcs(to, from, most, state);
  keep_error();
  return made;
}
static size_t posix_mbstowcs(wchar_t *to, const char *from, size_t most) {
  touch_widened(from, to, most);
  errno = 0;
  size_t made = mbstowcs(to, from, most);
  keep_error();
  return made;
}
static size_t posix_wcsrtombs(char *to, const wchar_t **from, size_t most,
                              mbstate_t *state) {
  world_touch(from, sizeof *from, to);
  touch_state(state);
  touch_narrowed(*from, to, most);
  errno = 0;
  size_t made = wcsrtombs(to, from, most, state);
  keep_error();
  return made;
}
static size_t posix_wcstombs(char *to, const wchar_t *from, size_t most) {
  touch_narrowed(from, to, most);
  errno = 0;
  size_t made = wcstombs(to, from, most);
  keep_error();
  return made;
}
static size_t posix_mbrtowc(wchar_t *to, const char *from, size_t most,
                            mbstate_t *state) {
  touch_state(state);
  if (from)
    world_touch(from, least(most, 1), false);
  if (to && from)
    touch(to, least(most, 1), true);
  errno = 0;
  size_t made = mbrtowc(to, from, most, state);
  keep_error();
  return made;
}
static int posix_mbtowc(wchar_t *to, const char *from, size_t most) {
  return from ? (int)posix_mbrtowc(to, from, most, NULL) : 0;
}
static size_t posix_mbrlen(const char *from, size_t most, mbstate_t *state) {
  return posix_mbrtowc(NULL, from, most, state);
}
static int posix_mblen(const char *from, size_t most) {
  return posix_mbtowc(NULL, from, most);
}
static size_t posix_wcrtomb(char *to, wchar_t value, mbstate_t *state) {
  touch_state(state);
  if (to)
    world_touch(to, 1, true);
  errno = 0;
  size_t made = wcrtomb(to, value, state);
  keep_error();
  return made;
}
static int posix_wctomb(char *to, wchar_t value) {
  return to ? (int)posix_wcrtomb(to, value, NULL) : 0;
}
static int posix_mbsinit(const mbstate_t *state) {
  if (state)
    world_touch(state, sizeof *state, false);
  return mbsinit(state);
}

// ----------------------------------------------------------------- classes ---

static wctype_t posix_wctype(const char *name) {
  world_touch(name, strlen(name) + 1, false);
  return wctype(name);
}
static wctrans_t posix_wctrans(const char *name) {
  world_touch(name, strlen(name) + 1, false);
  return wctrans(name);
}

#define NUMBERS(name, like)                                                    \
  {#name, (void *)(uintptr_t)posix_##like, CAPTURES | LEAVES}

const PosixCall wide_text_calls[] = {
    POSIX_CALL(wcslen),
    POSIX_CALL(wcsnlen),
    POSIX_CALL(wcscpy),
    POSIX_CALL(wcpcpy),
    POSIX_CALL(wcsncpy),
    POSIX_CALL(wcscat),
    POSIX_CALL(wcsncat),
    POSIX_CALL(wcscmp),
    POSIX_CALL(wcsncmp),
    POSIX_CALL(wcscasecmp),
    POSIX_CALL(wcsncasecmp),
    POSIX_CALL(wcschr),
    POSIX_CALL(wcsrchr),
    POSIX_CALL(wcschrnul),
    POSIX_CALL(wcsstr),
    POSIX_CALL(wcsspn),
    POSIX_CALL(wcscspn),
    POSIX_CALL(wcspbrk),
    POSIX_CALL(wcsdup),
    POSIX_CALL(wmemcpy),
    POSIX_CALL(wmempcpy),
    POSIX_CALL(wmemset),
    POSIX_CALL(wmemcmp),
    POSIX_CALL(wmemchr),
    POSIX_CALL(mbstowcs),
    POSIX_CALL(wcstombs),
    POSIX_CALL(mbrtowc),
    POSIX_CALL(mbtowc),
    POSIX_CALL(mbrlen),
    POSIX_CALL(mblen),
    POSIX_CALL(wcrtomb),
    POSIX_CALL(wctomb),
    POSIX_CALL(mbsinit),
    POSIX_CALL(wctype),
    POSIX_CALL(wctrans),
    {"wcscoll", (void *)(uintptr_t)posix_wcscmp, 0},
    {"wmemmove", (void *)(uintptr_t)posix_wmemcpy, 0},
    POSIX_LEAVER(wcstok),
    POSIX_LEAVER(mbsrtowcs),
    POSIX_LEAVER(wcsrtombs),
    POSIX_LEAVER(wcstol),
    POSIX_LEAVER(wcstoul),
    POSIX_LEAVER(wcstod),
    POSIX_LEAVER(wcstof),
    POSIX_LEAVER(wcstold),
    NUMBERS(wcstoll, wcstol),
    NUMBERS(wcstoull, wcstoul),
    NUMBERS(wcstoimax, wcstol),
    NUMBERS(wcstoumax, wcstoul),
    NUMBERS(__isoc23_wcstol, wcstol),
    NUMBERS(__isoc23_wcstoul, wcstoul),
    NUMBERS(__isoc23_wcstoll, wcstol),
    NUMBERS(__isoc23_wcstoull, wcstoul),
    PLAIN_CALL(btowc),
    PLAIN_CALL(wctob),
    PLAIN_CALL(iswalpha),
    PLAIN_CALL(iswdigit),
    PLAIN_CALL(iswalnum),
    PLAIN_CALL(iswspace),
    PLAIN_CALL(iswupper),
    PLAIN_CALL(iswlower),
    PLAIN_CALL(iswprint),
    PLAIN_CALL(iswpunct),
    PLAIN_CALL(iswxdigit),
    PLAIN_CALL(iswcntrl),
    PLAIN_CALL(iswgraph),
    PLAIN_CALL(iswblank),
    PLAIN_CALL(iswctype),
    PLAIN_CALL(towupper),
    PLAIN_CALL(towlower),
    PLAIN_CALL(towctrans),
    PLAIN_CALL(wcwidth),
    {NULL, NULL, 0}};
