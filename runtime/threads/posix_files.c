// Files as streams.
//
// A stream is an address in the program's memory that nobody reads; the first
// three are the standard ones.  Their contents are in posix_contents.c.

#define _GNU_SOURCE

#include "runtime/threads/files.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

static void *stream_of(unsigned number) {
  return (void *)(uintptr_t)(GLOBALS_AT + STREAMS_AT + number);
}

static unsigned known_number(const void *stream) {
  uint64_t number = (uint64_t)(uintptr_t)stream - GLOBALS_AT - STREAMS_AT;
  if (number >= files_known() + STANDARD_FILES)
    world_fail(MISHAP_MISUSE, "this is no stream");
  return (unsigned)number;
}

// ------------------------------------------------------------------- locks ---

// Of flockfile; a function of a stream that another thread has waits.  The
// first one that writes says what the stream is of.
typedef struct StreamLock {
  uint32_t depth, owner;
  int width; // -1: bytes, 1: wide characters; 0: not known yet
} StreamLock;

static StreamLock locks[MOST_FILES + STANDARD_FILES];
static unsigned lock_count; // so many were used

void streams_reset(void) {
  memset(locks, 0, lock_count * sizeof *locks);
  lock_count = 0;
}

static bool is_taken(const StreamLock *lock) {
  return lock->depth && lock->owner != world.self->index;
}

static unsigned number_of(const void *stream) {
  unsigned number = known_number(stream);
  while (is_taken(&locks[number]))
    world_wait(WAIT_WRITE_LOCK, &locks[number]);
  return number;
}

void file_wait(const void *stream) { number_of(stream); }

static StreamLock *lock_of(unsigned number) {
  if (lock_count <= number)
    lock_count = number + 1;
  return &locks[number];
}

int file_orient(const void *stream, int width) {
  StreamLock *lock = lock_of(number_of(stream));
  if (!lock->width && width) {
    world.hidden++;
    lock->width = width;
  }
  return lock->width;
}

static void posix_flockfile(void *stream) {
  unsigned number = number_of(stream);
  world.hidden++;
  lock_of(number)->owner = world.self->index;
  locks[number].depth++;
  races_acquire(&locks[number]);
}

static int posix_ftrylockfile(void *stream) {
  if (is_taken(&locks[known_number(stream)]))
    return 1;
  posix_flockfile(stream);
  return 0;
}

static void posix_funlockfile(void *stream) {
  StreamLock *lock = &locks[known_number(stream)];
  if (!lock->depth || is_taken(lock))
    world_fail(MISHAP_MISUSE, "unlocks a stream that it has not locked");
  world.hidden++;
  races_release(lock);
  if (!--lock->depth)
    world_wake_all(WAIT_WRITE_LOCK, lock);
}

// ----------------------------------------------------------------- streams ---

static PosixFile *file_of(const void *stream) {
  unsigned number = number_of(stream);
  if (number < STANDARD_FILES)
    world_fail(MISHAP_REFUSED, "the program reads what a person types");
  PosixFile *file = file_number(number - STANDARD_FILES);
  if (!file->is_open)
    world_fail(MISHAP_MISUSE, "uses a file that was closed");
  world.hidden++; // where it is
  return file;
}

static bool put(void *stream, const char *text, uint64_t bytes) {
  unsigned number = number_of(stream);
  bool *is_closed = file_is_closed((int)number);
  if (is_closed && *is_closed) {
    *(int *)(void *)world.tls = EBADF;
    return false;
  }
  if (number == 1)
    output_add(text, bytes);
  if (number < STANDARD_FILES)
    return number;
  PosixFile *file = file_of(stream);
  if (file->writes) {
    file_put(file, text, bytes);
    return true;
  }
  *(int *)(void *)world.tls = EBADF;
  file->has_failed = true;
  return false;
}

bool file_write(void *stream, const char *text, uint64_t bytes) {
  return file_orient(stream, -1) < 0 && put(stream, text, bytes);
}

bool file_write_wide(void *stream, const char *text, uint64_t bytes) {
  return file_orient(stream, 1) > 0 && put(stream, text, bytes);
}

static int flags_of(const char *mode) {
  int access = strchr(mode, '+') ? O_RDWR
               : mode[0] == 'r'  ? O_RDONLY
                                 : O_WRONLY;
  int exclusive = strchr(mode, 'x') ? O_EXCL : 0;
  switch (mode[0]) {
  case 'r':
    return access;
  case 'w':
    return access | O_CREAT | O_TRUNC | exclusive;
  case 'a':
    return access | O_CREAT | O_APPEND;
  default:
    world_fail(MISHAP_MISUSE, "fopen does not know the mode '%s'", mode);
  }
}

static void *posix_fopen(const char *name, const char *mode) {
  world_touch(mode, strlen(mode) + 1, false);
  int number = file_open(name, flags_of(mode));
  return number < 0 ? NULL : stream_of((unsigned)number + STANDARD_FILES);
}

static void *posix_tmpfile(void) {
  return stream_of((unsigned)file_open_nameless() + STANDARD_FILES);
}

static int posix_fclose(void *stream) {
  if (number_of(stream) >= STANDARD_FILES)
    file_of(stream)->is_open = false;
  return 0;
}

PosixFile *file_reading(const void *stream) {
  PosixFile *file = file_of(stream);
  if (!file->reads)
    world_fail(MISHAP_MISUSE, "reads a file that was opened to be written");
  return file;
}

static size_t posix_fread(void *to, size_t size, size_t count, void *stream) {
  PosixFile *file = file_reading(stream);
  uint64_t bytes;
  if (!size || !count)
    return 0;
  if (__builtin_mul_overflow(size, count, &bytes))
    world_fail(MISHAP_MISUSE, "fread is to read too much");
  return file_get(file, to, bytes) / size;
}

static int posix_fgetc(void *stream) {
  PosixFile *file = file_reading(stream);
  if (file->at < file->contents->bytes)
    return (unsigned char)file->contents->data[file->at++];
  file->has_ended = true;
  return EOF;
}

static char *posix_fgets(char *to, int room, void *stream) {
  PosixFile *file = file_reading(stream);
  uint64_t all = file->contents->bytes,
           left = file->at < all ? all - file->at : 0;
  const char *from = file->contents->data + file->at;
  if (room <= 0)
    return NULL;
  uint64_t most = (uint64_t)room - 1;
  const char *end = left ? memchr(from, '\n', left) : NULL;
  uint64_t bytes = end ? (uint64_t)(end - from + 1) : left;
  // Who has all the room wants asks for no more, and does not see the end.
  file->has_ended |= !end && left < most;
  if (!left && most)
    return NULL;
  bytes = bytes < most ? bytes : most;
  world_touch(to, bytes + 1, true);
  memcpy(to, from, bytes);
  to[bytes] = 0;
  file->at += bytes;
  return to;
}

static int posix_feof(void *stream) { return file_of(stream)->has_ended; }

static int posix_ferror(void *stream) {
  return number_of(stream) >= STANDARD_FILES && file_of(stream)->has_failed;
}

static int posix_fseek(void *stream, long offset, int from) {
  if (file_seek(file_of(stream), offset, from))
    return 0;
  *(int *)(void *)world.tls = EINVAL;
  return -1;
}

static long posix_ftell(void *stream) { return (long)file_of(stream)->at; }

static void posix_clearerr(void *stream) {
  if (number_of(stream) < STANDARD_FILES)
    return;
  PosixFile *file = file_of(stream);
  file->has_ended = file->has_failed = false;
}

static void posix_rewind(void *stream) {
  posix_fseek(stream, 0, SEEK_SET);
  posix_clearerr(stream);
}

static size_t posix_fwrite(const void *from, size_t size, size_t count,
                           void *stream) {
  uint64_t bytes;
  if (!size || !count)
    return 0;
  if (__builtin_mul_overflow(size, count, &bytes))
    world_fail(MISHAP_MISUSE, "fwrite is to write too much");
  file_wait(stream);
  world_touch(from, bytes, false);
  return file_write(stream, from, bytes) ? count : 0;
}

static int posix_fileno(void *stream) {
  unsigned number = number_of(stream);
  return number < STANDARD_FILES ? (int)number : file_of(stream)->descriptor;
}

static int posix_getchar(void) {
  return posix_fgetc(*(void **)(uintptr_t)posix_variable("stdin"));
}

// What was read is given back; another character is not.
static int posix_ungetc(int value, void *stream) {
  PosixFile *file = file_reading(stream);
  if (value == EOF)
    return EOF;
  if (!file->at || file->at > file->contents->bytes ||
      file->contents->data[file->at - 1] != (char)value)
    world_fail(MISHAP_REFUSED,
               "ungetc of another character than was read is not executed");
  file->at--;
  file->has_ended = false;
  return (unsigned char)value;
}

static void make_line_room(char **line, size_t *room, size_t bytes) {
  enum { LEAST = 120 }; // of glibc
  world_touch(line, sizeof *line, true);
  world_touch(room, sizeof *room, true);
  if (*line && *room >= bytes)
    return;
  if (bytes < LEAST)
    bytes = LEAST;
  char *larger = block_take(bytes, GRANULE, BLOCK_TAKEN);
  if (!larger)
    world_fail(MISHAP_REFUSED, "there is no memory for a line");
  if (*line)
    block_give(*line, BLOCK_TAKEN);
  *line = larger;
  *room = bytes;
}

static int64_t posix_getdelim(char **line, size_t *room, int last,
                              void *stream) {
  PosixFile *file = file_reading(stream);
  uint64_t all = file->contents->bytes,
           left = file->at < all ? all - file->at : 0;
  const char *from = file->contents->data + (left ? file->at : 0);
  const char *end = left ? memchr(from, last, left) : NULL;
  uint64_t bytes = end ? (uint64_t)(end - from + 1) : left;
  if (!line || !room) {
    *(int *)(void *)world.tls = EINVAL;
    return -1;
  }
  make_line_room(line, room, bytes + 1);
  file->has_ended |= !end;
  if (!bytes)
    return -1;
  world_touch(*line, bytes + 1, true);
  memcpy(*line, from, bytes);
  (*line)[bytes] = 0;
  file->at += bytes;
  return (int64_t)bytes;
}

static int64_t posix_getline(char **line, size_t *room, void *stream) {
  return posix_getdelim(line, room, '\n', stream);
}

// Nothing is kept back; of NULL, all streams.
static int posix_fflush(void *stream) {
  if (stream)
    file_wait(stream);
  for (unsigned i = 0; !stream && i < lock_count; i++)
    file_wait(stream_of(i));
  return 0;
}

static int posix_fflush_unlocked(void *stream) {
  if (stream)
    known_number(stream);
  return 0;
}

static int posix_setvbuf(void *stream, char *buffer, int mode, size_t bytes) {
  file_wait(stream);
  (void)buffer;
  (void)mode;
  (void)bytes;
  return 0;
}

const PosixCall file_calls[] = {
    POSIX_CALL(fopen),
    POSIX_CALL(tmpfile),
    {"remove", (void *)(uintptr_t)file_remove, 0},
    {"rename", (void *)(uintptr_t)file_rename, 0},
    POSIX_CALL(fclose),
    POSIX_CALL(flockfile),
    POSIX_CALL(ftrylockfile),
    POSIX_CALL(funlockfile),
    {"getc_unlocked", (void *)(uintptr_t)posix_fgetc, 0},
    {"fgetc_unlocked", (void *)(uintptr_t)posix_fgetc, 0},
    {"getchar_unlocked", (void *)(uintptr_t)posix_getchar, 0},
    {"fgets_unlocked", (void *)(uintptr_t)posix_fgets, 0},
    {"fread_unlocked", (void *)(uintptr_t)posix_fread, 0},
    {"fwrite_unlocked", (void *)(uintptr_t)posix_fwrite, 0},
    {"feof_unlocked", (void *)(uintptr_t)posix_feof, 0},
    {"ferror_unlocked", (void *)(uintptr_t)posix_ferror, 0},
    {"clearerr_unlocked", (void *)(uintptr_t)posix_clearerr, 0},
    POSIX_CALL(fflush_unlocked),
    {"fileno_unlocked", (void *)(uintptr_t)posix_fileno, 0},
    POSIX_CALL(fread),
    POSIX_CALL(fgetc),
    {"getc", (void *)(uintptr_t)posix_fgetc, 0},
    POSIX_CALL(getchar),
    POSIX_CALL(ungetc),
    POSIX_CALL(getline),
    POSIX_CALL(getdelim),
    {"__getdelim", (void *)(uintptr_t)posix_getdelim, 0},
    POSIX_CALL(fileno),
    POSIX_CALL(clearerr),
    {"fopen64", (void *)(uintptr_t)posix_fopen, 0},
    {"fseeko", (void *)(uintptr_t)posix_fseek, 0},
    {"ftello", (void *)(uintptr_t)posix_ftell, 0},
    POSIX_CALL(fgets),
    POSIX_CALL(feof),
    POSIX_CALL(ferror),
    POSIX_CALL(fseek),
    POSIX_CALL(ftell),
    POSIX_CALL(rewind),
    POSIX_CALL(fwrite),
    POSIX_CALL(fflush),
    POSIX_CALL(setvbuf),
    {"setbuf", (void *)(uintptr_t)posix_setvbuf, 0},
    {NULL, NULL, 0}};
