// The command `gpuverify threads`.
//
// Each file becomes bitcode by clang, un-optimised, so that each access of the
// source is one of the code; runtime/threads/ makes one program of them and
// runs it under many schedules; what that found is told, and the schedule
// written to a file that --replay takes.  An interrupt ends the search, not the
// command.

#define _POSIX_C_SOURCE 200809L

#include "plugin/threads.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_JOBS = MOST_WORKERS, DEFAULT_SECONDS = 10 };

typedef struct ThreadsCommand {
  Task *task;
  const Settings *settings;
  Folder folder;
  CommandLine objects;
  ProgramImage image;
  ThreadsQuestion question;
  ThreadsDevice device;
  ThreadSchedule replayed;
  char wanted[VERDICT_TEXT]; // of the schedule that is replayed
  int status;
} ThreadsCommand;

static ThreadsAnswer *asked; // by an interrupt, to stop

static void ask(int number) {
  (void)number;
  asked->is_asked = 1;
}

static bool complain(ThreadsCommand *command, int status, const char *what,
                     const char *why) {
  status_complain(&command->status, status, what, why);
  return false;
}

// ----------------------------------------------------------------- compile ---

static bool is_of_program(const char *file) {
  static const char *const suffixes[] = {".c", ".cpp", ".cc", ".cxx", ".C"};
  for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
    if (has_suffix(file, suffixes[i]))
      return true;
  return false;
}

// Behind the user's own, so that they are the last word.
static CommandLine command_for(ThreadsCommand *command, const char *file,
                               const char *object) {
  static const char *const own[] = {
      "-O0", "-Xclang", "-disable-O0-optnone", "-emit-llvm", "-fno-builtin",
      "-gline-tables-only", "-U_FORTIFY_SOURCE", "-fno-stack-protector",
      // Marks where the blocks of variables end.
      "-Xclang", "-fsanitize-address-use-after-scope",
#ifdef __x86_64__
      // Atomics of 16 bytes are instructions.
      "-mcx16",
#endif
      "-fno-exceptions"};
  CommandLine line = frontend_host_command(command->task, command->settings,
                                           file, NULL, object, NULL);
  line.count--; // the NULL
  for (size_t i = 0; i < sizeof own / sizeof *own; i++)
    push(&command->task->arena, &line, own[i]);
  push(&command->task->arena, &line, NULL);
  return line;
}

static bool succeeds(const CommandLine *line) {
  char **arguments = (char **)(uintptr_t)line->at;
  int status = 0;
  pid_t child = fork_bound(SIGTERM);
  if (!child) {
    execv(arguments[0], arguments);
    fprintf(stderr, "gpuverify: %s: %s\n", arguments[0], strerror(errno));
    _exit(EXIT_FRONT_END);
  }
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
    continue;
  return child > 0 && WIFEXITED(status) && !WEXITSTATUS(status);
}

static bool compile(ThreadsCommand *command, size_t number) {
  const char *file = command->settings->files.at[number];
  if (file_trouble(file))
    return complain(command, EXIT_WRONG_USE, file, file_trouble(file));
  if (!is_of_program(file))
    return complain(command, EXIT_WRONG_USE, file,
                    "a program is made of .c, .cpp, .cc and .cxx files");
  const char *object = arena_printf(&command->task->arena, "%s/%zu.bc",
                                    command->folder.path, number);
  CommandLine line = command_for(command, file, object);
  if (!succeeds(&line))
    return complain(command, EXIT_FRONT_END, file, "does not compile");
  push(&command->task->arena, &command->objects, object);
  return true;
}

static bool refuse(ThreadsCommand *command, const char *reason, Loc where) {
  const char *what = command->settings->files.at[0];
  if (where.line)
    what = arena_printf(&command->task->arena, "%s:%u:%u", where.file,
                        where.line, where.column);
  return complain(command, EXIT_NOT_DECIDED, what, reason);
}

static bool make_image(ThreadsCommand *command) {
  const char *reason = NULL;
  Loc where = {0};
  command->image.is_kept = threads_device_is_wanted(command->settings);
  struct LLVMOpaqueModule *module = program_files_read(
      command->task, command->objects.count, command->objects.at, &reason);
  if (!module)
    return complain(command, EXIT_FRONT_END, command->settings->files.at[0],
                    reason);
  return (program_image_make(command->task, module, &command->image, &reason,
                             &where) &&
          threads_device_make(command->task, command->settings, &command->image,
                              &command->device, &reason, &where)) ||
         refuse(command, reason, where);
}

static bool build(ThreadsCommand *command) {
  if (!folder_make(command->task, &command->folder))
    return complain(command, EXIT_WRONG_USE, command->folder.path,
                    strerror(errno));
  for (size_t i = 0; i < command->settings->files.count; i++)
    if (!compile(command, i))
      return false;
  return make_image(command);
}

// ----------------------------------------------------------------- options ---

static bool check_numbers(ThreadsCommand *command) {
  const Settings *settings = command->settings;
  if (!settings->depth || settings->depth > MOST_DEPTH)
    return complain(command, EXIT_WRONG_USE, "--depth",
                    "give a number from 1 to 7");
  if (!settings->jobs || settings->jobs > MOST_JOBS)
    return complain(command, EXIT_WRONG_USE, "-j",
                    "give a number from 1 to 256");
  if (!settings->lots || settings->lots > DEFAULT_LOTS)
    return complain(command, EXIT_WRONG_USE, "--lots",
                    "give a number from 1 to 64");
  const char *trouble = threads_device_trouble(settings);
  if (trouble)
    return complain(command, EXIT_WRONG_USE, "--device", trouble);
  if (!settings->processors || settings->processors > MOST_PLACES)
    return complain(command, EXIT_WRONG_USE, "--processors",
                    "give a number from 1 to 1024");
  return true;
}

static char **arguments_of(ThreadsCommand *command) {
  const Settings *settings = command->settings;
  Arena *arena = &command->task->arena;
  const char *file = settings->files.at[0], *slash = strrchr(file, '/');
  Vec(char *) arguments = {0};
  file = slash ? slash + 1 : file;
  push(arena, &arguments,
       arena_printf(arena, "%.*s", (int)strcspn(file, "."), file));
  for (size_t i = 0; i < settings->program_args.count; i++)
    push(arena, &arguments, settings->program_args.at[i]);
  command->question.argc = (int)arguments.count;
  push(arena, &arguments, NULL);
  return arguments.at;
}

static void fill_question(ThreadsCommand *command) {
  const Settings *settings = command->settings;
  ThreadsQuestion *question = &command->question;
  unsigned seconds = settings->seconds;
  *question = (ThreadsQuestion){
      .image = &command->image,
      .policy = settings->scheduler ? policy_by_name(settings->scheduler)
                                    : POLICY_pct,
      .depth = settings->depth,
      .jobs = settings->jobs,
      .seed = settings->seed,
      .schedules = settings->schedules,
      .seconds = seconds || settings->schedules ? seconds : DEFAULT_SECONDS,
      .ends_at_flaw = !seconds && !settings->schedules,
      .lots = settings->lots,
      .processors = settings->processors,
      .spurious = settings->spurious,
      .shows_progress = settings->progress || isatty(STDERR_FILENO)};
  if (threads_device_is_wanted(settings))
    question->device = &command->device;
  question->argv = arguments_of(command);
}

static bool read_replay(ThreadsCommand *command) {
  const char *name = command->settings->replay;
  const char *error =
      name ? threads_schedule_read(name, &command->image, &command->replayed,
                                   command->wanted)
           : NULL;
  if (error)
    return complain(command, EXIT_WRONG_USE, name, error);
  if (name) {
    command->question.replayed = &command->replayed;
    command->question.spurious = command->replayed.spurious;
  }
  command->question.replays_race =
      !strcmp(command->wanted, mishap_name(MISHAP_RACE));
  return true;
}

// ------------------------------------------------------------------ report ---

static const char *write_schedule(ThreadsCommand *command,
                                  const ThreadsReport *report) {
  const char *name = command->settings->output;
  if (command->question.replayed || !threads_found(report))
    return NULL;
  if (!name)
    name = arena_printf(&command->task->arena, "%s.schedule",
                        command->question.argv[0]);
  if (threads_schedule_write(name, report))
    return name;
  complain(command, EXIT_WRONG_USE, name, strerror(errno));
  return NULL;
}

static void tell(ThreadsCommand *command, const ThreadsAnswer *answer) {
  ThreadsReport report = {.file = command->settings->files.at[0],
                          .question = &command->question,
                          .answer = answer};
  report.written = write_schedule(command, &report);
  const Diagnosis *diagnosis = diagnose_threads(command->task, &report);
  settings_print(command->settings, diagnosis);
  status_worsen(&command->status, status_of_level(diagnosis->level));
  if (command->question.replayed && answer->is_done &&
      strcmp(command->wanted, threads_verdict(&report)) != 0)
    complain(command, EXIT_NOT_DECIDED, command->settings->replay,
             arena_printf(&command->task->arena,
                          "this is not what it was written for, which was "
                          "'%s': are the program's arguments the same?",
                          command->wanted));
}

static void search(ThreadsCommand *command) {
  struct sigaction action = {.sa_handler = ask, .sa_flags = SA_RESTART};
  ThreadsAnswer *answer = threads_answer_new();
  if (!answer) {
    complain(command, EXIT_WRONG_USE, NULL, "out of memory");
    return;
  }
  asked = answer;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  threads_search(&command->question, answer);
  tell(command, answer);
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
  threads_answer_free(answer);
}

int threads_command(Task *task, Settings *settings) {
  ThreadsCommand *command = NEW(&task->arena, ThreadsCommand);
  command->task = task;
  command->settings = settings;
  if (!check_numbers(command))
    return command->status;
  bool is_built = build(command);
  folder_remove(&command->folder);
  if (!is_built)
    return command->status;
  fill_question(command);
  if (read_replay(command))
    search(command);
  return command->status;
}
