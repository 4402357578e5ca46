// How every unit test ends.

#ifndef TEST_UNIT_SUITE_H
#define TEST_UNIT_SUITE_H

#include <check.h>
#include <stdlib.h>

// Runs the tests of all cases as the suite `name`; what main returns.
static inline int run_cases(TCase *const *cases, size_t count,
                            const char *name) {
  Suite *suite = suite_create(name);
  for (size_t i = 0; i < count; i++)
    suite_add_tcase(suite, cases[i]);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

static inline int run_suite(TCase *tc, const char *name) {
  return run_cases(&tc, 1, name);
}

#endif
