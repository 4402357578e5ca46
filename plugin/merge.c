// gpuverify merge: the databases of several batches, such as --shard makes, as
// one.  The exit status is that of the worst thing in it.

#include "plugin/batch.h"

#include <string.h>
#include <sys/stat.h>

typedef struct Tally {
  size_t verdicts[VERDICT_ERROR + 1];
  size_t kernels;
  ToldFindings findings;
} Tally;

static VerdictKind kind_of(const char *verdict) {
  for (int kind = 0; kind < VERDICT_ERROR; kind++)
    if (!strcmp(verdict_name((VerdictKind)kind), verdict))
      return (VerdictKind)kind;
  return VERDICT_ERROR;
}

static bool is_bug(VerdictKind kind) {
  return verdict_group(kind) == GROUP_BUG;
}

static void take_record(Task *task, const Settings *settings, Tally *tally,
                        const char *record, int *status) {
  RecordFacts facts;
  if (!record_facts(task, record, &facts)) {
    status_complain(status, EXIT_WRONG_USE, NULL,
                    "a row of the database holds no record of docs/JSON.md");
    return;
  }
  VerdictKind kind = kind_of(facts.verdict);
  tally->verdicts[kind]++;
  tally->kernels++;
  bool is_accepted = batch_is_accepted(&facts, kind);
  if (!is_accepted)
    status_worsen(status, status_as_asked(settings, kind));
  tally->findings.same_values += facts.has_same_values;
  if (settings->format)
    puts(record);
  else if (!is_accepted && is_bug(kind) && facts.sentence)
    findings_tell(task, &tally->findings, &facts);
}

static void tell_note(const ProjectNote *note) {
  fprintf(stderr, "gpuverify: %s:", note->where.file);
  if (note->where.line)
    fprintf(stderr, "%u:", note->where.line);
  fprintf(stderr, " %s\n", note->message);
  status_tell(note->kind, note->where, note->message);
}

static void take_troubles(Task *task, Database *database, int *status) {
  ProjectNotes notes = database_trouble_notes(task, database);
  for (size_t i = 0; i < notes.count; i++) {
    const char *kind = notes.at[i].kind;
    bool is_of_file = !strcmp(kind, "compile") || !strcmp(kind, "died");
    status_worsen(status, is_of_file ? EXIT_FRONT_END : EXIT_WRONG_USE);
    tell_note(&notes.at[i]);
  }
}

static Tally sum_up(Task *task, Database *database, const Settings *settings,
                    int *status) {
  Tally tally = {0};
  Texts records = database_records(task, database);
  const char *before = "";
  for (size_t i = 0; i < records.count; i++)
    take_record(task, settings, &tally, records.at[i], status);
  take_troubles(task, database, status);
  for (int kind = 0; kind <= VERDICT_ERROR && !settings->format; kind++)
    if (tally.verdicts[kind]) {
      printf("%s%zu %s", before, tally.verdicts[kind],
             verdict_name((VerdictKind)kind));
      before = ", ";
    }
  if (!settings->format) {
    puts(*before ? "" : "no kernels");
    findings_sum_up(&tally.findings);
  }
  return tally;
}

void results_tell_suppressions(Task *task, Database *database) {
  ProjectNotes notes = database_suppressions(task, database);
  for (size_t i = 0; i < notes.count; i++)
    tell_note(&notes.at[i]);
}

void results_tell(Task *task, Database *database, const Settings *settings,
                  int *status) {
  Tally tally = sum_up(task, database, settings, status);
  size_t troubles = database_troubles(database);
  database_settle_suppressions(database);
  results_tell_suppressions(task, database);
  if (settings->format)
    return;
  printf("%zu kernel%s\n", tally.kernels, tally.kernels == 1 ? "" : "s");
  if (troubles)
    printf("%zu file%s without a verdict; see above\n", troubles,
           troubles == 1 ? "" : "s");
}

static bool is_same_file(const char *a, const char *b) {
  struct stat one, two;
  return !stat(a, &one) && !stat(b, &two) && one.st_dev == two.st_dev &&
         one.st_ino == two.st_ino;
}

// What is wrong with it before it is taken, or NULL.
static const char *trouble_with(const char *file, const char *out) {
  struct stat status;
  if (is_same_file(file, out))
    return "this is what is written";
  return !stat(file, &status) && S_ISREG(status.st_mode) && !status.st_size
             ? "this file is empty"
             : NULL;
}

static void take(Task *task, Database *database, const char *file,
                 const char *out, int *status) {
  bool is_whole = false;
  const char *error = trouble_with(file, out);
  if (error || !database_take(task, database, file, &is_whole, &error))
    status_complain(status, EXIT_WRONG_USE, file, error);
  else if (!is_whole)
    status_complain(status, EXIT_NOT_DECIDED, file,
                    "this batch did not finish, so there may be kernels "
                    "without a verdict");
}

static unsigned parts_of(const char *shard) {
  unsigned part = 0, parts = 0;
  sscanf(shard, "%u/%u", &part, &parts);
  return parts;
}

static bool is_among(const Texts *texts, const char *text) {
  for (size_t i = 0; i < texts->count; i++)
    if (!strcmp(texts->at[i], text))
      return true;
  return false;
}

// Of so many parts one is there.
static void look_for_parts(Task *task, const Texts *shards, unsigned parts,
                           const char *out, int *status) {
  for (unsigned i = 1; i <= parts; i++) {
    const char *shard = arena_printf(&task->arena, "%u/%u", i, parts);
    if (!is_among(shards, shard))
      status_complain(status, EXIT_NOT_DECIDED, out,
                      arena_printf(&task->arena,
                                   "part %s is not in it, so there may be "
                                   "kernels without a verdict",
                                   shard));
  }
}

static void look_for_shards(Task *task, Database *database, const char *out,
                            int *status) {
  Texts shards = database_shards(task, database);
  for (size_t i = 0; i < shards.count; i++) {
    unsigned parts = parts_of(shards.at[i]);
    bool is_first = true;
    for (size_t k = 0; k < i; k++)
      is_first &= parts_of(shards.at[k]) != parts;
    if (is_first)
      look_for_parts(task, &shards, parts, out, status);
  }
}

int merge_command(Task *task, Settings *settings) {
  int status = EXIT_ALL_VERIFIED;
  const char *out = settings->files.at[0], *error = NULL;
  Database *database = database_open(task, out, &error);
  if (!database) {
    status_complain(&status, EXIT_WRONG_USE, out, error);
    return status;
  }
  for (size_t i = 1; i < settings->files.count; i++)
    take(task, database, settings->files.at[i], out, &status);
  look_for_shards(task, database, out, &status);
  const char *folder = database_get(task, database, "folder");
  if (folder)
    status_tell_folder(folder);
  sum_up(task, database, settings, &status);
  database_settle_suppressions(database);
  results_tell_suppressions(task, database);
  if (!database_close(task, database, &error))
    status_complain(&status, EXIT_WRONG_USE, out, error);
  return status;
}
