// One at a time: a lock beside a file.
//
// It is a record lock of POSIX, which also holds between machines that share a
// folder.  It ends with the process that has it, however that ends, and its
// copies do not have it.  Whoever unlocks removes the file; who waited for that
// one begins anew.

#define _GNU_SOURCE

#include "project/project.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_same_file(int file, const char *path) {
  struct stat opened, there;
  return !fstat(file, &opened) && !stat(path, &there) &&
         opened.st_ino == there.st_ino && opened.st_dev == there.st_dev;
}

bool file_lock(Task *task, const char *of, FileLock *lock) {
  char *real = realpath(of, NULL);
  lock->path = arena_printf(&task->arena, "%s-lock", real ? real : of);
  free(real);
  for (;;) {
    struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    lock->file = open(lock->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (lock->file < 0)
      return true;
    bool is_ours = !fcntl(lock->file, F_SETLK, &all);
    if (is_ours && is_same_file(lock->file, lock->path))
      return true;
    close(lock->file);
    lock->file = -1;
    if (!is_ours)
      return false;
  }
}

void file_unlock(FileLock *lock) {
  if (lock->file < 0)
    return;
  unlink(lock->path);
  close(lock->file);
  lock->file = -1;
}
