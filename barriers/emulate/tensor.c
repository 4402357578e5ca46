// Copies by tensor maps, cp.async.bulk.tensor to shared memory: how much they
// bring only the host knows.
//
// What is known is the announcement: the copies that an mbarrier gets bytes of
// for one phase bring together what it was told of (SOUND(tensor-bytes)).  So
// they are on their way until nobody can go on, and then all of these have been
// started.  One copy alone brings it all.  Copies by one tensor map are of one
// size, so where only these come, each has its share.  Of others we also take
// it that none reaches where another one begins, and that those of one
// instruction are of one size.  If then what there is room for is just what was
// announced, as in the stages of a pipeline that lie one behind the other, each
// size is known.
// Else a copy brings as little as there can be, which is to be executed for
// races that there are in any case, or all that it has room for, to know that
// there is none (EmulationOptions.has_large_tensors).

#include "barriers/emulate/emulate.h"

#include <limits.h>
#include <string.h>

enum {
  LEAST_BYTES = 16,
  MOST_BYTES = (1 << 20) - LEAST_BYTES,
  MOST_MAPS = 64, // of a group that is compared with others
};

// One of them, for one block.
struct Tensor {
  const PtxInstruction *instruction;
  AddressOrigin map;
  unsigned warp;
  uint32_t write; // its command; the next one has what the mbarrier gets
  uint64_t to, mbarrier;
  bool has_come;
  size_t group;   // the first of those that came together
  uint64_t total; // what these have brought, and
  unsigned count; // ... how many they are
};

static bool says(const PtxInstruction *instruction, const char *word) {
  size_t length = strlen(word);
  for (size_t i = 0; i + length <= instruction->text_length; i++)
    if (!memcmp(&instruction->text[i], word, length))
      return true;
  return false;
}

// Of [map, {..}]; those that take something else than the box of the map out of
// it have none.
static AddressOrigin map_of(const CodeSlice *code,
                            const PtxInstruction *instruction) {
  const Operand *source = &instruction->operands[1];
  if (!source->count || says(instruction, "gather4") ||
      says(instruction, "im2col"))
    return (AddressOrigin){0};
  return origin_of(code, &source->items[0]);
}

void tensor_start(Emulation *emulation, const Warp *warp, const CodeSlice *code,
                  const PtxInstruction *instruction, uint64_t to,
                  uint64_t mbarrier) {
  size_t commands = emulation->programs->warps[warp->index].count;
  Tensor tensor = {.instruction = instruction,
                   .map = map_of(code, instruction),
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

// ------------------------------------------------------------------- maps ---

static bool is_same_map(const Tensor *a, const Tensor *b) {
  return a->map.argument && a->map.argument == b->map.argument &&
         a->map.offset == b->map.offset &&
         a->map.is_loaded == b->map.is_loaded &&
         a->map.distance == b->map.distance;
}

static bool is_of_tensormap(const PtxInstruction *instruction) {
  return instruction->opcode &&
         !strncmp(instruction->opcode->name, "tensormap.", 10);
}

// What a pointer points to may be another map each time, if maps are changed.
static void drop_maps(Emulation *emulation) {
  if (!find_instruction(emulation, is_of_tensormap))
    return;
  for (size_t i = 0; i < emulation->tensors.count; i++)
    if (emulation->tensors.at[i].map.is_loaded)
      emulation->tensors.at[i].map = (AddressOrigin){0};
}

// Of those that came with this one: what is left for those without a size, how
// many these are, and whether all of them are by the map of one.
typedef struct Share {
  size_t one;
  unsigned count;
  bool is_of_one;
  uint64_t bytes;
} Share;

static Share share_of(const Emulation *emulation, size_t group,
                      const uint64_t *sizes) {
  const Tensor *tensors = emulation->tensors.at;
  Share share = {.is_of_one = true, .bytes = tensors[group].total};
  unsigned left = tensors[group].count;
  for (size_t i = group; left; i++) {
    if (tensors[i].group != group)
      continue;
    left--;
    if (sizes[i]) {
      share.bytes -= sizes[i] < share.bytes ? sizes[i] : share.bytes;
      continue;
    }
    if (!share.count++)
      share.one = i;
    share.is_of_one &= is_same_map(&tensors[i], &tensors[share.one]);
  }
  return share;
}

static bool share_out(Emulation *emulation, size_t group, uint64_t *sizes) {
  const Tensor *tensors = emulation->tensors.at;
  Share share = share_of(emulation, group, sizes);
  if (!share.count || !share.is_of_one)
    return false;
  uint64_t size = share.bytes / share.count;
  if (!size || size % LEAST_BYTES || size * share.count != share.bytes)
    give_up(emulation, tensors[share.one].instruction,
            "%llu bytes are announced for %u cop%s by one tensor map",
            (unsigned long long)share.bytes, share.count,
            share.count == 1 ? "y" : "ies");
  for (size_t i = 0; i < emulation->tensors.count; i++)
    if (is_same_map(&tensors[i], &tensors[share.one]))
      sizes[i] = size;
  return true;
}

static void check_shares(Emulation *emulation, size_t group,
                         const uint64_t *sizes) {
  const Tensor *tensors = emulation->tensors.at;
  uint64_t sum = 0;
  unsigned left = tensors[group].count;
  for (size_t i = group; left; i++) {
    if (tensors[i].group != group)
      continue;
    if (!sizes[i])
      return;
    sum += sizes[i];
    left--;
  }
  if (sum != tensors[group].total)
    give_up(emulation, tensors[group].instruction,
            "%llu bytes are announced for copies by tensor maps that bring "
            "%llu, as other phases have it",
            (unsigned long long)tensors[group].total, (unsigned long long)sum);
}

// The sizes that follow from what was announced; of the others 0.
static void find_shares(Emulation *emulation, uint64_t *sizes) {
  const Tensor *tensors = emulation->tensors.at;
  size_t count = emulation->tensors.count;
  bool has_news = true;
  while (has_news) {
    has_news = false;
    for (size_t i = 0; i < count; i++)
      if (tensors[i].group == i)
        has_news |= share_out(emulation, i, sizes);
  }
  for (size_t i = 0; i < count; i++)
    if (tensors[i].group == i)
      check_shares(emulation, i, sizes);
}

// -------------------------------------------------------- contradictions ---

// How many of the group of `all` are by none of those of `group`, each of which
// has one of its own there; UINT_MAX: that is not so.
static unsigned count_others(const Emulation *emulation, size_t group,
                             size_t all) {
  const Tensor *tensors = emulation->tensors.at;
  size_t count = emulation->tensors.count;
  unsigned found = 0;
  bool is_taken[MOST_MAPS] = {0};
  if (tensors[all].count > MOST_MAPS)
    return UINT_MAX;
  for (size_t i = group; i < count; i++) {
    unsigned place = 0;
    if (tensors[i].group != group)
      continue;
    for (size_t k = all; k < count; k++) {
      if (tensors[k].group != all)
        continue;
      if (!is_taken[place] && is_same_map(&tensors[i], &tensors[k])) {
        is_taken[place] = true;
        found++;
        break;
      }
      place++;
    }
  }
  return found == tensors[group].count ? tensors[all].count - found : UINT_MAX;
}

// A group that has all that another one has brings as much, and at least
// LEAST_BYTES for each that it has besides.
static void check_groups(Emulation *emulation, size_t group, size_t all) {
  const Tensor *tensors = emulation->tensors.at;
  unsigned others = count_others(emulation, group, all);
  if (others == UINT_MAX)
    return;
  uint64_t least = tensors[group].total + (uint64_t)others * LEAST_BYTES;
  if (others ? tensors[all].total < least : tensors[all].total != least)
    give_up(emulation, tensors[all].instruction,
            "%llu bytes are announced for copies by tensor maps of which some "
            "bring %llu, as another phase has it",
            (unsigned long long)tensors[all].total,
            (unsigned long long)tensors[group].total);
}

// Groups that have not got the sizes of all their maps.
static void check_contradictions(Emulation *emulation) {
  const Tensor *tensors = emulation->tensors.at;
  size_t count = emulation->tensors.count;
  for (size_t i = 0; i < count; i++) {
    task_check_time(emulation->task, emulation->kernel->loc);
    for (size_t k = 0; k < count && tensors[i].group == i; k++)
      if (k != i && tensors[k].group == k)
        check_groups(emulation, i, k);
  }
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

// ... of all copies by this instruction, or by its map.
static uint64_t room_of(const Emulation *emulation, const Tensor *tensor,
                        const uint64_t *rooms) {
  uint64_t room = UINT64_MAX;
  for (size_t i = 0; i < emulation->tensors.count; i++) {
    const Tensor *other = &emulation->tensors.at[i];
    if ((other->instruction == tensor->instruction ||
         is_same_map(other, tensor)) &&
        rooms[i] < room)
      room = rooms[i];
  }
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

static uint64_t room_behind(const Emulation *emulation, const Tensor *tensor) {
  return end_behind(emulation, tensor->to) - tensor->to;
}

// Of which there is no more than `all`.
static void check_room(Emulation *emulation, const Tensor *tensor,
                       uint64_t bytes, uint64_t all) {
  if (bytes > all)
    give_up(emulation, tensor->instruction,
            "%llu bytes are announced for copies by tensor maps to %llu bytes "
            "of shared memory",
            (unsigned long long)bytes, (unsigned long long)all);
}

// What lies behind its variable is for nobody to say.
static uint64_t size_of(Emulation *emulation, const Tensor *tensor,
                        const uint64_t *sizes) {
  uint64_t own = sizes[tensor - emulation->tensors.at];
  if (tensor->count == 1) {
    check_room(emulation, tensor, tensor->total,
               room_behind(emulation, tensor));
    return tensor->total;
  }
  uint64_t all = room_of_group(emulation, tensor->group, tensor->count, sizes);
  check_room(emulation, tensor, tensor->total, all);
  if (all == tensor->total)
    return own;
  emulation->programs->has_shared_tensors = true;
  if (!emulation->options->has_large_tensors)
    return LEAST_BYTES;
  return own < most_of(tensor) ? own : most_of(tensor);
}

static uint64_t *new_numbers(Emulation *emulation) {
  size_t count = emulation->tensors.count + 1;
  return arena_alloc(&emulation->task->arena, count * sizeof(uint64_t));
}

void tensors_end(Emulation *emulation) {
  size_t count = emulation->tensors.count;
  uint64_t *shares = new_numbers(emulation), *rooms = new_numbers(emulation),
           *sizes = new_numbers(emulation);
  drop_maps(emulation);
  find_shares(emulation, shares);
  check_contradictions(emulation);
  for (size_t i = 0; i < count; i++)
    rooms[i] = room_at(emulation, &emulation->tensors.at[i]);
  for (size_t i = 0; i < count; i++)
    sizes[i] = shares[i] ? shares[i]
                         : room_of(emulation, &emulation->tensors.at[i], rooms);
  for (size_t i = 0; i < count; i++) {
    const Tensor *tensor = &emulation->tensors.at[i];
    uint64_t size = shares[i] ? shares[i] : size_of(emulation, tensor, sizes);
    check_room(emulation, tensor, shares[i], room_behind(emulation, tensor));
    command_of(emulation, tensor, 0)->extent = (uint32_t)size;
    emulation->programs->has_tensors = true;
  }
}
