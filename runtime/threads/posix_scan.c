// Formatted input, of text and of files.
//
// The C library does the work; what it has read and written is told afterwards
// (posix_formats.c).  A file is what is left of its contents, as a stream of
// the C library's own.

#define _GNU_SOURCE

#include "runtime/threads/files.h"

#include <stdio.h>
#include <string.h>

static int posix_vsscanf(const char *text, const char *format,
                         va_list arguments) {
  va_list again;
  size_t bytes = strlen(text);
  world_touch(text, bytes + 1, false);
  unsigned counts = format_counts_reached(text, bytes, format);
  va_copy(again, arguments);
  int found = vsscanf(text, format, again);
  va_end(again);
  format_touch_input(format, found, counts, arguments);
  return found;
}

static int posix_sscanf(const char *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int found = posix_vsscanf(text, format, arguments);
  va_end(arguments);
  return found;
}

static int posix_vfscanf(void *stream, const char *format, va_list arguments) {
  PosixFile *file = file_reading(stream);
  uint64_t all = file->contents->bytes, at = file->at < all ? file->at : all;
  char *rest = file->contents->data + at;
  va_list again;
  unsigned counts = format_counts_reached(rest, all - at, format);
  FILE *input = fmemopen(rest, all - at, "r");
  if (!input)
    world_fail(MISHAP_REFUSED, "there is no memory to read a file by format");
  va_copy(again, arguments);
  int found = vfscanf(input, format, again);
  va_end(again);
  file->at = at + (uint64_t)ftell(input);
  file->has_ended |= feof(input) != 0;
  fclose(input);
  format_touch_input(format, found, counts, arguments);
  return found;
}

static int posix_fscanf(void *stream, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int found = posix_vfscanf(stream, format, arguments);
  va_end(arguments);
  return found;
}

static int posix_scanf(const char *format, ...) {
  (void)format;
  file_reading(*(void **)(uintptr_t)posix_variable("stdin"));
  return EOF;
}

// By the names that glibc's headers give them.
#define SCAN(name)                                                             \
  POSIX_KEEPER(name),                                                          \
      {"__isoc99_" #name, (void *)(uintptr_t)posix_##name, CAPTURES}, {        \
    "__isoc23_" #name, (void *)(uintptr_t)posix_##name, CAPTURES               \
  }

const PosixCall scan_calls[] = {SCAN(sscanf),  SCAN(vsscanf), SCAN(fscanf),
                                SCAN(vfscanf), SCAN(scanf),   {NULL, NULL, 0}};
