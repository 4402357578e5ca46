// What the files that look for races share: races.c, causality.c, locations.c,
// shadow.c, marks.c, spots.c, known.c, pool.c.

#ifndef RUNTIME_MACHINE_RACES_H
#define RUNTIME_MACHINE_RACES_H

#include "runtime/machine/machine.h"

// ---------------------------------------------------------------- pool.c ---

// Objects of one size, taken and given back often.
typedef struct Pool {
  size_t bytes; // of an object
  void *free;   // were given back
  char *fresh;  // never were taken
  size_t left;  // of these
  struct PoolChunk *chunks;
} Pool;

// Ends the run if there is no more memory; not zeroed.
void *pool_take(Pool *pool);
void pool_give(Pool *pool, void *object);
void pool_close(Pool *pool);

// --------------------------------------------------------------- known.c ---

// Immutable, counted: what is known of threads (their accesses up to a tick)
// and of blocks (their accesses before an interval).  NULL: nothing; the type
// is machine.h's.

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
  bool has_narrow_order; // some of them for less than the grid
  bool has_narrow_scope; // strong accesses for less than the grid
  bool has_ticks;        // fences, the like, or __syncwarp
  bool has_marks;        // of shared memory
} Traits;

extern Traits traits;

// The block of companions (copies.c), which is nobody's.
static inline uint64_t copy_block(uint64_t block) {
  return block | UINT64_C(1) << 40;
}
static inline bool point_is_copy(const Point *point) {
  return point->block >> 40;
}
bool point_is_init(const Point *point); // of an mbarrier
// The thread that has started it.
unsigned copy_thread(const Point *point);

// What a thread knows of others by now; NULL: nothing.
Known *causality_known(const Thread *thread);

Point point_here(void);
bool point_is_before(const Point *point); // what the running thread does now
// The same for all of `lanes` of a warp, whose points differ in nothing else.
uint32_t lanes_before(const Point *first, uint32_t lanes);
// It would be if the running thread had a fence behind what it read.
bool point_is_heard_of(const Point *point);
// Both are in the scope.
bool is_in_scope(Scope scope, const Point *a, const Point *b);

// How far a release or an acquisition goes.
typedef enum ReleaseReach {
  REACH_BLOCK,
  REACH_CLUSTER,
  REACH_GRID,
  REACHES
} ReleaseReach;

// What one thread published before a write, for whom.
typedef struct Release {
  ReleaseReach reach;
  uint64_t block; // of the thread; any if all are for the grid
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

enum { WORD_BYTES = 4, LINE_WORDS = 32, LINE_BYTES = WORD_BYTES * LINE_WORDS };

// Where the access of a deed starts.
typedef enum Start {
  START_ALIGNED, // at a multiple of its bytes, which are a word or more
  START_WITHIN,  // `offset` bytes behind that of the word
  START_FIXED,   // `offset` bytes behind that of the array
} Start;

// What lanes of a warp did at one site in one interval and tick, to whichever
// words.  Immutable, counted.
typedef struct Deed {
  Point first;     // that of the first lane of the warp
  uint64_t moment; // block, interval and epoch of it
  uint64_t bytes, holds;
  int64_t offset;
  Start start;
  uint32_t site;
  bool writes, is_strong;
} Deed;

// The lanes that did it to one word.
typedef struct Cell {
  struct Cell *next;
  Deed *deed;
  uint32_t lanes;
  uint32_t position; // of a strong write, in its location
} Cell;

// `enough`: weak reads of the whole word, by any thread of the block in this
// moment, or by any at all in this era, race with no write that is kept, and
// need not be kept.
typedef struct Word {
  Cell *reads, *writes; // a read-modify-write is a write
  Location *locations;
  uint64_t enough;
} Word;

// Neighbouring words.  As long as lanes side by side access words side by side,
// there is at most one deed of each kind, and which lane it was follows from
// the word.  After that the line is split: each word has a list of its own.
typedef struct Line {
  Deed *write, *read;
  uint32_t written, was_read; // words, as masks
  uint32_t phase;             // which lane has which word
} Line;

enum { PHASE_SPLIT = UINT16_MAX };

// Who has accessed a word of shared memory since the last barrier, as numbers:
// moment, width, site and thread.  Those of another moment count as nothing.
typedef struct Mark {
  uint64_t write, read;
  uint64_t second; // another thread that has read it
  uint64_t listed; // the moment in which the word's lists tell more
} Mark;

enum {
  MARK_THREAD_BITS = 10,
  MARK_SITE_BITS = 16,
  MARK_WIDTH_BITS = 2,
  MARK_WIDTH_AT = MARK_THREAD_BITS + MARK_SITE_BITS,
  MARK_MOMENT_AT = MARK_WIDTH_AT + MARK_WIDTH_BITS,
};

#define MARKS_BARRED (UINT64_MAX << MARK_MOMENT_AT) // of no moment

static inline uint64_t mark_base(uint64_t moment) {
  return moment << MARK_MOMENT_AT;
}

static inline bool mark_is_of(uint64_t number, uint64_t moment) {
  return (number ^ moment) >> MARK_MOMENT_AT == 0;
}

// Lane `lane` accesses 1 << `width` words from `word` on; so does lane + 1
// behind them.
static inline uint32_t line_phase(unsigned word, unsigned lane,
                                  unsigned width) {
  return (((word >> width) - lane) & (LANES - 1)) | width * LANES;
}

// What the running thread does, of which site, bytes, start and kind are given:
// *kept if that is it, else a new one in its place.
Deed *deed_here(Deed **kept, const Deed *what);
Deed *deed_hold(Deed *deed);
void deed_drop(Deed *deed); // or NULL
// Of the access, from the start of the array; `at` is that of the word.
static inline int64_t deed_offset(const Deed *deed, int64_t at) {
  switch (deed->start) {
  case START_ALIGNED:
    return at & -(int64_t)deed->bytes;
  case START_WITHIN:
    return at + deed->offset;
  case START_FIXED:
    break;
  }
  return deed->offset;
}

// At the head.
void cell_add(Cell **list, Deed *deed, uint32_t lanes);
void cell_give(Cell *cell);
// Words of a region: at WORD_BYTES * index and on.
Word *shadow_words(Region *region);
Line *shadow_lines(Region *region);
Mark *shadow_marks(Region *region); // NULL: it has lines
// Of which there is a list, from now on.
Word *shadow_word(Region *region, int64_t index);
void shadow_forget(Group *group);
void shadow_forget_bytes(Region *region, int64_t offset, uint64_t bytes);
void shadow_close_group(Group *group);
void shadow_close(void);

// --------------------------------------------------------------- marks.c ---

// Of a weak access to whole words.  False: there are lists, or will have to be.
bool marks_access(Mark *marks, uint64_t bytes, uint32_t site, bool writes);
bool marks_are_listed(const Mark *marks, uint64_t words);
// What the mark tells goes to the lists, which are empty.
void mark_list(Mark *mark, Word *word);

// --------------------------------------------------------------- spots.c ---

// Of the running thread.  While each access has to be looked at, these are the
// numbers of no moment, era and stay.
typedef struct BlockTurn {
  uint64_t moment, era;
  uint64_t marks; // the moment as it is in marks
  uint64_t stay;  // a new one when another warp runs, or a tick has gone on
  uint32_t warp;  // index of its first thread
} BlockTurn;

extern BlockTurn turn;

struct Spot {
  char *at;
  uint64_t limit; // an access that starts so near to `at` is in the array
  uint64_t rest;  // bits that are zero in how far it starts from `at`
  uint64_t
      index_limit;     // ... counted in what the site's accesses are aligned to
  uint64_t word_limit; // of a word, of an array that is written
  Line *lines;         // NULL: nobody writes to it
  Word *words;
  Mark *marks;             // of shared memory, or NULL
  uint64_t mark_limit;     // as word_limit
  uint32_t still_limit;    // as limit, of shared memory that has marks
  bool is_shared;          // its shadow is another in another block
  Deed *deeds[WORD_BYTES]; // by the byte of the word where the access starts
  uint64_t stay;           // in which the first of them is of now
};

// Where the deed of the running warp is kept for such accesses of the site, or
// NULL.
Deed **spot_deed(uint32_t site, int64_t offset, uint64_t bytes);
void spots_bar(bool bars); // each access has to be looked at, or not any more

#endif
