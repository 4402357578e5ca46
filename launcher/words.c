// Files of options: CMake gives nvcc long lists of folders in one.
//
// Arguments are separated by blanks and lines; quotes and backslashes are as in
// a shell.  A file that cannot be read is left as it is, for the compiler to
// complain of.

#include "launcher/launcher.h"

#include <string.h>

enum { MOST_FILES = 64 }; // one that names itself ends

static char *read_all(Task *task, const char *path) {
  FILE *file = fopen(path, "r");
  if (!file)
    return NULL;
  Vec(char) text = {0};
  for (int c; (c = getc(file)) != EOF;)
    push(&task->arena, &text, (char)c);
  push(&task->arena, &text, 0);
  fclose(file);
  return text.at;
}

static const char *take_word(Task *task, const char *at, const char **word) {
  Vec(char) text = {0};
  char quote = 0;
  for (; *at && (quote || !strchr(" \t\r\n", *at)); at++) {
    if (!quote && (*at == '"' || *at == '\''))
      quote = *at;
    else if (quote == *at)
      quote = 0;
    else if (*at == '\\' && quote != '\'' && at[1])
      push(&task->arena, &text, *++at);
    else
      push(&task->arena, &text, *at);
  }
  push(&task->arena, &text, 0);
  *word = text.at;
  return at;
}

static void add(Task *task, Arguments *words, const Arguments *given,
                unsigned *files);

static bool add_file(Task *task, Arguments *words, const char *path,
                     unsigned *files) {
  const char *at = *files < MOST_FILES ? read_all(task, path) : NULL;
  Arguments inside = {0};
  if (!at)
    return false;
  ++*files;
  for (;;) {
    at += strspn(at, " \t\r\n");
    if (!*at)
      break;
    const char *word;
    at = take_word(task, at, &word);
    push(&task->arena, &inside, word);
  }
  add(task, words, &inside, files);
  return true;
}

static bool names_file(const char *word) {
  return !strcmp(word, "--options-file") || !strcmp(word, "-optf");
}

static void add(Task *task, Arguments *words, const Arguments *given,
                unsigned *files) {
  for (size_t i = 0; i < given->count; i++) {
    const char *word = given->at[i];
    if (word[0] == '@' && add_file(task, words, word + 1, files))
      continue;
    if (names_file(word) && i + 1 < given->count &&
        add_file(task, words, given->at[i + 1], files)) {
      i++;
      continue;
    }
    push(&task->arena, words, word);
  }
}

Arguments words_expanded(Task *task, const Arguments *given) {
  Arguments words = {0};
  unsigned files = 0;
  add(task, &words, given, &files);
  return words;
}
