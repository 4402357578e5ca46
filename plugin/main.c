// The command: gpuverify [OPTION].. FILE.., or gpuverify barriers, batch, run,
// launch or schedules.
//
// Here are the options, help and `gpuverify barriers` for PTX, which need no
// clang; the rest is a library that is loaded when it is wanted (clang_load.c).
// Reports go to stdout, what is wrong with the files and options to stderr.  A
// crash is our bug and says so: it must never look like a verdict.

#define _XOPEN_SOURCE 700

#include "plugin/plugin.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

// --------------------------------------------------------------- crashes ---

static bool is_limited; // by who started us

static bool is_below(int resource, rlim_t most) {
  struct rlimit limit;
  return !getrlimit(resource, &limit) && limit.rlim_cur < most;
}

// Only what a signal handler may call.
static void die_of_our_bug(int signal) {
  static const char limited[] =
      "gpuverify: memory or stack is limited (ulimit -v, -d, -s) and used up; "
      "nothing is said about the rest\n";
  static const char text[] =
      "gpuverify: this is a bug of gpuverify; nothing is said about the rest\n";
  (void)signal;
  ssize_t written = is_limited
                        ? write(STDERR_FILENO, limited, sizeof limited - 1)
                        : write(STDERR_FILENO, text, sizeof text - 1);
  (void)written;
  _exit(EXIT_OUR_BUG);
}

// On a stack of its own: the bug may be that the stack is used up.
static void catch_crashes(void) {
  static char stack[1 << 16];
  stack_t alternative = {.ss_sp = stack, .ss_size = sizeof stack};
  struct sigaction action = {.sa_handler = die_of_our_bug,
                             .sa_flags = SA_ONSTACK};
  is_limited = is_below(RLIMIT_AS, RLIM_INFINITY) ||
               is_below(RLIMIT_DATA, RLIM_INFINITY) ||
               is_below(RLIMIT_STACK, 1 << 20);
  sigaltstack(&alternative, NULL);
  sigemptyset(&action.sa_mask);
  sigaction(SIGABRT, &action, NULL);
  sigaction(SIGSEGV, &action, NULL);
  sigaction(SIGBUS, &action, NULL);
}

// ----------------------------------------------------------------- doors ---

static FrontDoor door_of(const char *word) {
  static const char *const names[] = {
      [DOOR_BARRIERS] = "barriers", [DOOR_RUN] = "run",
      [DOOR_LAUNCH] = "launch",     [DOOR_SCHEDULES] = "schedules",
      [DOOR_BATCH] = "batch",
  };
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
    if (word && names[i] && !strcmp(word, names[i]))
      return (FrontDoor)i;
  // `gpuverify -- make`
  return word && !strcmp(word, "--") ? DOOR_BATCH : DOOR_COMMAND;
}

// What is wrong with the number of files, or NULL.
static const char *trouble_with_files(const Settings *settings) {
  bool is_program = settings->door == DOOR_RUN && !settings->launch;
  switch (settings->door) {
  case DOOR_RUN:
  case DOOR_LAUNCH:
  case DOOR_SCHEDULES:
    if (!is_program)
      return settings->files.count == 1 ? NULL : "give one file (see --help)";
    break;
  case DOOR_BARRIERS:
    return settings->files.count
               ? NULL
               : "no file is given (see gpuverify barriers --help)";
  case DOOR_BATCH: // a project has files of its own
    if (settings->build || settings->recorded || settings->program_args.count)
      return NULL;
    break;
  case DOOR_COMMAND:
  case DOOR_PLUGIN:
    break;
  }
  return settings->files.count ? NULL : "no file is given (see --help)";
}

static int complain(const char *what, const char *why) {
  int status = EXIT_ALL_VERIFIED;
  status_complain(&status, EXIT_WRONG_USE, what, why);
  return status;
}

static int use_clang(Task *task, Settings *settings) {
  const char *reason = NULL;
  const ClangSide *clang = clang_side(task, &reason);
  if (!clang)
    return complain(CLANG_LIBRARY, reason);
  if (settings->door == DOOR_COMMAND)
    return clang->verify(task, settings);
  if (settings->door == DOOR_SCHEDULES)
    return clang->schedules(task, settings);
  if (settings->door == DOOR_BATCH)
    return clang->batch(task, settings);
  return clang->run(task, settings);
}

// `launch --template FILE`: the only kernel of a file need not be named.
static void take_template_as_file(Task *task, Settings *settings) {
  const char *file = settings->template_of;
  if (settings->files.count || !file || access(file, R_OK) != 0)
    return;
  push(&task->arena, &settings->files, file);
  settings->template_of = NULL;
}

static int act(Task *task, FrontDoor door, int count, char **texts) {
  Settings settings = {0};
  const char *error = NULL;
  if (!settings_read(task, &settings, door, count, texts, &error))
    return complain(NULL, error);
  take_template_as_file(task, &settings);
  if (settings.help)
    settings_help(door, stdout);
  else if (settings.version)
    puts("gpuverify " VERSION);
  else if ((error = trouble_with_files(&settings)))
    return complain(NULL, error);
  else
    return door == DOOR_BARRIERS ? barriers_command(task, &settings)
                                 : use_clang(task, &settings);
  return EXIT_ALL_VERIFIED;
}

int main(int argc, char **argv) {
  Task task = {0};
  FrontDoor door = door_of(argc > 1 ? argv[1] : NULL);
  bool has_word = door != DOOR_COMMAND && strcmp(argv[1], "--") != 0;
  int skipped = has_word ? 2 : 1;
  output_begin();
  catch_crashes();
  signal(SIGXFSZ, SIG_IGN); // a file that may not grow is an error as any
  signal(SIGCHLD, SIG_DFL); // who started us may not want to know of its own
  int status = act(&task, door, argc - skipped, argv + skipped);
  arena_free(&task.arena);
  output_end(&status);
  return status;
}
