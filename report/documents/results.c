// All records that documents are made of, wherever they come from.

#define _POSIX_C_SOURCE 200809L

#include "report/documents/documents.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void results_begin(Results *results, const char *tool) {
  char folder[PATH_MAX];
  *results = (Results){.tool = tool};
  results->folder =
      arena_copy(&results->arena, getcwd(folder, sizeof folder) ? folder : "/");
}

void results_free(Results *results) { arena_free(&results->arena); }

// Without the name of the file at its beginning, which documents put there.
static const char *without_file(const char *message, const char *file) {
  size_t length = file ? strlen(file) : 0;
  bool begins = length && !strncmp(message, file, length) &&
                !strncmp(message + length, ": ", 2);
  return begins ? message + length + 2 : message;
}

const char *trouble_text(Results *results, const Trouble *trouble) {
  if (!trouble->file)
    return trouble->message;
  return arena_printf(&results->arena, "%s: %s",
                      place_shown(results, (Loc){trouble->file, 0, 0}),
                      trouble->message);
}

const char *suppression_text(Results *results, const SuppressionNote *note) {
  return arena_printf(&results->arena, "%s: %s",
                      place_shown(results, note->where), note->text);
}

void results_trouble(Results *results, const char *file, const char *kind,
                     const char *message) {
  Arena *arena = &results->arena;
  Trouble trouble = {file ? arena_copy(arena, file) : NULL,
                     clean_text(arena, kind),
                     clean_text(arena, without_file(message, file))};
  push_moving(arena, &results->troubles, trouble);
}

void results_suppression(Results *results, const char *file, unsigned line,
                         const char *message) {
  Arena *arena = &results->arena;
  if (file && message)
    push_moving(
        arena, &results->suppressions,
        ((SuppressionNote){{.file = arena_copy(arena, file), .line = line},
                           clean_text(arena, message)}));
}

static bool is_blank(const char *line) {
  return !line[strspn(line, " \t\r\n")];
}

unsigned results_read_lines(Results *results, FILE *in, const char *name) {
  char *line = NULL;
  size_t room = 0;
  unsigned number = 0, filled = 0;
  for (ssize_t length; (length = getline(&line, &room, in)) >= 0;) {
    number++;
    bool is_whole = strlen(line) == (size_t)length;
    if (is_blank(line))
      continue;
    filled++;
    if (is_whole && record_read(results, line, &(RecordRow){NULL, false}))
      continue;
    results_trouble(results, name, "record",
                    arena_printf(&results->arena,
                                 "line %u is no record of docs/JSON.md",
                                 number));
  }
  free(line);
  return filled;
}

bool results_read(Results *results, const char *file, const char **error) {
  if (is_database(file))
    return results_read_database(results, file, error);
  FILE *in = strcmp(file, "-") ? fopen(file, "r") : stdin;
  if (!in) {
    *error = strerror(errno);
    return false;
  }
  if (!results_read_lines(results, in, file))
    results_trouble(results, file, "record",
                    "this is empty: whoever wrote it said nothing of any "
                    "kernel");
  *error = ferror(in) ? strerror(errno) : NULL;
  if (in != stdin)
    fclose(in);
  return !*error;
}

ResultClass results_class(const Results *results) {
  ResultClass worst = CLASS_GOOD;
  for (size_t i = 0; i < results->records.count; i++)
    if (results->records.at[i].class > worst)
      worst = results->records.at[i].class;
  return results->troubles.count ? CLASS_WRONG : worst;
}
