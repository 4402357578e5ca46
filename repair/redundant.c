// Barriers that a verified kernel can do without.
//
// Each is left out alone first; then those that can go, one more at a time, for
// as long as all is still verified.

#include "repair/repair.h"

typedef struct Thinning {
  Arena *arena;
  const Places *places;
  const Prover *prover;
  Redundancy result;
} Thinning;

static bool is_of(const Places *places, const bool *reached, size_t nest) {
  size_t function = places_function(places, nest);
  for (size_t i = 0; i < places->bodies.count; i++)
    if (places->bodies.at[i].nest == function)
      return reached[i] && places->bodies.at[i].is_users;
  return false;
}

// By a kernel that is not proved, and may need it.
static bool is_shared(const Thinning *thinning, const Action *action) {
  const Places *places = thinning->places;
  const Prover *prover = thinning->prover;
  for (size_t i = 0; i < places->kernels.count; i++) {
    const char *name = places->kernels.at[i].name;
    const bool *reached = places_reached(thinning->arena, places, name);
    if (reached && is_of(places, reached, action->nest) &&
        !prover->is_proved(prover->data, name))
      return true;
  }
  return false;
}

static void collect(Thinning *thinning, const char *kernel) {
  const Places *places = thinning->places;
  const bool *reached = places_reached(thinning->arena, places, kernel);
  for (size_t i = 0; reached && i < places->actions.count; i++)
    if (places->actions.at[i].kind == ACTION_BARRIER &&
        is_of(places, reached, places->actions.at[i].nest))
      push(thinning->arena, &thinning->result.barriers,
           ((Needed){.action = &places->actions.at[i]}));
}

// Is all still verified without the barrier and what `more` leaves out?
static bool can_go(Thinning *thinning, const Action *action, const Edits *more,
                   Edits *edits) {
  const Prover *prover = thinning->prover;
  *edits = (Edits){0};
  edits_add(thinning->arena, edits, more);
  action_drop(thinning->arena, thinning->places, action, edits);
  edits_sort(edits);
  if (prover->is_over(prover->data)) {
    thinning->result.is_over = true;
    return false;
  }
  return !edits_collide(edits) &&
         prover->ask(prover->data, edits).kind == CHANGE_VERIFIED &&
         !prover->refuse(prover->data, edits);
}

Redundancy redundant_search(Arena *arena, const Places *places,
                            const char *kernel, const Prover *prover) {
  Thinning thinning = {.arena = arena, .places = places, .prover = prover};
  Redundancy *result = &thinning.result;
  Edits none = {0}, edits;
  collect(&thinning, kernel);
  for (size_t i = 0; i < result->barriers.count; i++) {
    Needed *one = &result->barriers.at[i];
    one->is_redundant = !is_shared(&thinning, one->action) &&
                        can_go(&thinning, one->action, &none, &edits);
    bool is_first = one->is_redundant && !result->edits.count;
    one->is_left_out =
        is_first || (one->is_redundant &&
                     can_go(&thinning, one->action, &result->edits, &edits));
    if (one->is_left_out)
      result->edits = edits;
  }
  return thinning.result;
}
