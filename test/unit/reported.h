// What a person and a program read of the last check of test/unit/programs.h:
// the text and the JSON of the barriers' report, one after the other.

#ifndef TEST_UNIT_REPORTED_H
#define TEST_UNIT_REPORTED_H

#include "plugin/plugin.h"
#include "test/unit/programs.h"

// The caller frees it.  Several blocks are a cluster.
static inline char *reported(VerdictKind kind, unsigned blocks) {
  char *text = NULL;
  size_t size;
  BarriersReport barriers = {.file = "dir/k.cu",
                             .kernel = "test",
                             .source = "test",
                             .kind = kind,
                             .block_size = {programs.threads, 1, 1},
                             .grid_size = {blocks, 1, 1},
                             .cluster = {blocks, 1, 1},
                             .programs = &programs,
                             .check = &check};
  ReportStyle style = {0};
  FILE *out = open_memstream(&text, &size);
  Arena arena = {0};
  const Diagnosis *diagnosis = diagnose_barriers(&arena, &style, &barriers);
  report_text(out, diagnosis);
  report_json(out, diagnosis);
  fclose(out);
  arena_free(&arena);
  return text;
}

static inline void expect_report(VerdictKind kind, unsigned blocks,
                                 const char *const *lines, size_t count) {
  char *text = reported(kind, blocks);
  for (size_t i = 0; i < count; i++)
    ck_assert_msg(strstr(text, lines[i]), "no '%s' in\n%s", lines[i], text);
  free(text);
}

#endif
