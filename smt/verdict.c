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
