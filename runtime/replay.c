// Does it happen?  A race that the prover found, looked for in an execution.
//
// First the kernel runs and the accesses of the two threads at the two places
// are logged.  Of these a pair in one barrier interval is chosen that have a
// byte in common.  Then it runs again: each of the two threads is held before
// its access while all others go on.  If both are held at once, nothing orders
// them, and that is a race.  Both orders are then executed, each in a process
// of its own, to see what difference they make.
//
// Inputs that the prover knows are given: sizes, scalars, and what a thread
// read from an array, where it is the first to look there.  Of the rest of the
// memory several contents are tried, and other threads, too, if a run with
// these inputs has a race of other threads at the two places.  Only the blocks
// concerned are executed, for all others may just not have started yet; if
// that is not enough and the grid is small, all of them are.
//
// What is no race, a divergent barrier or a failed assertion, happens or does
// not in such a run.

#define _GNU_SOURCE

#include "runtime/machine/machine.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_THREADS = 4096, MOST_PAIRS = 3, MOST_TRIES = 7 };

// ------------------------------------------------------ inside a process ---

static SiteKind kind_of(AccessKind kind) {
  switch (kind) {
  case ACCESS_READ:
    return SITE_READ;
  case ACCESS_WRITE:
    return SITE_WRITE;
  case ACCESS_ATOMIC:
    return SITE_ATOMIC;
  }
  return SITE_READ;
}

// The two ends of a copy of many bytes are a read and a write.
static SiteKind plain(SiteKind kind) {
  if (kind == SITE_FILL)
    return SITE_WRITE;
  return kind == SITE_FETCH ? SITE_READ : kind;
}

static bool same_loc(Loc a, Loc b) {
  return a.line == b.line && a.column == b.column && a.file && b.file &&
         !strcmp(a.file, b.file);
}

static bool is_thread(const Stop *stop, const Actor *actor) {
  return !memcmp(stop->thread, actor->thread, sizeof stop->thread) &&
         !memcmp(stop->block, actor->block, sizeof stop->block);
}

static bool is_at(const Stop *stop, const Actor *actor, SiteKind kind) {
  return kind_of(stop->kind) == kind && is_thread(stop, actor) &&
         same_loc(stop->loc, machine.run->code->sites.at[actor->site].loc);
}

// What the proof says that this thread reads here becomes what was there from
// the start, unless somebody has been there before.
static void give_hint(Region *region, const Actor *actor, SiteKind kind) {
  const Run *run = machine.run;
  uint64_t word = (uint64_t)(actor->offset + (int64_t)region->before) / 4;
  uint64_t last = word + (actor->bytes - 1) / 4;
  bool is_new = true;
  if (!region->known || run->hint == HINT_NONE)
    return;
  for (; word <= last; word++) {
    is_new &= !(region->known[word / 8] >> word % 8 & 1);
    region->known[word / 8] |= (unsigned char)(1 << word % 8);
  }
  for (size_t i = 0; is_new && kind != SITE_WRITE && i < run->hints.count;
       i++) {
    const Hint *hint = &run->hints.at[i];
    bool is_meant = hint->which == 2
                        ? is_thread(&run->stops[0], actor) ||
                              is_thread(&run->stops[1], actor)
                        : is_thread(&run->stops[hint->which], actor);
    if (!is_meant || hint->bytes != actor->bytes ||
        !same_loc(hint->loc, run->code->sites.at[actor->site].loc))
      continue;
    memcpy(region->at + actor->offset, &hint->value, hint->bytes);
    if (run->hint == HINT_FIRST)
      return;
  }
}

static void log_access(const Region *region, const Actor *actor,
                       unsigned which) {
  Thread *self = machine.self;
  Outcome *outcome = machine.outcome;
  Logged logged = {.which = which,
                   .occurrence = self->executed[which],
                   .interval = self->group->interval,
                   .address = (uintptr_t)region->at + (uint64_t)actor->offset,
                   .bytes = actor->bytes};
  outcome->encounter.reached[which] = true;
  if (outcome->logged_count < MOST_LOGGED)
    outcome->logged[outcome->logged_count++] = logged;
}

static void hold(const Actor *actor, unsigned which) {
  Encounter *encounter = &machine.outcome->encounter;
  machine.held[which] = machine.self;
  encounter->reached[which] = true;
  encounter->actors[which] = *actor;
  machine.is_met = machine.held[!which] != NULL;
  machine_wait(THREAD_HELD);
}

// Of a copy whose thread was held where it writes: it has not been made yet.
static bool is_other_end(const Actor *actor) {
  const Encounter *encounter = &machine.outcome->encounter;
  unsigned which = machine.held[1] == machine.self;
  return machine.run->code->sites.at[actor->site].kind == SITE_FETCH &&
         actor->site == encounter->actors[which].site + 1;
}

static void replay_access(Region *region, const Actor *actor, SiteKind kind) {
  const Run *run = machine.run;
  if (machine.is_met) { // an order: its access is done
    if (!is_other_end(actor))
      machine_wait(THREAD_HELD);
    return;
  }
  give_hint(region, actor, kind);
  if (!run->is_logged && !run->is_stopped)
    return;
  for (unsigned which = 0; which < 2; which++) {
    const Stop *stop = &run->stops[which];
    if (!is_at(stop, actor, kind))
      continue;
    if (run->is_logged)
      log_access(region, actor, which);
    else if (machine.self->executed[which] == stop->occurrence)
      hold(actor, which);
    machine.self->executed[which]++;
  }
}

static const AccessHooks replay_hooks = {.actor = replay_access};

// ---------------------------------------------------------------- orders ---

typedef struct Common {
  char *at;
  uint64_t bytes;
} Common;

static char *address_of(const Actor *actor) {
  const Memory *memory = machine.memory;
  for (unsigned i = 0; i < memory->count; i++)
    if (memory->regions[i].array == actor->array)
      return memory->regions[i].at + actor->offset;
  return NULL;
}

static Common common_bytes(const Encounter *encounter) {
  char *a = address_of(&encounter->actors[0]);
  char *b = address_of(&encounter->actors[1]);
  char *a_end = a + encounter->actors[0].bytes;
  char *b_end = b + encounter->actors[1].bytes;
  char *start = a > b ? a : b, *end = a_end < b_end ? a_end : b_end;
  return (Common){start, start < end ? (uint64_t)(end - start) : 0};
}

static uint64_t contents(Common common) {
  uint64_t value = 0;
  memcpy(&value, common.at, common.bytes < 8 ? common.bytes : 8);
  return value;
}

// A held thread goes on until it has made its access.
static void make_access(unsigned which) {
  machine.self = machine.held[which];
  fiber_switch(&machine.scheduler, &machine.self->fiber);
  machine.self = NULL;
}

static void execute_order(unsigned order, Common common) {
  Encounter *encounter = &machine.outcome->encounter;
  char *first = malloc(common.bytes);
  for (unsigned i = 0; i < 2; i++) {
    unsigned which = order ^ i;
    make_access(which);
    encounter->seen[order][which] = contents(common);
    if (first && !i)
      memcpy(first, common.at, common.bytes);
  }
  encounter->is_same[order] = first && !memcmp(first, common.at, common.bytes);
  encounter->finished[order] = true;
}

static void replay_orders(void) {
  Encounter *encounter = &machine.outcome->encounter;
  Common common = common_bytes(encounter);
  encounter->is_met = common.bytes > 0;
  encounter->shared_bytes = common.bytes;
  if (!common.bytes)
    return;
  encounter->initial = contents(common);
  for (unsigned order = 0; order < 2; order++) {
    pid_t child = fork();
    if (!child) {
      execute_order(order, common);
      _exit(0);
    }
    if (child > 0)
      waitpid(child, NULL, 0);
  }
}

// ------------------------------------------------------------- many runs ---

typedef struct Search {
  const Replay *replay;
  Outcome *outcome; // of the run at hand
  Image image;
  Run run;
  double until; // on work_seconds()
} Search;

static void execute(void *data) {
  Search *search = data;
  machine_execute(&search->run, &search->image, search->outcome);
  if (machine.is_met)
    replay_orders();
}

static const Outcome *execute_apart(Search *search) {
  *search->outcome = (Outcome){0};
  child_run(execute, search, search->run.max_seconds);
  return search->outcome;
}

static bool has_time(const Search *search) {
  double deadline = search->replay->deadline;
  double now = work_seconds();
  return now < search->until && (deadline <= 0 || now < deadline);
}

static bool may_meet(const Search *search, const Logged *a, const Logged *b) {
  const Stop *stops = search->run.stops;
  bool same_block =
      !memcmp(stops[0].block, stops[1].block, sizeof stops[0].block);
  return !same_block || a->interval == b->interval;
}

static bool overlap(const Logged *a, const Logged *b) {
  return a->address < b->address + b->bytes &&
         b->address < a->address + a->bytes;
}

// The first few pairs that have bytes in common.
static unsigned find_pairs(const Search *search, uint64_t pairs[][2],
                           ReplayResult *result) {
  const Outcome *log = search->outcome;
  unsigned count = 0;
  for (unsigned i = 0; i < log->logged_count; i++)
    for (unsigned j = 0; j < log->logged_count && count < MOST_PAIRS; j++) {
      const Logged *a = &log->logged[i], *b = &log->logged[j];
      if (a->which != 0 || b->which != 1 || !overlap(a, b))
        continue;
      result->overlapped = true;
      if (!may_meet(search, a, b))
        continue;
      pairs[count][0] = a->occurrence;
      pairs[count++][1] = b->occurrence;
    }
  return count;
}

static void remember(const Search *search, ReplayResult *result) {
  const Encounter *encounter = &search->outcome->encounter;
  for (unsigned which = 0; which < 2; which++)
    result->reached[which] |= encounter->reached[which];
  if (!result->has_incident && search->outcome->count) {
    result->has_incident = true;
    result->incident = search->outcome->incidents[0];
  }
}

// Two writes that leave the same behind, whoever comes last.
static bool is_same_value(const Search *search, const Encounter *encounter) {
  const Stop *stops = search->run.stops;
  const Actor *a = &encounter->actors[0], *b = &encounter->actors[1];
  return search->run.tolerates_same_value &&
         kind_of(stops[0].kind) == SITE_WRITE &&
         kind_of(stops[1].kind) == SITE_WRITE && a->offset == b->offset &&
         a->bytes == b->bytes && encounter->finished[0] &&
         encounter->is_same[0] && encounter->finished[1] &&
         encounter->is_same[1];
}

// The two threads of the stops.
static bool try_threads(Search *search, ReplayResult *result) {
  uint64_t pairs[MOST_PAIRS][2];
  search->run.watch = WATCH_ACCESSES;
  search->run.is_logged = true;
  search->run.is_stopped = false;
  execute_apart(search);
  remember(search, result);
  unsigned count = find_pairs(search, pairs, result);
  search->run.is_logged = false;
  search->run.is_stopped = true;
  for (unsigned i = 0; i < count && has_time(search); i++) {
    search->run.stops[0].occurrence = pairs[i][0];
    search->run.stops[1].occurrence = pairs[i][1];
    const Encounter *encounter = &execute_apart(search)->encounter;
    if (encounter->is_met && is_same_value(search, encounter)) {
      result->is_same_value = true;
    } else if (encounter->is_met) {
      result->encounter = *encounter;
      result->is_confirmed = true;
      return true;
    }
  }
  return false;
}

static bool is_about(const Search *search, const Incident *incident,
                     unsigned swap) {
  const Site *sites = search->run.code->sites.at;
  for (unsigned i = 0; i < 2; i++) {
    const Stop *stop = &search->replay->run.stops[i ^ swap];
    const Site *site = &sites[incident->actors[i].site];
    if (plain(site->kind) != kind_of(stop->kind) ||
        !same_loc(site->loc, stop->loc))
      return false;
  }
  return true;
}

// Other threads that race at the two places in a run with these inputs.
static bool try_others(Search *search, ReplayResult *result) {
  search->run.watch = WATCH_RACES;
  search->run.is_logged = search->run.is_stopped = false;
  const Outcome *outcome = execute_apart(search);
  for (unsigned i = 0; i < outcome->count; i++) {
    Incident incident = outcome->incidents[i];
    if (incident.kind != INCIDENT_RACE)
      continue;
    for (unsigned swap = 0; swap < 2; swap++) {
      if (!is_about(search, &incident, swap))
        continue;
      for (unsigned k = 0; k < 2; k++) {
        Stop *stop = &search->run.stops[k ^ swap];
        memcpy(stop->thread, incident.actors[k].thread, sizeof stop->thread);
        memcpy(stop->block, incident.actors[k].block, sizeof stop->block);
      }
      result->others = true;
      return try_threads(search, result);
    }
  }
  return false;
}

static bool is_wanted(const Search *search, const Incident *incident) {
  const Site *sites = search->run.code->sites.at;
  if (incident->kind != search->replay->looks)
    return false;
  for (unsigned i = 0; i < incident->count; i++)
    if (incident->actors[i].site != NO_SITE &&
        same_loc(sites[incident->actors[i].site].loc,
                 search->replay->run.stops[0].loc))
      return true;
  return false;
}

static bool try_incident(Search *search, ReplayResult *result) {
  search->run.watch = WATCH_ACCESSES;
  const Outcome *outcome = execute_apart(search);
  remember(search, result);
  for (unsigned i = 0; i < outcome->count; i++)
    if (is_wanted(search, &outcome->incidents[i])) {
      result->incident = outcome->incidents[i];
      result->is_confirmed = true;
      return true;
    }
  return false;
}

static bool try_race(Search *search, ReplayResult *result) {
  result->others = false;
  memcpy(search->run.stops, search->replay->run.stops,
         sizeof search->run.stops);
  return try_threads(search, result) ||
         (!search->replay->only_these && try_others(search, result));
}

static void set_content(Search *search, Content content) {
  for (size_t i = 0; i < search->run.buffers.count; i++)
    search->run.buffers.at[i].content = content;
}

static bool is_small(const Run *run) {
  uint64_t threads = 1;
  for (unsigned axis = 0; axis < 3 && threads <= MOST_THREADS; axis++)
    threads *= (uint64_t)run->grid[axis] * run->block[axis];
  return threads <= MOST_THREADS;
}

static void try_all(Search *search, ReplayResult *result) {
  static const struct {
    Content content;
    ChosenOrder chosen;
    ChosenHint hint;
  } tries[MOST_TRIES] = {{CONTENT_ZERO, CHOSEN_FIRST, HINT_LAST},
                         {CONTENT_ZERO, CHOSEN_FIRST, HINT_FIRST},
                         {CONTENT_ZERO, CHOSEN_NONE, HINT_NONE},
                         {CONTENT_ZERO, CHOSEN_REVERSED, HINT_LAST},
                         {CONTENT_ZERO, CHOSEN_NONE, HINT_LAST},
                         {CONTENT_IOTA, CHOSEN_FIRST, HINT_LAST},
                         {CONTENT_MIXED, CHOSEN_FIRST, HINT_LAST}};
  for (unsigned all = 0; all < 2; all++) {
    if (all && (!is_small(&search->run) || !search->replay->run.blocks.count))
      return;
    for (size_t i = 0; i < MOST_TRIES && has_time(search); i++) {
      set_content(search, tries[i].content);
      search->run.chosen = tries[i].chosen;
      search->run.hint = tries[i].hint;
      if (search->replay->looks == INCIDENT_RACE ? try_race(search, result)
                                                 : try_incident(search, result))
        return;
    }
    search->run.blocks.count = 0;
  }
}

// A back end that gives up has nothing to tell to whoever compiles.
static void silence(void) {
  int nowhere = open("/dev/null", O_WRONLY);
  if (nowhere >= 0)
    dup2(nowhere, STDERR_FILENO);
}

static void search_in_child(void *data) {
  Replay *replay = data;
  ReplayResult *result = replay->result;
  Task task = {0};
  Search search = {.replay = replay, .run = replay->run};
  const char *reason = NULL;
  silence();
  search.run.watch = WATCH_RACES; // the code has all hooks
  search.run.hooks = &replay_hooks;
  search.outcome = outcome_new();
  if (!search.outcome)
    return;
  if (!image_make(&task, &search.run, &search.image, &reason)) {
    snprintf(result->reason, sizeof result->reason, "%s", reason);
    return;
  }
  result->is_executed = true;
  search.until = work_seconds() + replay->seconds;
  try_all(&search, result);
}

ReplayResult *replay_result_new(void) {
  return (ReplayResult *)(void *)memory_shared(sizeof(ReplayResult));
}

void replay_result_free(ReplayResult *result) {
  memory_shared_free((char *)result, sizeof *result);
}

void replay_confirm(Replay *replay) {
  child_run(search_in_child, replay, replay->seconds + 1);
}
