// What each lane knows, for programs with mbarriers or asynchronous copies.
//
// A lane that waits for an mbarrier learns something that the other lanes of
// its warp do not, so here each lane has a vector clock of its own, with a
// number for each thread of the block; the times are still those of the warps.
// A row has more: how many generations of each barrier and phases of each
// mbarrier are over, and up to which command the copies of each thread have
// been made.  All of this is handed on in the same way.
//
// Lanes that know the same share a row, so what a warp does as a whole costs
// one row and not 32.  A row that somebody holds is not changed any more,
// unless it is being published.  A lane knows its own past without a row; in
// lock step the past of a lane is that of its warp.

#include "barriers/programs/check.h"

#include <assert.h>
#include <string.h>

struct Row {
  Row *next; // of the spare ones
  uint32_t users;
  uint32_t at[];
};

struct Clocks {
  Task *task;
  const Programs *programs;
  // Where these begin in a row; three of them only with bulk copies, the last
  // one only with fences for what initialises mbarriers.
  size_t over, phases, copies, bulks, fenced, seen, swept, inits, columns;
  bool has_bulks, has_inits;
  uint32_t now[MOST_WARPS];
  uint32_t live[MOST_WARPS]; // lanes
  Row *known[MOST_WARPS][WARP];
  uint32_t copied[MOST_WARPS][WARP]; // own copies before this command are made
  uint32_t bulked[MOST_WARPS][WARP]; // ... and own bulk copies
  uint32_t fenced_at[MOST_WARPS][WARP]; // times of own proxy fences
  uint32_t swept_to[MOST_WARPS][WARP];  // copies before this command are made
                                        // and fenced
  uint32_t inits_at[MOST_WARPS][WARP];  // ... and of fences of own mbarriers
  Row *met[MOST_WARPS]; // what each warp has published at barriers
  Row *published[ALL_BARRIERS];
  uint32_t waiting[ALL_BARRIERS]; // sets of warps
  uint32_t generation[ALL_BARRIERS];
  Row *spare;
};

// ------------------------------------------------------------------ rows ---

static size_t row_bytes(const Clocks *clocks) {
  return sizeof(Row) + clocks->columns * sizeof(uint32_t);
}

static Row *row_new(Clocks *clocks) {
  Row *row = clocks->spare;
  if (row)
    clocks->spare = row->next;
  else
    row = arena_alloc(&clocks->task->arena, row_bytes(clocks));
  memset(row, 0, row_bytes(clocks));
  row->users = 1;
  return row;
}

void clocks_release(Clocks *clocks, Row **row) {
  if (*row && !--(*row)->users) {
    (*row)->next = clocks->spare;
    clocks->spare = *row;
  }
  *row = NULL;
}

static void assign(Clocks *clocks, Row **to, Row *row) {
  row->users++;
  clocks_release(clocks, to);
  *to = row;
}

static void raise(uint32_t *number, uint32_t to) {
  if (*number < to)
    *number = to;
}

static void join(const Clocks *clocks, Row *row, const Row *from) {
  for (size_t i = 0; i < clocks->columns; i++)
    raise(&row->at[i], from->at[i]);
}

bool row_has(const Row *row, unsigned thread, uint32_t time) {
  return row && row->at[thread] >= time;
}

// ----------------------------------------------------------------- lanes ---

Clocks *clocks_new(Task *task, const Programs *programs, size_t mbarriers) {
  unsigned warps = programs_warps(programs);
  Clocks *clocks = NEW(&task->arena, Clocks);
  clocks->task = task;
  clocks->programs = programs;
  clocks->over = (size_t)warps * WARP;
  clocks->phases = clocks->over + programs_barriers(programs);
  clocks->copies = clocks->phases + mbarriers;
  size_t threads = (size_t)warps * WARP;
  clocks->bulks = clocks->copies + threads;
  clocks->fenced = clocks->bulks + threads;
  clocks->seen = clocks->fenced + threads;
  clocks->has_bulks = has_bulks(programs);
  clocks->has_inits = has_init_fences(programs);
  clocks->swept = clocks->seen + threads;
  clocks->inits = clocks->has_bulks ? clocks->swept + threads : clocks->bulks;
  clocks->columns = clocks->inits + (clocks->has_inits ? threads : 0);
  Row *nothing = row_new(clocks);
  for (unsigned warp = 0; warp < warps; warp++) {
    clocks->now[warp] = 1;
    clocks->live[warp] = warp_lanes(programs, warp);
    for (unsigned lane = 0; lane < WARP; lane++)
      assign(clocks, &clocks->known[warp][lane], nothing);
  }
  return clocks;
}

uint32_t clocks_now(const Clocks *clocks, unsigned warp) {
  return clocks->now[warp];
}

void clocks_tick(Clocks *clocks, unsigned warp) { clocks->now[warp]++; }

// Those that know and do the same.
static uint32_t acting(const Clocks *clocks, unsigned warp, uint32_t lanes) {
  if (!clocks->programs->lock_step || !lanes)
    return lanes;
  return warp_lanes(clocks->programs, warp);
}

static Row *ready(Clocks *clocks, Row **into) {
  if (!*into)
    *into = row_new(clocks);
  return *into;
}

void clocks_publish(Clocks *clocks, Row **into, unsigned warp, uint32_t lanes) {
  Row *row = ready(clocks, into);
  const Row *last = NULL;
  lanes = acting(clocks, warp, lanes);
  for (uint32_t left = lanes; left; left &= left - 1) {
    unsigned lane = (unsigned)__builtin_ctz(left);
    size_t thread = warp * WARP + lane;
    if (clocks->known[warp][lane] != last)
      join(clocks, row, clocks->known[warp][lane]);
    last = clocks->known[warp][lane];
    row->at[thread] = clocks->now[warp];
    raise(&row->at[clocks->copies + thread], clocks->copied[warp][lane]);
    if (!clocks->has_bulks)
      continue;
    raise(&row->at[clocks->bulks + thread], clocks->bulked[warp][lane]);
    raise(&row->at[clocks->fenced + thread], clocks->fenced_at[warp][lane]);
    raise(&row->at[clocks->seen + thread], clocks->fenced_at[warp][lane]);
    raise(&row->at[clocks->swept + thread], clocks->swept_to[warp][lane]);
  }
}

void clocks_publish_inits(Clocks *clocks, Row **into, unsigned warp,
                          uint32_t lanes) {
  Row *row = ready(clocks, into);
  for (; lanes && clocks->has_inits; lanes &= lanes - 1) {
    unsigned lane = (unsigned)__builtin_ctz(lanes);
    raise(&row->at[clocks->inits + warp * WARP + lane],
          clocks->inits_at[warp][lane]);
  }
}

void clocks_publish_copies(Clocks *clocks, Row **into, unsigned warp,
                           uint32_t lanes, uint32_t command) {
  Row *row = ready(clocks, into);
  for (; lanes; lanes &= lanes - 1) {
    size_t thread = warp * WARP + (size_t)__builtin_ctz(lanes);
    raise(&row->at[clocks->copies + thread], command);
  }
}

// The lanes that share the row of the first.
static uint32_t sharing(const Clocks *clocks, unsigned warp, uint32_t lanes) {
  const Row *row = clocks->known[warp][__builtin_ctz(lanes)];
  uint32_t group = 0;
  for (uint32_t left = lanes; left; left &= left - 1)
    if (clocks->known[warp][__builtin_ctz(left)] == row)
      group |= left & -left;
  return group;
}

static void assign_all(Clocks *clocks, unsigned warp, uint32_t lanes,
                       Row *row) {
  for (; lanes; lanes &= lanes - 1)
    assign(clocks, &clocks->known[warp][__builtin_ctz(lanes)], row);
}

void clocks_learn(Clocks *clocks, unsigned warp, uint32_t lanes,
                  const Row *from) {
  if (!from)
    return;
  lanes = acting(clocks, warp, lanes);
  while (lanes) {
    uint32_t group = sharing(clocks, warp, lanes);
    Row *row = row_new(clocks);
    join(clocks, row, clocks->known[warp][__builtin_ctz(lanes)]);
    join(clocks, row, from);
    assign_all(clocks, warp, group, row);
    clocks_release(clocks, &row);
    lanes &= ~group;
  }
}

void clocks_turn_over(Clocks *clocks, Row **coming, Row **come, size_t mbarrier,
                      uint32_t over) {
  ready(clocks, coming)->at[clocks->phases + mbarrier] = over;
  clocks_release(clocks, come);
  *come = *coming;
  *coming = NULL;
}

void clocks_sync_lanes(Clocks *clocks, unsigned warp, uint32_t lanes) {
  Row *row = NULL;
  lanes = acting(clocks, warp, lanes);
  clocks_publish(clocks, &row, warp, lanes);
  assign_all(clocks, warp, lanes, row);
  clocks_release(clocks, &row);
  clocks_tick(clocks, warp);
}

// Whoever waits has published what it knows.
static void complete(Clocks *clocks, unsigned barrier) {
  Row **row = &clocks->published[barrier];
  (*row)->at[clocks->over + barrier] = ++clocks->generation[barrier];
  for (uint32_t left = clocks->waiting[barrier]; left; left &= left - 1) {
    unsigned warp =
        first_warp(clocks->programs, barrier) + (unsigned)__builtin_ctz(left);
    assign_all(clocks, warp, acting(clocks, warp, clocks->live[warp]), *row);
  }
  clocks_release(clocks, row);
  clocks->waiting[barrier] = 0;
}

// The warp comes as a whole, behind all barriers that it has met: also what
// lanes did before these that have exited since.
void clocks_meet(Clocks *clocks, Turn turn, const Command *command) {
  unsigned barrier = command->barrier;
  Row **met = &clocks->met[turn.warp];
  clocks_publish(clocks, met, turn.warp, clocks->live[turn.warp]);
  join(clocks, ready(clocks, &clocks->published[barrier]), *met);
  clocks_tick(clocks, turn.warp);
  if (is_waiting(command->kind))
    clocks->waiting[barrier] |= warp_bit(clocks->programs, turn.warp);
  if (turn.completes)
    complete(clocks, barrier);
}

void clocks_exit(Clocks *clocks, unsigned warp, uint32_t lanes) {
  clocks->live[warp] &= ~lanes;
}

uint32_t clocks_living(const Clocks *clocks, unsigned warp, uint32_t lanes) {
  return clocks->live[warp] & lanes;
}

void clocks_copied(Clocks *clocks, unsigned warp, uint32_t lanes,
                   uint32_t command) {
  for (; lanes; lanes &= lanes - 1)
    raise(&clocks->copied[warp][__builtin_ctz(lanes)], command);
}

void clocks_bulks_done(Clocks *clocks, unsigned warp, uint32_t lanes,
                       uint32_t command) {
  for (; lanes; lanes &= lanes - 1)
    raise(&clocks->bulked[warp][__builtin_ctz(lanes)], command);
}

void clocks_fence_inits(Clocks *clocks, unsigned warp, uint32_t lanes) {
  for (; lanes; lanes &= lanes - 1)
    clocks->inits_at[warp][__builtin_ctz(lanes)] = clocks->now[warp];
  clocks_tick(clocks, warp);
}

// Each lane for its own writes, and for those that it knows of, in lock step
// those of its warp, too: `seen` has these, and `swept` the copies.
void clocks_fence(Clocks *clocks, unsigned warp, uint32_t lanes) {
  size_t threads = clocks->bulks - clocks->copies;
  uint32_t knowing = acting(clocks, warp, lanes);
  uint32_t past = clocks->programs->lock_step ? knowing : 0;
  for (uint32_t left = knowing; left;) {
    uint32_t group = sharing(clocks, warp, left);
    Row *row = row_new(clocks);
    join(clocks, row, clocks->known[warp][__builtin_ctz(left)]);
    for (size_t thread = 0; thread < threads; thread++) {
      raise(&row->at[clocks->seen + thread], row->at[thread]);
      raise(&row->at[clocks->swept + thread], row->at[clocks->copies + thread]);
    }
    for (uint32_t own = past; own; own &= own - 1)
      raise(&row->at[clocks->seen + warp * WARP + (size_t)__builtin_ctz(own)],
            clocks->now[warp]);
    assign_all(clocks, warp, group, row);
    clocks_release(clocks, &row);
    left &= ~group;
  }
  for (; lanes; lanes &= lanes - 1) {
    unsigned lane = (unsigned)__builtin_ctz(lanes);
    clocks->fenced_at[warp][lane] = clocks->now[warp];
    clocks->swept_to[warp][lane] = clocks->copied[warp][lane];
  }
  clocks_tick(clocks, warp);
}

// ------------------------------------------------------------- questions ---

uint32_t clocks_unordered(const Clocks *clocks, unsigned of, uint32_t lanes,
                          uint32_t time, unsigned warp, unsigned lane) {
  const Row *row = clocks->known[warp][lane];
  uint32_t unordered = 0;
  if (of == warp)
    lanes &= ~acting(clocks, warp, (uint32_t)1 << lane);
  for (; lanes; lanes &= lanes - 1)
    if (!row_has(row, of * WARP + (unsigned)__builtin_ctz(lanes), time))
      unordered |= lanes & -lanes;
  return unordered;
}

uint32_t clocks_uninitialised(const Clocks *clocks, unsigned of, uint32_t lanes,
                              uint32_t time, unsigned warp, unsigned lane) {
  const Row *row = clocks->known[warp][lane];
  lanes = clocks_unordered(clocks, of, lanes, time, warp, lane);
  for (uint32_t left = clocks->has_inits ? lanes : 0; left; left &= left - 1)
    if (row->at[clocks->inits + of * WARP + (size_t)__builtin_ctz(left)] >=
        time)
      lanes &= ~(left & -left);
  return lanes;
}

// Of `lanes` of warp `of`, those whose copy with this command may not be made:
// known of them is what lies from `column` on, and of itself what `own` says.
static uint32_t unmade(const Clocks *clocks, size_t column,
                       const uint32_t own[WARP], unsigned of, uint32_t lanes,
                       uint32_t command, unsigned warp, unsigned lane) {
  const uint32_t *made = &clocks->known[warp][lane]->at[column + of * WARP];
  uint32_t self = of == warp ? acting(clocks, warp, (uint32_t)1 << lane) : 0;
  uint32_t left = 0;
  for (; lanes; lanes &= lanes - 1) {
    unsigned other = (unsigned)__builtin_ctz(lanes);
    bool is_made =
        command < made[other] || (self >> other & 1 && command < own[other]);
    if (!is_made)
      left |= lanes & -lanes;
  }
  return left;
}

uint32_t clocks_uncopied(const Clocks *clocks, unsigned of, uint32_t lanes,
                         uint32_t command, unsigned warp, unsigned lane) {
  return unmade(clocks, clocks->copies, clocks->copied[of], of, lanes, command,
                warp, lane);
}

uint32_t clocks_unswept(const Clocks *clocks, unsigned of, uint32_t lanes,
                        uint32_t command, unsigned warp, unsigned lane) {
  return unmade(clocks, clocks->swept, clocks->swept_to[of], of, lanes, command,
                warp, lane);
}

uint32_t clocks_unfinished(const Clocks *clocks, unsigned of, uint32_t lanes,
                           uint32_t command, unsigned warp, unsigned lane) {
  return unmade(clocks, clocks->bulks, clocks->bulked[of], of, lanes, command,
                warp, lane);
}

// `column`: whose fences count.
static uint32_t unfenced(const Clocks *clocks, size_t column, unsigned of,
                         uint32_t lanes, uint32_t time, unsigned warp,
                         unsigned lane) {
  const uint32_t *fenced = &clocks->known[warp][lane]->at[column + of * WARP];
  uint32_t own = of == warp ? acting(clocks, warp, (uint32_t)1 << lane) : 0;
  uint32_t missing = 0;
  for (; lanes; lanes &= lanes - 1) {
    unsigned other = (unsigned)__builtin_ctz(lanes);
    bool is_fenced = time <= fenced[other] ||
                     (own >> other & 1 && time <= clocks->fenced_at[of][other]);
    if (!is_fenced)
      missing |= lanes & -lanes;
  }
  return missing;
}

uint32_t clocks_unfenced(const Clocks *clocks, unsigned of, uint32_t lanes,
                         uint32_t time, unsigned warp, unsigned lane) {
  return unfenced(clocks, clocks->fenced, of, lanes, time, warp, lane);
}

uint32_t clocks_never_fenced(const Clocks *clocks, unsigned of, uint32_t lanes,
                             uint32_t time, unsigned warp, unsigned lane) {
  return unfenced(clocks, clocks->seen, of, lanes, time, warp, lane);
}

// The last of its lanes to come knows what any of them does.
uint32_t clocks_generations(const Clocks *clocks, unsigned warp,
                            unsigned barrier) {
  uint32_t most = 0;
  uint32_t lanes = acting(clocks, warp, clocks->live[warp]);
  for (; lanes; lanes &= lanes - 1)
    raise(
        &most,
        clocks->known[warp][__builtin_ctz(lanes)]->at[clocks->over + barrier]);
  return most;
}

uint32_t row_phases(const Clocks *clocks, const Row *row, size_t mbarrier) {
  return row->at[clocks->phases + mbarrier];
}

uint32_t clocks_phases(const Clocks *clocks, unsigned warp, unsigned lane,
                       size_t mbarrier) {
  return clocks->known[warp][lane]->at[clocks->phases + mbarrier];
}
