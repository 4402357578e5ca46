// What becomes of the record of a kernel: a row, a line about it, and for later
// batches something to keep.

#define _GNU_SOURCE

#include "plugin/batch.h"

#include <stdlib.h>
#include <string.h>

RecordOwner batch_owner(const BatchKernel *kernel) {
  const ManifestKernel *of = kernel->of;
  return (RecordOwner){.file = kernel->unit->label,
                       .kernel = of->name,
                       .source = of->source,
                       .loc = of->loc,
                       .places = &kernel->places};
}

static VerdictKind kind_of(const char *verdict) {
  for (int kind = 0; kind <= VERDICT_ERROR; kind++)
    if (!strcmp(verdict_name((VerdictKind)kind), verdict))
      return (VerdictKind)kind;
  return VERDICT_ERROR;
}

static bool is_bug(VerdictKind kind) {
  return verdict_group(kind) == GROUP_BUG;
}

bool batch_is_accepted(const RecordFacts *facts, VerdictKind kind) {
  bool is_whole = verdict_group(kind) == GROUP_UNDECIDED || facts->is_finding;
  return facts->is_accepted && is_whole;
}

// ----------------------------------------------------------------- telling ---

void findings_tell(Task *task, ToldFindings *findings,
                   const RecordFacts *facts) {
  Arena *arena = &task->arena;
  const char *text =
      arena_printf(arena, "%s:%u:%u: %s", facts->where.file, facts->where.line,
                   facts->where.column, facts->sentence);
  size_t known = findings->told.at.count;
  if (words_add(arena, &findings->told, text, strlen(text)) < known)
    findings->again++;
  else
    printf("%s (%s)\n", text, facts->source ? facts->source : "");
}

void findings_sum_up(const ToldFindings *findings) {
  if (findings->again)
    printf("%zu more at the same places, of other instances\n",
           findings->again);
  if (findings->same_values)
    printf(
        "%zu kernel%s by benign-writes: threads may write the same at "
        "once\n",
        findings->same_values, findings->same_values == 1 ? "" : "s");
}

static void print(Batch *batch, const char *record, const RecordFacts *facts,
                  bool is_found) {
  progress_clear(&batch->progress);
  if (batch->settings->format)
    puts(record);
  else if (is_found && facts->sentence)
    findings_tell(batch->task, &batch->findings, facts);
  fflush(stdout);
}

static void say(Batch *batch, const BatchKernel *kernel, const char *record,
                const RecordFacts *facts, bool is_cached) {
  VerdictKind kind = kind_of(facts->verdict);
  bool is_accepted = batch_is_accepted(facts, kind);
  batch->verdicts[kind]++;
  if (!is_accepted)
    status_worsen(&batch->status,
                  status_as_asked(&kernel->unit->settings, kind));
  bool is_alarm = is_bug(kind) && !is_accepted;
  batch->findings.same_values += facts->has_same_values;
  print(batch, record, facts, is_alarm);
  progress_kernel(&batch->progress, kernel->of->source, facts, is_alarm,
                  is_cached);
}

const char *batch_row_key(Batch *batch, const BatchKernel *kernel) {
  RecordOwner owner = batch_owner(kernel);
  char places[HASH_SIZE];
  const char *text = owner_text(batch->task, &owner);
  hash_text(text, strlen(text), places);
  return arena_printf(&batch->task->arena, "%s-%s", kernel->key, places);
}

static void tell(Batch *batch, const BatchKernel *kernel, const char *key,
                 const char *raw, bool is_cached) {
  const BatchUnit *unit = kernel->unit;
  const Settings *settings = &unit->settings;
  const char *record =
      record_relative(batch->task, raw, batch_again(batch, unit), unit->label,
                      unit->directory, batch->project);
  RecordFacts facts;
  if (!record || !record_facts(batch->task, record, &facts))
    return;
  database_add(batch->database,
               &(ResultRow){.unit = kernel->unit->key,
                            .key = key,
                            .file = kernel->unit->label,
                            .kernel = kernel->of->name,
                            .source = kernel->of->source,
                            .verdict = facts.verdict,
                            .record = record,
                            .line = kernel->of->loc.line,
                            .timeout = settings->options.timeout,
                            .memory = settings->options.memory,
                            .seconds = facts.seconds,
                            .is_cached = is_cached});
  say(batch, kernel, record, &facts, is_cached);
}

void batch_tell(Batch *batch, const BatchKernel *kernel, const char *raw,
                bool is_cached) {
  tell(batch, kernel, batch_row_key(batch, kernel), raw, is_cached);
}

void batch_tell_row(Batch *batch, const BatchKernel *kernel,
                    const char *record) {
  RecordFacts facts;
  database_keep(batch->database, kernel->unit->key, kernel->of->name);
  if (batch->was_finished)
    database_mark_cached(batch->database, kernel->unit->key, kernel->of->name);
  if (record_facts(batch->task, record, &facts))
    say(batch, kernel, record, &facts, true);
}

// ----------------------------------------------------------------- keeping ---

bool batch_is_final(const char *verdict) {
  return verdict_group(kind_of(verdict)) != GROUP_UNDECIDED;
}

bool batch_is_enough(const BatchKernel *kernel, unsigned timeout,
                     unsigned memory) {
  const Options *options = &kernel->unit->settings.options;
  return (!timeout || (options->timeout && options->timeout <= timeout)) &&
         (!memory || (options->memory && options->memory <= memory));
}

static const char *budget(Task *task, const Settings *settings,
                          const char *verdict) {
  return batch_is_final(verdict)
             ? "final\n"
             : arena_printf(&task->arena, "%u %u\n", settings->options.timeout,
                            settings->options.memory);
}

// Three lines: within which limits, for which places, the record.
static const char *entry_of(Batch *batch, const BatchKernel *kernel,
                            const char *record) {
  Task *task = batch->task;
  RecordOwner owner = batch_owner(kernel);
  RecordFacts facts;
  bool is_exact = false;
  char exact[HASH_SIZE] = "any";
  const char *kept = record_keep(task, record, &owner, &is_exact);
  if (!kept || !record_facts(task, record, &facts))
    return NULL;
  if (is_exact) {
    const char *text = owner_text(task, &owner);
    hash_text(text, strlen(text), exact);
  }
  return arena_printf(&task->arena, "%s%s\n%s",
                      budget(task, &kernel->unit->settings, facts.verdict),
                      exact, kept);
}

// What it was, if it was a hit that is proved again.
static void compare(Batch *batch, const BatchKernel *kernel,
                    const char *record) {
  Task *task = batch->task;
  RecordFacts before, now;
  if (record_agrees(task, kernel->kept, record))
    return;
  record_facts(task, kernel->kept, &before);
  record_facts(task, record, &now);
  if (!batch_is_final(before.verdict) || !batch_is_final(now.verdict))
    return; // one had less time
  batch->failed_checks++;
  progress_clear(&batch->progress);
  const char *text = arena_printf(
      &task->arena, "cache: %s: kernel '%s' was kept as %s, and is %s%s",
      kernel->unit->label, kernel->of->source, before.verdict, now.verdict,
      strcmp(before.verdict, now.verdict) ? ""
                                          : ", but what is told of it differs");
  fprintf(stderr, "gpuverify: %s\n", text);
  status_tell("died", (Loc){.file = kernel->unit->label}, text);
  status_worsen(&batch->status, EXIT_OUR_BUG);
}

// -------------------------------------------------------------- followers ---

static const char *text_line(const char *text) {
  const char *end = strchr(text, '\n');
  return end ? end + 1 : "";
}

static bool is_for(Batch *batch, const BatchKernel *kernel, const char *entry) {
  const char *exact = text_line(entry);
  RecordOwner owner = batch_owner(kernel);
  char hash[HASH_SIZE];
  if (!strncmp(exact, "any\n", 4))
    return true;
  const char *text = owner_text(batch->task, &owner);
  hash_text(text, strlen(text), hash);
  return !strncmp(exact, hash, HASH_SIZE - 1);
}

static bool is_within(const BatchKernel *kernel, const char *entry) {
  unsigned timeout, memory;
  return !strncmp(entry, "final\n", 6) ||
         (sscanf(entry, "%u %u\n", &timeout, &memory) == 2 &&
          batch_is_enough(kernel, timeout, memory));
}

const char *batch_record_of(Batch *batch, const BatchKernel *kernel,
                            const char *entry) {
  RecordOwner owner = batch_owner(kernel);
  if (!entry || !is_within(kernel, entry) || !is_for(batch, kernel, entry))
    return NULL;
  return record_give(batch->task, text_line(text_line(entry)), &owner);
}

static void finish_followers(Batch *batch, const BatchKernel *first,
                             const char *entry) {
  for (size_t i = 0; i < batch->units.count; i++)
    for (size_t k = 0; k < batch->units.at[i]->kernels.count; k++) {
      BatchKernel *one = &batch->units.at[i]->kernels.at[k];
      if (one->state != WORK_FOLLOWS || one->first != first)
        continue;
      const char *record = batch_record_of(batch, one, entry);
      one->state = record ? WORK_DONE : WORK_TODO;
      batch->shared += record != NULL;
      if (record)
        batch_tell(batch, one, record, false);
    }
}

// With files named as in what was kept: a project calls them otherwise than the
// command that compiles them.
static const char *as_kept(Batch *batch, const BatchKernel *kernel,
                           const char *record, const char *entry) {
  const char *again = batch_record_of(batch, kernel, entry);
  return again ? again : record;
}

void batch_finish(Batch *batch, BatchKernel *kernel, const char *record) {
  const char *entry = entry_of(batch, kernel, record);
  kernel->state = WORK_DONE;
  batch->proved++;
  if (kernel->is_checked)
    compare(batch, kernel, as_kept(batch, kernel, record, entry));
  batch_tell(batch, kernel, record, false);
  if (entry)
    cache_put(batch->task, &batch->cache, kernel->key, entry);
  finish_followers(batch, kernel, entry);
}

// Nothing is kept, and without a key the next batch tries again.
void batch_lose(Batch *batch, BatchKernel *kernel, const char *why) {
  Arena arena = {0};
  const ManifestKernel *of = kernel->of;
  Verdict verdict = {.kind = VERDICT_UNKNOWN, .reason = why};
  ReportStyle style = settings_style(&kernel->unit->settings);
  KernelReport report = {.file = kernel->unit->label,
                         .name = of->name,
                         .source = of->source,
                         .loc = of->loc,
                         .launch = &kernel->unit->settings.options.launch,
                         .verdict = &verdict};
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  report_json(out, diagnose_kernel(&arena, &style, &report));
  fclose(out);
  kernel->state = WORK_DONE;
  tell(batch, kernel, "", text, false);
  free(text);
  finish_followers(batch, kernel, NULL);
  arena_free(&arena);
}
