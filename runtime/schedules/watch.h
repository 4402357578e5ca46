// What the files share that watch the accesses of one execution:
// watch.c, cells.c, conflicts.c.

#ifndef RUNTIME_SCHEDULES_WATCH_H
#define RUNTIME_SCHEDULES_WATCH_H

#include "runtime/schedules/cpu.h"

// An access on its way into the tables.
typedef struct Told {
  Region *region;
  int64_t offset; // in it
  char *at;
  Group *owner;           // of shared memory of another block, or NULL
  uint64_t key_at, bytes; // in shared memory: an address of the block's own
  uint32_t site;
  SiteKind kind;
  bool writes, is_conditional;
  struct Course *course; // of its thread
} Told;

// --------------------------------------------------------------- cells.c ---

enum { CELL_BYTES = 4, NO_LINK = INT32_MAX };

// Four bytes that were accessed.
typedef struct AccessedCell {
  uint64_t key, age;         // of this execution if it is the table's
  uint64_t version;          // how often its contents have changed
  uint64_t written, read;    // hashes of the last write, of the reads since
  uint32_t writers, readers; // lists of accesses, up to NO_LINK
  uint32_t start;            // contents before the first write
  uint8_t is_kept;           // ... which have been kept
  uint8_t observed;          // bytes that were written and are observed
} AccessedCell;

AccessedCell *cell_of(uint64_t key);

// All cells of some bytes.
#define for_cells(cell, address, bytes)                                        \
  for (uint64_t cell_key = (address) / CELL_BYTES;                             \
       cell_key <= ((address) + (bytes) - 1) / CELL_BYTES &&                   \
       ((cell) = cell_of(cell_key));                                           \
       cell_key++)

uint64_t cells_version(uint64_t at, uint64_t bytes);
void cells_change(uint64_t at, uint64_t bytes);
// What the access is about to overwrite, and what of it is observed.
void cells_keep(const Told *access);
void cells_open(const bool *observed); // by region
void cells_restart(void);
void cells_close(void);

// ----------------------------------------------------------- conflicts.c ---

// Marks what comes before the access and conflicts with it, and remembers it.
void conflicts_add(const Told *access, const Instance *instance);
void conflicts_restart(void);
void conflicts_close(void);

// --------------------------------------------------------------- watch.c ---

// Room for `count` things of `size` bytes, or the run ends.
void *watch_grow(void *at, size_t *room, size_t count, size_t size);

#define watch_append(vec, item)                                                \
  ((vec)->at = watch_grow((vec)->at, &(vec)->room, (vec)->count + 1,           \
                          sizeof *(vec)->at),                                  \
   (vec)->at[(vec)->count++] = (item))

#endif
