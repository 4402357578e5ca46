// The fuzzer's reference finds what is there and nothing else.
//
// Each test builds a kernel by hand, as its comment spells it, for one block
// of four threads unless it says otherwise.

#include "test/fuzz/fuzz.h"
#include "test/unit/suite.h"

static Arena arena;
static FuzzProgram *p;
static FuzzArray *cells; // 64 bytes, seen as unsigned

static void setup(void) {
  p = NEW(&arena, FuzzProgram);
  p->arena = &arena;
  cells = program_array(p, HOME_SHARED, TYPE_U32, 64);
}

static void teardown(void) { arena_free(&arena); }

static FuzzTerm *num(uint32_t n) { return term_number(p, n); }
static FuzzTerm *tid(void) { return term_builtin(p, BUILTIN_THREAD_X); }

static FuzzTerm *binary(Operator op, FuzzTerm *a, FuzzTerm *b) {
  return term_binary(p, op, a, b);
}

static FuzzTerm *plus(FuzzTerm *a, uint32_t n) {
  return binary(OPERATOR_ADD, a, num(n));
}

static FuzzPlace *cell(FuzzTerm *index) {
  return place_in(p, cells, TYPE_U32, index);
}

static void store(FuzzTerm *index, FuzzTerm *value) {
  step_store(p, &p->body, cell(index), value);
}

static void load(FuzzTerm *index) {
  step_set(p, &p->body, program_variable(p, TYPE_U32),
           term_load(p, cell(index)));
}

static void barrier(void) { step_barrier(p, &p->body, STEP_BARRIER); }

static FuzzStep *only_if(FuzzSteps *to, FuzzTerm *condition) {
  FuzzStep *step = step_new(p, to, STEP_IF);
  step->term = condition;
  return step;
}

static FuzzFinding run_shape(unsigned threads, unsigned blocks) {
  return reference_run(p, (Shape){threads, 1, blocks}, 1, 10);
}

static void expect(FuzzFindingKind kind) {
  FuzzFinding finding = run_shape(4, 1);
  ck_assert_msg(finding.kind == kind, "found %d: %s", (int)finding.kind,
                finding.text);
}

// a[tid] = tid
START_TEST(own_cells_do_not_race) {
  store(tid(), tid());
  expect(FINDING_NONE);
}
END_TEST

// a[tid] = tid; v = a[tid + 1]
START_TEST(a_neighbours_cell_races) {
  store(tid(), tid());
  load(plus(tid(), 1));
  expect(FINDING_RACE);
}
END_TEST

// a[tid] = tid; __syncthreads(); v = a[tid + 1]
START_TEST(a_barrier_orders) {
  store(tid(), tid());
  barrier();
  load(plus(tid(), 1));
  expect(FINDING_NONE);
}
END_TEST

// a[tid] = tid; __syncwarp(); v = a[tid + 1]
START_TEST(a_warp_barrier_orders_too) {
  store(tid(), tid());
  step_barrier(p, &p->body, STEP_WARP_BARRIER);
  load(plus(tid(), 1));
  expect(FINDING_NONE);
}
END_TEST

// a[0] = 7
START_TEST(writes_of_one_value_are_benign) {
  store(num(0), num(7));
  expect(FINDING_NONE);
}
END_TEST

// a[0] = tid
START_TEST(writes_of_two_values_race) {
  store(num(0), tid());
  expect(FINDING_RACE);
}
END_TEST

// ((unsigned char *)a)[tid] = tid; then another byte of a short, too:
// ((unsigned short *)a)[tid] = 0
START_TEST(parts_of_a_word_are_told_apart) {
  FuzzPlace *byte = place_in(p, cells, TYPE_U8, tid());
  step_store(p, &p->body, byte, tid());
  expect(FINDING_NONE);
  FuzzPlace *half = place_in(p, cells, TYPE_U16, tid());
  step_store(p, &p->body, half, num(0));
  expect(FINDING_RACE);
}
END_TEST

// if (tid == 0) a[0] = 0; else ((unsigned char *)a)[tid] = 0;
START_TEST(overlaps_of_two_widths_race_whatever_the_value) {
  FuzzStep *step = only_if(&p->body, binary(OPERATOR_EQ, tid(), num(0)));
  step_store(p, &step->body, cell(num(0)), num(0));
  step_store(p, &step->other, place_in(p, cells, TYPE_U8, tid()), num(0));
  expect(FINDING_RACE);
}
END_TEST

// ((uint4 *)a)[tid] = ..; v = a[4 * tid + 3] (own), then a[4 * tid + 4]
START_TEST(a_vector_is_all_of_its_bytes) {
  step_store(p, &p->body, place_in(p, cells, TYPE_QUAD, tid()), tid());
  load(plus(binary(OPERATOR_MUL, tid(), num(4)), 3));
  expect(FINDING_NONE);
  load(binary(OPERATOR_AND, plus(binary(OPERATOR_MUL, tid(), num(4)), 4),
              num(15)));
  expect(FINDING_RACE);
}
END_TEST

static FuzzStep *atomic(FuzzTerm *index) {
  FuzzStep *step = step_new(p, &p->body, STEP_ATOMIC);
  step->place = cell(index);
  step->term = num(1);
  return step;
}

// atomicAdd(&a[0], 1)
START_TEST(atomics_do_not_race_with_each_other) {
  atomic(num(0));
  expect(FINDING_NONE);
}
END_TEST

// atomicAdd(&a[0], 1); v = a[0]
START_TEST(an_atomic_races_with_a_plain_read) {
  atomic(num(0));
  load(num(0));
  expect(FINDING_RACE);
}
END_TEST

// slot = atomicAdd(&a[0], 1); b[slot & 15] = tid
START_TEST(atomic_counters_hand_out_each_number_once) {
  FuzzVariable *slot = program_variable(p, TYPE_U32);
  atomic(num(0))->variable = slot;
  FuzzArray *list = program_array(p, HOME_SHARED, TYPE_U32, 64);
  FuzzPlace *place = place_in(p, list, TYPE_U32, term_variable(p, slot));
  place->is_masked = true;
  step_store(p, &p->body, place, tid());
  expect(FINDING_NONE);
}
END_TEST

// if (tid < 2) __syncthreads();
START_TEST(a_barrier_that_some_do_not_reach_diverges) {
  FuzzStep *step = only_if(&p->body, binary(OPERATOR_LT, tid(), num(2)));
  step_barrier(p, &step->body, STEP_BARRIER);
  expect(FINDING_DIVERGENCE);
}
END_TEST

// if (tid < 2) __syncthreads(); else __syncthreads();
START_TEST(two_barriers_are_not_one) {
  FuzzStep *step = only_if(&p->body, binary(OPERATOR_LT, tid(), num(2)));
  step_barrier(p, &step->body, STEP_BARRIER);
  step_barrier(p, &step->other, STEP_BARRIER);
  expect(FINDING_DIVERGENCE);
}
END_TEST

// if (tid == 3) return; __syncthreads();
START_TEST(who_returned_is_missed_at_the_barrier) {
  FuzzStep *step = only_if(&p->body, binary(OPERATOR_EQ, tid(), num(3)));
  step_new(p, &step->body, STEP_RETURN);
  barrier();
  expect(FINDING_DIVERGENCE);
}
END_TEST

static FuzzStep *count_to(FuzzTerm *limit) {
  FuzzStep *loop = step_new(p, &p->body, STEP_FOR);
  loop->variable = program_variable(p, TYPE_U32);
  loop->variable->is_counter = true;
  loop->start = num(0);
  loop->term = binary(OPERATOR_LT, term_variable(p, loop->variable), limit);
  loop->next = plus(term_variable(p, loop->variable), 1);
  return loop;
}

// for (i = 0; i < 3; i++) __syncthreads();   then   i < tid
START_TEST(a_barrier_in_a_loop_needs_equal_trips) {
  FuzzStep *loop = count_to(num(3));
  step_barrier(p, &loop->body, STEP_BARRIER);
  expect(FINDING_NONE);
  loop->term->args[1] = tid();
  expect(FINDING_DIVERGENCE);
}
END_TEST

// for (i = 0; i < 2; i++) { v = a[tid + 1]; __syncthreads(); a[tid] = i; }
START_TEST(the_end_of_a_loop_meets_its_start) {
  FuzzStep *loop = count_to(num(2));
  step_set(p, &loop->body, program_variable(p, TYPE_U32),
           term_load(p, cell(plus(tid(), 1))));
  step_barrier(p, &loop->body, STEP_BARRIER);
  step_store(p, &loop->body, cell(tid()), tid());
  expect(FINDING_RACE);
  step_barrier(p, &loop->body, STEP_BARRIER);
  expect(FINDING_NONE);
}
END_TEST

// for (i = 0; i < 2; i++) { if (tid == 0) break; else continue; a[0] = tid; }
START_TEST(break_and_continue_skip_the_rest_of_the_loop) {
  FuzzStep *loop = count_to(num(2));
  FuzzStep *step = only_if(&loop->body, binary(OPERATOR_EQ, tid(), num(0)));
  step_new(p, &step->body, STEP_BREAK);
  step_new(p, &step->other, STEP_CONTINUE);
  step_store(p, &loop->body, cell(num(0)), tid());
  expect(FINDING_NONE);
  step->other.count = 0;
  expect(FINDING_RACE);
}
END_TEST

// Blocks: a barrier orders nothing between them, shared memory is not shared.
START_TEST(blocks_share_global_memory_only) {
  store(num(0), term_builtin(p, BUILTIN_BLOCK_X));
  ck_assert_int_eq(run_shape(1, 2).kind, FINDING_NONE);
  barrier();
  cells->home = HOME_GLOBAL;
  ck_assert_int_eq(run_shape(1, 2).kind, FINDING_RACE);
}
END_TEST

// a[n < 2 ? 0 : tid] = tid
START_TEST(some_inputs_are_tried) {
  FuzzVariable *n = program_variable(p, TYPE_U32);
  n->is_parameter = true;
  FuzzTerm *is_small = binary(OPERATOR_LT, term_variable(p, n), num(2));
  store(term_select(p, is_small, num(0), tid()), tid());
  expect(FINDING_RACE);
}
END_TEST

START_TEST(what_is_undefined_is_no_kernel) {
  store(plus(tid(), 13), num(0));
  FuzzFinding finding = run_shape(4, 1);
  ck_assert_int_eq(finding.kind, FINDING_INVALID);
  ck_assert_ptr_eq(finding.outside, p->body.at[0]->place);
  p->body.at[0]->place->index = binary(OPERATOR_DIV, num(1), tid());
  expect(FINDING_INVALID);
}
END_TEST

START_TEST(what_never_ends_is_no_kernel) {
  FuzzStep *loop = count_to(num(2));
  loop->next = num(0);
  expect(FINDING_INVALID);
}
END_TEST

// f(unsigned *q) { __syncthreads(); *q = 1; } called for a[tid], and by
// different threads from two places
START_TEST(a_barrier_in_a_procedure_is_one_for_each_call) {
  FuzzProcedure *f = program_procedure(p);
  f->pointer = program_pointer(p, TYPE_U32);
  f->pointer->is_argument = true;
  step_barrier(p, &f->body, STEP_BARRIER);
  step_store(p, &f->body, place_at(p, f->pointer, num(0)), num(1));
  FuzzStep *call = step_new(p, &p->body, STEP_CALL);
  call->procedure = f;
  call->place = cell(tid());
  load(tid());
  expect(FINDING_NONE);
  FuzzStep *step = only_if(&p->body, binary(OPERATOR_EQ, tid(), num(0)));
  push(&arena, &step->body, call);
  FuzzStep *other = step_new(p, &step->other, STEP_CALL);
  other->procedure = f;
  other->place = cell(tid());
  expect(FINDING_DIVERGENCE);
}
END_TEST

// p = tid < 2 ? &a[tid] : &b[tid]; p += 1; *p = tid;
START_TEST(pointers_go_where_they_are_sent) {
  FuzzArray *others = program_array(p, HOME_SHARED, TYPE_U32, 64);
  FuzzStep *step = step_new(p, &p->body, STEP_POINT);
  step->pointer = program_pointer(p, TYPE_U32);
  step->place = cell(tid());
  step->more_place = place_in(p, others, TYPE_U32, tid());
  step->term = binary(OPERATOR_LT, tid(), num(2));
  FuzzStep *advance = step_new(p, &p->body, STEP_ADVANCE);
  advance->pointer = step->pointer;
  advance->term = num(1);
  step_store(p, &p->body, place_at(p, step->pointer, num(0)), tid());
  expect(FINDING_NONE);
  load(num(2)); // thread 1 wrote a[2]
  expect(FINDING_RACE);
}
END_TEST

// switch (tid) { case 0: a[0] = tid; (falls) default: a[1] = tid; }
START_TEST(cases_fall_through_only_if_told) {
  FuzzStep *step = step_new(p, &p->body, STEP_SWITCH);
  step->term = tid();
  FuzzStep *first = step_new(p, &step->body, STEP_CASE);
  step_store(p, &first->body, cell(num(0)), tid());
  FuzzStep *second = step_new(p, &step->body, STEP_CASE);
  second->label = 1;
  step_store(p, &second->body, cell(num(1)), tid());
  expect(FINDING_NONE);
  first->falls_through = true;
  expect(FINDING_RACE);
}
END_TEST

// v = __syncthreads_or(tid == 2); if (v) __syncthreads();
START_TEST(a_vote_is_the_same_for_all) {
  FuzzStep *vote = step_barrier(p, &p->body, STEP_VOTE);
  vote->variable = program_variable(p, TYPE_U32);
  vote->term = binary(OPERATOR_EQ, tid(), num(2));
  FuzzStep *step = only_if(&p->body, term_variable(p, vote->variable));
  step_barrier(p, &step->body, STEP_BARRIER);
  step_store(p, &step->body, cell(num(0)), tid());
  expect(FINDING_RACE); // so they did get here
  step->body.count = 1;
  expect(FINDING_NONE);
}
END_TEST

// The wild guess of a generator that never races would pass any prover.
START_TEST(generated_kernels_are_of_both_kinds) {
  unsigned count[FINDING_INVALID + 1] = {0};
  for (unsigned i = 0; i < 200; i++) {
    Arena own = {0};
    const Setting *setting;
    FuzzFinding finding;
    generate(&own, 7, i, &setting, &finding);
    count[finding.kind]++;
    arena_free(&own);
  }
  ck_assert_uint_ge(count[FINDING_NONE], 60);
  ck_assert_uint_ge(count[FINDING_RACE], 60);
  ck_assert_uint_ge(count[FINDING_DIVERGENCE], 2);
  ck_assert_uint_eq(count[FINDING_INVALID], 0);
}
END_TEST

static bool has_finding(FuzzProgram *program, void *data) {
  return reference_run(program, *(Shape *)data, 1, 4).kind == FINDING_RACE;
}

// a[tid] = tid; __syncthreads(); a[0] = tid + 3; v = a[tid]; __syncthreads()
START_TEST(shrinking_leaves_what_races) {
  store(tid(), tid());
  barrier();
  store(num(0), plus(tid(), 3));
  load(tid());
  barrier();
  Shape shape = {4, 1, 1};
  shrink(p, has_finding, &shape);
  ck_assert_uint_eq(p->body.count, 1);
  ck_assert_int_eq(p->body.at[0]->kind, STEP_STORE);
}
END_TEST

int main(void) {
  TCase *tc = tcase_create("reference");
  tcase_add_checked_fixture(tc, setup, teardown);
  tcase_add_test(tc, own_cells_do_not_race);
  tcase_add_test(tc, a_neighbours_cell_races);
  tcase_add_test(tc, a_barrier_orders);
  tcase_add_test(tc, a_warp_barrier_orders_too);
  tcase_add_test(tc, writes_of_one_value_are_benign);
  tcase_add_test(tc, writes_of_two_values_race);
  tcase_add_test(tc, parts_of_a_word_are_told_apart);
  tcase_add_test(tc, overlaps_of_two_widths_race_whatever_the_value);
  tcase_add_test(tc, a_vector_is_all_of_its_bytes);
  tcase_add_test(tc, atomics_do_not_race_with_each_other);
  tcase_add_test(tc, an_atomic_races_with_a_plain_read);
  tcase_add_test(tc, atomic_counters_hand_out_each_number_once);
  tcase_add_test(tc, a_barrier_that_some_do_not_reach_diverges);
  tcase_add_test(tc, two_barriers_are_not_one);
  tcase_add_test(tc, who_returned_is_missed_at_the_barrier);
  tcase_add_test(tc, a_barrier_in_a_loop_needs_equal_trips);
  tcase_add_test(tc, the_end_of_a_loop_meets_its_start);
  tcase_add_test(tc, break_and_continue_skip_the_rest_of_the_loop);
  tcase_add_test(tc, blocks_share_global_memory_only);
  tcase_add_test(tc, some_inputs_are_tried);
  tcase_add_test(tc, what_is_undefined_is_no_kernel);
  tcase_add_test(tc, what_never_ends_is_no_kernel);
  tcase_add_test(tc, a_barrier_in_a_procedure_is_one_for_each_call);
  tcase_add_test(tc, pointers_go_where_they_are_sent);
  tcase_add_test(tc, cases_fall_through_only_if_told);
  tcase_add_test(tc, a_vote_is_the_same_for_all);
  tcase_add_test(tc, generated_kernels_are_of_both_kinds);
  tcase_add_test(tc, shrinking_leaves_what_races);
  return run_suite(tc, "reference");
}
