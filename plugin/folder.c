// A folder for files that nobody wants when this command has ended.
//
// A command may end in the middle of anything: the user interrupts it, the
// reader of its output goes away, it crashes.  What it would have to do then is
// done by a second process, the caretaker, which sleeps at a pipe whose other
// end is ours alone.  When that is closed, by us or by our end, it removes the
// folder.  It has a session of its own, so that what the terminal sends to all
// of us does not reach it, and none of our files, so that nobody who reads what
// we print waits for it.

#define _GNU_SOURCE

#include "plugin/run.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TRIES = 200, BETWEEN_TRIES = 50 * 1000 * 1000 };

void folder_remove_files(const char *path) {
  DIR *folder = opendir(path);
  if (!folder)
    return;
  for (const struct dirent *entry; (entry = readdir(folder));)
    unlinkat(dirfd(folder), entry->d_name, 0);
  closedir(folder);
}

// Somebody may be writing there still who has not noticed our end.
static void remove_folder(const char *path) {
  for (int i = 0; i < TRIES; i++) {
    folder_remove_files(path);
    if (!rmdir(path) || errno == ENOENT)
      return;
    nanosleep(&(struct timespec){0, BETWEEN_TRIES}, NULL);
  }
}

static void take_care(const char *path, int end) {
  static const int numbers[] = {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM};
  char byte;
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    signal(numbers[i], SIG_IGN);
  setsid();
  dup2(end, STDIN_FILENO);
  close_range(STDIN_FILENO + 1, ~0U, 0);
  while (read(STDIN_FILENO, &byte, 1) < 0 && errno == EINTR)
    continue;
  remove_folder(path);
  _exit(0);
}

static bool engage_caretaker(Folder *folder) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC))
    return false;
  fflush(NULL);
  folder->caretaker = fork();
  if (!folder->caretaker)
    take_care(folder->path, ends[0]);
  close(ends[0]);
  folder->end = ends[1];
  return folder->caretaker > 0;
}

static bool make(char *path, Folder *folder) {
  folder->path = path;
  if (!mkdtemp(path))
    return false;
  if (engage_caretaker(folder))
    return true;
  rmdir(path);
  return false;
}

// No signal comes before the folder has a caretaker, and none to the caretaker
// before it ignores them: the terminal sends them to both.
bool folder_make(Task *task, Folder *folder) {
  const char *root = getenv("TMPDIR");
  char *path = arena_printf(&task->arena, "%s/gpuverify-XXXXXX",
                            root && *root ? root : "/tmp");
  sigset_t all, before;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, &before);
  bool is_made = make(path, folder);
  sigprocmask(SIG_SETMASK, &before, NULL);
  return is_made;
}

void folder_remove(Folder *folder) {
  close(folder->end);
  while (waitpid(folder->caretaker, NULL, 0) < 0 && errno == EINTR)
    continue;
}
