// gpuverify barriers: from PTX, or from CUDA by way of PTX, to a verdict on one
// block.
//
// barriers_kernel.c has what is done with each kernel.  --threads is shared
// out among the files, and what a file has of it among its kernels; each of
// them is a job (jobs.c).

#define _XOPEN_SOURCE 700

#include "barriers/barriers.h"
#include "plugin/suppress.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FILE_BYTES = 1 << 30 };

typedef struct BarriersCommand {
  Task *task; // of the options and files
  Settings *settings;
  int status;
  bool is_entry_met;
} BarriersCommand;

// A file as PTX.
typedef struct Source {
  const char *file, *text;
  Arena arena; // of the text of a file, which goes when it is parsed
  HostLaunches launches;
  Ptx *ptx;
  const char *reason; // why there is none
  Loc where;
} Source;

// ------------------------------------------------------------ one kernel ---

// Of the verdict alone; what is known of each finding comes behind it.
static int status_of_kind(const Settings *settings,
                          const BarriersReport *report) {
  return report->kind == VERDICT_ONE_BLOCK
             ? status_as_asked(settings, report->kind)
             : status_of(report->kind);
}

static void tell(BarriersCommand *command, const BarriersReport *report) {
  const Settings *settings = command->settings;
  Arena arena = {0};
  ReportStyle style = settings_style(settings);
  Diagnosis *diagnosis = diagnose_barriers(&arena, &style, report);
  int status = suppressions_settle(settings->options.suppressions, settings,
                                   diagnosis, status_of_kind(settings, report));
  settings_print(settings, diagnosis);
  suppressions_tell(settings->options.suppressions);
  arena_free(&arena);
  output_flush();
  status_worsen(&command->status, status);
}

static double deadline_of(const Settings *settings) {
  unsigned seconds = settings->options.timeout;
  return seconds ? work_seconds() + seconds : 0;
}

// Under each launch that the host code makes, or else what the options say.
static void check_one(BarriersCommand *command, const Source *source,
                      const PtxKernel *kernel) {
  const HostLaunches *host = &source->launches;
  Task task = {0};
  BarriersQuestion question = {.file = source->file,
                               .kernel = kernel,
                               .settings = command->settings,
                               .deadline = deadline_of(command->settings)};
  for (size_t i = 0; i < host->count; i++)
    if (!strcmp(host->at[i].kernel, ptx_kernel_name(kernel)))
      push(&task.arena, &question.launches, host->at[i].launch);
  tell(command, barriers_check(&task, &question));
  arena_free(&task.arena);
}

// ------------------------------------------------------------- one file ---

// NULL: *reason says why.
static char *read_text(Arena *arena, const char *file, const char **reason) {
  FILE *in = fopen(file, "rb");
  long size = -1;
  if (in && !fseek(in, 0, SEEK_END))
    size = ftell(in);
  if (size < 0 || size > MOST_FILE_BYTES || fseek(in, 0, SEEK_SET)) {
    *reason =
        size > MOST_FILE_BYTES ? "this file is too large" : strerror(errno);
    if (in)
      fclose(in);
    return NULL;
  }
  char *text = arena_alloc(arena, (size_t)size + 1);
  bool is_whole = fread(text, 1, (size_t)size, in) == (size_t)size;
  fclose(in);
  *reason = !is_whole                      ? "cannot be read"
            : !size                        ? "this file is empty"
            : strlen(text) != (size_t)size ? "this is no text"
                                           : NULL;
  return *reason ? NULL : text;
}

static void complain_at(BarriersCommand *command, const char *file, Loc where,
                        const char *reason) {
  fputs("gpuverify: ", stderr);
  report_place(stderr, where, file);
  fprintf(stderr, ": %s\n", reason);
  status_worsen(&command->status, EXIT_FRONT_END);
}

// CUDA as PTX.  False: the reason was told.
static bool compile(BarriersCommand *command, Task *task, Source *source) {
  const char *reason = "does not compile";
  const ClangSide *clang = clang_side(task, &reason);
  if (!clang) {
    status_complain(&command->status, EXIT_WRONG_USE, CLANG_LIBRARY, reason);
    return false;
  }
  source->text = clang->cuda_to_ptx(task, command->settings, source->file,
                                    &source->launches, &reason);
  if (!source->text)
    status_complain(&command->status, EXIT_FRONT_END, source->file, reason);
  return source->text;
}

static bool open_source(BarriersCommand *command, Task *task, Source *source) {
  const char *reason = NULL;
  bool is_cuda = has_suffix(source->file, ".cu");
  if (is_folder(source->file))
    reason = "this is a folder";
  else if (is_cuda || has_suffix(source->file, ".ptx"))
    source->text = read_text(&source->arena, source->file, &reason);
  else if (has_suffix(source->file, ".cl"))
    reason =
        "OpenCL has no named barriers; 'gpuverify' without 'barriers' "
        "proves such a file";
  else
    reason = "not a .ptx or .cu file";
  if (reason) {
    status_complain(&command->status, EXIT_WRONG_USE, source->file, reason);
    return false;
  }
  if (!is_cuda)
    return true;
  source->text = NULL;
  return compile(command, task, source);
}

static void parse(Task *task, void *data) {
  Source *source = data;
  if (!ptx_parse(task, source->file, source->text, &source->ptx,
                 &source->reason, &source->where))
    source->ptx = NULL;
  arena_free(&source->arena);
}

// The kernels of a file that are wanted.
typedef struct KernelJobs {
  BarriersCommand *command;
  const Source *source;
  Vec(const PtxKernel *) kernels;
} KernelJobs;

static int check_job(void *data, size_t job) {
  KernelJobs *jobs = data;
  check_one(jobs->command, jobs->source, jobs->kernels.at[job]);
  return jobs->command->status;
}

static void note_kernel(void *data, int status) {
  status_worsen(&((KernelJobs *)data)->command->status, status);
}

static bool has_kernel(Task *task, const Ptx *ptx, const char *name) {
  for (size_t i = 0; i < ptx_kernel_count(ptx); i++)
    if (barriers_is_named(task, ptx_kernel(ptx, i), name))
      return true;
  return false;
}

// Of several files another one may have it.
static void check_names(BarriersCommand *command, Task *task, const Ptx *ptx) {
  const Settings *settings = command->settings;
  const Options *options = &settings->options;
  for (size_t i = 0;
       settings->files.count == 1 && i < options->kernel_args.count; i++)
    if (!has_kernel(task, ptx, options->kernel_args.at[i].kernel))
      status_complain(&command->status, EXIT_WRONG_USE,
                      "--kernel-args: no kernel is called",
                      options->kernel_args.at[i].kernel);
}

static void check_kernels(BarriersCommand *command, const Source *source,
                          Task *task) {
  const char *entry = command->settings->entry;
  KernelJobs jobs = {.command = command, .source = source};
  if (!ptx_kernel_count(source->ptx))
    status_complain(&command->status, EXIT_WRONG_USE, source->file,
                    "there is no kernel in this file");
  check_names(command, task, source->ptx);
  for (size_t i = 0; i < ptx_kernel_count(source->ptx); i++) {
    const PtxKernel *kernel = ptx_kernel(source->ptx, i);
    if (!entry || barriers_is_named(task, kernel, entry))
      push(&task->arena, &jobs.kernels, kernel);
  }
  command->is_entry_met |= jobs.kernels.count > 0;
  jobs_do(&(Jobs){jobs.kernels.count, check_job, note_kernel, &jobs},
          command->settings->threads);
}

static void check_file(BarriersCommand *command, const char *file) {
  Task task = {0};
  Source source = {.file = file};
  if (open_source(command, &task, &source)) {
    if (!task_run(&task, parse, &source))
      complain_at(command, file, task.where, task.reason);
    else if (!source.ptx)
      complain_at(command, file, source.where, source.reason);
    else
      check_kernels(command, &source, &task);
  }
  arena_free(&source.arena);
  arena_free(&task.arena);
}

// --------------------------------------------------------------- command ---

enum { ENTRY_MET = 128 }; // beside an exit status

static int file_job(void *data, size_t job) {
  BarriersCommand *command = data;
  check_file(command, command->settings->files.at[job]);
  suppressions_tell(command->settings->options.suppressions);
  return command->status | (command->is_entry_met ? ENTRY_MET : 0);
}

static void note_file(void *data, int code) {
  BarriersCommand *command = data;
  status_worsen(&command->status, code & ~ENTRY_MET);
  command->is_entry_met |= (code & ENTRY_MET) != 0;
}

// Among the files, and then of what one of them has among its kernels.
static void share_threads(BarriersCommand *command) {
  size_t files = command->settings->files.count;
  unsigned workers = jobs_workers(command->settings->threads);
  command->settings->threads =
      files < workers ? workers / (files ? (unsigned)files : 1) : 1;
  jobs_do(&(Jobs){files, file_job, note_file, command}, workers);
}

// Once, and not in each copy of this process.
static void load_clang(BarriersCommand *command) {
  const char *reason;
  for (size_t i = 0; i < command->settings->files.count; i++)
    if (has_suffix(command->settings->files.at[i], ".cu")) {
      clang_side(command->task, &reason); // who needs it tells the reason
      return;
    }
}

static bool has_ptx(const Settings *settings) {
  for (size_t i = 0; i < settings->files.count; i++)
    if (has_suffix(settings->files.at[i], ".ptx"))
      return true;
  return false;
}

int barriers_command(Task *task, Settings *settings) {
  BarriersCommand command = {.task = task, .settings = settings};
  if (!suppressions_begin(task, settings, &command.status))
    return command.status;
  if (has_ptx(settings))
    suppressions_know_no_functions(settings->options.suppressions);
  load_clang(&command);
  share_threads(&command);
  if (settings->entry && !command.is_entry_met)
    status_complain(&command.status, EXIT_WRONG_USE,
                    "--entry: no kernel is called", settings->entry);
  suppressions_end(settings, &command.status);
  return command.status;
}
