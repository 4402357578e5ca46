// Edits of texts: what they make, where its bytes come from, and how they are
// told.

#define _POSIX_C_SOURCE 200809L

#include "repair/repair.h"
#include "test/unit/suite.h"

#include <stdlib.h>
#include <string.h>

static Arena arena;

static void close_arena(void) {
  arena_free(&arena);
  arena = (Arena){0};
}

static SourceText text(const char *of) {
  return (SourceText){"k.cu", of, strlen(of)};
}

static void add(Edits *edits, size_t begin, size_t end, const char *with) {
  push(&arena, edits, ((Edit){0, begin, end, with}));
}

static const char *applied(const char *to, Edits *edits) {
  SourceText source = text(to);
  edits_sort(edits);
  ck_assert(!edits_collide(edits));
  return edits_apply(&arena, edits, 0, &source);
}

START_TEST(edits_are_made_from_left_to_right_and_of_equals_the_first_first) {
  Edits edits = {0};
  add(&edits, 4, 4, "three ");
  add(&edits, 0, 3, "one");
  add(&edits, 4, 4, "four ");
  ck_assert_str_eq(applied("ONE end", &edits), "one three four end");
  ck_assert(edits_touch(&edits, 0) && !edits_touch(&edits, 1));
}
END_TEST

START_TEST(what_is_added_comes_before_what_goes_at_the_same_byte) {
  Edits edits = {0};
  add(&edits, 2, 4, "");
  add(&edits, 2, 2, "new ");
  ck_assert_str_eq(applied("a b c", &edits), "a new c");
}
END_TEST

START_TEST(text_that_goes_twice_or_is_added_inside_of_it_collides) {
  Edits twice = {0}, inside = {0}, beside = {0};
  add(&twice, 1, 3, "");
  add(&twice, 2, 4, "");
  add(&inside, 1, 3, "");
  add(&inside, 2, 2, "x");
  add(&beside, 1, 3, "");
  add(&beside, 3, 4, "");
  ck_assert(edits_collide(&twice));
  ck_assert(edits_collide(&inside));
  ck_assert(!edits_collide(&beside));
}
END_TEST

START_TEST(bytes_of_the_changed_text_come_from_where_they_were) {
  Edits edits = {0};
  add(&edits, 2, 2, "new");
  add(&edits, 4, 6, "");
  const char *changed = applied("abcdefgh", &edits);
  ck_assert_str_eq(changed, "abnewcdgh");
  const size_t origins[] = {0, 1, 2, 2, 2, 2, 3, 6, 7, 8};
  for (size_t i = 0; i < sizeof origins / sizeof *origins; i++)
    ck_assert_uint_eq(edits_origin(&edits, 0, i), origins[i]);
  ck_assert_uint_eq(edits_origin(&edits, 1, 5), 5);
}
END_TEST

START_TEST(lines_and_columns_lead_to_bytes_and_back) {
  SourceText source = text("ab\n  c\n");
  ck_assert_uint_eq(text_at(&source, 2, 3), 5);
  ck_assert_uint_eq(text_at(&source, 9, 9), 7);
  Loc place = text_place(&source, 5);
  ck_assert_uint_eq(place.line, 2);
  ck_assert_uint_eq(place.column, 3);
  size_t line;
  ck_assert(text_begins_line(&source, 5, &line) && line == 3);
  ck_assert(!text_begins_line(&source, 1, &line));
  ck_assert_str_eq(text_indent(&arena, &source, 5), "  ");
}
END_TEST

static const char *diff(const char *of, const Edits *before, Edits *edits) {
  char *out = NULL;
  size_t size = 0;
  SourceText source = text(of);
  FILE *file = open_memstream(&out, &size);
  edits_sort(edits);
  diff_print(file, &arena, &source, 0, before, edits);
  fclose(file);
  arena_defer(&arena, free, out);
  return out;
}

START_TEST(a_difference_has_three_lines_around_and_says_where) {
  Edits none = {0}, edits = {0};
  add(&edits, 8, 8, "new\n");
  ck_assert_str_eq(diff("1\n2\n3\n4\n5\n6\n7\n8\n", &none, &edits),
                   "--- k.cu\n+++ k.cu\n@@ -2,6 +2,7 @@\n 2\n 3\n 4\n+new\n 5\n"
                   " 6\n 7\n");
}
END_TEST

START_TEST(a_difference_is_one_to_the_edits_before_it) {
  Edits before = {0}, edits = {0};
  add(&before, 0, 0, "0\n");
  add(&edits, 2, 4, "two\n");
  ck_assert_str_eq(diff("1\n2\n", &before, &edits),
                   "--- k.cu\n+++ k.cu\n@@ -1,3 +1,3 @@\n 0\n 1\n-2\n+two\n");
}
END_TEST

START_TEST(a_text_that_ends_without_a_line_end_says_so) {
  Edits none = {0}, edits = {0};
  add(&edits, 1, 1, "!");
  ck_assert_str_eq(diff("a", &none, &edits),
                   "--- k.cu\n+++ k.cu\n@@ -1 +1 @@\n-a\n"
                   "\\ No newline at end of file\n+a!\n"
                   "\\ No newline at end of file\n");
}
END_TEST

START_TEST(lines_far_apart_are_hunks_of_their_own) {
  Edits none = {0}, edits = {0};
  add(&edits, 0, 2, "");
  add(&edits, 20, 20, "x\n");
  ck_assert_str_eq(diff("0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n", &none, &edits),
                   "--- k.cu\n+++ k.cu\n@@ -1,4 +1,3 @@\n-0\n 1\n 2\n 3\n"
                   "@@ -8,3 +7,4 @@\n 7\n 8\n 9\n+x\n");
}
END_TEST

// ---------------------------------------------------------------- search ---

// A kernel of a function `{ a; b; }`, whose statements begin at 2 and 5.
static Places two_statements(void) {
  Places places = {.arena = &arena};
  push(&arena, &places.texts, text("{ a; b; }"));
  push(&arena, &places.nests, ((Nest){NEST_FUNCTION, 0, 0, 0, 9, 0, 9}));
  push(&arena, &places.bodies, ((Body){.nest = 0, .is_users = true}));
  push(&arena, &places.kernels, ((PlacedKernel){.name = "k", .body = 0}));
  for (size_t at = 2; at <= 8; at += 3)
    push(&arena, &places.gaps, ((Gap){.at = at, .like = at}));
  return places;
}

static Failure race(size_t a, size_t b) {
  return (Failure){
      .kind = FAILURE_RACE, .is_placed = {true, true}, .at = {a, b}};
}

START_TEST(a_barrier_is_tried_between_the_accesses_and_nowhere_else) {
  Places places = two_statements();
  Failures failures = {0};
  push(&arena, &failures, race(5, 2));
  Candidates all = candidates_for(&arena, &places, "k", &failures);
  ck_assert_uint_eq(all.count, 1);
  ck_assert_uint_eq(all.at[0].at, 5);
  ck_assert_str_eq(all.at[0].edits.at[0].text, "__syncthreads(); ");
  ck_assert_uint_eq(candidates_for(&arena, &places, "other", &failures).count,
                    0);
}
END_TEST

START_TEST(threads_of_two_blocks_get_no_barrier) {
  Places places = two_statements();
  Failures failures = {0};
  push(&arena, &failures, race(5, 2));
  failures.at[0].is_between_blocks = true;
  ck_assert_uint_eq(candidates_for(&arena, &places, "k", &failures).count, 0);
}
END_TEST

typedef struct Judge {
  ChangeResultKind answer;
  const char *refusal;
  unsigned asked;
} Judge;

static ChangeResult ask(void *data, const Edits *edits) {
  Judge *judge = data;
  (void)edits;
  judge->asked++;
  return (ChangeResult){.kind = judge->answer, .name = "exited-threads"};
}

static const char *refuse(void *data, const Edits *edits) {
  (void)edits;
  return ((Judge *)data)->refusal;
}

static bool is_proved(void *data, const char *kernel) {
  (void)data;
  return kernel;
}

static bool is_over(void *data) {
  (void)data;
  return false;
}

static Proposal searched(Judge *judge) {
  Places *places = NEW(&arena, Places);
  *places = two_statements();
  Failures failures = {0};
  push(&arena, &failures, race(5, 2));
  Prover prover = {ask, refuse, is_over, is_proved, judge};
  return repair_search(&arena, places, "k", &failures, &prover);
}

START_TEST(what_is_verified_and_not_refused_is_proposed) {
  Judge judge = {.answer = CHANGE_VERIFIED};
  Proposal proposal = searched(&judge);
  ck_assert(proposal.is_found);
  ck_assert_uint_eq(proposal.edits.count, 1);
  ck_assert_uint_eq(judge.asked, 1);
}
END_TEST

START_TEST(what_is_refused_is_none_for_that_reason) {
  Judge judge = {.answer = CHANGE_VERIFIED, .refusal = "no"};
  Proposal proposal = searched(&judge);
  ck_assert(!proposal.is_found);
  ck_assert_str_eq(proposal.reason, "no");
}
END_TEST

START_TEST(an_assumption_more_is_told_and_not_made) {
  Judge judge = {.answer = CHANGE_RESTS};
  Proposal proposal = searched(&judge);
  ck_assert(!proposal.is_found);
  ck_assert(strstr(proposal.reason, "only if 'exited-threads' is assumed"));
}
END_TEST

START_TEST(what_is_undecided_is_no_proposal) {
  Judge judge = {.answer = CHANGE_UNDECIDED};
  ck_assert(!searched(&judge).is_found);
}
END_TEST

int main(void) {
  TCase *tc = tcase_create("repair");
  tcase_add_checked_fixture(tc, NULL, close_arena);
  tcase_add_test(
      tc, edits_are_made_from_left_to_right_and_of_equals_the_first_first);
  tcase_add_test(tc, what_is_added_comes_before_what_goes_at_the_same_byte);
  tcase_add_test(tc, text_that_goes_twice_or_is_added_inside_of_it_collides);
  tcase_add_test(tc, bytes_of_the_changed_text_come_from_where_they_were);
  tcase_add_test(tc, lines_and_columns_lead_to_bytes_and_back);
  tcase_add_test(tc, a_difference_has_three_lines_around_and_says_where);
  tcase_add_test(tc, a_difference_is_one_to_the_edits_before_it);
  tcase_add_test(tc, a_text_that_ends_without_a_line_end_says_so);
  tcase_add_test(tc, lines_far_apart_are_hunks_of_their_own);
  tcase_add_test(tc, a_barrier_is_tried_between_the_accesses_and_nowhere_else);
  tcase_add_test(tc, threads_of_two_blocks_get_no_barrier);
  tcase_add_test(tc, what_is_verified_and_not_refused_is_proposed);
  tcase_add_test(tc, what_is_refused_is_none_for_that_reason);
  tcase_add_test(tc, an_assumption_more_is_told_and_not_made);
  tcase_add_test(tc, what_is_undecided_is_no_proposal);
  return run_suite(tc, "repair");
}
