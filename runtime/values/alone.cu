// The end of a region on a processor, where threads run one after another: the
// last one to come does for all of them what is to be done, so they meet once
// for each execution of a region.

DEVICE bool comes_last(const Thread *self) {
  bool is_last = ++block()->come == self->threads;
  if (is_last)
    block()->come = 0;
  return is_last;
}

DEVICE void commit(const Thread *self) {
  Thread all = *self;
  all.number = 0;
  all.threads = 1;
  if (block()->has_others || (self->grid && self->table->used))
    gather_all(&all);
  if (settle_all(&all))
    tell_trouble(VALUES_UNSTABLE);
  clear_lines(&all);
  clear_bits(&all);
  self->table->used = block()->has_written = block()->has_others = 0;
}

// What is left for the next region is nothing but the second meeting.
DEVICE void end_for_all(const Thread *self) {
  Meeting *meetings = block()->meetings;
  if (block()->has_written)
    commit(self);
  forget_chunks(self);
  check_meeting(&meetings[0], self);
  meetings[1] = meetings[0];
  clear_meeting(&meetings[0]);
  block()->has_read[0] = 0;
}

// Where the thread is at the end of the region, and what it says.
DEVICE void add_to(Meeting *meeting, const Thread *self) {
  if (self->next == VALUES_IDLE)
    return;
  meeting->alive++;
  meeting->yes += self->vote != 0;
  if (self->place < meeting->lowest)
    meeting->lowest = self->place;
  if (self->place > meeting->highest)
    meeting->highest = self->place;
}

// The region was executed once.  If that is enough, it is at its end.
DEVICE bool is_needed_again(const Thread *self) {
  note(&block()->has_read[0], self->state & ~(Word)LOOKS);
  add_to(&block()->meetings[0], self);
  if (comes_last(self)) {
    block()->is_needed =
        self->grid_pass != 2 && block()->has_read[0] & block()->has_written;
    if (!block()->is_needed)
      end_for_all(self);
  }
  wait_for_block();
  return block()->is_needed;
}

DEVICE const Meeting *end_region(Thread *self, bool is_changed) {
  if (is_changed)
    tell_trouble(VALUES_UNSTABLE);
  if (self->pass == 2) {
    if (comes_last(self))
      end_for_all(self);
    wait_for_block();
  }
  forget_records(self);
  return &block()->meetings[1];
}
