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
  Run run;
  bool is_proved;
  const char *proof;
  int status;
} RunCommand;

// ------------------------------------------------------------------- run ---

static Watch watch_of(const Settings *settings) {
  if (!settings->detect || !strcmp(settings->detect, "bounds"))
    return WATCH_ACCESSES;
  return strcmp(settings->detect, "races") ? WATCH_NOTHING : WATCH_RACES;
}

static void report(RunCommand *command, const char *file,
                   const LaunchFile *launch, const Outcome *outcome) {
  const Settings *settings = command->settings;
  const Run *run = &command->run;
  RunReport report = {
      .file = file,
      .entry = command->kernel.entry,
      .code = command->kernel.code,
      .run = run,
      .launch = launch,
      .outcome = outcome,
      .is_explained = settings->explain,
      .proof = command->proof,
      .is_proved = command->is_proved,
      .device = settings_want_device(settings) ? command->device.name : NULL};
  for (size_t i = 0; outcome->is_done && i < launch->expectations.count; i++)
    report.differences += range_difference(&launch->expectations.at[i], run) <
                          launch->expectations.at[i].count;
  Diagnosis *diagnosis = diagnose_run(command->task, &report);
  Suppressions *suppressions = settings->options.suppressions;
  int status = status_of_level(diagnosis->level);
  command->status =
      outcome->count == MOST_INCIDENTS
          ? suppressions_give_up(suppressions, diagnosis, status)
          : suppressions_settle(suppressions, settings, diagnosis, status);
  settings_print(settings, diagnosis);
}

// What is for values on the processor alone; NULL: it may be.
static const char *why_no_copies(const Settings *settings) {
  if (!settings_look_for_values(settings))
    return "that is for --detect=values";
  return settings_want_device(settings) ? "that is for this machine's processor"
                                        : NULL;
}

static bool accept(RunCommand *command, const char *option, const char *error) {
  if (error)
    status_complain(&command->status, EXIT_WRONG_USE, option, error);
  return !error;
}

// A warp's threads share a copy, so the order of these decides.
static bool check_order(RunCommand *command) {
  const Settings *settings = command->settings;
  const char *option = settings->deterministic ? "--deterministic" : "--seed";
  const char *error = why_no_copies(settings);
  if (!settings->deterministic && !settings->seed)
    return true;
  if (!error && settings->deterministic && settings_compare_warps(settings))
    error = "threads of a warp share a copy with --unit=warp";
  return accept(command, option, error);
}

// Blocks that share copies are compared in several rounds.
static bool check_copies(RunCommand *command) {
  const Settings *settings = command->settings;
  const char *option =
      settings->values_copies ? "--values-copies" : "--values-passes";
  const char *error = why_no_copies(settings);
  if (!settings->values_copies && !settings->values_passes)
    return true;
  if (!error && settings->deterministic)
    error = "blocks share no copies with --deterministic";
  else if (!error && settings->values_copies == 1)
    error = "it takes 2 copies to compare them";
  return accept(command, option, error);
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
  const char *ptx, *reason;
} Compilation;

static void compile(Task *task, void *data) {
  Compilation *compilation = data;
  const RunCommand *command = compilation->command;
  const uint32_t *block = command->run.block;
  compilation->ptx = values_ptx(
      task, command->kernel.code, device_ptx_version(command->device.version),
      block[0] * block[1] * block[2], &compilation->reason);
}

static void execute_on_device(RunCommand *command, Outcome *outcome) {
  Compilation compilation = {.command = command};
  uint64_t bytes = (uint64_t)command->settings->values_memory << 20;
  if (!task_run(command->task, compile, &compilation))
    compilation.reason = command->task->reason;
  if (compilation.ptx)
    values_run_on_device(&command->run, compilation.ptx, bytes, outcome);
  else
    outcome_refuse(outcome, INCIDENT_REFUSED, compilation.reason);
}

static void execute(RunCommand *command, const char *file,
                    const LaunchFile *launch) {
  Outcome *outcome = outcome_new();
  if (!outcome) {
    status_complain(&command->status, EXIT_WRONG_USE, NULL, "out of memory");
    return;
  }
  if (settings_want_device(command->settings))
    execute_on_device(command, outcome);
  else
    run_in_child(&command->run, outcome);
  report(command, file, launch, outcome);
  outcome_free(outcome);
}

static void unbind(RunCommand *command) {
  Run *run = &command->run;
  for (size_t i = 0; i < run->buffers.count; i++)
    if (run->buffers.at[i].at)
      memory_shared_free(run->buffers.at[i].at, run->buffers.at[i].bytes);
  *run = (Run){0};
}

static bool bind(RunCommand *command, LaunchFile *launch) {
  const Settings *settings = command->settings;
  const char *error = NULL;
  command->run =
      (Run){.watch = run_watch(command->kernel.code, watch_of(settings)),
            .output = settings->format ? STDERR_FILENO : STDOUT_FILENO,
            .tolerates_same_value = !settings->options.no_benign_tolerance,
            .limits = {.megabytes = settings->values_memory,
                       .copies = settings->values_copies,
                       .passes = settings->values_passes},
            .seed = settings->seed,
            .is_deterministic = settings->deterministic,
            .is_quick = settings->quick};
  if (launch_bind(command->task, launch, command->kernel.code, &command->run,
                  &error))
    return true;
  status_complain(&command->status, EXIT_WRONG_USE, NULL, error);
  return false;
}

// What is proved is executed as it is written; else it is cut, which makes
// other code.
static bool settle_code(RunCommand *command, const char *file,
                        LaunchFile *launch) {
  const KernelFile *kernel = &command->kernel;
  if (!kernel->compiled)
    return true;
  command->is_proved =
      run_prove(command->task, command->settings, file, kernel->compiled,
                kernel->entry->name, &command->run, &command->proof);
  if (command->is_proved)
    return true;
  unbind(command);
  return kernel_file_cut(command->task, command->settings, file,
                         &command->kernel, &command->status) &&
         bind(command, launch);
}

static void run(RunCommand *command, const char *file) {
  LaunchFile launch = {0};
  const char *error = NULL;
  if (!launch_open(command->task, command->settings->launch, &launch, &error))
    status_complain(&command->status, EXIT_WRONG_USE, NULL, error);
  else if (kernel_file_open(command->task, command->settings, file,
                            launch.kernel, &command->kernel,
                            &command->status) &&
           bind(command, &launch) && settle_code(command, file, &launch))
    execute(command, file, &launch);
  unbind(command);
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
      !(check_order(command) && check_copies(command) && open_device(command)))
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
