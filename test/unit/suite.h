// How every unit test ends.

#ifndef TEST_UNIT_SUITE_H
#define TEST_UNIT_SUITE_H

#include <check.h>
#include <stdlib.h>

// Runs the tests as the suite `name`; what main returns.
static inline int run_suite(TCase *tc, const char *name) {
  Suite *suite = suite_create(name);
  suite_add_tcase(suite, tc);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
