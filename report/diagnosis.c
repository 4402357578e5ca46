// How a diagnosis grows.

#define _POSIX_C_SOURCE 200809L

#include "report/tell.h"

#include <stdlib.h>
#include <string.h>

static void give_up(void) {
  fputs("out of memory\n", stderr);
  abort();
}

void sheet_open(Sheet *sheet) {
  *sheet = (Sheet){0};
  sheet->out = open_memstream(&sheet->text, &sheet->size);
  if (!sheet->out)
    give_up();
}

const char *sheet_close(Arena *arena, Sheet *sheet) {
  if (fclose(sheet->out))
    give_up();
  const char *text = arena_copy(arena, sheet->text);
  free(sheet->text);
  return text;
}

const char *tell_place(Arena *arena, Loc loc, const char *file) {
  Sheet sheet;
  sheet_open(&sheet);
  report_place(sheet.out, loc, file);
  return sheet_close(arena, &sheet);
}

Level tell_level(VerdictKind kind) {
  switch (verdict_group(kind)) {
  case GROUP_PROVED:
    return LEVEL_REMARK;
  case GROUP_UNDECIDED:
    return LEVEL_DOUBT;
  case GROUP_BUG:
  case GROUP_WRONG_USE:
    break;
  }
  return LEVEL_WARNING;
}

const char *tell_ids(Arena *arena, const uint32_t triple[3]) {
  return arena_printf(arena, "(%u,%u,%u)", triple[0], triple[1], triple[2]);
}

static const char *what_is_tolerated(const Tolerated *pair) {
  if (!strcmp(pair->assumption, "seed-reads"))
    return "read and update";
  return strcmp(pair->assumption, "benign-writes") ? "access"
                                                   : "write the same to";
}

const char *tell_tolerated(Arena *arena, const Tolerated *pair) {
  return arena_printf(arena, "threads may %s '%s' at once",
                      what_is_tolerated(pair), pair->array);
}

Remark *remark_add(Arena *arena, Diagnosis *diagnosis, Remark remark) {
  push(arena, &diagnosis->remarks, remark);
  return &diagnosis->remarks.at[diagnosis->remarks.count - 1];
}

void note_add(Arena *arena, Remark *remark, Note note) {
  push(arena, &remark->notes, note);
}

void note_line(Arena *arena, Remark *remark, const char *line) {
  note_add(arena, remark, (Note){.line = line});
}
