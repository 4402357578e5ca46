// One line a compilation: an entry of a compilation database (JSON).
//
// Builds run many compilers at a time, so a line is written by one call to a
// file that is open for appending.

#define _XOPEN_SOURCE 700

#include "launcher/launcher.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static void put_string(FILE *out, const char *text) {
  putc('"', out);
  for (const char *c = text; *c; c++) {
    unsigned char byte = (unsigned char)*c;
    if (byte == '"' || byte == '\\')
      fprintf(out, "\\%c", byte);
    else if (byte < ' ')
      fprintf(out, "\\u%04x", byte);
    else
      putc(byte, out);
  }
  putc('"', out);
}

static void put_member(FILE *out, const char *name, const char *value) {
  put_string(out, name);
  putc(':', out);
  put_string(out, value);
  putc(',', out);
}

static void put_entry(FILE *out, const char *folder, const Arguments *command,
                      const Compilation *compilation) {
  putc('{', out);
  put_member(out, "directory", folder);
  put_member(out, "file", compilation->source);
  if (compilation->output)
    put_member(out, "output", compilation->output);
  fputs("\"arguments\":[", out);
  for (size_t i = 0; i < command->count; i++) {
    if (i)
      putc(',', out);
    put_string(out, command->at[i]);
  }
  fputs("]}\n", out);
}

static bool append(const char *file, const char *text, size_t length) {
  int to = open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (to < 0)
    return false;
  bool is_written = write(to, text, length) == (ssize_t)length;
  return !close(to) && is_written;
}

bool record_add(const char *file, const Arguments *command,
                const Compilation *compilation) {
  char *text = NULL, *folder = getcwd(NULL, 0);
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  bool is_written = false;
  if (out && folder) {
    put_entry(out, folder, command, compilation);
    is_written = !fclose(out) && append(file, text, length);
  }
  free(text);
  free(folder);
  return is_written;
}
