// What a compiler's arguments mean to gpuverify.
//
// gpuverify knows the options of nvcc and clang that change what a source
// means. Those about objects and lists of dependencies are taken away here
// (words.def), and so is what is no source.  `-x cu` before a file says that it
// is CUDA, whatever its name.

#include "launcher/launcher.h"

#include <string.h>

typedef enum Value { NONE, NEXT, JOINED } Value;
typedef enum Fate { DROP, KEEP, JOIN, PAIR, CLANG, LANGUAGE, NOTHING } Fate;

typedef struct Known {
  const char *name;
  Value value;
  Fate fate;
  const char *as;
} Known;

static const Known known[] = {
#define WORD(name, value, fate, as) {name, value, fate, as},
#include "launcher/words.def"
#undef WORD
};

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

// The row that says what to do, and what follows its name: the value, or "".
static const Known *find(const char *word, const char **value) {
  word += strspn(word, "-");
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    size_t length = strlen(known[i].name);
    if (strncmp(word, known[i].name, length) != 0)
      continue;
    const char *rest = word + length;
    bool is_value =
        known[i].value == JOINED || (known[i].value == NEXT && *rest == '=');
    if (*rest && !is_value)
      continue;
    *value = rest + (*rest == '=');
    return &known[i];
  }
  return NULL;
}

static void add(Task *task, Compilation *compilation, const char *start,
                const char *rest, const char *value) {
  push(&task->arena, &compilation->words,
       arena_printf(&task->arena, "%s%s%s", start, rest, value));
}

static void take_known(Task *task, Compilation *compilation, const Known *row,
                       const char *value, const char **language) {
  const char *name = row->value == NONE
                         ? row->name
                         : arena_printf(&task->arena, "%s=", row->name);
  switch (row->fate) {
  case KEEP:
    add(task, compilation, "--", name, value);
    return;
  case JOIN:
    add(task, compilation, row->as, "", value);
    return;
  case PAIR:
    push(&task->arena, &compilation->words, row->as);
    push(&task->arena, &compilation->words, value);
    return;
  case CLANG:
    add(task, compilation, "--clang-arg=--", name, value);
    return;
  case LANGUAGE:
    *language = value;
    return;
  case NOTHING:
    compilation->compiles_nothing = true;
    return;
  case DROP:
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
static size_t take(Task *task, Compilation *compilation, const Arguments *words,
                   size_t i, const char **language) {
  const char *word = words->at[i], *value = "";
  const Known *row = word[0] == '-' ? find(word, &value) : NULL;
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

Compilation compilation_read(Task *task, const Arguments *words) {
  Compilation compilation = {0};
  const char *language = "";
  for (size_t i = 0; i < words->count;)
    i += take(task, &compilation, words, i, &language);
  if (!strcmp(language, "cu") || !strcmp(language, "cuda"))
    push(&task->arena, &compilation.words, "--cuda");
  if (!strcmp(language, "hip"))
    push(&task->arena, &compilation.words, "--hip");
  return compilation;
}
