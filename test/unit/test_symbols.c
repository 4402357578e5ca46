// Executions that follow how values were computed: of all stores, of some, and
// through shared memory once.

#include "test/unit/ptx.h"
#include "test/unit/suite.h"

// A stores what all lanes have loaded, B what comes from there and a number, C
// what each lane has loaded for itself.
static const char kernel[] = HEADER
    ".visible .entry k(.param .u64 p)\n"
    "{\n"
    "  .shared .align 4 .b8 s[256];\n"
    "  .reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .f32 %f<8>;\n"
    "  ld.param.u64 %rd1, [p];\n"
    "  mov.u32 %r1, %tid.x;\n"
    "  mul.wide.u32 %rd2, %r1, 4;\n"
    "  add.s64 %rd3, %rd1, %rd2;\n"
    "  ld.global.f32 %f1, [%rd1];\n"
    "  ld.global.f32 %f2, [%rd3];\n"
    "  mov.u32 %r2, s;\n"
    "  st.shared.f32 [%r2], %f1;\n"
    "  bar.sync 0;\n"
    "  ld.shared.f32 %f3, [%r2];\n"
    "  add.f32 %f4, %f3, 0f3F800000;\n"
    "  st.shared.f32 [%r2+4], %f4;\n"
    "  st.shared.f32 [%r2+8], %f2;\n"
    "  ret;\n"
    "}\n";

enum { A, B = 3, C }; // commands: a barrier and a load are between

static PtxRun plain;

static const char *text;

static void start_with(const char *of) {
  text = of;
  run_with(&plain, text, threads(32));
  ck_assert(plain.is_good);
}

static void start(void) { start_with(kernel); }

static void stop(void) { end_run(&plain); }

static uint32_t number_of(unsigned command) {
  const Programs *programs = plain.programs;
  return programs->places.at[programs->warps[0].at[command].place].number;
}

static PtxRun closely(bool passes_once, unsigned count,
                      const uint32_t *stores) {
  PtxRun run;
  EmulationOptions options = threads(32);
  options.follows_symbols = true;
  options.passes_once = passes_once;
  options.stores = stores;
  options.store_count = count;
  run_with(&run, text, options);
  ck_assert(run.is_good);
  return run;
}

static uint64_t written(const PtxRun *run, unsigned command, unsigned lane) {
  const Command *store = &run->programs->warps[0].at[command];
  ck_assert_int_eq(store->kind, COMMAND_WRITE);
  return store->value ? run->programs->values.at[store->value - 1 + lane] : 0;
}

static ValueMatch match(const PtxRun *run, unsigned command) {
  Finding finding = {.kind = FINDING_RACE,
                     .ends = {{.lane = 3, .command = command},
                              {.lane = 5, .command = command}},
                     .end_count = 2};
  return programs_match(plain.programs, run->programs, &finding);
}

START_TEST(what_is_computed_alike_is_the_same) {
  PtxRun run = closely(false, 0, NULL);
  for (unsigned lane = 1; lane < WARP; lane++) {
    ck_assert_uint_eq(written(&run, A, lane), written(&run, A, 0));
    ck_assert_uint_eq(written(&run, B, lane), written(&run, B, 0));
    ck_assert_uint_ne(written(&run, C, lane), written(&run, C, 0));
  }
  ck_assert_uint_ne(written(&run, A, 0), written(&run, B, 0));
  ck_assert_int_eq(match(&run, A), MATCH_PERHAPS);
  ck_assert_int_eq(match(&run, B), MATCH_PERHAPS);
  ck_assert_int_eq(match(&run, C), MATCH_NEVER);
  end_run(&run);
}
END_TEST

// One of the stores does not come from shared memory: there it ends.
START_TEST(what_was_in_shared_memory_stays_open) {
  const uint32_t stores[] = {number_of(A), number_of(B), number_of(C)};
  PtxRun run = closely(true, 3, stores);
  ck_assert_uint_eq(written(&run, B, 3), VALUE_OPEN);
  ck_assert(!run.programs->warps[0].at[B].same_value);
  ck_assert_int_eq(match(&run, A), MATCH_PERHAPS);
  ck_assert_int_eq(match(&run, B), MATCH_OPEN);
  ck_assert_int_eq(match(&run, C), MATCH_NEVER);
  end_run(&run);
}
END_TEST

START_TEST(what_all_stores_load_is_followed_once) {
  const uint32_t stores[] = {number_of(B)};
  PtxRun run = closely(true, 1, stores);
  ck_assert_uint_eq(written(&run, B, 3) & VALUE_OPEN, 0);
  ck_assert_int_eq(match(&run, B), MATCH_PERHAPS);
  end_run(&run);
}
END_TEST

START_TEST(some_stores_alone_can_be_followed) {
  const uint32_t stores[] = {number_of(B)};
  PtxRun run = closely(false, 1, stores);
  ck_assert_uint_eq(run.programs->warps[0].at[C].value, 0);
  ck_assert_int_eq(match(&run, B), MATCH_PERHAPS);
  end_run(&run);
}
END_TEST

// Who comes further in another execution, or elsewhere, is not known.
START_TEST(an_end_that_is_not_there_may_match) {
  PtxRun run = closely(false, 0, NULL);
  run.programs->warps[0].count = C;
  ck_assert_int_eq(match(&run, C), MATCH_PERHAPS);
  end_run(&run);
}
END_TEST

// S stores what was in shared memory and is stored again: %f4 and %r5, for all
// lanes the same.  D, E and F load it and add what differs, nothing, and what
// was loaded elsewhere; G adds to a number, which the one loaded may be, too.
static const char twice[] = HEADER
    ".visible .entry k(.param .u64 p)\n"
    "{\n"
    "  .shared .align 4 .b8 s[512];\n"
    "  .reg .b32 %r<9>; .reg .b64 %rd<4>; .reg .f32 %f<12>;\n"
    "  ld.param.u64 %rd1, [p];\n"
    "  mov.u32 %r1, %tid.x;\n"
    "  mul.wide.u32 %rd2, %r1, 4;\n"
    "  add.s64 %rd3, %rd1, %rd2;\n"
    "  ld.global.f32 %f1, [%rd1];\n"
    "  ld.global.f32 %f2, [%rd3];\n"
    "  mov.u32 %r2, s;\n"
    "  shl.b32 %r3, %r1, 2;\n"
    "  add.u32 %r4, %r2, %r3;\n"
    "  st.shared.f32 [%r2], %f1;\n"
    "  bar.sync 0;\n"
    "  ld.shared.f32 %f3, [%r2];\n"
    "  ld.shared.u32 %r5, [%r2];\n"
    "  add.f32 %f4, %f3, 0f3F800000;\n"
    "  st.shared.f32 [%r4+128], %f4;\n"
    "  st.shared.u32 [%r2+8], %r5;\n"
    "  bar.sync 0;\n"
    "  ld.shared.f32 %f5, [%r2+128];\n"
    "  ld.shared.f32 %f6, [%r4+128];\n"
    "  ld.shared.u32 %r6, [%r2+8];\n"
    "  bar.sync 0;\n"
    "  add.f32 %f7, %f5, %f2;\n"
    "  add.f32 %f8, %f5, 0f3F800000;\n"
    "  add.f32 %f9, %f5, %f6;\n"
    "  mul.lo.u32 %r7, %r6, %r1;\n"
    "  add.f32 %f10, %f6, %f2;\n"
    "  st.shared.f32 [%r2+12], %f7;\n"
    "  st.shared.f32 [%r2+16], %f8;\n"
    "  st.shared.f32 [%r2+20], %f9;\n"
    "  st.shared.u32 [%r2+24], %r7;\n"
    "  st.shared.f32 [%r2+28], %f10;\n"
    "  ret;\n"
    "}\n";

enum { ADDS = 11, KEEPS, ADDS_BOTH, FOLDS, ADDS_OTHERS };

static void start_twice(void) {
  stop();
  start_with(twice);
}

// Of the stores of start_twice, in their order.
static void expect_all(const PtxRun *run, const ValueMatch *want) {
  static const unsigned commands[] = {ADDS, KEEPS, ADDS_BOTH, FOLDS,
                                      ADDS_OTHERS};
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
    ck_assert_int_eq(match(run, commands[i]), want[i]);
}

// What all lanes have loaded from one place is the same, whatever it is; then
// the rest says whether the results are.  Of what is not the same, of two that
// may change places, and of numbers that fold, nothing is said.
START_TEST(what_was_stored_again_is_the_same_for_all) {
  start_twice();
  const uint32_t stores[] = {number_of(ADDS), number_of(KEEPS),
                             number_of(ADDS_BOTH), number_of(FOLDS),
                             number_of(ADDS_OTHERS)};
  PtxRun run = closely(true, 5, stores);
  expect_all(&run, (const ValueMatch[]){MATCH_NEVER, MATCH_PERHAPS, MATCH_OPEN,
                                        MATCH_OPEN, MATCH_OPEN});
  end_run(&run);
}
END_TEST

// The whole says more, and nothing else.
START_TEST(the_whole_agrees) {
  start_twice();
  PtxRun run = closely(false, 0, NULL);
  expect_all(&run,
             (const ValueMatch[]){MATCH_NEVER, MATCH_PERHAPS, MATCH_PERHAPS,
                                  MATCH_NEVER, MATCH_NEVER});
  end_run(&run);
}
END_TEST

// Of whom nobody asks anything more, only what he does to others is followed.
START_TEST(who_is_not_asked_does_the_same) {
  start_twice();
  const uint32_t stores[] = {number_of(ADDS)};
  const uint32_t enough[MOST_WARPS] = {0};
  PtxRun run;
  EmulationOptions options = threads(32);
  options.follows_symbols = options.passes_once = true;
  options.stores = stores;
  options.store_count = 1;
  options.enough = enough;
  run_with(&run, text, options);
  ck_assert(run.is_good);
  const Commands *all = &plain.programs->warps[0];
  const Commands *less = &run.programs->warps[0];
  ck_assert_uint_eq(less->count, all->count);
  for (size_t i = 0; i < all->count; i++) {
    ck_assert_int_eq(less->at[i].kind, all->at[i].kind);
    ck_assert_uint_eq(less->at[i].threads, all->at[i].threads);
  }
  end_run(&run);
}
END_TEST

int main(void) {
  TCase *tc = tcase_create("symbols");
  tcase_add_checked_fixture(tc, start, stop);
  tcase_add_test(tc, what_is_computed_alike_is_the_same);
  tcase_add_test(tc, what_was_in_shared_memory_stays_open);
  tcase_add_test(tc, what_all_stores_load_is_followed_once);
  tcase_add_test(tc, some_stores_alone_can_be_followed);
  tcase_add_test(tc, an_end_that_is_not_there_may_match);
  tcase_add_test(tc, what_was_stored_again_is_the_same_for_all);
  tcase_add_test(tc, the_whole_agrees);
  tcase_add_test(tc, who_is_not_asked_does_the_same);
  return run_suite(tc, "symbols");
}
