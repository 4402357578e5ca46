// --ignore-list=FILE: whole kernels, files, functions and arrays of which the
// user wants no alarm, as sanitizers have it.
//
//     kernel:*_no_racecheck       # every kind of finding
//     src:*/thrust/*=race         # one of the accesses is there
//     fun:atomic_add_f*=race      # or in such a function
//     array:scratch*=race
//
// What stands behind # is the reason.

#define _POSIX_C_SOURCE 200809L

#include "plugin/suppress.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// Without blanks on both sides.
static char *trim(char *text) {
  text += strspn(text, " \t\r\n");
  size_t length = strlen(text);
  while (length && strchr(" \t\r\n", text[length - 1]))
    text[--length] = 0;
  return text;
}

static const char **pattern_of(SuppressionRule *rule, const char *word) {
  if (!strcmp(word, "kernel"))
    return &rule->kernel;
  if (!strcmp(word, "src"))
    return &rule->source;
  if (!strcmp(word, "fun"))
    return &rule->function;
  return !strcmp(word, "array") ? &rule->array : NULL;
}

static bool read_kinds(Task *task, SuppressionRule *rule, char *pattern,
                       const char **error) {
  char *equals = strrchr(pattern, '=');
  const char *wrong = NULL;
  rule->kinds = ~0u;
  if (!equals)
    return true;
  *equals = 0;
  const char *list = equals + 1;
  rule->kinds = suppressions_kinds(task, list, list + strlen(list), &wrong);
  if (!rule->kinds)
    *error = arena_printf(&task->arena,
                          "'%s' is none of race, divergence, deadlock, "
                          "assertion, out-of-bounds and unknown",
                          wrong);
  return rule->kinds;
}

static bool read_rule(Task *task, SuppressionRule *rule, char *text,
                      const char **error) {
  char *colon = strchr(text, ':');
  rule->text = arena_copy(&task->arena, text);
  if (colon)
    *colon = 0;
  const char **pattern = colon ? pattern_of(rule, trim(text)) : NULL;
  if (!pattern) {
    *error =
        "a line is kernel:PATTERN, src:PATTERN, fun:PATTERN or "
        "array:PATTERN";
    return false;
  }
  char *value = trim(colon + 1);
  if (!read_kinds(task, rule, value, error))
    return false;
  *pattern = arena_copy(&task->arena, trim(value));
  if (!**pattern)
    *error = "the pattern is empty";
  return **pattern;
}

static bool read_line(Suppressions *suppressions, Loc where, char *text,
                      const char **error) {
  Task *task = suppressions->task;
  char *hash = strchr(text, '#');
  const char *reason = hash ? trim(hash + 1) : "";
  if (hash)
    *hash = 0;
  text = trim(text);
  if (!*text)
    return true;
  SuppressionRule rule = {.suppression.where = where};
  if (!read_rule(task, &rule, text, error)) {
    *error =
        arena_printf(&task->arena, "%s:%u: %s", where.file, where.line, *error);
    return false;
  }
  rule.suppression.reason =
      *reason ? arena_copy(&task->arena, reason) : rule.text;
  suppressions_add(suppressions, rule);
  return true;
}

bool ignore_list_read(Suppressions *suppressions, const char *file,
                      const char **error) {
  FILE *in = fopen(file, "r");
  char *text = NULL;
  size_t size = 0;
  bool is_right = true;
  if (!in) {
    *error = arena_printf(&suppressions->task->arena, "cannot read '%s': %s",
                          file, strerror(errno));
    return false;
  }
  for (Loc at = {.file = file, .column = 1};
       is_right && getline(&text, &size, in) >= 0;) {
    at.line++;
    is_right = read_line(suppressions, at, text, error);
  }
  free(text);
  fclose(in);
  return is_right;
}
