// Files by the hash of their contents, beside the texts of the cache.
//
// They only save time, so of them no trouble is told: what is not there is made
// again, and where there is little room none is kept.  A file has a second name
// in the cache where that can be, and else a copy.  It is written aside and
// then renamed.  Who takes one looks at what it has got: the hash is in its
// name.

#define _GNU_SOURCE

#include "project/project.h"

#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

static char *path_of(Task *task, const Cache *cache, const char *hash) {
  return arena_printf(&task->arena, "%s/%.2s/%s" CACHE_FILE_SUFFIX,
                      cache->folder, hash, hash + 2);
}

static bool copy_all(int from, int to, off_t size) {
  ssize_t count = 1;
  for (off_t done = 0; done < size && count > 0; done += count)
    count = sendfile(to, from, NULL, (size_t)(size - done));
  return count > 0;
}

static bool copy(const char *from, const char *to) {
  struct stat status;
  int in = open(from, O_RDONLY | O_CLOEXEC);
  int out =
      in < 0 ? -1 : open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  bool is_whole =
      out >= 0 && !fstat(in, &status) && copy_all(in, out, status.st_size);
  if (out >= 0 && close(out))
    is_whole = false;
  if (in >= 0)
    close(in);
  return is_whole;
}

static bool duplicate(const char *from, const char *to) {
  return !link(from, to) || copy(from, to);
}

// The rest of the disk is for verdicts, which somebody waits for.
static bool has_room(const char *folder, off_t size) {
  enum { PART = 10 };
  struct statvfs disk;
  return !statvfs(folder, &disk) &&
         (uint64_t)size < (uint64_t)disk.f_bavail * disk.f_frsize / PART;
}

void cache_keep_file(Task *task, Cache *cache, const char *hash,
                     const char *file) {
  struct stat status;
  if (!cache->folder || cache->is_told || stat(file, &status) ||
      !has_room(cache->folder, status.st_size))
    return;
  char *part = arena_printf(&task->arena, "%s/%.2s/new-%ld-%s", cache->folder,
                            hash, (long)getpid(), hash);
  mkdir(arena_printf(&task->arena, "%s/%.2s", cache->folder, hash), 0777);
  if (!duplicate(file, part) || rename(part, path_of(task, cache, hash)))
    unlink(part);
  cache_has_grown(task, cache, (uint64_t)status.st_size);
}

bool cache_take_file(Task *task, const Cache *cache, const char *hash,
                     const char *to) {
  if (!cache->folder)
    return false;
  char *path = path_of(task, cache, hash);
  bool is_taken = duplicate(path, to);
  if (is_taken)
    utimensat(AT_FDCWD, path, NULL, 0);
  return is_taken;
}
