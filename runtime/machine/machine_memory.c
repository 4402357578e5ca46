// Memory of a run: blocks at work, their threads and shared memory, the stacks,
// and the places of the kernel's arguments.
//
// All of it is taken before the run and given back after it, except the stacks,
// which the next launch of a program uses again.  A block whose threads are
// iterations of a loop needs one stack, with room for what these keep there.

#include "runtime/machine/machine.h"

#include <stdlib.h>

enum { STACK_BYTES = 1 << 16 }; // beside the kernel's own arrays

static void place_thread(Group *group, unsigned index) {
  const uint32_t *size = machine.run->block;
  Thread *thread = &group->threads[index];
  thread->group = group;
  thread->index = index;
  grid_place(index, size, thread->id);
}

// With clusters others know it by an address of 32 bits, too.
static char *take_shared(void) {
  uint64_t bytes = machine.image->shared_bytes + 1;
  return machine.cluster > 1 ? memory_low(bytes) : malloc(bytes);
}

static void give_shared(char *at) {
  if (machine.cluster > 1 && at)
    memory_private_free(at, 0, machine.image->shared_bytes + 1);
  else
    free(at);
}

static bool allocate_group(Group *group) {
  size_t variables = machine.run->code->variables.count;
  group->threads = calloc(machine.threads, sizeof *group->threads);
  for (unsigned i = 0; group->threads && i < machine.threads; i++)
    place_thread(group, i);
  group->shared = take_shared();
  group->shadow = calloc(variables + 1, sizeof *group->shadow);
  return group->threads && group->shared && group->shadow;
}

// Stacks of an earlier run are taken again.
static bool allocate_stacks(void) {
  bool is_block = machine.image->is_block;
  uint64_t bytes = STACK_BYTES + machine.run->code->stack_bytes;
  unsigned count = machine.together * (is_block ? 1 : machine.threads);
  if (is_block)
    bytes += machine.threads * machine.image->kept_bytes;
  if (stacks_suffice(&machine.stacks, count, bytes))
    return true;
  stacks_close(&machine.stacks);
  return stacks_open(&machine.stacks, count, bytes);
}

static bool allocate_groups(void) {
  machine.groups = calloc(machine.together, sizeof *machine.groups);
  for (unsigned i = 0; machine.groups && i < machine.together; i++)
    if (!allocate_group(&machine.groups[i]))
      return false;
  return machine.groups && allocate_stacks();
}

// Of an array in shared memory the argument is its address.
static bool place_arguments(void) {
  const Run *run = machine.run;
  const Code *code = run->code;
  machine.arguments = calloc(run->arguments.count + 1, sizeof(void *));
  for (size_t i = 0; machine.arguments && i < run->arguments.count; i++)
    machine.arguments[i] = run->arguments.at[i];
  for (size_t i = 0; machine.arguments && i < code->variables.count; i++)
    if (code->variables.at[i].is_local)
      machine.arguments[code->variables.at[i].parameter] =
          &machine.image->variables.at[i];
  return machine.arguments;
}

bool machine_allocate(void) { return place_arguments() && allocate_groups(); }

static void forget_threads(Group *group) {
  named_forget(group);
  mbarriers_forget(group);
  clusters_forget(group);
  visits_forget(group);
  for (unsigned i = 0; group->threads && i < machine.threads; i++)
    for (unsigned kind = 0; kind < COPY_KINDS; kind++)
      copies_clear(&group->threads[i].copies[kind]);
}

void machine_give_back(void) {
  for (unsigned i = 0; machine.groups && i < machine.together; i++) {
    Group *group = &machine.groups[i];
    forget_threads(group);
    if (group->shadow)
      races_close_group(group);
    free(group->threads);
    give_shared(group->shared);
    free(group->shadow);
  }
  free(machine.groups);
  free(machine.arguments);
}

void *machine_grown(void *at, size_t count, size_t *capacity, size_t bytes) {
  if (count < *capacity)
    return at;
  size_t more = *capacity ? 2 * *capacity : 8;
  void *grown = realloc(at, more * bytes);
  if (grown)
    *capacity = more;
  return grown;
}
