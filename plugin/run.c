// The commands `gpuverify run` and `gpuverify launch`.
//
// run executes one kernel of a file with the launch that a launch file
// describes, on this machine's processor.  launch writes such a file to begin
// with, with what the host code of the file says about sizes.

#define _POSIX_C_SOURCE 200809L

#include "plugin/run.h"
#include "plugin/suppress.h"
#include "runtime/values/values.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct RunCommand {
  Task *task;
  const Settings *settings;
  KernelFile kernel;
  DeviceFound device; // --device=cuda
  int status;
} RunCommand;

// ------------------------------------------------------------------- run ---

static Watch watch_of(const Settings *settings) {
  if (!settings->detect || !strcmp(settings->detect, "bounds"))
    return WATCH_ACCESSES;
  return strcmp(settings->detect, "races") ? WATCH_NOTHING : WATCH_RACES;
}

static void report(RunCommand *command, const char *file, const Run *run,
                   const LaunchFile *launch, const Outcome *outcome) {
  RunReport report = {.file = file,
                      .entry = command->kernel.entry,
                      .code = command->kernel.code,
                      .run = run,
                      .launch = launch,
                      .outcome = outcome,
                      .is_explained = command->settings->explain,
                      .device = settings_want_device(command->settings)
                                    ? command->device.name
                                    : NULL};
  for (size_t i = 0; outcome->is_done && i < launch->expectations.count; i++)
    report.differences += range_difference(&launch->expectations.at[i], run) <
                          launch->expectations.at[i].count;
  Diagnosis *diagnosis = diagnose_run(command->task, &report);
  Suppressions *suppressions = command->settings->options.suppressions;
  int status = status_of_level(diagnosis->level);
  command->status = outcome->count == MOST_INCIDENTS
                        ? suppressions_give_up(suppressions, diagnosis, status)
                        : suppressions_settle(suppressions, command->settings,
                                              diagnosis, status);
  settings_print(command->settings, diagnosis);
}

// A warp's threads share a copy, so the order of these decides.
static bool check_order(RunCommand *command) {
  const Settings *settings = command->settings;
  const char *option = settings->deterministic ? "--deterministic" : "--seed";
  const char *error = NULL;
  if (!settings->deterministic && !settings->seed)
    return true;
  if (!settings_look_for_values(settings))
    error = "that is for --detect=values";
  else if (settings_want_device(settings))
    error = "that is for this machine's processor";
  else if (settings->deterministic && settings_compare_warps(settings))
    error = "threads of a warp share a copy with --unit=warp";
  if (error)
    status_complain(&command->status, EXIT_WRONG_USE, option, error);
  return !error;
}

// Before anything else is done for nothing.
static bool open_device(RunCommand *command) {
  const char *error = NULL;
  if (!settings_want_device(command->settings))
    return true;
  device_find(&command->device);
  if (!settings_look_for_values(command->settings) &&
      watch_of(command->settings) != WATCH_NOTHING)
    error = "a device looks for --detect=values, or for nothing";
  else if (!command->settings->launch)
    error = "a whole program is executed on this machine's processor";
  else if (!command->device.is_usable)
    error = arena_copy(&command->task->arena, command->device.reason);
  if (error)
    status_complain(&command->status, EXIT_WRONG_USE, "--device=cuda", error);
  return !error;
}

typedef struct Compilation {
  RunCommand *command;
  const Run *run;
  const char *ptx, *reason;
} Compilation;

static void compile(Task *task, void *data) {
  Compilation *compilation = data;
  const RunCommand *command = compilation->command;
  const uint32_t *block = compilation->run->block;
  compilation->ptx = values_ptx(
      task, command->kernel.code, device_ptx_version(command->device.version),
      block[0] * block[1] * block[2], &compilation->reason);
}

static void execute_on_device(RunCommand *command, const Run *run,
                              Outcome *outcome) {
  Compilation compilation = {.command = command, .run = run};
  uint64_t bytes = (uint64_t)command->settings->values_memory << 20;
  if (!task_run(command->task, compile, &compilation))
    compilation.reason = command->task->reason;
  if (compilation.ptx)
    values_run_on_device(run, compilation.ptx, bytes, outcome);
  else
    outcome_refuse(outcome, INCIDENT_REFUSED, compilation.reason);
}

static void execute(RunCommand *command, const char *file, LaunchFile *launch) {
  const Settings *settings = command->settings;
  Run run = {.watch = run_watch(command->kernel.code, watch_of(settings)),
             .output = settings->format ? STDERR_FILENO : STDOUT_FILENO,
             .tolerates_same_value = !settings->options.no_benign_tolerance,
             .seed = settings->seed,
             .is_deterministic = settings->deterministic,
             .is_quick = settings->quick};
  const char *error = NULL;
  Outcome *outcome = outcome_new();
  if (!outcome)
    error = "out of memory";
  else if (launch_bind(command->task, launch, command->kernel.code, &run,
                       &error)) {
    if (settings_want_device(settings))
      execute_on_device(command, &run, outcome);
    else
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
  if (!launch_open(command->task, command->settings->launch, &launch, &error))
    status_complain(&command->status, EXIT_WRONG_USE, NULL, error);
  else if (kernel_file_open(command->task, command->settings, file,
                            launch.kernel, &command->kernel, &command->status))
    execute(command, file, &launch);
  launch_close(&launch);
}

// -------------------------------------------------------------- template ---

static void write_template(RunCommand *command, const char *file) {
  Launch launch = {0};
  const KernelFile *kernel = &command->kernel;
  if (!kernel_file_open(command->task, command->settings, file,
                        command->settings->template_of, &command->kernel,
                        &command->status))
    return;
  for (size_t i = 0; i < kernel->launches.count; i++)
    if (!strcmp(kernel->launches.at[i].kernel, kernel->entry->name))
      launch = kernel->launches.at[i].launch;
  launch_template(stdout, kernel->code, &launch);
}

// --------------------------------------------------------------- command ---

static void act(RunCommand *command) {
  const char *file = command->settings->files.at[0];
  const Settings *settings = command->settings;
  if (settings->door == DOOR_RUN &&
      !(check_order(command) && open_device(command)))
    return;
  if (settings->door == DOOR_RUN && !settings->launch)
    status_worsen(&command->status,
                  program_run(command->task, settings, watch_of(settings)));
  else if (settings->door == DOOR_RUN)
    run(command, file);
  else
    write_template(command, file);
  kernel_file_close(&command->kernel);
}

int run_command(Task *task, Settings *settings) {
  RunCommand command = {.task = task, .settings = settings};
  bool is_template = settings->door == DOOR_LAUNCH;
  if (!is_template && !suppressions_begin(task, settings, &command.status))
    return command.status;
  act(&command);
  if (!is_template)
    suppressions_end(settings, &command.status);
  return command.status;
}
