// All schedules, one after another, but for those that sleep sets leave out.
//
// Godefroid, "Partial-Order Methods", 1996.  The way to where we are is a list
// of nodes, one for each step; a schedule is followed along the list and then
// goes on with the lowest thread that can.  Who was tried at a node sleeps in
// those behind it until a step is made that conflicts with its own.  If all
// sleep, somebody else has covered the rest.  64 threads at most.
// A thread that spins is the exception: see yield.

#include "runtime/threads/world.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef struct DfsNode {
  uint64_t ready, sleeping, done; // threads
  uint32_t chosen;
} DfsNode;

static struct {
  DfsNode *at;
  size_t count, room, here;
} path;

static uint64_t passed_over; // by the next decision

static bool is_everything(const PosixDeed *deed) {
  return !deed->at && deed->is_write; // the end of the program
}

static bool depend(const PosixDeed *a, const PosixDeed *b) {
  if (is_everything(a) || is_everything(b))
    return true;
  return a->at && b->at && (a->is_write || b->is_write) &&
         a->at < b->at + b->bytes && b->at < a->at + a->bytes;
}

// Those asleep that the step does not wake.
static uint64_t still_asleep(uint64_t asleep, const PosixThread *chosen) {
  uint64_t kept = 0;
  for (uint32_t i = 0; i < world.count && i < 64; i++)
    if (asleep >> i & 1 && !depend(&world.threads[i].pending, &chosen->pending))
      kept |= UINT64_C(1) << i;
  return kept;
}

static uint64_t sleeping_here(void) {
  if (!path.here)
    return 0;
  DfsNode *before = &path.at[path.here - 1];
  return before->sleeping;
}

static void add_node(uint64_t ready) {
  if (path.count == path.room) {
    path.room = path.room ? 2 * path.room : 1024;
    path.at = realloc(path.at, path.room * sizeof *path.at);
    if (!path.at)
      abort();
  }
  path.at[path.count++] = (DfsNode){.ready = ready};
}

static uint64_t ready_now(void) {
  uint64_t ready = 0;
  if (world.count > 64)
    world_fail(MISHAP_REFUSED, "dfs is for 64 threads at most");
  for (uint32_t i = 0; i < world.count; i++)
    if (thread_is_ready(&world.threads[i]))
      ready |= UINT64_C(1) << i;
  return ready;
}

// Steps of each thread since memory changed.
static struct {
  uint32_t steps[64];
  uint64_t changed;
} looks;

static bool has_passed_over; // in some schedule

static void note_look(const PosixThread *thread) {
  if (looks.changed != world.changed) {
    memset(looks.steps, 0, sizeof looks.steps);
    looks.changed = world.changed;
  }
  if (thread->index < 64)
    looks.steps[thread->index]++;
}

static uint32_t given_way[64]; // how often each thread has, in this schedule

// A thread that has only looked for so long, or given way so often, does not go
// on before others have: else a loop that waits for another thread would never
// end.
static void yield(PosixThread *thread) {
  enum { LOOKING = 64, GIVING_WAY = 64 };
  if (thread->index >= 64)
    return;
  bool gives = ++given_way[thread->index] > GIVING_WAY;
  if ((gives || looks.steps[thread->index] >= LOOKING) &&
      world.ready_count > 1) {
    passed_over = UINT64_C(1) << thread->index;
    has_passed_over = true;
  }
}

bool dfs_has_passed_over(void) { return has_passed_over; }

static void begin(void) {
  memset(&looks, 0, sizeof looks);
  memset(given_way, 0, sizeof given_way);
  passed_over = 0;
  path.here = 0;
  policy_ask_at(1);
}

// Who was tried at the nodes before sleeps, as far as the step taken there lets
// it.  `sleeping` of a node is what sleeps behind it.
static PosixThread *decide(void) {
  uint64_t ready = ready_now() & ~passed_over, asleep = sleeping_here();
  bool is_new = path.here == path.count;
  passed_over = 0;
  if (is_new)
    add_node(ready);
  DfsNode *node = &path.at[path.here];
  if (node->ready != ready)
    world_fail(MISHAP_ASTRAY, "the program does not do the same again");
  if (is_new) {
    uint64_t open = ready & ~asleep;
    if (!open) {
      path.count--;
      world_fail(MISHAP_PRUNED, "covered");
    }
    node->chosen = (uint32_t)__builtin_ctzll(open);
  }
  PosixThread *chosen = &world.threads[node->chosen];
  node->sleeping = still_asleep(asleep | node->done, chosen);
  // What slept at this node is not tried here.
  node->done |= asleep;
  path.here++;
  return chosen;
}

static PosixThread *at_point(void) {
  note_look(world.self);
  policy_ask_at(world.steps + 1);
  return decide();
}

bool dfs_next(void) {
  while (path.count) {
    DfsNode *node = &path.at[path.count - 1];
    node->done |= UINT64_C(1) << node->chosen;
    uint64_t open = node->ready & ~node->done;
    if (open) {
      node->chosen = (uint32_t)__builtin_ctzll(open);
      return true;
    }
    path.count--;
  }
  return false;
}

const SchedulePolicy policy_dfs = {begin, at_point, decide, policy_in_order,
                                   yield};
