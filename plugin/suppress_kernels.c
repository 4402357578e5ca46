// What the user knows of what a proof finds: its obligations and its answer.
//
// Apart from suppressions.c, which needs neither Z3 nor LLVM.

#define _GNU_SOURCE

#include "plugin/suppress.h"

#include <fnmatch.h>
#include <string.h>

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
    obligation->suppression = suppressions_find(suppressions, &suspect);
  }
}

// What is found may be told of their lines and be elsewhere.
static void distrust_comments(Suppressions *suppressions) {
  suppressions->has_lines = true;
  for (size_t i = 0; i < suppressions->rules.count; i++) {
    SuppressionRule *rule = &suppressions->rules.at[i];
    if (!rule->suppression.is_in_source || !rule->kinds)
      continue;
    rule->kinds = 0;
    *rule->suppression.is_used = true; // it is told of here
    suppressions_complain(suppressions, rule->suppression.where,
                          "this suppresses nothing: a #line in what was "
                          "compiled names some file");
  }
}

static bool is_meant(const SuppressionRule *rule, const FunctionSpan *span) {
  return !fnmatch(rule->function, span->name, 0);
}

// What a lambda does is done by the function around it.
static bool is_twin(const FunctionSpan *a, const FunctionSpan *b) {
  return a->first == b->first && a->last == b->last &&
         !strcmp(a->file, b->file) && strcmp(b->name, "operator()") != 0;
}

// A function that has the same lines and is not meant, as one macro makes them.
static const FunctionSpan *twin_of(const SuppressionRule *rule,
                                   const FunctionSpans *all,
                                   const FunctionSpan *span) {
  for (size_t i = 0; i < all->count; i++)
    if (is_twin(span, &all->at[i]) && !is_meant(rule, &all->at[i]))
      return &all->at[i];
  return NULL;
}

static void tell_of_twin(Suppressions *suppressions,
                         const SuppressionRule *rule, const FunctionSpan *span,
                         const FunctionSpan *twin) {
  Arena *arena = &suppressions->task->arena;
  *rule->suppression.is_used = true; // it is told of here
  suppressions_complain(
      suppressions, rule->suppression.where,
      arena_printf(arena,
                   "nothing in '%s' is suppressed: '%s' has the same lines "
                   "(%s:%u), so nobody knows in which of them it is",
                   span->name, twin->name, span->file, span->first));
}

static void find_functions(Suppressions *suppressions, SuppressionRule *rule,
                           struct LLVMOpaqueModule *module) {
  FunctionSpans all = {0};
  llvm_function_spans(suppressions->task, module, &all);
  for (size_t i = 0; i < all.count; i++) {
    const FunctionSpan *span = &all.at[i];
    const FunctionSpan *twin =
        is_meant(rule, span) ? twin_of(rule, &all, span) : NULL;
    if (twin)
      tell_of_twin(suppressions, rule, span, twin);
    else if (is_meant(rule, span))
      push(&suppressions->task->arena, &rule->functions,
           ((Lines){span->file, span->first, span->last}));
  }
}

void suppressions_know_functions(Suppressions *suppressions,
                                 struct LLVMOpaqueModule *module) {
  if (!suppressions)
    return;
  if (llvm_has_line_directives(module))
    distrust_comments(suppressions);
  for (size_t i = 0; i < suppressions->rules.count; i++)
    if (suppressions->rules.at[i].function)
      find_functions(suppressions, &suppressions->rules.at[i], module);
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
  bool is_of_one_place = !verdict->obligations && verdict->where.line;
  const Suppression *found =
      suppressions_find_whole(suppressions, &suspect, is_of_one_place);
  if (found)
    *found->is_used = true;
  else
    suppressions_note_undecided(suppressions);
  return found;
}

static void note_problem(Suppressions *suppressions, const KernelReport *report,
                         const Problem *problem) {
  const KernelEntry entry = {.name = report->name, .source = report->source};
  Suspect suspect = suspect_of(report->file, &entry, problem->obligation);
  suppressions_note_one(suppressions, &suspect);
}

static void note_excuse(Suppressions *suppressions, const KernelReport *report,
                        const Excuse *excuse) {
  Suspect suspect = {.kind = excuse->kind,
                     .file = report->file,
                     .kernel = report->source,
                     .name = report->name,
                     .array = excuse->array,
                     .at = {excuse->where, excuse->other}};
  if (suppressions_is_of_baseline(suppressions, excuse->by))
    suppressions_note_one(suppressions, &suspect);
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
  if (is_about_all(report) &&
      (!by || suppressions_is_of_baseline(suppressions, by)))
    suppressions_note_one(suppressions, &all);
}
