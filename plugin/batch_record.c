// gpuverify batch -- COMMAND: a build, with what it asks of compilers noted.
//
// A library that is loaded into every process of the build has compilers
// executed by gpuverify-recorder (launcher/watch.c).  For programs that do not
// load it a folder with scripts by the names of compilers stands first in PATH;
// each is gpuverify-recorder, told where PATH leads to without it.

#define _GNU_SOURCE

#include "plugin/batch.h"
#include "plugin/run.h"

#include "base/words.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static bool write_script(Task *task, const char *folder, const char *compiler,
                         const char *launcher, const char *path) {
  char *name = arena_printf(&task->arena, "%s/%s", folder, compiler);
  FILE *out = fopen(name, "w");
  if (!out)
    return false;
  fprintf(out, "#!/bin/sh\nPATH=%s exec %s %s \"$@\"\n",
          shell_word(&task->arena, path), shell_word(&task->arena, launcher),
          compiler);
  return !fclose(out) && !chmod(name, 0755);
}

static bool write_scripts(Task *task, const char *folder,
                          const char *launcher) {
  static const char *const compilers[] = {
      "nvcc",     "clang",      "clang++",    "hipcc",
      "clang-22", "clang++-22", "amdclang++", "amdclang"};
  const char *path = getenv("PATH");
  for (size_t i = 0; i < sizeof compilers / sizeof *compilers; i++)
    if (!write_script(task, folder, compilers[i], launcher, path ? path : ""))
      return false;
  return true;
}

// The loader takes a list apart at blanks and colons.
static void preload(Task *task, const char *launcher) {
  const char *library = find_beside(task, "libgpuverify-watch.so");
  const char *others = getenv("LD_PRELOAD");
  if (!library || strpbrk(library, " :$"))
    return;
  setenv("LD_PRELOAD",
         others && *others
             ? arena_printf(&task->arena, "%s:%s", library, others)
             : library,
         1);
  setenv("GPUVERIFY_RECORDER", launcher, 1);
}

static int build(Task *task, char *const *words, const char *scripts,
                 const char *notes, const char *launcher) {
  const char *path = getenv("PATH");
  int status = 0;
  fflush(NULL);
  pid_t process = fork();
  if (!process) {
    setenv("PATH",
           arena_printf(&task->arena, "%s:%s", scripts, path ? path : ""), 1);
    setenv("GPUVERIFY_COMMANDS", notes, 1);
    preload(task, launcher);
    dup2(STDERR_FILENO, STDOUT_FILENO); // ours is for verdicts
    execvp(words[0], words);
    fprintf(stderr, "gpuverify: %s: %s\n", words[0], strerror(errno));
    _exit(127);
  }
  while (waitpid(process, &status, 0) < 0 && errno == EINTR)
    continue;
  return status;
}

bool batch_record(Task *task, Settings *settings, Folder *notes,
                  const char **error) {
  Folder scripts = {0};
  const char *launcher = find_beside(task, "gpuverify-recorder");
  *error = "gpuverify-recorder is not beside this command";
  if (!launcher)
    return false;
  *error = "no folder for temporary files";
  push(&task->arena, &settings->program_args, NULL);
  char **words = settings->program_args.at;
  if (!folder_make(task, notes) || !folder_make(task, &scripts))
    return false;
  int status = write_scripts(task, scripts.path, launcher)
                   ? build(task, words, scripts.path, notes->path, launcher)
                   : -1;
  folder_remove(&scripts);
  settings->recorded = notes->path;
  *error = status ? arena_printf(&task->arena, "%s failed; nothing is proved",
                                 words[0])
                  : NULL;
  return !status;
}
