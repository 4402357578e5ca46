// Many races, looked for along one execution.
//
// Most races are seen where one lane waits before its access and the others go
// on until the second lane is before its own.  Up to the first of the two that
// execution is the plain one, and all such findings share it: so it is made
// once, a tour.  Where it comes to an access that a finding tells of, its state
// is put aside, it goes on with both lanes held, and is then taken up again
// where it was.  A detour ends soon, so a hundred findings in a program of a
// thousand barriers cost little more than one.
//
// What is not seen so is left to replay.c, and so are copies, which are held at
// their end, and programs with mbarriers, which have more of a state.

#include "barriers/programs/replay.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// An access that a finding tells of.
typedef struct Sight {
  unsigned warp;
  uint32_t command;
  size_t finding;
} Sight;

typedef struct Aside {
  Crew *crews;
  NamedBarrier *barriers;
  Ring ready;
  unsigned running;
  unsigned free_registers[MOST_BLOCKS];
  uint64_t commands, left;
  size_t legs;
  Leg leg; // the last one
} Aside;

struct Tour {
  Check *check;
  uint64_t *left;    // steps for all detours
  Vec(Sight) sights; // in order
  bool *is_open;     // by finding
  Aside aside;
};

// ----------------------------------------------------------------- sights ---

static int by_command(const void *a, const void *b) {
  const Sight *x = a, *y = b;
  if (x->warp != y->warp)
    return x->warp < y->warp ? -1 : 1;
  if (x->command != y->command)
    return x->command < y->command ? -1 : 1;
  return x->finding < y->finding ? -1 : x->finding > y->finding;
}

// The first from this command of the warp on; behind the last one, the end.
static size_t first_sight(const Tour *tour, unsigned warp, uint32_t command) {
  size_t low = 0, high = tour->sights.count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    Sight sight = {warp, command, 0};
    if (by_command(&tour->sights.at[middle], &sight) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

uint32_t tour_stop(const Tour *tour, unsigned warp, uint32_t from,
                   uint32_t stop) {
  size_t i = first_sight(tour, warp, from);
  if (i == tour->sights.count || tour->sights.at[i].warp != warp ||
      tour->sights.at[i].command >= stop)
    return stop;
  return tour->sights.at[i].command;
}

static bool is_plain(const ReplayState *execution, const Finding *finding) {
  for (unsigned i = 0; i < finding->end_count; i++)
    if (is_copying(
            programs_command(execution->programs, finding->ends[i])->kind))
      return false;
  return finding->kind == FINDING_RACE &&
         can_conflict(execution, finding->ends[0], finding->ends[1]);
}

static void find_sights(ReplayState *execution, Tour *tour) {
  Arena *arena = &execution->task->arena;
  size_t count = tour->check->findings.count;
  tour->is_open = arena_alloc(arena, count);
  for (size_t i = 0; i < count; i++) {
    const Finding *finding = &tour->check->findings.at[i];
    tour->is_open[i] = is_plain(execution, finding);
    for (unsigned k = 0; k < 2 && tour->is_open[i]; k++)
      push(arena, &tour->sights,
           ((Sight){finding->ends[k].warp, finding->ends[k].command, i}));
  }
  if (tour->sights.count)
    qsort(tour->sights.at, tour->sights.count, sizeof *tour->sights.at,
          by_command);
}

// ---------------------------------------------------------------- detours ---

static void put_aside(const ReplayState *execution, Aside *aside) {
  const Programs *programs = execution->programs;
  size_t legs = execution->legs.count;
  assert(!execution->landings.count);
  memcpy(aside->crews, execution->crews,
         programs_warps(programs) * sizeof(Crew));
  memcpy(aside->barriers, execution->barriers,
         programs_barriers(programs) * sizeof(NamedBarrier));
  memcpy(aside->free_registers, execution->free_registers,
         sizeof aside->free_registers);
  aside->ready = execution->ready;
  aside->running = execution->running;
  aside->commands = execution->commands;
  aside->left = execution->left;
  aside->legs = legs;
  if (legs)
    aside->leg = execution->legs.at[legs - 1];
}

static void take_up(ReplayState *execution, const Aside *aside) {
  const Programs *programs = execution->programs;
  memcpy(execution->crews, aside->crews,
         programs_warps(programs) * sizeof(Crew));
  memcpy(execution->barriers, aside->barriers,
         programs_barriers(programs) * sizeof(NamedBarrier));
  memcpy(execution->free_registers, aside->free_registers,
         sizeof aside->free_registers);
  execution->ready = aside->ready;
  execution->running = aside->running;
  execution->commands = aside->commands;
  execution->left = aside->left;
  execution->legs.count = aside->legs;
  if (aside->legs)
    execution->legs.at[aside->legs - 1] = aside->leg;
  execution->is_met = execution->is_wrong = execution->is_stopped = false;
}

static void detour(ReplayState *execution, Tour *tour, size_t number) {
  Finding *finding = &tour->check->findings.at[number];
  Quest quest = {.execution = execution,
                 .finding = finding,
                 .x = finding->ends[0],
                 .y = finding->ends[1]};
  Goal goal = execution->goal;
  void *data = execution->data;
  tour->is_open[number] = false;
  put_aside(execution, &tour->aside);
  if (execution->left > *tour->left)
    execution->left = *tour->left;
  *tour->left -= execution->left;
  execution->tour = NULL;
  execution->goal = goal_both;
  execution->data = &quest;
  quest_hold_both(&quest);
  execution_resume(execution);
  if (execution->is_met)
    quest_tell(&quest, finding);
  *tour->left += execution->left;
  execution->holds.count = 0;
  execution->tour = tour;
  execution->goal = goal;
  execution->data = data;
  take_up(execution, &tour->aside);
}

// The party stands before a command that some findings tell of.
void tour_visit(ReplayState *execution, unsigned warp, Party party) {
  Tour *tour = execution->tour;
  for (size_t i = first_sight(tour, warp, party.at);
       i < tour->sights.count && tour->sights.at[i].warp == warp &&
       tour->sights.at[i].command == party.at;
       i++)
    if (tour->is_open[tour->sights.at[i].finding])
      detour(execution, tour, tour->sights.at[i].finding);
}

void replay_tour(ReplayState *execution, Check *check, uint64_t *left) {
  Arena *arena = &execution->task->arena;
  const Programs *programs = execution->programs;
  Tour tour = {.check = check, .left = left};
  if (execution->unknown || execution->fresh.count)
    return;
  find_sights(execution, &tour);
  if (!tour.sights.count)
    return;
  tour.aside.crews =
      arena_alloc(arena, programs_warps(programs) * sizeof(Crew));
  tour.aside.barriers =
      arena_alloc(arena, programs_barriers(programs) * sizeof(NamedBarrier));
  execution->left = MOST_OF_ONE;
  execution->tour = &tour;
  execution->goal = NULL;
  execution->policy = (Policy){.is_late = false};
  execution_run(execution);
  execution->tour = NULL;
}
