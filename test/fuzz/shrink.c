// The smallest program that is still wrong, by taking away one thing at a
// time until nothing can go: steps (or what is around their bodies), then
// expressions (for an operand, or zero).

#include "test/fuzz/fuzz.h"

typedef struct Shrinker {
  FuzzProgram *program;
  bool (*is_bad)(FuzzProgram *, void *);
  void *data;
} Shrinker;

static bool still_bad(Shrinker *s) { return s->is_bad(s->program, s->data); }

// Tries `in` with the one step at `at` replaced by `instead`.
static bool try_steps(Shrinker *s, StepSlot slot, const FuzzSteps *instead) {
  Arena *arena = s->program->arena;
  FuzzSteps before = *slot.in, after = {0};
  for (size_t i = 0; i < before.count; i++) {
    if (i != slot.at) {
      push(arena, &after, before.at[i]);
      continue;
    }
    for (size_t j = 0; j < instead->count; j++)
      push(arena, &after, instead->at[j]);
  }
  *slot.in = after;
  if (still_bad(s))
    return true;
  *slot.in = before;
  return false;
}

static bool shrink_a_step(Shrinker *s, StepSlot slot) {
  FuzzStep *step = slot.in->at[slot.at];
  static const FuzzSteps nothing;
  if (try_steps(s, slot, &nothing))
    return true;
  if (step->body.count && step->kind != STEP_SWITCH &&
      try_steps(s, slot, &step->body))
    return true;
  return step->other.count && try_steps(s, slot, &step->other);
}

static bool try_term(Shrinker *s, FuzzTerm **slot, FuzzTerm *instead) {
  FuzzTerm *before = *slot;
  if (!instead || instead == before)
    return false;
  *slot = instead;
  if (still_bad(s))
    return true;
  *slot = before;
  return false;
}

static bool shrink_a_term(Shrinker *s, FuzzTerm **slot) {
  FuzzTerm *term = *slot;
  if (term->kind == TERM_NUMBER)
    return false;
  if (try_term(s, slot, term_number(s->program, 0)) ||
      try_term(s, slot, term_number(s->program, 1)))
    return true;
  for (unsigned i = 0; i < 3; i++)
    if (try_term(s, slot, term->args[i]))
      return true;
  return false;
}

static bool shrink_once(Shrinker *s) {
  StepSlots steps = {0};
  TermSlots terms = {0};
  program_slots(s->program, &steps, &terms);
  for (size_t i = 0; i < steps.count; i++)
    if (shrink_a_step(s, steps.at[i]))
      return true;
  for (size_t i = 0; i < terms.count; i++)
    if (shrink_a_term(s, terms.at[i]))
      return true;
  return false;
}

void shrink(FuzzProgram *program, bool (*is_bad)(FuzzProgram *, void *),
            void *data) {
  Shrinker shrinker = {program, is_bad, data};
  while (shrink_once(&shrinker))
    ;
}
