// What is inlined into a kernel: where it goes on, and the accesses of which
// most are what most of them are.
//
// The rest of values.cu is called.  So on a processor this file alone is
// compiled for each kernel, and the rest was when we were.

#include "runtime/values/common.cu"

APART Line *__gpuverify_values_make_line(Thread *self, Long number);
APART Line *__gpuverify_values_line_that_unit_has(const Thread *self,
                                                  Line *line);
APART Line *__gpuverify_values_claim_late(Thread *self, Line *line, Long number,
                                          Word from, Word bytes);
APART const Byte *__gpuverify_values_find_read(Thread *self, Long at,
                                               Word bytes, Word site);
APART const Byte *__gpuverify_values_look_in_grid(Thread *self, Long at,
                                                  Word bytes, Word site);
CALLED int __gpuverify_values_go_on(Block *variables, Thread *self, Byte *frame,
                                    Byte *before, Byte *ended, Word bytes,
                                    Word flags);

// --------------------------------------------------------------- owners ---

// Four owners stand in a long word, and are a bit each here.
INLINE Long four(Half owner) { return owner * 0x0001000100010001ull; }

INLINE Word not_zero(Long halves) {
  const Long low = 0x7fff7fff7fff7fffull;
  Long high = (((halves & low) + low) | halves) & ~low;
  return (Word)((high >> 15 & 1) | (high >> 30 & 2) | (high >> 45 & 4) |
                (high >> 60 & 8));
}

INLINE Long halves_of(Word bits) {
  Long spread = (bits & 1) | (Long)(bits & 2) << 15 | (Long)(bits & 4) << 30 |
                (Long)(bits & 8) << 45;
  return spread * 0xffff;
}

INLINE Half me(const Thread *self) { return (Half)(self->unit + 1); }

// False: another unit owns one of the bytes; some may be the caller's now.
INLINE bool claim(Line *line, Word from, Word bytes, Half me) {
  for (Word i = from & ~3u; i < from + bytes; i += 4) {
    Long *at = (Long *)&line->owners[i], old = 0; // most often
    Word wanted = (Word)(mask_of(from, bytes) >> i) & 15;
    for (Word left = wanted; left;) {
      if (not_zero(old) & not_zero((old & four(UNIT)) ^ four(me)) & wanted)
        return false;
      left = wanted & not_zero(old ^ four(me));
      Long others = old & ~halves_of(left);
      if (left && exchange(at, &old, others | (four(me) & halves_of(left))))
        left = 0;
    }
  }
  return true;
}

// ----------------------------------------------------------------- reads ---

INLINE void note_reader(const Thread *self, Long line) {
  if (self->grid_pass != 1)
    return;
  Word *at = &self->grid->readers[line % READERS];
  Word found = *at, me = self->group + 1; // an old value does no harm
  while (found != me && found != MANY &&
         !__atomic_compare_exchange_n(at, &found, found ? MANY : me, false,
                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
}

// By this block, which has told it, or in an execution before.
INLINE bool was_written(const Copies *copies, Long line) {
  Long number = line % GRID_BITS;
  return copies->filter[number / 64] >> number % 64 & 1;
}

INLINE const Byte *look_below(Thread *self, Long at, Word bytes, Word site) {
  if (!self->grid || is_of_block(self, at / LINE) ||
      !was_written(self->grid, at / LINE))
    return (const Byte *)at;
  return __gpuverify_values_look_in_grid(self, at, bytes, site);
}

// On a device the compiler often knows; elsewhere to ask is to call.
INLINE bool is_own(const Thread *self, const void *address) {
#ifdef ON_DEVICE
  (void)self;
  return __nvvm_isspacep_shared(address);
#else
  return is_of_block(self, (Long)address / LINE);
#endif
}

CALLED const void *__gpuverify_values_read(Thread *self, const void *address,
                                           Word bytes, Word site) {
  Long at = (Long)address, line = at / LINE;
  if (is_own(self, address)) {
    if ((self->state & (SHARED | LOOKS)) == SHARED)
      return address;
    self->state |= SHARED;
  } else {
    self->state |= OTHER;
    note_reader(self, line);
  }
  if (!(self->state & LOOKS))
    return look_below(self, at, bytes, site);
  bool is_written = is_of_block(self, line)
                        ? has_bit(block()->dirty, line - self->shared)
                        : has_bit(block()->filter, line % FILTER_BITS);
  return is_written ? __gpuverify_values_find_read(self, at, bytes, site)
                    : look_below(self, at, bytes, site);
}

// ---------------------------------------------------------------- writes ---

INLINE void note(Word *at, Word what) {
  if (~__atomic_load_n(at, __ATOMIC_RELAXED) & what)
    __atomic_fetch_or(at, what, __ATOMIC_RELAXED);
}

INLINE Line *line_to_write(Thread *self, Long number) {
  if (is_of_block(self, number)) {
    Long index = number - self->shared;
    if (!has_bit(block()->dirty, index)) {
      note(&block()->has_written, SHARED);
      set_bit(block()->dirty, index);
    }
    return &self->table->shared[index];
  }
  const Entry *entry = &self->entries[number % ENTRIES];
  return entry->line == number ? entry->at
                               : __gpuverify_values_make_line(self, number);
}

// An access of so many bytes is aligned to them.
INLINE void mark_written(Line *line, Word from, Word bytes) {
  const Long ones = 0x0101010101010101ull;
  for (Word i = from; i < from + bytes && bytes >= 8; i += 8)
    *(Long *)&line->written[i] = ones;
  if (bytes == 4)
    *(Word *)&line->written[from] = (Word)ones;
  if (bytes == 2)
    *(Half *)&line->written[from] = (Half)ones;
  if (bytes == 1)
    line->written[from] = 1;
}

CALLED void *__gpuverify_values_write(Thread *self, void *address, Word bytes,
                                      Word site) {
  Long at = (Long)address;
  Word from = at % LINE;
  if (from + bytes > LINE)
    __gpuverify_values_stop(VALUES_CROSSES);
  Line *line = line_to_write(self, at / LINE);
  self->state |= LOOKS;
  if (self->pass == 2) {
    line =
        line->others ? __gpuverify_values_line_that_unit_has(self, line) : line;
    mark_written(line, from, bytes);
    return line->data[1] + from;
  }
  bool has_others = line->others; // they are not many: do not wait for it
  if (!claim(line, from, bytes, me(self)) || has_others)
    line = __gpuverify_values_claim_late(self, line, at / LINE, from, bytes);
  for (Word word = from / WORD; word <= (from + bytes - 1) / WORD; word++)
    line->places[word] = place_of(self, site);
  return line->data[0] + from;
}

// --------------------------------------------------------------- regions ---

// The frame is what the thread keeps from region to region; `before` and
// `ended` are as large.  Where to go on; all threads of the block come here
// equally often.
CALLED int __gpuverify_values_next(Thread *self, Byte *frame, Byte *before,
                                   Byte *ended, Word bytes, Word flags) {
  return __gpuverify_values_go_on(block(), self, frame, before, ended, bytes,
                                  flags);
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
