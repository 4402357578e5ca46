// Shared memory, and what the accesses so far did to each word of it.
//
// An access becomes a mark on every word of four bytes that it touches, with
// the bytes that it touches there; lanes that access the same address share
// one.  The memory of a block is small, so a plain array of lists replaces
// sorting and hashing.  Which marks are kept is the business of the user.

#include "barriers/programs/check.h"

#include <assert.h>
#include <stdlib.h>

enum { BLOCK_MARKS = 1024 };

WordShadow *shadow_new(Task *task, const Programs *programs) {
  WordShadow *shadow = NEW(&task->arena, WordShadow);
  *shadow = (WordShadow){.task = task, .programs = programs};
  size_t words = programs_words(programs);
  shadow->words = arena_alloc(&task->arena, words * sizeof(AccessMark *));
  return shadow;
}

static void refill(WordShadow *shadow) {
  AccessMark *block =
      arena_alloc(&shadow->task->arena, BLOCK_MARKS * sizeof *block);
  for (unsigned i = 0; i < BLOCK_MARKS; i++) {
    block[i].next = shadow->spare;
    shadow->spare = &block[i];
  }
}

void shadow_insert(WordShadow *shadow, uint32_t word, const AccessMark *mark) {
  if (!shadow->spare)
    refill(shadow);
  AccessMark *new = shadow->spare;
  shadow->spare = new->next;
  *new = *mark;
  new->next = shadow->words[word];
  shadow->words[word] = new;
}

void shadow_remove(WordShadow *shadow, AccessMark **link) {
  AccessMark *old = *link;
  *link = old->next;
  old->next = shadow->spare;
  shadow->spare = old;
}

unsigned access_width(const Command *command) {
  return is_mbarrier(command->kind) ? MBARRIER_BYTES
         : is_bulk(command->kind)   ? command->extent
                                    : command->bytes;
}

int32_t access_stride(const Command *command) {
  return is_mbarrier(command->kind) ? 0 : command->stride;
}

uint32_t access_address(const Programs *programs, const Command *command,
                        unsigned lane) {
  if (command->is_scattered)
    return programs->addresses.at[command->address + lane] +
           (uint32_t)command->stride;
  return command->address + lane * (uint32_t)access_stride(command);
}

static uint64_t written_by(const Programs *programs, const Command *write,
                           unsigned lane) {
  return write->value ? programs->values.at[write->value - 1 + lane] : 0;
}

bool write_the_same(const Programs *programs, const Command *a, unsigned lane,
                    const Command *b, unsigned other) {
  if (a->kind != COMMAND_WRITE || b->kind != COMMAND_WRITE ||
      a->bytes != b->bytes ||
      access_address(programs, a, lane) != access_address(programs, b, other))
    return false;
  uint64_t value = written_by(programs, a, lane);
  return (a == b && a->same_value) || (value && !(value & VALUE_OPEN) &&
                                       value == written_by(programs, b, other));
}

static bool has_end(const Programs *programs, const Programs *closely,
                    End end) {
  if (end.command >= closely->warps[end.warp].count)
    return false;
  const Command *a = programs_command(programs, end);
  const Command *b = programs_command(closely, end);
  return a->kind == b->kind && a->lanes == b->lanes && a->place == b->place;
}

// Of two that were not followed as a whole.  Where it is the same in both, in
// the same place of how they were computed, the rest tells them apart.
static ValueMatch match_open(uint64_t a, uint64_t b) {
  if (a == b && a != VALUE_OPEN)
    return MATCH_PERHAPS;
  bool is_same = a & b & VALUE_OPEN && a >> VALUE_OPEN_BITS &&
                 a >> VALUE_OPEN_BITS == b >> VALUE_OPEN_BITS;
  return is_same ? MATCH_NEVER : MATCH_OPEN;
}

ValueMatch programs_match(const Programs *programs, const Programs *closely,
                          const Finding *finding) {
  End x = finding->ends[0], y = finding->ends[1];
  if (finding->kind != FINDING_RACE ||
      programs_command(programs, x)->kind != COMMAND_WRITE ||
      programs_command(programs, y)->kind != COMMAND_WRITE)
    return MATCH_NEVER;
  if (!has_end(programs, closely, x) || !has_end(programs, closely, y))
    return MATCH_PERHAPS;
  const Command *a = programs_command(closely, x);
  const Command *b = programs_command(closely, y);
  uint64_t of_a = written_by(closely, a, x.lane);
  uint64_t of_b = written_by(closely, b, y.lane);
  bool are_exchanged = a->is_exchanged && b->is_exchanged;
  if ((of_a | of_b) & VALUE_OPEN)
    return are_exchanged ? MATCH_OPEN : match_open(of_a, of_b);
  return write_the_same(closely, a, x.lane, b, y.lane) || are_exchanged
             ? MATCH_PERHAPS
             : MATCH_NEVER;
}

bool may_overlap_itself(const Command *command) {
  if (command->kind != COMMAND_WRITE ||
      (!command->same_value && !command->value))
    return false;
  return command->is_scattered ||
         (command->stride != 0 && abs(command->stride) < command->bytes);
}

AccessMark mark_of(const Programs *programs, const Order *order, unsigned warp,
                   uint32_t at) {
  CommandKind kind = programs->warps[warp].at[at].kind;
  return (AccessMark){.time = is_bulk(kind) ? order_end(order, warp, at)
                                            : order_now(order, warp),
                      .command = at,
                      .warp = (uint8_t)warp,
                      .kind = (uint8_t)kind};
}

Marks marks_start(const Programs *programs, const Command *command) {
  return (Marks){.programs = programs,
                 .command = command,
                 .lanes = command->lanes,
                 .width = access_width(command),
                 .stride = access_stride(command)};
}

void marks_next_lanes(Marks *marks) {
  const Command *command = marks->command;
  bool is_one = !command->is_scattered && marks->stride == 0;
  unsigned lane = (unsigned)__builtin_ctz(marks->lanes);
  marks->mark.lanes = is_one ? marks->lanes : marks->lanes & -marks->lanes;
  marks->lanes &= ~marks->mark.lanes;
  marks->at = command->is_scattered
                  ? access_address(marks->programs, command, lane)
                  : command->address + lane * (uint32_t)marks->stride;
  marks->end = marks->at + marks->width;
  assert(marks->at < marks->end && marks->end <= SHARED_WORDS * WORD);
}

// Of two writes: who writes the same to the same place does not race; the same
// value at two addresses that overlap is different in each byte.
static uint32_t writing_otherwise(const Programs *programs,
                                  const AccessMark *old, const AccessMark *new,
                                  unsigned lane, uint32_t racing) {
  const Command *a = &programs->warps[old->warp].at[old->command];
  const Command *b = &programs->warps[new->warp].at[new->command];
  if (a != b && !(a->value && b->value))
    return racing;
  for (uint32_t left = racing; left; left &= left - 1)
    if (write_the_same(programs, a, (unsigned)__builtin_ctz(left), b, lane))
      racing &= ~(left & -left);
  return racing;
}

uint32_t marks_unordered(const Order *order, const AccessMark *old,
                         const AccessMark *new, unsigned lane) {
  unsigned warp = new->warp;
  if (old->kind == COMMAND_COPY)
    return order_uncopied(order, old->warp, old->lanes, old->command, warp,
                          lane);
  if (is_bulk(old->kind))
    return order_unfinished(order, old->warp, old->lanes, old->time,
                            old->command, warp, lane);
  if (old->kind == COMMAND_MBARRIER_INIT && is_use(new->kind))
    return order_uninitialised(order, old->warp, old->lanes, old->time, warp,
                               lane);
  return order_unordered(order, old->warp, old->lanes, old->time, warp, lane);
}

static bool is_generic(const Programs *programs, const AccessMark *mark) {
  return programs->warps[mark->warp].at[mark->command].is_generic;
}

// A fence for what it writes has to be behind its end, which we do not follow.
static bool is_unfollowed(const Programs *programs, const AccessMark *mark) {
  return (mark->kind == COMMAND_COPY && programs_blocks(programs) > 1) ||
         (is_bulk(mark->kind) && is_generic(programs, mark));
}

// What is written, or copied, has to pass a proxy fence before a bulk copy
// reads it or writes over it: one of the thread that wrote it, or of another
// one on the way (SOUND(proxy-fences)), in a cluster of the first kind.  What
// has been read has been read.
static uint32_t unfenced(const Programs *programs, const Order *order,
                         const AccessMark *old, const AccessMark *new,
                         unsigned lane) {
  bool is_one = programs_blocks(programs) == 1;
  if (!is_bulk(new->kind) || is_generic(programs, new))
    return 0;
  if (is_unfollowed(programs, old))
    return old->lanes;
  if (is_bulk(old->kind) || is_reading(old->kind))
    return 0;
  if (old->kind == COMMAND_COPY)
    return order_unswept(order, old->warp, old->lanes, old->command, new->warp,
                         lane);
  uint32_t lanes =
      order_unfenced(order, old->warp, old->lanes, old->time, new->warp, lane);
  return lanes && is_one ? order_never_fenced(order, old->warp, old->lanes,
                                              old->time, new->warp, lane)
                         : lanes;
}

bool marks_lack_fence(Task *task, const Programs *programs, const Order *order,
                      const AccessMark *old, const AccessMark *new,
                      unsigned lane) {
  if (!unfenced(programs, order, old, new, lane) ||
      marks_unordered(order, old, new, lane))
    return false;
  if (is_unfollowed(programs, old))
    unsupported(task, programs_loc(programs, old->warp, old->command),
                "what %s brings here, a bulk copy reads or overwrites",
                old->kind == COMMAND_COPY          ? "cp.async"
                : old->kind == COMMAND_BULK_ATOMIC ? "red.async"
                                                   : "st.async");
  if (programs_blocks(programs) > 1 &&
      !order_never_fenced(order, old->warp, old->lanes, old->time, new->warp,
                          lane))
    unsupported(task, programs_loc(programs, old->warp, old->command),
                "only another thread than the one that writes this has a "
                "fence.proxy.async before the bulk copy");
  return true;
}

uint32_t marks_racing(const Programs *programs, const Order *order,
                      const AccessMark *old, const AccessMark *new,
                      unsigned lane) {
  if (!marks_conflict(old, new))
    return 0;
  uint32_t racing = old->lanes & ~((uint32_t)1 << lane);
  if (old->warp != new->warp || old->command != new->command)
    racing = marks_unordered(order, old, new, lane) |
             unfenced(programs, order, old, new, lane);
  if (!racing || old->kind != COMMAND_WRITE || new->kind != COMMAND_WRITE)
    return racing;
  return writing_otherwise(programs, old, new, lane, racing);
}
