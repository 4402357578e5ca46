// Files as one run of a program sees them.  Private to this room.

#ifndef RUNTIME_THREADS_FILES_H
#define RUNTIME_THREADS_FILES_H

#include "runtime/threads/world.h"

enum { MOST_FILES = 1024, MOST_NAME = 256, STANDARD_FILES = 3 };

typedef struct FileContents {
  char name[MOST_NAME];
  char *data;
  uint64_t bytes, room;
  bool is_gone; // of this name there is nothing any more
} FileContents;

typedef struct PosixFile {
  int descriptor;
  bool is_open, reads, writes, appends, has_ended, has_failed;
  FileContents *contents;
  uint64_t at;
} PosixFile;

// All that were opened have numbers from 0 on, without the standard ones; those
// that are open have descriptors as well, of which a new one gets the lowest.
unsigned files_known(void);
PosixFile *file_number(unsigned number); // NULL: there is none
PosixFile *file_by_descriptor(int descriptor);
// Of a standard one; or NULL.
bool *file_is_closed(int descriptor);
// With flags as open has them.  -1: errno says why not.
int file_open(const char *name, int flags);
int file_open_nameless(void);
bool file_exists(const char *name, uint64_t *bytes);
// As access, remove and rename have it.
int file_access(const char *name, int mode);
int file_remove(const char *name);
int file_rename(const char *from, const char *to);
// Of a stream; the run ends if it is none, or not to be read.
PosixFile *file_reading(const void *stream);
// The thread may be stopped before what it does to files.
// How many bytes there were.
uint64_t file_get(PosixFile *file, void *to, uint64_t bytes);
void file_put(PosixFile *file, const void *from, uint64_t bytes);
void file_resize(const PosixFile *file, uint64_t bytes); // one that is written
bool file_seek(PosixFile *file, int64_t offset, int from);

#endif
