// Copies by tensor maps, cp.async.bulk.tensor to shared memory: how much they
// bring only the host knows.
//
// What is known is the announcement: the copies that an mbarrier gets bytes of
// for one phase bring together what it was told of (SOUND(tensor-bytes)).  So
// they are on their way until nobody can go on, and then all of these have been
// started.  One copy alone brings it all.  Of several we also take it that none
// reaches where another one begins, and that those of one instruction are of
// one size.  If then what there is room for is just what was announced, as in
// the stages of a pipeline that lie one behind the other, each size is known.
// Else a copy brings as little as there can be, which is to be executed for
// races that there are in any case, or all that it has room for, to know that
// there is none (EmulationOptions.has_large_tensors).

#include "barriers/emulate.h"

enum { LEAST_BYTES = 16, MOST_BYTES = (1 << 20) - LEAST_BYTES };

// One of them, for one block.
struct Tensor {
  const PtxInstruction *instruction;
  unsigned warp;
  uint32_t write; // its command; the next one has what the mbarrier gets
  uint64_t to, mbarrier;
  bool has_come;
  size_t group;   // the first of those that came together
  uint64_t total; // what these have brought, and
  unsigned count; // ... how many they are
};

void tensor_start(Emulation *emulation, const Warp *warp,
                  const PtxInstruction *instruction, uint64_t to,
                  uint64_t mbarrier) {
  size_t commands = emulation->programs->warps[warp->index].count;
  Tensor tensor = {.instruction = instruction,
                   .warp = warp->index,
                   .write = (uint32_t)commands - 2,
                   .to = to,
                   .mbarrier = mbarrier};
  push(&emulation->task->arena, &emulation->tensors, tensor);
}

// --------------------------------------------------------------- arrival ---

static Command *command_of(const Emulation *emulation, const Tensor *tensor,
                           unsigned further) {
  return &emulation->programs->warps[tensor->warp].at[tensor->write + further];
}

static bool is_with(const Tensor *tensor, const Tensor *other) {
  return !other->has_come && other->mbarrier == tensor->mbarrier;
}

// Where its block's shared memory ends, or the variable that it begins in.
static uint64_t end_behind(const Emulation *emulation, uint64_t to) {
  uint64_t block = to / MOST_SHARED_BYTES * MOST_SHARED_BYTES;
  const SharedVariable *symbol =
      programs_symbol(emulation->programs, (uint32_t)to);
  return block + (symbol && symbol->bytes ? symbol->address + symbol->bytes
                                          : emulation->shared_bytes);
}

// What all but the others may bring.
static uint64_t most_of(const Tensor *tensor) {
  return tensor->total - (uint64_t)(tensor->count - 1) * LEAST_BYTES;
}

static void weigh(Emulation *emulation, Tensor *tensor) {
  uint64_t least = (uint64_t)tensor->count * LEAST_BYTES;
  if (tensor->total < least || tensor->total % LEAST_BYTES ||
      tensor->total > MOST_BYTES)
    give_up(emulation, tensor->instruction,
            "%llu bytes are announced for %u cop%s by tensor maps",
            (unsigned long long)tensor->total, tensor->count,
            tensor->count == 1 ? "y" : "ies");
}

// This copy and all that are on their way to its mbarrier.
static void come(Emulation *emulation, size_t first) {
  Tensor *tensors = emulation->tensors.at;
  Tensor all = tensors[first];
  int64_t missing = mbarrier_missing(emulation, all.mbarrier);
  if (missing <= 0)
    give_up(emulation, all.instruction,
            "how many bytes the tensor map stands for is not known: none are "
            "announced that no other copy brings");
  all.total = (uint64_t)missing;
  for (size_t i = first; i < emulation->tensors.count; i++)
    all.count += is_with(&tensors[first], &tensors[i]);
  weigh(emulation, &all);
  unsigned left = all.count;
  for (size_t i = first; left; i++) {
    Tensor *tensor = &tensors[i];
    if (tensor->has_come || tensor->mbarrier != all.mbarrier)
      continue;
    Command *complete = command_of(emulation, tensor, 1);
    complete->tx = (int32_t)(--left ? LEAST_BYTES : most_of(&all));
    tensor->has_come = true;
    tensor->group = first;
    tensor->total = all.total;
    tensor->count = all.count;
    uint64_t end = end_behind(emulation, tensor->to);
    uint64_t bytes = most_of(&all);
    memory_forget(emulation, tensor->to,
                  bytes < end - tensor->to ? bytes : end - tensor->to);
    mbarrier_complete(emulation, complete);
  }
}

bool tensors_come(Emulation *emulation) {
  bool has_any = false;
  for (; emulation->tensors_come < emulation->tensors.count;
       emulation->tensors_come++) {
    if (emulation->tensors.at[emulation->tensors_come].has_come)
      continue;
    come(emulation, emulation->tensors_come);
    has_any = true;
  }
  return has_any;
}

// ----------------------------------------------------------------- sizes ---

// Up to where another one begins.
static uint64_t room_at(const Emulation *emulation, const Tensor *tensor) {
  uint64_t end = end_behind(emulation, tensor->to);
  for (size_t i = 0; i < emulation->tensors.count; i++) {
    uint64_t other = emulation->tensors.at[i].to;
    if (other > tensor->to && other < end)
      end = other;
  }
  return end - tensor->to;
}

// ... of all copies by this instruction.
static uint64_t room_of(const Emulation *emulation, const Tensor *tensor,
                        const uint64_t *rooms) {
  uint64_t room = UINT64_MAX;
  for (size_t i = 0; i < emulation->tensors.count; i++)
    if (emulation->tensors.at[i].instruction == tensor->instruction &&
        rooms[i] < room)
      room = rooms[i];
  return room;
}

static uint64_t room_of_group(const Emulation *emulation, size_t group,
                              unsigned count, const uint64_t *sizes) {
  uint64_t room = 0;
  for (size_t i = group; count; i++)
    if (emulation->tensors.at[i].group == group) {
      room += sizes[i];
      count--;
    }
  return room;
}

// One alone may go on behind its variable, as any copy may.
static uint64_t size_of(Emulation *emulation, const Tensor *tensor,
                        const uint64_t *sizes) {
  uint64_t own = sizes[tensor - emulation->tensors.at];
  uint64_t all =
      tensor->count == 1
          ? emulation->shared_bytes - tensor->to % MOST_SHARED_BYTES
          : room_of_group(emulation, tensor->group, tensor->count, sizes);
  if (all < tensor->total)
    give_up(emulation, tensor->instruction,
            "%llu bytes are announced for copies by tensor maps to %llu bytes "
            "of shared memory",
            (unsigned long long)tensor->total, (unsigned long long)all);
  if (tensor->count == 1)
    return tensor->total;
  if (all == tensor->total)
    return own;
  emulation->programs->has_shared_tensors = true;
  if (!emulation->options->has_large_tensors)
    return LEAST_BYTES;
  return own < most_of(tensor) ? own : most_of(tensor);
}

void tensors_end(Emulation *emulation) {
  size_t count = emulation->tensors.count;
  uint64_t *rooms =
      arena_alloc(&emulation->task->arena, (count + 1) * sizeof *rooms);
  uint64_t *sizes =
      arena_alloc(&emulation->task->arena, (count + 1) * sizeof *sizes);
  for (size_t i = 0; i < count; i++)
    rooms[i] = room_at(emulation, &emulation->tensors.at[i]);
  for (size_t i = 0; i < count; i++)
    sizes[i] = room_of(emulation, &emulation->tensors.at[i], rooms);
  for (size_t i = 0; i < count; i++) {
    const Tensor *tensor = &emulation->tensors.at[i];
    command_of(emulation, tensor, 0)->threads =
        (uint32_t)size_of(emulation, tensor, sizes);
    emulation->programs->has_tensors = true;
  }
}
