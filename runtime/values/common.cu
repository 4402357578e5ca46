// What all of values.cu's parts know: types, what the host is asked for, lines
// and masks of their bytes.

#include "runtime/machine/copied.h"
#include "runtime/values/on_device.h"

// What is inlined into kernels is code for a device in either case.
#if defined(__CUDA__) && !defined(FOR_PROCESSOR)
#define ON_DEVICE
#endif
#ifdef __CUDA__
#define OF_DEVICE __attribute__((device))
#else
#define OF_DEVICE
#endif
#define DEVICE static OF_DEVICE
#define INLINE DEVICE __attribute__((always_inline)) inline
#define OUT_OF_LINE DEVICE __attribute__((noinline))
#define CALLED                                                                 \
  extern "C" OF_DEVICE __attribute__((always_inline, visibility("hidden")))
// ... as it is, where it is not short.
#define APART                                                                  \
  extern "C" OF_DEVICE __attribute__((noinline, visibility("hidden")))
#define HOSTS extern "C" OF_DEVICE

typedef unsigned char Byte;
typedef unsigned int Word;
typedef unsigned long long Long;

typedef unsigned short Half;

enum {
  LINE = VALUES_LINE,
  WORD = 4,
  WORDS = LINE / WORD,
  WIDEST = 16, // bytes of an access
  LANES = 32,
  NEIGHBOURS = 16, // lines that lie side by side in the table
  SHARED_LINES = VALUES_SHARED_LINES, // of a block's memory; there are no more
  FILTER_BITS = 4096,                 // powers of two: of a block's lines
  READERS = VALUES_READERS,
  GRID_BITS = 1 << 26, // ... and of the grid's
  ENTRIES = 8,
  UNIT_MASK = (1 << VALUES_UNIT_BITS) - 1,
};

enum : Word { MANY = ~0u }; // groups

// The owner of a byte: 0, or 1 + a unit.  Of one that is written by atomic
// operations and nothing else, which several units may do, with ATOMIC; then
// the unit is 0 if there are several.
enum {
  UNIT = (1 << 14) - 1,
  NARROW = 1 << 14, // some of them are atomic for their block only
  ATOMIC = 1 << 15,
};

// What the units of a block write to 64 bytes of memory in a region.  All zero:
// nothing yet.
struct __attribute__((aligned(16))) Line {
  Byte data[2][LINE]; // what it has, in each execution
  Half owners[LINE];  // of each byte
  Byte written[LINE]; // in the second execution
  Word places[WORDS]; // who has written there last, and where
  Long key;           // of the line, and of the unit if it is for one
  Word others;        // 1 + the first of the lines for one unit
  Word copy;          // of the block, for what is passed on to it
  Word next;          // 1 + the next of these
  // Of atomic operations: see atomics.cu.
  Long has; // bytes that they have written
  Word lock, order, updates;
};

// All lines of a block.
struct Table {
  Word most, used;
  Word *slots;  // of the lines that are used, as they came
  Line *line;   // `most`, by their keys
  Line *shared; // those of the block's own memory, by where they lie
};

// A private copy of a line, of a group of blocks; most often of one.
struct Copy {
  Byte data[LINE];
  Long written[2];         // in each execution of the grid; a bit a byte
  Long atomic;             // by atomic operations
  Long plain;              // not by those of the grid's scope alone
  Word places[WORDS];      // who has written there last, and where
  Word group, whole, next; // 1 + the next of the whole
};

// What all groups have written to a line.
struct Whole {
  Byte data[LINE];
  Long changed;         // bytes on which blocks of one group do not agree
  Long line;            // of memory
  Long written, shared; // by any group; by several
  Long atomic, plain;   // see above
  Word first;           // 1 + the first of its copies
  Word lock;            // of the data, for atomic operations
};

// Of the grid: as many wholes as copies at most.  Numbers in the table are 1 +
// those of copies or wholes.
struct Copies {
  Word copies, wholes;
  Word has_raced;
  Word unused_word;
  Word is_needed; // the second execution
  Word unused[3];
  // 1 + the only group that has read a line with this number, or MANY.
  Word readers[READERS];
  Word most;     // 0: not opened yet
  Word *numbers; // the table has four times as many slots as copies
  Long *keys;
  Word *copy_slots, *whole_slots; // in the table
  Copy *copy;
  Whole *whole;
  Word *writers; // of each word of each copy, a block; NULL: groups are blocks
  // A bit that is 0: no block has written a line with it.
  Long filter[GRID_BITS / 64];
};

// Where a line is, that was looked for.
struct Entry {
  Long line;
  Line *at;
};

// What a thread has done in a region, and whether it may read what is in a
// copy.
enum { SHARED = 1, OTHER = 2, LOOKS = 4 };

// In what is recorded.
struct Position {
  Word chunk, at;
};

struct Thread {
  Table *table;
  Copies *grid; // NULL: blocks are not compared
  Long shared;  // the first line of the block's memory
  Word shared_lines;
  Word unit, block, group;
  int pass, grid_pass;  // pass 0: before the first region
  Word number, threads; // in its block; of its block
  Word is_alone;        // a unit is a thread
  Word state;           // see below
  Word has_entries;
  int region, next, first_next;
  int place; // of the barrier that it is at
  Word vote, yes, alive;
  Word parity;
  // What its next atomic operation is recorded as, and was before this region,
  // and after its first execution.
  Position records, records_before, records_after;
  struct Record *found; // by the operation that it is at
  Line *updated;        // ... and locked, unless it is executed again
  Whole *whole;
  Long common; // bytes that are the whole's
  Entry entries[ENTRIES];
  __attribute__((aligned(16))) Byte mixed[WIDEST]; // bytes of several sources
};

static_assert(__builtin_offsetof(Copies, is_needed) == VALUES_IS_NEEDED &&
                  __builtin_offsetof(Copies, wholes) == VALUES_WHOLES &&
                  __builtin_offsetof(Copies, readers) == VALUES_COUNTS,
              "the host makes the counts and readers zero");
static_assert(sizeof(Line) == VALUES_LINE_BYTES, "the host counts them");
static_assert(sizeof(Thread) <= VALUES_THREAD_BYTES, "cut.c has less");

// How many threads came to a barrier, what they said, and to which they came.
struct Meeting {
  Word alive, yes;
  int lowest, highest;
};

struct Block {
  Table *table;
  Copies *grid;
  int grid_pass;
  Word group, has_others;
  Word come, is_needed; // on a processor: threads, and the second execution
  Word has_written, has_read[2]; // SHARED, _OTHER; by Thread.parity
  Meeting meetings[2];
  struct Log *log; // NULL: nothing is recorded
  Word chunks;     // of the log
  Word firsts;     // the chunk with the first chunks of the block's threads
  Word kept;       // chunks that outlive the region
  // Bits that are 0: nobody has written such a line, in this region.
  Long filter[FILTER_BITS / 64], dirty[SHARED_LINES / 64];
};

// Room for copies of a block, all zero, for a power of two of lines: so many
// bytes, and so many more for each line.
HOSTS void *__gpuverify_values_take(Long bytes, Long bytes_a_line, Word *lines);
HOSTS void __gpuverify_values_give(void *copies);
// Room for what is recorded: the log, and so many chunks.
HOSTS void *__gpuverify_values_log(Word *chunks);
// The same for the grid, if blocks are compared, and how often it is executed.
HOSTS void *__gpuverify_values_grid(Long bytes, Long bytes_a_line, Word *lines,
                                    int *pass);
// Where a block's memory begins, and how many lines it has at most.
HOSTS Long __gpuverify_values_shared(Word *lines);
// The group of a block, and how many there are; 0: each block is by itself.
HOSTS Word __gpuverify_values_group(Word block, Word *groups);
HOSTS void __gpuverify_values_tell(Word kind, const void *at, Word block,
                                   Word place, Word other_block,
                                   Word other_place);

#ifdef __CUDA__
#include "runtime/values/of_device.cu"
#else
#include "runtime/values/of_processor.cu"
#endif

// Where threads run one after another nothing comes in between.
INLINE bool exchange(Long *at, Long *expected, Long wanted) {
#ifdef ON_DEVICE
  return __atomic_compare_exchange_n(at, expected, wanted, false,
                                     __ATOMIC_RELAXED, __ATOMIC_RELAXED);
#else
  bool is_expected = *at == *expected;
  *expected = *at;
  if (is_expected)
    *at = wanted;
  return is_expected;
#endif
}

INLINE Word add(Word *at, Word number) {
  return __atomic_fetch_add(at, number, __ATOMIC_RELAXED);
}

INLINE Byte *memory_of(Long line) { return (Byte *)(line * LINE); }

INLINE bool is_of_block(const Thread *self, Long line) {
  return line - self->shared < self->shared_lines;
}

INLINE bool has_bit(const Long *bits, Long number) {
  return __atomic_load_n(&bits[number / 64], __ATOMIC_RELAXED) >> number % 64 &
         1;
}

INLINE void set_bit(Long *bits, Long number) {
  if (!has_bit(bits, number))
    __atomic_fetch_or(&bits[number / 64], 1ull << number % 64,
                      __ATOMIC_RELAXED);
}

INLINE Word place_of(const Thread *self, Word site) {
  return site << VALUES_SITE_SHIFT | self->number;
}

APART void __gpuverify_values_stop(Word kind);

// ---------------------------------------------------------------- masks ---

// A mask of bytes has eight bits for each of a line's long words.
INLINE Long bits_of(Long bytes, int word) { return bytes >> 8 * word & 0xff; }

// From a bit each to a byte each, all ones or all zeros.
INLINE Long spread(Long bits) {
  const Long low = 0x7f7f7f7f7f7f7f7full;
  Long single = bits * 0x0101010101010101ull & 0x8040201008040201ull;
  Long high = (((single & low) + low) | single) & ~low;
  return (high >> 7) * 0xff;
}

INLINE void clear(void *at, Word bytes) {
  for (Word i = 0; i < bytes / sizeof(Long); i++)
    ((Long *)at)[i] = 0;
}

INLINE void merge(Byte *to, const Byte *from, Long bytes) {
  for (int i = 0; i < LINE / 8; i++) {
    Long mask = spread(bits_of(bytes, i));
    if (mask)
      ((Long *)to)[i] = (((Long *)to)[i] & ~mask) | (((Long *)from)[i] & mask);
  }
}

INLINE void copy_line(Byte *to, const Byte *from) {
  for (int i = 0; i < LINE / 8; i++)
    ((Long *)to)[i] = ((const Long *)from)[i];
}

INLINE Long mask_of(Long at, Word bytes) {
  return ((1ull << bytes) - 1) << (at % LINE);
}

INLINE Long differing(const Byte *a, const Byte *b, Long bytes) {
  Long found = 0;
  for (int i = 0; i < LINE / 8; i++) {
    Long mask = spread(bits_of(bytes, i));
    Long changed = mask ? (((Long *)a)[i] ^ ((Long *)b)[i]) & mask : 0;
    for (int byte = 0; byte < 8 && changed; byte++)
      found |= (Long)((changed >> 8 * byte & 0xff) != 0) << (8 * i + byte);
  }
  return found;
}

INLINE Long key_of(Long line, Word unit_or_none) {
  return line << VALUES_UNIT_BITS | unit_or_none;
}

// Lines that lie side by side have slots that do.
INLINE Word slot_of(Long key) {
  Long line = key >> VALUES_UNIT_BITS, unit = key & UNIT_MASK;
  Long group = (line / NEIGHBOURS + unit * 0x9e3779b97f4a7c15ull) *
               0xff51afd7ed558ccdull;
  return (Word)((group >> 36) * NEIGHBOURS + line % NEIGHBOURS);
}

// Some of eight bytes; all of them would be more than ours.
INLINE void put_back(Byte *memory, Long data, Word bytes) {
  if (bytes == 0xff)
    *(Long *)memory = data;
  else
    for (Word left = bytes; left; left &= left - 1) {
      int byte = __builtin_ctz(left);
      memory[byte] = (Byte)(data >> 8 * byte);
    }
}
