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

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MARK "gpuverify-suppress"

typedef struct Scan {
  Suppressions *suppressions;
  const char *file;
  unsigned line;
  size_t waiting; // rules from here on wait for their line
  bool is_inside; // the line begins in a comment of several lines
} Scan;

static bool is_scanned(const Suppressions *suppressions, const char *file) {
  for (size_t i = 0; i < suppressions->scanned.count; i++)
    if (!strcmp(suppressions->scanned.at[i], file))
      return true;
  return false;
}

static void complain(const Scan *scan, const char *what) {
  Arena *arena = &scan->suppressions->task->arena;
  suppressions_complain(
      scan->suppressions,
      (Loc){.file = scan->file, .line = scan->line, .column = 1},
      arena_printf(arena, "this suppresses nothing: %s", what));
}

// R"x(..)x", in which a quote is text.  NULL: it does not end in this line.
static const char *behind_raw(const char *at) {
  enum { MOST = 16 }; // characters of a delimiter
  char end[MOST + 3];
  int length = (int)strcspn(at + 2, "(");
  if (length > MOST)
    return at + 2;
  snprintf(end, sizeof end, ")%.*s\"", length, at + 2);
  const char *found = strstr(at, end);
  return found ? found + strlen(end) : NULL;
}

// 1'000
static bool is_separator(const char *text, const char *at) {
  const char *first = at;
  while (first > text &&
         (isalnum((unsigned char)first[-1]) || first[-1] == '\''))
    first--;
  return first < at && isdigit((unsigned char)*first) &&
         isxdigit((unsigned char)at[1]);
}

// Behind the literal that begins there.
static const char *behind_literal(const char *at) {
  const char quote = *at++;
  while (*at && *at != quote)
    at += at[0] == '\\' && at[1] ? 2 : 1;
  return *at ? at + 1 : at;
}

// Where a comment begins outside of literals; NULL: the line has none.
static const char *comment_in(const char *text) {
  for (const char *at = text; *at;) {
    if (at[0] == '/' && (at[1] == '/' || at[1] == '*'))
      return at;
    if (at[0] == 'R' && at[1] == '"') {
      if (!(at = behind_raw(at)))
        return NULL;
      continue;
    }
    if (*at == '\'' && is_separator(text, at)) {
      at++;
      continue;
    }
    at = *at == '"' || *at == '\'' ? behind_literal(at) : at + 1;
  }
  return NULL;
}

// Where the comment begins whose first word is the mark; NULL: it is in none.
static const char *comment_before(const Scan *scan, const char *text,
                                  const char *mark) {
  const char *first = text + strspn(text, " \t");
  const char *comment = scan->is_inside ? first : comment_in(text);
  if (!comment || comment > mark)
    return NULL;
  const char *word = comment + strspn(comment, "/*! \t");
  return word == mark ? comment : NULL;
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

// Behind the end of the comment of several lines in which the text begins;
// NULL: it does not end here.
static const char *behind_comment(const char *text) {
  const char *end = strstr(text, "*/");
  return end ? end + 2 : NULL;
}

// Is there more than comments?  Tells whether the next line begins in one.
static bool look_at(const Scan *scan, const char *text, bool *is_inside) {
  bool has_code = false;
  const char *at = scan->is_inside ? behind_comment(text) : text;
  while (at && *at) {
    const char *comment = comment_in(at);
    size_t blank = strspn(at, " \t\r\n");
    has_code |= at[blank] && at + blank != comment;
    if (!comment || comment[1] == '/') {
      *is_inside = false;
      return has_code;
    }
    at = behind_comment(comment + 2);
  }
  *is_inside = !at;
  return has_code;
}

static bool has_code(const Scan *scan, const char *text) {
  bool is_inside;
  return look_at(scan, text, &is_inside);
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
  const char *comment = comment_before(scan, text, mark);
  bool is_alone = !has_code(scan, text);
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

static const char *behind_blanks(const char *line) {
  for (;;) {
    line += strspn(line, " \t");
    const char *end = strncmp(line, "/*", 2) ? NULL : strstr(line, "*/");
    if (!end)
      return line;
    line = end + 2;
  }
}

bool suppressions_is_line_directive(const char *line) {
  line = behind_blanks(line);
  if (*line != '#' && strncmp(line, "%:", 2) != 0)
    return false;
  line = behind_blanks(line + (*line == '#' ? 1 : 2));
  if (*line >= '0' && *line <= '9')
    return true;
  return !strncmp(line, "line", strlen("line")) && strchr(" \t", line[4]);
}

// What findings are told of is then at other lines than the comments, or what
// looks like a comment may be none.
static void give_up(Scan *scan, size_t first, const char *why) {
  size_t *count = &scan->suppressions->rules.count;
  if (*count > first)
    complain(scan, why);
  *count = first;
}

// Its text goes on in the next line.
static bool opens_raw(const char *text) {
  for (const char *at = text; (at = strstr(at, "R\""));)
    if (!(at = behind_raw(at)))
      return true;
  return false;
}

void suppressions_scan(Suppressions *suppressions, const char *file) {
  if (is_scanned(suppressions, file))
    return;
  Arena *arena = &suppressions->task->arena;
  file = arena_copy(arena, file);
  push(arena, &suppressions->scanned, file);
  FILE *in = open_source(file);
  Scan scan = {suppressions, file, 0, suppressions->rules.count, false};
  char *text = NULL;
  size_t size = 0, first = scan.waiting;
  const char *lost = suppressions->has_lines
                         ? "a #line in what was compiled names some file"
                         : NULL;
  while (in && getline(&text, &size, in) >= 0) {
    const char *mark = strstr(text, MARK);
    bool is_inside;
    if (!scan.is_inside && suppressions_is_line_directive(text))
      lost = "there is a #line in this file";
    if (opens_raw(text))
      lost = "there is a literal of several lines in this file";
    scan.line++;
    if (look_at(&scan, text, &is_inside))
      settle(&scan);
    if (mark)
      take_mark(&scan, text, mark);
    scan.is_inside = is_inside;
  }
  if (lost)
    give_up(&scan, first, lost);
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
