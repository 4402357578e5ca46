// Fibers, the scheduler, races and launch files, without any compiler: the
// kernels here are C functions that tell the machine what they do.

#define _GNU_SOURCE

#include "plugin/run.h"
#include "runtime/machine/machine.h"
#include "test/unit/suite.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ---------------------------------------------------------------- fibers ---

static Fiber outside, inside[2];
static char order[16];

static void say_twice(void *data) {
  const char *name = data;
  double kept = name[0] * 0.5;
  for (int i = 0; i < 2; i++) {
    strcat(order, name);
    fiber_switch(&inside[name[0] - 'a'], &outside);
    ck_assert(kept == name[0] * 0.5);
  }
  for (;;)
    fiber_switch(&inside[name[0] - 'a'], &outside);
}

START_TEST(fibers_take_turns_and_keep_their_values) {
  Stacks stacks;
  order[0] = 0;
  ck_assert(stacks_open(&stacks, 2, 1 << 16));
  fiber_start(&inside[0], &stacks, 0, say_twice, "a");
  fiber_start(&inside[1], &stacks, 1, say_twice, "b");
  for (int i = 0; i < 4; i++)
    fiber_switch(&outside, &inside[i % 2]);
  ck_assert_str_eq(order, "abab");
}
END_TEST

START_TEST(below_each_stack_is_a_guard) {
  Stacks stacks;
  ck_assert(stacks_open(&stacks, 2, 1 << 16));
  const char *end = stacks.at + stacks.stride;
  ck_assert(stacks_is_guard(&stacks, stacks.at));
  ck_assert(!stacks_is_guard(&stacks, end - 1));
  ck_assert(stacks_is_guard(&stacks, end));
  ck_assert(stacks_contain(&stacks, end - 1));
  ck_assert(!stacks_contain(&stacks, end + stacks.stride));
}
END_TEST

// --------------------------------------------------------------- machine ---

enum { READ, WRITE, ATOMIC, BARRIER, OTHER_BARRIER, LOOP, SITES };

static int cells[64];
static Code code;
static Run run;
static Image image;
static Outcome *outcome;

static void set_up(void) {
  static Site sites[SITES] = {
      {.kind = SITE_READ, .loc = {"k.cu", 1, 1}, .scope = SCOPE_SYSTEM},
      {.kind = SITE_WRITE, .loc = {"k.cu", 2, 1}, .scope = SCOPE_SYSTEM},
      {.kind = SITE_ATOMIC, .loc = {"k.cu", 3, 1}, .scope = SCOPE_BLOCK},
      {.kind = SITE_CALL, .loc = {"k.cu", 4, 1}, .scope = SCOPE_SYSTEM},
      {.kind = SITE_CALL, .loc = {"k.cu", 5, 1}, .scope = SCOPE_SYSTEM},
      {.kind = SITE_LOOP, .loc = {"k.cu", 6, 1}, .scope = SCOPE_SYSTEM}};
  static Buffer buffer;
  code = (Code){.source = "k"};
  code.sites.at = sites;
  code.sites.count = SITES;
  buffer =
      (Buffer){.name = "cells", .at = (char *)cells, .bytes = sizeof cells};
  run = (Run){.code = &code,
              .grid = {1, 1, 1},
              .block = {4, 1, 1},
              .watch = WATCH_RACES,
              .max_steps = 1000,
              .max_seconds = 10};
  run.buffers.at = &buffer;
  run.buffers.count = 1;
  outcome = outcome_new();
}

static void tear_down(void) { outcome_free(outcome); }

static void execute(void *data) {
  (void)data;
  machine_execute(&run, &image, outcome);
}

// The kind of the only incident, -1 if there is none.
static int incident(void (*kernel)(void **arguments)) {
  image = (Image){.entry = kernel};
  *outcome = (Outcome){0};
  ck_assert(child_run(execute, NULL, 10));
  ck_assert_uint_le(outcome->count, 1);
  return outcome->count ? (int)outcome->incidents[0].kind : -1;
}

static void at_barrier(uint32_t site) {
  builtin_at(site);
  machine_wait(THREAD_AT_BARRIER);
}

static unsigned me(void) { return machine.self->index; }

static void own_cells(void **arguments) {
  (void)arguments;
  region_access(&cells[me()], 4, WRITE);
  cells[me()] = 1;
}

static void neighbours(void **arguments) {
  own_cells(arguments);
  region_access(&cells[(me() + 1) % 4], 4, READ);
}

static void neighbours_with_barrier(void **arguments) {
  own_cells(arguments);
  at_barrier(BARRIER);
  region_access(&cells[(me() + 1) % 4], 4, READ);
}

START_TEST(neighbours_race_without_a_barrier) {
  ck_assert_int_eq(incident(own_cells), -1);
  ck_assert(outcome->is_done);
  ck_assert_int_eq(incident(neighbours), INCIDENT_RACE);
  ck_assert_int_eq(incident(neighbours_with_barrier), -1);
}
END_TEST

START_TEST(a_race_names_both_accesses) {
  ck_assert_int_eq(incident(neighbours), INCIDENT_RACE);
  const Actor *actors = outcome->incidents[0].actors;
  ck_assert_uint_eq(actors[0].site + actors[1].site, READ + WRITE);
  ck_assert_uint_ne(actors[0].thread[0], actors[1].thread[0]);
  ck_assert_int_eq(actors[0].offset, actors[1].offset);
}
END_TEST

START_TEST(blocks_race_where_threads_of_one_do_not) {
  run.block[0] = 1;
  ck_assert_int_eq(incident(neighbours), -1);
  run.grid[0] = 2;
  ck_assert_int_eq(incident(neighbours), INCIDENT_RACE);
}
END_TEST

static void write_one(void **arguments) {
  (void)arguments;
  region_access(&cells[0], 4, WRITE);
  cells[0] = 7;
}

START_TEST(equal_values_are_tolerated_if_asked) {
  cells[0] = 7;
  ck_assert_int_eq(incident(write_one), INCIDENT_RACE);
  run.tolerates_same_value = true;
  ck_assert_int_eq(incident(write_one), -1);
}
END_TEST

static void count(void **arguments) {
  (void)arguments;
  region_access(&cells[0], 4, ATOMIC);
}

START_TEST(an_atomic_of_the_block_races_between_blocks) {
  ck_assert_int_eq(incident(count), -1);
  run.grid[0] = 2;
  ck_assert_int_eq(incident(count), INCIDENT_RACE);
}
END_TEST

static void some_leave(void **arguments) {
  (void)arguments;
  if (me() < 3)
    at_barrier(BARRIER);
}

static void two_barriers(void **arguments) {
  (void)arguments;
  at_barrier(me() ? BARRIER : OTHER_BARRIER);
}

START_TEST(barriers_that_not_all_reach_are_divergent) {
  ck_assert_int_eq(incident(some_leave), INCIDENT_DIVERGENCE);
  ck_assert(outcome->incidents[0].actors[1].has_exited);
  ck_assert_int_eq(incident(two_barriers), INCIDENT_DIVERGENCE);
  ck_assert(!outcome->incidents[0].actors[1].has_exited);
}
END_TEST

// ---------------------------------------------------------------- blocks ---

// Code for all threads of a block says for each of them where it has come to.

static uint32_t come_to[4], met;

static void meet_once(void **arguments) {
  (void)arguments;
  met = machine_meet(come_to);
}

static int incident_of_block(void (*block)(void **arguments)) {
  image = (Image){.entry = block, .is_block = true};
  *outcome = (Outcome){0};
  machine_execute(&run, &image, outcome);
  return outcome->count ? (int)outcome->incidents[0].kind : -1;
}

START_TEST(a_block_goes_on_where_all_its_threads_are) {
  run.watch = WATCH_NOTHING;
  for (unsigned i = 0; i < 4; i++)
    come_to[i] = BARRIER;
  ck_assert_int_eq(incident_of_block(meet_once), -1);
  ck_assert_uint_eq(met, BARRIER);
  ck_assert(outcome->is_done);
}
END_TEST

START_TEST(threads_of_a_block_that_part_are_named) {
  run.watch = WATCH_NOTHING;
  for (unsigned i = 0; i < 4; i++)
    come_to[i] = i == 2 ? NO_SITE : BARRIER;
  ck_assert_int_eq(incident_of_block(meet_once), INCIDENT_DIVERGENCE);
  const Actor *actors = outcome->incidents[0].actors;
  ck_assert_uint_eq(actors[0].thread[0], 0);
  ck_assert_uint_eq(actors[0].site, BARRIER);
  ck_assert_uint_eq(actors[1].thread[0], 2);
  ck_assert(actors[1].has_exited);
}
END_TEST

static void rounds_for_ever(void **arguments) {
  (void)arguments;
  for (;;)
    machine_round(LOOP);
}

START_TEST(a_loop_of_a_block_is_ended_and_named) {
  run.watch = WATCH_NOTHING;
  ck_assert_int_eq(incident_of_block(rounds_for_ever), INCIDENT_ENDLESS);
  ck_assert_uint_eq(outcome->incidents[0].actors[0].site, LOOP);
  ck_assert_uint_gt(outcome->steps, run.max_steps);
}
END_TEST

static void fail_blindly(void **arguments) {
  (void)arguments;
  machine.is_blind = true;
  machine_fail(INCIDENT_CRASH, "signal");
}

START_TEST(a_fault_of_a_vector_names_the_block_only) {
  run.watch = WATCH_NOTHING;
  ck_assert_int_eq(incident_of_block(fail_blindly), INCIDENT_CRASH);
  ck_assert_uint_eq(outcome->incidents[0].count, 0);
  ck_assert_ptr_nonnull(
      strstr(outcome->incidents[0].text, "some thread of block (0,0,0)"));
}
END_TEST

static void mixed_warp(void **arguments) {
  (void)arguments;
  builtin_at(BARRIER);
  if (me() == 0)
    warp_sync(0xf);
  else
    machine_wait(THREAD_AT_GRID);
}

START_TEST(a_lane_that_waits_in_vain_is_a_deadlock) {
  ck_assert_int_eq(incident(mixed_warp), INCIDENT_DEADLOCK);
}
END_TEST

static void for_ever(void **arguments) {
  (void)arguments;
  for (;;)
    machine_step(LOOP);
}

static void outside_of_it(void **arguments) {
  (void)arguments;
  region_access(&cells[64], 4, WRITE);
}

static void crash(void **arguments) {
  (void)arguments;
  raise(SIGILL);
}

START_TEST(what_goes_wrong_is_told_and_contained) {
  ck_assert_int_eq(incident(for_ever), INCIDENT_ENDLESS);
  ck_assert_uint_eq(outcome->incidents[0].actors[0].site, LOOP);
  ck_assert_int_eq(incident(outside_of_it), INCIDENT_OUT_OF_BOUNDS);
  ck_assert_int_eq(outcome->incidents[0].actors[0].offset, sizeof cells);
  ck_assert_int_eq(incident(crash), INCIDENT_CRASH);
}
END_TEST

// The time may be over while no machine is open, as between two executions.

static void goes_round(void **arguments) {
  (void)arguments;
  machine_step(LOOP);
}

static void execute_late(void *data) {
  machine_is_late = true;
  execute(data);
}

START_TEST(time_that_is_over_before_an_execution_ends_it) {
  ck_assert_int_eq(incident(goes_round), -1);
  *outcome = (Outcome){0};
  ck_assert(child_run(execute_late, NULL, 10));
  ck_assert_uint_eq(outcome->count, 1);
  ck_assert_int_eq(outcome->incidents[0].kind, INCIDENT_ENDLESS);
}
END_TEST

// One run after another in one process; the kind of each one's incident.

typedef struct Row {
  void (*kernel)(void **arguments);
  unsigned threads;
  int kind;
} Row;

enum { ROWS = 8 };

static void execute_rows(void *data) {
  Row *rows = data;
  for (int i = 0; i < ROWS; i++) {
    Outcome *own = outcome_new();
    image = (Image){.entry = rows[i].kernel};
    run.block[0] = rows[i].threads;
    if (machine_open(&run, &image, own))
      machine_run();
    machine_close();
    rows[i].kind = own->count ? (int)own->incidents[0].kind : -1;
    outcome_free(own);
  }
}

START_TEST(a_run_that_ends_badly_leaves_the_process_to_the_next) {
  static const int expected[ROWS] = {INCIDENT_CRASH, -1, INCIDENT_OUT_OF_BOUNDS,
                                     INCIDENT_RACE,  -1, INCIDENT_DIVERGENCE,
                                     INCIDENT_CRASH, -1};
  Row *rows = (Row *)(void *)memory_shared(ROWS * sizeof *rows);
  Row wanted[ROWS] = {{crash, 4, 0},         {own_cells, 4, 0},
                      {outside_of_it, 4, 0}, {neighbours, 64, 0},
                      {own_cells, 64, 0},    {some_leave, 4, 0},
                      {crash, 64, 0},        {neighbours_with_barrier, 4, 0}};
  memcpy(rows, wanted, sizeof wanted);
  ck_assert(child_run(execute_rows, rows, 10));
  for (int i = 0; i < ROWS; i++)
    ck_assert_int_eq(rows[i].kind, expected[i]);
  memory_shared_free((char *)rows, ROWS * sizeof *rows);
}
END_TEST

static void sum_of_lanes(void **arguments) {
  (void)arguments;
  uint32_t sum = warp_reduce_add(me() + 1, 0xf);
  uint32_t ballot = warp_vote_ballot(0xf, me() % 2);
  uint32_t above = warp_shuffle_down(0xf, me(), 1, 28 << 8 | 31); // of four
  if (sum != 10 || ballot != 0xa || above != (me() < 3 ? me() + 1 : 3))
    machine_fail(INCIDENT_TRAP, "%u %u %u", sum, ballot, above);
}

START_TEST(lanes_tell_each_other) {
  ck_assert_int_eq(incident(sum_of_lanes), -1);
}
END_TEST

// ---------------------------------------------------------------- builtins ---

START_TEST(a_builtin_is_found_by_its_name_or_a_prefix) {
  Task task = {0};
  ck_assert_int_eq(builtin_find(&task, "llvm.nvvm.read.ptx.sreg.tid.x")->how,
                   HOW_FIELD);
  ck_assert_int_eq(builtin_find(&task, "llvm.smax.i32")->how, HOW_PLAIN);
  ck_assert_int_eq(builtin_find(&task, "_Z12get_local_idj")->how, HOW_OWN);
  ck_assert_ptr_null(builtin_find(&task, "llvm.nvvm.tex.unified.1d"));
  ck_assert_ptr_null(builtin_find(&task, "elsewhere"));
  arena_free(&task.arena);
}
END_TEST

// ------------------------------------------------------------ launch files ---

static const char *const launch_name = "test_runtime.json";

// What is wrong with this launch file, NULL if it is right.
static const char *trouble(Task *task, const char *text, LaunchFile *launch,
                           Run *to) {
  static Parameter parameters[] = {
      {.kind = PARAMETER_POINTER, .name = "a", .bytes = 8},
      {.kind = PARAMETER_INTEGER, .name = "n", .bytes = 4}};
  const char *error = NULL;
  FILE *out = fopen(launch_name, "w");
  ck_assert_ptr_nonnull(out);
  fputs(text, out);
  fclose(out);
  code = (Code){.source = "k"};
  code.parameters.at = parameters;
  code.parameters.count = 2;
  if (launch_open(task, launch_name, launch, &error))
    launch_bind(task, launch, &code, to, &error);
  unlink(launch_name);
  return error;
}

START_TEST(a_launch_file_fills_arguments) {
  Task task = {0};
  LaunchFile launch = {0};
  Run to = {0};
  const char *error = trouble(
      &task,
      "{\"grid\": 2, \"block\": [4, 2], \"arguments\": ["
      "{\"name\": \"a\", \"count\": 5, \"init\": [9, -1]}, {\"value\": 7}],"
      "\"expect\": [{\"buffer\": \"a\", \"from\": 1, \"is\": [-1, 3]}]}",
      &launch, &to);
  ck_assert_ptr_null(error);
  ck_assert_uint_eq(to.grid[0] * to.block[0] * to.block[1], 16);
  ck_assert_int_eq(*(int *)to.arguments.at[1], 7);
  ck_assert_int_eq(((int *)(void *)to.buffers.at[0].at)[1], -1);
  ck_assert_uint_eq(range_difference(&launch.expectations.at[0], &to), 1);
  launch_close(&launch);
  arena_free(&task.arena);
}
END_TEST

START_TEST(a_mistake_in_a_launch_file_is_one_sentence) {
  static const struct {
    const char *text, *says;
  } rows[] = {
      {"{", "test_runtime.json:1:"},
      {"[1]", "this is no JSON object"},
      {"{\"grids\": 1}", "a launch has no member \"grids\""},
      {"{\"grid\": 0, \"block\": 1}", "\"grid\" is a whole number"},
      {"{\"grid\": 1, \"block\": 2048}", "at most 1024 threads"},
      {"{\"grid\": 1, \"block\": 1, \"arguments\": []}", "has 2 arguments"},
      {"{\"grid\": 1, \"block\": 1, \"arguments\": [{}, {}]}",
       "'a' needs a \"count\""},
      {"{\"grid\": 1, \"block\": 1, \"arguments\": [{\"count\": 1}, {}]}",
       "'n' needs a \"value\""},
      {"{\"grid\": 1, \"block\": 1, \"arguments\": [{\"count\": 1, \"type\": "
       "\"int\"}, {\"value\": 1}]}",
       "\"type\" is one of"},
      {"{\"grid\": 1, \"block\": 1, \"arguments\": [{\"count\": 1, \"init\": "
       "[1, 2]}, {\"value\": 1}]}",
       "a list of 2 values for 1 elements"},
      {"{\"grid\": 1, \"block\": 1, \"arguments\": [{\"name\": \"b\", "
       "\"count\": 1}, {\"value\": 1}]}",
       "argument 1 is 'a', not 'b'"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Task task = {0};
    LaunchFile launch = {0};
    Run to = {0};
    const char *error = trouble(&task, rows[i].text, &launch, &to);
    ck_assert_msg(error && strstr(error, rows[i].says), "%s: %s", rows[i].text,
                  error ? error : "no error");
    launch_close(&launch);
    arena_free(&task.arena);
  }
}
END_TEST

int main(void) {
  TCase *tc = tcase_create("runtime");
  tcase_add_checked_fixture(tc, set_up, tear_down);
  tcase_add_test(tc, fibers_take_turns_and_keep_their_values);
  tcase_add_test(tc, below_each_stack_is_a_guard);
  tcase_add_test(tc, neighbours_race_without_a_barrier);
  tcase_add_test(tc, a_race_names_both_accesses);
  tcase_add_test(tc, blocks_race_where_threads_of_one_do_not);
  tcase_add_test(tc, equal_values_are_tolerated_if_asked);
  tcase_add_test(tc, an_atomic_of_the_block_races_between_blocks);
  tcase_add_test(tc, barriers_that_not_all_reach_are_divergent);
  tcase_add_test(tc, a_block_goes_on_where_all_its_threads_are);
  tcase_add_test(tc, threads_of_a_block_that_part_are_named);
  tcase_add_test(tc, a_loop_of_a_block_is_ended_and_named);
  tcase_add_test(tc, a_fault_of_a_vector_names_the_block_only);
  tcase_add_test(tc, a_lane_that_waits_in_vain_is_a_deadlock);
  tcase_add_test(tc, what_goes_wrong_is_told_and_contained);
  tcase_add_test(tc, a_run_that_ends_badly_leaves_the_process_to_the_next);
  tcase_add_test(tc, time_that_is_over_before_an_execution_ends_it);
  tcase_add_test(tc, lanes_tell_each_other);
  tcase_add_test(tc, a_builtin_is_found_by_its_name_or_a_prefix);
  tcase_add_test(tc, a_launch_file_fills_arguments);
  tcase_add_test(tc, a_mistake_in_a_launch_file_is_one_sentence);
  return run_suite(tc, "runtime");
}
