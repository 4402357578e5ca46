// Barrier intervals: since which barriers a statement can be reached without
// another one, and what is known there of the iterations of loops.
//
// A statement's places are written as one text, a place each, "entry" or the
// letter of the barrier with its number, then for each loop, outer first, how
// its iteration compares: "same+1", "first+0", "free", and "left@1" for the
// run of the barrier that was left.

#define _POSIX_C_SOURCE 200809L

#include "test/unit/kernels.h"
#include "test/unit/suite.h"
#include "translator/pair.h"

// ------------------------------------------------------------------- text ---

static const char *barrier_text(const Stmt *since) {
  if (!since)
    return "entry";
  unsigned line = since->loc.line - 1, nth = 0;
  for (unsigned i = 0; i < line; i++)
    nth += sketch[i] == sketch[line];
  return arena_printf(&task.arena, "%c%u", sketch[line], nth);
}

static const char *relation_text(Relation relation) {
  static const char *const names[] = {
      [RELATION_FREE] = "free",
      [RELATION_SAME] = "same",
      [RELATION_FIRST] = "first",
  };
  const char *name = names[relation.kind];
  if (relation.kind != RELATION_FREE)
    name = arena_printf(&task.arena, "%s+%u", name, relation.count);
  return relation.was_left ? arena_printf(&task.arena, "%s left@%u", name,
                                          relation.left_after)
                           : name;
}

static const char *place_text(const AccessPlace *place) {
  const char *text = barrier_text(place->since);
  for (size_t i = 0; i < kernel->loops.count; i++)
    text = arena_printf(&task.arena, "%s %s", text,
                        relation_text(place->relations[i]));
  return text;
}

static int by_text(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static const char *places_of(const Stmt *stmt, Reach reach, Space space) {
  const AccessPlaces *places =
      &interval_places(&task, kernel, reach, space)[stmt->number];
  const char *texts[64], *all = "";
  ck_assert_uint_le(places->count, 64);
  for (size_t i = 0; i < places->count; i++)
    texts[i] = place_text(&places->at[i]);
  qsort(texts, places->count, sizeof *texts, by_text);
  for (size_t i = 0; i < places->count; i++)
    all = arena_printf(&task.arena, "%s%s%s", all, i ? ", " : "", texts[i]);
  return all;
}

static const char *shared(char letter, unsigned nth) {
  return places_of(the(letter, nth), REACH_BLOCK, SPACE_SHARED);
}

#define expect(stmt, text) ck_assert_str_eq(shared stmt, text)

// ------------------------------------------------------------------ plain ---

START_TEST(a_statement_lies_behind_the_last_barrier) {
  kernel_of("w b r b w");
  expect(('w', 0), "entry");
  expect(('r', 0), "b0");
  expect(('w', 1), "b1");
}
END_TEST

START_TEST(a_barrier_that_may_be_passed_opens_one_more_interval) {
  kernel_of("w [b] r");
  expect(('w', 0), "entry");
  expect(('r', 0), "b0, entry");
  kernel_of("b [b r] w");
  expect(('r', 0), "b1");
  expect(('w', 0), "b0, b1");
}
END_TEST

START_TEST(nothing_behind_a_return_is_reached) {
  kernel_of("w [b !] r");
  expect(('r', 0), "entry");
}
END_TEST

// ------------------------------------------------------------------ loops ---

START_TEST(round_a_loop_with_a_barrier_it_goes_once) {
  kernel_of("{w b r} w");
  expect(('w', 0), "b0 same+1, entry first+0");
  expect(('r', 0), "b0 same+0");
  expect(('w', 1), "b0 same+1 left@1, entry first+0");
}
END_TEST

START_TEST(without_a_barrier_iterations_are_independent) {
  kernel_of("b {w} r");
  expect(('w', 0), "b0 free");
  expect(('r', 0), "b0 free");
}
END_TEST

START_TEST(round_a_barrier_in_a_branch_it_goes_for_ever) {
  kernel_of("{[b] r}");
  expect(('r', 0),
         "b0 free, b0 same+0, b0 same+1, "
         "entry first+0, entry first+1, entry free");
}
END_TEST

START_TEST(an_inner_loop_is_begun_anew) {
  kernel_of("{b {w} r}");
  expect(('w', 0), "b0 same+0 free");
  expect(('r', 0), "b0 same+0 free");
  kernel_of("{b {b w} r}");
  expect(('w', 0), "b1 same+0 same+0");
  expect(('r', 0), "b0 same+0 first+0, b1 same+0 same+1 left@1");
}
END_TEST

START_TEST(a_second_loop_knows_how_the_first_was_left) {
  kernel_of("{w b} {w b}");
  expect(('w', 0), "b0 same+1 free, entry first+0 free");
  expect(('w', 1),
         "b0 same+1 left@1 first+0, b1 free same+1, "
         "entry first+0 first+0");
}
END_TEST

START_TEST(a_loop_can_be_left_in_the_iteration_of_its_barrier) {
  kernel_of("{b [.] w} r");
  expect(('w', 0), "b0 same+0");
  expect(('r', 0), "b0 same+0 left@0, b0 same+1 left@1, entry first+0");
}
END_TEST

START_TEST(a_loop_tested_at_its_end_passes_its_barrier) {
  kernel_of("w {w <b> r}");
  expect(('w', 1), "b0 same+1 free left@0, entry first+0 free");
  expect(('r', 0), "b0 same+0 same+0 left@0");
}
END_TEST

// `w` comes again only past `b`, if no iteration goes without.
START_TEST(no_way_goes_round_a_loop_that_always_synchronises) {
  kernel_of("{w {b} r}");
  expect(('w', 0),
         "b0 free free left@1, b0 same+1 free left@1, "
         "entry first+0 free, entry first+1 free, entry free free");
  kernel->loops.at[0]->always_synchronises[REACH_BLOCK][0] = true;
  expect(('w', 0), "b0 same+1 free left@1, entry first+0 free");
  expect(('r', 0),
         "b0 same+0 same+1 left@1, b0 same+1 first+0 left@1, "
         "entry first+0 first+0");
}
END_TEST

// ---------------------------------------------------------------- barriers ---

static void expect_reaches(const char *warp, const char *block,
                           const char *grid) {
  const char *const texts[] = {warp, block, grid};
  for (Reach reach = REACH_WARP; reach <= REACH_GRID; reach++)
    ck_assert_str_eq(places_of(the('r', 0), reach, SPACE_SHARED), texts[reach]);
}

START_TEST(a_barrier_counts_for_those_who_wait_at_it) {
  kernel_of("w s r");
  expect_reaches("s0", "entry", "entry");
  kernel_of("w b r");
  expect_reaches("b0", "b0", "entry");
  kernel_of("w g r");
  expect_reaches("g0", "g0", "g0");
}
END_TEST

START_TEST(a_loop_without_a_barrier_that_counts_is_free) {
  kernel_of("{s r}");
  expect_reaches("s0 same+0", "entry free", "entry free");
}
END_TEST

START_TEST(a_fence_of_the_other_memory_orders_nothing) {
  kernel_of("w b r");
  the('b', 0)->barrier.orders_shared = false;
  expect(('r', 0), "entry");
  ck_assert_str_eq(places_of(the('r', 0), REACH_BLOCK, SPACE_GLOBAL), "b0");
  the('b', 0)->barrier.orders_global = false;
  ck_assert_str_eq(places_of(the('r', 0), REACH_BLOCK, SPACE_GLOBAL), "entry");
}
END_TEST

START_TEST(what_only_exchanges_orders_nothing) {
  static const BarrierKind kinds[] = {BARRIER_COPY, BARRIER_LANES,
                                      BARRIER_SUB_GROUP, BARRIER_EVENT};
  kernel_of("w b r");
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    the('b', 0)->barrier.kind = kinds[i];
    expect_reaches("entry", "entry", "entry");
  }
}
END_TEST

START_TEST(a_copy_lasts_until_the_wait_for_it) {
  static const Array own, other;
  kernel_of("r W b r g r");
  the('W', 0)->access.event = &own;
  the('g', 0)->barrier.kind = BARRIER_EVENT;
  the('g', 0)->barrier.event = &other;
  the('g', 0)->barrier.event_to = 8;
  for (unsigned i = 0; i < 3; i++)
    ck_assert_str_eq(places_of(the('r', i), REACH_EVENT, SPACE_SHARED),
                     i ? "W0" : "");
  the('g', 0)->barrier.event = &own;
  for (unsigned i = 0; i < 3; i++)
    ck_assert_str_eq(places_of(the('r', i), REACH_EVENT, SPACE_SHARED),
                     i == 1 ? "W0" : "");
  the('W', 0)->access.event_at = 8; // the next element
  ck_assert_str_eq(places_of(the('r', 2), REACH_EVENT, SPACE_SHARED), "W0");
  the('g', 0)->barrier.event_to = 16;
  ck_assert_str_eq(places_of(the('r', 2), REACH_EVENT, SPACE_SHARED), "");
}
END_TEST

START_TEST(loops_with_barriers_are_known) {
  kernel_of("{{s}} {{b}} {w}");
  const char *warp = "11110", *block = "00110";
  bool *of_warp = loops_with_barrier(&task, kernel, REACH_WARP, SPACE_SHARED);
  bool *of_block = loops_with_barrier(&task, kernel, REACH_BLOCK, SPACE_SHARED);
  ck_assert_uint_eq(kernel->loops.count, 5);
  for (unsigned i = 0; i < 5; i++) {
    const Loop *loop = kernel->loops.at[i];
    unsigned at = loop_contains(loop, the('w', 0)->block)   ? 4
                  : loop_contains(loop, the('b', 0)->block) ? 1 + loop->depth
                                                            : loop->depth - 1;
    ck_assert_int_eq(of_warp[i], warp[at] == '1');
    ck_assert_int_eq(of_block[i], block[at] == '1');
    ck_assert_int_eq(loop_has_barrier(kernel, loop, BARRIER_BLOCK),
                     block[at] == '1');
    ck_assert(!loop_has_barrier(kernel, loop, BARRIER_GRID));
  }
}
END_TEST

// -------------------------------------------------------------- conditions ---

// Of the place since this barrier, in no more than so many rounds of loop 0.
static const AccessPlace *place_since(const Stmt *stmt, const Stmt *since,
                                      unsigned count) {
  const AccessPlaces *places =
      &interval_places(&task, kernel, REACH_BLOCK, SPACE_SHARED)[stmt->number];
  for (size_t i = 0; i < places->count; i++)
    if (places->at[i].since == since &&
        (!kernel->loops.count ||
         (places->at[i].relations[0].kind != RELATION_FREE &&
          places->at[i].relations[0].count == count)))
      return &places->at[i];
  ck_abort_msg("no such place");
}

static Expr *condition_since(const Stmt *stmt, const Stmt *since,
                             unsigned count) {
  return place_since(stmt, since, count)->condition;
}

START_TEST(a_barrier_that_was_passed_was_not_executed) {
  kernel_of("w [b] r");
  const Stmt *b = the('b', 0);
  ck_assert(expr_is_true(condition_since(the('w', 0), NULL, 0)));
  ck_assert_ptr_eq(condition_since(the('r', 0), NULL, 0), not(b->guard));
  ck_assert(expr_is_true(condition_since(the('r', 0), b, 0)));
}
END_TEST

START_TEST(of_this_iteration_what_is_before_the_statement_was_passed) {
  kernel_of("{w [b] r}");
  const Stmt *w = the('w', 0), *r = the('r', 0), *b = the('b', 0);
  ck_assert(expr_is_true(condition_since(w, NULL, 0)));
  ck_assert(expr_is_true(condition_since(w, b, 1)));
  ck_assert_ptr_eq(condition_since(r, NULL, 0), not(b->guard));
  ck_assert_ptr_eq(condition_since(r, b, 1), not(b->guard));
  ck_assert(expr_is_true(condition_since(r, b, 0)));
}
END_TEST

START_TEST(what_is_before_a_loop_was_not_passed_within) {
  kernel_of("[b] {w b}");
  const Stmt *w = the('w', 0);
  ck_assert(expr_is_true(condition_since(w, the('b', 1), 1)));
}
END_TEST

START_TEST(of_the_iteration_before_all_behind_the_barrier_was_passed) {
  kernel_of("{[b] w |b ;}");
  const Stmt *w = the('w', 0), *first = the('b', 0), *last = the('b', 1);
  const AccessPlace *from_entry = place_since(w, NULL, 1);
  ck_assert_ptr_eq(from_entry->round, kernel->loops.at[0]);
  ck_assert_ptr_eq(from_entry->before,
                   and(not(first->guard), not(last->guard)));
  ck_assert_ptr_eq(place_since(w, first, 1)->before, not(last->guard));
  ck_assert_ptr_null(place_since(w, last, 1)->round);
  ck_assert_ptr_null(place_since(w, NULL, 0)->round);
}
END_TEST

int main(void) {
  TCase *tc = tcase_create("interval");
  tcase_add_checked_fixture(tc, open_kernel, close_kernel);
  tcase_add_test(tc, a_statement_lies_behind_the_last_barrier);
  tcase_add_test(tc, a_barrier_that_may_be_passed_opens_one_more_interval);
  tcase_add_test(tc, nothing_behind_a_return_is_reached);
  tcase_add_test(tc, round_a_loop_with_a_barrier_it_goes_once);
  tcase_add_test(tc, without_a_barrier_iterations_are_independent);
  tcase_add_test(tc, round_a_barrier_in_a_branch_it_goes_for_ever);
  tcase_add_test(tc, an_inner_loop_is_begun_anew);
  tcase_add_test(tc, a_second_loop_knows_how_the_first_was_left);
  tcase_add_test(tc, a_loop_can_be_left_in_the_iteration_of_its_barrier);
  tcase_add_test(tc, a_loop_tested_at_its_end_passes_its_barrier);
  tcase_add_test(tc, no_way_goes_round_a_loop_that_always_synchronises);
  tcase_add_test(tc, a_barrier_counts_for_those_who_wait_at_it);
  tcase_add_test(tc, a_loop_without_a_barrier_that_counts_is_free);
  tcase_add_test(tc, a_fence_of_the_other_memory_orders_nothing);
  tcase_add_test(tc, what_only_exchanges_orders_nothing);
  tcase_add_test(tc, a_copy_lasts_until_the_wait_for_it);
  tcase_add_test(tc, loops_with_barriers_are_known);
  tcase_add_test(tc, a_barrier_that_was_passed_was_not_executed);
  tcase_add_test(tc, of_this_iteration_what_is_before_the_statement_was_passed);
  tcase_add_test(tc, what_is_before_a_loop_was_not_passed_within);
  tcase_add_test(tc, of_the_iteration_before_all_behind_the_barrier_was_passed);
  return run_suite(tc, "interval");
}
