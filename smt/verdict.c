// The names, groups and order of verdicts, for all who report one, also
// without a solver.

#include "smt/smt.h"

#include <assert.h>

typedef struct VerdictRow {
  const char *name;
  VerdictGroup group;
} VerdictRow;

static const VerdictRow rows[] = {
#define VERDICT(kind, name, group) {name, GROUP_##group},
#include "smt/verdicts.def"
#undef VERDICT
};

static const VerdictRow *row_of(VerdictKind kind) {
  assert(kind < sizeof rows / sizeof *rows);
  return &rows[kind];
}

const char *verdict_name(VerdictKind kind) { return row_of(kind)->name; }

VerdictGroup verdict_group(VerdictKind kind) { return row_of(kind)->group; }

bool verdict_is_worse(VerdictKind a, VerdictKind b) { return a > b; }

bool verdict_is_confirmed(const Verdict *verdict) {
  for (size_t i = 0; i < verdict->problems.count; i++)
    if (verdict->problems.at[i].is_confirmed)
      return true;
  return false;
}

// Keeps the order among those that were and those that were not.
void verdict_confirmed_first(Task *task, Verdict *verdict) {
  Verdict sorted = {0};
  for (int is_confirmed = 1; is_confirmed >= 0; is_confirmed--)
    for (size_t i = 0; i < verdict->problems.count; i++)
      if (verdict->problems.at[i].is_confirmed == is_confirmed)
        push(&task->arena, &sorted.problems, verdict->problems.at[i]);
  for (size_t i = 0; i < verdict->problems.count; i++)
    verdict->problems.at[i] = sorted.problems.at[i];
}
