// Launch files for the kernels: larger launches than the reference can afford,
// for `gpuverify run`, which knows the kernel by its compiled code.

#include "test/fuzz/fuzz.h"

enum { ELEMENTS = 1 << 16, SMALL = 16, STEPS = 20000000 };

static void print_contents(FILE *out, Random *random) {
  switch (random_below(random, 4)) {
  case 0:
    fputs("\"zero\"", out);
    break;
  case 1:
    fputs("\"iota\"", out);
    break;
  default:
    fprintf(out, "{\"random\": %u, \"below\": %u}",
            1 + random_below(random, 1000),
            random_chance(random, 50) ? SMALL : ELEMENTS);
  }
}

// Small numbers and powers of two reach most branches.
static unsigned scalar(Random *random) {
  return random_chance(random, 70) ? random_below(random, SMALL)
                                   : 1U << random_below(random, 16);
}

static void print_arguments(FILE *out, const FuzzProgram *p, Random *random) {
  const char *separator = "";
  for (size_t i = 0; i < p->arrays.count; i++) {
    const FuzzArray *array = p->arrays.at[i];
    if (array->home != HOME_GLOBAL || array->is_hidden)
      continue;
    fprintf(out, "%s{\"count\": %u, \"init\": ", separator,
            ELEMENTS * type_bytes(array->type) / 4);
    print_contents(out, random);
    fputc('}', out);
    separator = ", ";
  }
  for (size_t i = 0; i < p->variables.count; i++) {
    const FuzzVariable *variable = p->variables.at[i];
    if (!variable->is_parameter || variable->is_hidden)
      continue;
    fprintf(out, "%s{\"value\": %u}", separator,
            type_wrap(variable->type, scalar(random)));
    separator = ", ";
  }
}

void print_launch(FILE *out, const FuzzProgram *program, Shape shape,
                  uint64_t seed) {
  Random random = {seed * 0x9e3779b97f4a7c15u + program->index};
  fprintf(out,
          "{\"kernel\": \"k%u\", \"grid\": %u, \"block\": [%u, %u],\n"
          " \"seconds\": 5, \"steps\": %u,\n \"arguments\": [",
          program->index, shape.grid_x, shape.block_x, shape.block_y, STEPS);
  print_arguments(out, program, &random);
  fputs("]}\n", out);
}
