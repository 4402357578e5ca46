// --baseline=FILE: the findings that are known, so that only new ones count.
//
// A line for each, its members apart by tabs: what it is, the kernel as
// written, and for each place the file and the text of its line, so that a
// finding is the same when other lines come and go.  A kernel that is not
// decided has no places.  --write-baseline=FILE writes them, sorted, each once.

#define _POSIX_C_SOURCE 200809L

#include "plugin/suppress.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_LINE "# gpuverify baseline 1"

enum { MEMBERS = 7 };

// ------------------------------------------------------------------- read ---

// The next member; the last one ends with the line.
static const char *next_member(char **rest) {
  char *member = *rest;
  size_t length = strcspn(member, "\t\r\n");
  bool is_last = member[length] != '\t';
  member[length] = 0;
  *rest = is_last ? member + length : member + length + 1;
  return member;
}

static bool read_finding(Suppressions *suppressions, Loc where, char *text) {
  Arena *arena = &suppressions->task->arena;
  const char *members[MEMBERS], *wrong = NULL;
  for (unsigned i = 0; i < MEMBERS; i++)
    members[i] = arena_copy(arena, next_member(&text));
  SuppressionRule rule = {
      .suppression = {.reason = "known to the baseline", .where = where},
      .of_kernel = members[1],
      .of_array = members[2],
      .files = {members[3], members[5]},
      .texts = {members[4], members[6]}};
  rule.kinds = suppressions_kinds(suppressions->task, members[0],
                                  members[0] + strlen(members[0]), &wrong);
  if (rule.kinds)
    suppressions_add(suppressions, rule);
  return rule.kinds && *members[1] && *members[3];
}

static bool read_all(Suppressions *suppressions, const char *file, FILE *in,
                     const char **error) {
  char *text = NULL;
  size_t size = 0;
  bool is_right = getline(&text, &size, in) >= 0 &&
                  !strncmp(text, FIRST_LINE, strlen(FIRST_LINE)) &&
                  strchr("\r\n", text[strlen(FIRST_LINE)]);
  if (!is_right)
    *error = arena_printf(&suppressions->task->arena,
                          "%s: this is no baseline of this version", file);
  Loc at = {.file = file, .line = 1, .column = 1};
  while (is_right && getline(&text, &size, in) >= 0) {
    at.line++;
    is_right = read_finding(suppressions, at, text);
    if (!is_right)
      *error = arena_printf(&suppressions->task->arena,
                            "%s:%u: this is no finding", file, at.line);
  }
  free(text);
  return is_right;
}

bool baseline_read(Suppressions *suppressions, const char *file,
                   const char **error) {
  FILE *in = fopen(file, "r");
  if (!in) {
    *error = arena_printf(&suppressions->task->arena, "cannot read '%s': %s",
                          file, strerror(errno));
    return false;
  }
  bool is_right = read_all(suppressions, file, in, error);
  fclose(in);
  return is_right;
}

// ------------------------------------------------------------------- fits ---

// Equal, or one is the end of the other from a folder on.
static bool is_same_file(const char *a, const char *b) {
  size_t long_one = strlen(a), short_one = strlen(b);
  if (long_one < short_one)
    return is_same_file(b, a);
  const char *end = a + (long_one - short_one);
  return !strcmp(end, b) && (end == a || end[-1] == '/');
}

void baseline_read_lines(Suppressions *suppressions, Suspect *suspect) {
  for (unsigned i = 0; i < 2; i++) {
    Loc at = suspect->at[i];
    at.file = at.file ? at.file : suspect->file;
    const char *text = text_of_line(&suppressions->task->arena, at);
    suspect->texts[i] = text ? text : "";
  }
}

static bool is_at(const SuppressionRule *rule, unsigned which,
                  const Suspect *suspect, unsigned place) {
  Loc at = suspect->at[place];
  const char *file = at.file ? at.file : suspect->file;
  if (!at.line)
    return !*rule->texts[which] && !*rule->files[which];
  return *rule->texts[which] && is_same_file(rule->files[which], file) &&
         !strcmp(rule->texts[which], suspect->texts[place]);
}

bool baseline_fits(const SuppressionRule *rule, const Suspect *suspect) {
  const char *array = suspect->array ? suspect->array : "";
  if (strcmp(rule->of_kernel, suspect->kernel) != 0 ||
      strcmp(rule->of_array, array) != 0)
    return false;
  if (suspect->is_kernel)
    return !*rule->texts[0] && !*rule->files[1] &&
           is_same_file(rule->files[0], suspect->file);
  return (is_at(rule, 0, suspect, 0) && is_at(rule, 1, suspect, 1)) ||
         (is_at(rule, 0, suspect, 1) && is_at(rule, 1, suspect, 0));
}

// ------------------------------------------------------------------ write ---

// The smaller place first, so that there is one line for a finding.
void baseline_note(Suppressions *suppressions, const Suspect *suspect) {
  Arena *arena = &suppressions->task->arena;
  const char *places[2] = {"", ""};
  for (unsigned i = 0; i < 2 && !suspect->is_kernel; i++) {
    Loc at = suspect->at[i];
    if (at.line)
      places[i] =
          arena_printf(arena, "\t%s\t%s", at.file ? at.file : suspect->file,
                       suspect->texts[i]);
  }
  if (suspect->is_kernel)
    places[0] = arena_printf(arena, "\t%s", suspect->file);
  bool is_second_first = *places[1] && strcmp(places[1], places[0]) < 0;
  fprintf(suppressions->found, "%s\t%s\t%s%s%s\n",
          suppressions_word(suspect->kind), suspect->kernel,
          suspect->array ? suspect->array : "", places[is_second_first],
          places[!is_second_first]);
  fflush(suppressions->found);
}

static int compare(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

typedef Vec(const char *) Texts;

static Texts read_found(Suppressions *suppressions) {
  Arena *arena = &suppressions->task->arena;
  Texts all = {0};
  char *text = NULL;
  size_t size = 0;
  rewind(suppressions->found);
  while (getline(&text, &size, suppressions->found) >= 0)
    push(arena, &all, arena_copy(arena, text));
  free(text);
  if (all.count)
    qsort(all.at, all.count, sizeof *all.at, compare);
  return all;
}

// The old one stays until the new one is there.
bool baseline_write(Suppressions *suppressions, const char **error) {
  const char *file = suppressions->new_baseline;
  const char *fresh = arena_printf(&suppressions->task->arena, "%s.new", file);
  Texts all = read_found(suppressions);
  FILE *out = fopen(fresh, "w");
  if (out) {
    fprintf(out, "%s\n", FIRST_LINE);
    for (size_t i = 0; i < all.count; i++)
      if (!i || strcmp(all.at[i], all.at[i - 1]) != 0)
        fputs(all.at[i], out);
  }
  bool is_lost = !out || ferror(out);
  if ((out && fclose(out)) || is_lost || rename(fresh, file)) {
    *error = strerror(errno);
    return false;
  }
  return true;
}
