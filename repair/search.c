// The search for a change.
//
// Candidates are tried in their order, each alone, and the first one under
// which the kernel is verified, and which nothing speaks against, is the
// proposal.  If none suffices, those that left the least to mend are kept one
// after the other, and the search goes on from what they left.  From what was
// found then goes whatever it can do without.  GPURepair (Joshi et al., TACAS
// 2021) asks a MaxSAT solver for the cheapest set of barriers that hits all
// failures seen so far; kernels lack one or two, and for these trying them in
// order is as good.

#include "repair/repair.h"

#include <string.h>

enum { MOST_CHANGES = 4, MOST_TRIED = 150, MOST_KEPT = 3 };

typedef struct Search {
  Arena *arena;
  const Places *places;
  const char *kernel;
  const Prover *prover;
  Proposal proposal;
  const char *rests;   // the change that needs one assumption more
  const char *refused; // why one that mends it is none
  bool has_candidates;
} Search;

// What was kept so far, and what is left to mend.
typedef struct State {
  Candidates changes;
  Failures failures;
} State;

static Edits edits_of(Arena *arena, const Candidates *changes) {
  Edits edits = {0};
  for (size_t i = 0; i < changes->count; i++)
    edits_add(arena, &edits, &changes->at[i].edits);
  edits_sort(&edits);
  return edits;
}

static ChangeResult ask(Search *search, const Candidates *changes) {
  Edits edits = edits_of(search->arena, changes);
  if (edits_collide(&edits))
    return (ChangeResult){.kind = CHANGE_INVALID};
  search->proposal.tried++;
  return search->prover->ask(search->prover->data, &edits);
}

static Candidates with(Arena *arena, const Candidates *changes,
                       const Candidate *one) {
  Candidates all = {0};
  for (size_t i = 0; i < changes->count; i++)
    push(arena, &all, changes->at[i]);
  push(arena, &all, *one);
  return all;
}

static Candidates without(Arena *arena, const Candidates *changes, size_t one) {
  Candidates all = {0};
  for (size_t i = 0; i < changes->count; i++)
    if (i != one)
      push(arena, &all, changes->at[i]);
  return all;
}

// ------------------------------------------------------------- proposals ---

static Candidates minimal(Search *search, Candidates changes) {
  for (size_t i = 0; changes.count > 1 && i < changes.count;) {
    Candidates fewer = without(search->arena, &changes, i);
    if (ask(search, &fewer).kind == CHANGE_VERIFIED)
      changes = fewer;
    else
      i++;
  }
  return changes;
}

static bool propose(Search *search, const Candidates *changes) {
  Proposal *proposal = &search->proposal;
  Candidates needed = minimal(search, *changes);
  Edits edits = edits_of(search->arena, &needed);
  const char *why = search->prover->refuse(search->prover->data, &edits);
  if (why) {
    search->refused = search->refused ? search->refused : why;
    return false;
  }
  proposal->is_found = true;
  proposal->changes = needed;
  proposal->edits = edits;
  return true;
}

// ---------------------------------------------------------------- levels ---

// How much there is to mend.
static unsigned weight(const Failures *failures) {
  enum { RACE = 1, OTHERS = 3 };
  unsigned sum = 0;
  for (size_t i = 0; i < failures->count; i++)
    sum += failures->at[i].kind == FAILURE_RACE ? RACE : OTHERS;
  return sum;
}

typedef Vec(State) States; // the least to mend first

static bool is_of_grid(const State *state) {
  for (size_t i = 0; i < state->changes.count; i++)
    if (state->changes.at[i].is_of_grid)
      return true;
  return false;
}

// What orders more has more to go on with.
static bool is_better(const State *a, const State *b) {
  unsigned weights[2] = {weight(&a->failures), weight(&b->failures)};
  return weights[0] != weights[1] ? weights[0] < weights[1]
                                  : is_of_grid(a) && !is_of_grid(b);
}

static void keep(Search *search, States *states, const Candidates *changes,
                 const Failures *failures) {
  push(search->arena, states, ((State){*changes, *failures}));
  for (size_t i = states->count - 1;
       i > 0 && is_better(&states->at[i], &states->at[i - 1]); i--) {
    State one = states->at[i];
    states->at[i] = states->at[i - 1];
    states->at[i - 1] = one;
  }
}

static void note_rest(Search *search, const Candidate *change,
                      const char *name) {
  if (search->rests)
    return;
  Loc place = text_place(&search->places->texts.at[change->file], change->at);
  search->rests = arena_printf(
      search->arena,
      "%s at line %u: this is verified only if '%s' is assumed, on which the "
      "kernel as it is does not rest",
      change->what, place.line, name);
}

static bool is_at_end(const Search *search) {
  return search->proposal.tried >= MOST_TRIED ||
         search->prover->is_over(search->prover->data);
}

// Each candidate on top of the state.  True: one is the proposal.
static bool try_all(Search *search, const State *state, States *left) {
  Candidates all = candidates_for(search->arena, search->places, search->kernel,
                                  &state->failures);
  search->has_candidates |= all.count > 0;
  for (size_t i = 0; i < all.count && !is_at_end(search); i++) {
    Candidates changes = with(search->arena, &state->changes, &all.at[i]);
    ChangeResult result = ask(search, &changes);
    if (result.kind == CHANGE_VERIFIED && propose(search, &changes))
      return true;
    if (result.kind == CHANGE_RESTS)
      note_rest(search, &all.at[i], result.name);
    bool is_first = !state->changes.count;
    if (result.kind == CHANGE_FAILS &&
        weight(&result.failures) < weight(&state->failures) + is_first)
      keep(search, left, &changes, &result.failures);
  }
  return false;
}

static bool descend(Search *search, const State *state) {
  States left = {0};
  if (try_all(search, state, &left))
    return true;
  if (state->changes.count + 1 == MOST_CHANGES)
    return false;
  for (size_t i = 0; i < left.count && i < MOST_KEPT; i++)
    if (descend(search, &left.at[i]))
      return true;
  return false;
}

// --------------------------------------------------------------- reasons ---

static bool are_all_between_blocks(const Failures *failures) {
  for (size_t i = 0; i < failures->count; i++)
    if (!failures->at[i].is_between_blocks)
      return false;
  return failures->count > 0;
}

static bool may_wait_for_grid(const Search *search) {
  const Places *places = search->places;
  for (size_t i = 0; i < places->kernels.count; i++)
    if (!strcmp(places->kernels.at[i].name, search->kernel))
      return grid_may_wait(search->arena, places, &places->kernels.at[i]);
  return false;
}

// A barrier of the grid could help, and is not tried.
static bool lacks_grid(const Search *search, const Failures *failures) {
  bool is_between_blocks = false;
  for (size_t i = 0; i < failures->count; i++)
    is_between_blocks |= failures->at[i].is_between_blocks;
  return is_between_blocks && !search->places->is_opencl &&
         !may_wait_for_grid(search);
}

static const char *reason(Search *search, const Failures *failures) {
  static const char grid[] =
      "one of the grid, for kernels that are launched cooperatively (see "
      "--cooperative)";
  Arena *arena = search->arena;
  bool lacks = lacks_grid(search, failures);
  if (search->prover->is_over(search->prover->data))
    return "the time of the search is used up (see --repair-timeout)";
  if (search->refused)
    return search->refused;
  if (search->rests)
    return search->rests;
  if (are_all_between_blocks(failures) && !may_wait_for_grid(search))
    return arena_printf(arena,
                        "threads of different blocks race, and no barrier "
                        "orders them%s%s",
                        lacks ? " but " : "", lacks ? grid : "");
  if (!search->has_candidates)
    return "there is no place in the source where a change could help";
  return arena_printf(arena,
                      "with none of the %u changes that were tried the kernel "
                      "is verified%s%s",
                      search->proposal.tried,
                      lacks ? "; what orders blocks is " : "",
                      lacks ? grid : "");
}

Proposal repair_search(Arena *arena, const Places *places, const char *kernel,
                       const Failures *failures, const Prover *prover) {
  Search search = {
      .arena = arena, .places = places, .kernel = kernel, .prover = prover};
  State state = {.failures = *failures};
  if (!descend(&search, &state))
    search.proposal.reason = reason(&search, failures);
  return search.proposal;
}
