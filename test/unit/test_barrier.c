// Named barriers and mbarriers: (state, event) -> effect, as the PTX ISA says.

#include "ptx/barrier.h"
#include "test/unit/suite.h"

#define COUNT(rows) (sizeof(rows) / sizeof *(rows))

// --------------------------------------------------------- named barriers ---

#define SET(mistake) (UINT32_C(1) << (mistake))
#define SYNC(warp, threads) {NAMED_SYNC, false, threads, warp}
#define SYNC_ALL(warp, threads) {NAMED_SYNC, true, threads, warp}
#define ARRIVE(warp, threads) {NAMED_ARRIVE, false, threads, warp}
#define REDUCE(warp, threads) {NAMED_REDUCE, false, threads, warp}
#define FRESH(generation) {generation, 0, 0, 0, 0, false, false}

static void expect_named(const NamedBarrier *is, const NamedBarrier *want,
                         size_t row) {
  ck_assert_msg(
      is->generation == want->generation && is->expected == want->expected &&
          is->met == want->met && is->warps == want->warps &&
          is->waiting == want->waiting && is->is_for_all == want->is_for_all &&
          is->reduces == want->reduces,
      "row %zu: generation %u, %u of %u threads, warps %#x, %#x wait", row,
      is->generation, is->met, is->expected, is->warps, is->waiting);
}

static void expect_named_effect(NamedEffect is, NamedEffect want, size_t row) {
  ck_assert_msg(is.completes == want.completes &&
                    is.released == want.released && is.met == want.met,
                "row %zu: completes %d, %#x go on, %u met", row, is.completes,
                is.released, is.met);
}

START_TEST(a_named_barrier_counts_warps) {
  static const struct {
    NamedBarrier state;
    NamedEvent event;
    uint32_t mistakes;
    NamedEffect effect;
    NamedBarrier next;
  } rows[] = {
      // The first one says for how many threads a generation is, and whether
      // it reduces.
      {FRESH(0), SYNC(3, 64), 0, {0}, {0, 64, 32, 8, 8, false, false}},
      {FRESH(7), ARRIVE(0, 96), 0, {0}, {7, 96, 32, 1, 0, false, false}},
      {FRESH(0),
       REDUCE(31, 64),
       0,
       {0},
       {0, 64, 32, UINT32_C(1) << 31, UINT32_C(1) << 31, false, true}},
      {FRESH(0), SYNC_ALL(1, 96), 0, {0}, {0, 96, 32, 2, 2, true, false}},
      // Those who come later.
      {{0, 96, 32, 1, 1, false, false},
       ARRIVE(1, 96),
       0,
       {0},
       {0, 96, 64, 3, 1, false, false}},
      {{0, 96, 32, 1, 0, false, false},
       SYNC(2, 96),
       0,
       {0},
       {0, 96, 64, 5, 4, false, false}},
      // One count is enough for it not to be for all.
      {{0, 96, 32, 1, 1, true, false},
       SYNC_ALL(1, 96),
       0,
       {0},
       {0, 96, 64, 3, 3, true, false}},
      {{0, 96, 32, 1, 1, true, false},
       SYNC(1, 96),
       0,
       {0},
       {0, 96, 64, 3, 3, false, false}},
      // The last one: those who wait go on, and the next generation is new.
      {FRESH(0), SYNC(5, 32), 0, {true, 32, 32}, FRESH(1)},
      {{0, 64, 32, 1, 1, false, false},
       SYNC(1, 64),
       0,
       {true, 3, 64},
       FRESH(1)},
      {{4, 64, 32, 1, 1, true, false},
       ARRIVE(1, 64),
       0,
       {true, 1, 64},
       FRESH(5)},
      {{0, 96, 64, 3, 0, false, false},
       SYNC(2, 96),
       0,
       {true, 4, 96},
       FRESH(1)},
      {{0, 64, 32, 1, 1, false, true},
       REDUCE(1, 64),
       0,
       {true, 3, 64},
       FRESH(1)},
      // Another count than the first one: that one counts.
      {{0, 64, 32, 1, 1, false, false},
       SYNC(1, 96),
       SET(NAMED_OTHER_COUNT),
       {true, 3, 64},
       FRESH(1)},
      {{0, 96, 32, 1, 1, false, false},
       ARRIVE(1, 64),
       SET(NAMED_OTHER_COUNT),
       {0},
       {0, 96, 64, 3, 1, false, false}},
      // .red with another instruction, in either order.
      {{0, 96, 32, 1, 1, false, true},
       SYNC(1, 96),
       SET(NAMED_MIXED),
       {0},
       {0, 96, 64, 3, 3, false, true}},
      {{0, 96, 32, 1, 0, false, false},
       REDUCE(1, 96),
       SET(NAMED_MIXED),
       {0},
       {0, 96, 64, 3, 2, false, false}},
      {{0, 96, 32, 1, 1, false, true},
       ARRIVE(1, 96),
       SET(NAMED_MIXED),
       {0},
       {0, 96, 64, 3, 1, false, true}},
      // A warp that has arrived comes before all others have.
      {{0, 96, 32, 1, 0, false, false},
       ARRIVE(0, 96),
       SET(NAMED_TWICE),
       {0},
       {0, 96, 64, 1, 0, false, false}},
      // Nobody waits.
      {FRESH(0), ARRIVE(0, 32), SET(NAMED_UNAWAITED), {true, 0, 32}, FRESH(1)},
      {{0, 64, 32, 1, 0, false, false},
       ARRIVE(1, 64),
       SET(NAMED_UNAWAITED),
       {true, 0, 64},
       FRESH(1)},
      // A count that warps do not fill.
      {{0, 48, 32, 1, 1, false, false},
       SYNC(1, 48),
       SET(NAMED_TOO_MANY),
       {true, 3, 64},
       FRESH(1)},
      {FRESH(0),
       ARRIVE(0, 16),
       SET(NAMED_TOO_MANY) | SET(NAMED_UNAWAITED),
       {true, 0, 32},
       FRESH(1)},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    NamedBarrier barrier = rows[i].state;
    ck_assert_msg(named_barrier_mistakes(&barrier, rows[i].event) ==
                      rows[i].mistakes,
                  "row %zu: mistakes %#x", i,
                  named_barrier_mistakes(&barrier, rows[i].event));
    expect_named(&barrier, &rows[i].state, i);
    expect_named_effect(named_barrier_meet(&barrier, rows[i].event),
                        rows[i].effect, i);
    expect_named(&barrier, &rows[i].next, i);
  }
}
END_TEST

START_TEST(without_a_count_those_that_have_exited_are_not_waited_for) {
  static const struct {
    NamedBarrier state;
    uint32_t left;
    NamedEffect effect;
    NamedBarrier next;
  } rows[] = {
      {{2, 96, 64, 3, 3, true, false}, 3, {true, 3, 64}, FRESH(3)},
      {{2, 96, 64, 3, 3, true, true}, 3, {true, 3, 64}, FRESH(3)},
      {{2, 96, 64, 3, 3, true, false}, 7, {0}, {2, 96, 64, 3, 3, true, false}},
      {{2, 96, 64, 3, 3, false, false},
       3,
       {0},
       {2, 96, 64, 3, 3, false, false}},
      {{2, 96, 64, 3, 1, false, false},
       1,
       {0},
       {2, 96, 64, 3, 1, false, false}},
      {FRESH(2), 0, {0}, FRESH(2)},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    NamedBarrier barrier = rows[i].state;
    expect_named_effect(named_barrier_exit(&barrier, rows[i].left),
                        rows[i].effect, i);
    expect_named(&barrier, &rows[i].next, i);
  }
}
END_TEST

// --------------------------------------------------------------- mbarriers ---

#define MOST MBARRIER_MOST
#define NONE {false, 0, 0, 0, 0, 0}

typedef struct MbarrierRow {
  Mbarrier state; // is_live, phase, past, pending, expected, tx
  MbarrierEvent event;
  MbarrierEffect effect;
  Mbarrier next;
} MbarrierRow;

static void expect_mbarriers(const MbarrierRow *rows, size_t count) {
  for (size_t i = 0; i < count; i++) {
    Mbarrier is = rows[i].state;
    const Mbarrier *want = &rows[i].next;
    MbarrierEffect effect = mbarrier_step(&is, rows[i].event);
    ck_assert_msg(effect.completes == rows[i].effect.completes &&
                      effect.mistake == rows[i].effect.mistake,
                  "row %zu: completes %d, mistake %d", i, effect.completes,
                  (int)effect.mistake);
    ck_assert_msg(is.is_live == want->is_live && is.phase == want->phase &&
                      is.past == want->past && is.pending == want->pending &&
                      is.expected == want->expected && is.tx == want->tx,
                  "row %zu: live %d, phase %u, past %u, %u and %u, %lld bytes",
                  i, is.is_live, is.phase, is.past, is.pending, is.expected,
                  (long long)is.tx);
  }
}

START_TEST(an_mbarrier_begins_and_ends) {
  static const MbarrierRow rows[] = {
      {NONE, {MBARRIER_INIT, 3, 0, 0}, {0}, {true, 0, 0, 3, 3, 0}},
      {NONE, {MBARRIER_INIT, MOST, 0, 0}, {0}, {true, 0, 0, MOST, MOST, 0}},
      {{true, 2, 0, 1, 2, 8},
       {MBARRIER_INVAL, 0, 0, 0},
       {0},
       {false, 2, 0, 1, 2, 8}},
      // Phases of a new life begin with 0, and nothing is left of the old one.
      {{false, 2, 5, 1, 2, 8},
       {MBARRIER_INIT, 4, 0, 0},
       {0},
       {true, 0, 7, 4, 4, 0}},
      {NONE,
       {MBARRIER_INIT, 0, 0, 0},
       {false, MBARRIER_COUNT},
       {true, 0, 0, 0, 0, 0}},
      {NONE,
       {MBARRIER_INIT, MOST + 1, 0, 0},
       {false, MBARRIER_COUNT},
       {true, 0, 0, MOST + 1, MOST + 1, 0}},
      {{true, 1, 0, 1, 2, 8},
       {MBARRIER_INIT, 4, 0, 0},
       {false, MBARRIER_LIVE},
       {true, 0, 1, 4, 4, 0}},
      // Nothing can be done with one that is not there.
      {NONE, {MBARRIER_INVAL, 0, 0, 0}, {false, MBARRIER_DEAD}, NONE},
      {NONE, {MBARRIER_EXPECT, 0, 8, 0}, {false, MBARRIER_DEAD}, NONE},
      {NONE, {MBARRIER_COMPLETE, 0, 8, 0}, {false, MBARRIER_DEAD}, NONE},
      {NONE, {MBARRIER_ARRIVE, 1, 0, 0}, {false, MBARRIER_DEAD}, NONE},
      {NONE, {MBARRIER_DROP, 1, 0, 0}, {false, MBARRIER_DEAD}, NONE},
      {NONE, {MBARRIER_RAISE, 0, 0, 0}, {false, MBARRIER_DEAD}, NONE},
  };
  expect_mbarriers(rows, COUNT(rows));
}
END_TEST

START_TEST(arrivals_end_a_phase) {
  static const MbarrierRow rows[] = {
      {{true, 0, 0, 3, 3, 0},
       {MBARRIER_ARRIVE, 1, 0, 0},
       {0},
       {true, 0, 0, 2, 3, 0}},
      {{true, 0, 0, 3, 3, 0},
       {MBARRIER_ARRIVE, 3, 0, 0},
       {true, 0},
       {true, 1, 0, 3, 3, 0}},
      {{true, 7, 2, 1, 3, 0},
       {MBARRIER_ARRIVE, 1, 0, 0},
       {true, 0},
       {true, 8, 2, 3, 3, 0}},
      {{true, 0, 0, MOST, MOST, 0},
       {MBARRIER_ARRIVE, MOST, 0, 0},
       {true, 0},
       {true, 1, 0, MOST, MOST, 0}},
      // Not before all bytes have come, nor if more have than were announced.
      {{true, 0, 0, 1, 3, 16},
       {MBARRIER_ARRIVE, 1, 0, 0},
       {0},
       {true, 0, 0, 0, 3, 16}},
      {{true, 0, 0, 1, 3, -16},
       {MBARRIER_ARRIVE, 1, 0, 0},
       {0},
       {true, 0, 0, 0, 3, -16}},
      // More than the phase expects, or none.
      {{true, 0, 0, 1, 3, 0},
       {MBARRIER_ARRIVE, 2, 0, 0},
       {true, MBARRIER_TOO_MANY},
       {true, 1, 0, 3, 3, 0}},
      {{true, 0, 0, 0, 3, 16},
       {MBARRIER_ARRIVE, 1, 0, 0},
       {false, MBARRIER_TOO_MANY},
       {true, 0, 0, 0, 3, 16}},
      {{true, 0, 0, 2, 3, 0},
       {MBARRIER_ARRIVE, 0, 0, 0},
       {false, MBARRIER_COUNT},
       {true, 0, 0, 2, 3, 0}},
      {{true, 0, 0, 2, 3, 0},
       {MBARRIER_ARRIVE, MOST + 1, 0, 0},
       {true, MBARRIER_COUNT},
       {true, 1, 0, 3, 3, 0}},
      // .noComplete
      {{true, 0, 0, 2, 3, 0},
       {MBARRIER_ARRIVE, 1, 0, true},
       {0},
       {true, 0, 0, 1, 3, 0}},
      {{true, 0, 0, 1, 3, 0},
       {MBARRIER_ARRIVE, 1, 0, true},
       {true, MBARRIER_COMPLETES},
       {true, 1, 0, 3, 3, 0}},
      {{true, 0, 0, 1, 3, 16},
       {MBARRIER_ARRIVE, 1, 0, true},
       {false, MBARRIER_COMPLETES},
       {true, 0, 0, 0, 3, 16}},
  };
  expect_mbarriers(rows, COUNT(rows));
}
END_TEST

START_TEST(who_drops_out_is_expected_no_more) {
  static const MbarrierRow rows[] = {
      {{true, 0, 0, 3, 3, 0},
       {MBARRIER_DROP, 1, 0, 0},
       {0},
       {true, 0, 0, 2, 2, 0}},
      {{true, 0, 0, 1, 3, 0},
       {MBARRIER_DROP, 1, 0, 0},
       {true, 0},
       {true, 1, 0, 2, 2, 0}},
      {{true, 0, 0, 2, 3, 0},
       {MBARRIER_DROP, 2, 8, 0},
       {0},
       {true, 0, 0, 0, 1, 8}},
      {{true, 0, 0, 1, 3, 0},
       {MBARRIER_DROP, 2, 0, 0},
       {true, MBARRIER_TOO_MANY},
       {true, 1, 0, 1, 1, 0}},
      {{true, 0, 0, 2, 1, 0},
       {MBARRIER_DROP, 2, 0, 0},
       {true, MBARRIER_TOO_MANY},
       {true, 1, 0, 0, 0, 0}},
      {{true, 0, 0, 1, 3, 0},
       {MBARRIER_DROP, 1, 0, true},
       {true, MBARRIER_COMPLETES},
       {true, 1, 0, 2, 2, 0}},
      {{true, 0, 0, 1, 3, 0},
       {MBARRIER_DROP, 0, 0, 0},
       {false, MBARRIER_COUNT},
       {true, 0, 0, 1, 3, 0}},
  };
  expect_mbarriers(rows, COUNT(rows));
}
END_TEST

START_TEST(bytes_are_announced_and_come) {
  static const MbarrierRow rows[] = {
      {{true, 0, 0, 1, 1, 0},
       {MBARRIER_EXPECT, 0, 16, 0},
       {0},
       {true, 0, 0, 1, 1, 16}},
      {{true, 0, 0, 2, 3, 8},
       {MBARRIER_ARRIVE, 1, 16, 0},
       {0},
       {true, 0, 0, 1, 3, 24}},
      // Announced before the arrival counts.
      {{true, 0, 0, 1, 1, 0},
       {MBARRIER_ARRIVE, 1, 16, 0},
       {0},
       {true, 0, 0, 0, 1, 16}},
      {{true, 0, 0, 1, 1, -16},
       {MBARRIER_ARRIVE, 1, 16, 0},
       {true, 0},
       {true, 1, 0, 1, 1, 0}},
      {{true, 0, 0, 0, 1, 16},
       {MBARRIER_COMPLETE, 0, 8, 0},
       {0},
       {true, 0, 0, 0, 1, 8}},
      {{true, 0, 0, 0, 1, 16},
       {MBARRIER_COMPLETE, 0, 16, 0},
       {true, 0},
       {true, 1, 0, 1, 1, 0}},
      {{true, 0, 0, 1, 1, 16},
       {MBARRIER_COMPLETE, 0, 16, 0},
       {0},
       {true, 0, 0, 1, 1, 0}},
      {{true, 0, 0, 1, 1, 0},
       {MBARRIER_COMPLETE, 0, 16, 0},
       {0},
       {true, 0, 0, 1, 1, -16}},
      // An announcement ends no phase, also if all is balanced behind it.
      {{true, 0, 0, 0, 1, -16},
       {MBARRIER_EXPECT, 0, 16, 0},
       {0},
       {true, 0, 0, 0, 1, 0}},
      // What an mbarrier can count.
      {{true, 0, 0, 1, 1, 0},
       {MBARRIER_EXPECT, 0, MOST, 0},
       {0},
       {true, 0, 0, 1, 1, MOST}},
      {{true, 0, 0, 1, 1, 1},
       {MBARRIER_EXPECT, 0, MOST, 0},
       {false, MBARRIER_TX},
       {true, 0, 0, 1, 1, MOST + 1}},
      {{true, 0, 0, 1, 1, -1},
       {MBARRIER_COMPLETE, 0, MOST, 0},
       {false, MBARRIER_TX},
       {true, 0, 0, 1, 1, -MOST - 1}},
      {{true, 0, 0, 1, 1, 0},
       {MBARRIER_EXPECT, 0, MOST + 1, 0},
       {false, MBARRIER_TX},
       {true, 0, 0, 1, 1, MOST + 1}},
      {{true, 0, 0, 1, 1, 0},
       {MBARRIER_EXPECT, 0, -1, 0},
       {false, MBARRIER_TX},
       {true, 0, 0, 1, 1, -1}},
      {{true, 0, 0, 2, 2, MOST},
       {MBARRIER_ARRIVE, 1, 1, 0},
       {false, MBARRIER_TX},
       {true, 0, 0, 1, 2, MOST + 1}},
  };
  expect_mbarriers(rows, COUNT(rows));
}
END_TEST

START_TEST(a_phase_waits_for_an_arrival_more) {
  static const MbarrierRow rows[] = {
      {{true, 0, 0, 1, 1, 0},
       {MBARRIER_RAISE, 0, 0, 0},
       {0},
       {true, 0, 0, 2, 1, 0}},
      {{true, 0, 0, 2, 1, 0},
       {MBARRIER_ARRIVE, 1, 0, 0},
       {0},
       {true, 0, 0, 1, 1, 0}},
      {{true, 0, 0, MOST - 1, MOST, 0},
       {MBARRIER_RAISE, 0, 0, 0},
       {0},
       {true, 0, 0, MOST, MOST, 0}},
      {{true, 0, 0, MOST, MOST, 0},
       {MBARRIER_RAISE, 0, 0, 0},
       {false, MBARRIER_COUNT},
       {true, 0, 0, MOST + 1, MOST, 0}},
  };
  expect_mbarriers(rows, COUNT(rows));
}
END_TEST

// A test for the parity of the current phase says no, for the other one yes:
// also for parity 1 of a new mbarrier.
START_TEST(a_test_asks_for_a_parity) {
  for (uint32_t phase = 0; phase < 5; phase++) {
    Mbarrier mbarrier = {.is_live = true, .phase = phase};
    ck_assert(!mbarrier_is_over(&mbarrier, phase % 2));
    ck_assert(mbarrier_is_over(&mbarrier, (phase + 1) % 2));
  }
}
END_TEST

int main(void) {
  TCase *tc = tcase_create("barrier");
  tcase_add_test(tc, a_named_barrier_counts_warps);
  tcase_add_test(tc, without_a_count_those_that_have_exited_are_not_waited_for);
  tcase_add_test(tc, an_mbarrier_begins_and_ends);
  tcase_add_test(tc, arrivals_end_a_phase);
  tcase_add_test(tc, who_drops_out_is_expected_no_more);
  tcase_add_test(tc, bytes_are_announced_and_come);
  tcase_add_test(tc, a_phase_waits_for_an_arrival_more);
  tcase_add_test(tc, a_test_asks_for_a_parity);
  return run_suite(tc, "barrier");
}
