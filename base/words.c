// The words of a command line, and those of files of options: CMake gives nvcc
// long lists of folders in one.
//
// In such a file words are separated by blanks and lines; quotes and
// backslashes are as in a shell.  nvcc takes several files in one option, as it
// does of most values: with commas between them.

#define _GNU_SOURCE

#include "base/words.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

// One character that stands for itself, behind a backslash or not.
static const char *take_char(const char *at, char quote, char **to) {
  bool is_escape = *at == '\\' && at[1] &&
                   (!quote || (quote == '"' && strchr("\"\\$`\n", at[1])));
  *(*to)++ = at[is_escape];
  return at + 1 + is_escape;
}

static const char *take_word(Arena *arena, const char *at, Texts *words) {
  char *word = arena_alloc(arena, strlen(at) + 1), *to = word, quote = 0;
  while (*at && (quote || !isspace((unsigned char)*at))) {
    bool opens = !quote && (*at == '"' || *at == '\'');
    if (opens || (quote && *at == quote))
      quote = (char)(opens ? *at : 0), at++;
    else
      at = take_char(at, quote, &to);
  }
  push(arena, words, word);
  return at;
}

Texts split_as_shell(Arena *arena, const char *line) {
  Texts words = {0};
  for (const char *at = line + strspn(line, " \t\r\n"); *at;
       at += strspn(at, " \t\r\n"))
    at = take_word(arena, at, &words);
  return words;
}

const char *shell_word(Arena *arena, const char *text) {
  static const char plain[] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=,:+@";
  if (*text && !text[strspn(text, plain)])
    return text;
  char *word = arena_alloc(arena, 4 * strlen(text) + 3), *to = word;
  *to++ = '\'';
  for (const char *at = text; *at; at++) {
    if (*at == '\'') {
      memcpy(to, "'\\''", 4);
      to += 4;
    } else {
      *to++ = *at;
    }
  }
  *to = '\'';
  return word;
}

const char *nvcc_first(Arena *arena, const char *list, const char **first) {
  char *copy = arena_alloc(arena, strlen(list) + 1), *to = copy;
  bool is_quoted = false;
  for (; *list && (is_quoted || *list != ','); list++) {
    if (!is_quoted && list[0] == '\\' && list[1] == ',')
      list++;
    is_quoted ^= *list == '"';
    *to++ = *list;
  }
  *first = copy;
  return *list ? list + 1 : NULL;
}

// ------------------------------------------------------- files of options ---

static char *file_text(Arena *arena, const char *path) {
  FILE *in = fopen(path, "rb");
  struct stat status;
  char *text = NULL;
  if (in && !fstat(fileno(in), &status) && S_ISREG(status.st_mode)) {
    text = arena_alloc(arena, (size_t)status.st_size + 1);
    text[fread(text, 1, (size_t)status.st_size, in)] = 0;
  }
  if (in)
    fclose(in);
  return text;
}

// The names of files with more arguments, or NULL; how many words that took.
static const char *options_files(const Texts *words, size_t i, size_t *took) {
  static const char *const names[] = {"--options-file", "-optf",
                                      "-options-file", "--optf"};
  const char *word = words->at[i];
  *took = 1;
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    size_t length = strlen(names[k]);
    bool is_one = !strncmp(word, names[k], length);
    if (is_one && word[length] == '=')
      return word + length + 1;
    if (is_one && !word[length] && i + 1 < words->count) {
      *took = 2;
      return words->at[i + 1];
    }
  }
  return NULL;
}

static void expand(Arena *arena, const char *folder, const Texts *words,
                   Texts *to, unsigned depth);

// False: it cannot be read.
static bool add_file(Arena *arena, const char *folder, const char *name,
                     Texts *to, unsigned depth) {
  enum { DEEPEST = 8 }; // one that names itself ends
  const char *path =
      *name == '/' ? name : arena_printf(arena, "%s/%s", folder, name);
  char *text = *name && depth < DEEPEST ? file_text(arena, path) : NULL;
  if (!text)
    return false;
  Texts more = split_as_shell(arena, text);
  expand(arena, folder, &more, to, depth + 1);
  return true;
}

static void add_files(Arena *arena, const char *folder, const char *names,
                      Texts *to, unsigned depth) {
  for (const char *rest = names, *name; rest;) {
    rest = nvcc_first(arena, rest, &name);
    if (!add_file(arena, folder, name, to, depth))
      push(arena, to, arena_printf(arena, "--options-file=%s", name));
  }
}

static void expand(Arena *arena, const char *folder, const Texts *words,
                   Texts *to, unsigned depth) {
  for (size_t i = 0, took; i < words->count; i += took) {
    const char *names = options_files(words, i, &took);
    const char *word = words->at[i];
    if (names)
      add_files(arena, folder, names, to, depth);
    else if (*word != '@' || !add_file(arena, folder, word + 1, to, depth))
      push(arena, to, word);
  }
}

Texts with_options_files(Arena *arena, const char *folder, const Texts *words) {
  Texts all = {0};
  expand(arena, folder, words, &all, 0);
  return all;
}

size_t nvcc_in(const Texts *command) {
  for (size_t i = 0; i < command->count && *command->at[i] != '-'; i++)
    if (strstr(command->at[i], "nvcc") && !strchr(command->at[i], '='))
      return i;
  return command->count;
}

static void add_split(Arena *arena, Texts *to, const char *line) {
  Texts words = split_as_shell(arena, line ? line : "");
  for (size_t i = 0; i < words.count; i++)
    push(arena, to, words.at[i]);
}

Texts with_nvcc_flags(Arena *arena, const Texts *command, const char *before,
                      const char *behind) {
  Texts all = {0};
  size_t nvcc = nvcc_in(command);
  for (size_t i = 0; i < command->count; i++) {
    push(arena, &all, command->at[i]);
    if (i == nvcc)
      add_split(arena, &all, before);
  }
  if (nvcc < command->count)
    add_split(arena, &all, behind);
  return all;
}

const char *unread_options_file(const Texts *expanded, bool with_at) {
  for (size_t i = 0, took; i < expanded->count; i += took) {
    const char *names = options_files(expanded, i, &took);
    const char *word = expanded->at[i];
    if (names)
      return names;
    if (with_at && word[0] == '@' && word[1])
      return word + 1;
  }
  return NULL;
}
