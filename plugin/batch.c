// gpuverify batch: every kernel of a project, and one file with all verdicts.
//
// First every file is compiled, for one may launch the kernels of another, or
// what is known of it from an earlier batch still holds.  Then it is clear
// what each kernel's verdict depends on, and whether somebody has it already.
// The others are proved.  Each record is written when it is known, so whatever
// ends us, the next batch goes on from there.

#define _GNU_SOURCE

#include "plugin/batch.h"
#include "plugin/run.h"
#include "plugin/suppress.h"

#include "base/words.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// ---------------------------------------------------------------- beginning
// ---

enum { MOST_SHARDS = 1024 };

// From where we are; processes go to other folders.
static const char *from_here(const Batch *batch, const char *path) {
  return *path == '/'
             ? path
             : arena_printf(&batch->task->arena, "%s/%s", batch->project, path);
}

static void open_cache(Batch *batch) {
  const Settings *settings = batch->settings;
  const char *folder = cache_folder(batch->task, settings);
  if (!folder)
    return;
  batch->cache.most = (uint64_t)settings->cache_size << 20;
  cache_open(batch->task, &batch->cache, from_here(batch, folder));
}

static bool has_launcher(const Settings *settings) {
  return settings->launcher && strcmp(settings->launcher, "none") != 0;
}

// What makes no sense of many kernels at once.
static const char *refusal(const Settings *settings) {
  const Options *options = &settings->options;
  unsigned part = 0, parts = 0;
  int length = 0;
  if (options->dump || options->boogie || options->program)
    return "--dump, --emit-boogie and --emit-program are for single files";
  if (options->file_timeout)
    return "--file-timeout is for single files; --timeout is for each kernel";
  if (settings->new_baseline)
    return "--write-baseline is for single files";
  if (!!settings->build + !!settings->recorded +
          !!settings->program_args.count >
      1)
    return "-p, --recorded and -- COMMAND: give one of them";
  if (settings->no_cache && settings->cache_check)
    return "--cache-check: with --no-cache there is nothing to check";
  if (settings->cache_check > 100)
    return "--cache-check is a percentage, at most 100";
  if (settings->shard &&
      (sscanf(settings->shard, "%u/%u%n", &part, &parts, &length) != 2 ||
       settings->shard[length] || !part || part > parts))
    return "--shard=I/N: I is a number from 1 to N";
  if (settings->shards && !settings->launcher)
    return "--shards=N: --launcher=make or slurm starts so many parts";
  if (settings->shards > MOST_SHARDS)
    return "--shards=N: at most 1024";
  if (has_launcher(settings) && (settings->shard || settings->since))
    return "--launcher starts all parts of all kernels; without --shard and "
           "--since";
  if (has_launcher(settings) && settings->program_args.count)
    return "--launcher: let gpuverify-recorder note the build, and give the "
           "folder as --recorded";
  return NULL;
}

static const char *now_text(Task *task) {
  char text[32];
  time_t now = time(NULL);
  struct tm broken;
  gmtime_r(&now, &broken);
  strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &broken);
  return arena_copy(&task->arena, text);
}

static const char *command_text(Task *task, const Settings *settings) {
  const char *text = "gpuverify batch";
  for (size_t i = 0; i < settings->words.count; i++)
    text = arena_printf(&task->arena, "%s %s", text,
                        shell_word(&task->arena, settings->words.at[i]));
  return text;
}

static const char *one_line(Task *task, const char *text) {
  const char *line = "";
  for (size_t length; *text; text += length + 1) {
    length = strcspn(text, "\n");
    line = arena_printf(&task->arena, "%s%s%.*s", line, *line ? ", " : "",
                        (int)length, text);
    if (!text[length])
      break;
  }
  return line;
}

static const char *output_of(const Settings *settings) {
  return settings->output ? settings->output : "gpuverify.db";
}

// With --no-cache the rows so far are of an earlier batch, unless that was such
// a one itself and was interrupted.
static void begin_afresh(Batch *batch) {
  static const char key[] = "no_cache";
  bool goes_on =
      !batch->was_finished && database_get(batch->task, batch->database, key);
  if (!batch->settings->no_cache)
    database_unset(batch->database, key);
  if (!batch->settings->no_cache || goes_on)
    return;
  database_mark_all_cached(batch->database);
  database_set(batch->database, key, "1");
}

static bool open_database(Batch *batch) {
  const char *file = output_of(batch->settings), *error = NULL;
  batch->database = database_open(batch->task, file, &error);
  if (!batch->database) {
    status_complain(&batch->status, EXIT_WRONG_USE, file, error);
    return false;
  }
  batch->was_finished = database_get(batch->task, batch->database, "ended");
  begin_afresh(batch);
  database_set(batch->database, "tool", one_line(batch->task, batch->versions));
  database_set(batch->database, "folder", batch->project);
  database_set(batch->database, "command",
               command_text(batch->task, batch->settings));
  database_set(batch->database, "started", now_text(batch->task));
  database_unset(batch->database, "ended");
  database_set_shard(batch->database, batch->settings->shard);
  database_forget_troubles(batch->database);
  database_forget_suppressions(batch->database);
  return true;
}

// -------------------------------------------------------------- the work ---

static size_t count_in(const Batch *batch, WorkState state) {
  size_t count = 0;
  for (size_t i = 0; i < batch->units.count; i++)
    for (size_t k = 0; k < batch->units.at[i]->kernels.count; k++)
      count += batch->units.at[i]->kernels.at[k].state == state;
  return count;
}

static size_t count_left(const Batch *batch) {
  return count_in(batch, WORK_TODO) + count_in(batch, WORK_RUNNING) +
         count_in(batch, WORK_FOLLOWS);
}

static bool is_module_missing(const Batch *batch) {
  for (size_t i = 0; i < batch->units.count; i++) {
    const BatchUnit *unit = batch->units.at[i];
    for (size_t k = 0; k < unit->kernels.count; k++)
      if (unit->kernels.at[k].state == WORK_TODO && !unit->has_bitcode &&
          !unit->is_broken)
        return true;
  }
  return false;
}

// Followers that the record of another was no good for stand in line again.
static void prove_followers(Batch *batch) {
  while (!batch_signal() && is_module_missing(batch))
    batch_compile_all(batch);
  batch_prove_all(batch);
}

static bool plan(Batch *batch, const char **error) {
  const char *since = batch->settings->since;
  batch_recall(batch);
  batch_compile_all(batch);
  if (since && !batch_mark_changed(batch, since, error))
    return false;
  batch_plan(batch);
  while (!batch_signal() && is_module_missing(batch)) {
    batch_compile_all(batch); // those that were not, for nothing had changed
    batch_plan(batch);
  }
  return true;
}

// As of one file: who asks for verdicts and gets none has to be told.
static void check_kernels(Batch *batch) {
  size_t kernels = 0, units = batch->units.count;
  for (size_t i = 0; i < units; i++)
    kernels += batch->units.at[i]->kernels.count;
  if (units && !kernels && !batch_signal() &&
      !database_troubles(batch->database))
    batch_complain(batch, batch->units.at[0]->label, "empty",
                   units == 1 ? "there is no kernel in this file"
                              : "there is no kernel in this file, and none in "
                                "the others");
}

// False: there is nothing to be told.
static bool work(Batch *batch) {
  const char *error = NULL;
  if (!batch_find_units(batch, &error) || !plan(batch, &error)) {
    status_complain(&batch->status, EXIT_WRONG_USE, NULL, error);
    return false;
  }
  check_kernels(batch);
  batch->progress.total = count_in(batch, WORK_TODO) +
                          count_in(batch, WORK_FOLLOWS) +
                          count_in(batch, WORK_DONE);
  batch_take_known(batch);
  batch->progress.since = clock_seconds();
  while (!batch_signal() && count_in(batch, WORK_TODO))
    prove_followers(batch);
  if (!batch_signal() && batch->units.count)
    database_drop_others(batch->database);
  cache_trim(batch->task, &batch->cache);
  if (!count_left(batch) && !batch_signal())
    batch_judge_suppressions(batch);
  return true;
}

// -------------------------------------------------------------------- ending
// ---

static void say_what_is_left(Batch *batch) {
  size_t left = count_left(batch);
  progress_clear(&batch->progress);
  if (batch_signal() && !left)
    fputs("gpuverify: interrupted; the next batch goes on there\n", stderr);
  if (!left)
    return;
  const char *text = arena_printf(
      &batch->task->arena,
      "%s: there is no verdict on %zu kernel%s; the next batch "
      "goes on there",
      batch_signal() ? "interrupted" : "stopped", left, left == 1 ? "" : "s");
  fprintf(stderr, "gpuverify: %s\n", text);
  status_tell("unfinished", (Loc){0}, text);
  status_worsen(&batch->status, EXIT_NOT_DECIDED);
}

static void close_database(Batch *batch, bool is_finished) {
  const char *error = NULL;
  if (is_finished)
    database_set(batch->database, "ended", now_text(batch->task));
  if (!database_close(batch->task, batch->database, &error))
    status_complain(&batch->status, EXIT_WRONG_USE, output_of(batch->settings),
                    error);
}

// The processes of others have caches and workers of their own.
static void launch(Batch *batch) {
  const char *output = output_of(batch->settings);
  bool is_whole = batch_launch(batch, from_here(batch, output));
  if (!batch->settings->format)
    printf("results: %s\n", output);
  close_database(batch, is_whole && !batch_signal());
}

static void run(Batch *batch) {
  batch_catch_signals();
  if (!open_database(batch))
    return;
  progress_begin(&batch->progress,
                 batch->settings->progress_form &&
                     !strcmp(batch->settings->progress_form, "never"));
  if (has_launcher(batch->settings)) {
    launch(batch);
    return;
  }
  open_cache(batch);
  bool is_begun = work(batch);
  if (is_begun)
    say_what_is_left(batch);
  if (is_begun)
    results_tell_suppressions(batch->task, batch->database);
  if (is_begun && !batch->settings->format)
    batch_sum_up(batch);
  close_database(batch, is_begun && !batch_signal());
}

static void remove_folders(Folder *a, Folder *b) {
  if (a->path)
    folder_remove(a);
  if (b->path)
    folder_remove(b);
}

// Lists are read before anything is done, and named as workers find them.
static void check_lists(Task *task, const char *here, Settings *settings,
                        const char **error) {
  const char **lists[] = {&settings->ignore_list, &settings->baseline};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
    if (*lists[i] && **lists[i] != '/')
      *lists[i] = arena_printf(&task->arena, "%s/%s", here, *lists[i]);
  const Settings no_files = {.ignore_list = settings->ignore_list,
                             .baseline = settings->baseline};
  suppressions_open(task, &no_files, error);
}

int batch_command(Task *task, Settings *settings) {
  Batch batch = {.task = task, .settings = settings};
  Folder folder = {0}, notes = {0};
  const char *error = refusal(settings);
  char *here = getcwd(NULL, 0);
  if (!error && !here)
    error = strerror(errno);
  if (!error)
    check_lists(task, here, settings, &error);
  if (!error && !folder_make(task, &folder))
    error = arena_printf(&task->arena, "no folder for temporary files: %s",
                         strerror(errno));
  if (!error && settings->program_args.count)
    batch_record(task, settings, &notes, &error);
  if (error) {
    status_complain(&batch.status, EXIT_WRONG_USE, NULL, error);
    remove_folders(&folder, &notes);
    return batch.status;
  }
  batch.project = here;
  batch.scratch = folder.path;
  batch.versions = versions_text(task);
  run(&batch);
  remove_folders(&folder, &notes);
  free(here);
  if (batch_signal()) {
    fflush(NULL);
    signal(batch_signal(), SIG_DFL);
    raise(batch_signal());
  }
  return batch.status;
}
