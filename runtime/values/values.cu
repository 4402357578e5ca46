// Two executions of each region between barriers, on private copies: the part
// that is executed by the device.
//
// LD, of Li and others, compares values: each unit, here a thread or a
// warp, executes a region on a copy of what threads share.  If two units have
// changed the same byte, that is a write-write race.  Then each unit executes
// the region again and finds what all others have written, and not what it has
// written itself.  A unit for which that makes a difference has read it.
//
// What we do differently: a copy has only the lines that its unit writes, so
// memory is used for what is written.  A line knows which of its bytes were
// written, by value or not, and by which place of the source; so writes of what
// was there before are seen, and the second execution sees at once that it
// reads what another unit has written.  What is left to the comparison of
// values is the proof that both executions were the same.
//
// The same is done with blocks as units and the whole kernel as the region: the
// host executes the grid twice.  What a block leaves behind goes to the grid's
// copies, and what its units read comes from there, until the last block of the
// second execution puts what all have written into memory.
//
// A kernel that was cut (cut.c) calls __gpuverify_values_next between regions,
// and .._read and .._write for addresses.  Memory and reports are the host's.

#include "runtime/machine/copied.h"

#define DEVICE static __attribute__((device))
#define INLINE DEVICE __attribute__((always_inline)) inline
#define OUT_OF_LINE DEVICE __attribute__((noinline))
#define CALLED                                                                 \
  extern "C" __attribute__((device, used, always_inline, visibility("hidden")))
#define HOSTS extern "C" __attribute__((device))

typedef unsigned char Byte;
typedef unsigned int Word;
typedef unsigned long long Long;

enum {
  LINE = 64,
  WORD = 4,
  LANES = 32,
  NEIGHBOURS = 16,    // lines that lie side by side in the table
  FILTER_BITS = 4096, // a power of two; more than a block has lines of its own
  READS = 8,
  WRITES = 4,
};

// A unit's private copy.
struct Line {
  Byte data[LINE];
  Long written[2]; // in the first execution, and in the second; a bit a byte
  Word places[LINE / WORD]; // who has written there last, and where
  Word unit, whole, next;   // 1 + the next of the whole
};

// What all units have written to a line.
struct Whole {
  Byte data[LINE];
  Long line;            // of memory
  Long written, shared; // by any unit; by several
  Word first;           // 1 + the first of its lines
};

// Of a block, or of the grid: as many wholes as lines at most.  Numbers in the
// table are 1 + those of lines or wholes.
struct Copies {
  Word lines, wholes, most; // most 0: not opened yet
  Word has_raced;
  Word finished; // blocks
  Word *numbers; // the table has four times as many slots as lines
  Long *keys;
  Word *line_slots, *whole_slots; // in the table
  Line *line;
  Whole *whole;
  // A bit that is 0: no unit has written a line with it.
  Long filter[FILTER_BITS / 64];
};

// Whose copies a unit works on, and how often it has begun.
struct Level {
  Copies *copies; // NULL: there are none
  Word unit;
  int pass;
};

struct ReadEntry {
  Long line;
  const Byte *at;
};

struct WriteEntry {
  Long line;
  Line *at;
};

struct Thread {
  Level units, grid;    // pass 0: before the first region
  Word number, threads; // in its block; of its block
  Word is_alone;        // a unit is a thread
  int region, next, first_next;
  int place; // of the barrier that it is at
  Word vote, yes, alive;
  Word parity;
  ReadEntry reads[READS];
  WriteEntry writes[WRITES];
};

static_assert(sizeof(Thread) <= VALUES_THREAD_BYTES, "cut.c has less");

// How many threads came to a barrier, what they said, and to which they came.
struct Meeting {
  Word alive, yes;
  int lowest, highest;
};

struct Block {
  Copies *copies, *grid;
  int grid_pass;
  Word is_last;
  Meeting meetings[2];
};

static __attribute__((shared)) Block block;

// Room for copies of a block, all zero, for a power of two of lines: so many
// bytes, and so many more for each line.
HOSTS void *__gpuverify_values_take(Long bytes, Long bytes_a_line, Word *lines);
HOSTS void __gpuverify_values_give(void *copies);
// The same for the grid, if blocks are compared, and how often it is executed.
HOSTS void *__gpuverify_values_grid(Long bytes, Long bytes_a_line, Word *lines,
                                    int *pass);
HOSTS void __gpuverify_values_tell(Word kind, const void *at, Word block,
                                   Word place, Word other_block,
                                   Word other_place);
HOSTS int vprintf(const char *format, const char *arguments);

INLINE void wait_for_block(void) { __nvvm_barrier_sync(0); }

INLINE Word add(Word *at, Word number) {
  return __atomic_fetch_add(at, number, __ATOMIC_RELAXED);
}

INLINE void copy_line(Byte *to, const Byte *from) {
  for (int i = 0; i < LINE / 8; i++)
    ((Long *)to)[i] = ((const Long *)from)[i];
}

// A mask of bytes has eight bits for each of a line's long words.
INLINE Long bits_of(Long bytes, int word) { return bytes >> 8 * word & 0xff; }

// From a bit each to a byte each, all ones or all zeros.
INLINE Long spread(Long bits) {
  const Long low = 0x7f7f7f7f7f7f7f7full;
  Long single = bits * 0x0101010101010101ull & 0x8040201008040201ull;
  Long high = (((single & low) + low) | single) & ~low;
  return (high >> 7) * 0xff;
}

INLINE void merge(Byte *to, const Byte *from, Long bytes) {
  for (int i = 0; i < LINE / 8; i++) {
    Long mask = spread(bits_of(bytes, i));
    if (mask)
      ((Long *)to)[i] = (((Long *)to)[i] & ~mask) | (((Long *)from)[i] & mask);
  }
}

INLINE Byte *memory_of(Long line) { return (Byte *)(line * LINE); }

INLINE Long mask_of(Long at, Word bytes) {
  return ((1ull << bytes) - 1) << (at % LINE);
}

// ----------------------------------------------------------------- table ---

INLINE Long key_of(Long line, Word unit_or_none) {
  return line << VALUES_UNIT_BITS | unit_or_none;
}

INLINE Word slots(const Copies *copies) { return copies->most * 4; }

INLINE Word slot_of(const Copies *copies, Long key) {
  Long line = key >> VALUES_UNIT_BITS,
       unit = key & ((1 << VALUES_UNIT_BITS) - 1);
  Long group = (line / NEIGHBOURS + unit * 0x9e3779b97f4a7c15ull) *
               0xff51afd7ed558ccdull;
  return (Word)((group >> 36) * NEIGHBOURS + line % NEIGHBOURS) &
         (slots(copies) - 1);
}

// 1 + its number, which its maker may not have told yet; or 0.
INLINE Word find(const Copies *copies, Long key) {
  for (Word slot = slot_of(copies, key);;
       slot = (slot + 1) & (slots(copies) - 1)) {
    Long found = __atomic_load_n(&copies->keys[slot], __ATOMIC_RELAXED);
    if (!found)
      return 0;
    Word number = 0;
    while (found == key && !number)
      number = __atomic_load_n(&copies->numbers[slot], __ATOMIC_ACQUIRE);
    if (number)
      return number;
  }
}

// The same; where there is none, *slot is the caller's to fill.
INLINE Word find_or_claim(Copies *copies, Long key, Word *slot) {
  for (*slot = slot_of(copies, key);;
       *slot = (*slot + 1) & (slots(copies) - 1)) {
    Long found = 0;
    if (__atomic_compare_exchange_n(&copies->keys[*slot], &found, key, false,
                                    __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      return 0;
    Word number = 0;
    while (found == key && !number)
      number = __atomic_load_n(&copies->numbers[*slot], __ATOMIC_ACQUIRE);
    if (number)
      return number;
  }
}

INLINE void publish(Copies *copies, Word slot, Word number) {
  __atomic_store_n(&copies->numbers[slot], number + 1, __ATOMIC_RELEASE);
}

INLINE Word block_number(void) {
  Word x = __nvvm_read_ptx_sreg_nctaid_x(), y = __nvvm_read_ptx_sreg_nctaid_y();
  return __nvvm_read_ptx_sreg_ctaid_x() +
         x * (__nvvm_read_ptx_sreg_ctaid_y() +
              y * __nvvm_read_ptx_sreg_ctaid_z());
}

INLINE Word place_of(const Thread *self, Word site) {
  return site << VALUES_SITE_SHIFT | self->number;
}

DEVICE void tell_trouble(Word kind) {
  __gpuverify_values_tell(kind, 0, 0, 0, 0, 0);
}

// The block that a unit of this level is, or is in.
INLINE Word block_of(const Thread *self, const Level *level, Word unit) {
  return level == &self->grid ? unit : block_number();
}

// ---------------------------------------------------------------- filter ---

INLINE Word filter_bit(Long line) { return line % FILTER_BITS; }

INLINE void add_to_filter(Copies *copies, Long line) {
  __atomic_fetch_or(&copies->filter[filter_bit(line) / 64],
                    1ull << filter_bit(line) % 64, __ATOMIC_RELAXED);
}

INLINE bool is_in_filter(const Copies *copies, Long line) {
  Long bits =
      __atomic_load_n(&copies->filter[filter_bit(line) / 64], __ATOMIC_RELAXED);
  return bits >> filter_bit(line) % 64 & 1;
}

DEVICE void clear_filter(const Thread *self, Copies *copies) {
  for (Word i = self->number; i < FILTER_BITS / 64; i += self->threads)
    copies->filter[i] = 0;
}

// ----------------------------------------------------------------- lines ---

INLINE bool is_of_block(Long line) {
  return __nvvm_isspacep_shared(memory_of(line));
}

DEVICE const Byte *below(const Thread *self, const Level *level, Long line);

DEVICE Word whole_of(Thread *self, const Level *level, Long line) {
  Copies *copies = level->copies;
  Word slot, known = find_or_claim(copies, key_of(line, 0), &slot);
  if (known)
    return known - 1;
  Word number = add(&copies->wholes, 1);
  if (number >= copies->most) {
    tell_trouble(VALUES_FULL);
    __builtin_trap();
  }
  Whole *whole = &copies->whole[number];
  copy_line(whole->data, below(self, level, line));
  whole->line = line;
  whole->written = whole->shared = 0;
  whole->first = 0;
  add_to_filter(copies, line);
  copies->whole_slots[number] = slot;
  publish(copies, slot, number);
  return number;
}

DEVICE void fill_line(Thread *self, const Level *level, Word number,
                      Long line) {
  Copies *copies = level->copies;
  Line *made = &copies->line[number];
  Word whole = whole_of(self, level, line);
  Whole *all = &copies->whole[whole];
  copy_line(made->data,
            level->pass == 1 ? below(self, level, line) : all->data);
  made->written[0] = made->written[1] = 0;
  made->unit = level->unit;
  made->whole = whole;
  made->next = __atomic_load_n(&all->first, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(&all->first, &made->next, number + 1,
                                      false, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED))
    ;
}

DEVICE Line *line_of(Thread *self, const Level *level, Long line) {
  Copies *copies = level->copies;
  Word slot,
      known = find_or_claim(copies, key_of(line, level->unit + 1), &slot);
  if (known)
    return &copies->line[known - 1];
  Word number = add(&copies->lines, 1);
  if (number >= copies->most) {
    tell_trouble(VALUES_FULL);
    __builtin_trap();
  }
  fill_line(self, level, number, line);
  copies->line_slots[number] = slot;
  publish(copies, slot, number);
  return &copies->line[number];
}

DEVICE void forget_addresses(Thread *self) {
  for (int i = 0; i < READS; i++)
    self->reads[i].line = 0;
  for (int i = 0; i < WRITES; i++)
    self->writes[i].line = 0;
}

// ------------------------------------------------------------------ reads ---

// The second execution reads what these units have written.
OUT_OF_LINE void tell_read(Thread *self, const Level *level, const Whole *whole,
                           Long bytes, Word site) {
  Copies *copies = level->copies;
  for (Word number = whole->first; number;) {
    const Line *line = &copies->line[number - 1];
    Long common = line->unit == level->unit ? 0 : line->written[0] & bytes;
    if (common) {
      int byte = __builtin_ctzll(common);
      copies->has_raced = 1;
      __gpuverify_values_tell(VALUES_READ_WRITE, memory_of(whole->line) + byte,
                              block_number(), place_of(self, site),
                              block_of(self, level, line->unit),
                              line->places[byte / WORD]);
      return;
    }
    number = line->next;
  }
}

struct Reading {
  Long line, bytes; // of it, as a mask
  Word site;
  bool is_quiet; // nobody else has written the line
};

// Where the line is for a unit of this level; NULL: below.  In the second
// execution what others have written is told.
DEVICE const Byte *look(Thread *self, const Level *level, Reading *reading) {
  Copies *copies = level->copies;
  Word own = find(copies, key_of(reading->line, level->unit + 1));
  const Line *mine = own ? &copies->line[own - 1] : 0;
  if (level->pass == 1)
    return own ? mine->data : 0;
  Word number = own ? mine->whole + 1 : find(copies, key_of(reading->line, 0));
  if (!number)
    return 0;
  const Whole *whole = &copies->whole[number - 1];
  Long others =
      whole->written & (own ? whole->shared | ~mine->written[0] : ~0ull);
  if (reading->bytes & others)
    tell_read(self, level, whole, reading->bytes & others, reading->site);
  reading->is_quiet &= !others;
  return own ? mine->data : whole->data;
}

// What the copies of a level are made of, seen by nobody.
DEVICE const Byte *below(const Thread *self, const Level *level, Long line) {
  const Level *grid = &self->grid;
  Copies *copies = grid->copies;
  if (level == grid || !copies || is_of_block(line))
    return memory_of(line);
  Word own = find(copies, key_of(line, grid->unit + 1));
  Word number = own || grid->pass == 1 ? 0 : find(copies, key_of(line, 0));
  return own      ? copies->line[own - 1].data
         : number ? copies->whole[number - 1].data
                  : memory_of(line);
}

OUT_OF_LINE const Byte *find_read(Thread *self, Long at, Word bytes,
                                  Word site) {
  Reading reading = {at / LINE, mask_of(at, bytes), site, true};
  const Byte *found = look(self, &self->units, &reading);
  bool is_own = found;
  if (self->grid.copies && !is_of_block(reading.line)) {
    const Byte *lower = look(self, &self->grid, &reading);
    found = found ? found : lower;
  }
  if (!found)
    found = memory_of(reading.line);
  if (reading.is_quiet && (is_own || self->is_alone)) {
    ReadEntry *entry = &self->reads[reading.line % READS];
    entry->line = reading.line;
    entry->at = found;
  }
  return found + at % LINE;
}

// Memory itself, whoever asks.
INLINE bool is_unwritten(const Thread *self, Long line) {
  return (!self->grid.copies || is_of_block(line)) &&
         !is_in_filter(self->units.copies, line);
}

CALLED const void *__gpuverify_values_read(Thread *self, const void *address,
                                           Word bytes, Word site) {
  Long at = (Long)address;
  if (is_unwritten(self, at / LINE))
    return address;
  const ReadEntry *entry = &self->reads[at / LINE % READS];
  return entry->line == at / LINE ? entry->at + at % LINE
                                  : find_read(self, at, bytes, site);
}

// ----------------------------------------------------------------- writes ---

OUT_OF_LINE Line *find_written(Thread *self, Long line) {
  Line *found = line_of(self, &self->units, line);
  WriteEntry *entry = &self->writes[line % WRITES];
  ReadEntry *read = &self->reads[line % READS];
  entry->line = line;
  entry->at = found;
  if (read->line == line)
    read->line = 0;
  return found;
}

INLINE void mark(Thread *self, Line *line, Long bytes) {
  Long *written = &line->written[self->units.pass - 1];
  if (self->is_alone)
    *written |= bytes;
  else
    __atomic_fetch_or(written, bytes, __ATOMIC_RELAXED);
}

CALLED void *__gpuverify_values_write(Thread *self, void *address, Word bytes,
                                      Word site) {
  Long at = (Long)address;
  const WriteEntry *entry = &self->writes[at / LINE % WRITES];
  Line *line =
      entry->line == at / LINE ? entry->at : find_written(self, at / LINE);
  mark(self, line, mask_of(at, bytes));
  if (self->units.pass == 1)
    for (Word word = at % LINE / WORD; word <= (at + bytes - 1) % LINE / WORD;
         word++)
      line->places[word] = place_of(self, site);
  return line->data + at % LINE;
}

// ------------------------------------------------------- of many bytes ---

// Addresses of a thread's own memory are what they are.
CALLED void __gpuverify_values_copy(Thread *self, Byte *to, const Byte *from,
                                    Long bytes, Word site, Word is_own_target,
                                    Word is_own_source) {
  for (Long i = 0; i < bytes; i++) {
    const void *source = is_own_source
                             ? from + i
                             : __gpuverify_values_read(self, from + i, 1, site);
    Byte byte = *(const Byte *)source;
    void *target = is_own_target
                       ? to + i
                       : __gpuverify_values_write(self, to + i, 1, site + 1);
    *(Byte *)target = byte;
  }
}

CALLED void __gpuverify_values_fill(Thread *self, Byte *to, Byte value,
                                    Long bytes, Word site) {
  for (Long i = 0; i < bytes; i++)
    *(Byte *)__gpuverify_values_write(self, to + i, 1, site) = value;
}

CALLED int __gpuverify_values_print(Thread *self, const char *format,
                                    const char *arguments) {
  bool is_first = self->units.pass == 1 && self->grid.pass < 2;
  return is_first ? vprintf(format, arguments) : 0;
}

// ------------------------------------------------------------ comparison ---

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

// One that comes before this one in its whole, and has written the byte.
DEVICE const Line *earlier(const Copies *copies, const Whole *whole,
                           const Line *line, int byte) {
  const Line *other = &copies->line[whole->first - 1];
  while (other != line && !(other->written[0] >> byte & 1))
    other = &copies->line[other->next - 1];
  return other;
}

DEVICE void tell_writes(const Thread *self, const Level *level,
                        const Whole *whole, const Line *line, Long bytes,
                        Word kind) {
  int byte = __builtin_ctzll(bytes);
  const Line *other = earlier(level->copies, whole, line, byte);
  if (self->grid.pass < 2) // else it was told before
    __gpuverify_values_tell(
        kind, memory_of(whole->line) + byte, block_of(self, level, line->unit),
        line->places[byte / WORD], block_of(self, level, other->unit),
        other->places[byte / WORD]);
}

// Each byte that two units have written is a race.
DEVICE void join(const Thread *self, const Level *level, Whole *whole,
                 const Line *line) {
  Long twice = line->written[0] & whole->written;
  Long different = twice ? differing(line->data, whole->data, twice) : 0;
  if (different)
    tell_writes(self, level, whole, line, different, VALUES_WRITE_WRITE);
  if (twice & ~different)
    tell_writes(self, level, whole, line, twice & ~different,
                VALUES_SAME_VALUE);
  merge(whole->data, line->data, line->written[0]);
  whole->shared |= twice;
  whole->written |= line->written[0];
}

// What the others have written, and not what the unit has.
DEVICE void prepare(const Whole *whole, Line *line, const Byte *memory) {
  copy_line(line->data, whole->data);
  merge(line->data, memory, line->written[0]);
}

DEVICE void unite(const Thread *self, const Level *level) {
  Copies *copies = level->copies;
  for (Word i = self->number; i < copies->wholes; i += self->threads) {
    Whole *whole = &copies->whole[i];
    const Byte *memory = below(self, level, whole->line);
    for (Word number = whole->first; number;
         number = copies->line[number - 1].next)
      join(self, level, whole, &copies->line[number - 1]);
    for (Word number = whole->first; number;
         number = copies->line[number - 1].next)
      prepare(whole, &copies->line[number - 1], memory);
  }
}

// Both executions of a unit have done the same?
DEVICE bool is_repeated(const Copies *copies, const Line *line) {
  const Whole *whole = &copies->whole[line->whole];
  Long bytes = line->written[1] & ~whole->shared;
  return line->written[0] == line->written[1] &&
         !differing(line->data, whole->data, bytes);
}

DEVICE void check(const Thread *self, const Level *level, bool is_changed) {
  const Copies *copies = level->copies;
  for (Word i = self->number; i < copies->lines && !is_changed;
       i += self->threads)
    is_changed = !is_repeated(copies, &copies->line[i]);
  if (is_changed && !copies->has_raced)
    tell_trouble(VALUES_UNSTABLE);
}

// What its block has written to a line of memory, in this region.
DEVICE void pass_on(Thread *self, const Whole *whole) {
  const Copies *copies = self->units.copies;
  Line *line = line_of(self, &self->grid, whole->line);
  merge(line->data, whole->data, whole->written);
  line->written[self->grid.pass - 1] |= whole->written;
  for (Word number = whole->first; number && self->grid.pass == 1;) {
    const Line *from = &copies->line[number - 1];
    for (Long left = from->written[0]; left; left &= left - 1) {
      int word = __builtin_ctzll(left) / WORD;
      line->places[word] = from->places[word];
    }
    number = from->next;
  }
}

// A word of memory would be more than ours.
DEVICE void put_back(const Whole *whole) {
  Byte *memory = memory_of(whole->line);
  if (whole->written == ~0ull) {
    copy_line(memory, whole->data);
    return;
  }
  for (Long left = whole->written; left; left &= left - 1) {
    int byte = __builtin_ctzll(left);
    memory[byte] = whole->data[byte];
  }
}

// What was written is there for all; nothing is left of the copies.
DEVICE void commit(Thread *self, const Level *level) {
  Copies *copies = level->copies;
  for (Word i = self->number; i < copies->wholes; i += self->threads) {
    const Whole *whole = &copies->whole[i];
    if (level != &self->grid && self->grid.copies && !is_of_block(whole->line))
      pass_on(self, whole);
    else
      put_back(whole);
    copies->keys[copies->whole_slots[i]] = 0;
    copies->numbers[copies->whole_slots[i]] = 0;
  }
  for (Word i = self->number; i < copies->lines; i += self->threads) {
    copies->keys[copies->line_slots[i]] = 0;
    copies->numbers[copies->line_slots[i]] = 0;
  }
  clear_filter(self, copies);
  wait_for_block();
  if (!self->number)
    copies->lines = copies->wholes = copies->has_raced = 0;
}

// ---------------------------------------------------------------- regions ---

INLINE void clear_meeting(Meeting *meeting) {
  meeting->alive = meeting->yes = 0;
  meeting->lowest = 0x7fffffff;
  meeting->highest = -1;
}

INLINE Long bytes_a_line(void) {
  return sizeof(Line) + sizeof(Whole) + 2 * sizeof(Word) +
         4 * (sizeof(Long) + sizeof(Word));
}

// Memory that is all zero becomes one of them, the rest is one.
DEVICE Copies *open(void *memory, Word most) {
  Copies *copies = (Copies *)memory;
  if (!copies || copies->most)
    return copies;
  copies->line = (Line *)(copies + 1);
  copies->whole = (Whole *)(copies->line + most);
  copies->keys = (Long *)(copies->whole + most);
  copies->numbers = (Word *)(copies->keys + 4ull * most);
  copies->line_slots = copies->numbers + 4ull * most;
  copies->whole_slots = copies->line_slots + most;
  copies->most = most;
  return copies;
}

INLINE Long blocks_of_grid(void) {
  return (Long)__nvvm_read_ptx_sreg_nctaid_x() *
         __nvvm_read_ptx_sreg_nctaid_y() * __nvvm_read_ptx_sreg_nctaid_z();
}

DEVICE void open_block(void) {
  Word lines = 0;
  void *at = __gpuverify_values_take(sizeof(Copies), bytes_a_line(), &lines);
  block.copies = open(at, lines);
  at = __gpuverify_values_grid(sizeof(Copies), bytes_a_line(), &lines,
                               &block.grid_pass);
  block.grid = open(at, lines);
  if (block.grid && blocks_of_grid() > VALUES_MOST_BLOCKS) {
    tell_trouble(VALUES_BLOCKS);
    __builtin_trap();
  }
  clear_meeting(&block.meetings[0]);
  clear_meeting(&block.meetings[1]);
}

DEVICE void begin(Thread *self, Word is_alone) {
  Word x = __nvvm_read_ptx_sreg_ntid_x(), y = __nvvm_read_ptx_sreg_ntid_y();
  self->threads = x * y * __nvvm_read_ptx_sreg_ntid_z();
  self->number =
      __nvvm_read_ptx_sreg_tid_x() +
      x * (__nvvm_read_ptx_sreg_tid_y() + y * __nvvm_read_ptx_sreg_tid_z());
  self->is_alone = is_alone;
  self->units.unit = is_alone ? self->number : self->number / LANES;
  self->grid.unit = block_number();
  self->parity = 0;
  self->alive = self->threads;
  if (!self->number)
    open_block();
  wait_for_block();
  self->units.copies = block.copies;
  self->grid.copies = block.grid;
  self->grid.pass = block.grid ? block.grid_pass : 0;
  self->region = 0;
}

DEVICE bool is_same(const Byte *a, const Byte *b, Word bytes) {
  for (Word i = 0; i < bytes; i += 8)
    if (*(const Long *)(a + i) != *(const Long *)(b + i))
      return false;
  return true;
}

// All threads are at the end of the region; where they are, and what they say.
DEVICE void meet(Thread *self) {
  Meeting *meeting = &block.meetings[self->parity];
  if (!self->number)
    clear_meeting(&block.meetings[!self->parity]);
  if (self->next != VALUES_IDLE) {
    add(&meeting->alive, 1);
    add(&meeting->yes, self->vote != 0);
    __atomic_fetch_min(&meeting->lowest, self->place, __ATOMIC_RELAXED);
    __atomic_fetch_max(&meeting->highest, self->place, __ATOMIC_RELAXED);
  }
  wait_for_block();
  if (meeting->alive && !self->number) {
    if (meeting->lowest != meeting->highest)
      tell_trouble(VALUES_DIVERGES);
    else if (meeting->alive != self->alive)
      tell_trouble(VALUES_LEFT);
  }
  self->alive = meeting->alive;
  self->yes = meeting->yes;
  self->parity = !self->parity;
}

// All blocks have been executed once, or twice.
DEVICE void end_grid(Thread *self) {
  if (self->grid.pass == 1) {
    unite(self, &self->grid);
    return;
  }
  check(self, &self->grid, false);
  wait_for_block();
  commit(self, &self->grid);
}

DEVICE bool is_last_block(const Thread *self) {
  Word blocks = __nvvm_read_ptx_sreg_nctaid_x() *
                __nvvm_read_ptx_sreg_nctaid_y() *
                __nvvm_read_ptx_sreg_nctaid_z();
  Word finished =
      __atomic_fetch_add(&self->grid.copies->finished, 1, __ATOMIC_ACQ_REL);
  if (finished + 1 == blocks)
    self->grid.copies->finished = 0;
  return finished + 1 == blocks;
}

DEVICE int leave(Thread *self) {
  wait_for_block();
  if (!self->number) {
    __gpuverify_values_give(self->units.copies);
    block.is_last = self->grid.copies && is_last_block(self);
  }
  wait_for_block();
  if (block.is_last)
    end_grid(self);
  return VALUES_DONE;
}

DEVICE int start(Thread *self, int pass) {
  self->units.pass = pass;
  forget_addresses(self);
  return self->region;
}

// The region was executed twice: what was found, and what it leaves.
DEVICE void finish(Thread *self, Byte *frame, const Byte *ended, Word bytes) {
  bool is_changed =
      self->region != VALUES_IDLE &&
      (self->next != self->first_next || !is_same(frame, ended, bytes));
  wait_for_block();
  check(self, &self->units, is_changed);
  wait_for_block();
  commit(self, &self->units);
  self->next = self->first_next;
  __builtin_memcpy(frame, ended, bytes);
}

DEVICE int next_region(Thread *self, Byte *frame, Byte *before, Word bytes) {
  meet(self);
  if (!self->alive)
    return leave(self);
  self->region = self->next;
  __builtin_memcpy(before, frame, bytes);
  return start(self, 1);
}

// The frame is what the thread keeps from region to region; `before` and
// `ended` are as large.  Where to go on; all threads of the block come here
// equally often.
CALLED int __gpuverify_values_next(Thread *self, Byte *frame, Byte *before,
                                   Byte *ended, Word bytes, Word is_alone) {
  if (!self->units.pass) {
    begin(self, is_alone);
    __builtin_memcpy(before, frame, bytes);
    return start(self, 1);
  }
  if (self->units.pass == 1) {
    wait_for_block();
    if (!self->units.copies->wholes)
      return next_region(self, frame, before, bytes);
    unite(self, &self->units);
    if (self->grid.pass == 2) {
      wait_for_block();
      commit(self, &self->units);
      return next_region(self, frame, before, bytes);
    }
    __builtin_memcpy(ended, frame, bytes);
    __builtin_memcpy(frame, before, bytes);
    self->first_next = self->next;
    wait_for_block();
    return start(self, 2);
  }
  finish(self, frame, ended, bytes);
  return next_region(self, frame, before, bytes);
}

// Barriers of one place in the source are one.
CALLED void __gpuverify_values_arrive(Thread *self, int next, int place,
                                      Word vote) {
  self->next = next;
  self->place = place;
  self->vote = vote;
}

CALLED Word __gpuverify_values_vote(const Thread *self, Word kind) {
  if (kind == VALUES_COUNT)
    return self->yes;
  return kind == VALUES_AND ? self->yes == self->alive : self->yes != 0;
}
