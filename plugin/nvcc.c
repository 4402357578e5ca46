// A program may be run with the options that its own build gives to nvcc.
//
// Most have no meaning here (nvcc.def); the others are said again in clang's
// words.  nvcc takes every name with one dash or two, and a value behind '=' or
// as the next argument.  What is not in the table is clang's, as ever.

#include "plugin/plugin.h"

#include <stdlib.h>
#include <string.h>

typedef enum Fate { DROP, SPLIT, LINKER, ARCH, STANDARD, LINKED } Fate;
enum { NONE, GIVEN };

typedef struct NvccOption {
  const char *name, *brief;
  int value;
  Fate fate;
} NvccOption;

static const NvccOption options[] = {
#define NVCC(name, brief, value, fate) {name, brief, value, fate},
#include "plugin/nvcc.def"
#undef NVCC
};

enum { OPTION_COUNT = sizeof options / sizeof *options, OWN_ARCH = 80 };

static bool is_called(const char *name, const char *text, size_t length) {
  return *name && strlen(name) == length && !strncmp(name, text, length);
}

static const NvccOption *find(const char *text, const char **value) {
  if (text[0] != '-')
    return NULL;
  text += text[1] == '-' ? 2 : 1;
  size_t length = strcspn(text, "=");
  *value = text[length] ? text + length + 1 : NULL;
  for (size_t i = 0; i < OPTION_COUNT; i++)
    if (is_called(options[i].name, text, length) ||
        is_called(options[i].brief, text, length))
      return &options[i];
  return NULL;
}

// "-Wall,-fopenmp" as two arguments.
static void split(Task *task, Settings *settings, const char *words) {
  while (*words) {
    size_t length = strcspn(words, ", ");
    if (length)
      push(&task->arena, &settings->clang_args,
           arena_printf(&task->arena, "%.*s", (int)length, words));
    words += length;
    words += strspn(words, ", ");
  }
}

// Of "sm_90", or "arch=compute_90a,code=sm_90a", what is more than we have by
// ourselves; the first of several.
static void take_architecture(Task *task, Settings *settings,
                              const char *value) {
  static const char option[] = "--cuda-gpu-arch=";
  const char *number = strchr(value, '_');
  if (!number || atoi(number + 1) <= OWN_ARCH)
    return;
  for (size_t i = 0; i < settings->clang_args.count; i++)
    if (!strncmp(settings->clang_args.at[i], option, sizeof option - 1))
      return;
  push(&task->arena, &settings->clang_args,
       arena_printf(&task->arena, "%ssm_%.*s", option,
                    (int)strcspn(number + 1, ",\""), number + 1));
}

static void take(Task *task, Settings *settings, Fate fate, const char *value) {
  switch (fate) {
  case LINKED:
    if (!value || strcmp(value, "false") != 0)
      push(&task->arena, &settings->clang_args, "-D__CUDACC_RDC__");
    return;
  case DROP:
    return;
  case SPLIT:
    split(task, settings, value);
    return;
  case LINKER:
    push(&task->arena, &settings->clang_args,
         arena_printf(&task->arena, "-Wl,%s", value));
    return;
  case ARCH:
    take_architecture(task, settings, value);
    return;
  case STANDARD:
    push(&task->arena, &settings->clang_args,
         arena_printf(&task->arena, "-std=%s", value));
    return;
  }
}

int nvcc_take(Task *task, Settings *settings, int count, char **texts) {
  const char *value;
  const NvccOption *option = find(texts[0], &value);
  if (!option || (option->value == NONE && value))
    return 0;
  bool is_next = option->value == GIVEN && !value;
  if (is_next && count < 2)
    return 0;
  take(task, settings, option->fate, is_next ? texts[1] : value);
  return is_next ? 2 : 1;
}
