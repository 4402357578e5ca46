// Launches that one file makes of another's kernels, without files.

#include "plugin/across.h"
#include "test/unit/suite.h"

#include <string.h>

enum { KERNELS, LAUNCHES, OTHER, FILES };

static Task task;
static OpenFiles files;

static void start(void) {
  static char module; // nobody looks into it
  task = (Task){0};
  files = (OpenFiles){0};
  for (unsigned i = 0; i < FILES; i++) {
    OpenFile file = {
        .is_cuda = true, .module = (void *)&module, .is_read = true};
    push(&task.arena, &files, file);
  }
}

static void stop(void) { arena_free(&task.arena); }

static void define(unsigned file, const char *kernel) {
  KernelEntry entry = {.name = kernel};
  push(&task.arena, &files.at[file].kernels, entry);
}

static void launch(unsigned file, const char *kernel, bool is_elsewhere) {
  HostLaunch one = {.kernel = kernel, .is_elsewhere = is_elsewhere};
  push(&task.arena, &files.at[file].launches, one);
}

// How many launches of its kernel a file knows, of which so many elsewhere.
static void knows(unsigned file, const char *kernel, unsigned all,
                  unsigned elsewhere) {
  HostLaunches found = launches_across(&task, &files, file);
  unsigned counts[2] = {0};
  for (size_t i = 0; i < found.count; i++)
    if (!strcmp(found.at[i].kernel, kernel))
      counts[found.at[i].is_elsewhere]++;
  ck_assert_uint_eq(counts[0] + counts[1], all);
  ck_assert_uint_eq(counts[1], elsewhere);
}

static void one_kernel(void) {
  define(KERNELS, "k");
  launch(LAUNCHES, "k", true);
}

START_TEST(another_file_launches) {
  one_kernel();
  launch(LAUNCHES, "other", true);
  knows(KERNELS, "k", 1, 1);
  knows(OTHER, "k", 0, 0);
  ck_assert(launches_others(&files, LAUNCHES));
  ck_assert(!launches_others(&files, KERNELS));
}
END_TEST

// Their own kernel is meant by those that define one.
START_TEST(what_a_file_defines_is_its_own) {
  define(KERNELS, "k");
  launch(LAUNCHES, "k", false);
  knows(KERNELS, "k", 0, 0);
}
END_TEST

START_TEST(of_two_kernels_nobody_knows_which) {
  one_kernel();
  define(OTHER, "k");
  knows(KERNELS, "k", 0, 0);
  knows(OTHER, "k", 0, 0);
}
END_TEST

START_TEST(a_file_hides_launches) {
  one_kernel();
  launch(OTHER, "", true);
  knows(KERNELS, "k", 0, 0);
}
END_TEST

START_TEST(a_file_is_not_read) {
  one_kernel();
  files.at[OTHER].is_read = false;
  knows(KERNELS, "k", 0, 0);
  files.at[OTHER].is_cuda = false; // it has no launches
  knows(KERNELS, "k", 1, 1);
}
END_TEST

// More launches are never too many.
START_TEST(own_launches_are_added_to) {
  one_kernel();
  launch(KERNELS, "k", false);
  define(OTHER, "k");
  launch(OTHER, "", true);
  knows(KERNELS, "k", 2, 1);
}
END_TEST

// A launch of the file's of which something is known if nobody else calls
// `run`.
static void launch_if_alone(unsigned file, const char *kernel) {
  static const HostTerm yes = {.op = HOST_NUMBER, .width = 1, .value = 1};
  HostLaunch one = {.kernel = kernel};
  push(&task.arena, &one.launch.facts,
       ((HostFact){.holds = &yes, .is_of_program = true}));
  push(&task.arena, &one.launch.facts, ((HostFact){.holds = &yes}));
  push(&task.arena, &files.at[file].launches, one);
  launch(file, "run", false);
}

static size_t facts_of(unsigned file, const char *kernel) {
  HostLaunches found = launches_across(&task, &files, file);
  for (size_t i = 0; i < found.count; i++)
    if (!strcmp(found.at[i].kernel, kernel))
      return found.at[i].launch.facts.count;
  return 0;
}

START_TEST(nobody_else_calls_it) {
  define(LAUNCHES, "k");
  launch_if_alone(LAUNCHES, "k");
  launch(OTHER, "walk", true);
  launch(OTHER, "run", false); // its own
  ck_assert_uint_eq(facts_of(LAUNCHES, "k"), 2);
}
END_TEST

START_TEST(another_file_calls_it) {
  define(LAUNCHES, "k");
  launch_if_alone(LAUNCHES, "k");
  launch(OTHER, "run", true);
  ck_assert_uint_eq(facts_of(LAUNCHES, "k"), 1);
}
END_TEST

// What it launches of others, it launches as it is called.
START_TEST(another_file_calls_who_launches_elsewhere) {
  define(KERNELS, "k");
  launch_if_alone(LAUNCHES, "k");
  files.at[LAUNCHES].launches.at[0].is_elsewhere = true;
  ck_assert_uint_eq(facts_of(KERNELS, "k"), 2);
  launch(OTHER, "run", true);
  ck_assert_uint_eq(facts_of(KERNELS, "k"), 1);
}
END_TEST

int main(void) {
  TCase *cases[] = {tcase_create("narrowed"), tcase_create("twins"),
                    tcase_create("hidden"), tcase_create("added"),
                    tcase_create("alone")};
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
    tcase_add_checked_fixture(cases[i], start, stop);
  tcase_add_test(cases[0], another_file_launches);
  tcase_add_test(cases[0], what_a_file_defines_is_its_own);
  tcase_add_test(cases[1], of_two_kernels_nobody_knows_which);
  tcase_add_test(cases[2], a_file_hides_launches);
  tcase_add_test(cases[2], a_file_is_not_read);
  tcase_add_test(cases[3], own_launches_are_added_to);
  tcase_add_test(cases[4], nobody_else_calls_it);
  tcase_add_test(cases[4], another_file_calls_it);
  tcase_add_test(cases[4], another_file_calls_who_launches_elsewhere);
  return run_cases(cases, sizeof cases / sizeof *cases, "across");
}
