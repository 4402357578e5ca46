// gpuverify-launcher [--werror] [--option=OPTION].. COMPILER ARGUMENT..
//
// It stands before the command of a compiler, as caches of compilations do
// (CMAKE_CUDA_COMPILER_LAUNCHER).  A bug is told, and with --werror it ends the
// compilation; so do wrong use and what clang cannot compile.  What is not
// decided is told and compiled.  The status is the compiler's, or gpuverify's
// where that ended it.

#define _XOPEN_SOURCE 700

#include "launcher/launcher.h"

#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { VERIFIED = 0, WRONG_USE = 2, NOT_DECIDED = 4, OUR_BUG = 70 };

typedef struct Launch {
  bool is_werror;
  Texts options; // for gpuverify
  Texts command; // the compiler and its arguments
} Launch;

static const char usage[] =
    "usage: gpuverify-launcher [--werror] [--option=OPTION].. COMPILER "
    "ARGUMENT..\n\n"
    "Verifies the kernels of what is compiled, then compiles it.\n\n"
    "  --werror                    a bug ends the compilation\n"
    "  --option=OPTION             for gpuverify: --option=--blockDim=64\n\n"
    "GPUVERIFY_LAUNCHER is verify (default), or off: only compile.  "
    "GPUVERIFY_COMMAND\nis the command gpuverify, if it is neither beside this "
    "one nor on PATH.\ngpuverify-recorder notes commands for 'gpuverify "
    "batch'.\n";

static int complain(const char *what, const char *why) {
  fprintf(stderr, "gpuverify-launcher: %s: %s\n", what, why);
  return WRONG_USE;
}

static bool begins(const char *text, const char *start) {
  return !strncmp(text, start, strlen(start));
}

// False: the status is what to end with.
static bool read_options(Task *task, Launch *launch, int count, char **words,
                         int *status) {
  int i = 1;
  for (; i < count && words[i][0] == '-'; i++) {
    if (!strcmp(words[i], "--werror"))
      launch->is_werror = true;
    else if (begins(words[i], "--option="))
      push(&task->arena, &launch->options, words[i] + strlen("--option="));
    else if (!strcmp(words[i], "--help")) {
      fputs(usage, stdout);
      return *status = 0, false;
    } else
      return *status = complain(words[i], "unknown option (see --help)"), false;
  }
  for (; i < count; i++)
    push(&task->arena, &launch->command, words[i]);
  if (!launch->command.count)
    return *status = complain("no compiler is given", "see --help"), false;
  return true;
}

// Beside us, or else on PATH, where execvp looks.
static const char *find_command(Task *task) {
  const char *given = getenv("GPUVERIFY_COMMAND");
  if (given && *given)
    return given;
  char self[4096];
  ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  if (length > 0) {
    self[length] = 0;
    char *slash = strrchr(self, '/');
    const char *beside =
        arena_printf(&task->arena, "%.*s/gpuverify", (int)(slash - self), self);
    if (!access(beside, X_OK))
      return beside;
  }
  return "gpuverify";
}

// What the compiler prints on standard output may be read by somebody.
static int run(Texts *words) {
  posix_spawn_file_actions_t actions;
  pid_t process;
  int status = 0;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  int error = posix_spawnp(&process, words->at[0], &actions, NULL,
                           (char *const *)words->at, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error)
    return complain(words->at[0], strerror(error));
  while (waitpid(process, &status, 0) < 0 && errno == EINTR)
    continue;
  return WIFEXITED(status) ? WEXITSTATUS(status) : OUR_BUG;
}

static int verify(Task *task, const Launch *launch,
                  const Compilation *compilation) {
  Texts words = {0};
  push(&task->arena, &words, find_command(task));
  push(&task->arena, &words, "--quiet");
  for (size_t i = 0; i < launch->options.count; i++)
    push(&task->arena, &words, launch->options.at[i]);
  for (size_t i = 0; i < compilation->words.count; i++)
    push(&task->arena, &words, compilation->words.at[i]);
  push(&task->arena, &words, NULL);
  return run(&words);
}

// The status to end with, or 0 to go on.
static int look(Task *task, const Launch *launch) {
  const char *mode = getenv("GPUVERIFY_LAUNCHER");
  mode = mode && *mode ? mode : "verify";
  if (strcmp(mode, "verify") != 0 && strcmp(mode, "off") != 0)
    return complain("GPUVERIFY_LAUNCHER",
                    "neither verify nor off; "
                    "gpuverify-recorder notes commands");
  Texts words = with_nvcc_flags(&task->arena, &launch->command,
                                getenv("NVCC_PREPEND_FLAGS"),
                                getenv("NVCC_APPEND_FLAGS"));
  words = with_options_files(&task->arena, ".", &words);
  Compilation compilation = compilation_read(task, &words);
  if (!compilation.source || compilation.compiles_nothing ||
      !strcmp(mode, "off"))
    return 0;
  int status = verify(task, launch, &compilation);
  bool is_fine = status == VERIFIED || status == NOT_DECIDED;
  return launch->is_werror && !is_fine ? status : 0;
}

static int compile(Task *task, Launch *launch) {
  push(&task->arena, &launch->command, NULL);
  execvp(launch->command.at[0], (char *const *)launch->command.at);
  return complain(launch->command.at[0], strerror(errno));
}

int main(int count, char **words) {
  Task task = {0};
  Launch launch = {0};
  int status = 0;
  if (read_options(&task, &launch, count, words, &status) &&
      !(status = look(&task, &launch)))
    status = compile(&task, &launch);
  arena_free(&task.arena);
  return status;
}
