// A program may be run with the options that its own build gives to nvcc.
//
// Most have no meaning here (base/nvcc.def); the others are said again in
// clang's words.  nvcc takes every name with one dash or two, and a value
// behind '=' or as the next argument.  What is not in the table is clang's, as
// ever, but for what asks a compiler for something that we do not make.

#include "plugin/plugin.h"

#include "base/nvcc.h"
#include "base/words.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const NvccOption options[] = {
#define NVCC(name, brief, value, fate) {name, brief, value, fate},
#include "base/nvcc.def"
#undef NVCC
};

enum { OPTION_COUNT = sizeof options / sizeof *options, OWN_ARCH = 80 };

static bool is_ours(const NvccOption *option) { return option->fate < UNSAID; }

static bool is_called(const char *name, const char *text, size_t length) {
  return *name && strlen(name) == length && !strncmp(name, text, length);
}

// "-t4" is -t with its value.
static const NvccOption *find_joined(const char *text, const char **value) {
  for (size_t i = 0; i < OPTION_COUNT; i++)
    if (is_ours(&options[i]) && options[i].value != NONE &&
        options[i].brief[0] == text[1] && !options[i].brief[1] &&
        isdigit((unsigned char)text[2])) {
      *value = text + 2;
      return &options[i];
    }
  return NULL;
}

static const NvccOption *find(const char *text, const char **value) {
  if (text[0] != '-')
    return NULL;
  if (text[1] && isdigit((unsigned char)text[2]))
    return find_joined(text, value);
  text += text[1] == '-' ? 2 : 1;
  size_t length = strcspn(text, "=");
  *value = text[length] ? text + length + 1 : NULL;
  for (size_t i = 0; i < OPTION_COUNT; i++)
    if (is_ours(&options[i]) && (is_called(options[i].name, text, length) ||
                                 is_called(options[i].brief, text, length)))
      return &options[i];
  return NULL;
}

// "-Wall,-fopenmp" as two arguments; nvcc has a shell read each once more.
static void split(Task *task, Settings *settings, const char *words) {
  for (const char *one; words;) {
    words = nvcc_first(&task->arena, words, &one);
    Texts parts = split_as_shell(&task->arena, one);
    for (size_t i = 0; i < parts.count; i++)
      push(&task->arena, &settings->clang_args, parts.at[i]);
  }
}

// All that there have been, up to those that clang 22 knows.
static bool is_architecture(const char *number) {
  static const int known[] = {20, 21, 30, 32,  35,  37,  50,  52,  53,
                              60, 61, 62, 70,  72,  75,  80,  86,  87,
                              88, 89, 90, 100, 101, 103, 110, 120, 121};
  char *rest;
  long value = isdigit((unsigned char)*number) ? strtol(number, &rest, 10) : 0;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (value == known[i]) {
      rest += *rest == 'a' || *rest == 'f';
      return !*rest || strchr(",\"", *rest);
    }
  return false;
}

// "native", and "all" that there are, are as good as none.
static bool is_any_architecture(const char *value) {
  return !strcmp(value, "native") || !strcmp(value, "all") ||
         !strcmp(value, "all-major");
}

// Of "sm_90", or "arch=compute_90a,code=sm_90a", what is more than we have by
// ourselves; the first of several.
static bool take_architecture(Task *task, Settings *settings,
                              const char *value) {
  static const char option[] = "--cuda-gpu-arch=";
  const char *number = strchr(value, '_');
  if (!strncmp(value, "gfx", 3)) {
    push(&task->arena, &settings->clang_args,
         arena_printf(&task->arena, "--offload-arch=%s", value));
    return true;
  }
  if (!number || !is_architecture(number + 1))
    return is_any_architecture(value);
  if (atoi(number + 1) <= OWN_ARCH)
    return true;
  for (size_t i = 0; i < settings->clang_args.count; i++)
    if (!strncmp(settings->clang_args.at[i], option, sizeof option - 1))
      return true;
  push(&task->arena, &settings->clang_args,
       arena_printf(&task->arena, "%ssm_%.*s", option,
                    (int)strcspn(number + 1, ",\""), number + 1));
  return true;
}

// What nvcc defines where it is given an option, as its --dryrun shows.
static void define(Task *task, Settings *settings, const NvccOption *option,
                   const char *value) {
  static const char *const macros[][3] = {
      {"extended-lambda", NULL, "-D__CUDACC_EXTENDED_LAMBDA__"},
      {"expt-extended-lambda", NULL, "-D__CUDACC_EXTENDED_LAMBDA__"},
      {"expt-relaxed-constexpr", NULL, "-D__CUDACC_RELAXED_CONSTEXPR__"},
      {"device-debug", NULL, "-D__CUDACC_DEBUG__"},
      {"default-stream", "per-thread",
       "-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1"},
  };
  for (size_t i = 0; i < sizeof macros / sizeof *macros; i++)
    if (!strcmp(macros[i][0], option->name) &&
        (!macros[i][1] || !strcmp(macros[i][1], value)))
      push(&task->arena, &settings->clang_args, macros[i][2]);
}

static void add_value(Task *task, Settings *settings, const NvccOption *option,
                      const char *value) {
  bool is_apart = option->fate == APART;
  push(&task->arena, &settings->clang_args,
       arena_printf(&task->arena, "-%s%s", option->brief,
                    is_apart ? "" : value));
  if (is_apart)
    push(&task->arena, &settings->clang_args, value);
}

// The long names are nvcc's alone, which takes several values, with commas
// between them.
static void take_values(Task *task, Settings *settings,
                        const NvccOption *option, const char *text,
                        const char *value) {
  text += strspn(text, "-");
  if (!is_called(option->name, text, strcspn(text, "="))) {
    add_value(task, settings, option, value);
    return;
  }
  for (const char *one; value;) {
    value = nvcc_first(&task->arena, value, &one);
    add_value(task, settings, option, one);
  }
}

// False: there is no such architecture.
static bool take(Task *task, Settings *settings, const NvccOption *option,
                 const char *text, const char *value) {
  switch (option->fate) {
  case APART:
  case TOGETHER:
    take_values(task, settings, option, text, value);
    return true;
  case DEFINE:
    define(task, settings, option, value);
    return true;
  case LINKED:
    if (!value || strcmp(value, "false") != 0)
      push(&task->arena, &settings->clang_args, "-D__CUDACC_RDC__");
    return true;
  case DROP:
  case LINK:
  case UNSAID:
  case PAIR:
  case EQUAL:
  case CLANG:
  case LANGUAGE:
  case NOTHING:
    return true;
  case SPLIT:
    split(task, settings, value);
    return true;
  case LINKER:
    push(&task->arena, &settings->clang_args,
         arena_printf(&task->arena, "-Wl,%s", value));
    return true;
  case ARCH:
    return take_architecture(task, settings, value);
  case STANDARD:
    push(&task->arena, &settings->clang_args,
         arena_printf(&task->arena, "-std=%s", value));
    return true;
  }
  return true;
}

// ---------------------------------------------------------------- refused ---

// Why there is nothing that a compiler's option could mean here, or NULL.
static const char *refusal(const char *text) {
  static const char *const rows[][2] = {
      {"-x",
       "a file's name says what is in it, else --cuda, --hip or --opencl"
       " does"},
      {"-o", "nothing is written to a file; the report goes to stdout"},
      {"-E", "nothing is preprocessed for you to see; clang and nvcc do that"},
      {"-S", "nothing is compiled for you to see; clang and nvcc do that"},
      {"-M", "no dependencies are printed; clang and nvcc do that"},
      {"-emit-llvm", "nothing is compiled for you to see; clang does that"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (!strcmp(text, rows[i][0]))
      return rows[i][1];
  return NULL;
}

// `-o k.cu` is a file that somebody wants to have looked at.
static bool is_input(const char *file) {
  static const char *const suffixes[] = {".cu", ".hip", ".cl",
                                         ".ll", ".bc",  ".ptx"};
  for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
    if (has_suffix(file, suffixes[i]))
      return true;
  return false;
}

static int refuse(Task *task, const char *text, const char *why,
                  const char **error) {
  *error = arena_printf(&task->arena, "%s: %s", text, why);
  return -1;
}

// "-x cu", as nvcc, hipcc and clang are told; *took so many words.
static Language named_language(int count, char **texts, int *took) {
  static const struct {
    const char *name;
    Language language;
  } rows[] = {{"cu", LANGUAGE_CUDA},
              {"cuda", LANGUAGE_CUDA},
              {"hip", LANGUAGE_HIP},
              {"cl", LANGUAGE_OPENCL}};
  const char *value;
  const NvccOption *option = nvcc_find(texts[0], &value);
  bool is_x = option && option->fate == LANGUAGE;
  *took = is_x && !*value && count > 1 ? 2 : 1;
  value = *took > 1 ? texts[1] : value;
  for (size_t i = 0; is_x && i < sizeof rows / sizeof *rows; i++)
    if (!strcmp(value, rows[i].name))
      return rows[i].language;
  return LANGUAGE_BY_SUFFIX;
}

int nvcc_take(Task *task, Settings *settings, int count, char **texts,
              const char **error) {
  int took;
  Language language = named_language(count, texts, &took);
  if (language && settings->language == LANGUAGE_BY_SUFFIX) {
    settings->language = language;
    return took;
  }
  const char *value, *why = refusal(texts[0]);
  const NvccOption *option = find(texts[0], &value);
  bool is_next = option && option->value != NONE && !value;
  bool is_whole = option && !(option->value == NONE && value) &&
                  !(is_next && count < 2) &&
                  !(why && is_next && is_input(texts[1]));
  if (!is_whole)
    return why ? refuse(task, texts[0], why, error) : 0;
  if (!take(task, settings, option, texts[0], is_next ? texts[1] : value))
    return refuse(task, is_next ? texts[1] : texts[0],
                  "no such architecture is known; one is sm_90", error);
  return is_next ? 2 : 1;
}
