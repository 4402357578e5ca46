// The command `gpuverify schedules`.
//
// One kernel, one launch, many schedules: the options say which and what is a
// bug, runtime/schedules/explore.c executes them in a process of its own, and
// what it found is told, and written to a file that --replay takes.  An
// interrupt ends the search, not the command: what was covered until then is
// told.

#define _POSIX_C_SOURCE 200809L

#include "plugin/schedules.h"
#include "plugin/suppress.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
  MOST_JOBS = 256,
  EXTRA_SECONDS = 20,
  NO_LIMIT_SECONDS = 10000000,
  DEVICE_SECONDS = 60, // of a launch on a device
};

typedef struct SchedulesCommand {
  Task *task;
  const Settings *settings;
  KernelFile kernel;
  LaunchFile launch;
  Exploration exploration;
  ScheduleFile replayed;
  SchedulesDevice device;
  int status;
} SchedulesCommand;

static Findings *asked; // by an interrupt, to stop

static void ask(int number) {
  (void)number;
  asked->is_asked = 1;
}

static bool complain(SchedulesCommand *command, const char *what,
                     const char *why) {
  status_complain(&command->status, EXIT_WRONG_USE, what, why);
  return false;
}

// ---------------------------------------------------------------- options ---

// Calls use(command, word) for each word of a list with commas.
static bool for_words(SchedulesCommand *command, const char *list,
                      bool (*use)(SchedulesCommand *, const char *)) {
  while (*list) {
    size_t length = strcspn(list, ",");
    const char *word =
        arena_printf(&command->task->arena, "%.*s", (int)length, list);
    if (!use(command, word))
      return false;
    list += length + (list[length] == ',');
  }
  return true;
}

static bool add_check(SchedulesCommand *command, const char *word) {
  Exploration *exploration = &command->exploration;
  if (!strcmp(word, "final-state"))
    exploration->limits.compares_states = true;
  else if (!strcmp(word, "race"))
    exploration->checks_races = true;
  else if (strcmp(word, "assert") != 0)
    return complain(command, word,
                    "--check knows assert, final-state and race");
  return true;
}

static bool add_observed(SchedulesCommand *command, const char *word) {
  const Run *run = &command->exploration.run;
  const Code *code = command->kernel.code;
  Arena *arena = &command->task->arena;
  for (size_t i = 0; i < run->buffers.count; i++)
    if (!strcmp(run->buffers.at[i].name, word)) {
      push(arena, &command->exploration.observed, (int)i);
      return true;
    }
  for (size_t i = 0; i < code->variables.count; i++)
    if (!strcmp(code->variables.at[i].name, word) &&
        code->variables.at[i].space == SPACE_GLOBAL) {
      push(arena, &command->exploration.observed,
           (int)(run->buffers.count + i));
      return true;
    }
  return complain(command, word,
                  "--observe: no buffer or variable is called so");
}

static Selection selection_of(const char *name) {
  if (name && !strcmp(name, "all"))
    return SELECT_ALL;
  return name && !strcmp(name, "conditional") ? SELECT_CONDITIONAL
                                              : SELECT_CONDITIONAL_FIRST;
}

static bool check_numbers(SchedulesCommand *command) {
  const Settings *settings = command->settings;
  if (settings->bound > MOST_DELAYS)
    return complain(command, "--bound", "a schedule has at most 8 delays");
  if (!settings->jobs || settings->jobs > MOST_JOBS)
    return complain(command, "-j", "give a number from 1 to 256");
  return true;
}

// The bytes of an element of each array, for comparisons.
static void list_elements(SchedulesCommand *command) {
  Exploration *exploration = &command->exploration;
  const LaunchFile *launch = &command->launch;
  const Code *code = command->kernel.code;
  Arena *arena = &command->task->arena;
  for (size_t i = 0; i < launch->elements.count; i++)
    push(arena, &exploration->elements, launch->elements.at[i]->bytes);
  for (size_t i = 0; i < code->variables.count; i++)
    push(arena, &exploration->elements, code->variables.at[i].element);
}

static bool set_up(SchedulesCommand *command) {
  const Settings *settings = command->settings;
  Exploration *exploration = &command->exploration;
  unsigned seconds = settings->options.timeout;
  exploration->limits.bound = settings->bound;
  exploration->limits.select = selection_of(settings->select);
  exploration->limits.schedules = settings->schedules;
  exploration->limits.deadline = seconds ? clock_seconds() + seconds : 0;
  exploration->seed = settings->seed;
  exploration->jobs = settings->jobs;
  exploration->run.max_seconds =
      seconds ? seconds + EXTRA_SECONDS : NO_LIMIT_SECONDS;
  exploration->run.output = -1;
  exploration->run.tolerates_same_value =
      !settings->options.no_benign_tolerance;
  list_elements(command);
  return for_words(command,
                   settings->check ? settings->check : "assert,final-state",
                   add_check) &&
         for_words(command, settings->observe ? settings->observe : "",
                   add_observed);
}

// ----------------------------------------------------------------- replay ---

static bool set_up_replay(SchedulesCommand *command) {
  const char *name = command->settings->replay, *error = NULL;
  ScheduleFile *file = &command->replayed;
  const Run *run = &command->exploration.run;
  if (!name)
    return true;
  if (!schedule_file_read(name, command->task, file, &error))
    return complain(command, name, error);
  if (strcmp(file->kernel, command->kernel.entry->source) != 0)
    return complain(command, name, "this schedule is of another kernel");
  if (memcmp(file->grid, run->grid, sizeof file->grid) != 0 ||
      memcmp(file->block, run->block, sizeof file->block) != 0)
    return complain(command, name,
                    "this schedule is of another launch: the sizes differ");
  command->exploration.seed = file->seed;
  command->exploration.checks_races |= file->is_race;
  command->exploration.replayed = &file->delays;
  return true;
}

// Each delay has to come, and at the line where it came when it was found.
static bool check_replay(SchedulesCommand *command, const Findings *findings) {
  const ScheduleFile *file = &command->replayed;
  const Site *sites = command->kernel.code->sites.at;
  for (unsigned i = 0; command->settings->replay && i < file->delays.count;
       i++) {
    const Step *step = schedules_delay(findings, i);
    if (step &&
        (!file->lines[i] || file->lines[i] == sites[step->site].loc.line))
      continue;
    return complain(
        command, command->settings->replay,
        arena_printf(&command->task->arena,
                     "this kernel does not do what it did: delay "
                     "%u %s",
                     i + 1, step ? "comes at another line" : "does not come"));
  }
  return true;
}

// ----------------------------------------------------------------- report ---

static const char *write_schedule(SchedulesCommand *command,
                                  const SchedulesReport *report) {
  const char *name = command->settings->output, *error = NULL;
  if (command->settings->replay || !schedules_found(report))
    return NULL;
  if (!name)
    name = arena_printf(&command->task->arena, "%s.schedule.json",
                        command->kernel.entry->source);
  if (schedule_file_write(name, command->task, report, &error))
    return name;
  complain(command, name, error);
  return NULL;
}

static void enforce_on_device(SchedulesCommand *command,
                              const Findings *findings) {
  SchedulesDevice *device = &command->device;
  unsigned seconds = command->settings->options.timeout;
  if (!settings_want_device(command->settings))
    return;
  schedules_device_enforce(command->task, device, &command->exploration,
                           findings, seconds ? seconds : DEVICE_SECONDS);
  if (device->reason)
    status_complain(&command->status, EXIT_NOT_DECIDED, "--device=cuda",
                    device->reason);
}

static void report(SchedulesCommand *command, const Findings *findings) {
  const char *file = command->settings->files.at[0];
  SchedulesReport report = {
      .run = {.file = file,
              .entry = command->kernel.entry,
              .code = command->kernel.code,
              .run = &command->exploration.run,
              .launch = &command->launch,
              .outcome = &findings->incident},
      .timeout = command->settings->options.timeout,
      .exploration = &command->exploration,
      .findings = findings,
      .device =
          settings_want_device(command->settings) ? &command->device : NULL,
  };
  enforce_on_device(command, findings);
  report.written = write_schedule(command, &report);
  Diagnosis *diagnosis = diagnose_schedules(command->task, &report);
  status_worsen(&command->status,
                suppressions_settle(command->settings->options.suppressions,
                                    command->settings, diagnosis,
                                    status_of_level(diagnosis->level)));
  settings_print(command->settings, diagnosis);
}

static void search(SchedulesCommand *command) {
  struct sigaction action = {.sa_handler = ask, .sa_flags = SA_RESTART};
  Findings *findings = findings_new();
  if (!findings) {
    complain(command, NULL, "out of memory");
    return;
  }
  asked = findings;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  explore(&command->exploration, findings);
  if (!findings->is_executed || !findings->is_done)
    status_complain(&command->status, EXIT_NOT_DECIDED,
                    command->kernel.entry->source,
                    findings->reason[0] ? findings->reason
                                        : "the search did not come to an end");
  else if (check_replay(command, findings))
    report(command, findings);
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
  findings_free(findings);
}

// ---------------------------------------------------------------- command ---

static bool open_device(SchedulesCommand *command) {
  const char *error = NULL;
  return !settings_want_device(command->settings) ||
         schedules_device_open(command->task, &command->device, &error) ||
         complain(command, "--device=cuda", error);
}

static bool compile_for_device(SchedulesCommand *command) {
  const char *error = NULL;
  if (!settings_want_device(command->settings) ||
      schedules_device_compile(command->task, &command->device,
                               command->kernel.code, &error))
    return true;
  status_complain(&command->status, EXIT_NOT_DECIDED, "--device=cuda", error);
  return false;
}

static void run(SchedulesCommand *command) {
  const Settings *settings = command->settings;
  Task *task = command->task;
  LaunchFile *launch = &command->launch;
  Run *bound = &command->exploration.run;
  const char *error = NULL;
  if (!settings->launch)
    complain(command, NULL, "no --launch=FILE is given");
  else if (!launch_open(task, settings->launch, launch, &error))
    complain(command, NULL, error);
  else if (!kernel_file_open(task, settings, settings->files.at[0],
                             launch->kernel, &command->kernel,
                             &command->status))
    return;
  else if (!launch_bind(task, launch, command->kernel.code, bound, &error))
    complain(command, NULL, error);
  else if (set_up(command) && set_up_replay(command) &&
           compile_for_device(command))
    search(command);
}

static void give_back(SchedulesCommand *command) {
  const Run *run = &command->exploration.run;
  for (size_t i = 0; i < run->buffers.count; i++)
    if (run->buffers.at[i].at)
      memory_shared_free(run->buffers.at[i].at, run->buffers.at[i].bytes);
  schedules_device_close(&command->device);
  launch_close(&command->launch);
  kernel_file_close(&command->kernel);
}

int schedules_command(Task *task, Settings *settings) {
  SchedulesCommand command = {.task = task, .settings = settings};
  if (!suppressions_begin(task, settings, &command.status))
    return command.status;
  if (check_numbers(&command) && open_device(&command))
    run(&command);
  suppressions_end(settings, &command.status);
  give_back(&command);
  return command.status;
}
