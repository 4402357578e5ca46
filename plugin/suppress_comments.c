// Suppressions in the source:
//
//     x[0] = 1; // gpuverify-suppress(race): all write the same bits
//
//     // gpuverify-suppress(race,divergence): launched with one block
//     x[i] = y[j];
//
// A comment is about its own line; where it stands alone, about the next line
// that is more than a comment.  The reason is needed.

#define _POSIX_C_SOURCE 200809L

#include "plugin/suppress.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MARK "gpuverify-suppress"

typedef struct Scan {
  Suppressions *suppressions;
  const char *file;
  unsigned line;
  size_t waiting; // rules from here on wait for their line
} Scan;

static bool is_scanned(const Suppressions *suppressions, const char *file) {
  for (size_t i = 0; i < suppressions->scanned.count; i++)
    if (!strcmp(suppressions->scanned.at[i], file))
      return true;
  return false;
}

static void complain(const Scan *scan, const char *what) {
  Arena *arena = &scan->suppressions->task->arena;
  push(arena, &scan->suppressions->complaints,
       arena_printf(arena, "%s:%u: this suppresses nothing: %s", scan->file,
                    scan->line, what));
}

// Where the comment begins that has the mark; NULL: it is in none.
static const char *comment_before(const char *text, const char *mark) {
  for (const char *at = text; at + 1 < mark; at++)
    if (at[0] == '/' && (at[1] == '/' || at[1] == '*'))
      return at;
  const char *first = text + strspn(text, " \t");
  return *first == '*' ? first : NULL;
}

// Up to the comment's end.
static const char *reason_of(Arena *arena, const char *text) {
  size_t length = strcspn(text, "\r\n");
  const char *end = strstr(text, "*/");
  if (end && (size_t)(end - text) < length)
    length = (size_t)(end - text);
  while (length && strchr(" \t", text[length - 1]))
    length--;
  return arena_printf(arena, "%.*s", (int)length, text);
}

// NULL, or why it suppresses nothing.
static const char *read_mark(const Scan *scan, const char *mark,
                             SuppressionRule *rule) {
  Task *task = scan->suppressions->task;
  const char *kinds = mark + strlen(MARK), *wrong = NULL;
  const char *end = *kinds == '(' ? strchr(kinds, ')') : NULL;
  if (!end)
    return "write " MARK "(race): and the reason";
  rule->kinds = suppressions_kinds(task, kinds + 1, end, &wrong);
  if (!rule->kinds)
    return arena_printf(&task->arena,
                        "'%s' is none of race, divergence, deadlock, "
                        "assertion, out-of-bounds and unknown",
                        wrong);
  const char *reason = end + 1 + strspn(end + 1, ": \t");
  rule->suppression.reason = reason_of(&task->arena, reason);
  return *rule->suppression.reason ? NULL : "it has no reason";
}

static void take_mark(Scan *scan, const char *text, const char *mark) {
  const char *comment = comment_before(text, mark);
  bool is_alone = comment == text + strspn(text, " \t");
  unsigned about = is_alone ? 0 : scan->line;
  SuppressionRule rule = {.suppression = {.where = {.file = scan->file,
                                                    .line = scan->line,
                                                    .column = 1},
                                          .is_in_source = true},
                          .lines = {scan->file, about, about}};
  const char *wrong = comment ? read_mark(scan, mark, &rule) : NULL;
  if (wrong)
    complain(scan, wrong);
  else if (comment)
    suppressions_add(scan->suppressions, rule);
}

static bool is_code(const char *text) {
  text += strspn(text, " \t\r\n");
  return *text && strncmp(text, "//", 2) != 0 && strncmp(text, "/*", 2) != 0 &&
         *text != '*';
}

// This line is what rules above it are about.
static void settle(Scan *scan) {
  for (size_t i = scan->waiting; i < scan->suppressions->rules.count; i++) {
    Lines *lines = &scan->suppressions->rules.at[i].lines;
    if (!lines->first)
      lines->first = lines->last = scan->line;
  }
  scan->waiting = scan->suppressions->rules.count;
}

// NULL: it is no source, or one that can be read only once.
static FILE *open_source(const char *file) {
  struct stat status;
  bool is_plain = !stat(file, &status) && S_ISREG(status.st_mode);
  return is_plain && !has_suffix(file, ".bc") ? fopen(file, "r") : NULL;
}

void suppressions_scan(Suppressions *suppressions, const char *file) {
  if (is_scanned(suppressions, file))
    return;
  Arena *arena = &suppressions->task->arena;
  file = arena_copy(arena, file);
  push(arena, &suppressions->scanned, file);
  FILE *in = open_source(file);
  Scan scan = {suppressions, file, 0, suppressions->rules.count};
  char *text = NULL;
  size_t size = 0;
  while (in && getline(&text, &size, in) >= 0) {
    scan.line++;
    if (is_code(text))
      settle(&scan);
    const char *mark = strstr(text, MARK);
    if (mark)
      take_mark(&scan, text, mark);
  }
  free(text);
  if (in)
    fclose(in);
}

bool suppressions_has_comments(const char *file) {
  FILE *in = open_source(file);
  char *text = NULL;
  size_t size = 0;
  bool has_some = false;
  while (in && !has_some && getline(&text, &size, in) >= 0)
    has_some = strstr(text, MARK);
  free(text);
  if (in)
    fclose(in);
  return has_some;
}
