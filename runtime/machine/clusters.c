// Clusters: blocks that are executed together, wait for each other, and reach
// each other's shared memory.
//
// The blocks of a cluster lie side by side in the machine and begin together;
// their places are taken again when all of them are done.  While a block is not
// the one that runs, its shared memory lies in a place of its own (machine.c),
// and mapa gives that place to the other blocks.  So an address says whose
// memory is meant, and the machine finds the array that it belongs to in that
// block.
//
// The barrier has two halves.  A phase is over when all threads of the cluster
// that have not left have arrived.  A thread that waits for it then knows what
// each of them knew when it arrived (causality.c), or at its last fence if its
// arrival was relaxed.

#include "runtime/machine/machine.h"

#include <stdio.h>
#include <string.h>

unsigned clusters_size(const Run *run) {
  unsigned size = 1;
  for (unsigned axis = 0; axis < 3; axis++)
    size *= run->cluster[axis] ? run->cluster[axis] : 1;
  return size;
}

// ---------------------------------------------------------------- places ---

static uint64_t linear(const uint32_t at[3], const uint32_t size[3]) {
  return at[0] + size[0] * (at[1] + (uint64_t)size[1] * at[2]);
}

void grid_place(uint64_t index, const uint32_t size[3], uint32_t at[3]) {
  at[0] = (uint32_t)index;
  at[1] = at[2] = 0;
  if (index < size[0]) // mostly, and dividing takes long
    return;
  at[0] = (uint32_t)(index % size[0]);
  at[1] = (uint32_t)(index / size[0] % size[1]);
  at[2] = (uint32_t)(index / size[0] / size[1]);
}

uint64_t clusters_block(const Run *run, uint64_t position) {
  uint32_t clusters[3], cluster[3], at[3];
  unsigned size = clusters_size(run);
  if (size == 1)
    return position;
  for (unsigned axis = 0; axis < 3; axis++)
    clusters[axis] = run->grid[axis] / run->cluster[axis];
  grid_place(position / size, clusters, cluster);
  grid_place(position % size, run->cluster, at);
  for (unsigned axis = 0; axis < 3; axis++)
    at[axis] += cluster[axis] * run->cluster[axis];
  return linear(at, run->grid);
}

// Each block is a cluster of its own.
static void seat_alone(Group *group) {
  Seat *seat = &group->seat;
  *seat = (Seat){.size = {1, 1, 1}, .blocks = 1};
  memcpy(seat->cluster, group->id, sizeof seat->cluster);
  memcpy(seat->clusters, machine.run->grid, sizeof seat->clusters);
}

void clusters_seat(Group *group) {
  const Run *run = machine.run;
  Seat *seat = &group->seat;
  if (clusters_size(run) == 1) {
    seat_alone(group);
    return;
  }
  for (unsigned axis = 0; axis < 3; axis++) {
    seat->size[axis] = run->cluster[axis] ? run->cluster[axis] : 1;
    seat->at[axis] = group->id[axis] % seat->size[axis];
    seat->cluster[axis] = group->id[axis] / seat->size[axis];
    seat->clusters[axis] = run->grid[axis] / seat->size[axis];
  }
  seat->rank = (uint32_t)linear(seat->at, seat->size);
  seat->blocks = clusters_size(run);
}

bool clusters_have_both(uint64_t block, uint64_t other) {
  const Run *run = machine.run;
  uint32_t a[3], b[3];
  if (block == other || clusters_size(run) == 1)
    return block == other;
  grid_place(block, run->grid, a);
  grid_place(other, run->grid, b);
  for (unsigned axis = 0; axis < 3; axis++)
    if (a[axis] / run->cluster[axis] != b[axis] / run->cluster[axis])
      return false;
  return true;
}

Group *clusters_first(Group *group) {
  return group - (group - machine.groups) % machine.cluster;
}

bool clusters_are_done(Group *group) {
  Group *first = clusters_first(group);
  for (unsigned i = 0; i < machine.cluster; i++)
    if (first[i].in[THREAD_DONE] < first[i].count)
      return false;
  return true;
}

// ---------------------------------------------------------------- barrier ---

// It stands in the first block for all.
static ClusterBarrier *barrier_of(Group *group) {
  return &clusters_first(group)->cluster_barrier;
}

void clusters_forget(Group *group) {
  tidings_drop(&group->cluster_barrier.coming);
  tidings_drop(&group->cluster_barrier.over);
}

static void arrive(bool is_relaxed) {
  Thread *self = machine.self;
  ClusterBarrier *barrier = barrier_of(self->group);
  if (self->has_arrived)
    machine_fail(INCIDENT_DIVERGENCE,
                 "it arrives at the barrier of the cluster again, and has not "
                 "waited since");
  races_settle();
  if (machine.watches_races && is_relaxed)
    tidings_add_fenced(&barrier->coming);
  else if (machine.watches_races)
    tidings_add(&barrier->coming, self);
  self->has_arrived = true;
  self->phase = barrier->phase;
  machine.moves++;
}

void clusters_arrive(void) { arrive(false); }
void clusters_arrive_relaxed(void) { arrive(true); }

void clusters_wait(void) {
  Thread *self = machine.self;
  ClusterBarrier *barrier = barrier_of(self->group);
  if (!self->has_arrived)
    machine_fail(INCIDENT_DIVERGENCE,
                 "it waits at the barrier of the cluster, and has not arrived");
  if (self->phase == barrier->phase)
    machine_wait(THREAD_AT_CLUSTER);
  self->has_arrived = false;
  self->met = UINT32_MAX; // all blocks of the cluster
  if (machine.watches_races)
    tidings_learn(&barrier->over, self);
}

static bool has_come(const Thread *thread, uint32_t phase) {
  return thread->state == THREAD_DONE ||
         (thread->has_arrived && thread->phase == phase);
}

static bool have_all_come(const Group *first, uint32_t phase) {
  for (unsigned i = 0; i < machine.cluster; i++)
    for (unsigned t = 0; t < first[i].count; t++)
      if (!has_come(&first[i].threads[t], phase))
        return false;
  return true;
}

bool clusters_resolve(Group *group) {
  Group *first = clusters_first(group);
  ClusterBarrier *barrier = &first->cluster_barrier;
  if (!group->in[THREAD_AT_CLUSTER] || !have_all_come(first, barrier->phase))
    return false;
  barrier->phase++;
  tidings_drop(&barrier->over);
  barrier->over = barrier->coming;
  barrier->coming = (Tidings){0};
  for (unsigned i = 0; i < machine.cluster; i++)
    machine_release_all(&first[i], THREAD_AT_CLUSTER);
  return true;
}

// ----------------------------------------------------------------- memory ---

// Whose shared memory it is, of another block of the cluster; or NULL.
static Group *owner_of(const char *at) {
  Group *own = machine.self->group, *first = clusters_first(own);
  uint64_t bytes = machine.image->shared_bytes;
  for (unsigned i = 0; i < machine.cluster; i++)
    if (&first[i] != own && (uint64_t)(at - first[i].shared) < bytes)
      return &first[i];
  return NULL;
}

// From the memory of the block inside to that of another, and back.
static char *theirs(const Group *owner, const char *local) {
  return owner->shared + (local - machine.image->shared);
}

static char *ours(const Group *owner, const char *at) {
  return machine.image->shared + (at - owner->shared);
}

char *clusters_local(char *at) {
  machine.owner = machine.cluster > 1 ? owner_of(at) : NULL;
  return machine.owner ? ours(machine.owner, at) : at;
}

char *clusters_place(char *local) {
  return machine.owner ? theirs(machine.owner, local) : local;
}

char *clusters_now(const Group *group, char *local) {
  return group == machine.inside ? local : theirs(group, local);
}

void *clusters_map(char *at, uint32_t rank) {
  const Image *image = machine.image;
  Group *own = machine.self->group, *owner = owner_of(at);
  char *local = owner ? ours(owner, at) : at;
  if (rank >= machine.cluster)
    machine_fail(INCIDENT_OUT_OF_BOUNDS,
                 "block %u of the cluster, which has %u blocks", rank,
                 machine.cluster);
  if ((uint64_t)(local - image->shared) >= image->shared_bytes)
    machine_fail(INCIDENT_OUT_OF_BOUNDS,
                 "this is no address in shared memory, and has none in another "
                 "block");
  return rank == own->seat.rank ? local
                                : theirs(&clusters_first(own)[rank], local);
}

uint32_t clusters_rank(const char *at) {
  const Group *owner = owner_of(at);
  return (owner ? owner : machine.self->group)->seat.rank;
}
