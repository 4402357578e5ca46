// The last lines of a batch: how many kernels with which verdict, what took
// longest, what was known.

#define _GNU_SOURCE

#include "plugin/batch.h"

#include <string.h>

static const char *counts(Batch *batch, size_t *kernels) {
  Arena *arena = &batch->task->arena;
  const char *text = "";
  *kernels = 0;
  for (int kind = 0; kind <= VERDICT_ERROR; kind++) {
    const char *name = verdict_name((VerdictKind)kind);
    size_t count = batch->verdicts[kind];
    *kernels += count;
    if (count)
      text = arena_printf(arena, "%s%s%zu %s", text, *text ? ", " : "", count,
                          name);
  }
  return *text ? text : batch_signal() ? "no verdicts yet" : "no kernels";
}

void batch_sum_up(Batch *batch) {
  size_t kernels;
  const char *text = counts(batch, &kernels);
  const char *slowest = database_slowest(batch->task, batch->database);
  printf("%s\n", text);
  printf(
      "%zu kernel%s of %zu file%s in %.1f s: %zu proved, %zu as another, "
      "%zu known before\n",
      kernels, kernels == 1 ? "" : "s", batch->units.count,
      batch->units.count == 1 ? "" : "s",
      clock_seconds() - batch->progress.started, batch->proved, batch->shared,
      batch->cached);
  findings_sum_up(&batch->findings);
  if (*slowest && kernels)
    printf("slowest: %s\n", slowest);
  size_t troubles = database_troubles(batch->database);
  if (troubles)
    printf("%zu file%s without a verdict; see above\n", troubles,
           troubles == 1 ? "" : "s");
  printf("results: %s\n",
         batch->settings->output ? batch->settings->output : "gpuverify.db");
}
