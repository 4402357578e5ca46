// The end of a region on a device: all threads look through the copies
// together, and wait for each other between the steps.

// Nothing is left of the copies of the block's units.
DEVICE void commit(Thread *self, bool is_changed) {
  if (block()->has_others || (self->grid && self->table->used)) {
    gather_all(self);
    wait_for_block();
  }
  is_changed |= settle_all(self);
  if (is_changed)
    tell_trouble(VALUES_UNSTABLE);
  wait_for_block();
  clear_lines(self);
  clear_bits(self);
  wait_for_block();
  if (!self->number) {
    self->table->used = block()->has_written = block()->has_others = 0;
    forget_chunks(self);
  }
  forget_records(self);
}

// Where the thread is at the end of the region, and what it says.
DEVICE void add_to(Meeting *meeting, const Thread *self) {
  if (self->next == VALUES_IDLE)
    return;
  add(&meeting->alive, 1);
  add(&meeting->yes, self->vote != 0);
  __atomic_fetch_min(&meeting->lowest, self->place, __ATOMIC_RELAXED);
  __atomic_fetch_max(&meeting->highest, self->place, __ATOMIC_RELAXED);
}

// The region was executed once.
DEVICE bool is_needed_again(Thread *self) {
  note(&block()->has_read[self->parity], self->state & ~(Word)LOOKS);
  wait_for_block();
  return self->grid_pass != 2 &&
         block()->has_read[self->parity] & block()->has_written;
}

DEVICE const Meeting *meet(Thread *self) {
  Meeting *meeting = &block()->meetings[self->parity];
  if (!self->number) {
    clear_meeting(&block()->meetings[!self->parity]);
    block()->has_read[!self->parity] = 0;
  }
  add_to(meeting, self);
  wait_for_block();
  if (!self->number)
    check_meeting(meeting, self);
  self->parity = !self->parity;
  return meeting;
}

DEVICE const Meeting *end_region(Thread *self, bool is_changed) {
  if (self->pass == 2)
    wait_for_block();
  if (self->pass == 2 || block()->has_written)
    commit(self, is_changed);
  return meet(self);
}
