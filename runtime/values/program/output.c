// Text that is written at once, on stderr or as a line of JSON.

#define _GNU_SOURCE

#include "runtime/values/program/program.h"

#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

void text_add(Text *text, const char *format, ...) {
  size_t room = sizeof text->at - text->length;
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(text->at + text->length, room, format, arguments);
  va_end(arguments);
  if (length > 0)
    text->length += (size_t)length < room ? (size_t)length : room - 1;
}

void text_add_json(Text *text, const char *string) {
  if (!string) {
    text_add(text, "null");
    return;
  }
  text_add(text, "\"");
  for (const unsigned char *c = (const void *)string; *c; c++)
    if (*c == '"' || *c == '\\')
      text_add(text, "\\%c", *c);
    else if (*c < ' ')
      text_add(text, "\\u%04x", *c);
    else
      text_add(text, "%c", *c);
  text_add(text, "\"");
}

static void write_all(int file, const char *at, size_t bytes) {
  while (bytes) {
    ssize_t written = write(file, at, bytes);
    if (written <= 0)
      return;
    at += written;
    bytes -= (size_t)written;
  }
}

void text_show(const Text *text) {
  write_all(STDERR_FILENO, text->at, text->length);
}

void text_keep(const Text *text) {
  static bool has_failed;
  const char *name = settings_get()->json;
  int file =
      name ? open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666) : -1;
  if (file >= 0) {
    write_all(file, text->at, text->length);
    close(file);
  } else if (name && !has_failed) {
    Text complaint = {0};
    text_add(&complaint, "gpuverify: %s: this file cannot be written\n", name);
    text_show(&complaint);
    has_failed = true;
  }
}
