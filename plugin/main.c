// The command: gpuverify [OPTION].. FILE.., or gpuverify barriers, batch,
// merge, run, launch, schedules, threads, repair or report.
//
// Here are the options, help, `gpuverify barriers` for PTX and `gpuverify
// report`, which need no clang; the rest is a library that is loaded when it is
// wanted (clang_load.c). Reports go to stdout, what is wrong with the files and
// options to stderr.  A crash is our bug and says so: it must never look like a
// verdict.

#define _XOPEN_SOURCE 700

#include "plugin/sarif_command.h"

#include "base/words.h"
#include "report/documents/documents.h"

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

// NULL: it has none.
static const char *door_word(FrontDoor door) {
  switch (door) {
  case DOOR_BARRIERS:
    return "barriers";
  case DOOR_RUN:
    return "run";
  case DOOR_LAUNCH:
    return "launch";
  case DOOR_SCHEDULES:
    return "schedules";
  case DOOR_THREADS:
    return "threads";
  case DOOR_BATCH:
    return "batch";
  case DOOR_MERGE:
    return "merge";
  case DOOR_REPAIR:
    return "repair";
  case DOOR_COMMAND:
  case DOOR_PLUGIN:
    break;
  }
  return NULL;
}

static FrontDoor door_of(const char *word) {
  static const FrontDoor doors[] = {DOOR_BARRIERS,  DOOR_RUN,    DOOR_LAUNCH,
                                    DOOR_SCHEDULES, DOOR_BATCH,  DOOR_MERGE,
                                    DOOR_REPAIR,    DOOR_THREADS};
  for (unsigned i = 0; i < sizeof doors / sizeof *doors; i++)
    if (word && !strcmp(word, door_word(doors[i])))
      return doors[i];
  return DOOR_COMMAND;
}

// `gpuverify -j8 -- make`
static bool is_build(int count, char **texts) {
  for (int i = 0; i < count; i++)
    if (!strcmp(texts[i], "--"))
      return true;
  return false;
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
  case DOOR_MERGE:
    return settings->files.count > 1
               ? NULL
               : "give a database to write, and those to read (see gpuverify "
                 "merge --help)";
  case DOOR_BATCH: // a project has files of its own
    return settings->files.count || settings->build || settings->recorded ||
                   settings->program_args.count
               ? NULL
               : "give files, folders, -p BUILD or -- COMMAND (see gpuverify "
                 "batch --help)";
  case DOOR_REPAIR:
    return settings->files.count
               ? NULL
               : "no file is given (see gpuverify repair --help)";
  case DOOR_THREADS:
    return settings->files.count
               ? NULL
               : "no file is given (see gpuverify threads --help)";
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
  if (settings->door == DOOR_THREADS)
    return clang->threads(task, settings);
  if (settings->door == DOOR_BATCH)
    return clang->batch(task, settings);
  if (settings->door == DOOR_REPAIR)
    return clang->repair(task, settings);
  if (settings->door == DOOR_MERGE)
    return clang->merge(task, settings);
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

typedef struct Order {
  Task *task;
  Settings *settings;
} Order;

static int obey(void *data) {
  const Order *order = data;
  return order->settings->door == DOOR_BARRIERS
             ? barriers_command(order->task, order->settings)
             : use_clang(order->task, order->settings);
}

// As a person would type it.
static const char *command_line(Task *task, FrontDoor door, int count,
                                char **texts) {
  Arena *arena = &task->arena;
  const char *word = door_word(door);
  const char *line =
      arena_printf(arena, "gpuverify%s%s", word ? " " : "", word ? word : "");
  for (int i = 0; i < count; i++)
    line = arena_printf(arena, "%s %s", line, shell_word(arena, texts[i]));
  return clean_text(arena, line);
}

static int act(Task *task, FrontDoor door, int count, char **texts) {
  Settings settings = {0};
  const char *error = NULL;
  if (!settings_read(task, &settings, door, count, texts, &error))
    return complain(NULL, error);
  for (int i = 0; i < count; i++)
    push(&task->arena, &settings.words, texts[i]);
  take_template_as_file(task, &settings);
  bool is_sarif = settings.format && settings.format == report_format("sarif");
  if (settings.help)
    settings_help(door, stdout);
  else if (settings.version)
    puts("gpuverify " VERSION);
  else if ((error = trouble_with_files(&settings)))
    return complain(NULL, error);
  else if (is_sarif && door == DOOR_LAUNCH)
    return complain(NULL, "--sarif: 'gpuverify launch' finds no verdict");
  else if (is_sarif)
    return sarif_command(&(Act){obey, &(Order){task, &settings}}, VERSION,
                         command_line(task, door, count, texts));
  else
    return obey(&(Order){task, &settings});
  return EXIT_ALL_VERIFIED;
}

int main(int argc, char **argv) {
  Task task = {0};
  FrontDoor door = door_of(argc > 1 ? argv[1] : NULL);
  int skipped = door == DOOR_COMMAND ? 1 : 2;
  output_begin();
  catch_crashes();
  signal(SIGXFSZ, SIG_IGN); // a file that may not grow is an error as any
  signal(SIGCHLD, SIG_DFL); // who started us may not want to know of its own
  bool is_report = argc > 1 && !strcmp(argv[1], "report");
  if (door == DOOR_COMMAND && is_build(argc - 1, argv + 1))
    door = DOOR_BATCH;
  int status = is_report ? report_command(argc - 2, argv + 2, VERSION)
                         : act(&task, door, argc - skipped, argv + skipped);
  arena_free(&task.arena);
  output_end(&status);
  return status;
}
