// Which rule fits what, and which were of no use.

#define _GNU_SOURCE

#include "plugin/suppress.h"

#include <fnmatch.h>
#include <string.h>
#include <sys/mman.h>

enum { MOST_MARKS = 1 << 16, UNDECIDED = 0 };

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

static const Suppression *find(Suppressions *suppressions, Suspect *suspect) {
  if (suppressions->baseline)
    baseline_read_lines(suppressions, suspect);
  for (size_t i = 0; i < suppressions->rules.count; i++)
    if (fits(&suppressions->rules.at[i], suspect))
      return &suppressions->rules.at[i].suppression;
  return NULL;
}

// ------------------------------------------------------------ obligations ---

static Suspect suspect_of(const char *file, const KernelEntry *entry,
                          const Obligation *obligation) {
  const Stmt *first = obligation->first, *second = obligation->second;
  Suspect suspect = {.kind = verdict_of_failure(obligation),
                     .file = file,
                     .kernel = entry->source,
                     .name = entry->name};
  if (first)
    suspect.at[0] = first->loc;
  else if (obligation->loop)
    suspect.at[0] = obligation->loop->loc;
  if (second)
    suspect.at[1] = second->loc;
  if (second && first->kind == STMT_ACCESS)
    suspect.array = first->access.array->name;
  return suspect;
}

void suppressions_apply(Suppressions *suppressions, const char *file,
                        const KernelEntry *entry, Pair *pair) {
  if (!suppressions || pair->kernel->options->assert_false)
    return;
  for (size_t i = 0; i < pair->obligations.count; i++) {
    Obligation *obligation = pair->obligations.at[i];
    Suspect suspect = suspect_of(file, entry, obligation);
    for (unsigned which = 0; which < 2; which++)
      if (suspect.at[which].line)
        suppressions_scan(suppressions, suspect.at[which].file
                                            ? suspect.at[which].file
                                            : file);
    obligation->suppression = find(suppressions, &suspect);
  }
}

void suppressions_know_functions(Suppressions *suppressions,
                                 struct LLVMOpaqueModule *module) {
  if (!suppressions)
    return;
  for (size_t i = 0; i < suppressions->rules.count; i++) {
    SuppressionRule *rule = &suppressions->rules.at[i];
    FunctionSpans all = {0};
    if (rule->function)
      llvm_function_spans(suppressions->task, module, &all);
    for (size_t j = 0; j < all.count; j++)
      if (is_like(rule->function, all.at[j].name))
        push(&suppressions->task->arena, &rule->functions,
             ((Lines){all.at[j].file, all.at[j].first, all.at[j].last}));
  }
}

// ---------------------------------------------------------------- kernels ---

static VerdictKind kind_of_report(const KernelReport *report) {
  return report->barriers ? report->barriers->kind : report->verdict->kind;
}

static Suspect kernel_suspect(const KernelReport *report) {
  VerdictKind kind = kind_of_report(report);
  bool is_undecided = verdict_group(kind) == GROUP_UNDECIDED;
  return (Suspect){.kind = is_undecided ? VERDICT_UNKNOWN : kind,
                   .file = report->file,
                   .kernel = report->source,
                   .name = report->name,
                   .at = {report->verdict->where},
                   .is_kernel = true};
}

// The findings of the check of named barriers are none of a proof.
static bool is_about_all(const KernelReport *report) {
  VerdictKind kind = kind_of_report(report);
  return verdict_group(kind) == GROUP_UNDECIDED ||
         (verdict_group(kind) == GROUP_BUG && report->barriers);
}

const Suppression *suppressions_accept(Suppressions *suppressions,
                                       const KernelReport *report) {
  if (!suppressions || !is_about_all(report))
    return NULL;
  Suspect suspect = kernel_suspect(report);
  const Verdict *verdict = report->verdict;
  // what was given up at one place may be known there
  bool is_of_one_place = !verdict->obligations && verdict->where.line;
  suspect.is_kernel = !is_of_one_place;
  if (is_of_one_place)
    suppressions_scan(suppressions,
                      suspect.at[0].file ? suspect.at[0].file : report->file);
  const Suppression *found = find(suppressions, &suspect);
  suspect.is_kernel = true;
  if (!found)
    found = find(suppressions, &suspect);
  if (found)
    *found->is_used = true;
  else
    suppressions->marks[UNDECIDED] = true;
  return found;
}

static void note(Suppressions *suppressions, Suspect *suspect) {
  baseline_read_lines(suppressions, suspect);
  baseline_note(suppressions, suspect);
}

static void note_problem(Suppressions *suppressions, const KernelReport *report,
                         const Problem *problem) {
  const KernelEntry entry = {.name = report->name, .source = report->source};
  Suspect suspect = suspect_of(report->file, &entry, problem->obligation);
  note(suppressions, &suspect);
}

// What is suppressed in another way needs no baseline.
static bool is_of_baseline(const Suppressions *suppressions,
                           const Suppression *by) {
  return suppressions->baseline && by->where.file == suppressions->baseline;
}

static void note_excuse(Suppressions *suppressions, const KernelReport *report,
                        const Excuse *excuse) {
  Suspect suspect = {.kind = excuse->kind,
                     .file = report->file,
                     .kernel = report->source,
                     .name = report->name,
                     .array = excuse->array,
                     .at = {excuse->where, excuse->other}};
  if (is_of_baseline(suppressions, excuse->by))
    note(suppressions, &suspect);
}

void suppressions_note(Suppressions *suppressions, const KernelReport *report) {
  if (!suppressions || !suppressions->found)
    return;
  const Verdict *verdict = report->verdict;
  for (size_t i = 0; i < verdict->problems.count && !report->barriers; i++)
    note_problem(suppressions, report, &verdict->problems.at[i]);
  for (size_t i = 0; i < verdict->excuses.count; i++)
    note_excuse(suppressions, report, &verdict->excuses.at[i]);
  Suspect all = kernel_suspect(report);
  const Suppression *by = report->accepted;
  if (is_about_all(report) && (!by || is_of_baseline(suppressions, by)))
    note(suppressions, &all);
}

// ------------------------------------------------------------------- ends ---

Suppressions *suppressions_open(Task *task, const Settings *settings,
                                const char **error) {
  Suppressions *suppressions = NEW(&task->arena, Suppressions);
  void *marks = mmap(NULL, MOST_MARKS, PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  static bool no_marks[MOST_MARKS];
  suppressions->task = task;
  suppressions->room = MOST_MARKS;
  suppressions->marks = marks == MAP_FAILED ? no_marks : marks;
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

static void say(const Suppression *suppression, const char *text) {
  fprintf(stderr, "gpuverify: %s:%u: %s\n", suppression->where.file,
          suppression->where.line, text);
}

// Of what a baseline names, the number is enough.
static void say_unused(const Suppressions *suppressions) {
  unsigned gone = 0;
  const char *who = suppressions->marks[UNDECIDED]
                        ? "no kernel that was decided needs this suppression"
                        : "no kernel needs this suppression";
  for (size_t i = 0; i < suppressions->rules.count; i++) {
    const SuppressionRule *rule = &suppressions->rules.at[i];
    if (*rule->suppression.is_used)
      continue;
    if (rule->of_kernel)
      gone++;
    else
      say(&rule->suppression, who);
  }
  if (gone && !suppressions->marks[UNDECIDED])
    fprintf(stderr,
            "gpuverify: %s: %u of the findings %s gone; --write-baseline "
            "leaves %s out\n",
            suppressions->baseline, gone, gone == 1 ? "is" : "are",
            gone == 1 ? "it" : "them");
}

bool suppressions_close(Suppressions *suppressions) {
  const char *error = NULL;
  for (size_t i = 0; i < suppressions->complaints.count; i++)
    fprintf(stderr, "gpuverify: %s\n", suppressions->complaints.at[i]);
  say_unused(suppressions);
  if (!suppressions->new_baseline || baseline_write(suppressions, &error))
    return true;
  fprintf(stderr, "gpuverify: %s: %s\n", suppressions->new_baseline, error);
  return false;
}
