// Kernels without a verdict, in words: the first few by name.

#include "report/tell.h"

enum { MOST_NAMED = 8 };

const char *kernels_left_text(Arena *arena, const KernelsLeft *left) {
  size_t named = left->count > MOST_NAMED ? MOST_NAMED : left->count;
  Sheet sheet;
  sheet_open(&sheet);
  fprintf(sheet.out, "%zu kernel%s", left->count, left->count == 1 ? "" : "s");
  for (size_t i = 0; i < named; i++)
    fprintf(sheet.out, "%s '%s'", i ? "," : ":", left->at[i].source);
  if (left->count > named)
    fprintf(sheet.out, " and %zu more", left->count - named);
  return sheet_close(arena, &sheet);
}

const Diagnosis *diagnose_left_out(Arena *arena, const KernelsLeft *left) {
  const char *text =
      arena_printf(arena, "not looked at: %s: %s",
                   kernels_left_text(arena, left), FILE_TIME_IS_OVER);
  Diagnosis *diagnosis = NEW(arena, Diagnosis);
  *diagnosis =
      (Diagnosis){.file = left->file,
                  .verdict = "unknown",
                  .level = LEVEL_DOUBT,
                  .detail = arena_printf(arena, "%zu kernels", left->count)};
  remark_add(arena, diagnosis,
             (Remark){.level = LEVEL_DOUBT,
                      .naming = NAMES_FILE,
                      .sentence = text,
                      .there = arena_printf(arena, "gpuverify: %s", text)});
  return diagnosis;
}
