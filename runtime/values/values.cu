// Two executions of each region between barriers, on private copies: the part
// that is executed by the device.
//
// Ratanaworabhan and others' LD compares values: each unit, here a thread or a
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
  TABLE = 1 << 20, // a power of two
  NEIGHBOURS = 16, // lines that lie side by side in the table
  UNIT_BITS = 11,
  MOST_LINES = 1 << 19,
  MOST_WHOLES = 1 << 18,
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
  Long line; // of memory
  Long written, shared; // by any unit; by several
  Word first; // 1 + the first of its lines
};

// For a block.  Numbers in the table are 1 + those of lines or wholes.
struct Copies {
  Word lines, wholes;
  Long keys[TABLE];
  Word numbers[TABLE];
  Word line_slots[MOST_LINES], whole_slots[MOST_WHOLES]; // in the table
  Line line[MOST_LINES];
  Whole whole[MOST_WHOLES];
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
  Copies *copies;
  Word number, unit, threads; // in its block; of its block
  Word is_alone;              // a unit is a thread
  int pass;                   // 0 before the first region, then 1 and 2
  int region, next, first_next;
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
  Copies *copies;
  Word has_raced;
  Meeting meetings[2];
};

static __attribute__((shared)) Block block;

HOSTS void *__gpuverify_values_take(Long bytes);
HOSTS void __gpuverify_values_give(void *copies);
HOSTS void __gpuverify_values_tell(Word kind, const void *at, Word thread,
                                   Word site, Word other, Word other_site);
HOSTS int vprintf(const char *format, const char *arguments);

INLINE void wait_for_block(void) { __nvvm_barrier_sync(0); }

INLINE Word add(Word *at, Word number) {
  return __atomic_fetch_add(at, number, __ATOMIC_RELAXED);
}

INLINE void copy_line(Byte *to, const Byte *from) {
  for (int i = 0; i < LINE / 8; i++)
    ((Long *)to)[i] = ((const Long *)from)[i];
}

INLINE Byte *memory_of(Long line) { return (Byte *)(line * LINE); }

INLINE Long mask_of(Long at, Word bytes) {
  return ((1ull << bytes) - 1) << (at % LINE);
}

// ----------------------------------------------------------------- table ---

INLINE Long key_of(Long line, Word unit_or_none) {
  return line << UNIT_BITS | unit_or_none;
}

INLINE Word slot_of(Long key) {
  Long line = key >> UNIT_BITS, unit = key & ((1 << UNIT_BITS) - 1);
  Long group = (line / NEIGHBOURS + unit * 0x9e3779b97f4a7c15ull) *
               0xff51afd7ed558ccdull;
  return (Word)((group >> 40) * NEIGHBOURS + line % NEIGHBOURS) & (TABLE - 1);
}

// 1 + its number, which its maker may not have told yet; or 0.
INLINE Word find(const Copies *copies, Long key) {
  for (Word slot = slot_of(key);; slot = (slot + 1) & (TABLE - 1)) {
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
  for (*slot = slot_of(key);; *slot = (*slot + 1) & (TABLE - 1)) {
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

DEVICE void tell(Thread *self, Word kind, const void *at, Word place,
                 Word other) {
  enum { THREADS = 1 << VALUES_SITE_SHIFT };
  (void)self;
  __gpuverify_values_tell(kind, at, place % THREADS, place / THREADS,
                          other % THREADS, other / THREADS);
}

INLINE Word place_of(const Thread *self, Word site) {
  return site << VALUES_SITE_SHIFT | self->number;
}

DEVICE void run_out(Thread *self) {
  tell(self, VALUES_FULL, 0, self->number, self->number);
  __builtin_trap();
}

// ----------------------------------------------------------------- lines ---

DEVICE Word whole_of(Thread *self, Long line) {
  Copies *copies = self->copies;
  Word slot, known = find_or_claim(copies, key_of(line, 0), &slot);
  if (known)
    return known - 1;
  Word number = add(&copies->wholes, 1);
  if (number >= MOST_WHOLES)
    run_out(self);
  Whole *whole = &copies->whole[number];
  copy_line(whole->data, memory_of(line));
  whole->line = line;
  whole->written = whole->shared = 0;
  whole->first = 0;
  copies->whole_slots[number] = slot;
  publish(copies, slot, number);
  return number;
}

DEVICE void fill_line(Thread *self, Word number, Long line) {
  Copies *copies = self->copies;
  Line *made = &copies->line[number];
  Word whole = whole_of(self, line);
  Whole *all = &copies->whole[whole];
  copy_line(made->data, self->pass == 1 ? memory_of(line) : all->data);
  made->written[0] = made->written[1] = 0;
  made->unit = self->unit;
  made->whole = whole;
  made->next = __atomic_load_n(&all->first, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(&all->first, &made->next, number + 1,
                                      false, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED))
    ;
}

DEVICE Line *line_of(Thread *self, Long line) {
  Copies *copies = self->copies;
  Word slot, known =
                 find_or_claim(copies, key_of(line, self->unit + 1), &slot);
  if (known)
    return &copies->line[known - 1];
  Word number = add(&copies->lines, 1);
  if (number >= MOST_LINES)
    run_out(self);
  fill_line(self, number, line);
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
OUT_OF_LINE void tell_read(Thread *self, const Whole *whole, Long bytes,
                           Word site) {
  const Copies *copies = self->copies;
  for (Word number = whole->first; number;) {
    const Line *line = &copies->line[number - 1];
    Long common = line->unit == self->unit ? 0 : line->written[0] & bytes;
    if (common) {
      int byte = __builtin_ctzll(common);
      block.has_raced = 1;
      tell(self, VALUES_READ_WRITE, memory_of(whole->line) + byte,
           place_of(self, site), line->places[byte / WORD]);
      return;
    }
    number = line->next;
  }
}

DEVICE const Byte *read_first(Thread *self, Long line, Word own) {
  return own ? self->copies->line[own - 1].data : memory_of(line);
}

// Where these bytes are; *is_quiet: nobody else has written the line.
DEVICE const Byte *read_again(Thread *self, Long line, Word own, Long bytes,
                              Word site, bool *is_quiet) {
  Copies *copies = self->copies;
  const Line *mine = own ? &copies->line[own - 1] : 0;
  Word number = own ? mine->whole + 1 : find(copies, key_of(line, 0));
  if (!number)
    return memory_of(line);
  const Whole *whole = &copies->whole[number - 1];
  Long others = whole->written & (own ? whole->shared | ~mine->written[0] : ~0ull);
  Long seen = bytes & others & ~(own ? mine->written[1] : 0);
  if (seen)
    tell_read(self, whole, seen, site);
  *is_quiet = !others;
  return own ? mine->data : whole->data;
}

OUT_OF_LINE const Byte *find_read(Thread *self, Long at, Word bytes,
                                  Word site) {
  Long line = at / LINE;
  Word own = find(self->copies, key_of(line, self->unit + 1));
  bool is_quiet = true;
  const Byte *found =
      self->pass == 1
          ? read_first(self, line, own)
          : read_again(self, line, own, mask_of(at, bytes), site, &is_quiet);
  if (is_quiet && (own || self->is_alone)) {
    ReadEntry *entry = &self->reads[line % READS];
    entry->line = line;
    entry->at = found;
  }
  return found + at % LINE;
}

CALLED const void *__gpuverify_values_read(Thread *self, const void *address,
                                           Word bytes, Word site) {
  Long at = (Long)address;
  const ReadEntry *entry = &self->reads[at / LINE % READS];
  return entry->line == at / LINE ? entry->at + at % LINE
                                  : find_read(self, at, bytes, site);
}

// ----------------------------------------------------------------- writes ---

OUT_OF_LINE Line *find_written(Thread *self, Long line) {
  Line *found = line_of(self, line);
  WriteEntry *entry = &self->writes[line % WRITES];
  ReadEntry *read = &self->reads[line % READS];
  entry->line = line;
  entry->at = found;
  if (read->line == line)
    read->line = 0;
  return found;
}

INLINE void mark(Thread *self, Line *line, Long bytes) {
  Long *written = &line->written[self->pass - 1];
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
  if (self->pass == 1)
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
    const void *source =
        is_own_source ? from + i
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
  return self->pass == 1 ? vprintf(format, arguments) : 0;
}

// ------------------------------------------------------------ comparison ---

INLINE Long differing(const Byte *a, const Byte *b, Long bytes) {
  Long found = 0;
  for (int i = 0; i < LINE; i++)
    found |= (Long)((bytes >> i & 1) && a[i] != b[i]) << i;
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

DEVICE void tell_writes(Thread *self, const Whole *whole, const Line *line,
                        Long bytes, Word kind) {
  int byte = __builtin_ctzll(bytes);
  const Line *other = earlier(self->copies, whole, line, byte);
  tell(self, kind, memory_of(whole->line) + byte, line->places[byte / WORD],
       other->places[byte / WORD]);
}

// Each byte that two units have written is a race.
DEVICE void join(Thread *self, Whole *whole, const Line *line) {
  Long twice = line->written[0] & whole->written;
  Long different = twice ? differing(line->data, whole->data, twice) : 0;
  if (different)
    tell_writes(self, whole, line, different, VALUES_WRITE_WRITE);
  if (twice & ~different)
    tell_writes(self, whole, line, twice & ~different, VALUES_SAME_VALUE);
  if (line->written[0] == ~0ull)
    copy_line(whole->data, line->data);
  else
    for (Long left = line->written[0]; left; left &= left - 1) {
      int byte = __builtin_ctzll(left);
      whole->data[byte] = line->data[byte];
    }
  whole->shared |= twice;
  whole->written |= line->written[0];
}

// What the others have written, and not what the unit has.
DEVICE void prepare(const Whole *whole, Line *line) {
  const Byte *memory = memory_of(whole->line);
  bool is_sole = whole->written == line->written[0];
  for (int i = 0; i < LINE && !is_sole; i++)
    line->data[i] = (line->written[0] >> i & 1) ? memory[i] : whole->data[i];
  if (is_sole)
    copy_line(line->data, memory);
}

DEVICE void unite(Thread *self) {
  Copies *copies = self->copies;
  for (Word i = self->number; i < copies->wholes; i += self->threads) {
    Whole *whole = &copies->whole[i];
    for (Word number = whole->first; number;
         number = copies->line[number - 1].next)
      join(self, whole, &copies->line[number - 1]);
    for (Word number = whole->first; number;
         number = copies->line[number - 1].next)
      prepare(whole, &copies->line[number - 1]);
  }
}

// Both executions of a unit have done the same?
DEVICE bool is_repeated(const Copies *copies, const Line *line) {
  const Whole *whole = &copies->whole[line->whole];
  Long bytes = line->written[1] & ~whole->shared;
  return line->written[0] == line->written[1] &&
         !differing(line->data, whole->data, bytes);
}

DEVICE void check(Thread *self, bool is_changed) {
  const Copies *copies = self->copies;
  for (Word i = self->number; i < copies->lines && !is_changed;
       i += self->threads)
    is_changed = !is_repeated(copies, &copies->line[i]);
  if (is_changed && !block.has_raced)
    tell(self, VALUES_UNSTABLE, 0, self->number, self->number);
}

// What was written is there for all; nothing is left of the copies.
DEVICE void commit(Thread *self) {
  Copies *copies = self->copies;
  for (Word i = self->number; i < copies->wholes; i += self->threads) {
    const Whole *whole = &copies->whole[i];
    Byte *memory = memory_of(whole->line);
    for (Long left = whole->written; left; left &= left - 1)
      memory[__builtin_ctzll(left)] = whole->data[__builtin_ctzll(left)];
    copies->keys[copies->whole_slots[i]] = 0;
    copies->numbers[copies->whole_slots[i]] = 0;
  }
  for (Word i = self->number; i < copies->lines; i += self->threads) {
    copies->keys[copies->line_slots[i]] = 0;
    copies->numbers[copies->line_slots[i]] = 0;
  }
}

// ---------------------------------------------------------------- regions ---

INLINE void clear_meeting(Meeting *meeting) {
  meeting->alive = meeting->yes = 0;
  meeting->lowest = 0x7fffffff;
  meeting->highest = -1;
}

DEVICE void begin(Thread *self, Word is_alone) {
  Word x = __nvvm_read_ptx_sreg_ntid_x(), y = __nvvm_read_ptx_sreg_ntid_y();
  self->threads = x * y * __nvvm_read_ptx_sreg_ntid_z();
  self->number =
      __nvvm_read_ptx_sreg_tid_x() +
      x * (__nvvm_read_ptx_sreg_tid_y() + y * __nvvm_read_ptx_sreg_tid_z());
  self->is_alone = is_alone;
  self->unit = is_alone ? self->number : self->number / LANES;
  self->parity = 0;
  self->alive = self->threads;
  if (!self->number) {
    block.copies = (Copies *)__gpuverify_values_take(sizeof(Copies));
    block.has_raced = 0;
    clear_meeting(&block.meetings[0]);
    clear_meeting(&block.meetings[1]);
  }
  wait_for_block();
  self->copies = block.copies;
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
    __atomic_fetch_min(&meeting->lowest, self->next, __ATOMIC_RELAXED);
    __atomic_fetch_max(&meeting->highest, self->next, __ATOMIC_RELAXED);
  }
  wait_for_block();
  bool diverges = meeting->alive && (meeting->lowest != meeting->highest ||
                                     meeting->alive != self->alive);
  if (diverges && !self->number)
    tell(self, VALUES_DIVERGES, 0, self->number, self->number);
  self->alive = meeting->alive;
  self->yes = meeting->yes;
  self->parity = !self->parity;
}

DEVICE int leave(Thread *self) {
  wait_for_block();
  if (!self->number)
    __gpuverify_values_give(self->copies);
  return VALUES_DONE;
}

DEVICE int start(Thread *self, int pass) {
  self->pass = pass;
  forget_addresses(self);
  return self->region;
}

// The region was executed twice: what was found, and what it leaves.
DEVICE void finish(Thread *self, Byte *frame, const Byte *ended, Word bytes) {
  bool is_changed = self->region != VALUES_IDLE &&
                    (self->next != self->first_next ||
                     !is_same(frame, ended, bytes));
  wait_for_block();
  check(self, is_changed);
  wait_for_block();
  commit(self);
  wait_for_block();
  if (!self->number) {
    self->copies->lines = self->copies->wholes = 0;
    block.has_raced = 0;
  }
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
  if (!self->pass) {
    begin(self, is_alone);
    __builtin_memcpy(before, frame, bytes);
    return start(self, 1);
  }
  if (self->pass == 1) {
    wait_for_block();
    if (!self->copies->wholes)
      return next_region(self, frame, before, bytes);
    unite(self);
    __builtin_memcpy(ended, frame, bytes);
    __builtin_memcpy(frame, before, bytes);
    self->first_next = self->next;
    wait_for_block();
    return start(self, 2);
  }
  finish(self, frame, ended, bytes);
  return next_region(self, frame, before, bytes);
}

CALLED void __gpuverify_values_arrive(Thread *self, int next, Word vote) {
  self->next = next;
  self->vote = vote;
}

CALLED Word __gpuverify_values_vote(const Thread *self, Word kind) {
  if (kind == VALUES_COUNT)
    return self->yes;
  return kind == VALUES_AND ? self->yes == self->alive : self->yes != 0;
}
