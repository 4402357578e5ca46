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

// A new text beside the file whose place it is to take.
typedef struct Draft {
  const SourceText *source;
  char *path;         // of the file itself: a link to it stays one
  char *beside;       // what was written
  const char *before; // the text that is there
  bool is_there;      // it has taken the place
} Draft;
typedef Vec(Draft) Drafts;

static bool write_beside(Arena *arena, Draft *draft, const char *text) {
  draft->path = realpath(draft->source->path, NULL);
  if (!draft->path)
    return false;
  arena_defer(arena, free, draft->path);
  char *beside =
      arena_copy(arena, arena_printf(arena, "%s.XXXXXX", draft->path));
  struct stat status;
  int file = stat(draft->path, &status) || access(draft->path, W_OK)
                 ? -1
                 : mkstemp(beside);
  if (file < 0)
    return false;
  draft->beside = beside;
  FILE *out = fdopen(file, "w");
  if (!out)
    return false;
  bool is_written = fputs(text, out) >= 0;
  is_written &= !fchmod(fileno(out), status.st_mode & 07777);
  return !fclose(out) && is_written;
}

static bool take_place(Draft *draft) {
  draft->is_there = !rename(draft->beside, draft->path);
  return draft->is_there;
}

// As if nothing had been tried.
static void undo(Arena *arena, Drafts *drafts) {
  int error = errno;
  for (size_t i = 0; i < drafts->count; i++) {
    Draft *draft = &drafts->at[i];
    if (draft->is_there && write_beside(arena, draft, draft->before))
      rename(draft->beside, draft->path);
    else if (draft->beside)
      unlink(draft->beside);
  }
  errno = error;
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

// NULL, or the file that stays what it is, and why.
static const char *draft_all(const Repairing *repairing, const Edits *before,
                             const Edits *edits, Drafts *drafts,
                             const char **why) {
  Arena *arena = &repairing->task->arena;
  Edits all = together(arena, before, edits);
  for (size_t i = 0; i < repairing->places.texts.count; i++) {
    const SourceText *source = &repairing->places.texts.at[i];
    if (!edits_touch(edits, i))
      continue;
    Draft draft = {.source = source,
                   .before = edits_apply(arena, before, i, source)};
    *why = NULL;
    if (!is_text_of(arena, source->path, draft.before))
      *why = "was changed meanwhile, and stays what it is";
    else if (!write_beside(arena, &draft, edits_apply(arena, &all, i, source)))
      *why = strerror(errno);
    push(arena, drafts, draft);
    if (*why)
      return source->path;
  }
  return NULL;
}

// All of the files, or none.
const char *repair_write(const Repairing *repairing, const Edits *before,
                         const Edits *edits, const char **why) {
  Arena *arena = &repairing->task->arena;
  Drafts drafts = {0};
  const char *path = draft_all(repairing, before, edits, &drafts, why);
  for (size_t i = 0; !path && i < drafts.count; i++)
    if (!take_place(&drafts.at[i])) {
      path = drafts.at[i].source->path;
      *why = strerror(errno);
    }
  if (path)
    undo(arena, &drafts);
  return path;
}
