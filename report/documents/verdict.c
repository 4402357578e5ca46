// What verdicts, rules and assumptions are called and mean.

#include "report/documents/documents.h"

#include <string.h>

static const ProblemRule rules[] = {
#define RULE(kind, id, level, title, text, help)                               \
  {kind, id, level, title, text, help},
#include "report/documents/rules.def"
#undef RULE
};

static const struct {
  const char *verdict;
  ResultClass class;
} classes[] = {
#define CLASS(verdict, class) {verdict, CLASS_##class},
#include "report/documents/classes.def"
#undef CLASS
};

static const NamedText assumptions[] = {
#define ASSUMPTION(name, sentence) {name, sentence},
#include "report/documents/assumptions.def"
#undef ASSUMPTION
};

size_t rules_count(void) { return sizeof rules / sizeof *rules; }

const ProblemRule *rule_at(size_t index) { return &rules[index]; }

const ProblemRule *rule_of(const char *kind) {
  const ProblemRule *other = NULL;
  for (size_t i = 0; i < rules_count(); i++) {
    if (!strcmp(rules[i].kind, kind))
      return &rules[i];
    if (!strcmp(rules[i].kind, "failed"))
      other = &rules[i];
  }
  return other;
}

ResultClass class_of(const char *verdict, bool has_problems) {
  for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
    if (!strcmp(classes[i].verdict, verdict))
      return classes[i].class;
  return has_problems ? CLASS_BUG : CLASS_OPEN;
}

const char *assumption_text(const char *name) {
  for (size_t i = 0; i < sizeof assumptions / sizeof *assumptions; i++)
    if (!strcmp(assumptions[i].name, name))
      return assumptions[i].value;
  return NULL;
}

const char *verdict_text(Arena *arena, const KernelRecord *record) {
  bool is_confirmed = false, is_proof = !strcmp(record->technique, "proof") ||
                                        !strcmp(record->technique, "barriers");
  for (size_t i = 0; i < record->alarms.count; i++)
    is_confirmed |= record->alarms.at[i].is_confirmed;
  if (record->class != CLASS_BUG || !is_proof)
    return record->verdict;
  return arena_printf(arena, "%s (%s)", record->verdict,
                      is_confirmed ? "confirmed" : "possible");
}
