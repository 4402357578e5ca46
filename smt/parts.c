// What the obligations of a kernel are about: each array, barrier, assertion.
//
// Once there is a problem, each of them still gets some effort of its own, so
// that a report can say what of the rest is proved, and one array that is hard
// does not take it from the others.
//
// A proof takes assertions, invariants and barriers that others prove for
// granted: where one of them fails, or is not decided, nothing is said to be
// proved.

#include "smt/smt.h"

static const void *key_of(const Obligation *obligation) {
  const Stmt *stmt = obligation->first;
  if (stmt && stmt->kind == STMT_ACCESS)
    return stmt->access.array;
  return stmt ? (const void *)stmt : obligation->loop;
}

static Part new_part(const Obligation *obligation) {
  const Stmt *stmt = obligation->first;
  bool is_access = stmt && stmt->kind == STMT_ACCESS;
  return (Part){.name = is_access ? stmt->access.array->name : NULL,
                .where = stmt               ? stmt->loc
                         : obligation->loop ? obligation->loop->loc
                                            : (Loc){0},
                .kind = VERDICT_VERIFIED};
}

static size_t index_of(PartEfforts *parts, const Obligation *obligation) {
  const void *key = key_of(obligation);
  for (size_t i = 0; i < parts->each.count; i++)
    if (parts->each.at[i].key == key)
      return i;
  push(&parts->task->arena, &parts->each, ((PartEffort){key, 0}));
  push(&parts->task->arena, &parts->verdict->parts, new_part(obligation));
  return parts->each.count - 1;
}

void parts_worsen(PartEfforts *parts, const Obligation *obligation,
                  VerdictKind kind) {
  size_t i = index_of(parts, obligation);
  Part *part = &parts->verdict->parts.at[i];
  if (verdict_is_worse(kind, part->kind))
    part->kind = kind;
}

static bool is_ground_proved(const Verdict *verdict) {
  for (size_t i = 0; i < verdict->problems.count; i++)
    if (verdict->problems.at[i].kind != VERDICT_RACY)
      return false;
  for (size_t i = 0; i < verdict->parts.count; i++)
    if (!verdict->parts.at[i].name &&
        verdict_is_worse(verdict->parts.at[i].kind, VERDICT_SUPPRESSED))
      return false;
  return true;
}

void parts_settle(Verdict *verdict) {
  bool is_proved = is_ground_proved(verdict);
  for (size_t i = 0; i < verdict->parts.count; i++)
    if (!is_proved && verdict->parts.at[i].kind == VERDICT_VERIFIED)
      verdict->parts.at[i].kind = VERDICT_UNKNOWN;
}

void parts_spend(PartEfforts *parts, const Obligation *obligation,
                 double effort) {
  size_t i = index_of(parts, obligation);
  if (parts->verdict->problems.count)
    parts->each.at[i].effort += effort;
}

double parts_effort(PartEfforts *parts, const Obligation *obligation) {
  size_t i = index_of(parts, obligation);
  return parts->each.at[i].effort;
}
