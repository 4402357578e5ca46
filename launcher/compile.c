// What a compiler's arguments mean to gpuverify.
//
// gpuverify knows the options of nvcc and clang that change what a source
// means. Those about objects and lists of dependencies are taken away here
// (base/nvcc.def), and so is what is no source.  `-x cu` before a file says
// that it is CUDA, whatever its name.

#include "launcher/launcher.h"

#include "base/nvcc.h"

#include <string.h>

static bool ends_in(const char *file, const char *const *suffixes) {
  size_t length = strlen(file);
  for (; *suffixes; suffixes++) {
    size_t end = strlen(*suffixes);
    if (length > end && !strcmp(file + length - end, *suffixes))
      return true;
  }
  return false;
}

static bool is_kernels(const char *file) {
  return ends_in(file, (const char *const[]){".cu", ".hip", ".cl", NULL});
}

static bool is_host_code(const char *file) {
  return ends_in(file, (const char *const[]){".c", ".cc", ".cpp", ".cxx", ".C",
                                             ".h", ".hpp", NULL});
}

static void add(Task *task, Compilation *compilation, const char *start,
                const char *rest, const char *value) {
  push(&task->arena, &compilation->words,
       arena_printf(&task->arena, "%s%s%s", start, rest, value));
}

static void take_known(Task *task, Compilation *compilation,
                       const NvccOption *row, const char *value,
                       const char **language) {
  const char *name = *row->name ? row->name : row->brief;
  const char *equals = row->value == NONE ? "" : "=";
  switch (row->fate) {
  case SPLIT:
  case ARCH:
  case STANDARD:
  case LINKED:
  case DEFINE:
    add(task, compilation, arena_printf(&task->arena, "--%s", name), equals,
        value);
    return;
  case TOGETHER:
  case APART:
    if (compilation->is_of_nvcc) { // where it takes several in one value
      add(task, compilation, arena_printf(&task->arena, "--%s=", name), value,
          "");
      return;
    }
    add(task, compilation, "-", row->brief, row->fate == TOGETHER ? value : "");
    if (row->fate == APART)
      push(&task->arena, &compilation->words, value);
    return;
  case PAIR:
    add(task, compilation, "-", *row->brief ? row->brief : name, "");
    push(&task->arena, &compilation->words, value);
    return;
  case EQUAL:
    add(task, compilation, arena_printf(&task->arena, "-%s", name), equals,
        value);
    return;
  case CLANG:
    add(task, compilation, arena_printf(&task->arena, "--clang-arg=--%s", name),
        equals, value);
    return;
  case LANGUAGE:
    *language = value;
    return;
  case LINK:
  case NOTHING:
    compilation->compiles_nothing = true;
    return;
  case DROP:
  case LINKER:
  case UNSAID:
    return;
  }
}

static bool is_gpu(const char *language) {
  return !strcmp(language, "cu") || !strcmp(language, "cuda") ||
         !strcmp(language, "hip");
}

static void take_file(Task *task, Compilation *compilation, const char *file,
                      const char *language) {
  if (!is_kernels(file) && !(is_host_code(file) && is_gpu(language)))
    return;
  push(&task->arena, &compilation->words, file);
  if (!compilation->source)
    compilation->source = file;
}

// How many words.
static size_t take(Task *task, Compilation *compilation, const Texts *words,
                   size_t i, const char **language) {
  const char *word = words->at[i], *value = "";
  const NvccOption *row = nvcc_find(word, &value);
  if (row) {
    bool is_next = row->value != NONE && !*value && i + 1 < words->count;
    value = is_next ? words->at[i + 1] : value;
    take_known(task, compilation, row, value, language);
    return is_next ? 2 : 1;
  }
  if (word[0] == '-')
    push(&task->arena, &compilation->words, word);
  else
    take_file(task, compilation, word, *language);
  return 1;
}

Compilation compilation_read(Task *task, const Texts *command) {
  Texts words = {command->at + 1, command->count - 1, 0};
  Compilation compilation = {.is_of_nvcc = nvcc_in(command) < command->count};
  const char *language = "";
  for (size_t i = 0; i < words.count;)
    i += take(task, &compilation, &words, i, &language);
  if (!strcmp(language, "cu") || !strcmp(language, "cuda"))
    push(&task->arena, &compilation.words, "--cuda");
  if (!strcmp(language, "hip"))
    push(&task->arena, &compilation.words, "--hip");
  return compilation;
}
