// Which rule fits what, and which were of no use.

#define _GNU_SOURCE

#include "plugin/suppress.h"

#include <fnmatch.h>
#include <string.h>
#include <sys/mman.h>

enum { MOST_RULES = 1 << 15, MOST_MARKS = 2 * MOST_RULES, UNDECIDED = 0 };

SuppressionRule *suppressions_add(Suppressions *suppressions,
                                  SuppressionRule rule) {
  size_t mark = suppressions->rules.count + 1;
  rule.suppression.is_used =
      &suppressions
           ->marks[mark < suppressions->room ? mark : suppressions->room - 1];
  push(&suppressions->task->arena, &suppressions->rules, rule);
  return &suppressions->rules.at[suppressions->rules.count - 1];
}

// ------------------------------------------------------------------- fits ---

static bool is_in(const Lines *lines, Loc at, const char *file) {
  return at.line && at.line >= lines->first && at.line <= lines->last &&
         !strcmp(at.file ? at.file : file, lines->file);
}

static bool is_somewhere_in(const Lines *lines, const Suspect *suspect) {
  return is_in(lines, suspect->at[0], suspect->file) ||
         is_in(lines, suspect->at[1], suspect->file);
}

static bool is_in_some(const SuppressionRule *rule, const Suspect *suspect) {
  for (size_t i = 0; i < rule->functions.count; i++)
    if (is_somewhere_in(&rule->functions.at[i], suspect))
      return true;
  return false;
}

static bool is_like(const char *pattern, const char *text) {
  return text && !fnmatch(pattern, text, 0);
}

static bool is_in_source(const char *pattern, const Suspect *suspect) {
  for (unsigned i = 0; i < 2; i++) {
    Loc at = suspect->at[i];
    if (at.line && is_like(pattern, at.file ? at.file : suspect->file))
      return true;
  }
  return suspect->is_kernel && is_like(pattern, suspect->file);
}

// A place inside is needed for what names one, unless all of a kernel is meant.
static bool is_of_places(const SuppressionRule *rule) {
  return rule->lines.file || rule->function || rule->array;
}

static bool fits(const SuppressionRule *rule, const Suspect *suspect) {
  if (!(rule->kinds & 1u << suspect->kind))
    return false;
  if (rule->of_kernel)
    return baseline_fits(rule, suspect);
  if (is_of_places(rule) && suspect->is_kernel)
    return false;
  return (!rule->lines.file || is_somewhere_in(&rule->lines, suspect)) &&
         (!rule->kernel || is_like(rule->kernel, suspect->kernel) ||
          is_like(rule->kernel, suspect->name)) &&
         (!rule->source || is_in_source(rule->source, suspect)) &&
         (!rule->array || is_like(rule->array, suspect->array)) &&
         (!rule->function || is_in_some(rule, suspect));
}

const Suppression *suppressions_find(Suppressions *suppressions,
                                     Suspect *suspect) {
  if (suppressions->baseline)
    baseline_read_lines(suppressions, suspect);
  for (size_t i = 0; i < suppressions->rules.count; i++)
    if (fits(&suppressions->rules.at[i], suspect))
      return &suppressions->rules.at[i].suppression;
  return NULL;
}

// What was given up at one place may be known there.
const Suppression *suppressions_find_whole(Suppressions *suppressions,
                                           Suspect *suspect, bool is_of_place) {
  suspect->is_kernel = !is_of_place;
  if (is_of_place)
    suppressions_scan(suppressions, suspect->at[0].file ? suspect->at[0].file
                                                        : suspect->file);
  const Suppression *found = suppressions_find(suppressions, suspect);
  suspect->is_kernel = true;
  return found ? found : suppressions_find(suppressions, suspect);
}

void suppressions_note_one(Suppressions *suppressions, Suspect *suspect) {
  baseline_read_lines(suppressions, suspect);
  baseline_note(suppressions, suspect);
}

// What is suppressed in another way needs no baseline.
bool suppressions_is_of_baseline(const Suppressions *suppressions,
                                 const Suppression *by) {
  return suppressions->baseline && by->where.file == suppressions->baseline;
}

void suppressions_note_undecided(Suppressions *suppressions) {
  suppressions->marks[UNDECIDED] = true;
}

// ------------------------------------------------------------------- ends ---

Suppressions *suppressions_open(Task *task, const Settings *settings,
                                const char **error) {
  Suppressions *suppressions = NEW(&task->arena, Suppressions);
  void *marks = mmap(NULL, MOST_MARKS, PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  static bool no_marks[MOST_MARKS];
  suppressions->task = task;
  suppressions->room = MOST_RULES;
  suppressions->marks = marks == MAP_FAILED ? no_marks : marks;
  suppressions->is_of_some = settings->options.kernel != NULL;
  suppressions->baseline = settings->baseline;
  suppressions->new_baseline = settings->new_baseline;
  for (size_t i = 0; i < settings->files.count; i++)
    suppressions_scan(suppressions, settings->files.at[i]);
  if (settings->ignore_list &&
      !ignore_list_read(suppressions, settings->ignore_list, error))
    return NULL;
  if (settings->baseline &&
      !baseline_read(suppressions, settings->baseline, error))
    return NULL;
  if (settings->new_baseline && !(suppressions->found = tmpfile())) {
    *error = "no temporary file can be made";
    return NULL;
  }
  return suppressions;
}

void suppressions_complain(Suppressions *suppressions, Loc where,
                           const char *text) {
  push(&suppressions->task->arena, &suppressions->complaints,
       ((Complaint){where, text}));
}

static const char *complaint_text(Arena *arena, const Complaint *of) {
  return of->where.line
             ? arena_printf(arena, "%s:%u: %s", of->where.file, of->where.line,
                            of->text)
             : arena_printf(arena, "%s: %s", of->where.file, of->text);
}

// The mark of a sentence, behind those of the rules.
static bool *mark_of(const Suppressions *suppressions, const char *text) {
  unsigned hash = 2166136261;
  for (; *text; text++)
    hash = (hash ^ (unsigned char)*text) * 16777619;
  return &suppressions->marks[MOST_RULES + hash % MOST_RULES];
}

void suppressions_tell(Suppressions *suppressions) {
  for (size_t i = 0; i < suppressions->complaints.count; i++) {
    const char *text = complaint_text(&suppressions->task->arena,
                                      &suppressions->complaints.at[i]);
    bool *is_told = mark_of(suppressions, text); // of all copies
    if (!__atomic_exchange_n(is_told, true, __ATOMIC_RELAXED))
      fprintf(stderr, "gpuverify: %s\n", text);
  }
}

static void say(const Suppression *suppression, const char *text) {
  fprintf(stderr, "gpuverify: %s:%u: %s\n", suppression->where.file,
          suppression->where.line, text);
}

static const char *unused_text(const Suppressions *suppressions) {
  return suppressions->marks[UNDECIDED]
             ? "no kernel that was decided needs this suppression"
             : "no kernel needs this suppression";
}

// Of what a baseline names, the number is enough.
static void say_unused(const Suppressions *suppressions) {
  unsigned gone = 0;
  for (size_t i = 0; i < suppressions->rules.count; i++) {
    const SuppressionRule *rule = &suppressions->rules.at[i];
    if (*rule->suppression.is_used)
      continue;
    if (rule->of_kernel)
      gone++;
    else
      say(&rule->suppression, unused_text(suppressions));
  }
  if (gone && !suppressions->marks[UNDECIDED])
    fprintf(stderr,
            "gpuverify: %s: %u of the findings %s gone; --write-baseline "
            "leaves %s out\n",
            suppressions->baseline, gone, gone == 1 ? "is" : "are",
            gone == 1 ? "it" : "them");
}

void suppressions_list(const Suppressions *suppressions, const char *file,
                       SuppressionListener *listener, void *data) {
  for (size_t i = 0; i < suppressions->complaints.count; i++)
    listener(data, suppressions->complaints.at[i].where,
             suppressions->complaints.at[i].text);
  for (size_t i = 0; i < suppressions->rules.count; i++) {
    const SuppressionRule *rule = &suppressions->rules.at[i];
    bool is_there = rule->lines.file && !strcmp(rule->lines.file, file);
    if (is_there && !*rule->suppression.is_used && !suppressions->is_of_some)
      listener(data, rule->suppression.where, unused_text(suppressions));
  }
}

bool suppressions_close(Suppressions *suppressions) {
  const char *error = NULL;
  suppressions_tell(suppressions);
  if (!suppressions->is_of_some)
    say_unused(suppressions);
  if (!suppressions->new_baseline || baseline_write(suppressions, &error))
    return true;
  fprintf(stderr, "gpuverify: %s: %s\n", suppressions->new_baseline, error);
  return false;
}
