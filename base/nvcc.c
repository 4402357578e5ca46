// Which option of nvcc or clang a word is, by the table of base/nvcc.def.

#include "base/nvcc.h"

#include <stdbool.h>
#include <string.h>

static const NvccOption known[] = {
#define NVCC(name, brief, value, fate) {name, brief, value, fate},
#include "base/nvcc.def"
#undef NVCC
};

// What follows a name, with '=' or, if it may, right behind; NULL: it is
// another.
static const char *value_behind(const char *name, const char *word,
                                bool joined) {
  size_t length = strlen(name);
  if (!length || strncmp(word, name, length) != 0)
    return NULL;
  word += length;
  return !*word || joined || *word == '=' ? word + (*word == '=') : NULL;
}

static bool is_there(const NvccOption *row, const char *word, bool joined,
                     const char **value) {
  bool is_behind = joined && row->value == JOINED;
  *value = value_behind(row->name, word, false);
  if (!*value)
    *value = value_behind(row->brief, word, is_behind);
  return *value && (row->value != NONE || !strchr(word, '='));
}

const NvccOption *nvcc_find(const char *word, const char **value) {
  if (*word != '-')
    return NULL;
  word += strspn(word, "-");
  for (int joined = 0; joined < 2; joined++)
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
      if (is_there(&known[i], word, joined, value))
        return &known[i];
  return NULL;
}
