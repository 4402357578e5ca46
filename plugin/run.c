// The commands `gpuverify run` and `gpuverify launch`.
//
// run executes one kernel of a file with the launch that a launch file
// describes, on this machine's processor.  launch writes such a file to begin
// with, with what the host code of the file says about sizes.

#define _POSIX_C_SOURCE 200809L

#include "plugin/run.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct RunCommand {
  Task task;
  Settings settings;
  FrontDoor door;
  HostLaunches launches;
  struct LLVMOpaqueModule *module;
  KernelEntries kernels;
  const KernelEntry *entry;
  Code *code;
  int status;
} RunCommand;

// ---------------------------------------------------------------- kernel ---

static bool open_module(RunCommand *command, const char *file) {
  Task *task = &command->task;
  const char *reason = "does not compile";
  bool is_ir = has_suffix(file, ".ll") || has_suffix(file, ".bc");
  command->module = is_ir ? llvm_read_file(task, file, &reason)
                          : frontend_compile(task, &command->settings, file,
                                             &command->launches);
  if (command->module && llvm_prepare(task, command->module, &reason))
    return true;
  status_complain(&command->status, EXIT_FRONT_END, file, reason);
  return false;
}

static bool is_named(const KernelEntry *entry, const char *name) {
  return !strcmp(entry->source, name) || !strcmp(entry->name, name);
}

// The kernel of this name; with no name the only one.
static bool find_kernel(RunCommand *command, const char *file,
                        const char *name) {
  const KernelEntries *kernels = &command->kernels;
  llvm_find_kernels(&command->task, command->module, &command->kernels);
  for (size_t i = 0; name && i < kernels->count; i++)
    if (is_named(&kernels->at[i], name))
      command->entry = &kernels->at[i];
  if (!name && kernels->count == 1)
    command->entry = &kernels->at[0];
  if (command->entry)
    return true;
  if (name)
    status_complain(&command->status, EXIT_WRONG_USE, "no kernel is called",
                    name);
  else
    status_complain(&command->status, EXIT_WRONG_USE, file,
                    kernels->count ? "it has several kernels; name one"
                                   : "there is no kernel in this file");
  return false;
}

static void survey(Task *task, void *data) {
  RunCommand *command = data;
  command->code = code_from_llvm(task, command->module, command->entry);
}

static bool open_kernel(RunCommand *command, const char *file,
                        const char *name) {
  Task *task = &command->task;
  if (!open_module(command, file) || !find_kernel(command, file, name))
    return false;
  if (task_run(task, survey, command))
    return true;
  report_place(stderr, task->where, file);
  fprintf(stderr, ": %s\n", task->reason);
  status_complain(&command->status, EXIT_NOT_DECIDED, command->entry->source,
                  "this kernel cannot be executed here");
  return false;
}

// ------------------------------------------------------------------- run ---

static Watch watch_of(const Settings *settings) {
  if (!settings->detect || !strcmp(settings->detect, "bounds"))
    return WATCH_ACCESSES;
  return strcmp(settings->detect, "races") ? WATCH_NOTHING : WATCH_RACES;
}

static void report(RunCommand *command, const char *file, const Run *run,
                   const LaunchFile *launch, const Outcome *outcome) {
  RunReport report = {.file = file,
                      .entry = command->entry,
                      .code = command->code,
                      .run = run,
                      .launch = launch,
                      .outcome = outcome};
  for (size_t i = 0; outcome->is_done && i < launch->expectations.count; i++)
    report.differences += range_difference(&launch->expectations.at[i], run) <
                          launch->expectations.at[i].count;
  if (command->settings.json)
    report_run_json(stdout, &command->task, &report);
  else
    report_run_text(stdout, &command->task, &report);
  command->status = run_status(&report);
}

static void execute(RunCommand *command, const char *file, LaunchFile *launch) {
  const Settings *settings = &command->settings;
  Run run = {.watch = watch_of(settings),
             .output = settings->json ? STDERR_FILENO : STDOUT_FILENO,
             .tolerates_same_value = !settings->options.no_benign_tolerance};
  const char *error = NULL;
  Outcome *outcome = outcome_new();
  if (!outcome)
    error = "out of memory";
  else if (launch_bind(&command->task, launch, command->code, &run, &error)) {
    run_in_child(&run, outcome);
    report(command, file, &run, launch, outcome);
  }
  if (error)
    status_complain(&command->status, EXIT_WRONG_USE, NULL, error);
  for (size_t i = 0; i < run.buffers.count; i++)
    if (run.buffers.at[i].at)
      memory_shared_free(run.buffers.at[i].at, run.buffers.at[i].bytes);
  if (outcome)
    outcome_free(outcome);
}

static void run(RunCommand *command, const char *file) {
  LaunchFile launch = {0};
  const char *error = NULL;
  if (!command->settings.launch)
    status_complain(&command->status, EXIT_WRONG_USE, NULL,
                    "no --launch=FILE is given");
  else if (!launch_open(&command->task, command->settings.launch, &launch,
                        &error))
    status_complain(&command->status, EXIT_WRONG_USE, NULL, error);
  else if (open_kernel(command, file, launch.kernel))
    execute(command, file, &launch);
  launch_close(&launch);
}

// -------------------------------------------------------------- template ---

static void write_template(RunCommand *command, const char *file) {
  Launch launch = {0};
  if (!open_kernel(command, file, command->settings.template_of))
    return;
  for (size_t i = 0; i < command->launches.count; i++)
    if (!strcmp(command->launches.at[i].kernel, command->entry->name))
      launch = command->launches.at[i].launch;
  launch_template(stdout, command->code, &launch);
}

// --------------------------------------------------------------- command ---

static bool read_options(RunCommand *command, int count, char **texts) {
  Task *task = &command->task;
  Settings *settings = &command->settings;
  const char *error = NULL;
  settings_default(settings, command->door);
  if (settings_parse_environment(task, settings, command->door, &error) &&
      settings_parse_all(task, settings, command->door, count, texts, &error) &&
      settings_check(task, settings, &error)) {
    if (settings->help || settings->files.count == 1)
      return true;
    error = "give one file (see --help)";
  }
  status_complain(&command->status, EXIT_WRONG_USE, NULL, error);
  return false;
}

static void act(RunCommand *command) {
  const char *file = command->settings.files.at[0];
  if (command->door == DOOR_RUN)
    run(command, file);
  else
    write_template(command, file);
  if (command->module)
    llvm_free_module(command->module);
}

int run_command(FrontDoor door, int count, char **texts) {
  RunCommand command = {.door = door};
  if (read_options(&command, count, texts)) {
    if (command.settings.help)
      settings_help(door, stdout);
    else
      act(&command);
  }
  arena_free(&command.task.arena);
  return command.status;
}
