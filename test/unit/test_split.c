// A kernel is cut at its barriers: which intervals there are, how each ends,
// and what is kept from one to the next.
//
// The intervals are one text, the letter of a sketch's barrier or "return" for
// each way in which it may end; "if" is a branch that all threads take alike.

#define _POSIX_C_SOURCE 200809L

#include "runtime/jit/split.h"
#include "test/unit/kernels.h"
#include "test/unit/suite.h"

#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>

static Split split;
static Run run;
static Image image;
static char shared[1024];

// What jit_make_block finds, but for the optimiser's work.
static void lower(Task *own, void *data) {
  KernelEntries entries = {0};
  (void)data;
  llvm_find_kernels(own, kernel_module, &entries);
  run = (Run){.grid = {1, 1, 1}, .block = {64, 1, 1}, .output = -1};
  run.code = code_from_llvm(own, kernel_module, &entries.at[0]);
  image = (Image){.is_block = true, .shared = shared};
  jit_lower(own, &run, &image);
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  ck_assert_ptr_null(
      LLVMRunPasses(kernel_module, "function(sroa)", NULL, options));
  LLVMDisposePassBuilderOptions(options);
}

static void drop_builder(void) {
  if (split.builder)
    LLVMDisposeBuilder(split.builder);
  split.builder = NULL;
}

static void close_split(void) {
  drop_builder();
  close_kernel();
}

static void open_split(const char *body) {
  drop_builder();
  read_module(body);
  ck_assert_msg(task_run(&task, lower, NULL), "%s", task.reason);
  LLVMContextRef context = LLVMGetModuleContext(kernel_module);
  split = (Split){.task = &task,
                  .run = &run,
                  .module = kernel_module,
                  .context = context,
                  .builder = LLVMCreateBuilderInContext(context),
                  .none = LLVMVoidTypeInContext(context),
                  .i32 = LLVMInt32TypeInContext(context),
                  .i64 = LLVMInt64TypeInContext(context),
                  .pointer = LLVMPointerTypeInContext(context, 0),
                  .kernel = run.code->function};
}

// False: it cannot be cut.
static bool cut(void) {
  split.differs = (ValueTable){0};
  split.intervals.count = 0;
  if (!split_cut(&split))
    return false;
  split_find_uniform(&split);
  return split_find_intervals(&split);
}

static void open_sketch(const char *text) {
  char *body = body_of(text);
  open_split(body);
  free(body);
}

// ------------------------------------------------------------------- text ---

static const char *exit_text(unsigned block) {
  LLVMValueRef barrier = split_barrier(&split, block);
  if (!barrier)
    return "return";
  uint64_t site = LLVMConstIntGetZExtValue(LLVMGetOperand(barrier, 0));
  unsigned line = run.code->sites.at[site].loc.line;
  return jit_is_round(barrier)
             ? "round"
             : arena_printf(&task.arena, "%c", sketch[line - 1]);
}

static const char *interval_text(const BarrierInterval *interval) {
  const char *text = "";
  if (interval->ending == ENDING_BRANCH)
    return "if";
  for (size_t i = 0; i < interval->exits.count; i++)
    text = arena_printf(&task.arena, "%s%s%s", text, i ? "|" : "",
                        exit_text(interval->exits.at[i]));
  return text;
}

static const char *intervals(void) {
  const char *all = "";
  for (size_t i = 0; i < split.intervals.count; i++)
    all = arena_printf(&task.arena, "%s%s%s", all, i ? ", " : "",
                       interval_text(&split.intervals.at[i]));
  return all;
}

static void expect(const char *text, const char *all) {
  open_sketch(text);
  ck_assert(cut());
  ck_assert_str_eq(intervals(), all);
}

// Each as one letter: "u" is one value for the block, "t" one a thread, "a" an
// array of each thread.
static const char *kept(void) {
  const char *all = "";
  split_keep(&split);
  for (size_t i = 0; i < split.kept.count; i++)
    all = arena_printf(&task.arena, "%s%s", all,
                       split.kept.at[i].is_array     ? "a"
                       : split.kept.at[i].is_uniform ? "u"
                                                     : "t");
  return all;
}

// -------------------------------------------------------------- intervals ---

START_TEST(an_interval_ends_at_a_barrier_or_with_the_kernel) {
  expect("w r", "return");
  expect("w b r", "b, return");
  expect("b w b", "b, b, return");
}
END_TEST

START_TEST(a_barrier_of_a_warp_cuts_nothing) { expect("w s r", "return"); }
END_TEST

START_TEST(a_branch_that_all_take_alike_ends_it) {
  expect("w |b; r", "if, b, return, return");
  expect("{w b r}", "if, b, return, if");
  expect("{|b;}", "if, if, return, b, if, if");
}
END_TEST

START_TEST(a_branch_that_leads_to_no_other_barrier_does_not) {
  expect("|w; b", "b, return");
  expect("{w} b", "b, return");
}
END_TEST

START_TEST(where_threads_differ_each_finds_its_way) {
  expect("w [b] r", "return|b, return");
  expect("(w b r)", "return|b, return|b");
}
END_TEST

START_TEST(barriers_of_two_places_are_two) {
  expect("[b !] b", "b|b, return, return");
}
END_TEST

static bool can_cut(const char *body) {
  sketch = NULL;
  open_split(body);
  return cut();
}

#define BARRIER "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n"

// Nothing says where these are.
START_TEST(barriers_of_one_place_are_not_told_apart) {
  ck_assert(
      !can_cut("%p = icmp eq i32 %t, 7\n"
               "br i1 %p, label %a, label %b\n"
               "a:\n" BARRIER "ret void\n"
               "b:\n" BARRIER "ret void\n"));
  ck_assert(
      can_cut("%p = icmp eq i32 %n, 7\n"
              "br i1 %p, label %a, label %b\n"
              "a:\n" BARRIER "ret void\n"
              "b:\n" BARRIER "ret void\n"));
}
END_TEST

START_TEST(who_has_left_must_not_go_on_with_the_others) {
  open_sketch("[!] b");
  ck_assert(cut());
  open_sketch("[!] b");
  run.passes_left = true;
  ck_assert(!cut());
  open_sketch("| ! ; b");
  run.passes_left = true;
  ck_assert(cut());
}
END_TEST

START_TEST(there_are_not_too_many) {
  char text[62] = {0};
  memset(text, 'b', 60);
  open_sketch(text);
  ck_assert(cut());
  ck_assert_uint_eq(split.intervals.count, 61);
  text[60] = 'b';
  open_sketch(text);
  ck_assert(!cut());
}
END_TEST

// ------------------------------------------------------------------- kept ---

static void expect_kept(const char *body, const char *all) {
  ck_assert(can_cut(body));
  ck_assert_str_eq(kept(), all);
}

#define OWN "%a = getelementptr i32, ptr %g, i32 %t\n"
#define READ "%v = load i32, ptr %a\n"
#define WRITE "store i32 %v, ptr %a\n"

START_TEST(what_was_read_is_kept) {
  expect_kept(OWN READ BARRIER WRITE "ret void\n", "t");
  expect_kept(OWN BARRIER READ WRITE "ret void\n", "");
  expect_kept(OWN READ WRITE BARRIER "ret void\n", "");
}
END_TEST

START_TEST(what_can_be_computed_again_is_not) {
  expect_kept(OWN "%x = mul i32 %t, %n\n%v = add i32 %x, 1\n" BARRIER WRITE
                  "ret void\n",
              "");
}
END_TEST

START_TEST(a_counter_of_all_threads_is_kept_once) {
  open_sketch("{w b r}");
  ck_assert(cut());
  ck_assert_ptr_null(strpbrk(kept(), "ta"));
  open_sketch("(w b r)");
  ck_assert(cut());
  ck_assert_ptr_nonnull(strchr(kept(), 't'));
}
END_TEST

START_TEST(an_array_is_kept_as_it_is) {
  expect_kept(
      "%own = alloca [4 x i32]\n"
      "%p = getelementptr i32, ptr %own, i32 %n\n"
      "store i32 %t, ptr %p\n" BARRIER OWN "%v = load i32, ptr %own\n" WRITE
      "ret void\n",
      "a");
}
END_TEST

// ----------------------------------------------------------------- rounds ---

static const char *rounds_of(const char *text) {
  open_sketch(text);
  ck_assert(cut());
  if (!split_mark_rounds(&split))
    return "none";
  ck_assert(cut());
  return intervals();
}

START_TEST(a_loop_that_all_go_round_alike_is_cut_at_its_end) {
  ck_assert_str_eq(rounds_of("{w}"), "if, round, return, if");
  ck_assert(!split_parts_in_rounds(&split));
  split_forget_rounds(&split);
  ck_assert(cut());
  ck_assert_str_eq(intervals(), "return");
}
END_TEST

START_TEST(of_two_loops_the_inner_one_is) {
  ck_assert_str_eq(rounds_of("{{w}}"), "if, if, return, round, if, if");
}
END_TEST

START_TEST(a_loop_that_parts_threads_or_has_a_barrier_is_not) {
  ck_assert_str_eq(rounds_of("(w)"), "none");
  ck_assert_str_eq(rounds_of("[{w}]"), "none");
  ck_assert_str_eq(rounds_of("{w [.]}"), "none");
  ck_assert_str_eq(rounds_of("{w b}"), "none");
}
END_TEST

int main(void) {
  TCase *tc = tcase_create("split");
  tcase_add_checked_fixture(tc, open_kernel, close_split);
  tcase_add_test(tc, an_interval_ends_at_a_barrier_or_with_the_kernel);
  tcase_add_test(tc, a_barrier_of_a_warp_cuts_nothing);
  tcase_add_test(tc, a_branch_that_all_take_alike_ends_it);
  tcase_add_test(tc, a_branch_that_leads_to_no_other_barrier_does_not);
  tcase_add_test(tc, where_threads_differ_each_finds_its_way);
  tcase_add_test(tc, barriers_of_two_places_are_two);
  tcase_add_test(tc, barriers_of_one_place_are_not_told_apart);
  tcase_add_test(tc, who_has_left_must_not_go_on_with_the_others);
  tcase_add_test(tc, there_are_not_too_many);
  tcase_add_test(tc, what_was_read_is_kept);
  tcase_add_test(tc, what_can_be_computed_again_is_not);
  tcase_add_test(tc, a_counter_of_all_threads_is_kept_once);
  tcase_add_test(tc, an_array_is_kept_as_it_is);
  tcase_add_test(tc, a_loop_that_all_go_round_alike_is_cut_at_its_end);
  tcase_add_test(tc, of_two_loops_the_inner_one_is);
  tcase_add_test(tc, a_loop_that_parts_threads_or_has_a_barrier_is_not);
  return run_suite(tc, "split");
}
