// Memory that dies with its task, growing arrays, and giving up.

#include "base/base.h"
#include "test/unit/suite.h"

#include <string.h>

static void count(void *object) { ++*(int *)object; }

START_TEST(arena_runs_every_cleanup_once) {
  Arena arena = {0};
  int calls = 0;
  arena_defer(&arena, count, &calls);
  arena_defer(&arena, count, &calls);
  ck_assert_int_eq(calls, 0);
  arena_free(&arena);
  ck_assert_int_eq(calls, 2);
  arena_free(&arena);
  ck_assert_int_eq(calls, 2);
}
END_TEST

static char released[3];

static void note(void *object) { strncat(released, object, 1); }

START_TEST(what_was_deferred_last_is_released_first) {
  Arena arena = {0};
  arena_defer(&arena, note, "a");
  arena_defer(&arena, note, "b");
  arena_free(&arena);
  ck_assert_str_eq(released, "ba");
}
END_TEST

static void fill(Arena *arena, size_t bytes, int with) {
  unsigned char *memory = arena_alloc(arena, bytes);
  ck_assert_ptr_nonnull(memory);
  ck_assert_uint_eq((uintptr_t)memory % _Alignof(max_align_t), 0);
  size_t zeros = 0;
  while (zeros < bytes && memory[zeros] == 0)
    zeros++;
  ck_assert_uint_eq(zeros, bytes);
  memset(memory, with, bytes);
}

START_TEST(memory_is_zero_and_aligned_whatever_its_size) {
  Arena arena = {0};
  for (size_t bytes = 1; bytes < 1000000; bytes = bytes * 3 + 1)
    fill(&arena, bytes, 0xAB);
  for (size_t bytes = 1; bytes < 1000; bytes += 7)
    fill(&arena, bytes, 0xCD);
  arena_free(&arena);
}
END_TEST

START_TEST(an_arena_knows_what_it_took) {
  Arena arena = {0};
  ck_assert_uint_eq(arena_bytes(&arena), 0);
  arena_alloc(&arena, 1 << 20);
  ck_assert_uint_ge(arena_bytes(&arena), 1 << 20);
  arena_free(&arena);
  ck_assert_uint_eq(arena_bytes(&arena), 0);
}
END_TEST

START_TEST(texts_are_copied_and_formatted_at_any_length) {
  Arena arena = {0};
  char name[] = "kernel";
  const char *copy = arena_copy(&arena, name);
  name[0] = '?';
  ck_assert_str_eq(copy, "kernel");
  ck_assert_str_eq(arena_printf(&arena, "bar.sync %d", 1), "bar.sync 1");
  ck_assert_uint_eq(strlen(arena_printf(&arena, "%*d", 100000, 7)), 100000);
  arena_free(&arena);
}
END_TEST

START_TEST(a_vector_keeps_what_was_pushed) {
  Arena arena = {0};
  Vec(unsigned) squares = {0};
  for (unsigned i = 0; i < 1000; i++)
    push(&arena, &squares, i * i);
  ck_assert_uint_eq(squares.count, 1000);
  for (unsigned i = 0; i < 1000; i++)
    ck_assert_uint_eq(squares.at[i], i * i);
  arena_free(&arena);
}
END_TEST

// Another vector and other memory come between.
START_TEST(a_vector_that_moves_keeps_it_too) {
  Arena arena = {0};
  Vec(unsigned) squares = {0}, cubes = {0};
  for (unsigned i = 0; i < 100000; i++) {
    push_moving(&arena, &squares, i * i);
    push_moving(&arena, &cubes, i * i * i);
    if (i % 100 == 0)
      fill(&arena, 64, 0xEF);
  }
  for (unsigned i = 0; i < 100000; i++) {
    ck_assert_uint_eq(squares.at[i], i * i);
    ck_assert_uint_eq(cubes.at[i], i * i * i);
  }
  ck_assert_uint_lt(arena_bytes(&arena),
                    3 * 100000 * sizeof(unsigned) + 500000);
  arena_free(&arena);
  ck_assert_uint_eq(arena_bytes(&arena), 0);
}
END_TEST

// The first thing of a chunk that is shared with others is no chunk.
START_TEST(what_moves_leaves_its_neighbours_alone) {
  Arena arena = {0};
  Vec(unsigned) numbers = {0};
  push_moving(&arena, &numbers, 0);
  char *neighbour = arena_copy(&arena, "next");
  for (unsigned i = 1; i < 100000; i++)
    push_moving(&arena, &numbers, i);
  ck_assert_str_eq(neighbour, "next");
  ck_assert_uint_eq(numbers.at[0], 0);
  ck_assert_uint_eq(numbers.at[99999], 99999);
  arena_free(&arena);
}
END_TEST

static void meet_a_surface_load(Task *task, void *data) {
  unsupported(task, (Loc){"k.cu", 7, 3}, "surface load '%s'", "suld.b");
  *(bool *)data = true;
}

START_TEST(unsupported_ends_the_task_and_says_why) {
  Task task = {0};
  bool went_on = false;
  ck_assert(!task_run(&task, meet_a_surface_load, &went_on));
  ck_assert(!went_on);
  ck_assert_str_eq(task.reason, "surface load 'suld.b'");
  ck_assert_str_eq(task.where.file, "k.cu");
  ck_assert_uint_eq(task.where.line, 7);
  arena_free(&task.arena);
}
END_TEST

static void say_a_lot(Task *task, void *data) {
  unsupported(task, (Loc){0}, "%s", (const char *)data);
}

START_TEST(a_long_reason_is_cut_not_overrun) {
  Task task = {0};
  char words[5000];
  memset(words, 'x', sizeof words);
  words[sizeof words - 1] = '\0';
  ck_assert(!task_run(&task, say_a_lot, words));
  ck_assert_uint_lt(strlen(task.reason), sizeof words);
  ck_assert_int_eq(strncmp(task.reason, words, 100), 0);
  arena_free(&task.arena);
}
END_TEST

static void work(Task *task, void *data) {
  task_check_time(task, (Loc){"k.cu", 3, 1});
  ++*(int *)data;
}

START_TEST(a_task_that_finishes_has_no_reason) {
  Task task = {.reason = "left over"};
  int done = 0;
  ck_assert(task_run(&task, work, &done));
  ck_assert_int_eq(done, 1);
  ck_assert_ptr_null(task.reason);
  arena_free(&task.arena);
}
END_TEST

START_TEST(a_deadline_that_has_passed_ends_the_task) {
  Task task = {.deadline = work_seconds() + 1000};
  int done = 0;
  ck_assert(task_run(&task, work, &done));
  task.deadline = work_seconds() / 2;
  ck_assert(!task_run(&task, work, &done));
  ck_assert_int_eq(done, 1);
  ck_assert_ptr_nonnull(strstr(task.reason, "time budget"));
  ck_assert_uint_eq(task.where.line, 3);
  arena_free(&task.arena);
}
END_TEST

START_TEST(an_arena_that_grew_too_large_ends_the_task) {
  Task task = {.memory = 1 << 22};
  int done = 0;
  ck_assert(task_run(&task, work, &done));
  arena_alloc(&task.arena, 1 << 23);
  ck_assert(!task_run(&task, work, &done));
  ck_assert_ptr_nonnull(strstr(task.reason, "memory budget"));
  arena_free(&task.arena);
}
END_TEST

static void take(Task *task, void *data) {
  arena_alloc(&task->arena, 1 << 21);
  task_check_time(task, (Loc){"k.cu", 5, 1});
  ++*(int *)data;
}

static void take_in_stages(Task *task, void *data) {
  task_stage(task, take, data);
  task_stage(task, take, data);
  task_stage(task, take, data);
}

// One after the other, each may take as much as there is room for.
START_TEST(what_a_stage_took_is_gone) {
  Task task = {.memory = 3 << 20};
  int done = 0;
  ck_assert(task_run(&task, take_in_stages, &done));
  ck_assert_int_eq(done, 3);
  ck_assert_uint_lt(arena_bytes(&task.arena), 1 << 20);
  arena_alloc(&task.arena, 2 << 20);
  ck_assert(!task_run(&task, take_in_stages, &done));
  ck_assert_int_eq(done, 3);
  ck_assert_ptr_nonnull(strstr(task.reason, "memory budget"));
  ck_assert_uint_eq(task.where.line, 5);
  arena_free(&task.arena);
}
END_TEST

START_TEST(what_scratch_took_is_gone) {
  Task task = {.memory = 4 << 20};
  char *before = arena_copy(&task.arena, "before"), *lasting = NULL;
  for (int i = 0; i < 4; i++) {
    task_open_scratch(&task);
    arena_alloc(&task.arena, 1 << 20);
    task_open_scratch(&task);
    arena_alloc(&task.arena, 2 << 20);
    lasting = arena_copy(task_lasting(&task), "lasting");
    ck_assert_uint_gt(task_bytes(&task), 3 << 20);
    task_close_scratch(&task);
    task_close_scratch(&task);
  }
  ck_assert_uint_lt(task_bytes(&task), 1 << 20);
  ck_assert_str_eq(before, "before");
  ck_assert_str_eq(lasting, "lasting");
  ck_assert_ptr_eq(task_lasting(&task), &task.arena);
  arena_free(&task.arena);
}
END_TEST

static void release_one(void *count) { ++*(int *)count; }

static void give_up_in_scratch(Task *task, void *count) {
  arena_defer(&task->arena, release_one, count);
  task_open_scratch(task);
  arena_defer(&task->arena, release_one, count);
  task_open_scratch(task);
  unsupported(task, (Loc){0}, "in scratch");
}

START_TEST(who_gives_up_in_scratch_leaves_nothing_behind) {
  Task task = {0};
  int freed = 0;
  ck_assert(!task_run(&task, give_up_in_scratch, &freed));
  ck_assert_str_eq(task.reason, "in scratch");
  arena_free(&task.arena);
  ck_assert_int_eq(freed, 2);
}
END_TEST

START_TEST(what_is_given_back_is_taken_again) {
  Arena arena = {0};
  char *first = arena_alloc(&arena, 100), *other = arena_alloc(&arena, 200);
  memset(first, 'x', 100);
  arena_give_back(&arena, first, 100);
  arena_give_back(&arena, other, 200);
  ck_assert_ptr_eq(arena_alloc(&arena, 200), other);
  char *again = arena_alloc(&arena, 100);
  ck_assert_ptr_eq(again, first);
  for (int i = 0; i < 100; i++)
    ck_assert_int_eq(again[i], 0);
  ck_assert_ptr_ne(arena_alloc(&arena, 100), first);
  arena_free(&arena);
}
END_TEST

START_TEST(places_in_headers_of_cuda_are_not_in_users_code) {
  ck_assert(loc_is_in_users_code((Loc){"src/k.cu", 3, 1}));
  ck_assert(!loc_is_in_users_code((Loc){"src/k.cu", 0, 0}));
  ck_assert(!loc_is_in_users_code((Loc){NULL, 3, 1}));
  ck_assert(!loc_is_in_users_code((Loc){"/usr/lib/clang/22/sync.h", 3, 1}));
  ck_assert(!loc_is_in_users_code((Loc){"/opt/cuda-13.0/include/k.h", 3, 1}));
  ck_assert(!loc_is_in_users_code((Loc){"/a/cuda/12.4/include/k.h", 3, 1}));
  ck_assert(loc_is_in_users_code((Loc){"/a/cuda-samples/k.cu", 3, 1}));
  ck_assert(loc_is_in_users_code((Loc){"/a/cuda-2/src/k.cu", 3, 1}));
  ck_assert(!loc_is_in_users_code((Loc){"/usr/include/cuda_fp16.hpp", 3, 1}));
}
END_TEST

START_TEST(mangled_names_are_told_as_in_the_source) {
  static const char *const names[][2] = {
      {"scan", "scan"},
      {"_Z4scanPfi", "scan"},
      {"_ZN2ns4scanEPf", "scan"},
      {"_Z", "_Z"},
      {"_ZZ4scanPfE4tile", "tile"},
      {"_ZZ4scanPfE4tile_0", "tile"},
      {"_ZZ4scanPfE4TILE", "TILE"},
      {"_ZZ4EDGEILi4EEvPfE6E4edge", "E4edge"},
      {"_ZZ4scanPfE9tile", "_ZZ4scanPfE9tile"}};
  Task task = {0};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    ck_assert_str_eq(plain_name(&task, names[i][0]), names[i][1]);
  arena_free(&task.arena);
}
END_TEST

int main(void) {
  TCase *tc = tcase_create("base");
  tcase_add_test(tc, arena_runs_every_cleanup_once);
  tcase_add_test(tc, what_was_deferred_last_is_released_first);
  tcase_add_test(tc, memory_is_zero_and_aligned_whatever_its_size);
  tcase_add_test(tc, an_arena_knows_what_it_took);
  tcase_add_test(tc, texts_are_copied_and_formatted_at_any_length);
  tcase_add_test(tc, a_vector_keeps_what_was_pushed);
  tcase_add_test(tc, a_vector_that_moves_keeps_it_too);
  tcase_add_test(tc, what_moves_leaves_its_neighbours_alone);
  tcase_add_test(tc, what_a_stage_took_is_gone);
  tcase_add_test(tc, what_scratch_took_is_gone);
  tcase_add_test(tc, who_gives_up_in_scratch_leaves_nothing_behind);
  tcase_add_test(tc, what_is_given_back_is_taken_again);
  tcase_add_test(tc, unsupported_ends_the_task_and_says_why);
  tcase_add_test(tc, a_long_reason_is_cut_not_overrun);
  tcase_add_test(tc, a_task_that_finishes_has_no_reason);
  tcase_add_test(tc, a_deadline_that_has_passed_ends_the_task);
  tcase_add_test(tc, an_arena_that_grew_too_large_ends_the_task);
  tcase_add_test(tc, places_in_headers_of_cuda_are_not_in_users_code);
  tcase_add_test(tc, mangled_names_are_told_as_in_the_source);
  return run_suite(tc, "base");
}
