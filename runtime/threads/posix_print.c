// Formatted output.
//
// A stream is an address in the program's memory that nobody reads: stdout,
// stderr, stdin, or a file of posix_files.c.  What is printed on stdout is
// kept; on stderr it is dropped.

#define _GNU_SOURCE

#include "runtime/threads/world.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int emit(void *stream, const char *text, size_t bytes) {
  return file_write(stream, text, bytes) ? (int)bytes : EOF;
}

enum { LINE = 4096 };

// The C library has an errno of its own, which %m shows.
static int format_text(char *to, size_t room, const char *format,
                       va_list arguments) {
  errno = *(int *)(void *)world.tls;
  int bytes = vsnprintf(to, room, format, arguments);
  if (bytes < 0)
    *(int *)(void *)world.tls = errno;
  return bytes;
}

// Kept from one to the next, for nobody could free it where a run ends.
static struct {
  char *at;
  size_t room;
} line;

static void make_room(size_t bytes) {
  if (bytes <= line.room)
    return;
  char *larger = realloc(line.at, bytes);
  if (!larger)
    world_fail(MISHAP_REFUSED, "there is no memory for what is printed");
  line.at = larger;
  line.room = bytes;
}

static int print(void *stream, const char *format, va_list arguments) {
  va_list again;
  file_wait(stream);
  format_touch_output(format, arguments);
  make_room(LINE);
  va_copy(again, arguments);
  int bytes = format_text(line.at, line.room, format, again);
  va_end(again);
  if (bytes < 0)
    return bytes;
  if ((size_t)bytes >= line.room) {
    make_room((size_t)bytes + 1);
    format_text(line.at, line.room, format, arguments);
  }
  return emit(stream, line.at, (size_t)bytes);
}

static void *standard_output(void) {
  return *(void **)(uintptr_t)posix_variable("stdout");
}

static int posix_printf(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int bytes = print(standard_output(), format, arguments);
  va_end(arguments);
  return bytes;
}

static int posix_fprintf(void *stream, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int bytes = print(stream, format, arguments);
  va_end(arguments);
  return bytes;
}

static int posix_vprintf(const char *format, va_list arguments) {
  return print(standard_output(), format, arguments);
}

static int posix_vfprintf(void *stream, const char *format, va_list arguments) {
  return print(stream, format, arguments);
}

static int posix_vsnprintf(char *to, size_t room, const char *format,
                           va_list arguments) {
  va_list again;
  format_touch_output(format, arguments);
  va_copy(again, arguments);
  int bytes = format_text(NULL, 0, format, again);
  va_end(again);
  size_t written = (size_t)bytes < room ? (size_t)bytes + 1 : room;
  if (bytes >= 0)
    world_touch(to, written, true);
  return format_text(to, room, format, arguments);
}

static int posix_snprintf(char *to, size_t room, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int bytes = posix_vsnprintf(to, room, format, arguments);
  va_end(arguments);
  return bytes;
}

static int posix_sprintf(char *to, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int bytes = posix_vsnprintf(to, INT32_MAX, format, arguments);
  va_end(arguments);
  return bytes;
}

// Memory as malloc's, which the program frees.
static int posix_vasprintf(char **to, const char *format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  int bytes = format_text(NULL, 0, format, again);
  va_end(again);
  char *text =
      bytes < 0 ? NULL : block_take((uint64_t)bytes + 1, GRANULE, BLOCK_TAKEN);
  world_touch(to, sizeof *to, true);
  *to = text;
  return text ? posix_vsnprintf(text, (size_t)bytes + 1, format, arguments)
              : -1;
}

static int posix_asprintf(char **to, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int bytes = posix_vasprintf(to, format, arguments);
  va_end(arguments);
  return bytes;
}

static int posix_vsprintf(char *to, const char *format, va_list arguments) {
  return posix_vsnprintf(to, INT32_MAX, format, arguments);
}

// glibc's say so.
static int posix_fputs(const char *text, void *stream) {
  file_wait(stream);
  world_touch(text, strlen(text) + 1, false);
  return emit(stream, text, strlen(text)) == EOF ? EOF : 1;
}

static int posix_puts(const char *text) {
  if (posix_fputs(text, standard_output()) == EOF)
    return EOF;
  emit(standard_output(), "\n", 1);
  return (int)strlen(text) + 1;
}

static int posix_fputc(int value, void *stream) {
  char byte = (char)value;
  return emit(stream, &byte, 1) == EOF ? EOF : (unsigned char)byte;
}

static int posix_putchar(int value) {
  return posix_fputc(value, standard_output());
}

void file_wait_for_errors(void) {
  file_wait(*(void **)(uintptr_t)posix_variable("stderr"));
}

static void posix_perror(const char *text) {
  file_wait_for_errors();
  if (text)
    world_touch(text, strlen(text) + 1, false);
}

const PosixCall print_calls[] = {
    POSIX_CALL(printf),
    POSIX_CALL(fprintf),
    POSIX_CALL(vprintf),
    POSIX_CALL(vfprintf),
    POSIX_CALL(snprintf),
    POSIX_CALL(vsnprintf),
    POSIX_CALL(sprintf),
    POSIX_CALL(vsprintf),
    POSIX_CALL(puts),
    POSIX_CALL(fputs),
    POSIX_CALL(fputc),
    {"putc", (void *)(uintptr_t)posix_fputc, 0},
    POSIX_CALL(putchar),
    POSIX_CALL(perror),
    {"putc_unlocked", (void *)(uintptr_t)posix_fputc, 0},
    {"fputc_unlocked", (void *)(uintptr_t)posix_fputc, 0},
    {"putchar_unlocked", (void *)(uintptr_t)posix_putchar, 0},
    {"fputs_unlocked", (void *)(uintptr_t)posix_fputs, 0},
    POSIX_KEEPER(asprintf),
    POSIX_KEEPER(vasprintf),
    {NULL, NULL, 0}};
