// usage: forms print >PROGRAM
//        forms check RESULTS
//
// Prints a program that executes all forms of instructions; compares what it
// wrote with what the manual says.

#include "test/ptx/forms.h"

#include <stdio.h>
#include <string.h>

static int check(const char *name) {
  size_t count, passed = 0;
  const Form *forms = all_forms(&count);
  FILE *file = fopen(name, "rb");
  for (size_t i = 0; file && i < count; i++) {
    static uint64_t got[2 * RESULTS];
    if (fread(got, sizeof *got, 2 * RESULTS, file) != 2 * RESULTS)
      break;
    passed += check_form(&forms[i], i, got, RESULTS, false);
  }
  if (file)
    fclose(file);
  printf("%zu forms right of %zu\n", passed, count);
  return passed != count;
}

int main(int argc, char **argv) {
  if (argc == 2 && !strcmp(argv[1], "print")) {
    print_program();
    return 0;
  }
  if (argc == 3 && !strcmp(argv[1], "check"))
    return check(argv[2]);
  fprintf(stderr, "usage: forms print | forms check RESULTS\n");
  return 2;
}
