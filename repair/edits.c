// Edits of texts, and where the bytes of the changed text come from.

#include "repair/repair.h"

#include <assert.h>
#include <string.h>

// ----------------------------------------------------------------- lists ---

static bool has_insertion(const Edits *edits, const Edit *one) {
  for (size_t i = 0; one->begin == one->end && i < edits->count; i++) {
    const Edit *edit = &edits->at[i];
    if (edit->file == one->file && edit->begin == one->begin &&
        edit->end == one->end && !strcmp(edit->text, one->text))
      return true;
  }
  return false;
}

void edits_add(Arena *arena, Edits *to, const Edits *more) {
  for (size_t i = 0; i < more->count; i++)
    if (!has_insertion(to, &more->at[i]))
      push(arena, to, more->at[i]);
}

// What is added at a byte comes before what is taken away there.
static bool comes_before(const Edit *a, const Edit *b) {
  if (a->file != b->file)
    return a->file < b->file;
  if (a->begin != b->begin)
    return a->begin < b->begin;
  return a->end == a->begin && b->end > b->begin;
}

// They are few, and of equals the order stays.
void edits_sort(Edits *edits) {
  for (size_t i = 1; i < edits->count; i++)
    for (size_t j = i; j > 0 && comes_before(&edits->at[j], &edits->at[j - 1]);
         j--) {
      Edit edit = edits->at[j];
      edits->at[j] = edits->at[j - 1];
      edits->at[j - 1] = edit;
    }
}

bool edits_collide(const Edits *sorted) {
  for (size_t i = 1; i < sorted->count; i++) {
    const Edit *a = &sorted->at[i - 1], *b = &sorted->at[i];
    if (a->file == b->file && b->begin < a->end)
      return true;
    if (a->file == b->file && a->begin == b->begin && a->end > a->begin)
      return true;
  }
  return false;
}

bool edits_touch(const Edits *edits, size_t file) {
  for (size_t i = 0; i < edits->count; i++)
    if (edits->at[i].file == file)
      return true;
  return false;
}

// ----------------------------------------------------------------- texts ---

static void take(char *to, size_t *size, const char *from, size_t bytes) {
  if (bytes)
    memcpy(to + *size, from, bytes);
  *size += bytes;
}

char *edits_apply(Arena *arena, const Edits *sorted, size_t file,
                  const SourceText *source) {
  size_t room = source->size + 1, size = 0, at = 0;
  for (size_t i = 0; i < sorted->count; i++)
    room += strlen(sorted->at[i].text);
  char *text = arena_alloc(arena, room);
  for (size_t i = 0; i < sorted->count; i++) {
    const Edit *edit = &sorted->at[i];
    if (edit->file != file)
      continue;
    assert(at <= edit->begin && edit->end <= source->size);
    take(text, &size, source->text + at, edit->begin - at);
    take(text, &size, edit->text, strlen(edit->text));
    at = edit->end;
  }
  take(text, &size, source->text + at, source->size - at);
  return text;
}

// What was added comes from where it was added.
size_t edits_origin(const Edits *sorted, size_t file, size_t at) {
  size_t changed = 0, old = 0; // the same place in both texts
  for (size_t i = 0; i < sorted->count; i++) {
    const Edit *edit = &sorted->at[i];
    if (edit->file != file)
      continue;
    size_t kept = edit->begin - old;
    if (at < changed + kept)
      break;
    changed += kept;
    old = edit->begin;
    if (at < changed + strlen(edit->text))
      return edit->begin;
    changed += strlen(edit->text);
    old = edit->end;
  }
  return old + (at - changed);
}

// ---------------------------------------------------------------- places ---

size_t text_at(const SourceText *source, unsigned line, unsigned column) {
  size_t at = 0;
  for (unsigned i = 1; i < line && at < source->size; i++) {
    const char *end = memchr(source->text + at, '\n', source->size - at);
    at = end ? (size_t)(end - source->text) + 1 : source->size;
  }
  at += column ? column - 1 : 0;
  return at < source->size ? at : source->size;
}

Loc text_place(const SourceText *source, size_t at) {
  Loc loc = {.file = source->path, .line = 1, .column = 1};
  for (size_t i = 0; i < at; i++) {
    loc.column++;
    if (source->text[i] == '\n') {
      loc.line++;
      loc.column = 1;
    }
  }
  return loc;
}

static size_t line_of(const SourceText *source, size_t at) {
  while (at > 0 && source->text[at - 1] != '\n')
    at--;
  return at;
}

const char *text_indent(Arena *arena, const SourceText *source, size_t at) {
  size_t line = line_of(source, at);
  size_t blanks = strspn(source->text + line, " \t");
  return arena_printf(arena, "%.*s", (int)blanks, source->text + line);
}

bool text_begins_line(const SourceText *source, size_t at, size_t *line) {
  *line = line_of(source, at);
  return *line + strspn(source->text + *line, " \t") >= at;
}
