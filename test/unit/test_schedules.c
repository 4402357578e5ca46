// The search among schedules, without any compiler: tiny programs whose
// interleavings are also enumerated, one by one, by a model that knows nothing
// of delays or conflicts.
//
// Whatever the search ends in, some interleaving ends in.  With enough delays
// it finds every end of every program here; that is more than it promises.

#define _GNU_SOURCE

#include "runtime/schedules/cpu.h"
#include "test/unit/suite.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { READ, WRITE, ADD, SWAP, SITES };
enum { CELLS = 2, THREADS = 3, STEPS_OF_ONE = 3, MOST_ENDS = 4096 };

// An operation of one thread, on a cell and its register.
typedef struct Operation {
  unsigned site, cell;
  int value;
} Operation;

typedef struct Sketch {
  unsigned threads, length;
  Operation at[THREADS][STEPS_OF_ONE];
} Sketch;

// All that can be seen at the end, and on the way.
typedef struct State {
  int cells[CELLS], registers[THREADS];
} State;

typedef struct Ends {
  unsigned count;
  State at[MOST_ENDS];
} Ends;

static State now;
static int memory[CELLS];
static Sketch program;
static Ends enumerated, explored;

static void add_end(Ends *ends, const State *state) {
  for (unsigned i = 0; i < ends->count; i++)
    if (!memcmp(&ends->at[i], state, sizeof *state))
      return;
  ck_assert_uint_lt(ends->count, MOST_ENDS);
  ends->at[ends->count++] = *state;
}

static bool has_end(const Ends *ends, const State *state) {
  for (unsigned i = 0; i < ends->count; i++)
    if (!memcmp(&ends->at[i], state, sizeof *state))
      return true;
  return false;
}

static void apply(const Operation *operation, int *cell, int *own) {
  int old = *cell;
  switch (operation->site) {
  case READ:
    *own = old;
    break;
  case WRITE:
    *cell = *own + operation->value;
    break;
  case ADD:
    *own = old;
    *cell = old + operation->value;
    break;
  case SWAP:
    *own = old;
    *cell = old == operation->value ? operation->value + 1 : old;
    break;
  }
}

// --------------------------------------------------------------- the model ---

static void enumerate(State state, const unsigned *done) {
  bool is_end = true;
  for (unsigned t = 0; t < program.threads; t++) {
    unsigned next[THREADS];
    State after = state;
    if (done[t] == program.length)
      continue;
    const Operation *operation = &program.at[t][done[t]];
    is_end = false;
    memcpy(next, done, sizeof next);
    next[t]++;
    apply(operation, &after.cells[operation->cell], &after.registers[t]);
    enumerate(after, next);
  }
  if (is_end)
    add_end(&enumerated, &state);
}

// -------------------------------------------------------------- the search ---

static Code code;
static Run run;
static Image image;
static Outcome *outcome;

static pid_t killer; // not in this process; 0: nowhere

static void kernel(void **arguments) {
  (void)arguments;
  unsigned me = (unsigned)machine.self->group->index;
  for (unsigned i = 0; i < program.length; i++) {
    const Operation *operation = &program.at[me][i];
    if (killer && getpid() != killer && !me && i && memory[0] == 1)
      raise(SIGKILL); // somebody came in between
    schedule_hooks.access(&memory[operation->cell], sizeof *memory,
                          operation->site);
    apply(operation, &memory[operation->cell], &now.registers[me]);
  }
}

static DelayList begun;

static void begin(void *data, const DelayList *lists, uint32_t count) {
  (void)data;
  ck_assert_uint_eq(count, 1);
  begun = *lists;
}

static uint32_t execute(void *data, Trial *trials) {
  (void)data;
  memset(&now, 0, sizeof now);
  schedule_execute(&begun, trials);
  ck_assert_int_eq(trials->kind, TRIAL_FINISHED);
  memcpy(now.cells, memory, sizeof memory);
  add_end(&explored, &now);
  watch_undo();
  return 1;
}

static void set_up(void) {
  static Site sites[SITES] = {{.kind = SITE_READ},
                              {.kind = SITE_WRITE},
                              {.kind = SITE_ATOMIC},
                              {.kind = SITE_ATOMIC, .is_conditional = true}};
  static Buffer buffer;
  code = (Code){.source = "k"};
  code.sites.at = sites;
  code.sites.count = SITES;
  buffer =
      (Buffer){.name = "cells", .at = (char *)memory, .bytes = sizeof memory};
  run = (Run){.code = &code,
              .block = {1, 1, 1},
              .watch = WATCH_SCHEDULES,
              .hooks = &schedule_hooks,
              .max_steps = 100000};
  run.buffers.at = &buffer;
  run.buffers.count = 1;
  image = (Image){.entry = kernel};
  outcome = outcome_new();
}

static void tear_down(void) { outcome_free(outcome); }

// With 0 workers, in this process, which looks at all ends.
static SearchResult search_with(unsigned workers, unsigned bound,
                                Selection select, uint64_t most) {
  static const bool observed[] = {true};
  SearchLimits limits = {.bound = bound, .select = select, .schedules = most};
  SearchResult result;
  memcpy(run.grid, (uint32_t[]){program.threads, 1, 1}, sizeof run.grid);
  explored.count = 0;
  *outcome = (Outcome){0};
  ck_assert(machine_open(&run, &image, outcome));
  ck_assert(watch_open(observed) && schedule_open(0));
  WorkerPool *crew = workers ? crew_open(workers) : NULL;
  ck_assert(crew || !workers);
  Executor executor =
      crew ? crew_executor(crew) : (Executor){begin, execute, NULL, 1, 1};
  schedule_search(&limits, &executor, &result);
  if (crew)
    crew_close(crew);
  schedule_close();
  watch_close();
  machine_close();
  return result;
}

static SearchResult search(unsigned bound, Selection select, uint64_t most) {
  return search_with(0, bound, select, most);
}

static void compare(bool is_whole) {
  unsigned none[THREADS] = {0};
  enumerated.count = 0;
  enumerate((State){0}, none);
  for (unsigned i = 0; i < explored.count; i++)
    ck_assert(has_end(&enumerated, &explored.at[i]));
  if (is_whole)
    ck_assert_uint_eq(explored.count, enumerated.count);
}

// ------------------------------------------------------------------- tests ---

// Two threads add one by a read and a write.
static void lost_update(void) {
  program = (Sketch){
      .threads = 2,
      .length = 2,
      .at = {{{READ, 0, 0}, {WRITE, 0, 1}}, {{READ, 0, 0}, {WRITE, 0, 1}}}};
}

START_TEST(one_delay_loses_an_update) {
  lost_update();
  search(0, SELECT_ALL, 0);
  ck_assert_uint_eq(explored.count, 1);
  ck_assert_int_eq(explored.at[0].cells[0], 2);
  search(1, SELECT_ALL, 0);
  compare(false);
  bool is_lost = false;
  for (unsigned i = 0; i < explored.count; i++)
    is_lost |= explored.at[i].cells[0] == 1;
  ck_assert(is_lost);
}
END_TEST

START_TEST(atomic_additions_have_one_sum) {
  program = (Sketch){.threads = 3,
                     .length = 1,
                     .at = {{{ADD, 0, 1}}, {{ADD, 0, 2}}, {{ADD, 0, 3}}}};
  search(4, SELECT_ALL, 0);
  for (unsigned i = 0; i < explored.count; i++)
    ck_assert_int_eq(explored.at[i].cells[0], 6);
  compare(true); // in six orders
}
END_TEST

START_TEST(threads_that_share_nothing_have_one_schedule) {
  program = (Sketch){
      .threads = 2, .length = 1, .at = {{{WRITE, 0, 1}}, {{WRITE, 1, 1}}}};
  SearchResult result = search(4, SELECT_ALL, 0);
  ck_assert_int_eq(result.end, SEARCH_EXHAUSTED);
  ck_assert_uint_eq(schedule_count(&result), 1);
}
END_TEST

START_TEST(without_a_conditional_atomic_that_selection_runs_one) {
  lost_update();
  SearchResult some = search(2, SELECT_CONDITIONAL, 0);
  SearchResult all = search(2, SELECT_ALL, 0);
  SearchResult first = search(2, SELECT_CONDITIONAL_FIRST, 0);
  ck_assert_uint_eq(schedule_count(&some), 1);
  ck_assert_uint_gt(schedule_count(&all), 1);
  ck_assert_uint_eq(schedule_count(&first), schedule_count(&all));
}
END_TEST

START_TEST(a_limit_leaves_lists_and_says_so) {
  lost_update();
  SearchResult result = search(2, SELECT_ALL, 2);
  ck_assert_int_eq(result.end, SEARCH_SCHEDULES);
  ck_assert_uint_eq(schedule_count(&result), 2);
  ck_assert_uint_eq(result.lengths, 1);
  ck_assert_uint_gt(result.left, 0);
}
END_TEST

static uint64_t next_random(uint64_t *state) {
  return *state = schedule_mix(*state, 1);
}

static void make_program(uint64_t seed) {
  program.threads = 2 + (unsigned)(next_random(&seed) % 2);
  program.length = program.threads == 2 ? 3 : 2;
  for (unsigned t = 0; t < program.threads; t++)
    for (unsigned i = 0; i < program.length; i++)
      program.at[t][i] = (Operation){(unsigned)(next_random(&seed) % SITES),
                                     (unsigned)(next_random(&seed) % CELLS),
                                     (int)(next_random(&seed) % 3)};
}

START_TEST(every_end_is_that_of_an_interleaving_and_all_are_found) {
  for (uint64_t seed = 1; seed <= 2000; seed++) {
    make_program(seed);
    SearchResult result = search(MOST_DELAYS, SELECT_CONDITIONAL_FIRST, 0);
    compare(!result.run[MOST_DELAYS]); // else there may be longer lists
  }
}
END_TEST

START_TEST(two_delays_never_end_in_what_no_interleaving_ends_in) {
  for (uint64_t seed = 1001; seed <= 1500; seed++) {
    make_program(seed);
    search(2, SELECT_ALL, 0);
    compare(false);
  }
}
END_TEST

// ----------------------------------------------------------------- workers ---

static void check_alike(const SearchResult *a, const SearchResult *b) {
  ck_assert_int_eq(a->end, b->end);
  ck_assert(!memcmp(a->run, b->run, sizeof a->run));
  ck_assert_uint_eq(a->skipped, b->skipped);
  ck_assert_uint_eq(a->repeated, b->repeated);
  ck_assert_uint_eq(a->unreached, b->unreached);
  ck_assert_uint_eq(a->undecided, b->undecided);
  ck_assert_uint_eq(a->left, b->left);
}

START_TEST(any_number_of_workers_has_one_answer) {
  for (uint64_t seed = 1; seed <= 10; seed++) {
    uint64_t most = seed % 2 ? 0 : 23;
    make_program(seed);
    SearchResult alone = search(3, SELECT_CONDITIONAL_FIRST, most);
    for (unsigned workers = 1; workers <= 3; workers++) {
      SearchResult together =
          search_with(workers, 3, SELECT_CONDITIONAL_FIRST, most);
      check_alike(&alone, &together);
    }
  }
}
END_TEST

START_TEST(a_worker_that_dies_costs_the_schedule_it_was_at) {
  lost_update();
  killer = getpid();
  SearchResult one = search_with(1, 2, SELECT_ALL, 0);
  ck_assert_int_eq(one.end, SEARCH_EXHAUSTED);
  ck_assert_uint_gt(one.undecided, 0);
  ck_assert_uint_lt(one.undecided, schedule_count(&one));
  for (unsigned workers = 2; workers <= 3; workers++) {
    SearchResult more = search_with(workers, 2, SELECT_ALL, 0);
    check_alike(&one, &more);
  }
}
END_TEST

// ---------------------------------------------------------------- a search ---

// An executor that fails where it is told to; it executes nothing.
typedef struct Fake {
  unsigned failing; // a list that has delay number 1 and so many more
  unsigned calls;
} Fake;

static uint32_t pretend(void *data, Trial *trials) {
  static SchedulePoint points[3];
  const DelayList *lists = &begun;
  Fake *fake = data;
  bool has_one = false;
  fake->calls++;
  for (uint32_t i = 0; i < lists->count; i++)
    has_one |= lists->at[i].ordinal == 1;
  for (uint32_t i = 0; i < 3; i++)
    points[i] = (SchedulePoint){
        .instance = {0, 0, i}, .taken = lists->count, .before = fake->calls};
  *trials =
      (Trial){.kind = has_one && lists->count > fake->failing ? TRIAL_FAILED
                                                              : TRIAL_FINISHED,
              .reached = lists->count,
              .order = fake->calls,
              .point_count = 3,
              .points = points};
  return 1;
}

START_TEST(a_long_list_is_made_short) {
  Fake fake = {.failing = 0};
  Executor executor = {begin, pretend, &fake, 1, 1};
  SearchLimits limits = {.bound = 3};
  SearchResult result = {.end = SEARCH_FOUND,
                         .found = {3, {{0, 0, 0}, {0, 0, 1}, {0, 0, 2}}},
                         .trial = {.kind = TRIAL_FAILED}};
  schedule_minimise(&limits, &executor, &result);
  ck_assert_uint_eq(result.found.count, 1);
  ck_assert_uint_eq(result.found.at[0].ordinal, 1);
}
END_TEST

START_TEST(lists_are_run_in_order_of_length) {
  Fake fake = {.failing = 1};
  Executor executor = {begin, pretend, &fake, 1, 1};
  SearchLimits limits = {.bound = 2};
  SearchResult result;
  schedule_search(&limits, &executor, &result);
  ck_assert_int_eq(result.end, SEARCH_FOUND);
  ck_assert_uint_eq(result.found.count, 2);
  ck_assert_uint_eq(result.run[1], 3);
  ck_assert_uint_eq(result.lengths, 2);
}
END_TEST

int main(void) {
  TCase *tc = tcase_create("schedules");
  tcase_add_checked_fixture(tc, set_up, tear_down);
  tcase_set_timeout(tc, 60);
  tcase_add_test(tc, one_delay_loses_an_update);
  tcase_add_test(tc, atomic_additions_have_one_sum);
  tcase_add_test(tc, threads_that_share_nothing_have_one_schedule);
  tcase_add_test(tc, without_a_conditional_atomic_that_selection_runs_one);
  tcase_add_test(tc, a_limit_leaves_lists_and_says_so);
  tcase_add_test(tc, every_end_is_that_of_an_interleaving_and_all_are_found);
  tcase_add_test(tc, two_delays_never_end_in_what_no_interleaving_ends_in);
  tcase_add_test(tc, any_number_of_workers_has_one_answer);
  tcase_add_test(tc, a_worker_that_dies_costs_the_schedule_it_was_at);
  tcase_add_test(tc, a_long_list_is_made_short);
  tcase_add_test(tc, lists_are_run_in_order_of_length);
  return run_suite(tc, "schedules");
}
