// The files that a repair reads and changes.

#define _GNU_SOURCE

#include "plugin/repair.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_BYTES = 1 << 30 };

char *repair_read(Arena *arena, const char *file, const char **reason) {
  struct stat status;
  FILE *in = fopen(file, "r");
  if (!in || fstat(fileno(in), &status) || status.st_size > MOST_BYTES) {
    *reason = in ? "this file is too large" : strerror(errno);
    if (in)
      fclose(in);
    return NULL;
  }
  size_t size = (size_t)status.st_size;
  char *text = arena_alloc(arena, size + 1);
  bool is_whole = fread(text, 1, size, in) == size && strlen(text) == size;
  fclose(in);
  *reason = is_whole ? NULL : "this is no text";
  return is_whole ? text : NULL;
}

// Whole, or not at all: a new file takes the place of the old one, and a link
// to it stays one.
static bool write_text(Arena *arena, const char *name, const char *text) {
  char *path = realpath(name, NULL);
  if (!path)
    return false;
  arena_defer(arena, free, path);
  char *beside = arena_copy(arena, arena_printf(arena, "%s.XXXXXX", path));
  struct stat status;
  int file = stat(path, &status) || access(path, W_OK) ? -1 : mkstemp(beside);
  FILE *out = file < 0 ? NULL : fdopen(file, "w");
  if (!out)
    return false;
  bool is_written = fputs(text, out) >= 0;
  is_written &= !fchmod(fileno(out), status.st_mode & 07777);
  is_written &= !fclose(out);
  if (is_written && !rename(beside, path))
    return true;
  int error = errno;
  unlink(beside);
  errno = error;
  return false;
}

static bool is_text_of(Arena *arena, const char *path, const char *text) {
  const char *reason, *there = repair_read(arena, path, &reason);
  return there && !strcmp(there, text);
}

static Edits together(Arena *arena, const Edits *a, const Edits *b) {
  Edits all = {0};
  edits_add(arena, &all, a);
  edits_add(arena, &all, b);
  edits_sort(&all);
  return all;
}

const char *repair_write(const Repairing *repairing, const Edits *before,
                         const Edits *edits, const char **why) {
  Arena *arena = &repairing->task->arena;
  Edits all = together(arena, before, edits);
  for (size_t i = 0; i < repairing->places.texts.count; i++) {
    const SourceText *source = &repairing->places.texts.at[i];
    if (!edits_touch(edits, i))
      continue;
    *why = NULL;
    if (!is_text_of(arena, source->path, edits_apply(arena, before, i, source)))
      *why = "was changed meanwhile, and stays what it is";
    else if (!write_text(arena, source->path,
                         edits_apply(arena, &all, i, source)))
      *why = strerror(errno);
    if (*why)
      return source->path;
  }
  return NULL;
}
