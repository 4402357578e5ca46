// Random PTX with values: its interpreter sees what is wrong, and what the
// check verifies has nothing wrong in any execution.

#include "test/fuzz/valued.h"
#include "test/unit/suite.h"

static Arena arena;
static Valued valued;

static void begin(unsigned warps) {
  valued = (Valued){.warps = warps};
  push(&arena, &valued.code,
       ((Act){
           .kind = ACT_SPECIAL, .guard = -1, .to = {SIZE_32, 0}, .width = 1}));
}

static Act *step(ActKind kind) {
  Act act = {.kind = kind, .guard = -1, .width = 1, .result = -1, .other = -1};
  push(&arena, &valued.code, act);
  return &valued.code.at[valued.code.count - 1];
}

static void compute(Arithmetic arithmetic, unsigned to, unsigned from,
                    uint64_t by) {
  Act *act = step(ACT_COMPUTE);
  act->arithmetic = arithmetic;
  act->type = 'u';
  act->bits = 32;
  act->to = (ValuedSlot){SIZE_32, to};
  act->from[0].slot = (ValuedSlot){SIZE_32, from};
  act->from[1] = (Source){.is_literal = true, .number = by};
}

// %r9 := the variable, plus %r1
static void point(unsigned variable) {
  Act *address = step(ACT_ADDRESS);
  address->to = (ValuedSlot){SIZE_32, 9};
  address->number = variable;
  compute(ARITHMETIC_ADD, 9, 9, 0);
  Source offset = {.slot = {SIZE_32, 1}};
  valued.code.at[valued.code.count - 1].from[1] = offset;
}

// Of %r<value>, 32 bits.
static void access_there(ActKind kind, unsigned value) {
  Act *act = step(kind);
  act->type = 'u';
  act->bits = 32;
  act->to = (ValuedSlot){SIZE_32, value};
  act->from[0].slot = (ValuedSlot){SIZE_32, 9};
}

static void meet(ActKind kind, unsigned name, unsigned threads) {
  Act *act = step(kind);
  act->from[0] = (Source){.is_literal = true, .number = name};
  act->from[1] = (Source){.is_literal = true, .number = threads};
  act->width = 2;
}

static void expect(ValuedOutcome outcome) {
  char why[128] = "";
  for (uint64_t seed = 1; seed < 5; seed++)
    ck_assert_int_eq(valued_execute(&valued, seed, why), outcome);
}

START_TEST(each_writes_to_its_own_place) {
  begin(2);
  compute(ARITHMETIC_MUL_LO, 1, 0, 4);
  point(0);
  access_there(ACT_STORE, 0);
  expect(OUTCOME_CLEAN);
}
END_TEST

START_TEST(all_write_to_one_place) {
  begin(1);
  compute(ARITHMETIC_AND, 1, 0, 0);
  point(0);
  access_there(ACT_STORE, 1); // the same
  expect(OUTCOME_CLEAN);
  access_there(ACT_STORE, 0);
  expect(OUTCOME_RACE);
}
END_TEST

START_TEST(a_barrier_orders_what_all_do) {
  for (unsigned threads = 32; threads <= 64; threads += 32) {
    begin(2);
    compute(ARITHMETIC_MUL_LO, 1, 0, 4);
    point(0);
    access_there(ACT_STORE, 0);
    meet(ACT_SYNC, 1, 64);
    compute(ARITHMETIC_XOR, 1, 1, threads == 64 ? 128 : 4);
    point(0);
    access_there(ACT_LOAD, 2);
    expect(OUTCOME_CLEAN);
    valued.code.at[valued.code.count - 5].kind = ACT_LABEL; // the barrier
    expect(OUTCOME_RACE);
  }
}
END_TEST

START_TEST(nobody_comes_to_the_barrier) {
  begin(1);
  meet(ACT_SYNC, 1, 64);
  expect(OUTCOME_STUCK);
}
END_TEST

START_TEST(too_many_come_to_the_barrier) {
  begin(2);
  meet(ACT_ARRIVE, 1, 96);
  meet(ACT_ARRIVE, 1, 96);
  expect(OUTCOME_MISUSE);
}
END_TEST

START_TEST(an_access_outside_is_not_judged) {
  begin(1);
  compute(ARITHMETIC_OR, 1, 0, 0x100000);
  point(0);
  access_there(ACT_LOAD, 2);
  expect(OUTCOME_INVALID);
}
END_TEST

START_TEST(nothing_wrong_is_verified) {
  enum { COUNT = 600 };
  unsigned counts[JUDGEMENTS] = {0};
  char why[256];
  for (unsigned i = 0; i < COUNT; i++) {
    Arena own = {0};
    const Valued *random = valued_make(&own, 7, i);
    Judgement judgement =
        valued_judge(random, valued_text(&own, random), 4, why);
    ck_assert_msg(judgement != JUDGED_WRONG && judgement != JUDGED_BROKEN,
                  "valued --seed=7 --index=%u: %s", i, why);
    counts[judgement]++;
    arena_free(&own);
  }
  ck_assert_uint_gt(counts[JUDGED_CLEAN], COUNT / 3);
  ck_assert_uint_gt(counts[JUDGED_BUG], COUNT / 10);
  ck_assert_uint_lt(counts[JUDGED_ALARM], COUNT / 10);
  ck_assert_uint_lt(counts[JUDGED_UNKNOWN], COUNT / 4);
}
END_TEST

int main(void) {
  TCase *tc = tcase_create("valued");
  tcase_set_timeout(tc, 120);
  tcase_add_test(tc, each_writes_to_its_own_place);
  tcase_add_test(tc, all_write_to_one_place);
  tcase_add_test(tc, a_barrier_orders_what_all_do);
  tcase_add_test(tc, nobody_comes_to_the_barrier);
  tcase_add_test(tc, too_many_come_to_the_barrier);
  tcase_add_test(tc, an_access_outside_is_not_judged);
  tcase_add_test(tc, nothing_wrong_is_verified);
  return run_suite(tc, "valued");
}
