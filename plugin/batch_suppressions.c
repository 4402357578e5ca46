// Which suppressions a batch needed, and which are none.
//
// Records say where the suppressions are that they needed, and what their
// proofs had to complain of, whoever proved them and when.  So here comments
// and lists are read once more, and compared.  Comments count of the files that
// kernels come from.  Of a part of a batch it is only noted what that part did
// not need, for `merge`.

#define _GNU_SOURCE

#include "plugin/batch.h"
#include "plugin/suppress.h"

#include <string.h>

typedef struct Judging {
  Batch *batch;
  Suppressions *all;
  const char *part; // "I/N"
  WordTable known;  // files that were looked at, as they are named somewhere
  WordTable needed; // "file\nline"
} Judging;

// ------------------------------------------------------------------- files ---

static void scan(Judging *judging, const BatchUnit *unit, const char *file) {
  Arena *arena = &judging->batch->task->arena;
  size_t before = judging->known.at.count;
  const char *name = arena_printf(arena, "%s\n%s", unit->directory, file);
  if (words_add(arena, &judging->known, name, strlen(name)) == before)
    suppressions_scan(judging->all,
                      batch_path(judging->batch, unit->directory, file));
}

static void scan_unit(Judging *judging, const BatchUnit *unit) {
  if (unit->has_manifest && !batch_is_ir(unit))
    scan(judging, unit, unit->file);
  for (size_t i = 0; i < unit->manifest.kernels.count; i++) {
    const PlaceTable *places = &unit->manifest.kernels.at[i].places;
    for (size_t k = 0; k < places->at.count; k++)
      if (places->at.at[k].file)
        scan(judging, unit, places->at.at[k].file);
  }
}

// ----------------------------------------------------------------- records ---

static const char *name_of(const Judging *judging, Loc where) {
  return batch_label(judging->batch, judging->batch->project, where.file);
}

static const char *key_of(const Judging *judging, Loc where) {
  return arena_printf(&judging->batch->task->arena, "%s\n%u",
                      name_of(judging, where), where.line);
}

static void refuse(const Judging *judging, Loc where, const char *text) {
  database_add_suppression(judging->batch->database, name_of(judging, where),
                           where.line, "refused", text);
}

static void read_record(Judging *judging, const char *record) {
  Task *task = judging->batch->task;
  RecordFacts facts;
  if (!record_facts(task, record, &facts))
    return;
  for (size_t i = 0; i < facts.needed.count; i++) {
    const char *key = key_of(judging, facts.needed.at[i]);
    words_add(&task->arena, &judging->needed, key, strlen(key));
  }
  for (size_t i = 0; i < facts.complaints.count; i++)
    refuse(judging, facts.complaints.at[i].where, facts.complaints.at[i].text);
}

// ------------------------------------------------------------------- rules ---

static const char *kind_of(const Judging *judging,
                           const SuppressionRule *rule) {
  const char *key = key_of(judging, rule->suppression.where);
  if (words_find(&judging->needed, key, strlen(key)) != NO_WORD)
    return "needed";
  return rule->of_kernel ? "absent" : "idle";
}

static void note_rule(const Judging *judging, const SuppressionRule *rule) {
  Loc where = rule->suppression.where;
  database_add_suppression(judging->batch->database, name_of(judging, where),
                           where.line, kind_of(judging, rule), judging->part);
}

static bool is_known(Batch *batch, const BatchKernel *kernel) {
  ResultRow row;
  return kernel->state != WORK_SKIPPED ||
         database_find(batch->task, batch->database, kernel->unit->key,
                       kernel->of->name, &row);
}

// Of --since without the others' records it is a part that no other completes.
static const char *part_of(Batch *batch) {
  if (batch->settings->shard)
    return batch->settings->shard;
  for (size_t i = 0; i < batch->units.count; i++)
    for (size_t k = 0; k < batch->units.at[i]->kernels.count; k++)
      if (!is_known(batch, &batch->units.at[i]->kernels.at[k]))
        return "1/0";
  return "1/1";
}

void batch_judge_suppressions(Batch *batch) {
  const Settings *settings = batch->settings;
  const Settings lists = {.ignore_list = settings->ignore_list,
                          .baseline = settings->baseline};
  const char *error = NULL;
  Judging judging = {.batch = batch,
                     .all = suppressions_open(batch->task, &lists, &error),
                     .part = part_of(batch)};
  Texts records = database_records(batch->task, batch->database);
  if (!judging.all) // it was read before, and is no more
    return;
  for (size_t i = 0; i < batch->units.count; i++)
    scan_unit(&judging, batch->units.at[i]);
  database_begin(batch->database);
  for (size_t i = 0; i < records.count; i++)
    read_record(&judging, records.at[i]);
  for (size_t i = 0; i < judging.all->rules.count; i++)
    note_rule(&judging, &judging.all->rules.at[i]);
  for (size_t i = 0; i < judging.all->complaints.count; i++)
    refuse(&judging, judging.all->complaints.at[i].where,
           judging.all->complaints.at[i].text);
  database_settle_suppressions(batch->database);
  database_commit(batch->database);
}
