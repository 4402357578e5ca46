// The options that may change a verdict, as text: what a verdict is kept under.
//
// They are those of options.def, so that a new one cannot be forgotten here:
// whatever a row of the proof's doors puts into Options counts.  Limits of time
// and memory do not.  They are kept beside the record, for a verdict that was
// reached within a limit is one without.

#define _POSIX_C_SOURCE 200809L

#include "plugin/batch.h"
#include "plugin/options.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define NOWHERE options
static const Option rows[] = {
#define SECTION(door, title)
#define OPTION(name, value, door, store, member, help)                         \
  {name, value, door, store, offsetof(Settings, member), help},
#include "plugin/options.def"
#undef SECTION
#undef OPTION
};
#undef NOWHERE

static bool is_limit(size_t member) {
  return member == offsetof(Settings, options.timeout) ||
         member == offsetof(Settings, options.file_timeout) ||
         member == offsetof(Settings, options.memory);
}

static void print_extents(FILE *out, const Extent *at) {
  for (int axis = 0; axis < 3; axis++)
    fprintf(out, at[axis].known ? " %u" : " *", at[axis].value);
}

static void print_names(FILE *out, const bool *names) {
  for (int i = 0; i < PREMISES; i++)
    fputc(names[i] ? '1' : '0', out);
}

static void print_value(FILE *out, Store store, const void *member) {
  switch (store) {
  case FLAG:
  case SWITCH:
  case SWITCH_OFF:
    fprintf(out, "%d", *(const bool *)member);
    return;
  case NUMBER:
  case FINDBUGS:
    fprintf(out, "%u", *(const unsigned *)member);
    return;
  case TEXT:
  case CHOICE: {
    const char *text = *(const char *const *)member;
    fprintf(out, "%s", text ? text : "-");
    return;
  }
  case SIZES:
  case START:
    print_extents(out, member);
    return;
  case ASSUMED:
  case RUNGS:
    print_names(out, member);
    return;
  case OFFSETS: // of other doors, or printed below, or clang's
  case KERNEL_ARGS:
  case KERNEL_ARRAYS:
  case MACRO:
  case INCLUDE:
  case CLANG_ARG:
  case CUDA:
  case HIP:
  case OPENCL:
  case VCGEN:
  case IGNORED:
  case REFUSED:
  case POINTER_BITS:
  case SEVERITIES:
  case FORM:
    return;
  }
}

static void print_values(FILE *out, const char *what,
                         const KernelValues *values) {
  fprintf(out, "%s %s", what, values->kernel);
  for (size_t i = 0; i < values->values.count; i++) {
    const Argument *one = &values->values.at[i];
    fprintf(out, one->known ? " %llu" : " *", (unsigned long long)one->value);
    for (size_t k = 0; k < one->words.count; k++)
      fprintf(out, "@%llu/%u=%llu", (unsigned long long)one->words.at[k].offset,
              one->words.at[k].bytes,
              (unsigned long long)one->words.at[k].value);
  }
  fputc('\n', out);
}

const char *options_text(Task *task, const Settings *settings) {
  const Options *options = &settings->options;
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    size_t member = rows[i].member;
    bool is_proof = rows[i].door == BOTH || rows[i].door == EVERYWHERE;
    if (!is_proof || member >= sizeof(Options) || is_limit(member))
      continue;
    fprintf(out, "%s ", rows[i].name);
    print_value(out, rows[i].store, (const char *)settings + member);
    fputc('\n', out);
  }
  for (size_t i = 0; i < options->kernel_args.count; i++)
    print_values(out, "args", &options->kernel_args.at[i]);
  for (size_t i = 0; i < options->kernel_arrays.count; i++)
    print_values(out, "arrays", &options->kernel_arrays.at[i]);
  fprintf(out, "axes %u %u pure %d\n", options->launch.block_axes,
          options->launch.grid_axes, options->pure_externals);
  fclose(out);
  const char *copy = arena_copy(&task->arena, text);
  free(text);
  return copy;
}
