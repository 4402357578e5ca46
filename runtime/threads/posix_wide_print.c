// Formatted output of wide characters.
//
// The locale is C's: each becomes a byte where it is printed.  What is no
// character there is refused: for some glibc has letters that are like them.

#define _GNU_SOURCE

#include "runtime/threads/world.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

enum { LEAST = 1 << 10, MOST = 1 << 20 }; // characters

// Kept from one to the next, for nobody could free it where a run ends.
static struct {
  wchar_t *at;
  size_t room;
} line;

// The same of bytes: what is printed, or a format.
static struct {
  char *at;
  size_t room;
} letters;

static void *more(void *at, size_t bytes) {
  void *larger = realloc(at, bytes);
  if (!larger)
    world_fail(MISHAP_REFUSED, "there is no memory for what is printed");
  return larger;
}

static void make_room(size_t count) {
  if (count <= line.room)
    return;
  line.at = more(line.at, count * sizeof *line.at);
  line.room = count;
}

static char *make_letters(size_t count) {
  if (count > letters.room) {
    letters.at = more(letters.at, count);
    letters.room = count;
  }
  return letters.at;
}

static char byte_of(wchar_t value) {
  int byte = wctob((wint_t)value);
  if (byte == EOF)
    world_fail(MISHAP_REFUSED,
               "a character (%#x) that the locale C has not is not printed",
               (unsigned)value);
  return (char)byte;
}

static bool emit(void *stream, const wchar_t *text, size_t count) {
  char *bytes = make_letters(count + 1);
  for (size_t i = 0; i < count; i++)
    bytes[i] = byte_of(text[i]);
  return file_write_wide(stream, bytes, count);
}

// What the arguments are is said by the letters of the alphabet.
static void touch_arguments(const wchar_t *format, va_list arguments) {
  size_t count = wcslen(format) + 1;
  world_touch(format, count * sizeof *format, false);
  char *plain = make_letters(count);
  for (size_t i = 0; i < count; i++)
    plain[i] = format[i] < 0 || format[i] > 127 ? '?' : (char)format[i];
  format_touch_arguments(plain, arguments);
}

// To the line; the C library does not say how much room it needs.
static int format_line(const wchar_t *format, va_list arguments) {
  int count = -1;
  for (size_t room = LEAST; count < 0 && room <= MOST; room *= 4) {
    va_list again;
    make_room(room);
    va_copy(again, arguments);
    errno = *(int *)(void *)world.tls;
    count = vswprintf(line.at, room, format, again);
    va_end(again);
  }
  if (count < 0)
    *(int *)(void *)world.tls = errno;
  return count;
}

static int print(void *stream, const wchar_t *format, va_list arguments) {
  file_wait(stream);
  touch_arguments(format, arguments);
  int count = format_line(format, arguments);
  return count >= 0 && emit(stream, line.at, (size_t)count) ? count : -1;
}

static void *standard_output(void) {
  return *(void **)(uintptr_t)posix_variable("stdout");
}

static int posix_vwprintf(const wchar_t *format, va_list arguments) {
  return print(standard_output(), format, arguments);
}

static int posix_vfwprintf(void *stream, const wchar_t *format,
                           va_list arguments) {
  return print(stream, format, arguments);
}

static int posix_wprintf(const wchar_t *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int count = print(standard_output(), format, arguments);
  va_end(arguments);
  return count;
}

static int posix_fwprintf(void *stream, const wchar_t *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int count = print(stream, format, arguments);
  va_end(arguments);
  return count;
}

// Of what does not fit, as much as there is room for.
static int posix_vswprintf(wchar_t *to, size_t room, const wchar_t *format,
                           va_list arguments) {
  touch_arguments(format, arguments);
  int count = format_line(format, arguments);
  size_t written =
      count >= 0 && (size_t)count < room ? (size_t)count + 1 : room;
  world_touch(to, written * sizeof *to, true);
  return vswprintf(to, room, format, arguments);
}

static int posix_swprintf(wchar_t *to, size_t room, const wchar_t *format,
                          ...) {
  va_list arguments;
  va_start(arguments, format);
  int count = posix_vswprintf(to, room, format, arguments);
  va_end(arguments);
  return count;
}

static wint_t posix_fputwc(wchar_t value, void *stream) {
  return emit(stream, &value, 1) ? (wint_t)value : WEOF;
}

static wint_t posix_putwchar(wchar_t value) {
  return posix_fputwc(value, standard_output());
}

static int posix_fputws(const wchar_t *text, void *stream) {
  size_t count = wcslen(text);
  file_wait(stream);
  world_touch(text, (count + 1) * sizeof *text, false);
  return emit(stream, text, count) ? 1 : -1;
}

static int posix_fwide(void *stream, int width) {
  return file_orient(stream, width > 0 ? 1 : width < 0 ? -1 : 0);
}

const PosixCall wide_print_calls[] = {
    POSIX_CALL(wprintf),  POSIX_CALL(fwprintf),
    POSIX_CALL(vwprintf), POSIX_CALL(vfwprintf),
    POSIX_CALL(swprintf), POSIX_CALL(vswprintf),
    POSIX_CALL(fputwc),   {"putwc", (void *)(uintptr_t)posix_fputwc, 0},
    POSIX_CALL(putwchar), POSIX_CALL(fputws),
    POSIX_CALL(fwide),    {NULL, NULL, 0}};
