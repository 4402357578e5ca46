// The grammar of small kernels, and their execution.

#include "test/skeletons/skeleton.h"
#include "test/unit/suite.h"

#include <stdlib.h>
#include <string.h>

// --------------------------------------------------------------- grammar ---

enum { SOME = 20000 };

static int by_bytes(const void *a, const void *b) {
  return memcmp(a, b, sizeof(Skeleton));
}

START_TEST(skeletons_of_a_theme_differ) {
  static Skeleton all[SOME];
  size_t count = 0;
  for (uint64_t index = 0; index < SOME; index++)
    if (skeleton_at(index, &all[count])) {
      all[count].index = 0; // everything else says what it is
      count++;
    }
  ck_assert_uint_gt(count, SOME / 2);
  qsort(all, count, sizeof *all, by_bytes);
  for (size_t i = 1; i < count; i++)
    ck_assert(by_bytes(&all[i - 1], &all[i]));
}
END_TEST

static unsigned special_features(const Skeleton *s) {
  unsigned count = 0;
  for (unsigned i = 0; i < FEATURES; i++)
    count += s->feature[i] != 0;
  return count;
}

// Arrays are global in the theme of pointers, which is nothing special there.
START_TEST(a_level_is_how_many_features_are_special) {
  Skeleton s;
  for (uint64_t index = 0; index < SOME; index++)
    if (skeleton_at(index, &s)) {
      bool is_plain = !strcmp(theme_name(s.theme), "pointers");
      ck_assert_uint_eq(special_features(&s), s.level + is_plain);
    }
}
END_TEST

// --------------------------------------------------------------- execute ---

static Statement *add(Tree *tree, Statement **to, StatementKind kind) {
  Statement *s = &tree->statements[tree->count];
  *s = (Statement){.kind = kind, .number = tree->count++};
  while (*to)
    to = &(*to)->next;
  return *to = s;
}

static Statement *access(Tree *tree, Statement **to, SkeletonOp op,
                         SkeletonTerm index) {
  Statement *s = add(tree, to, STATEMENT_ACCESS);
  s->op = op;
  s->index = index;
  return s;
}

static Statement *loop(Tree *tree, Statement **to, unsigned counter,
                       SkeletonTerm limit) {
  Statement *s = add(tree, to, STATEMENT_LOOP);
  s->counter = counter;
  s->condition = (Condition){RELATION_LT, counter ? TERM_J : TERM_I, limit};
  return s;
}

static void expect(const Tree *tree, SkeletonFindingKind kind) {
  SkeletonFinding finding = execute(tree, 2);
  ck_assert_msg(finding.kind == kind, "%s", finding.text);
  if (kind == FINDING_NONE)
    ck_assert(finding.is_exhausted);
}

// One writes, another one reads that cell.
static void neighbours(Tree *tree, bool has_barrier) {
  access(tree, &tree->body, OP_WRITE, TERM_OWN);
  if (has_barrier)
    add(tree, &tree->body, STATEMENT_BARRIER);
  access(tree, &tree->body, OP_READ, TERM_OWN_XOR);
}

START_TEST(a_barrier_is_between_neighbours) {
  Tree with = {.blocks = 1}, without = {.blocks = 1};
  neighbours(&with, true);
  neighbours(&without, false);
  expect(&with, FINDING_NONE);
  expect(&without, FINDING_RACE);
}
END_TEST

START_TEST(a_barrier_of_a_block_is_not_between_blocks) {
  Tree tree = {.blocks = 2};
  neighbours(&tree, true);
  for (unsigned i = 0; i < tree.count; i++) {
    tree.statements[i].is_global = true;
    if (tree.statements[i].kind == STATEMENT_ACCESS)
      tree.statements[i].index = TERM_ZERO;
  }
  tree.statements[0].condition = (Condition){RELATION_EQ, TERM_OWN, TERM_ZERO};
  expect(&tree, FINDING_RACE);
  tree.statements[1].barrier = BARRIER_OF_GRID;
  expect(&tree, FINDING_NONE);
}
END_TEST

START_TEST(only_equal_writes_are_tolerated) {
  Tree equal = {.blocks = 1}, different = {.blocks = 1}, read = {.blocks = 1};
  access(&equal, &equal.body, OP_WRITE_ONE, TERM_ZERO);
  access(&different, &different.body, OP_WRITE, TERM_ZERO);
  access(&read, &read.body, OP_WRITE_ONE, TERM_ZERO);
  access(&read, &read.body, OP_READ, TERM_ZERO);
  expect(&equal, FINDING_NONE);
  expect(&different, FINDING_RACE);
  expect(&read, FINDING_RACE);
}
END_TEST

START_TEST(atomics_race_with_what_is_not_atomic) {
  Tree alone = {.blocks = 1}, with = {.blocks = 1};
  access(&alone, &alone.body, OP_ATOMIC, TERM_ZERO);
  access(&with, &with.body, OP_ATOMIC, TERM_ZERO);
  access(&with, &with.body, OP_WRITE_ONE, TERM_ZERO);
  expect(&alone, FINDING_NONE);
  expect(&with, FINDING_RACE);
}
END_TEST

// What an inner loop reads is written behind the outer one.
START_TEST(the_last_barrier_is_missed) {
  Tree tree = {.blocks = 1};
  Statement *outer = loop(&tree, &tree.body, 0, TERM_N);
  add(&tree, &outer->body, STATEMENT_BARRIER);
  Statement *inner = loop(&tree, &outer->body, 1, TERM_TWO);
  access(&tree, &inner->body, OP_READ, TERM_J);
  access(&tree, &tree.body, OP_WRITE, TERM_OWN);
  expect(&tree, FINDING_RACE);
  add(&tree, &outer->body, STATEMENT_BARRIER);
  expect(&tree, FINDING_NONE);
}
END_TEST

static void leave(Tree *tree, Exit exit, SkeletonTerm when) {
  Statement *outer = loop(tree, &tree->body, 0, TERM_N);
  Statement *inner = loop(tree, &outer->body, 1, TERM_TWO);
  Statement *s = add(tree, &inner->body, STATEMENT_EXIT);
  s->exit = exit;
  s->condition = (Condition){RELATION_EQ, TERM_J, when};
  add(tree, &tree->body, STATEMENT_BARRIER);
}

START_TEST(who_returns_is_missed_at_the_barrier) {
  Tree breaks = {.blocks = 1}, returns = {.blocks = 1}, alike = {.blocks = 1};
  leave(&breaks, EXIT_BREAK_OUTER, TERM_DATA);
  leave(&returns, EXIT_RETURN, TERM_DATA);
  leave(&alike, EXIT_RETURN, TERM_UNIFORM_DATA);
  expect(&breaks, FINDING_NONE);
  expect(&returns, FINDING_DIVERGENCE);
  expect(&alike, FINDING_NONE);
}
END_TEST

START_TEST(contents_are_tried) {
  Tree tree = {.blocks = 1, .uses_f = true};
  access(&tree, &tree.body, OP_READ, TERM_OWN);
  Statement *barrier = add(&tree, &tree.body, STATEMENT_BARRIER);
  barrier->condition = (Condition){RELATION_NE, TERM_F, TERM_ZERO};
  expect(&tree, FINDING_DIVERGENCE);
  tree.statements[0].index = TERM_ZERO;
  expect(&tree, FINDING_NONE);
}
END_TEST

START_TEST(an_assertion_fails) {
  Tree tree = {.blocks = 1, .uses_f = true};
  access(&tree, &tree.body, OP_READ, TERM_OWN);
  access(&tree, &tree.body, OP_ASSERT, TERM_OWN);
  expect(&tree, FINDING_NONE);
  tree.statements[0].next = NULL;
  access(&tree, &tree.body, OP_WRITE, TERM_OWN);
  access(&tree, &tree.body, OP_ASSERT, TERM_OWN);
  expect(&tree, FINDING_ASSERTION);
}
END_TEST

int main(void) {
  TCase *tc = tcase_create("skeletons");
  tcase_set_timeout(tc, 60);
  tcase_add_test(tc, skeletons_of_a_theme_differ);
  tcase_add_test(tc, a_level_is_how_many_features_are_special);
  tcase_add_test(tc, a_barrier_is_between_neighbours);
  tcase_add_test(tc, a_barrier_of_a_block_is_not_between_blocks);
  tcase_add_test(tc, only_equal_writes_are_tolerated);
  tcase_add_test(tc, atomics_race_with_what_is_not_atomic);
  tcase_add_test(tc, the_last_barrier_is_missed);
  tcase_add_test(tc, who_returns_is_missed_at_the_barrier);
  tcase_add_test(tc, contents_are_tried);
  tcase_add_test(tc, an_assertion_fails);
  return run_suite(tc, "skeletons");
}
