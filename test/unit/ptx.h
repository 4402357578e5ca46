// Small kernels in PTX, emulated, for the tests of barriers/.

#ifndef TEST_UNIT_PTX_H
#define TEST_UNIT_PTX_H

#include "barriers/barriers.h"

#include <check.h>
#include <string.h>

#define HEADER ".version 8.8\n.target sm_80\n.address_size 64\n"

typedef struct PtxRun {
  Task task;
  Ptx *ptx;
  EmulationOptions options;
  Programs *programs;
  bool is_good;
} PtxRun;

static inline void emulate(Task *task, void *data) {
  PtxRun *run = data;
  run->programs = ptx_emulate(task, ptx_kernel(run->ptx, 0), &run->options);
}

static inline void run_with(PtxRun *run, const char *text,
                            EmulationOptions options) {
  const char *reason;
  Loc where;
  *run = (PtxRun){.options = options};
  bool is_parsed =
      ptx_parse(&run->task, "k.ptx", text, &run->ptx, &reason, &where);
  ck_assert_msg(is_parsed, "%u: %s", where.line, is_parsed ? "" : reason);
  run->is_good = task_run(&run->task, emulate, run);
}

static inline EmulationOptions threads(uint32_t count) {
  return (EmulationOptions){.block_size = {count, 1, 1},
                            .grid_size = {4, 1, 1},
                            .block = {2, 0, 0},
                            .most_steps = 10000};
}

static inline void end_run(PtxRun *run) { arena_free(&run->task.arena); }

// A command as a word, its lanes, and what these letters stand for:
//
//   s   4 [128+4] same      bytes, address and stride; or 4 scattered
//   a   [64]                the address
//   w   3                   a number instead of an address
//   b   1                   the barrier
//   p   1                   a parity
//   n   2                   threads
//   c   2                   arrivals
//   e   2                   bytes of a bulk copy
//   r   2                   registers
//   t   +16                 bytes of an mbarrier, if there are any
//   y   try 2               so far back is its try, if there is one
typedef struct LineShape {
  const char *word, *letters;
} LineShape;

static inline LineShape line_shape(CommandKind kind) {
  static const LineShape shapes[] = {
      [COMMAND_READ] = {"read", "s"},
      [COMMAND_STRONG_READ] = {"strong-read", "s"},
      [COMMAND_WRITE] = {"write", "s"},
      [COMMAND_ATOMIC] = {"atomic", "s"},
      [COMMAND_SYNC] = {"sync", "bn"},
      [COMMAND_REDUCE] = {"red", "bn"},
      [COMMAND_ARRIVE] = {"bar.arrive", "bn"},
      [COMMAND_WARP_SYNC] = {"warp-sync", ""},
      [COMMAND_REGISTERS] = {"registers", "r"},
      [COMMAND_EXIT] = {"exit", ""},
      [COMMAND_MBARRIER_INIT] = {"init", "ac"},
      [COMMAND_MBARRIER_INVAL] = {"inval", "a"},
      [COMMAND_MBARRIER_EXPECT] = {"expect", "at"},
      [COMMAND_MBARRIER_ARRIVE] = {"arrive", "act"},
      [COMMAND_MBARRIER_DROP] = {"drop", "act"},
      [COMMAND_MBARRIER_COMPLETE] = {"complete", "at"},
      [COMMAND_MBARRIER_TRY] = {"try", "ap"},
      [COMMAND_MBARRIER_WAIT] = {"wait", "apy"},
      [COMMAND_COPY] = {"copy", "s"},
      [COMMAND_COPIES_DONE] = {"done", "w"},
      [COMMAND_COPY_ARRIVE] = {"copy-arrive", "ac"},
      [COMMAND_BULK_READ] = {"bulk-read", "ae"},
      [COMMAND_BULK_WRITE] = {"bulk-write", "ae"},
      [COMMAND_BULK_ATOMIC] = {"bulk-atomic", "ae"},
      [COMMAND_BULK_COMPLETE] = {"bulk-complete", "at"},
      [COMMAND_BULKS_DONE] = {"bulks-done", "w"},
      [COMMAND_PROXY_FENCE] = {"fence", ""},
      [COMMAND_INIT_FENCE] = {"fence-init", ""},
  };
  return shapes[kind];
}

static inline const char *span_text(Arena *arena, const Command *command) {
  return command->is_scattered
             ? arena_printf(arena, " %u scattered", command->bytes)
             : arena_printf(arena, " %u [%u%+d]%s", command->bytes,
                            command->address, command->stride,
                            command->same_value ? " same" : "");
}

static inline const char *letter_text(Arena *arena, const Command *command,
                                      char letter) {
  switch (letter) {
  case 's':
    return span_text(arena, command);
  case 'a':
    return arena_printf(arena, " [%u]", command->address);
  case 'w':
    return arena_printf(arena, " %u", command->before);
  case 'b':
    return arena_printf(arena, " %u", command->barrier);
  case 'c':
    return arena_printf(arena, " %u", command->arrivals);
  case 'e':
    return arena_printf(arena, " %u", command->extent);
  case 'r':
    return arena_printf(arena, " %u", command->registers);
  case 'p':
    return arena_printf(arena, " %u", command->parity);
  case 'n':
    return arena_printf(arena, " %u", command->threads);
  case 'y':
    return command->tried ? arena_printf(arena, " try %u", command->tried) : "";
  default:
    return command->tx ? arena_printf(arena, " %+d", command->tx) : "";
  }
}

static inline const char *line_of(PtxRun *run, const Command *command) {
  Arena *arena = &run->task.arena;
  LineShape shape = line_shape(command->kind);
  const char *text =
      arena_printf(arena, "%s%s %x", command->is_perhaps ? "perhaps " : "",
                   shape.word, command->lanes);
  for (const char *letter = shape.letters; *letter; letter++)
    text =
        arena_printf(arena, "%s%s", text, letter_text(arena, command, *letter));
  return arena_printf(arena, "%s\n", text);
}

static inline const char *program_text(PtxRun *run, unsigned warp) {
  char *text = "";
  const Commands *commands = &run->programs->warps[warp];
  for (size_t i = 0; i < commands->count; i++)
    text = arena_printf(&run->task.arena, "%s%s", text,
                        line_of(run, &commands->at[i]));
  return text;
}

static inline void expect_program(const char *text, unsigned block,
                                  unsigned warp, const char *program) {
  PtxRun run;
  run_with(&run, text, threads(block));
  ck_assert_msg(run.is_good, "%u: %s", run.task.where.line,
                run.is_good ? "" : run.task.reason);
  ck_assert_str_eq(program_text(&run, warp), program);
  end_run(&run);
}

static inline void expect_unknown(const char *text, unsigned line,
                                  const char *reason) {
  PtxRun run;
  run_with(&run, text, threads(64));
  ck_assert_msg(!run.is_good, "it is known");
  ck_assert_msg(strstr(run.task.reason, reason) != NULL, "'%s' instead of '%s'",
                run.task.reason, reason);
  ck_assert_uint_eq(run.task.where.line, line);
  end_run(&run);
}

#endif
