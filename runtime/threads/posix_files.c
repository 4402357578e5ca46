// Files as streams.
//
// A file that is read is loaded once, and each run reads it from its beginning;
// what is written to a file is dropped, so no run sees another's.  A file that
// is to be written and read again is not there to be read.

#define _GNU_SOURCE

#include "runtime/threads/world.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FILES = 64, MOST_NAME = 256, MOST_FILE = 1 << 28 };

// Contents, kept from run to run.
typedef struct LoadedFile {
  char name[MOST_NAME];
  char *data;
  uint64_t bytes;
} LoadedFile;

typedef struct PosixFile {
  bool is_open, is_written, has_ended;
  const LoadedFile *from;
  uint64_t at;
} PosixFile;

static LoadedFile loaded[MOST_FILES];
static unsigned loaded_count;
static PosixFile files[MOST_FILES];
static unsigned file_count;

void files_reset(void) {
  for (unsigned i = 0; i < file_count; i++)
    files[i] = (PosixFile){0};
  file_count = 0;
}

// ----------------------------------------------------------------- streams ---

// As the program sees it; the first three are the standard ones.
static void *stream_of(unsigned number) {
  return (void *)(uintptr_t)(GLOBALS_AT + STREAMS_AT + number);
}

static unsigned number_of(const void *stream) {
  uint64_t number = (uint64_t)(uintptr_t)stream - GLOBALS_AT - STREAMS_AT;
  if (number >= file_count + 3)
    world_fail(MISHAP_MISUSE, "this is no stream");
  return (unsigned)number;
}

static PosixFile *file_of(const void *stream) {
  unsigned number = number_of(stream);
  if (number < 3)
    world_fail(MISHAP_REFUSED, "the program reads what a person types");
  PosixFile *file = &files[number - 3];
  if (!file->is_open)
    world_fail(MISHAP_MISUSE, "uses a file that was closed");
  return file;
}

void file_write(void *stream, const char *text, uint64_t bytes) {
  unsigned number = number_of(stream);
  if (number == 1)
    output_add(text, bytes);
  else if (number >= 3)
    file_of(stream);
}

// ----------------------------------------------------------------- loading ---

static bool read_all(FILE *in, LoadedFile *file) {
  uint64_t room = 0;
  for (size_t got = 1; got && file->bytes < MOST_FILE; file->bytes += got) {
    if (room - file->bytes < 4096)
      file->data = realloc(file->data, room = 2 * room + 65536);
    if (!file->data)
      return false;
    got = fread(file->data + file->bytes, 1, room - file->bytes, in);
  }
  return true;
}

static const LoadedFile *load(const char *name) {
  for (unsigned i = 0; i < loaded_count; i++)
    if (!strcmp(loaded[i].name, name))
      return &loaded[i];
  if (loaded_count == MOST_FILES || strlen(name) >= MOST_NAME)
    world_fail(MISHAP_REFUSED, "the program opens too many files");
  FILE *in = fopen(name, "rb");
  if (!in)
    return NULL;
  LoadedFile *file = &loaded[loaded_count];
  strcpy(file->name, name);
  bool is_read = read_all(in, file);
  fclose(in);
  if (!is_read)
    return NULL;
  loaded_count++;
  return file;
}

static void *posix_fopen(const char *name, const char *mode) {
  PosixFile file = {.is_open = true, .is_written = mode[0] != 'r'};
  world_step(files, 1, true);
  if (!file.is_written && strchr(mode, '+'))
    world_fail(MISHAP_REFUSED, "the program changes a file in place");
  file.from = file.is_written ? NULL : load(name);
  if (!file.is_written && !file.from) {
    *(int *)(void *)world.tls = errno;
    return NULL;
  }
  if (file_count == MOST_FILES)
    world_fail(MISHAP_REFUSED, "the program opens too many files");
  files[file_count++] = file;
  return stream_of(file_count + 2);
}

static int posix_fclose(void *stream) {
  world_step(stream, 1, true);
  if (number_of(stream) >= 3)
    file_of(stream)->is_open = false;
  return 0;
}

// ----------------------------------------------------------------- reading ---

static PosixFile *reading(void *stream) {
  world_step(stream, 1, true);
  PosixFile *file = file_of(stream);
  if (file->is_written)
    world_fail(MISHAP_REFUSED, "the program reads what it wrote to a file");
  return file;
}

static size_t posix_fread(void *to, size_t size, size_t count, void *stream) {
  PosixFile *file = reading(stream);
  uint64_t left = file->from->bytes - file->at;
  size_t fits = size ? left / size : 0;
  if (fits < count)
    file->has_ended = true;
  count = fits < count ? fits : count;
  world_touch(to, size * count, true);
  memcpy(to, file->from->data + file->at, size * count);
  file->at += size * count;
  return count;
}

static int posix_fgetc(void *stream) {
  PosixFile *file = reading(stream);
  file->has_ended = file->at == file->from->bytes;
  return file->has_ended ? EOF : (unsigned char)file->from->data[file->at++];
}

static char *posix_fgets(char *to, int room, void *stream) {
  PosixFile *file = reading(stream);
  uint64_t left = file->from->bytes - file->at;
  const char *from = file->from->data + file->at;
  uint64_t most = room > 0 ? (uint64_t)room - 1 : 0;
  const char *end = memchr(from, '\n', left);
  uint64_t bytes = end ? (uint64_t)(end - from + 1) : left;
  file->has_ended = !end && left <= most;
  if (!left || room <= 0)
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
  (void)stream;
  return 0;
}

static int posix_fseek(void *stream, long offset, int from) {
  PosixFile *file = reading(stream);
  int64_t base = from == SEEK_SET   ? 0
                 : from == SEEK_CUR ? (int64_t)file->at
                                    : (int64_t)file->from->bytes;
  if (base + offset < 0 || base + offset > (int64_t)file->from->bytes)
    return -1;
  file->at = (uint64_t)(base + offset);
  file->has_ended = false;
  return 0;
}

static long posix_ftell(void *stream) { return (long)reading(stream)->at; }

static void posix_rewind(void *stream) { posix_fseek(stream, 0, SEEK_SET); }

static size_t posix_fwrite(const void *from, size_t size, size_t count,
                           void *stream) {
  world_touch(from, size * count, false);
  world_step(stream, 1, true);
  file_write(stream, from, size * count);
  return count;
}

static int posix_fflush(void *stream) {
  (void)stream;
  return 0;
}

static int posix_setvbuf(void *stream, char *buffer, int mode, size_t bytes) {
  (void)stream;
  (void)buffer;
  (void)mode;
  (void)bytes;
  return 0;
}

const PosixCall file_calls[] = {
    POSIX_CALL(fopen),
    POSIX_CALL(fclose),
    POSIX_CALL(fread),
    POSIX_CALL(fgetc),
    {"getc", (void *)(uintptr_t)posix_fgetc, false},
    POSIX_CALL(fgets),
    POSIX_CALL(feof),
    POSIX_CALL(ferror),
    POSIX_CALL(fseek),
    POSIX_CALL(ftell),
    POSIX_CALL(rewind),
    POSIX_CALL(fwrite),
    POSIX_CALL(fflush),
    POSIX_CALL(setvbuf),
    {"setbuf", (void *)(uintptr_t)posix_setvbuf, false},
    {NULL, NULL, false}};
