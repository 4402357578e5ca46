// What a compiler's arguments mean to gpuverify.
//
// gpuverify knows the options of nvcc and clang that change what a source
// means. Those about objects and lists of dependencies are taken away here
// (words.def), and so is what is no source.  `-x cu` before a file says that it
// is CUDA, whatever its name.

#include "launcher/launcher.h"

#include <string.h>

typedef enum Value { NONE, NEXT, JOINED } Value;
typedef enum Fate { DROP, OUTPUT, LANGUAGE, CLANG, NOTHING } Fate;

typedef struct Known {
  const char *name;
  Value value;
  Fate fate;
} Known;

static const Known known[] = {
#define WORD(name, value, fate) {name, value, fate},
#include "launcher/words.def"
#undef WORD
};

// Options of compilers whose value is the next argument and looks like a file.
static bool takes_file(const char *word) {
  static const char *const names[] = {
      "-I",
      "-D",
      "-U",
      "-include",
      "-isystem",
      "-iquote",
      "-idirafter",
      "-L",
      "-l",
      "-Xcompiler",
      "-Xlinker",
      "-Xptxas",
      "-Xclang",
      "-ccbin",
      "-include-pch",
      "-imacros",
      "--compiler-bindir",
      "-isysroot",
      "-gencode",
      "-arch",
      "-code",
      "-std",
      "-Xcudafe",
      "-Xfatbin",
      "-Xnvlink",
      "-diag-suppress",
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(names[i], word))
      return true;
  return false;
}

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

static void hand_on(Task *task, Compilation *compilation, const Known *row,
                    const char *value) {
  push(&task->arena, &compilation->words,
       arena_printf(&task->arena, "--clang-arg=--%s%s%s", row->name,
                    row->value == NONE ? "" : "=", value));
}

static void take_known(Task *task, Compilation *compilation, const Known *row,
                       const char *value, const char **language) {
  switch (row->fate) {
  case OUTPUT:
    compilation->output = value;
    return;
  case LANGUAGE:
    *language = value;
    return;
  case NOTHING:
    compilation->compiles_nothing = true;
    return;
  case CLANG:
    hand_on(task, compilation, row, value);
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

// Options that have a value of their own keep it, whatever it looks like.
static size_t take(Task *task, Compilation *compilation, const Arguments *words,
                   size_t i, const char **language) {
  const char *word = words->at[i], *value = "";
  const Known *row = word[0] == '-' ? find(word, &value) : NULL;
  bool has_next = i + 1 < words->count;
  if (row) {
    bool is_next = row->value != NONE && !*value && has_next;
    take_known(task, compilation, row, is_next ? words->at[i + 1] : value,
               language);
    return is_next ? 2 : 1;
  }
  if (word[0] != '-') {
    take_file(task, compilation, word, *language);
    return 1;
  }
  push(&task->arena, &compilation->words, word);
  if (!takes_file(word) || !has_next)
    return 1;
  push(&task->arena, &compilation->words, words->at[i + 1]);
  return 2;
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
