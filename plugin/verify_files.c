// gpuverify FILE..: proves the kernels of the files, one after the other, or
// with -j some at a time, which is told as if it were one after the other.
// CUDA files are compiled before, all of them, for one may launch the kernels
// of another (across.c).
//
// Every file is looked at, whatever became of those before it; the exit status
// is that of the worst thing that happened.

#define _XOPEN_SOURCE 700

#include "plugin/across.h"
#include "plugin/suppress.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct Command {
  Task *task;
  const Settings *settings;
  size_t files_left; // behind the one that is looked at
  unsigned workers;  // for its kernels
  OpenFiles open;    // in the order of the files; none: each is alone
  int status;
  bool *args_met;   // by kernel_args: a kernel has the name
  bool *arrays_met; // by kernel_arrays
} Command;

// --------------------------------------------------------------- reports ---

static void mark(bool *met, const KernelEntry *entry, const char *kernel,
                 size_t index) {
  if (!strcmp(kernel, entry->name) || !strcmp(kernel, entry->source))
    met[index] = true;
}

static void mark_all(Command *command, const KernelEntry *entry) {
  const Options *options = &command->settings->options;
  for (size_t i = 0; i < options->kernel_args.count; i++)
    mark(command->args_met, entry, options->kernel_args.at[i].kernel, i);
  for (size_t i = 0; i < options->kernel_arrays.count; i++)
    mark(command->arrays_met, entry, options->kernel_arrays.at[i].kernel, i);
}

static void print(const Command *command, const KernelReport *report) {
  Arena arena = {0};
  ReportStyle style = settings_style(command->settings);
  settings_print(command->settings, diagnose_kernel(&arena, &style, report));
  arena_free(&arena);
}

static void report(void *data, const KernelReport *report) {
  Command *command = data;
  interrupt_hold(true); // until it is known what is left
  print(command, report);
  suppressions_tell(command->settings->options.suppressions);
  output_flush();
  status_worsen(&command->status, status_of_report(command->settings, report));
}

static int status_so_far(void *data) { return ((Command *)data)->status; }

static void note(void *data, const KernelEntry *entry, int status) {
  Command *command = data;
  mark_all(command, entry);
  status_worsen(&command->status, status);
}

static void begins(void *data, const KernelsLeft *left) {
  const Command *command = data;
  Arena arena = {0};
  interrupt_says(left->file, kernels_left_text(&arena, left),
                 command->files_left);
  interrupt_hold(false);
  arena_free(&arena);
}

// One line for people; for programs, an object for each as ever.
static void left_out(void *data, const KernelsLeft *left) {
  Command *command = data;
  Verdict verdict = {.kind = VERDICT_UNKNOWN, .reason = FILE_TIME_IS_OVER};
  Arena arena = {0};
  if (!command->settings->format)
    settings_print(command->settings, diagnose_left_out(&arena, left));
  for (size_t i = 0; i < left->count; i++) {
    const KernelEntry *entry = &left->at[i];
    KernelReport one = {.file = left->file,
                        .name = entry->name,
                        .source = entry->source,
                        .loc = entry->loc,
                        .launch = &command->settings->options.launch,
                        .verdict = &verdict};
    one.accepted =
        suppressions_accept(command->settings->options.suppressions, &one);
    mark_all(command, entry);
    if (command->settings->format)
      print(command, &one);
    status_worsen(&command->status, status_of_report(command->settings, &one));
  }
  arena_free(&arena);
}

// A name that no kernel has is a mistake, not a wish.
static void check_names(Command *command) {
  const Options *options = &command->settings->options;
  for (size_t i = 0; i < options->kernel_args.count; i++)
    if (!command->args_met[i])
      status_complain(&command->status, EXIT_WRONG_USE,
                      "--kernel-args: no kernel is called",
                      options->kernel_args.at[i].kernel);
  for (size_t i = 0; i < options->kernel_arrays.count; i++)
    if (!command->arrays_met[i])
      status_complain(&command->status, EXIT_WRONG_USE,
                      "--kernel-arrays: no kernel is called",
                      options->kernel_arrays.at[i].kernel);
}

// ----------------------------------------------------------------- files ---

static bool is_ir(const char *file) {
  return has_suffix(file, ".ll") || has_suffix(file, ".bc");
}

// What is wrong with the file before anyone looks into it, or NULL.
static const char *trouble_with(const Settings *settings, const char *file) {
  struct stat status;
  if (stat(file, &status))
    return strerror(errno);
  if (is_folder(file))
    return "this is a folder";
  if (has_suffix(file, ".ptx"))
    return "PTX is for 'gpuverify barriers'; the proof is of .cu, .hip, .cl, "
           ".ll and .bc files";
  if (!is_source(settings, file) && !is_ir(file))
    return "not a .cu, .hip, .cl, .ll or .bc file";
  if (S_ISREG(status.st_mode) && !status.st_size)
    return "this file is empty";
  return access(file, R_OK) ? strerror(errno) : NULL;
}

// NULL: the reason was told.
static struct LLVMOpaqueModule *open_module(Command *command, const char *file,
                                            HostLaunches *launches) {
  const char *reason = NULL;
  struct LLVMOpaqueModule *module;
  if (is_source(command->settings, file)) {
    module = frontend_compile(command->task, command->settings, file, launches);
    if (!module)
      status_complain(&command->status, EXIT_FRONT_END, file,
                      "does not compile");
  } else {
    module = llvm_read_file(command->task, file, &reason);
    if (!module)
      status_complain(&command->status, EXIT_FRONT_END, file, reason);
  }
  return module;
}

static void say_file(const Command *command, const char *file) {
  if (command->settings->verbose)
    fprintf(stderr, "gpuverify: %s\n", file);
  interrupt_says(file, "any kernel", command->files_left);
  interrupt_hold(false);
}

// `which` of those that are open, if some are.
static void verify_file(Command *command, const char *file, size_t which) {
  HostLaunches launches = {0};
  const OpenFile *open =
      which < command->open.count ? &command->open.at[which] : NULL;
  Reporter reporter = {.kernel = report,
                       .left_out = left_out,
                       .begins = begins,
                       .data = command,
                       .workers = command->workers,
                       .status = status_so_far,
                       .note = note};
  const char *trouble = trouble_with(command->settings, file);
  if (trouble) {
    status_complain(&command->status, EXIT_WRONG_USE, file, trouble);
    return;
  }
  struct LLVMOpaqueModule *module;
  if (open && open->is_tried) {
    module = open->module;
    launches = launches_across(command->task, &command->open, which);
  } else {
    say_file(command, file);
    module = open_module(command, file, &launches);
  }
  if (!module)
    return;
  Options options = command->settings->options;
  if (is_ir(file))
    rungs_without_source(options.tried);
  bool is_for_others =
      open && !options.kernel &&
      (open->is_linked || launches_others(&command->open, which));
  if (!verify_module(&options, file, module, &launches, &reporter) &&
      !is_for_others)
    status_complain(&command->status, EXIT_WRONG_USE, file,
                    options.kernel
                        ? arena_printf(&command->task->arena,
                                       "there is no kernel '%s' in this file",
                                       options.kernel)
                        : "there is no kernel in this file");
  llvm_free_module(module);
}

// -------------------------------------------------------------- together ---

// HIP is CUDA by another name.
static bool is_cuda(const Command *command, const char *file) {
  Language language = settings_language(command->settings, file);
  return is_source(command->settings, file) &&
         (language == LANGUAGE_CUDA || language == LANGUAGE_HIP);
}

static void find_kernels(Task *task, void *data) {
  OpenFile *file = data;
  llvm_find_kernels(task, file->module, &file->kernels);
}

static void open_file(Command *command, OpenFile *file) {
  if (!file->is_cuda || trouble_with(command->settings, file->file))
    return;
  say_file(command, file->file);
  file->is_tried = true;
  file->module = open_module(command, file->file, &file->launches);
  file->is_read = file->module;
  if (file->module && !task_run(command->task, find_kernels, file))
    push(&command->task->arena, &file->launches,
         ((HostLaunch){.kernel = "", .is_elsewhere = true}));
}

// One CUDA file has nobody to be together with.
static void open_together(Command *command) {
  enum { MOST_FILES = 100 }; // they are in memory at once
  const Settings *settings = command->settings;
  OpenFiles files = {0};
  size_t count = 0;
  for (size_t i = 0; i < settings->files.count; i++) {
    OpenFile file = {.file = settings->files.at[i],
                     .is_cuda = is_cuda(command, settings->files.at[i])};
    push(&command->task->arena, &files, file);
    count += file.is_cuda;
  }
  if (count < 2 || count > MOST_FILES)
    return;
  for (size_t i = 0; i < files.count; i++) {
    command->files_left = files.count - 1 - i;
    open_file(command, &files.at[i]);
  }
  link_across(&files);
  command->open = files;
}

// ---------------------------------------------------------- intercepted ---

static void make_room_for_names(Command *command) {
  const Options *options = &command->settings->options;
  Arena *arena = &command->task->arena;
  command->args_met = arena_alloc(arena, options->kernel_args.count);
  command->arrays_met = arena_alloc(arena, options->kernel_arrays.count);
}

static void verify_launch(Command *command, const Settings *launch) {
  Command one = *command;
  one.settings = launch;
  make_room_for_names(&one);
  one.open.count = 0;
  verify_file(&one, launch->files.at[0], 0);
  check_names(&one);
  command->status = one.status;
}

static void verify_intercepted(Command *command, const char *file) {
  Intercepted launches = {0};
  const char *error = NULL;
  if (!intercepted_read(command->task, command->settings, file, &launches,
                        &error))
    status_complain(&command->status, EXIT_WRONG_USE, file, error);
  for (size_t i = 0; !error && i < launches.count; i++)
    verify_launch(command, &launches.at[i]);
}

static void print_notes(const Settings *settings) {
  for (size_t i = 0; i < settings->warnings.count; i++)
    fprintf(stderr, "gpuverify: warning: %s\n", settings->warnings.at[i]);
  for (size_t i = 0; settings->verbose && i < settings->ignored.count; i++)
    fprintf(stderr, "gpuverify: %s\n", settings->ignored.at[i]);
}

static int file_job(void *data, size_t job) {
  Command *command = data;
  command->files_left = command->settings->files.count - 1 - job;
  const char *file = command->settings->files.at[job];
  if (has_suffix(file, ".json"))
    verify_intercepted(command, file);
  else
    verify_file(command, file, job);
  suppressions_tell(command->settings->options.suppressions);
  return command->status;
}

static void note_file(void *data, int status) {
  status_worsen(&((Command *)data)->status, status);
}

// Among the files, and then of what one of them has among its kernels.  Which
// kernels were met is known only where they were.
static void share_workers(Command *command) {
  const Settings *settings = command->settings;
  const Options *options = &settings->options;
  size_t files = settings->files.count;
  unsigned workers = jobs_workers(settings->threads);
  bool has_names = options->kernel_args.count || options->kernel_arrays.count;
  bool is_shared = files >= workers && !has_names;
  command->workers = is_shared ? 1 : workers;
  jobs_do(&(Jobs){files, file_job, note_file, command},
          is_shared ? workers : 1);
}

int verify_command(Task *task, Settings *settings) {
  Command command = {.task = task, .settings = settings};
  if (settings->format) // stdout is for a program to read
    settings->options.dump_out = stderr;
  make_room_for_names(&command);
  print_notes(settings);
  if (!suppressions_begin(task, settings, &command.status))
    return command.status;
  interrupt_catch();
  open_together(&command);
  share_workers(&command);
  interrupt_hold(false);
  check_names(&command);
  suppressions_end(settings, &command.status);
  return command.status;
}
