// For those who make a diagnosis of an answer: how it grows.

#ifndef REPORT_TELL_H
#define REPORT_TELL_H

#include "report/report.h"

// ----------------------------------------------------------- diagnosis.c ---

// Text that is put together piece by piece.
typedef struct Sheet {
  FILE *out;
  char *text;
  size_t size;
} Sheet;

void sheet_open(Sheet *sheet);
// The text, in the arena.
const char *sheet_close(Arena *arena, Sheet *sheet);

// "k.cu:4:3", or `file` alone.
const char *tell_place(Arena *arena, Loc loc, const char *file);
Level tell_level(VerdictKind kind);
const char *tell_ids(Arena *arena, const uint32_t triple[3]); // "(1,0,0)"
// "threads may write the same to 'a' at once"
const char *tell_tolerated(Arena *arena, const Tolerated *pair);

// Joins those told so far; it stays there until the next one.
Remark *remark_add(Arena *arena, Diagnosis *diagnosis, Remark remark);
void note_add(Arena *arena, Remark *remark, Note note);
// One that is a line and nothing else.
void note_line(Arena *arena, Remark *remark, const char *line);

#endif
