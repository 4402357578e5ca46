// gpuverify FILE..: proves the kernels of the files, one after the other.
//
// Every file is looked at, whatever became of those before it; the exit status
// is that of the worst thing that happened.

#define _XOPEN_SOURCE 700

#include "plugin/plugin.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct Command {
  Task *task;
  const Settings *settings;
  int status;
  bool *args_met;   // by kernel_args: a kernel has the name
  bool *arrays_met; // by kernel_arrays
} Command;

// --------------------------------------------------------------- reports ---

static void mark(bool *met, const KernelReport *report, const char *kernel,
                 size_t index) {
  if (!strcmp(kernel, report->name) || !strcmp(kernel, report->source))
    met[index] = true;
}

static void report(void *data, const KernelReport *report) {
  Command *command = data;
  const Options *options = &command->settings->options;
  for (size_t i = 0; i < options->kernel_args.count; i++)
    mark(command->args_met, report, options->kernel_args.at[i].kernel, i);
  for (size_t i = 0; i < options->kernel_arrays.count; i++)
    mark(command->arrays_met, report, options->kernel_arrays.at[i].kernel, i);
  const BarriersReport *barriers = report->barriers;
  VerdictKind kind = barriers ? barriers->kind : report->verdict->kind;
  if (command->settings->json)
    report_json(stdout, report);
  else
    report_text(stdout, command->settings, report);
  output_flush();
  status_worsen(&command->status, status_as_asked(command->settings, kind));
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

static bool is_source(const char *file) {
  return has_suffix(file, ".cu") || has_suffix(file, ".cl");
}

static bool is_ir(const char *file) {
  return has_suffix(file, ".ll") || has_suffix(file, ".bc");
}

// What is wrong with the file before anyone looks into it, or NULL.
static const char *trouble_with(const char *file) {
  struct stat status;
  if (stat(file, &status))
    return strerror(errno);
  if (is_folder(file))
    return "this is a folder";
  if (has_suffix(file, ".ptx"))
    return "PTX is for 'gpuverify barriers'; the proof is of .cu, .cl, .ll and "
           ".bc files";
  if (!is_source(file) && !is_ir(file))
    return "not a .cu, .cl, .ll or .bc file";
  if (S_ISREG(status.st_mode) && !status.st_size)
    return "this file is empty";
  return access(file, R_OK) ? strerror(errno) : NULL;
}

// NULL: the reason was told.
static struct LLVMOpaqueModule *open_module(Command *command, const char *file,
                                            HostLaunches *launches) {
  const char *reason = NULL;
  struct LLVMOpaqueModule *module;
  if (is_source(file)) {
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

static void verify_file(Command *command, const char *file) {
  HostLaunches launches = {0};
  Reporter reporter = {report, command};
  const char *trouble = trouble_with(file);
  if (trouble) {
    status_complain(&command->status, EXIT_WRONG_USE, file, trouble);
    return;
  }
  if (command->settings->verbose)
    fprintf(stderr, "gpuverify: %s\n", file);
  struct LLVMOpaqueModule *module = open_module(command, file, &launches);
  if (!module)
    return;
  if (!verify_module(&command->settings->options, file, module, &launches,
                     &reporter))
    status_complain(&command->status, EXIT_WRONG_USE, file,
                    "there is no kernel in this file");
  llvm_free_module(module);
}

int verify_command(Task *task, Settings *settings) {
  const Options *options = &settings->options;
  Command command = {.task = task, .settings = settings};
  if (settings->json) // stdout is for a program to read
    settings->options.dump_out = stderr;
  command.args_met = arena_alloc(&task->arena, options->kernel_args.count);
  command.arrays_met = arena_alloc(&task->arena, options->kernel_arrays.count);
  for (size_t i = 0; i < settings->files.count; i++)
    verify_file(&command, settings->files.at[i]);
  check_names(&command);
  return command.status;
}
