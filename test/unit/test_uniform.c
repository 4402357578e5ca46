// What is equal in all threads of a block, or of the grid: of what loops carry
// and reads return, and which loops threads leave together.

#define _POSIX_C_SOURCE 200809L

#include "test/unit/kernels.h"
#include "test/unit/suite.h"

// ------------------------------------------------------------------ kernels
// ---

static void find_in(const char *body) {
  kernel_of_body(body);
  kernel_find_uniform(&task, kernel);
}

static void find_in_sketch(const char *text) {
  kernel_of(text);
  kernel_find_uniform(&task, kernel);
}

// %x begins and goes on like that, while `on`; %k counts the rounds.
static void carry(const char *init, const char *next, const char *on,
                  const char *behind) {
  find_in(arena_printf(&task.arena,
                       "  %%id = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
                       "  br label %%head\n"
                       "head:\n"
                       "  %%x = phi i32 [%s, %%enter], [%%xn, %%body]\n"
                       "  %%k = phi i32 [0, %%enter], [%%kn, %%body]\n"
                       "  %%on = icmp slt i32 %%k, %s\n"
                       "  br i1 %%on, label %%body, label %%end\n"
                       "body:\n"
                       "  %%xn = add i32 %%x, %s\n"
                       "  %%kn = add i32 %%k, 1\n"
                       "  br label %%head\n"
                       "end:\n"
                       "%s"
                       "  ret void\n",
                       init, on, next, behind));
}

typedef enum Within { IN_NONE, IN_BLOCK, IN_GRID } Within;

static Within within(const Symbol *symbol) {
  ck_assert(symbol->is_block_uniform || !symbol->is_grid_uniform);
  return symbol->is_grid_uniform    ? IN_GRID
         : symbol->is_block_uniform ? IN_BLOCK
                                    : IN_NONE;
}

static const Symbol *named(const char *name) {
  for (size_t i = 0; i < kernel->symbols.count; i++)
    if (!strcmp(kernel->symbols.at[i]->name, name))
      return kernel->symbols.at[i];
  ck_abort_msg("no symbol '%s'", name);
}

static Within carried(const char *init, const char *next) {
  carry(init, next, "%n", "");
  return within(named("x"));
}

static Within left(void) {
  const Loop *loop = kernel->loops.at[0];
  ck_assert(loop->is_left_together[0] || !loop->is_left_together[1]);
  return loop->is_left_together[1]   ? IN_GRID
         : loop->is_left_together[0] ? IN_BLOCK
                                     : IN_NONE;
}

// What the nth read returns.
static Within returned(unsigned nth) {
  for (size_t i = 0; i < kernel->symbols.count; i++)
    if (kernel->symbols.at[i]->kind == SYMBOL_LOAD && !nth--)
      return within(kernel->symbols.at[i]);
  ck_abort_msg("no such read");
}

// -------------------------------------------------------------- what starts
// ---

START_TEST(ids_differ_and_sizes_and_arguments_do_not) {
  carry("%t", "%id", "%n", "");
  ck_assert_int_eq(within(named("threadIdx.x")), IN_NONE);
  ck_assert_int_eq(within(named("blockIdx.x")), IN_BLOCK);
  ck_assert_int_eq(within(named("blockDim.x")), IN_GRID);
  ck_assert_int_eq(within(named("gridDim.x")), IN_GRID);
  ck_assert_int_eq(within(named("n")), IN_GRID);
}
END_TEST

// ------------------------------------------------------------------ carried
// ---

START_TEST(what_begins_and_goes_on_alike_is_uniform) {
  ck_assert_int_eq(carried("0", "1"), IN_GRID);
  ck_assert_int_eq(carried("%n", "%m"), IN_GRID);
  ck_assert_int_eq(carried("%n", "%k"), IN_GRID);
  ck_assert_int_eq(carried("%id", "1"), IN_BLOCK);
  ck_assert_int_eq(carried("0", "%id"), IN_BLOCK);
  ck_assert_int_eq(carried("%t", "1"), IN_NONE);
  ck_assert_int_eq(carried("0", "%t"), IN_NONE);
}
END_TEST

START_TEST(what_another_makes_differ_differs_too) {
  find_in(
      "  br label %head\n"
      "head:\n"
      "  %x = phi i32 [0, %enter], [%y, %head]\n"
      "  %y = phi i32 [0, %enter], [%z, %head]\n"
      "  %z = phi i32 [0, %enter], [%t, %head]\n"
      "  %u = phi i32 [0, %enter], [%v, %head]\n"
      "  %v = add i32 %u, 1\n"
      "  %on = icmp slt i32 %u, %n\n"
      "  br i1 %on, label %head, label %end\n"
      "end:\n"
      "  ret void\n");
  ck_assert_int_eq(within(named("x")), IN_NONE);
  ck_assert_int_eq(within(named("y")), IN_NONE);
  ck_assert_int_eq(within(named("u")), IN_GRID);
}
END_TEST

// ------------------------------------------------------------- left together
// ---

START_TEST(who_decides_alike_leaves_together) {
  carry("0", "1", "%n", "");
  ck_assert_int_eq(left(), IN_GRID);
  carry("0", "1", "%id", "");
  ck_assert_int_eq(left(), IN_BLOCK);
  carry("0", "1", "%t", "");
  ck_assert_int_eq(left(), IN_NONE);
  find_in_sketch("{w [.]}");
  ck_assert_int_eq(left(), IN_NONE);
  find_in_sketch("{w | . ;}");
  ck_assert_int_eq(left(), IN_GRID);
}
END_TEST

START_TEST(a_barrier_keeps_in_step_whom_it_is_for) {
  find_in_sketch("(w b)");
  ck_assert_int_eq(left(), IN_BLOCK);
  find_in_sketch("(w g)");
  ck_assert_int_eq(left(), IN_GRID);
  find_in_sketch("(w s)");
  ck_assert_int_eq(left(), IN_NONE);
}
END_TEST

// %x is carried on by a second loop.
static Within behind(const char *on) {
  carry("0", "1", on,
        "  br label %more\n"
        "more:\n"
        "  %y = phi i32 [%x, %end], [%yn, %more]\n"
        "  %yn = add i32 %y, 1\n"
        "  %again = icmp slt i32 %yn, %n\n"
        "  br i1 %again, label %more, label %out\n"
        "out:\n");
  ck_assert_int_eq(within(named("x")), IN_GRID);
  return within(named("y"));
}

START_TEST(behind_a_loop_that_is_left_apart_nothing_of_it_is_uniform) {
  ck_assert_int_eq(behind("%n"), IN_GRID);
  ck_assert_int_eq(behind("%id"), IN_BLOCK);
  ck_assert_int_eq(behind("%t"), IN_NONE);
}
END_TEST

// -------------------------------------------------------------------- reads
// ---

#define READ "  %v = load i32, ptr %g\n"
#define READ_OWN                                                               \
  "  %a = getelementptr i32, ptr %g, i32 %t\n"                                 \
  "  %v = load i32, ptr %a\n"
#define BARRIER "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n"
#define WRITE "  store i32 %n, ptr %g\n"
#define WRITE_SHARED "  store i32 %n, ptr addrspace(3) @s\n"
#define READ_SHARED "  %v = load i32, ptr addrspace(3) @s\n"
#define END "  ret void\n"

START_TEST(a_read_of_one_cell_is_uniform_if_nobody_writes_meanwhile) {
  find_in(READ BARRIER WRITE END);
  ck_assert_int_eq(returned(0), IN_BLOCK);
  find_in(WRITE BARRIER READ END);
  ck_assert_int_eq(returned(0), IN_BLOCK);
  find_in(WRITE_SHARED BARRIER READ_SHARED END);
  ck_assert_int_eq(returned(0), IN_BLOCK);
  find_in(READ WRITE END);
  ck_assert_int_eq(returned(0), IN_NONE);
  find_in(WRITE_SHARED READ_SHARED BARRIER END);
  ck_assert_int_eq(returned(0), IN_NONE);
}
END_TEST

START_TEST(a_barrier_orders_the_writes_of_its_fence) {
  kernel_of("w b r");
  the('r', 0)->access.offset = the('w', 0)->access.offset = number(64, 0);
  kernel_find_uniform(&task, kernel);
  ck_assert_int_eq(returned(0), IN_BLOCK);
  the('b', 0)->barrier.orders_shared = false;
  kernel_find_uniform(&task, kernel);
  ck_assert_int_eq(returned(0), IN_NONE);
}
END_TEST

START_TEST(a_read_of_each_threads_cell_is_not) {
  find_in(READ_OWN BARRIER WRITE END);
  ck_assert_int_eq(returned(0), IN_NONE);
}
END_TEST

START_TEST(round_a_loop_the_write_behind_the_read_comes_again) {
  kernel_of("{r b w b}");
  for (unsigned i = 0; i < kernel->stmts.count; i++)
    if (kernel->stmts.at[i]->kind == STMT_ACCESS)
      kernel->stmts.at[i]->access.offset = number(64, 0);
  kernel_find_uniform(&task, kernel);
  ck_assert_int_eq(returned(0), IN_BLOCK);
  the('b', 1)->barrier.orders_shared = false;
  kernel_find_uniform(&task, kernel);
  ck_assert_int_eq(returned(0), IN_NONE);
}
END_TEST

START_TEST(other_blocks_write_where_their_races_are_not_looked_for) {
  kernel_options.only_intra_group = true;
  find_in(READ BARRIER WRITE END);
  ck_assert_int_eq(returned(0), IN_NONE);
  find_in(READ_SHARED BARRIER WRITE_SHARED END);
  ck_assert_int_eq(returned(0), IN_BLOCK);
}
END_TEST

#define ADD "  %old = atomicrmw add ptr %g, i32 1 seq_cst\n"

START_TEST(what_atomics_return_differs_and_what_they_change_meanwhile) {
  find_in(READ ADD END);
  ck_assert_int_eq(returned(0), IN_NONE);
  find_in(READ BARRIER ADD END);
  ck_assert_int_eq(returned(0), IN_BLOCK);
  for (size_t i = 0; i < kernel->symbols.count; i++)
    if (kernel->symbols.at[i]->kind == SYMBOL_ATOMIC)
      ck_assert_int_eq(within(kernel->symbols.at[i]), IN_NONE);
}
END_TEST

// Other blocks, or the host: that is no race, as it is of a plain read.
START_TEST(a_volatile_read_may_return_what_others_write) {
  find_in("  %v = load volatile i32, ptr %g\n" BARRIER WRITE END);
  ck_assert_int_eq(returned(0), IN_NONE);
  find_in("  %v = load volatile i32, ptr %g\n" END);
  ck_assert_int_eq(returned(0), IN_NONE);
}
END_TEST

START_TEST(an_array_of_the_thread_differs) {
  find_in(
      "  %own = alloca [4 x i32]\n"
      "  %p = getelementptr i32, ptr %own, i32 %n\n"
      "  store i32 %t, ptr %p\n" BARRIER "  %v = load i32, ptr %own\n" END);
  ck_assert_int_eq(returned(0), IN_NONE);
}
END_TEST

START_TEST(a_vote_is_one_for_all_and_what_is_undefined_is_not) {
  find_in(
      "  %u = freeze i32 undef\n"
      "  %p = icmp eq i32 %t, %u\n"
      "  %v = call i1 @llvm.nvvm.barrier.cta.red.or.aligned.all(i32 0, "
      "i1 %p)\n"
      "  store i32 %u, ptr %g\n" END);
  unsigned votes = 0, unknowns = 0;
  for (size_t i = 0; i < kernel->symbols.count; i++)
    if (kernel->symbols.at[i]->kind == SYMBOL_UNKNOWN) {
      unknowns += !kernel->symbols.at[i]->is_vote;
      votes += kernel->symbols.at[i]->is_vote;
      ck_assert_int_eq(within(kernel->symbols.at[i]),
                       kernel->symbols.at[i]->is_vote ? IN_BLOCK : IN_NONE);
    }
  ck_assert_uint_gt(votes, 0);
  ck_assert_uint_gt(unknowns, 0);
}
END_TEST

int main(void) {
  TCase *tc = tcase_create("uniform");
  tcase_add_checked_fixture(tc, open_kernel, close_kernel);
  tcase_add_test(tc, ids_differ_and_sizes_and_arguments_do_not);
  tcase_add_test(tc, what_begins_and_goes_on_alike_is_uniform);
  tcase_add_test(tc, what_another_makes_differ_differs_too);
  tcase_add_test(tc, who_decides_alike_leaves_together);
  tcase_add_test(tc, a_barrier_keeps_in_step_whom_it_is_for);
  tcase_add_test(tc, behind_a_loop_that_is_left_apart_nothing_of_it_is_uniform);
  tcase_add_test(tc, a_read_of_one_cell_is_uniform_if_nobody_writes_meanwhile);
  tcase_add_test(tc, a_barrier_orders_the_writes_of_its_fence);
  tcase_add_test(tc, a_read_of_each_threads_cell_is_not);
  tcase_add_test(tc, round_a_loop_the_write_behind_the_read_comes_again);
  tcase_add_test(tc, other_blocks_write_where_their_races_are_not_looked_for);
  tcase_add_test(tc,
                 what_atomics_return_differs_and_what_they_change_meanwhile);
  tcase_add_test(tc, a_volatile_read_may_return_what_others_write);
  tcase_add_test(tc, an_array_of_the_thread_differs);
  tcase_add_test(tc, a_vote_is_one_for_all_and_what_is_undefined_is_not);
  return run_suite(tc, "uniform");
}
