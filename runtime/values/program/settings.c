// What the environment says: GPUVERIFY_VALUES="exitcode=3:json=races.jsonl".

#define _POSIX_C_SOURCE 200809L

#include "runtime/values/program/program.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STATUS = 255 };

static void complain(const char *word) {
  fprintf(stderr,
          "gpuverify: GPUVERIFY_VALUES: this is not understood: '%s'; there "
          "are exitcode=N, json=FILE, memory=BYTES, same-value and off\n",
          word);
}

// The value of `NAME=`, or NULL.
static const char *value_of(const char *word, const char *name) {
  size_t length = strlen(name);
  return !strncmp(word, name, length) && word[length] == '=' ? word + length + 1
                                                             : NULL;
}

static bool read_number(const char *text, uint64_t most, uint64_t *number) {
  char *end;
  errno = 0;
  *number = strtoull(text, &end, 10);
  return *text >= '0' && *text <= '9' && !*end && !errno && *number <= most;
}

static bool read_word(ValuesSettings *settings, const char *word) {
  uint64_t number;
  const char *value;
  if ((value = value_of(word, "exitcode"))) {
    if (!read_number(value, MOST_STATUS, &number))
      return false;
    settings->exit_code = (int)number;
  } else if ((value = value_of(word, "memory"))) {
    if (!read_number(value, UINT64_MAX, &number))
      return false;
    settings->memory = number;
  } else if ((value = value_of(word, "json")) && *value) {
    settings->json = value;
  } else if (!strcmp(word, "same-value")) {
    settings->tells_same_value = true;
  } else if (!strcmp(word, "off")) {
    settings->is_off = true;
  } else {
    return !*word;
  }
  return true;
}

static void read_words(ValuesSettings *settings, char *text) {
  char *rest = NULL;
  for (char *word = strtok_r(text, ":", &rest); word;
       word = strtok_r(NULL, ":", &rest))
    if (!read_word(settings, word))
      complain(word);
}

const ValuesSettings *settings_get(void) {
  static ValuesSettings settings = {.exit_code = 1};
  static bool is_read;
  const char *given = getenv("GPUVERIFY_VALUES");
  if (!is_read && given) {
    char *text = strdup(given); // stays, for the file's name is in it
    if (text)
      read_words(&settings, text);
  }
  is_read = true;
  return &settings;
}
