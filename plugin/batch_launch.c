// gpuverify batch --launcher: the parts of a batch, as --shard has them, in
// processes that make or slurm starts; and their databases as one.
//
// Beside the database stands a folder with a script that proves one part, and
// with the database and the log of each.  A part that does not finish costs its
// own kernels.  The folder then stays, and the next start goes on with what
// each part has; when all have finished, it goes.

#define _GNU_SOURCE

#include "plugin/batch.h"
#include "plugin/run.h"

#include "base/words.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct Parts {
  Batch *batch;
  const char *folder; // absolute
  const char *output;
  const char *command; // gpuverify itself
  unsigned count, at_a_time;
  bool is_slurm;
} Parts;

static const char *in_folder(const Parts *parts, const char *name) {
  return arena_printf(&parts->batch->task->arena, "%s/%s", parts->folder, name);
}

static const char *part_file(const Parts *parts, unsigned part,
                             const char *suffix) {
  return in_folder(
      parts, arena_printf(&parts->batch->task->arena, "%u%s", part, suffix));
}

// ------------------------------------------------------------- the folder ---

// What was said to us, but for who starts it; the last word counts.
static void print_script(const Parts *parts, FILE *out) {
  Arena *arena = &parts->batch->task->arena;
  const Settings *settings = parts->batch->settings;
  const char *folder = shell_word(arena, parts->folder);
  fprintf(out,
          "#!/bin/sh\n"
          "# One part of a batch: that of the number given, or of the task of "
          "an array.\n"
          "part=${1:-$SLURM_ARRAY_TASK_ID}\n"
          "exec >%s/\"$part\".log 2>&1\n"
          "cd %s || exit\n"
          "exec %s batch",
          folder, shell_word(arena, parts->batch->project),
          shell_word(arena, parts->command));
  for (size_t i = 0; i < settings->words.count; i++)
    fprintf(out, " %s", shell_word(arena, settings->words.at[i]));
  fprintf(out,
          " -j %u --launcher=none --progress=never \\\n"
          "  --shard=\"$part\"/%u --output=%s/\"$part\".db\n",
          parts->is_slurm ? parts->at_a_time : 1, parts->count, folder);
}

// `make -jN -C FOLDER` does by hand what we do.
static void print_makefile(const Parts *parts, FILE *out) {
  Arena *arena = &parts->batch->task->arena;
  const char *names = "", *databases = "";
  for (unsigned i = 1; i <= parts->count; i++) {
    names = arena_printf(arena, "%s part%u", names, i);
    databases = arena_printf(arena, "%s %u.db", databases, i);
  }
  fputs("# Parts of a batch, and their results as one.\nmerged: parts\n\t",
        out);
  for (const char *at =
           arena_printf(arena, "%s merge %s", shell_word(arena, parts->command),
                        shell_word(arena, parts->output));
       *at; at++)
    fputs(*at == '$' ? "$$" : (char[]){*at, 0}, out);
  fprintf(out,
          "%s\nparts:%s\n%s:\n\t@sh ./part $(@:part%%=%%) || :\n"
          ".PHONY: merged parts%s\n",
          databases, names, names, names);
}

static bool write_file(const Parts *parts, const char *name,
                       void (*print)(const Parts *parts, FILE *out)) {
  FILE *out = fopen(in_folder(parts, name), "w");
  if (out)
    print(parts, out);
  return out && !fclose(out);
}

// The end of an earlier batch is none of this one.  False: *error.
static bool begin_part(const Parts *parts, unsigned part, const char **error) {
  Task *task = parts->batch->task;
  const char *file = part_file(parts, part, ".db");
  unlink(part_file(parts, part, ".log"));
  if (access(file, F_OK))
    return true;
  Database *database = database_open(task, file, error);
  if (database)
    database_unset(database, "ended");
  return database && database_close(task, database, error);
}

static bool prepare(const Parts *parts, const char **what, const char **error) {
  *what = parts->folder;
  bool is_there = !mkdir(parts->folder, 0777) || errno == EEXIST;
  if (!is_there || !write_file(parts, "part", print_script) ||
      !write_file(parts, "Makefile", print_makefile))
    *error = strerror(errno);
  for (unsigned i = 1; !*error && i <= parts->count; i++) {
    *what = part_file(parts, i, ".db");
    begin_part(parts, i, error);
  }
  *what = *error ? *what : NULL;
  return !*error;
}

// ---------------------------------------------------------------- running ---

// What it prints on stdout is ours to read, if `out` is given.
static pid_t start(char *const *words, int *out) {
  int ends[2] = {-1, -1};
  fflush(NULL);
  if (out && pipe(ends))
    return -1;
  pid_t process = fork();
  if (!process) {
    unsetenv("MAKEFLAGS"); // of a make that we may be part of
    dup2(out ? ends[1] : STDERR_FILENO, STDOUT_FILENO);
    execvp(words[0], words);
    fprintf(stderr, "gpuverify: %s: %s\n", words[0], strerror(errno));
    _exit(127);
  }
  if (out) {
    close(ends[1]);
    *out = ends[0];
  }
  return process;
}

static void cancel(char *job) {
  char *words[] = {"scancel", job, NULL};
  waitpid(start(words, NULL), NULL, 0);
}

// The status, as of waitpid.  When we are to end, it is told.
static int wait_for(pid_t process, char *job) {
  int status = -1;
  bool is_told = false;
  while (process > 0 && waitpid(process, &status, 0) < 0 && errno == EINTR)
    if (batch_signal() && !is_told) {
      is_told = true;
      if (job)
        cancel(job);
      kill(process, batch_signal());
    }
  return status;
}

static bool run_make(const Parts *parts, const char **error) {
  Arena *arena = &parts->batch->task->arena;
  char *words[] = {"make",  "-s",
                   "-k",    arena_printf(arena, "-j%u", parts->at_a_time),
                   "-C",    (char *)(uintptr_t)parts->folder,
                   "parts", NULL};
  int status = wait_for(start(words, NULL), NULL);
  if (status && !batch_signal())
    *error = "make did not start the parts";
  return !*error;
}

// sbatch prints the number of the job, and behind ';' the name of the cluster.
static char *read_job(const Parts *parts, int from) {
  FILE *in = fdopen(from, "r");
  char line[256] = "";
  while (in && !fgets(line, sizeof line, in) && errno == EINTR)
    clearerr(in);
  line[strcspn(line, ";\n")] = 0;
  return *line ? arena_copy(&parts->batch->task->arena, line) : NULL;
}

static bool run_slurm(const Parts *parts, const char **error) {
  Arena *arena = &parts->batch->task->arena;
  char *words[] = {"sbatch",
                   "--parsable",
                   "--wait",
                   "--export=ALL",
                   "--job-name=gpuverify",
                   "--output=/dev/null",
                   arena_printf(arena, "--array=1-%u", parts->count),
                   arena_printf(arena, "--cpus-per-task=%u", parts->at_a_time),
                   arena_printf(arena, "--chdir=%s", parts->folder),
                   (char *)(uintptr_t)in_folder(parts, "part"),
                   NULL};
  int from = -1;
  pid_t process = start(words, &from);
  char *job = process > 0 ? read_job(parts, from) : NULL;
  if (job && !parts->batch->progress.is_silent)
    fprintf(stderr, "gpuverify: job %s of slurm\n", job);
  wait_for(process, job);
  if (!job)
    *error = "sbatch did not take the job";
  return !*error;
}

// ---------------------------------------------------------------- results ---

static const char *end_of_log(const Parts *parts, unsigned part) {
  Arena *arena = &parts->batch->task->arena;
  FILE *in = fopen(part_file(parts, part, ".log"), "r");
  char *line = NULL, *last = NULL;
  size_t room = 0;
  while (in && getline(&line, &room, in) > 0)
    last = arena_copy(arena, line);
  free(line);
  if (in)
    fclose(in);
  if (!last)
    return "is empty";
  last[strcspn(last, "\n")] = 0;
  return arena_printf(arena, "ends with: %s", last);
}

static bool is_finished(const Parts *parts, unsigned part) {
  Task *task = parts->batch->task;
  const char *file = part_file(parts, part, ".db"), *error = NULL;
  if (access(file, F_OK))
    return false;
  Database *database = database_open(task, file, &error);
  bool is = database && database_get(task, database, "ended");
  return database && database_close(task, database, &error) && is;
}

static void take_part(const Parts *parts, unsigned part) {
  Batch *batch = parts->batch;
  const char *file = part_file(parts, part, ".db"), *error = NULL;
  bool is_whole = is_finished(parts, part);
  if (!is_whole) {
    const char *text = arena_printf(
        &batch->task->arena, "part %u of %u did not finish, and its log %s",
        part, parts->count, end_of_log(parts, part));
    fprintf(stderr, "gpuverify: %s\n", text);
    status_tell("unfinished", (Loc){0}, text);
    status_worsen(&batch->status, EXIT_NOT_DECIDED);
  }
  bool is_ended, is_taken = !access(file, F_OK) &&
                            database_take(batch->task, batch->database, file,
                                          &is_ended, &error);
  if (is_whole && !is_taken)
    status_complain(&batch->status, EXIT_WRONG_USE, file, error);
}

// When all have finished, what else we had is of an earlier batch.  False: some
// have not.
static bool merge(const Parts *parts) {
  Batch *batch = parts->batch;
  bool is_whole = true;
  for (unsigned i = 1; i <= parts->count; i++)
    is_whole &= is_finished(parts, i);
  database_forget_troubles(batch->database);
  database_forget_suppressions(batch->database);
  if (is_whole)
    database_forget_results(batch->database);
  for (unsigned i = 1; i <= parts->count; i++)
    take_part(parts, i);
  if (!is_whole)
    fprintf(stderr, "gpuverify: the next start goes on with what is in %s\n",
            parts->folder);
  return is_whole && !database_error(batch->database);
}

static const char *own_command(Task *task) {
  char *real = realpath("/proc/self/exe", NULL);
  const char *copy = real ? arena_copy(&task->arena, real) : "gpuverify";
  free(real);
  return copy;
}

static Parts parts_of(Batch *batch, const char *output) {
  Task *task = batch->task;
  const Settings *settings = batch->settings;
  return (Parts){.batch = batch,
                 .output = output,
                 .folder = arena_printf(&task->arena, "%s.parts", output),
                 .command = own_command(task),
                 .count = settings->shards ? settings->shards : 4,
                 .at_a_time = jobs_workers(settings->threads),
                 .is_slurm = !strcmp(settings->launcher, "slurm")};
}

bool batch_launch(Batch *batch, const char *output) {
  Parts parts = parts_of(batch, output);
  const char *what = NULL, *error = NULL;
  bool is_run =
      prepare(&parts, &what, &error) &&
      (parts.is_slurm ? run_slurm(&parts, &error) : run_make(&parts, &error));
  if (!is_run) {
    status_complain(&batch->status, EXIT_WRONG_USE, what, error);
    return false;
  }
  bool is_whole = merge(&parts);
  results_tell(batch->task, batch->database, batch->settings, &batch->status);
  if (is_whole) {
    folder_remove_files(parts.folder);
    rmdir(parts.folder);
  }
  return is_whole;
}
