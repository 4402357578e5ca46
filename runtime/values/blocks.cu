// Copies of blocks: what each of them writes, for the whole grid.
//
// A line that a block writes gets a copy for it; all copies of a line are
// joined when the first execution of the grid is over, and then each of them
// has what the other blocks have written and not its own.
//
// Where the host puts blocks into groups, a group has one copy, and is to the
// others what a block is elsewhere.  Its own blocks are not compared; they
// find there what those of them have written that came before.

// ------------------------------------------------------- copies of blocks ---

INLINE Word slots(const Copies *copies) { return copies->most * 4; }

// 1 + its number, which its maker may not have told yet; or 0.
INLINE Word find_number(const Copies *copies, Long key) {
  for (Word slot = slot_of(key) & (slots(copies) - 1);;
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
  for (*slot = slot_of(key) & (slots(copies) - 1);;
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

DEVICE Word whole_of(Copies *copies, Long line) {
  Word slot, known = find_or_claim(copies, key_of(line, 0), &slot);
  if (known)
    return known - 1;
  Word number = add(&copies->wholes, 1);
  if (number >= copies->most)
    __gpuverify_values_stop(VALUES_GRID_FULL);
  Whole *whole = &copies->whole[number];
  copy_line(whole->data, memory_of(line));
  whole->line = line;
  whole->written = whole->shared = whole->changed = 0;
  whole->atomic = whole->plain = 0;
  whole->first = whole->lock = 0;
  set_bit(copies->filter, line % GRID_BITS);
  copies->whole_slots[number] = slot;
  publish(copies, slot, number);
  return number;
}

DEVICE void fill_copy(const Thread *self, Word number, Long line) {
  Copies *copies = self->grid;
  Copy *made = &copies->copy[number];
  Word whole = whole_of(copies, line);
  Whole *all = &copies->whole[whole];
  copy_line(made->data, self->grid_pass == 1 ? memory_of(line) : all->data);
  made->written[0] = made->written[1] = 0;
  made->atomic = made->plain = 0;
  made->group = self->group;
  made->whole = whole;
  made->next = __atomic_load_n(&all->first, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(&all->first, &made->next, number + 1,
                                      false, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED))
    ;
}

DEVICE Word copy_of(const Thread *self, Long line) {
  Copies *copies = self->grid;
  Word slot,
      known = find_or_claim(copies, key_of(line, self->group + 1), &slot);
  if (known)
    return known - 1;
  Word number = add(&copies->copies, 1);
  if (number >= copies->most)
    __gpuverify_values_stop(VALUES_GRID_FULL);
  fill_copy(self, number, line);
  copies->copy_slots[number] = slot;
  publish(copies, slot, number);
  return number;
}

// Who of the group it was, as far as one word goes.
INLINE Word writer_of(const Copies *copies, const Copy *copy, int word) {
  Long number = (Long)(copy - copies->copy);
  return copies->writers ? copies->writers[number * WORDS + (Word)word]
                         : copy->group;
}

DEVICE void note_writer(const Thread *self, Copy *copy, int word, Word place) {
  Long number = (Long)(copy - self->grid->copy);
  copy->places[word] = place;
  if (self->grid->writers)
    self->grid->writers[number * WORDS + (Word)word] = self->block;
}

// Of eight bytes those that have another value than an earlier block of the
// group has left.
DEVICE void note_changed(const Thread *self, const Copy *copy, int part,
                         Word bytes, Long left, Long now) {
  const Copies *copies = self->grid;
  enum { EACH = sizeof(Long), WORDS_EACH = EACH / WORD };
  Word again = (Word)(copy->written[0] >> EACH * part) & bytes;
  for (int i = 0; i < WORDS_EACH; i++)
    if (writer_of(copies, copy, WORDS_EACH * part + i) == self->block)
      again &= ~(15u << WORD * i);
  Long changed = 0;
  for (int i = 0; i < EACH; i++)
    if (again >> i & 1 && (left ^ now) >> 8 * i & 255)
      changed |= 1ull << (EACH * part + i);
  if (changed)
    __atomic_fetch_or(&copies->whole[copy->whole].changed, changed,
                      __ATOMIC_RELAXED);
}

// ------------------------------------------------------------------ reads ---

// The second execution of the grid reads what another block has written; an
// atomic operation, what it has written in another way.
OUT_OF_LINE void tell_read_of_blocks(Thread *self, const Whole *whole,
                                     Long bytes, Word site, bool is_atomic) {
  Copies *copies = self->grid;
  for (Word number = whole->first; number;) {
    const Copy *copy = &copies->copy[number - 1];
    Long written = is_atomic ? copy->plain : copy->written[0];
    Long common = copy->group == self->group ? 0 : written & bytes;
    if (common) {
      int byte = __builtin_ctzll(common);
      copies->has_raced = 1;
      __gpuverify_values_tell(VALUES_READ_WRITE, memory_of(whole->line) + byte,
                              self->block, place_of(self, site),
                              writer_of(copies, copy, byte / WORD),
                              copy->places[byte / WORD]);
      return;
    }
    number = copy->next;
  }
}

// What a block reads where its units have written nothing in this region.
APART const Byte *__gpuverify_values_look_in_grid(Thread *self, Long at,
                                                  Word bytes, Word site) {
  Copies *copies = self->grid;
  Long line = at / LINE;
  Word own = find_number(copies, key_of(line, self->group + 1));
  const Copy *mine = own ? &copies->copy[own - 1] : 0;
  if (self->grid_pass == 1)
    return own ? mine->data + at % LINE : (const Byte *)at;
  Word number = own ? mine->whole + 1 : find_number(copies, key_of(line, 0));
  if (!number)
    return (const Byte *)at;
  const Whole *whole = &copies->whole[number - 1];
  Long others =
      whole->written & (own ? whole->shared | ~mine->written[0] : ~0ull);
  if (mask_of(at, bytes) & others)
    tell_read_of_blocks(self, whole, mask_of(at, bytes) & others, site, false);
  return (own ? mine->data : whole->data) + at % LINE;
}

// The same of an atomic operation that has written nothing, and may be one for
// the grid.
DEVICE void check_found_in_grid(Thread *self, Long at, Word bytes, Word site,
                                bool is_wide) {
  Word number = is_of_block(self, at / LINE)
                    ? 0
                    : find_number(self->grid, key_of(at / LINE, 0));
  if (number)
    tell_read_of_blocks(self, &self->grid->whole[number - 1],
                        mask_of(at, bytes), site, is_wide);
}

// ---------------------------------------------------- end of the grid ---

// One that comes before this one in its whole, and has written the byte; of two
// one has done that in another way than by atomic operations.
DEVICE const Copy *earlier(const Copies *copies, const Whole *whole,
                           const Copy *copy, int byte) {
  const Copy *other = &copies->copy[whole->first - 1];
  bool is_plain = copy->plain >> byte & 1;
  while (other != copy &&
         !((is_plain ? other->written[0] : other->plain) >> byte & 1))
    other = &copies->copy[other->next - 1];
  return other;
}

// A group may have written each word of a line by another block.
DEVICE void tell_writes_of_blocks(const Copies *copies, const Whole *whole,
                                  const Copy *copy, Long bytes, Word kind) {
  for (Long left = bytes; left;) {
    int byte = __builtin_ctzll(left), word = byte / WORD;
    const Copy *other = earlier(copies, whole, copy, byte);
    __gpuverify_values_tell(kind, memory_of(whole->line) + byte,
                            writer_of(copies, copy, word), copy->places[word],
                            writer_of(copies, other, word),
                            other->places[word]);
    left &= copies->writers ? ~(15ull << WORD * word) : 0;
  }
}

// Each byte that two blocks have written is a race, if not by atomic operations
// both times.  What these have left is in the whole already.
DEVICE void join_blocks(const Copies *copies, Whole *whole, const Copy *copy) {
  Long twice = copy->written[0] & whole->written;
  Long raced = twice & (copy->plain | whole->plain);
  Long different = raced ? differing(copy->data, whole->data, raced) : 0;
  different |= raced & (copy->atomic | whole->atomic | whole->changed);
  if (different)
    tell_writes_of_blocks(copies, whole, copy, different, VALUES_WRITE_WRITE);
  if (raced & ~different)
    tell_writes_of_blocks(copies, whole, copy, raced & ~different,
                          VALUES_SAME_VALUE);
  merge(whole->data, copy->data, copy->plain);
  whole->shared |= twice;
  whole->written |= copy->written[0];
  whole->atomic |= copy->atomic;
  whole->plain |= copy->plain;
}

// Bytes that several blocks have written are what the one with the highest
// number has, in whichever order they came.
DEVICE void choose(const Copies *copies, Whole *whole) {
  for (Long raced = whole->shared & whole->plain; raced; raced &= raced - 1) {
    int byte = __builtin_ctzll(raced);
    Word highest = 0; // 1 + a group
    for (Word number = whole->first; number;) {
      const Copy *copy = &copies->copy[number - 1];
      if (copy->plain >> byte & 1 && copy->group >= highest) {
        highest = copy->group + 1;
        whole->data[byte] = copy->data[byte];
      }
      number = copy->next;
    }
  }
}

// What the others have written, and not what the block has.
DEVICE void prepare(const Whole *whole, Copy *copy) {
  const Byte *memory = memory_of(whole->line);
  copy_line(copy->data, whole->data);
  merge(copy->data, memory, copy->written[0]);
}

// Who does a part of what is to be done.
struct Share {
  Word number, all;
};

// Has another block read the line than the one that has written it?  Blocks
// that write it by atomic operations alone have not.
DEVICE bool is_read(const Copies *copies, const Whole *whole) {
  if (!whole->first)
    return false;
  const Copy *copy = &copies->copy[whole->first - 1];
  Word reader = copies->readers[whole->line % READERS];
  if (copy->next)
    return reader || whole->plain;
  return reader && reader != copy->group + 1;
}

DEVICE void unite_blocks(Copies *copies, Share share) {
  for (Word i = share.number; i < copies->wholes; i += share.all) {
    Whole *whole = &copies->whole[i];
    for (Word number = whole->first; number;
         number = copies->copy[number - 1].next)
      join_blocks(copies, whole, &copies->copy[number - 1]);
    choose(copies, whole);
    if (is_read(copies, whole))
      copies->is_needed = 1;
    for (Word number = whole->first; number;
         number = copies->copy[number - 1].next)
      prepare(whole, &copies->copy[number - 1]);
  }
}

// Both executions of a group have done the same?  Of what its blocks have
// written by atomic operations the copy need not have the last value.
DEVICE bool is_copy_repeated(const Copies *copies, const Copy *copy) {
  const Whole *whole = &copies->whole[copy->whole];
  Long unknown = whole->shared | (copies->writers ? copy->atomic : 0);
  Long bytes = copy->written[1] & ~unknown;
  return copy->written[0] == copy->written[1] &&
         !differing(copy->data, whole->data, bytes);
}

DEVICE void check_blocks(const Copies *copies, Share share) {
  bool is_changed = false;
  for (Word i = share.number; i < copies->copies && !is_changed; i += share.all)
    is_changed = !is_copy_repeated(copies, &copies->copy[i]);
  if (is_changed && !copies->has_raced)
    tell_trouble(VALUES_UNSTABLE);
}

DEVICE void commit_blocks(Copies *copies, Share share) {
  for (Word i = share.number; i < copies->wholes; i += share.all) {
    const Whole *whole = &copies->whole[i];
    for (int part = 0; part < LINE / 8; part++)
      put_back(memory_of(whole->line) + 8 * part,
               ((const Long *)whole->data)[part],
               (Word)bits_of(whole->written, part));
    copies->keys[copies->whole_slots[i]] = 0;
    copies->numbers[copies->whole_slots[i]] = 0;
    copies->filter[whole->line % GRID_BITS / 64] = 0;
  }
  for (Word i = share.number; i < copies->copies; i += share.all) {
    copies->keys[copies->copy_slots[i]] = 0;
    copies->numbers[copies->copy_slots[i]] = 0;
  }
}

// What is to be done when all blocks have been executed, in three parts: one
// after the first execution, two after the second one.  Then the table is as
// it was before.
APART void __gpuverify_values_end_part(void *grid, Word part, Word number,
                                       Word all) {
  Copies *copies = (Copies *)grid;
  Share share = {number, all};
  if (part == 0)
    unite_blocks(copies, share);
  else if (part == 1)
    check_blocks(copies, share);
  else
    commit_blocks(copies, share);
}

// ------------------------------------------------------------------ begin ---

DEVICE Copies *open_copies(Word groups) {
  Word most = 0;
  Copies *copies = (Copies *)__gpuverify_values_grid(
      sizeof(Copies),
      sizeof(Copy) + sizeof(Whole) + 2 * sizeof(Word) +
          4 * (sizeof(Long) + sizeof(Word)) +
          (groups ? WORDS * sizeof(Word) : 0),
      &most, &block()->grid_pass);
  if (!copies || copies->most)
    return copies;
  copies->copy = (Copy *)(copies + 1);
  copies->whole = (Whole *)(copies->copy + most);
  copies->keys = (Long *)(copies->whole + most);
  copies->numbers = (Word *)(copies->keys + 4ull * most);
  copies->copy_slots = copies->numbers + 4ull * most;
  copies->whole_slots = copies->copy_slots + most;
  copies->writers = groups ? copies->whole_slots + most : 0;
  copies->most = most;
  return copies;
}
