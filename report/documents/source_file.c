// Files of the user's, read when a document is made.
//
// They may have changed since the results were, or be gone: documents say so.

#define _XOPEN_SOURCE 700

#include "report/documents/documents.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { MOST_BYTES = 1 << 26 };

// "2026-11-26T07:00:00Z", or seconds since 1970; 0: it is neither.
static time_t time_of(const char *text) {
  struct tm parts = {0};
  char *end;
  long long seconds = strtoll(text, &end, 10);
  if (!*end)
    return (time_t)seconds;
  if (sscanf(text, "%4d-%2d-%2d%*[T ]%2d:%2d:%2d", &parts.tm_year,
             &parts.tm_mon, &parts.tm_mday, &parts.tm_hour, &parts.tm_min,
             &parts.tm_sec) != 6)
    return 0;
  long year = parts.tm_year, month = parts.tm_mon;
  year -= month <= 2;
  long era = year / 400, of_era = year % 400;
  long day = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + parts.tm_mday - 1;
  long days =
      era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + day - 719468;
  return (time_t)days * 86400 + parts.tm_hour * 3600 + parts.tm_min * 60 +
         parts.tm_sec;
}

static void read_file_lines(Arena *arena, SourceFile *source, FILE *in) {
  char *line = NULL;
  size_t room = 0, bytes = 0;
  for (ssize_t length; (length = getline(&line, &room, in)) >= 0;) {
    bytes += (size_t)length;
    if (bytes > MOST_BYTES)
      break;
    while (length && (line[length - 1] == '\n' || line[length - 1] == '\r'))
      line[--length] = 0;
    push_moving(arena, &source->lines, clean_text(arena, line));
  }
  free(line);
}

static void open_source(Results *results, SourceFile *source) {
  struct stat status;
  const char *path = *source->name == '/'
                         ? source->name
                         : arena_printf(&results->arena, "%s/%s",
                                        results->folder, source->name);
  FILE *in =
      stat(path, &status) || !S_ISREG(status.st_mode) ? NULL : fopen(path, "r");
  if (!in)
    return;
  time_t made = results->started ? time_of(results->started) : 0;
  source->is_there = true;
  source->is_newer = made && status.st_mtime > made;
  read_file_lines(&results->arena, source, in);
  fclose(in);
}

const SourceFile *source_open(Results *results, const char *name) {
  for (SourceFile *known = results->sources; known; known = known->next)
    if (!strcmp(known->name, name))
      return known;
  SourceFile *source = NEW(&results->arena, SourceFile);
  source->name = arena_copy(&results->arena, name);
  source->next = results->sources;
  results->sources = source;
  open_source(results, source);
  return source;
}

const char *source_line(Results *results, Loc loc) {
  const SourceFile *source = loc.file ? source_open(results, loc.file) : NULL;
  return source && loc.line && loc.line <= source->lines.count
             ? source->lines.at[loc.line - 1]
             : NULL;
}

unsigned source_column(Results *results, Loc loc) {
  const char *line = source_line(results, loc);
  unsigned column = 1;
  for (unsigned i = 0; line && i + 1 < loc.column && line[i]; i++)
    column += (line[i] & 0xc0) != 0x80;
  return line && loc.column ? column : loc.column;
}
