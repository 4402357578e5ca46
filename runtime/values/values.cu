// Two executions of each region between barriers, on private copies: the part
// that is executed by the device.
//
// LD, of Li and others, executes a region once on a copy of what threads share
// for each unit, here a thread or a warp, unites the copies, and executes it
// again to see which units read what others have written.  It compares values.
//
// What we do differently: a byte has an owner, the unit that has written it in
// this region.  Nearly always there is one, so one copy is enough for all
// units. A unit that writes what another one owns is a write-write race, and
// gets a copy of that line for itself.  The second execution repeats the first
// one, on the same values, and looks who owns what is read.  So what an access
// finds does not depend on values, nor on who was first; values say only
// whether two have written the same, and whether both executions were the same.
//
// Between blocks the host executes the grid twice, with blocks as units and the
// whole kernel as the region.  There each block has copies of the lines that it
// writes, or shares them with a group of blocks.  What a block leaves behind
// goes to the grid's copies, and what its units read comes from there, until
// the host has what all have written put into memory.
//
// Atomic operations find what others have left, of whichever unit or block;
// they are recorded, and find the same again (atomics.cu, records.cu).
//
// A kernel that was cut (cut.c) calls __gpuverify_values_next between regions,
// and .._read and .._write for addresses.  Memory and reports are the host's.

#include "runtime/values/inlined.cu"

DEVICE void tell_trouble(Word kind) {
  __gpuverify_values_tell(kind, 0, 0, 0, 0, 0);
}

APART void __gpuverify_values_stop(Word kind) {
  tell_trouble(kind);
  __builtin_trap();
}

#include "runtime/values/blocks.cu"
#include "runtime/values/records.cu"

// --------------------------------------------------------------- owners ---

INLINE Long owners_at(const Line *line, int byte) {
  return *(const Long *)&line->owners[byte];
}

// Of the bytes of an access: those that a unit owns, and that others do.
INLINE void find_owned(const Line *line, Word from, Word bytes, Half me,
                       Long *mine, Long *theirs) {
  *mine = *theirs = 0;
  for (Word i = from & ~3u; i < from + bytes; i += 4) {
    Long owners = owners_at(line, (int)i);
    Word owned = not_zero(owners);
    Word strange = not_zero((owners & four(UNIT)) ^ four(me));
    *mine |= (Long)(owned & ~strange) << i;
    *theirs |= (Long)(owned & strange) << i;
  }
  *mine &= mask_of(from, bytes);
  *theirs &= mask_of(from, bytes);
}

INLINE Long owned_of(const Line *line) {
  Long owned = 0;
  for (int i = 0; i < LINE; i += 4)
    owned |= (Long)not_zero(owners_at(line, i)) << i;
  return owned;
}

// ----------------------------------------------------------------- lines ---

// *is_new: it is the caller's to link.
DEVICE Line *find_or_make(Table *table, Long key, bool *is_new) {
  *is_new = false;
  for (Word slot = slot_of(key) & (table->most - 1);;
       slot = (slot + 1) & (table->most - 1)) {
    Line *line = &table->line[slot];
    Long found = __atomic_load_n(&line->key, __ATOMIC_RELAXED);
    if (!found &&
        __atomic_compare_exchange_n(&line->key, &found, key, false,
                                    __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
      Word number = add(&table->used, 1);
      if (number >= table->most / 2)
        __gpuverify_values_stop(VALUES_FULL);
      table->slots[number] = slot;
      *is_new = true;
      return line;
    }
    if (found == key)
      return line;
  }
}

DEVICE Line *find(const Table *table, Long key) {
  for (Word slot = slot_of(key) & (table->most - 1);;
       slot = (slot + 1) & (table->most - 1)) {
    Line *line = &table->line[slot];
    Long found = __atomic_load_n(&line->key, __ATOMIC_RELAXED);
    if (!found || found == key)
      return found ? line : 0;
  }
}

INLINE void keep(Thread *self, Entry *entry, Long number, Line *line) {
  entry->line = number;
  entry->at = line;
  self->has_entries = 1;
}

APART Line *__gpuverify_values_make_line(Thread *self, Long number) {
  Entry *entry = &self->entries[number % ENTRIES];
  bool is_new;
  Line *line = find_or_make(self->table, key_of(number, 0), &is_new);
  note(&block()->has_written, OTHER);
  set_bit(block()->filter, number % FILTER_BITS);
  keep(self, entry, number, line);
  return line;
}

// NULL: no unit has written to it in this region.
INLINE Line *line_to_read(Thread *self, Long number) {
  if (is_of_block(self, number))
    return &self->table->shared[number - self->shared];
  Entry *entry = &self->entries[number % ENTRIES];
  if (entry->line == number)
    return entry->at;
  Line *line = find(self->table, key_of(number, 0));
  if (line)
    keep(self, entry, number, line);
  return line;
}

DEVICE void forget_lines(Thread *self) {
  for (int i = 0; i < ENTRIES && self->has_entries; i++)
    self->entries[i].line = 0;
  self->has_entries = 0;
}

// --------------------------------------------------- lines for one unit ---

// NULL: the owner has none, and what it writes is in the line itself.
INLINE Line *line_of(const Thread *self, const Line *line, Half owner) {
  Line *one = 0;
  for (Word number = __atomic_load_n(&line->others, __ATOMIC_RELAXED); number;
       number = one->next) {
    one = &self->table->line[number - 1];
    if ((one->key & UNIT_MASK) == owner)
      return one;
  }
  return 0;
}

INLINE Line *line_of_unit(const Thread *self, const Line *line) {
  return line_of(self, line, me(self));
}

// From here on it has all that the unit writes to the line, but for atomic
// operations on what others have no other part in (atomics.cu).
OUT_OF_LINE Line *make_line_of_unit(Thread *self, Line *line, Long number) {
  bool is_new;
  Line *one = find_or_make(self->table, key_of(number, me(self)), &is_new);
  if (!is_new)
    return one;
  for (int i = 0; i < LINE; i++)
    if (line->owners[i] == me(self)) {
      one->owners[i] = me(self);
      one->data[0][i] = line->data[0][i];
      one->places[i / WORD] = line->places[i / WORD];
    }
  Word index = (Word)(one - self->table->line);
  block()->has_others = 1;
  one->next = __atomic_load_n(&line->others, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(&line->others, &one->next, index + 1,
                                      false, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED))
    ;
  return one;
}

// ------------------------------------------------------------------ reads ---

INLINE Word unit_of_place(const Thread *self, Word place) {
  Word thread = place & ((1u << VALUES_SITE_SHIFT) - 1);
  return self->is_alone ? thread : thread / LANES;
}

// Of the four bytes around, another unit may have written last.  What a unit
// owns in the line for all, it may have written in its own only.
DEVICE Word place_of_owner(const Thread *self, const Line *line, int byte) {
  Half owner = line->owners[byte] & UNIT;
  const Line *own = line_of(self, line, owner);
  Word place = (own ? own : line)->places[byte / WORD];
  Word unit = owner - 1u;
  Word first = self->is_alone ? unit : unit * LANES;
  return unit_of_place(self, place) == unit
             ? place
             : place >> VALUES_SITE_SHIFT << VALUES_SITE_SHIFT | first;
}

// ... or of one of several, but not this unit.
DEVICE Word place_of_other(const Thread *self, const Line *line, int byte,
                           Word unit) {
  if (line->owners[byte] & UNIT)
    return place_of_owner(self, line, byte);
  const Updates *updates = updates_of(line);
  Word place = updates->places[byte];
  return unit_of_place(self, place) == unit ? updates->others[byte] : place;
}

// Some of the bytes of a line.
DEVICE bool tell_read(const Thread *self, const Line *line, Long number,
                      Long bytes, Word site) {
  if (!bytes)
    return false;
  int byte = __builtin_ctzll(bytes);
  __gpuverify_values_tell(VALUES_READ_WRITE, memory_of(number) + byte,
                          self->block, place_of(self, site), self->block,
                          place_of_other(self, line, byte, self->unit));
  return true;
}

// The second execution of a unit reads what others have written.
OUT_OF_LINE void check_read(const Thread *self, const Line *line, Long at,
                            Word bytes, Word site) {
  Long mine, theirs;
  find_owned(line, at % LINE, bytes, me(self), &mine, &theirs);
  bool is_told = tell_read(self, line, at / LINE, theirs, site);
  for (Word number = line->others; number && !is_told;) {
    const Line *one = &self->table->line[number - 1];
    find_owned(one, at % LINE, bytes, me(self), &mine, &theirs);
    is_told = tell_read(self, one, at / LINE, theirs, site);
    number = one->next;
  }
}

INLINE Long written_of(const Line *line, Word from, Word bytes) {
  Long written = 0;
  for (Word i = from; i < from + bytes; i++)
    written |= (Long)line->written[i] << i;
  return written;
}

// Bytes that the unit has written, and others.
DEVICE const Byte *mix(Thread *self, const Byte *own, const Byte *below,
                       Long mine, Word from, Word bytes) {
  for (Word i = 0; i < bytes; i++)
    self->mixed[i] = mine >> (from + i) & 1 ? own[i] : below[i];
  return self->mixed;
}

// Of a unit that has a line for itself: what it has written there comes before
// what is its own in the line for all.
DEVICE const Byte *find_in_both(Thread *self, const Line *line, const Line *own,
                                Long mine, Long at, Word bytes, Word site) {
  Word from = at % LINE;
  int pass = self->pass - 1;
  Long its, none;
  find_owned(own, from, bytes, me(self), &its, &none);
  if (pass)
    its &= written_of(own, from, bytes);
  const Byte *below = look_below(self, at, bytes, site);
  below = mix(self, line->data[pass] + from, below, mine, from, bytes);
  return mix(self, own->data[pass] + from, below, its, from, bytes);
}

APART const Byte *__gpuverify_values_find_read(Thread *self, Long at,
                                               Word bytes, Word site) {
  const Line *line = line_to_read(self, at / LINE);
  Word from = at % LINE;
  Long mine, theirs;
  if (from + bytes > LINE)
    __gpuverify_values_stop(VALUES_CROSSES);
  if (!line)
    return look_below(self, at, bytes, site);
  find_owned(line, from, bytes, me(self), &mine, &theirs);
  if (self->pass == 2) {
    if (theirs || line->others)
      check_read(self, line, at, bytes, site);
    mine &= written_of(line, from, bytes);
  }
  const Line *own = line->others ? line_of_unit(self, line) : 0;
  if (own)
    return find_in_both(self, line, own, mine, at, bytes, site);
  const Byte *found = line->data[self->pass - 1] + from;
  bool is_whole = mine == mask_of(at, bytes);
  if (is_whole && self->grid_pass != 2)
    return found;
  const Byte *below = look_below(self, at, bytes, site); // tells other blocks
  if (is_whole)
    return found;
  return mine ? mix(self, found, below, mine, from, bytes) : below;
}

// ----------------------------------------------------------------- writes ---

APART Line *__gpuverify_values_line_that_unit_has(const Thread *self,
                                                  Line *line) {
  Line *one = line_of_unit(self, line);
  return one ? one : line;
}

// A unit that has a line for itself writes there, and gets one where others own
// what it writes.
APART Line *__gpuverify_values_claim_late(Thread *self, Line *line, Long number,
                                          Word from, Word bytes) {
  Line *one = __gpuverify_values_line_that_unit_has(self, line);
  if (claim(one, from, bytes, me(self)))
    return one;
  one = make_line_of_unit(self, line, number);
  claim(one, from, bytes, me(self));
  return one;
}

#include "runtime/values/atomics.cu"

// ------------------------------------------------------- of many bytes ---

// Addresses of a thread's own memory are what they are.  Where both overlap, as
// those of memmove may, the end that is in the way comes first.
CALLED void __gpuverify_values_copy(Thread *self, Byte *to, const Byte *from,
                                    Long bytes, Word site, Word is_own_target,
                                    Word is_own_source) {
  bool is_downward = (Long)to - (Long)from < bytes;
  for (Long done = 0; done < bytes; done++) {
    Long i = is_downward ? bytes - 1 - done : done;
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

CALLED void __gpuverify_values_fill(Thread *self, Byte *to, Word value,
                                    Long bytes, Word site) {
  for (Long i = 0; i < bytes; i++)
    *(Byte *)__gpuverify_values_write(self, to + i, 1, site) = (Byte)value;
}

// What it returns is the same again; without a log nobody asks for it.
CALLED int __gpuverify_values_print(Thread *self, const char *format,
                                    const char *arguments) {
  Record *record = !block()->log    ? 0
                   : is_again(self) ? next_record(self, (Long)format)
                                    : new_record(self);
  if (is_again(self))
    return record ? (int)record->old : 0;
  int result = print(format, arguments);
  if (record)
    *record = {(Long)result, 0, (Word)(Long)format};
  return result;
}

#include "runtime/values/async.cu"

// ------------------------------------------------------ end of a region ---

// Both have written these bytes.
DEVICE void tell_writes(const Thread *self, Word kind, Long number,
                        const Line *one, const Line *other, Long bytes) {
  int byte = __builtin_ctzll(bytes);
  Word unit = (Word)(one->key & UNIT_MASK) - 1;
  if (self->grid_pass < 2) // else it was told before
    __gpuverify_values_tell(kind, memory_of(number) + byte, self->block,
                            place_of_owner(self, one, byte), self->block,
                            place_of_other(self, other, byte, unit));
}

// Bytes of the line that the unit of another one owns.
DEVICE Long owned_by(const Line *line, const Line *one) {
  Long bytes = 0;
  for (int i = 0; i < LINE; i++)
    if ((line->owners[i] & UNIT) == (one->key & UNIT_MASK))
      bytes |= 1ull << i;
  return bytes;
}

DEVICE Long atomic_of(const Line *line) {
  Long bytes = 0;
  for (int i = 0; i < LINE; i++)
    bytes |= (Long)(line->owners[i] / ATOMIC) << i;
  return bytes;
}

// What a unit owns in the line for all, it may have written in its own only.
DEVICE void adopt(Line *line, const Line *one) {
  Long bytes = owned_by(line, one) & owned_of(one);
  merge(line->data[0], one->data[0], bytes);
  for (int i = 0; i < LINE; i++)
    if (bytes >> i & 1)
      line->owners[i] = one->owners[i];
  for (int i = 0; i < LINE / WORD; i++)
    if (bytes >> WORD * i & 15)
      line->places[i] = one->places[i];
}

// Bytes that a unit with a higher number owns than that of another line.
DEVICE Long owned_above(const Line *line, const Line *one) {
  Long bytes = 0;
  for (int i = 0; i < LINE; i++)
    if ((line->owners[i] & UNIT) > (one->key & UNIT_MASK))
      bytes |= 1ull << i;
  return bytes;
}

// A line of one unit becomes part of the line.  What several have written is
// what the one with the highest number has, whichever came first.
DEVICE void join(const Thread *self, Line *line, const Line *one, Long number) {
  Long all = owned_of(line), its = owned_of(one);
  Long atomic = atomic_of(line), its_atomic = atomic_of(one);
  Long twice = its & all & ~owned_by(line, one) & ~(atomic & its_atomic);
  Long different = differing(one->data[0], line->data[0], twice) |
                   (twice & (atomic | its_atomic));
  if (different)
    tell_writes(self, VALUES_WRITE_WRITE, number, one, line, different);
  if (twice & ~different)
    tell_writes(self, VALUES_SAME_VALUE, number, one, line, twice & ~different);
  Long won = its & ~(twice & owned_above(line, one));
  Long kept = all & ~(twice & ~(atomic | its_atomic)); // owners are
  merge(line->data[0], one->data[0], won);
  for (int i = 0; i < LINE; i++)
    if (won & ~kept & 1ull << i) {
      line->owners[i] = one->owners[i];
      line->places[i / WORD] = one->places[i / WORD];
    }
}

// Lines that units have for themselves become part of the one for all, and
// lines of memory find their block's copy.
DEVICE void gather(Thread *self, Line *line, Long number) {
  const Line *lines = self->table->line;
  for (Word one = line->others; one; one = lines[one - 1].next)
    adopt(line, &lines[one - 1]);
  for (Word one = line->others; one; one = lines[one - 1].next)
    join(self, line, &lines[one - 1], number);
  if (self->grid && !is_of_block(self, number) && owned_of(line))
    line->copy = copy_of(self, number);
}

DEVICE void gather_all(Thread *self) {
  Table *table = self->table;
  for (Word i = self->number; i < self->shared_lines; i += self->threads)
    if (has_bit(block()->dirty, i))
      gather(self, &table->shared[i], self->shared + i);
  for (Word i = self->number; i < table->used; i += self->threads) {
    Line *line = &table->line[table->slots[i]];
    if (!(line->key & UNIT_MASK))
      gather(self, line, line->key >> VALUES_UNIT_BITS);
  }
}

// Eight bytes of a line at a time.
enum { PART = 8, PARTS = LINE / PART };

// How eight bytes of a line are written.
DEVICE void pass_on_kinds(const Line *line, int part, Copy *copy) {
  Long atomic = 0, plain = 0;
  for (int i = PART * part; i < PART * (part + 1); i++) {
    Half owner = line->owners[i];
    atomic |= (Long)(owner / ATOMIC) << i;
    plain |= (Long)(owner && (owner & (ATOMIC | NARROW)) != ATOMIC) << i;
  }
  __atomic_fetch_or(&copy->plain, plain, __ATOMIC_RELAXED);
  if (atomic)
    __atomic_fetch_or(&copy->atomic, atomic, __ATOMIC_RELAXED);
}

// To the copy of the block.
DEVICE void pass_on(const Thread *self, const Line *line, int part,
                    Word bytes) {
  Copy *copy = &self->grid->copy[line->copy];
  Long mask = spread(bytes), *at = &((Long *)copy->data)[part];
  Long now = ((const Long *)line->data[0])[part];
  if (self->grid->writers && self->grid_pass == 1)
    note_changed(self, copy, part, bytes, *at, now);
  *at = (*at & ~mask) | (now & mask);
  __atomic_fetch_or(&copy->written[self->grid_pass - 1],
                    (Long)bytes << PART * part, __ATOMIC_RELAXED);
  if (self->grid_pass == 1)
    pass_on_kinds(line, part, copy);
  for (int i = 0; i < PART / WORD && self->grid_pass == 1; i++)
    if (bytes >> WORD * i & 15)
      note_writer(self, copy, PART / WORD * part + i,
                  line->places[PART / WORD * part + i]);
}

// What was written there is there for all, and nothing is left in the line.
// True: it was not written twice.
DEVICE bool settle(const Thread *self, Line *line, Long number, int part) {
  const Long each = 0x0101010101010101ull;
  Long *owners = (Long *)&line->owners[PART * part];
  Long *written = (Long *)&line->written[PART * part];
  Long first = ((Long *)line->data[0])[part];
  Long second = ((Long *)line->data[1])[part];
  Word bytes = not_zero(owners[0]) | not_zero(owners[1]) << 4;
  Long mask = spread(bytes);
  bool is_changed = self->pass == 2 && !line->others &&
                    (*written != (mask & each) || ((first ^ second) & mask));
  if (bytes && self->grid && !is_of_block(self, number))
    pass_on(self, line, part, bytes);
  else if (bytes)
    put_back(memory_of(number) + PART * part, first, bytes);
  owners[0] = owners[1] = *written = 0;
  if (!part && line->updates) {
    line->has = 0;
    line->order = line->updates = 0;
  }
  return is_changed;
}

DEVICE bool settle_all(const Thread *self) {
  Table *table = self->table;
  bool is_changed = false;
  for (Word i = self->number; i < self->shared_lines * PARTS;
       i += self->threads)
    if (has_bit(block()->dirty, i / PARTS))
      is_changed |= settle(self, &table->shared[i / PARTS],
                           self->shared + i / PARTS, (int)(i % PARTS));
  for (Word i = self->number; i < table->used * PARTS; i += self->threads) {
    Line *line = &table->line[table->slots[i / PARTS]];
    if (!(line->key & UNIT_MASK))
      is_changed |=
          settle(self, line, line->key >> VALUES_UNIT_BITS, (int)(i % PARTS));
  }
  return is_changed;
}

DEVICE void clear_lines(Thread *self) {
  Table *table = self->table;
  for (Word i = self->number; i < table->used; i += self->threads) {
    Line *line = &table->line[table->slots[i]];
    if (line->key & UNIT_MASK) {
      clear(line->owners, sizeof line->owners);
      clear(line->written, sizeof line->written);
      line->has = 0;
    }
    line->key = 0;
    line->others = 0;
  }
  for (Word i = self->number; i < self->shared_lines && block()->has_others;
       i += self->threads)
    table->shared[i].others = 0;
}

DEVICE void clear_bits(const Thread *self) {
  for (Word i = self->number; i < FILTER_BITS / 64; i += self->threads)
    block()->filter[i] = 0;
  for (Word i = self->number; i < SHARED_LINES / 64; i += self->threads)
    block()->dirty[i] = 0;
}

// ------------------------------------------------------------------ begin ---

INLINE void clear_meeting(Meeting *meeting) {
  meeting->alive = meeting->yes = 0;
  meeting->lowest = 0x7fffffff;
  meeting->highest = -1;
}

// Memory that is all zero becomes a table, the rest is one.
DEVICE Table *open_table(Word shared_lines) {
  Word lines = 0;
  Long fixed = sizeof(Table) + (shared_lines + 1ull) * sizeof(Line);
  Table *table = (Table *)__gpuverify_values_take(
      fixed, sizeof(Line) + sizeof(Word), &lines);
  if (table->most)
    return table;
  Long behind = (Long)(table + 1) + alignof(Line) - 1;
  table->shared = (Line *)(behind / alignof(Line) * alignof(Line));
  table->line = table->shared + shared_lines;
  table->slots = (Word *)(table->line + lines);
  table->most = lines;
  return table;
}

DEVICE void open_block(const Thread *self, bool has_records) {
  block()->table = open_table(self->shared_lines);
  Word groups;
  block()->group = __gpuverify_values_group(self->block, &groups);
  block()->grid = open_copies(groups);
  if (block()->grid && blocks_of_grid() > VALUES_MOST_BLOCKS)
    __gpuverify_values_stop(VALUES_BLOCKS);
  block()->log = 0;
  if (has_records)
    open_log(self->threads);
  block()->has_written = block()->has_others = 0;
  block()->has_read[0] = block()->has_read[1] = 0;
  block()->come = 0;
  clear_meeting(&block()->meetings[0]);
  clear_meeting(&block()->meetings[1]);
  clear(block()->filter, sizeof block()->filter);
  clear(block()->dirty, sizeof block()->dirty);
}

DEVICE void begin(Thread *self, Word flags) {
  self->threads = threads_of_block();
  self->number = thread_number();
  self->is_alone = flags & VALUES_ALONE;
  self->unit = self->is_alone ? self->number : self->number / LANES;
  self->block = block_number();
  self->shared = __gpuverify_values_shared(&self->shared_lines) / LINE;
  self->parity = 0;
  self->alive = self->threads;
  if (!self->number)
    open_block(self, flags & VALUES_RECORDED);
  wait_for_block();
  self->table = block()->table;
  self->grid = block()->grid;
  self->group = block()->group;
  self->grid_pass = block()->grid ? block()->grid_pass : 0;
  self->region = 0;
}

// ---------------------------------------------------------------- regions ---

DEVICE bool is_same(const Byte *a, const Byte *b, Word bytes) {
  for (Word i = 0; i < bytes; i += 8)
    if (*(const Long *)(a + i) != *(const Long *)(b + i))
      return false;
  return true;
}

// By one thread.
DEVICE void check_meeting(const Meeting *meeting, const Thread *self) {
  if (meeting->alive && meeting->lowest != meeting->highest)
    tell_trouble(VALUES_DIVERGES);
  else if (meeting->alive && meeting->alive != self->alive)
    tell_trouble(VALUES_LEFT);
}

DEVICE int leave(Thread *self) {
  wait_for_block();
  if (!self->number)
    __gpuverify_values_give(self->table);
  return VALUES_DONE;
}

DEVICE int start(Thread *self, int pass) {
  self->pass = pass;
  self->state = pass == 2 || !self->is_alone ? LOOKS : 0;
  if (pass == 1)
    self->records_before = self->records;
  forget_lines(self);
  return self->region;
}

// The first execution is over, and there is another one.
DEVICE int repeat(Thread *self, Byte *frame, const Byte *before, Byte *ended,
                  Word bytes) {
  __builtin_memcpy(ended, frame, bytes);
  __builtin_memcpy(frame, before, bytes);
  self->first_next = self->next;
  self->records_after = self->records;
  self->records = self->records_before;
  return start(self, 2);
}

// The second one is over.  True: it was not the first one again.
DEVICE bool end_repeat(Thread *self, Byte *frame, const Byte *ended,
                       Word bytes) {
  bool is_changed =
      self->region != VALUES_IDLE &&
      (self->next != self->first_next || !is_same(frame, ended, bytes));
  self->records = self->records_after;
  self->next = self->first_next;
  __builtin_memcpy(frame, ended, bytes);
  return is_changed;
}

DEVICE int next_region(Thread *self, const Byte *frame, Byte *before,
                       Word bytes, const Meeting *meeting) {
  self->alive = meeting->alive;
  self->yes = meeting->yes;
  if (!self->alive)
    return leave(self);
  self->region = self->next;
  __builtin_memcpy(before, frame, bytes);
  return start(self, 1);
}

#ifdef __CUDA__
#include "runtime/values/together.cu"
#else
#include "runtime/values/alone.cu"
#endif

CALLED int __gpuverify_values_go_on(Block *variables, Thread *self, Byte *frame,
                                    Byte *before, Byte *ended, Word bytes,
                                    Word flags) {
  use_block(variables);
  if (!self->pass) {
    begin(self, flags);
    __builtin_memcpy(before, frame, bytes);
    return start(self, 1);
  }
  if (self->pass == 1 && is_needed_again(self))
    return repeat(self, frame, before, ended, bytes);
  bool is_changed = self->pass == 2 && end_repeat(self, frame, ended, bytes);
  const Meeting *meeting = end_region(self, is_changed);
  return next_region(self, frame, before, bytes, meeting);
}
