// The programs as text, a line for each command of a warp:
//
//   warp 0  2: write 4 bytes  [128, 256) by 4  lanes 0-31      file.cu:11
//   warp 0  3: bar.sync 1, 64                                  file.cu:12
//
// A range is that of all lanes together, from the first byte to the one behind
// the last.

#include "barriers/programs/check.h"

#include <string.h>

enum { SOURCE_COLUMN = 64 };

static const char *name_of(CommandKind kind) {
  static const char *const names[] = {
      [COMMAND_READ] = "read",
      [COMMAND_STRONG_READ] = "strong-read",
      [COMMAND_WRITE] = "write",
      [COMMAND_ATOMIC] = "atomic",
      [COMMAND_SYNC] = "bar.sync",
      [COMMAND_REDUCE] = "bar.red",
      [COMMAND_ARRIVE] = "bar.arrive",
      [COMMAND_WARP_SYNC] = "bar.warp.sync",
      [COMMAND_REGISTERS] = "setmaxnreg",
      [COMMAND_EXIT] = "exit",
      [COMMAND_MBARRIER_INIT] = "mbarrier.init",
      [COMMAND_MBARRIER_INVAL] = "mbarrier.inval",
      [COMMAND_MBARRIER_EXPECT] = "mbarrier.expect_tx",
      [COMMAND_MBARRIER_ARRIVE] = "mbarrier.arrive",
      [COMMAND_MBARRIER_DROP] = "mbarrier.arrive_drop",
      [COMMAND_MBARRIER_COMPLETE] = "mbarrier.complete_tx",
      [COMMAND_MBARRIER_WAIT] = "mbarrier.wait",
      [COMMAND_MBARRIER_TRY] = "mbarrier.try",
      [COMMAND_COPY] = "cp.async",
      [COMMAND_COPIES_DONE] = "cp.async.wait_group",
      [COMMAND_COPY_ARRIVE] = "cp.async.mbarrier.arrive",
      [COMMAND_INIT_FENCE] = "fence.mbarrier_init",
      [COMMAND_BULK_READ] = "cp.async.bulk read",
      [COMMAND_BULK_WRITE] = "cp.async.bulk write",
      [COMMAND_BULK_ATOMIC] = "red.async",
      [COMMAND_BULK_COMPLETE] = "cp.async.bulk complete_tx",
      [COMMAND_BULKS_DONE] = "cp.async.bulk.wait_group",
      [COMMAND_PROXY_FENCE] = "fence.proxy.async",
  };
  return names[kind];
}

// "lanes 0-15,31"
static const char *lanes_text(Arena *arena, uint32_t lanes) {
  const char *text = "lanes";
  const char *between = " ";
  for (unsigned lane = 0; lane < WARP; lane++) {
    if (!(lanes >> lane & 1))
      continue;
    unsigned last = lane;
    while (last + 1 < WARP && lanes >> (last + 1) & 1)
      last++;
    text = arena_printf(arena, "%s%s%u", text, between, lane);
    if (last > lane)
      text = arena_printf(arena, "%s-%u", text, last);
    between = ",";
    lane = last;
  }
  return text;
}

static const char *range_text(Arena *arena, const Programs *programs,
                              const Command *command) {
  uint32_t from = UINT32_MAX, to = 0;
  for (uint32_t left = command->lanes; left; left &= left - 1) {
    uint32_t at =
        access_address(programs, command, (unsigned)__builtin_ctz(left));
    if (from > at)
      from = at;
    if (to < at + command->bytes)
      to = at + command->bytes;
  }
  const char *range = arena_printf(arena, "[%u, %u)", from, to);
  if (command->is_scattered)
    return arena_printf(arena, "%s scattered", range);
  return arena_printf(arena, "%s by %d", range, command->stride);
}

// "mbarrier.arrive [64], 1, 128 bytes  lanes 0"
static const char *mbarrier_text(Arena *arena, const Command *command) {
  const char *text =
      is_cluster_barrier(command)
          ? arena_printf(arena, "%s of cluster", name_of(command->kind))
      : is_apart(command)
          ? arena_printf(arena, "%s of wgmma group %u", name_of(command->kind),
                         (command->address - WGMMA_GROUPS) / MBARRIER_BYTES)
          : arena_printf(arena, "%s [%u]", name_of(command->kind),
                         command->address);
  bool asks = command->kind == COMMAND_MBARRIER_WAIT ||
              command->kind == COMMAND_MBARRIER_TRY;
  if (asks)
    text = arena_printf(arena, "%s parity %u", text, command->parity);
  if (asks && command->tried)
    text = arena_printf(arena, "%s, tried %u before", text, command->tried);
  else if (command->arrivals)
    text = arena_printf(arena, "%s, %u", text, command->arrivals);
  if (command->tx)
    text = arena_printf(arena, "%s, %d bytes", text, command->tx);
  if (command->is_relaxed)
    text = arena_printf(arena, "%s relaxed", text);
  if (command->never_completes)
    text = arena_printf(arena, "%s not the last", text);
  return arena_printf(arena, "%s  %s", text, lanes_text(arena, command->lanes));
}

static const char *command_text(Arena *arena, const Programs *programs,
                                const Command *command) {
  const char *name = name_of(command->kind);
  switch (command->kind) {
  case COMMAND_READ:
  case COMMAND_STRONG_READ:
  case COMMAND_WRITE:
  case COMMAND_ATOMIC:
  case COMMAND_COPY:
    return arena_printf(arena, "%s%s %u byte%s  %s%s  %s",
                        command->is_perhaps ? "perhaps " : "", name,
                        command->bytes, command->bytes == 1 ? "" : "s",
                        range_text(arena, programs, command),
                        command->same_value ? " same value" : "",
                        lanes_text(arena, command->lanes));
  case COMMAND_SYNC:
  case COMMAND_REDUCE:
  case COMMAND_ARRIVE:
    return arena_printf(arena, "%s %u, %u", name,
                        command->barrier % NAMED_BARRIERS, command->threads);
  case COMMAND_BULK_READ:
  case COMMAND_BULK_WRITE:
  case COMMAND_BULK_ATOMIC:
    return arena_printf(arena, "%s [%u, %u)  %s", name, command->address,
                        command->address + command->extent,
                        lanes_text(arena, command->lanes));
  case COMMAND_REGISTERS:
    return arena_printf(arena, "%s.%s %u", name,
                        command->increases ? "inc" : "dec", command->registers);
  case COMMAND_WARP_SYNC:
  case COMMAND_INIT_FENCE:
  case COMMAND_PROXY_FENCE:
  case COMMAND_EXIT:
    return arena_printf(arena, "%s  %s", name,
                        lanes_text(arena, command->lanes));
  case COMMAND_BULKS_DONE:
  case COMMAND_COPIES_DONE:
    return arena_printf(arena, "%s before %u  %s", name, command->before,
                        lanes_text(arena, command->lanes));
  case COMMAND_MBARRIER_INIT:
  case COMMAND_MBARRIER_INVAL:
  case COMMAND_MBARRIER_EXPECT:
  case COMMAND_MBARRIER_ARRIVE:
  case COMMAND_MBARRIER_DROP:
  case COMMAND_MBARRIER_COMPLETE:
  case COMMAND_MBARRIER_WAIT:
  case COMMAND_MBARRIER_TRY:
  case COMMAND_COPY_ARRIVE:
  case COMMAND_BULK_COMPLETE:
    return mbarrier_text(arena, command);
  }
  return name;
}

static const char *base_name(const char *file) {
  const char *slash = strrchr(file, '/');
  return slash ? slash + 1 : file;
}

static void print_source(const Programs *programs, const Command *command,
                         FILE *out) {
  if (command->place >= programs->places.count)
    return;
  const Place *place = &programs->places.at[command->place];
  Loc loc = place->source.line ? place->source : place->ptx;
  if (loc.line)
    fprintf(out, "  %s:%u", loc.file ? base_name(loc.file) : "", loc.line);
}

static void print_command(Arena *arena, const Programs *programs, unsigned warp,
                          size_t index, FILE *out) {
  const Command *command = &programs->warps[warp].at[index];
  fprintf(out, "warp %-2u %5zu: %-*s", warp, index, SOURCE_COLUMN,
          command_text(arena, programs, command));
  print_source(programs, command, out);
  fputc('\n', out);
}

// The texts of a line are gone when it is printed: programs are long.
void programs_print(Task *task, const Programs *programs, FILE *out) {
  fprintf(out, "programs of %s, %u threads",
          programs->kernel ? programs->kernel : "a kernel", programs->threads);
  if (programs_blocks(programs) > 1)
    fprintf(out, " in each of %u blocks", programs_blocks(programs));
  fputc('\n', out);
  for (unsigned warp = 0; warp < programs_warps(programs); warp++) {
    task_check_time(task, (Loc){0});
    for (size_t i = 0; i < programs->warps[warp].count; i++) {
      Arena line = {0};
      print_command(&line, programs, warp, i, out);
      arena_free(&line);
    }
  }
}
