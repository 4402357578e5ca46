// Launches of the kernels for `gpuverify run`, which knows a kernel by its
// compiled code: launch files, and a main function that makes many launches.

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

// ------------------------------------------------------------------ host ---

static void print_array_argument(FILE *out, const FuzzArray *array,
                                 Random *random) {
  unsigned below = random_chance(random, 50) ? SMALL : ELEMENTS;
  fprintf(out, "array<%s>(%u, %u, %u)", type_text(array->type),
          ELEMENTS * type_bytes(array->type), random_below(random, 4), below);
}

static void print_values(FILE *out, const FuzzProgram *p, Random *random) {
  const char *separator = "";
  for (size_t i = 0; i < p->arrays.count; i++) {
    const FuzzArray *array = p->arrays.at[i];
    if (array->home != HOME_GLOBAL || array->is_hidden)
      continue;
    fputs(separator, out);
    print_array_argument(out, array, random);
    separator = ", ";
  }
  for (size_t i = 0; i < p->variables.count; i++) {
    const FuzzVariable *variable = p->variables.at[i];
    if (!variable->is_parameter || variable->is_hidden)
      continue;
    fprintf(out, "%s(%s)%uu", separator, type_text(variable->type),
            type_wrap(variable->type, scalar(random)));
    separator = ", ";
  }
}

void print_kernel_call(FILE *out, const FuzzProgram *program, Shape shape,
                       uint64_t seed, unsigned launch) {
  Random random = {seed * 0x9e3779b97f4a7c15u + program->index};
  fprintf(out,
          "  if (begin(\"k%u-%u\")) {\n"
          "    k%u<<<%u, dim3(%u, %u)>>>(",
          program->index, launch, program->index, shape.grid_x, shape.block_x,
          shape.block_y);
  print_values(out, program, &random);
  fputs(");\n    end();\n  }\n", out);
}

void print_host(FILE *out) {
  fputs(
      "#include <stdio.h>\n"
      "#include <stdlib.h>\n"
      "#include <string.h>\n"
      "\n"
      "static const char *name;\n"
      "static char **skipped;\n"
      "static struct Array {\n"
      "  void *at;\n"
      "  size_t bytes;\n"
      "} arrays[16];\n"
      "static unsigned count;\n"
      "static unsigned words[1 << 18];\n"
      "\n"
      "static bool begin(const char *launch) {\n"
      "  name = launch;\n"
      "  count = 0;\n"
      "  for (char **s = skipped; *s; s++)\n"
      "    if (!strcmp(*s, launch))\n"
      "      return false;\n"
      "  return true;\n"
      "}\n"
      "\n"
      "template <class W> static void fill(size_t n, unsigned kind,\n"
      "                                    unsigned below) {\n"
      "  unsigned long long state = kind + below;\n"
      "  for (size_t i = 0; i < n; i++) {\n"
      "    state = state * 6364136223846793005ull + 1442695040888963407ull;\n"
      "    unsigned any = (unsigned)(state >> 33) % below;\n"
      "    ((W *)words)[i] = (W)(kind == 0 ? 0 : kind == 1 ? i : any);\n"
      "  }\n"
      "}\n"
      "\n"
      "template <class T> static T *array(size_t bytes, unsigned kind,\n"
      "                                   unsigned below) {\n"
      "  Array *made = &arrays[count++];\n"
      "  made->bytes = bytes;\n"
      "  sizeof(T) == 1   ? fill<unsigned char>(bytes, kind, below)\n"
      "  : sizeof(T) == 2 ? fill<unsigned short>(bytes / 2, kind, below)\n"
      "                   : fill<unsigned>(bytes / 4, kind, below);\n"
      "  cudaMalloc(&made->at, bytes);\n"
      "  cudaMemcpy(made->at, words, bytes, cudaMemcpyHostToDevice);\n"
      "  return (T *)made->at;\n"
      "}\n"
      "\n"
      "static void end() {\n"
      "  int error = cudaDeviceSynchronize();\n"
      "  printf(\"%s %d\", name, error);\n"
      "  for (unsigned i = 0; i < count && !error; i++) {\n"
      "    unsigned sum = 0;\n"
      "    cudaMemcpy(words, arrays[i].at, arrays[i].bytes,\n"
      "               cudaMemcpyDeviceToHost);\n"
      "    for (size_t k = 0; k < arrays[i].bytes / 4; k++)\n"
      "      sum = (sum ^ words[k]) * 16777619u;\n"
      "    printf(\" %08x\", sum);\n"
      "    cudaFree(arrays[i].at);\n"
      "  }\n"
      "  printf(\"\\n\");\n"
      "  fflush(stdout);\n"
      "  if (error)\n"
      "    cudaDeviceReset();\n"
      "}\n"
      "\n"
      "int main(int, char **arguments) {\n"
      "  skipped = arguments + 1;\n",
      out);
}
