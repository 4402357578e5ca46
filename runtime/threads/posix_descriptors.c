// Files by number, and what is mapped into memory.
//
// What mmap gives is a block of the heap that begins with a copy of the file:
// nobody else can see what is written there.

#define _GNU_SOURCE

#include "runtime/threads/files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum { PAGE_BYTES = 4096 };

static int fails(int error) {
  *(int *)(void *)world.tls = error;
  return -1;
}

static PosixFile *open_file(int number) {
  if (!number && !*file_is_closed(number))
    world_fail(MISHAP_REFUSED, "the program reads what a person types");
  world.hidden++; // where it is
  return file_by_descriptor(number);
}

static bool is_standard(int number) {
  const bool *closed = file_is_closed(number);
  return closed && !*closed;
}

// A mode may follow; it is of no use here.
static int posix_open(const char *name, int flags, ...) {
  posix_cancel_point();
  int number = file_open(name, flags);
  return number < 0 ? -1 : file_number((unsigned)number)->descriptor;
}

static unsigned names; // that mkstemp has tried in this run

void descriptors_reset(void) { names = 0; }

// Names of this run alone, and the same in each schedule; none comes twice.
static int posix_mkstemp(char *name) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyz";
  enum { OWN = 6, BASE = sizeof letters - 1 };
  size_t length = strlen(name);
  uint64_t bytes;
  world_touch(name, length + 1, true);
  if (length < OWN || strcmp(name + length - OWN, "XXXXXX") != 0)
    return fails(EINVAL);
  world.hidden++;
  for (;;) {
    unsigned left = names++;
    for (unsigned i = 1; i <= OWN; i++, left /= BASE)
      name[length - i] = letters[left % BASE];
    if (!file_exists(name, &bytes))
      break;
  }
  return posix_open(name, O_RDWR | O_CREAT | O_EXCL);
}

static int posix_creat(const char *name, unsigned mode) {
  (void)mode;
  return posix_open(name, O_CREAT | O_WRONLY | O_TRUNC);
}

static int posix_close(int number) {
  posix_cancel_point();
  if (is_standard(number)) {
    world.hidden++;
    *file_is_closed(number) = true;
    return 0;
  }
  PosixFile *file = file_by_descriptor(number);
  if (!file)
    return fails(EBADF);
  file->is_open = false;
  return 0;
}

static int64_t posix_read(int number, void *to, size_t bytes) {
  posix_cancel_point();
  PosixFile *file = open_file(number);
  return file && file->reads ? (int64_t)file_get(file, to, bytes)
                             : fails(EBADF);
}

static int64_t posix_write(int number, const void *from, size_t bytes) {
  posix_cancel_point();
  world_touch(from, bytes, false);
  if (number == 1 && is_standard(number))
    output_add(from, bytes);
  if (number > 0 && is_standard(number))
    return (int64_t)bytes;
  PosixFile *file = open_file(number);
  if (!file || !file->writes)
    return fails(EBADF);
  file_put(file, from, bytes);
  return (int64_t)bytes;
}

// At a place of its own; where the file is stays as it is.
static int64_t posix_pread(int number, void *to, size_t bytes, int64_t from) {
  posix_cancel_point();
  PosixFile *file = open_file(number);
  if (!file || !file->reads)
    return fails(EBADF);
  if (from < 0)
    return fails(EINVAL);
  PosixFile there = *file;
  there.at = (uint64_t)from;
  return (int64_t)file_get(&there, to, bytes);
}

static int64_t posix_pwrite(int number, const void *from, size_t bytes,
                            int64_t to) {
  posix_cancel_point();
  world_touch(from, bytes, false);
  PosixFile *file = open_file(number);
  if (!file || !file->writes)
    return fails(EBADF);
  if (to < 0)
    return fails(EINVAL);
  PosixFile there = *file;
  there.at = (uint64_t)to;
  file_put(&there, from, bytes);
  return (int64_t)bytes;
}

// One part after the other, in one step.
static int64_t each_part(int number, const struct iovec *parts, int count,
                         int64_t (*act)(int, void *, size_t)) {
  int64_t done = 0;
  if (count < 0)
    return fails(EINVAL);
  world_touch(parts, (size_t)count * sizeof *parts, false);
  for (int i = 0; i < count; i++) {
    int64_t bytes = act(number, parts[i].iov_base, parts[i].iov_len);
    if (bytes < 0)
      return bytes;
    done += bytes;
  }
  return done;
}
static int64_t write_part(int number, void *from, size_t bytes) {
  return posix_write(number, from, bytes);
}
static int64_t posix_writev(int number, const struct iovec *parts, int count) {
  return each_part(number, parts, count, write_part);
}
static int64_t posix_readv(int number, const struct iovec *parts, int count) {
  return each_part(number, parts, count, posix_read);
}

static int64_t posix_lseek(int number, int64_t offset, int from) {
  PosixFile *file = open_file(number);
  if (!file)
    return fails(EBADF);
  return file_seek(file, offset, from) ? (int64_t)file->at : fails(EINVAL);
}

static int posix_ftruncate(int number, int64_t bytes) {
  const PosixFile *file = open_file(number);
  if (!file)
    return fails(EBADF);
  if (bytes < 0 || !file->writes)
    return fails(EINVAL);
  file_resize(file, (uint64_t)bytes);
  return 0;
}

static void fill(struct stat *facts, uint64_t bytes) {
  world_touch(facts, sizeof *facts, true);
  *facts = (struct stat){.st_mode = S_IFREG | 0644,
                         .st_nlink = 1,
                         .st_size = (off_t)bytes,
                         .st_blksize = PAGE_BYTES,
                         .st_blocks = (blkcnt_t)((bytes + 511) / 512)};
}

static int posix_fstat(int number, struct stat *facts) {
  const PosixFile *file = open_file(number);
  if (!file)
    return fails(EBADF);
  fill(facts, file->contents->bytes);
  return 0;
}

static int posix_stat(const char *name, struct stat *facts) {
  uint64_t bytes;
  if (!file_exists(name, &bytes))
    return fails(ENOENT);
  fill(facts, bytes);
  return 0;
}

static char *posix_getcwd(char *to, size_t room) {
  char path[PATH_MAX];
  bool fits =
      getcwd(path, sizeof path) && (room > strlen(path) || !(to || room));
  if (fits && !to)
    to = block_take(room ? room : strlen(path) + 1, GRANULE, BLOCK_TAKEN);
  if (!fits || !to) {
    fails(to && !room ? EINVAL : fits ? ENOMEM : ERANGE);
    return NULL;
  }
  world_touch(to, strlen(path) + 1, true);
  return strcpy(to, path);
}

// What is written is there at once.
static int posix_fsync(int number) {
  posix_cancel_point();
  return is_standard(number) || open_file(number) ? 0 : fails(EBADF);
}

// ---------------------------------------------------------------- mapping ---

static uint64_t in_pages(uint64_t bytes) {
  return (bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
}

static void *posix_mmap(void *wanted, size_t bytes, int protection, int flags,
                        int number, int64_t offset) {
  bool is_file = !(flags & MAP_ANONYMOUS);
  (void)wanted;
  if (flags & MAP_FIXED)
    world_fail(MISHAP_REFUSED, "a mapping at a fixed address is not executed");
  if (is_file && flags & MAP_SHARED && protection & PROT_WRITE)
    world_fail(MISHAP_REFUSED,
               "a mapping that changes its file is not executed");
  if (!protection)
    world_fail(MISHAP_REFUSED,
               "a mapping that nobody may read is not executed");
  const PosixFile *file = is_file ? open_file(number) : NULL;
  int error = is_file && !file                     ? EBADF
              : !bytes || offset % PAGE_BYTES != 0 ? EINVAL
                                                   : 0;
  char *at =
      error ? NULL : block_take(in_pages(bytes), PAGE_BYTES, BLOCK_MAPPED);
  if (!at) {
    fails(error ? error : ENOMEM);
    return MAP_FAILED;
  }
  memset(at, 0, in_pages(bytes));
  uint64_t all = file ? file->contents->bytes : 0, from = (uint64_t)offset;
  uint64_t there = from < all ? all - from : 0;
  if (there)
    memcpy(at, file->contents->data + from,
           there < in_pages(bytes) ? there : in_pages(bytes));
  return at;
}

static int posix_munmap(void *at, size_t bytes) {
  if (block_is(at) && block_bytes(at) != in_pages(bytes))
    world_fail(MISHAP_REFUSED, "a part of a mapping is given back");
  block_give(at, BLOCK_MAPPED);
  return 0;
}

const PosixCall descriptor_calls[] = {
    POSIX_CALL(open),
    {"open64", (void *)(uintptr_t)posix_open, 0},
    POSIX_CALL(creat),
    POSIX_CALL(mkstemp),
    {"mkstemp64", (void *)(uintptr_t)posix_mkstemp, 0},
    POSIX_CALL(close),
    POSIX_CALL(read),
    POSIX_CALL(write),
    POSIX_CALL(pread),
    POSIX_CALL(pwrite),
    POSIX_CALL(readv),
    POSIX_CALL(writev),
    POSIX_CALL(lseek),
    POSIX_CALL(ftruncate),
    {"ftruncate64", (void *)(uintptr_t)posix_ftruncate, 0},
    POSIX_CALL(fstat),
    POSIX_CALL(stat),
    POSIX_CALL(mmap),
    POSIX_CALL(munmap),
    {"access", (void *)(uintptr_t)file_access, 0},
    {"unlink", (void *)(uintptr_t)file_remove, 0},
    POSIX_KEEPER(getcwd),
    POSIX_CALL(fsync),
    {"fdatasync", (void *)(uintptr_t)posix_fsync, 0},
    {NULL, NULL, 0}};
