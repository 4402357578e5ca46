// Large programs of the shapes that real kernels have, and worse ones.

#include "test/fuzz/interleave.h"

enum {
  BUFFER = 1024, // bytes
  FULL = 1,      // barriers
  EMPTY = 3,
  FULL_PHASES = 4096, // mbarriers
  EMPTY_PHASES = 4112,
  HOT_WORDS = 128,
};

typedef struct Writer {
  Arena *arena;
  Programs *programs;
  unsigned warp;
} Writer;

static void add(Writer writer, Command command) {
  command.lanes = UINT32_MAX;
  push(writer.arena, &writer.programs->warps[writer.warp], command);
}

static void add_places(Writer writer, unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    Place place = {.text = "", .ptx = {"large", i + 1, 1}};
    push(writer.arena, &writer.programs->places, place);
  }
}

static Writer start(Arena *arena, unsigned warps, unsigned places) {
  Writer writer = {arena, NEW(arena, Programs), 0};
  writer.programs->kernel = "large";
  writer.programs->threads = WARP * warps;
  add_places(writer, places);
  return writer;
}

static void meet(Writer writer, CommandKind kind, unsigned barrier) {
  add(writer, (Command){.kind = kind,
                        .barrier = (uint8_t)barrier,
                        .threads = writer.programs->threads});
}

static void touch(Writer writer, CommandKind kind, uint32_t address,
                  uint32_t place) {
  add(writer, (Command){.kind = kind,
                        .bytes = 4,
                        .address = address,
                        .stride = 4,
                        .place = place});
}

// ------------------------------------------------------------------ ring ---

static void produce(Writer writer, unsigned buffer) {
  meet(writer, COMMAND_SYNC, EMPTY + buffer);
  for (unsigned i = 0; i < 4; i++)
    touch(writer, COMMAND_WRITE, buffer * BUFFER + (writer.warp * 4 + i) * 128,
          1);
  meet(writer, COMMAND_ARRIVE, FULL + buffer);
}

static void consume(Writer writer, unsigned buffer) {
  meet(writer, COMMAND_ARRIVE, EMPTY + buffer);
  meet(writer, COMMAND_SYNC, FULL + buffer);
  for (unsigned i = 0; i < 3; i++)
    touch(writer, COMMAND_READ, buffer * BUFFER + (writer.warp + i) % 8 * 128,
          2);
}

static Programs *ring(Arena *arena, unsigned rounds) {
  Writer writer = start(arena, 10, 3);
  for (; writer.warp < 10; writer.warp++)
    for (unsigned i = 0; i < 2 * rounds; i++)
      if (writer.warp < 2)
        produce(writer, i % 2);
      else
        consume(writer, i % 2);
  return writer.programs;
}

// ---------------------------------------------------------------- phases ---

static void use(Writer writer, CommandKind kind, uint32_t address,
                uint32_t threads, unsigned parity) {
  add(writer, (Command){.kind = kind,
                        .address = address,
                        .arrivals = threads,
                        .parity = parity & 1});
}

static void begin_phases(Writer writer) {
  for (unsigned i = 0; i < 2 && writer.warp == 0; i++) {
    use(writer, COMMAND_MBARRIER_INIT, FULL_PHASES + 8 * i, 2 * WARP, 0);
    writer.programs->warps[0].at[2 * i].lanes = 1;
    use(writer, COMMAND_MBARRIER_INIT, EMPTY_PHASES + 8 * i, 8 * WARP, 0);
    writer.programs->warps[0].at[2 * i + 1].lanes = 1;
  }
  meet(writer, COMMAND_SYNC, 0);
}

static void fill(Writer writer, unsigned round) {
  unsigned buffer = round % 2;
  use(writer, COMMAND_MBARRIER_WAIT, EMPTY_PHASES + 8 * buffer, 0,
      round / 2 + 1);
  for (unsigned i = 0; i < 4; i++)
    touch(writer, COMMAND_WRITE, buffer * BUFFER + (writer.warp * 4 + i) * 128,
          1);
  use(writer, COMMAND_MBARRIER_ARRIVE, FULL_PHASES + 8 * buffer, 1, 0);
}

static void drain(Writer writer, unsigned round) {
  unsigned buffer = round % 2;
  use(writer, COMMAND_MBARRIER_WAIT, FULL_PHASES + 8 * buffer, 0, round / 2);
  for (unsigned i = 0; i < 3; i++)
    touch(writer, COMMAND_READ, buffer * BUFFER + (writer.warp + i) % 8 * 128,
          2);
  use(writer, COMMAND_MBARRIER_ARRIVE, EMPTY_PHASES + 8 * buffer, 1, 0);
}

static Programs *phases(Arena *arena, unsigned rounds) {
  Writer writer = start(arena, 10, 3);
  for (; writer.warp < 10; writer.warp++) {
    begin_phases(writer);
    for (unsigned i = 0; i < 2 * rounds; i++)
      if (writer.warp < 2)
        fill(writer, i);
      else
        drain(writer, i);
  }
  return writer.programs;
}

// ------------------------------------------------------------------- hot ---

// Each lane begins at another word, so no two share an access.
static void scatter(Writer writer) {
  for (unsigned i = 0; i < HOT_WORDS; i++)
    for (unsigned lane = 0; lane < WARP; lane++)
      push(writer.arena, &writer.programs->addresses,
           4 * ((i + 5 * lane) % HOT_WORDS));
}

static void read_all(Writer writer) {
  for (unsigned i = 0; i < HOT_WORDS; i++)
    add(writer, (Command){.kind = COMMAND_READ,
                          .bytes = 4,
                          .is_scattered = true,
                          .address = i * WARP,
                          .place = 2});
}

static Programs *hot(Arena *arena, unsigned rounds, bool has_barriers) {
  Writer writer = start(arena, 10, 3);
  scatter(writer);
  for (; writer.warp < 10; writer.warp++)
    for (unsigned i = 0; i < rounds; i++) {
      for (unsigned k = 0; k < 4 && writer.warp == 0; k++)
        touch(writer, COMMAND_WRITE, k * 128, 1);
      if (has_barriers)
        meet(writer, COMMAND_SYNC, 0);
      read_all(writer);
      if (has_barriers)
        meet(writer, COMMAND_SYNC, 0);
    }
  return writer.programs;
}

// ------------------------------------------------------------------ racy ---

static Programs *racy(Arena *arena, unsigned rounds) {
  Writer writer = start(arena, BLOCK_WARPS, 2 * rounds);
  for (; writer.warp < BLOCK_WARPS; writer.warp++)
    for (unsigned i = 0; i < 2 * rounds; i++)
      touch(writer, i % 2 ? COMMAND_WRITE : COMMAND_READ, 0, i);
  return writer.programs;
}

Programs *large_programs(Arena *arena, Large shape, unsigned rounds) {
  switch (shape) {
  case LARGE_RING:
    return ring(arena, rounds);
  case LARGE_HOT:
    return hot(arena, rounds, true);
  case LARGE_BARE:
    return hot(arena, rounds, false);
  case LARGE_RACY:
    return racy(arena, rounds);
  case LARGE_PHASES:
    return phases(arena, rounds);
  }
  return NULL;
}

uint64_t count_accesses(const Programs *programs) {
  uint64_t count = 0;
  for (unsigned warp = 0; warp < programs_warps(programs); warp++)
    for (size_t i = 0; i < programs->warps[warp].count; i++) {
      const Command *command = &programs->warps[warp].at[i];
      if (command->kind <= COMMAND_ATOMIC)
        count += (unsigned)__builtin_popcount(command->lanes);
    }
  return count;
}
