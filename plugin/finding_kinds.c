// Kinds of findings, as options, comments and lists name them.

#include "plugin/suppress.h"

#include <string.h>

static const struct {
  const char *word;
  VerdictKind kind;
} words[] = {{"race", VERDICT_RACY},
             {"divergence", VERDICT_DIVERGENT},
             {"deadlock", VERDICT_DEADLOCK},
             {"assertion", VERDICT_ASSERTION},
             {"out-of-bounds", VERDICT_OUT_OF_BOUNDS},
             {"unknown", VERDICT_UNKNOWN}};

enum { WORDS = sizeof words / sizeof *words };

const char *suppressions_word(VerdictKind kind) {
  for (unsigned i = 0; i < WORDS; i++)
    if (words[i].kind == kind)
      return words[i].word;
  return "unknown";
}

bool suppressions_kind(const char *verdict, VerdictKind *kind) {
  for (unsigned i = 0; i < WORDS; i++)
    if (!strcmp(verdict_name(words[i].kind), verdict)) {
      *kind = words[i].kind;
      return true;
    }
  return false;
}

static unsigned bit_of(const char *word, size_t length) {
  for (unsigned i = 0; i < WORDS; i++)
    if (strlen(words[i].word) == length &&
        !strncmp(words[i].word, word, length))
      return 1u << words[i].kind;
  return 0;
}

unsigned suppressions_kinds(Task *task, const char *list, const char *end,
                            const char **wrong) {
  unsigned kinds = 0;
  while (list < end) {
    list += strspn(list, " ,");
    size_t length = strcspn(list, " ,):=\n");
    if (list + length > end)
      length = (size_t)(end - list);
    unsigned bit = bit_of(list, length);
    if (!bit) {
      *wrong = arena_printf(&task->arena, "%.*s", (int)length, list);
      return 0;
    }
    kinds |= bit;
    list += length;
    list += strspn(list, " ");
  }
  *wrong = kinds ? NULL : "";
  return kinds;
}
