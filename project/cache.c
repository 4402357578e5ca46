// Texts by hash, a file each, in a folder that several processes may use.
//
// A text is written to a file of its own and then renamed, so nobody sees half
// of it, and who writes the same one at the same time writes the same.  It
// begins with its key: what is there under a wrong name, or was cut short by a
// full disk, is not there.  A hit touches its file; what was touched longest
// ago goes first, and before any text those files of which only the time is
// lost (cache_files.c).  Trouble with writing is told once, and then nothing is
// kept.

#define _GNU_SOURCE

#include "project/project.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void give_up(Cache *cache, const char *what) {
  if (!cache->is_told)
    fprintf(stderr, "gpuverify: cache: %s: %s; nothing is kept there\n", what,
            strerror(errno));
  cache->is_told = true;
}

static bool make_folders(Task *task, const char *path) {
  char *copy = arena_copy(&task->arena, path);
  for (char *at = strchr(copy + 1, '/'); at; at = strchr(at + 1, '/')) {
    *at = 0;
    if (mkdir(copy, 0777) && errno != EEXIST && access(copy, F_OK))
      return false;
    *at = '/';
  }
  return !mkdir(copy, 0777) || errno == EEXIST;
}

void cache_open(Task *task, Cache *cache, const char *folder) {
  cache->folder = folder;
  if (!make_folders(task, folder))
    give_up(cache, folder);
}

static char *path_of(Task *task, const Cache *cache, const char *key) {
  return arena_printf(&task->arena, "%s/%.2s/%s", cache->folder, key, key + 2);
}

// The text behind the line with the key, and its end: "\n." shows that it is
// whole.
static char *text_behind(char *all, size_t size, const char *key) {
  size_t length = strlen(key);
  if (size < length + 3 || strncmp(all, key, length) || all[length] != '\n' ||
      strcmp(all + size - 2, "\n."))
    return NULL;
  all[size - 2] = 0;
  return all + length + 1;
}

char *cache_get(Task *task, Cache *cache, const char *key) {
  struct stat status;
  if (!cache->folder)
    return NULL;
  char *path = path_of(task, cache, key), *all = NULL;
  FILE *in = fopen(path, "rb");
  if (in && !fstat(fileno(in), &status) && S_ISREG(status.st_mode)) {
    size_t size = (size_t)status.st_size;
    all = arena_alloc(&task->arena, size + 1);
    all = fread(all, 1, size, in) == size ? text_behind(all, size, key) : NULL;
  }
  if (in)
    fclose(in);
  if (all)
    utimensat(AT_FDCWD, path, NULL, 0);
  return all;
}

static bool write_whole(const char *path, const char *key, const char *text) {
  FILE *out = fopen(path, "wxb");
  if (!out)
    return false;
  fprintf(out, "%s\n%s\n.", key, text);
  bool is_lost = fflush(out) || ferror(out);
  int why = errno;
  is_lost = fclose(out) || is_lost;
  errno = is_lost && why ? why : errno;
  return !is_lost;
}

void cache_put(Task *task, Cache *cache, const char *key, const char *text) {
  static unsigned number;
  if (!cache->folder || cache->is_told)
    return;
  char *path = path_of(task, cache, key);
  char *part = arena_printf(&task->arena, "%s/%.2s/new-%ld-%u", cache->folder,
                            key, (long)getpid(), number++);
  char *folder = arena_printf(&task->arena, "%s/%.2s", cache->folder, key);
  bool is_there = !mkdir(folder, 0777) || errno == EEXIST;
  if (is_there && write_whole(part, key, text) && !rename(part, path))
    return;
  int why = errno;
  unlink(part);
  errno = why;
  give_up(cache, cache->folder);
}

// ------------------------------------------------------------------- size ---

typedef struct Kept {
  const char *path;
  uint64_t bytes;
  struct timespec used;
  bool is_text;
} Kept;
typedef Vec(Kept) AllKept;

static void find_in(Task *task, const char *folder, AllKept *all) {
  DIR *dir = opendir(folder);
  struct stat status;
  for (const struct dirent *entry; dir && (entry = readdir(dir));) {
    const char *path =
        arena_printf(&task->arena, "%s/%s", folder, entry->d_name);
    if (!stat(path, &status) && S_ISREG(status.st_mode))
      push(&task->arena, all,
           ((Kept){path, (uint64_t)status.st_size, status.st_mtim,
                   !strstr(entry->d_name, CACHE_FILE_SUFFIX)}));
  }
  if (dir)
    closedir(dir);
}

static int by_use(const void *a, const void *b) {
  const Kept *one = a, *other = b;
  if (one->is_text != other->is_text)
    return one->is_text ? 1 : -1;
  if (one->used.tv_sec != other->used.tv_sec)
    return one->used.tv_sec < other->used.tv_sec ? -1 : 1;
  return (one->used.tv_nsec > other->used.tv_nsec) -
         (one->used.tv_nsec < other->used.tv_nsec);
}

// With a tenth to spare, so that it need not be done each time.
void cache_trim(Task *task, Cache *cache) {
  AllKept all = {0};
  uint64_t bytes = 0;
  cache->grown = 0;
  if (!cache->folder || !cache->most)
    return;
  for (int i = 0; i < 256; i++)
    find_in(task, arena_printf(&task->arena, "%s/%02x", cache->folder, i),
            &all);
  for (size_t i = 0; i < all.count; i++)
    bytes += all.at[i].bytes;
  if (bytes <= cache->most)
    return;
  qsort(all.at, all.count, sizeof *all.at, by_use);
  for (size_t i = 0; i < all.count && bytes > cache->most / 10 * 9; i++)
    if (!unlink(all.at[i].path))
      bytes -= all.at[i].bytes;
}

void cache_has_grown(Task *task, Cache *cache, uint64_t bytes) {
  cache->grown += bytes;
  if (cache->grown > cache->most / 10)
    cache_trim(task, cache);
}
