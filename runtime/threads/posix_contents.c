// Contents of files, and who has them open.
//
// A file of the disk is loaded when it is first opened, and kept from run to
// run.  A file that is written to is the run's own: it begins with what the
// disk has of that name, if it is to keep that, and is forgotten when the run
// ends, so no run sees another's and the disk keeps what it had.

#define _GNU_SOURCE

#include "runtime/threads/files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_FILE = 1 << 28 };

static FileContents on_disk[MOST_FILES], own[MOST_FILES];
static unsigned on_disk_count, own_count;
static PosixFile files[MOST_FILES];
static unsigned file_count;
static bool is_closed[STANDARD_FILES];

void files_reset(void) {
  memset(is_closed, 0, sizeof is_closed);
  for (unsigned i = 0; i < file_count; i++)
    files[i] = (PosixFile){0};
  for (unsigned i = 0; i < own_count; i++)
    own[i].bytes = 0;
  file_count = own_count = 0;
}

unsigned files_known(void) { return file_count; }

PosixFile *file_number(unsigned number) {
  return number < file_count ? &files[number] : NULL;
}

PosixFile *file_by_descriptor(int descriptor) {
  for (unsigned i = 0; i < file_count; i++)
    if (files[i].is_open && files[i].descriptor == descriptor)
      return &files[i];
  return NULL;
}

bool *file_is_closed(int descriptor) {
  return descriptor >= 0 && descriptor < STANDARD_FILES ? &is_closed[descriptor]
                                                        : NULL;
}

static int lowest_descriptor(void) {
  for (int i = 0; i < STANDARD_FILES; i++)
    if (is_closed[i])
      world_fail(MISHAP_REFUSED,
                 "a file in the place of a standard one is not executed");
  int lowest = STANDARD_FILES;
  while (file_by_descriptor(lowest))
    lowest++;
  return lowest;
}

// ------------------------------------------------------------------- names ---

// Names that programs have used, and what they stand for: from run to run the
// disk has the same folders.
typedef struct KnownName {
  char used[MOST_NAME], full[MOST_NAME];
} KnownName;

static KnownName names[MOST_FILES];
static unsigned name_count, next_name; // those known longest are replaced

// Through the folders that the disk has; a name in none stays as it is.
static void make_full(const char *name, char full[PATH_MAX]) {
  char folder[PATH_MAX];
  const char *slash = strrchr(name, '/');
  size_t before = slash ? (size_t)(slash - name) + 1 : 0;
  if (realpath(name, full))
    return;
  snprintf(folder, sizeof folder, "%.*s", before ? (int)before : 1,
           before ? name : ".");
  if (!realpath(folder, full) || !name[before])
    snprintf(full, PATH_MAX, "%s", name);
  else
    snprintf(full + strlen(full), PATH_MAX - strlen(full), "/%s",
             name + before);
}

// One name for each file, however it is said.
static const char *full_name(const char *name) {
  char full[PATH_MAX];
  for (unsigned i = 0; i < name_count; i++)
    if (!strcmp(names[i].used, name))
      return names[i].full;
  make_full(name, full);
  if (strlen(name) >= MOST_NAME || strlen(full) >= MOST_NAME)
    world_fail(MISHAP_REFUSED, "a name of %d bytes or more is not executed",
               MOST_NAME);
  KnownName *known = &names[next_name++ % MOST_FILES];
  name_count += name_count < MOST_FILES;
  strcpy(known->used, name);
  return strcpy(known->full, full);
}

// ... by the program.
static const char *canonical(const char *name) {
  world_touch(name, strlen(name) + 1, false);
  return full_name(name);
}

// ---------------------------------------------------------------- contents ---

static void grow(FileContents *file, uint64_t bytes) {
  if (bytes > MOST_FILE)
    world_fail(MISHAP_REFUSED, "'%s' is too large", file->name);
  if (bytes <= file->room)
    return;
  uint64_t room = 2 * bytes < 4096 ? 4096 : 2 * bytes;
  char *data = realloc(file->data, room);
  if (!data)
    world_fail(MISHAP_REFUSED, "there is no memory for '%s'", file->name);
  file->data = data;
  file->room = room;
}

// The last one of that name.
static FileContents *find(FileContents *list, unsigned count,
                          const char *name) {
  for (unsigned i = count; i-- > 0;)
    if (!strcmp(list[i].name, name))
      return &list[i];
  return NULL;
}

static FileContents *add(FileContents *list, unsigned *count,
                         const char *name) {
  if (*count == MOST_FILES || strlen(name) >= MOST_NAME)
    world_fail(MISHAP_REFUSED, "the program opens too many files");
  FileContents *file = &list[*count];
  strcpy(file->name, name);
  file->bytes = 0;
  file->is_gone = false;
  ++*count;
  return file;
}

// One that the system writes when it is read, as below /proc, is longer than it
// says.
static void read_all(FileContents *file, FILE *in, size_t bytes) {
  grow(file, bytes);
  file->bytes = fread(file->data, 1, bytes, in);
  bool has_more = getc(in) != EOF;
  fclose(in);
  if (!has_more)
    return;
  on_disk_count--;
  world_fail(MISHAP_REFUSED, "'%s' has more than the disk says", file->name);
}

// NULL: errno says why not.  Others than ordinary files are not opened: that
// might wait for somebody.
static FileContents *load(const char *name) {
  FileContents *known = find(on_disk, on_disk_count, name);
  if (known)
    return known;
  struct stat facts;
  if (stat(name, &facts))
    return NULL;
  if (!S_ISREG(facts.st_mode))
    world_fail(MISHAP_REFUSED, "'%s' is no ordinary file", name);
  FILE *in = fopen(name, "rb");
  if (!in)
    return NULL;
  FileContents *file = add(on_disk, &on_disk_count, name);
  read_all(file, in, (size_t)facts.st_size);
  return file;
}

// The run's own, from here on for all that have it open.
static FileContents *make_own(const char *name, const FileContents *before) {
  FileContents *file = add(own, &own_count, name);
  for (unsigned i = 0; before && i < file_count; i++)
    if (files[i].contents == before)
      files[i].contents = file;
  if (!before)
    return file;
  grow(file, before->bytes);
  memcpy(file->data, before->data, before->bytes);
  file->bytes = before->bytes;
  return file;
}

// As the disk would say it: there is no such folder, or it may not be written.
static bool may_make(const char *name) {
  char folder[MOST_NAME] = ".";
  const char *slash = strrchr(name, '/');
  if (!*name || (slash && !slash[1])) {
    errno = *name ? EISDIR : ENOENT;
    return false;
  }
  if (slash)
    snprintf(folder, sizeof folder, "%.*s/", (int)(slash - name), name);
  return !access(folder, W_OK);
}

// What it takes for a folder is a file that the run has made.
static bool is_below_file(const char *name) {
  char folder[MOST_NAME];
  const char *slash = strrchr(name, '/');
  if (!slash || slash == name)
    return false;
  snprintf(folder, sizeof folder, "%.*s", (int)(slash - name), name);
  const FileContents *file = find(own, own_count, full_name(folder));
  return file && !file->is_gone;
}

// What the name stands for; NULL: errno says why nothing.
static FileContents *contents_for(const char *name, int flags) {
  if (is_below_file(name)) {
    errno = ENOTDIR;
    return NULL;
  }
  FileContents *mine = find(own, own_count, name);
  FileContents *there = mine ? mine : load(name);
  if (mine && mine->is_gone) {
    errno = ENOENT;
    mine = there = NULL;
  }
  bool writes = (flags & O_ACCMODE) != O_RDONLY, creates = flags & O_CREAT;
  if (there && creates && flags & O_EXCL)
    errno = EEXIST;
  if (there ? creates && flags & O_EXCL
            : !creates || errno != ENOENT || !may_make(name))
    return NULL;
  if (there && !mine && writes && access(name, W_OK))
    return NULL;
  if ((writes || !there) && !mine)
    mine = make_own(name, there);
  if (writes && flags & O_TRUNC)
    mine->bytes = 0;
  return mine ? mine : there;
}

bool file_exists(const char *name, uint64_t *bytes) {
  const FileContents *there = contents_for(canonical(name), O_RDONLY);
  *bytes = there ? there->bytes : 0;
  return there;
}

static int fails(int error) {
  *(int *)(void *)world.tls = error;
  return -1;
}

int file_access(const char *name, int mode) {
  name = canonical(name);
  if (!contents_for(name, O_RDONLY))
    return fails(errno);
  if (find(own, own_count, name))
    return mode & X_OK ? fails(EACCES) : 0;
  return access(name, mode) ? fails(errno) : 0;
}

int file_remove(const char *name) {
  name = canonical(name);
  if (!contents_for(name, O_RDONLY))
    return fails(errno);
  world.hidden++;
  add(own, &own_count, name)->is_gone = true;
  return 0;
}

int file_rename(const char *from, const char *to) {
  from = canonical(from);
  to = canonical(to);
  const FileContents *contents = contents_for(from, O_RDONLY);
  if (!contents || !may_make(to))
    return fails(errno);
  if (!strcmp(from, to))
    return 0;
  make_own(to, contents);
  return file_remove(from);
}

// -------------------------------------------------------------- open files ---

static int open_contents(FileContents *contents, int flags) {
  if (file_count == MOST_FILES)
    world_fail(MISHAP_REFUSED, "the program opens too many files");
  world.hidden++;
  files[file_count] = (PosixFile){.descriptor = lowest_descriptor(),
                                  .is_open = true,
                                  .reads = (flags & O_ACCMODE) != O_WRONLY,
                                  .writes = (flags & O_ACCMODE) != O_RDONLY,
                                  .appends = flags & O_APPEND,
                                  .contents = contents};
  return (int)file_count++;
}

int file_open(const char *name, int flags) {
  FileContents *contents = contents_for(canonical(name), flags);
  return contents ? open_contents(contents, flags) : fails(errno);
}

// By this name nobody finds it.
int file_open_nameless(void) {
  return open_contents(add(own, &own_count, "//"), O_RDWR);
}

uint64_t file_get(PosixFile *file, void *to, uint64_t bytes) {
  uint64_t all = file->contents->bytes,
           left = file->at < all ? all - file->at : 0;
  if (bytes > left) {
    file->has_ended = true;
    bytes = left;
  }
  world_touch(to, bytes, true);
  memcpy(to, file->contents->data + file->at, bytes);
  file->at += bytes;
  return bytes;
}

void file_put(PosixFile *file, const void *from, uint64_t bytes) {
  FileContents *contents = file->contents;
  if (file->appends)
    file->at = contents->bytes;
  grow(contents, file->at + bytes);
  if (file->at > contents->bytes)
    memset(contents->data + contents->bytes, 0, file->at - contents->bytes);
  memcpy(contents->data + file->at, from, bytes);
  file->at += bytes;
  if (file->at > contents->bytes)
    contents->bytes = file->at;
}

void file_resize(const PosixFile *file, uint64_t bytes) {
  FileContents *contents = file->contents;
  grow(contents, bytes);
  if (bytes > contents->bytes)
    memset(contents->data + contents->bytes, 0, bytes - contents->bytes);
  contents->bytes = bytes;
  world.hidden++;
}

bool file_seek(PosixFile *file, int64_t offset, int from) {
  if (from != SEEK_SET && from != SEEK_CUR && from != SEEK_END)
    return false;
  int64_t base = from == SEEK_SET   ? 0
                 : from == SEEK_CUR ? (int64_t)file->at
                                    : (int64_t)file->contents->bytes;
  if (base + offset < 0)
    return false;
  file->at = (uint64_t)(base + offset);
  file->has_ended = false;
  return true;
}
