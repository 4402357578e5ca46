// Atomic operations, and what is like them: atomic loads and stores, and
// volatile ones.
//
// Those of several units do not race with each other, so the bytes are nobody's
// own: their owner is marked ATOMIC.  An operation finds what the one before it
// has left, of whichever unit that was; when it is executed again, it finds the
// same as before.
//
// Where blocks are compared it finds what other blocks have left, too, in the
// whole of the line.  Not so if its own block has written the bytes in another
// way: then other blocks that come to them race with it.

INLINE void lock(Word *at) {
  while (__atomic_exchange_n(at, 1, __ATOMIC_ACQUIRE))
    ;
}

INLINE void unlock(Word *at) { __atomic_store_n(at, 0, __ATOMIC_RELEASE); }

// Of a line that is locked.
DEVICE void make_updates(Line *line) {
  if (line->updates)
    return;
  line->updates = take_chunks(UPDATES_CHUNKS);
  clear(updates_of(line), sizeof(Updates));
}

// ----------------------------------------------------------------- finding ---

INLINE bool is_plainly_owned(Half owner) { return owner && !(owner & ATOMIC); }

// NULL: the block has none.
DEVICE const Copy *own_copy(const Thread *self, Long number) {
  if (!self->grid || is_of_block(self, number))
    return 0;
  Word found = find_number(self->grid, key_of(number, self->group + 1));
  return found ? &self->grid->copy[found - 1] : 0;
}

// The line for all, unless the unit has written there in a line of its own.
DEVICE Line *line_to_update(const Thread *self, Line *line, Word from,
                            Word bytes) {
  Line *own = line_of_unit(self, line);
  for (Word i = from; own && i < from + bytes; i++)
    if ((own->owners[i] & UNIT) == me(self))
      return own;
  return line;
}

// Bytes that are the same for all blocks: those that this one has not written
// in another way.
DEVICE Long common_bytes(const Thread *self, const Line *line, const Copy *copy,
                         Long at, Word bytes) {
  Long common = mask_of(at, bytes) & ~(copy ? copy->plain : 0);
  for (Word i = at % LINE; line && i < at % LINE + bytes; i++)
    if (line->owners[i] == me(self) || line->owners[i] & NARROW)
      common &= ~(1ull << i);
  return common;
}

// Locks the whole, which a mere read does not make.
DEVICE void lock_whole(Thread *self, Long number, Word flags) {
  Copies *grid = self->grid;
  Word found = flags & VALUES_READS ? find_number(grid, key_of(number, 0))
                                    : whole_of(grid, number) + 1;
  if (!found)
    self->common = 0;
  if (!self->common)
    return;
  self->whole = &grid->whole[found - 1];
  lock(&self->whole->lock);
}

DEVICE Long find_value(Thread *self, Long at, Word bytes, Word flags) {
  Long number = at / LINE, value = 0;
  Word from = at % LINE;
  if (from + bytes > LINE)
    __gpuverify_values_stop(VALUES_CROSSES);
  Line *line = flags & VALUES_READS ? line_to_read(self, number)
                                    : line_to_write(self, number);
  self->updated = line;
  if (line)
    lock(&line->lock);
  const Line *own = line ? line_to_update(self, line, from, bytes) : 0;
  const Copy *copy = own_copy(self, number);
  const Byte *below = copy ? copy->data : memory_of(number);
  bool is_wide =
      self->grid && !is_of_block(self, number) && !(flags & VALUES_NARROW);
  self->common = is_wide ? common_bytes(self, own, copy, at, bytes) : 0;
  if (self->common)
    lock_whole(self, number, flags);
  for (Word i = 0, byte = from; i < bytes; i++, byte++) {
    bool is_there =
        own && (own->has >> byte & 1 || own->owners[byte] == me(self));
    const Byte *found = self->common >> byte & 1 ? self->whole->data
                        : is_there               ? own->data[0]
                                                 : below;
    value |= (Long)found[byte] << 8 * i;
  }
  return value;
}

// ---------------------------------------------------------------- claiming ---

// What becomes of an owner; false: another one writes there, not so.
INLINE bool share(Half *owner, Half me, Word flags) {
  if (*owner == me)
    return true;
  if (is_plainly_owned(*owner))
    return false;
  bool is_sole = !*owner || (*owner & UNIT) == me;
  *owner = (Half)((*owner & NARROW) | (flags & VALUES_NARROW ? NARROW : 0) |
                  ATOMIC | (is_sole ? me : 0));
  return true;
}

DEVICE bool claim_shared(Line *line, Word from, Word bytes, Half me,
                         Word flags) {
  for (Word i = from & ~3u; i < from + bytes; i += 4) {
    Long *at = (Long *)&line->owners[i];
    Long old = __atomic_load_n(at, __ATOMIC_RELAXED), wanted;
    do {
      wanted = old;
      for (int byte = 0; byte < 4; byte++) {
        Half owner = (Half)(old >> 16 * byte);
        if (!(mask_of(from, bytes) >> (i + byte) & 1))
          continue;
        if (!share(&owner, me, flags))
          return false;
        wanted &= ~(0xffffull << 16 * byte);
        wanted |= (Long)owner << 16 * byte;
      }
    } while (!__atomic_compare_exchange_n(at, &old, wanted, false,
                                          __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  }
  return true;
}

// As claim_late does, but what other units have a part in stays in the line for
// all.
DEVICE Line *claim_update(Thread *self, Line *line, Long at, Word bytes,
                          Word flags) {
  Line *to = line_to_update(self, line, at % LINE, bytes);
  if (claim_shared(to, at % LINE, bytes, me(self), flags))
    return to;
  to = make_line_of_unit(self, line, at / LINE);
  claim_shared(to, at % LINE, bytes, me(self), flags);
  return to;
}

INLINE void note_places(const Thread *self, Line *line, Line *all, Long at,
                        Word bytes, Word site) {
  Updates *updates = updates_of(all);
  Word place = place_of(self, site);
  for (Word i = at % LINE; i < at % LINE + bytes; i++) {
    if (unit_of_place(self, updates->places[i]) != self->unit)
      updates->others[i] = updates->places[i];
    updates->places[i] = line->places[i / WORD] = place;
  }
}

// ----------------------------------------------------------------- writing ---

DEVICE void put(Byte *to, Long value, Long at, Word bytes, Long which) {
  for (Word i = 0, byte = at % LINE; i < bytes; i++, byte++)
    if (which >> byte & 1)
      to[byte] = (Byte)(value >> 8 * i);
}

DEVICE void write_value(Thread *self, Long at, Word bytes, Word site,
                        Word flags, Long value) {
  Line *line = self->updated;
  make_updates(line);
  Line *own = claim_update(self, line, at, bytes, flags);
  note_places(self, own, line, at, bytes, site);
  put(own->data[0], value, at, bytes, ~0ull);
  own->has |= mask_of(at, bytes);
  if (self->common)
    put(self->whole->data, value, at, bytes, self->common);
  self->found->order = ++line->order;
  self->state |= LOOKS;
}

// Those that came later have perhaps been executed again before.
DEVICE void write_again(Thread *self, Long at, Word bytes, Word site,
                        Word flags, Long value) {
  Line *line = line_to_write(self, at / LINE), *own;
  Long newer = 0;
  lock(&line->lock);
  make_updates(line);
  Word *last = updates_of(line)->last;
  if (self->pass == 2) {
    own = line_to_update(self, line, at % LINE, bytes);
    mark_written(own, at % LINE, bytes);
  } else {
    own = claim_update(self, line, at, bytes, flags);
    note_places(self, own, line, at, bytes, site);
    own->has |= mask_of(at, bytes);
  }
  for (Word i = at % LINE; i < at % LINE + bytes; i++)
    if (self->found->order > last[i]) {
      last[i] = self->found->order;
      newer |= 1ull << i;
    }
  put(own->data[self->pass - 1], value, at, bytes, newer);
  self->state |= LOOKS;
  unlock(&line->lock);
}

DEVICE bool tell_found(const Thread *self, const Line *line, Long at,
                       Word bytes, Word site) {
  Long theirs = 0;
  for (Word i = at % LINE; i < at % LINE + bytes; i++)
    if (is_plainly_owned(line->owners[i]) && line->owners[i] != me(self))
      theirs |= 1ull << i;
  return tell_read(self, line, at / LINE, theirs, site);
}

// It has read only, which races with what is written in another way.
DEVICE void check_found(Thread *self, Long at, Word bytes, Word site,
                        Word flags) {
  if (self->grid_pass == 2) {
    check_found_in_grid(self, at, bytes, site, !(flags & VALUES_NARROW));
    return;
  }
  const Line *line = line_to_read(self, at / LINE);
  bool is_told = !line || tell_found(self, line, at, bytes, site);
  for (Word number = line ? line->others : 0; number && !is_told;) {
    const Line *one = &self->table->line[number - 1];
    is_told = tell_found(self, one, at, bytes, site);
    number = one->next;
  }
}

INLINE bool is_again(const Thread *self) {
  return self->pass == 2 || self->grid_pass == 2;
}

// -------------------------------------------------------------------- both ---

// What an operation finds; then the operation itself is executed on the
// thread's own bytes, and __gpuverify_values_update told of them.
APART void __gpuverify_values_find(Thread *self, void *address, Word bytes,
                                   Word flags, Byte *own) {
  Long at = (Long)address, value = 0;
  if (is_again(self)) {
    self->found = next_record(self, at);
    value = self->found ? self->found->old : 0;
  } else {
    self->found = new_record(self);
    value = find_value(self, at, bytes, flags);
    *self->found = {value, 0, (Word)at};
  }
  put(own, value, 0, bytes, ~0ull);
}

APART void __gpuverify_values_update(Thread *self, void *address, Word bytes,
                                     Word site, Word flags, const Byte *own) {
  Long at = (Long)address, value = 0;
  for (Word i = 0; i < bytes; i++)
    value |= (Long)own[i] << 8 * i;
  if (is_again(self)) {
    if (self->found && self->found->order)
      write_again(self, at, bytes, site, flags, value);
    else if (self->found)
      check_found(self, at, bytes, site, flags);
    return;
  }
  if (flags & VALUES_WRITES) {
    write_value(self, at, bytes, site, flags, value);
  } else {
    self->state |= is_of_block(self, at / LINE) ? SHARED : OTHER;
    if (!is_of_block(self, at / LINE))
      note_reader(self, at / LINE);
  }
  if (self->common)
    unlock(&self->whole->lock);
  if (self->updated)
    unlock(&self->updated->lock);
}
