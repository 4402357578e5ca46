// Small kernels in PTX, emulated, for the tests of barriers/.

#ifndef TEST_UNIT_PTX_H
#define TEST_UNIT_PTX_H

#include "barriers/barriers.h"

#include <check.h>

#define HEADER ".version 8.8\n.target sm_80\n.address_size 64\n"

typedef struct Run {
  Task task;
  Ptx *ptx;
  EmulationOptions options;
  Programs *programs;
  bool is_good;
} Run;

static inline void emulate(Task *task, void *data) {
  Run *run = data;
  run->programs = ptx_emulate(task, ptx_kernel(run->ptx, 0), &run->options);
}

static inline void run_with(Run *run, const char *text,
                            EmulationOptions options) {
  const char *reason;
  Loc where;
  *run = (Run){.options = options};
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

static inline void end_run(Run *run) { arena_free(&run->task.arena); }

static inline const char *line_of(Run *run, const Command *command) {
  static const char *const names[] = {"read",      "write",     "atomic",
                                      "sync",      "red",       "arrive",
                                      "warp-sync", "registers", "exit"};
  Arena *arena = &run->task.arena;
  const char *head =
      arena_printf(arena, "%s %x", names[command->kind], command->lanes);
  if (command->kind <= COMMAND_ATOMIC)
    return command->is_scattered
               ? arena_printf(arena, "%s %u scattered\n", head, command->bytes)
               : arena_printf(arena, "%s %u [%u%+d]%s\n", head, command->bytes,
                              command->address, command->stride,
                              command->same_value ? " same" : "");
  if (command->kind <= COMMAND_ARRIVE)
    return arena_printf(arena, "%s %u %u\n", head, command->barrier,
                        command->threads);
  return arena_printf(arena, "%s\n", head);
}

static inline const char *program_text(Run *run, unsigned warp) {
  char *text = "";
  const Commands *commands = &run->programs->warps[warp];
  for (size_t i = 0; i < commands->count; i++)
    text = arena_printf(&run->task.arena, "%s%s", text,
                        line_of(run, &commands->at[i]));
  return text;
}

#endif
