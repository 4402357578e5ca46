// gpuverify barriers: from PTX, or from CUDA by way of PTX, to a verdict on one
// block.
//
// The kernel is executed for one block, with what is known of its arguments,
// into one program for each warp (barriers/), and these are checked for every
// schedule.  Each kernel is a task of its own; one that gives up is an
// `unknown` with its reason.

#define _XOPEN_SOURCE 700

#include "barriers/barriers.h"
#include "plugin/plugin.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MEGABYTE = 1 << 20, MOST_FILE_BYTES = 1 << 30 };

typedef struct BarriersCommand {
  Task task; // of the options and files
  Settings settings;
  int status;
  bool is_entry_met;
} BarriersCommand;

// A file as PTX.
typedef struct Source {
  const char *file, *text;
  HostLaunches launches;
  Ptx *ptx;
  const char *reason; // why there is none
  Loc where;
} Source;

// One kernel under one launch.
typedef struct Work {
  Task task;
  const PtxKernel *kernel;
  const Settings *settings;
  const Launch *launch; // in the host code of the file, or NULL
  EmulationOptions emulation;
  Programs *programs;
  Check check;
  bool is_checked;
  BarriersReport report;
} Work;

// ---------------------------------------------------------------- launch ---

static bool all_known(const Extent extents[3], uint32_t values[3]) {
  for (unsigned axis = 0; axis < 3; axis++)
    values[axis] = extents[axis].value;
  return extents[0].known && extents[1].known && extents[2].known;
}

// From the options, from the launch in the source, or from the PTX.
static bool find_block_size(const Work *work, uint32_t size[3]) {
  const Extent *given = work->settings->options.launch.block;
  if (extents_are_given(given))
    return all_known(given, size);
  if (work->launch && all_known(work->launch->block, size))
    return true;
  return ptx_kernel_block_size(work->kernel, size);
}

// Beyond the block that is looked at there is nothing if nobody says so.
static void find_grid_size(const Work *work, uint32_t size[3]) {
  const Settings *settings = work->settings;
  const Extent *given = settings->options.launch.grid;
  if (extents_are_given(given)
          ? all_known(given, size)
          : work->launch && all_known(work->launch->grid, size))
    return;
  for (unsigned axis = 0; axis < 3; axis++)
    size[axis] = settings->block_id[axis] + 1;
}

// NULL, or what is wrong.  SOUND(one-block)
static const char *fill_launch(Work *work) {
  EmulationOptions *emulation = &work->emulation;
  uint64_t threads = 1;
  if (!find_block_size(work, emulation->block_size))
    return "the block size is not known: give --blockDim";
  for (unsigned axis = 0; axis < 3; axis++)
    threads *= emulation->block_size[axis];
  if (threads > (uint64_t)MOST_WARPS * WARP)
    return "a block has at most 1024 threads";
  find_grid_size(work, emulation->grid_size);
  for (unsigned axis = 0; axis < 3; axis++) {
    emulation->block[axis] = work->settings->block_id[axis];
    if (emulation->block[axis] >= emulation->grid_size[axis])
      return "--block is outside the grid";
  }
  emulation->lock_step = work->settings->lock_step;
  return NULL;
}

static bool is_named(const char *name, const PtxKernel *kernel, Task *task) {
  const char *own = ptx_kernel_name(kernel);
  return !strcmp(name, own) || !strcmp(name, plain_name(task, own));
}

static void give_arguments(Work *work, size_t count, const Argument *values) {
  PtxArgument *arguments =
      arena_alloc(&work->task.arena, (count + 1) * sizeof *arguments);
  for (size_t i = 0; i < count; i++)
    arguments[i] = (PtxArgument){values[i].known, values[i].value};
  work->emulation.arguments = arguments;
  work->emulation.argument_count = count;
}

// PTX does not tell pointers from numbers, so --kernel-args counts both.
static void fill_arguments(Work *work) {
  const Options *options = &work->settings->options;
  if (work->launch)
    give_arguments(work, work->launch->arguments.count,
                   work->launch->arguments.at);
  for (size_t i = 0; i < options->kernel_args.count; i++) {
    const KernelValues *given = &options->kernel_args.at[i];
    if (is_named(given->kernel, work->kernel, &work->task))
      give_arguments(work, given->values.count, given->values.at);
  }
}

// ------------------------------------------------------------ one kernel ---

static void check_kernel(Task *task, void *data) {
  Work *work = data;
  fill_arguments(work);
  work->programs = ptx_emulate(task, work->kernel, &work->emulation);
  if (work->settings->options.dump)
    programs_print(task, work->programs,
                   work->settings->json ? stderr : stdout);
  work->is_checked = true;
  programs_check(task, work->programs, &work->check);
}

static unsigned rank_of(VerdictKind kind) {
  return kind == VERDICT_RACY ? 3 : kind == VERDICT_DEADLOCK ? 2 : 1;
}

// A finding counts whatever came after it.
static VerdictKind worst_of(const BarriersReport *report) {
  VerdictKind worst = report->reason ? VERDICT_UNKNOWN : VERDICT_VERIFIED;
  size_t count = report->check ? report->check->findings.count : 0;
  for (size_t i = 0; i < count; i++) {
    VerdictKind kind = finding_verdict(report, i);
    if (i == 0 || rank_of(kind) > rank_of(worst))
      worst = kind;
  }
  return worst;
}

static void tell(BarriersCommand *command, const BarriersReport *report) {
  if (command->settings.json)
    report_barriers_json(stdout, report);
  else
    report_barriers_text(stdout, &command->settings, report);
  fflush(stdout);
  status_worsen(&command->status, status_of(report->kind));
}

static void run(Work *work) {
  BarriersReport *result = &work->report;
  const Options *options = &work->settings->options;
  const char *trouble = fill_launch(work);
  double start = clock_seconds();
  memcpy(result->block_size, work->emulation.block_size, sizeof(uint32_t[3]));
  memcpy(result->grid_size, work->emulation.grid_size, sizeof(uint32_t[3]));
  memcpy(result->block, work->emulation.block, sizeof(uint32_t[3]));
  if (trouble) {
    result->kind = VERDICT_ERROR;
    result->reason = trouble;
    return;
  }
  work->task.deadline = options->timeout ? start + options->timeout : 0;
  work->task.memory = (size_t)options->memory * MEGABYTE;
  if (!task_run(&work->task, check_kernel, work)) {
    result->reason = work->task.reason;
    result->where = work->task.where;
  }
  result->programs = work->programs;
  result->check = work->is_checked ? &work->check : NULL;
  result->seconds = clock_seconds() - start;
  result->kind = worst_of(result);
}

// The worse of two, the first where they are alike; the other one goes.
static Work *worse(Work *a, Work *b) {
  bool is_second =
      status_is_worse(status_of(b->report.kind), status_of(a->report.kind));
  Work *gone = is_second ? a : b;
  arena_free(&gone->task.arena);
  return is_second ? b : a;
}

static Work *run_launch(BarriersCommand *command, Task *task,
                        const Source *source, const PtxKernel *kernel,
                        const Launch *launch) {
  Work *work = NEW(&task->arena, Work);
  *work = (Work){.kernel = kernel,
                 .settings = &command->settings,
                 .launch = launch,
                 .report = {.file = source->file,
                            .kernel = ptx_kernel_name(kernel),
                            .source = plain_name(task, ptx_kernel_name(kernel)),
                            .loc = ptx_kernel_loc(kernel)}};
  run(work);
  return work;
}

// Under each launch that the host code makes, or else what the options say.
static void check_one(BarriersCommand *command, Task *task,
                      const Source *source, const PtxKernel *kernel) {
  const HostLaunches *launches = &source->launches;
  Work *worst = NULL;
  for (size_t i = 0; i < launches->count; i++) {
    if (strcmp(launches->at[i].kernel, ptx_kernel_name(kernel)) != 0)
      continue;
    Work *work =
        run_launch(command, task, source, kernel, &launches->at[i].launch);
    worst = worst ? worse(worst, work) : work;
  }
  if (!worst)
    worst = run_launch(command, task, source, kernel, NULL);
  tell(command, &worst->report);
  arena_free(&worst->task.arena);
}

// ------------------------------------------------------------- one file ---

static bool is_folder(const char *file) {
  struct stat status;
  return !stat(file, &status) && S_ISDIR(status.st_mode);
}

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
  const char *reason = NULL;
  struct LLVMOpaqueModule *module = frontend_compile(
      task, &command->settings, source->file, &source->launches);
  if (module) {
    source->text = llvm_to_ptx(task, module, &reason);
    llvm_free_module(module);
  }
  if (!source->text)
    status_complain(&command->status, EXIT_FRONT_END, source->file,
                    reason ? reason : "does not compile");
  return source->text;
}

static bool open_source(BarriersCommand *command, Task *task, Source *source) {
  const char *reason = NULL;
  bool is_cuda = has_suffix(source->file, ".cu");
  if (is_folder(source->file))
    reason = "this is a folder";
  else if (is_cuda || has_suffix(source->file, ".ptx"))
    source->text = read_text(&task->arena, source->file, &reason);
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
}

static void check_kernels(BarriersCommand *command, const Source *source,
                          Task *task) {
  const char *entry = command->settings.entry;
  if (!ptx_kernel_count(source->ptx))
    status_complain(&command->status, EXIT_WRONG_USE, source->file,
                    "there is no kernel in this file");
  for (size_t i = 0; i < ptx_kernel_count(source->ptx); i++) {
    const PtxKernel *kernel = ptx_kernel(source->ptx, i);
    if (entry && !is_named(entry, kernel, task))
      continue;
    command->is_entry_met = true;
    check_one(command, task, source, kernel);
  }
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
  arena_free(&task.arena);
}

// --------------------------------------------------------------- command ---

static bool read_options(BarriersCommand *command, int count, char **texts) {
  Task *task = &command->task;
  Settings *settings = &command->settings;
  const char *error = NULL;
  if (settings_read(task, settings, DOOR_BARRIERS, count, texts, &error))
    return true;
  status_complain(&command->status, EXIT_WRONG_USE, NULL, error);
  return false;
}

static void check_files(BarriersCommand *command) {
  const Settings *settings = &command->settings;
  if (!settings->files.count)
    status_complain(&command->status, EXIT_WRONG_USE, NULL,
                    "no file is given (see gpuverify barriers --help)");
  for (size_t i = 0; i < settings->files.count; i++)
    check_file(command, settings->files.at[i]);
  if (settings->entry && settings->files.count && !command->is_entry_met)
    status_complain(&command->status, EXIT_WRONG_USE,
                    "--entry: no kernel is called", settings->entry);
}

int barriers_command(int count, char **texts) {
  BarriersCommand command = {.status = EXIT_ALL_VERIFIED};
  if (read_options(&command, count, texts)) {
    if (command.settings.help)
      settings_help(DOOR_BARRIERS, stdout);
    else
      check_files(&command);
  }
  arena_free(&command.task.arena);
  return command.status;
}
