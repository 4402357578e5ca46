// Executions that follow how values were computed: of all stores, of some, and
// not through shared memory.

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

static Run plain;

static void start(void) {
  run_with(&plain, kernel, threads(32));
  ck_assert(plain.is_good);
}

static void stop(void) { end_run(&plain); }

static uint32_t number_of(unsigned command) {
  const Programs *programs = plain.programs;
  return programs->places.at[programs->warps[0].at[command].place].number;
}

static Run closely(bool ends_at_loads, unsigned count, const uint32_t *stores) {
  Run run;
  EmulationOptions options = threads(32);
  options.follows_symbols = true;
  options.ends_at_loads = ends_at_loads;
  options.stores = stores;
  options.store_count = count;
  run_with(&run, kernel, options);
  ck_assert(run.is_good);
  return run;
}

static uint64_t written(const Run *run, unsigned command, unsigned lane) {
  const Command *store = &run->programs->warps[0].at[command];
  ck_assert_int_eq(store->kind, COMMAND_WRITE);
  return store->threads ? run->programs->values.at[store->threads - 1 + lane]
                        : 0;
}

static Match match(const Run *run, unsigned command) {
  Finding finding = {.kind = FINDING_RACE,
                     .ends = {{.lane = 3, .command = command},
                              {.lane = 5, .command = command}},
                     .end_count = 2};
  return programs_match(plain.programs, run->programs, &finding);
}

START_TEST(what_is_computed_alike_is_the_same) {
  Run run = closely(false, 0, NULL);
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

START_TEST(what_was_in_shared_memory_stays_open) {
  const uint32_t stores[] = {number_of(A), number_of(B), number_of(C)};
  Run run = closely(true, 3, stores);
  ck_assert_uint_eq(written(&run, B, 3), VALUE_OPEN);
  ck_assert(!run.programs->warps[0].at[B].same_value);
  ck_assert_int_eq(match(&run, A), MATCH_PERHAPS);
  ck_assert_int_eq(match(&run, B), MATCH_OPEN);
  ck_assert_int_eq(match(&run, C), MATCH_NEVER);
  end_run(&run);
}
END_TEST

START_TEST(some_stores_alone_can_be_followed) {
  const uint32_t stores[] = {number_of(B)};
  Run run = closely(false, 1, stores);
  ck_assert_uint_eq(run.programs->warps[0].at[C].threads, 0);
  ck_assert_int_eq(match(&run, B), MATCH_PERHAPS);
  end_run(&run);
}
END_TEST

// Who comes further in another execution, or elsewhere, is not known.
START_TEST(an_end_that_is_not_there_may_match) {
  Run run = closely(false, 0, NULL);
  run.programs->warps[0].count = C;
  ck_assert_int_eq(match(&run, C), MATCH_PERHAPS);
  end_run(&run);
}
END_TEST

int main(void) {
  TCase *tc = tcase_create("symbols");
  tcase_add_checked_fixture(tc, start, stop);
  tcase_add_test(tc, what_is_computed_alike_is_the_same);
  tcase_add_test(tc, what_was_in_shared_memory_stays_open);
  tcase_add_test(tc, some_stores_alone_can_be_followed);
  tcase_add_test(tc, an_end_that_is_not_there_may_match);
  return run_suite(tc, "symbols");
}
