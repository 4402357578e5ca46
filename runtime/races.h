// What the files that look for races share: races.c, causality.c, locations.c,
// shadow.c, known.c, pool.c.

#ifndef RUNTIME_RACES_H
#define RUNTIME_RACES_H

#include "runtime/machine.h"

// ---------------------------------------------------------------- pool.c ---

// Objects of one size, taken and given back often.
typedef struct Pool {
  size_t bytes; // of an object
  void *free;
  struct PoolChunk *chunks;
} Pool;

// Ends the run if there is no more memory; not zeroed.
void *pool_take(Pool *pool);
void pool_give(Pool *pool, void *object);
void pool_close(Pool *pool);

// --------------------------------------------------------------- known.c ---

// Immutable, counted: what is known of threads (their accesses up to a tick)
// and of blocks (their accesses before an interval).  NULL: nothing.
typedef struct Known Known;

uint64_t known_thread(uint64_t block, unsigned thread); // keys
uint64_t known_block(uint64_t block);
Known *known_hold(Known *known);
void known_drop(Known *known);
uint32_t known_value(const Known *known, uint64_t key); // 0: nothing
// A new hold; `b` into the place of `a`.
void known_add(Known **a, Known *b);
void known_put(Known **a, uint64_t key, uint32_t value);
void known_close(void);

// ----------------------------------------------------------- causality.c ---

// Where a thread was when it did something.
typedef struct Point {
  uint64_t block;
  uint32_t thread, interval, epoch, tick;
} Point;

// The sites of the kernel, as far as they matter here.
typedef struct Traits {
  bool has_order;        // fences, or atomics that acquire or release
  bool has_narrow_order; // some of them for the block only
  bool has_narrow_scope; // strong accesses for less than the grid
} Traits;

extern Traits traits;

Point point_here(void);
bool point_is_before(const Point *point); // what the running thread does now
// The same for all of `lanes` of a warp, whose points differ in nothing else.
uint32_t lanes_before(const Point *first, uint32_t lanes);
// It would be if the running thread had a fence behind what it read.
bool point_is_heard_of(const Point *point);
// Both are in the scope.
bool is_in_scope(Scope scope, const Point *a, const Point *b);

// What one thread published before a write, for whom.
typedef struct Release {
  bool is_wide;   // for the grid, else for its block
  uint64_t block; // of the thread; any if all are wide
  Known *what;
} Release;

// Immutable, counted: what a write has to tell.  NULL: nothing.
typedef struct Message {
  uint32_t holds, count;
  Release releases[];
} Message;

Message *message_hold(Message *message);
void message_drop(Message *message);
// What the running thread publishes by a write to this place, added to `old`.
Message *message_publish(const void *place, Message *old, const Site *site);
// The running thread has read it there; `chain` is longer than it was.
void message_receive(const void *place, uint32_t chain, Message *message);
// It acquires all it has read there.
void message_acquire(const void *place, const Site *site);

// ----------------------------------------------------------- locations.c ---

typedef struct RaceAccess {
  Region *region;
  int64_t offset;
  uint64_t bytes;
  uint32_t number; // of the site
  const Site *site;
  Scope scope;
  bool reads, writes, is_strong, acquires;
} RaceAccess;

// Bytes that strong accesses are made to as a whole.
typedef struct Location Location;

Location *location_find(Location *list, const RaceAccess *access);
Location *location_make(Location **list, const RaceAccess *access);
void location_free(Location *list);
// The running thread would see the strong write that is there now.
bool location_is_current(const Location *location, const RaceAccess *access);
// The same, and another thread has made it.
bool location_is_observed(const Location *location, const RaceAccess *access);
// Before an access that acquires is checked.
void location_acquire(Location *location, const RaceAccess *access,
                      bool is_told);
// After it was checked.  Of an access to many words one takes the message.
void location_read(Location *location, const RaceAccess *access, bool is_told);
void location_write(Location *location, const RaceAccess *access, bool tells);
// Somebody whom the running thread knows of has seen the write at `position`.
bool location_has_seen(const Location *location, uint32_t position);
// No write before this position is of interest any more.
void location_forget(Location *location, uint32_t position);
uint32_t location_position(const Location *location);
// A write to some of these bytes, to all of them of one location.
void locations_overwrite(Location *list, const RaceAccess *access,
                         const Location *but);
void locations_close(void);

// -------------------------------------------------------------- shadow.c ---

enum { WORD_BYTES = 4 };

// What some lanes of a warp did at one site in one interval and tick.
typedef struct Cell {
  struct Cell *next;
  int64_t offset; // of the access, which can be larger than the word
  Point first;    // that of the first lane of the warp
  uint32_t lanes, site, bytes;
  uint32_t position; // of a strong write, in its location
  uint8_t mask;      // bytes of the word
  bool writes, is_strong;
} Cell;

typedef struct Word {
  Cell *reads, *writes; // a read-modify-write is a write
  Location *locations;
} Word;

Cell *cell_take(void);
void cell_give(Cell *cell);
// Bytes WORD_BYTES * index and on of the region.
Word *shadow_word(Region *region, int64_t index);
void shadow_forget(Group *group);
void shadow_forget_bytes(Region *region, int64_t offset, uint64_t bytes);
void shadow_close_group(Group *group);
void shadow_close(void);

#endif
