// Asynchronous copies (cp.async) of a thread: it has started them, and has not
// waited for them yet.
//
// A copy may read and write at any time until its thread has waited for it.  So
// it is executed in each region in which it is on its way: where it is started,
// and at the beginning of each region until the wait.  What it reads and writes
// there counts as the thread's own; what the thread itself does to these bytes
// before it waits races with the copy.  A thread that ends has waited.

enum { MOST_FLIGHTS = 64 };

struct Flight {
  Long to, from;
  Word bytes, taken; // the rest becomes zero
  Word group, site;  // ... and the next one is where it reads
};

// In the frame of a thread, so it is again what it was.
struct Flights {
  Word count, groups;
  Word unused[2];
  Flight at[MOST_FLIGHTS];
};

static_assert(sizeof(Flights) == VALUES_FLIGHTS_BYTES, "async.c makes room");

INLINE bool overlap(Long a, Long bytes, Long b, Long others) {
  return a < b + others && b < a + bytes;
}

// With itself the thread has raced, in the execution that is told.
DEVICE void tell_flight(const Thread *self, Word kind, Long at, Word site,
                        Word other_site) {
  if (self->pass == 1 && self->grid_pass != 2)
    __gpuverify_values_tell(kind, (const void *)at, self->block,
                            place_of(self, site), self->block,
                            place_of(self, other_site));
}

INLINE Long later(Long a, Long b) { return a > b ? a : b; }

// The thread accesses what its copies are about.
APART void __gpuverify_values_watch(Thread *self, Flights *flights,
                                    const void *address, Long bytes, Word site,
                                    Word is_write) {
  Long at = (Long)address;
  for (Word i = 0; i < flights->count; i++) {
    const Flight *flight = &flights->at[i];
    if (overlap(at, bytes, flight->to, flight->bytes))
      tell_flight(self, is_write ? VALUES_WRITE_WRITE : VALUES_READ_WRITE,
                  later(at, flight->to), site, flight->site);
    if (is_write && overlap(at, bytes, flight->from, flight->taken))
      tell_flight(self, VALUES_READ_WRITE, later(at, flight->from),
                  flight->site + 1, site);
  }
}

DEVICE void fly(Thread *self, const Flight *flight) {
  Byte *to = (Byte *)flight->to;
  for (Word i = 0; i < flight->bytes; i++) {
    Byte byte = 0;
    if (i < flight->taken)
      byte = *(const Byte *)__gpuverify_values_read(
          self, (const Byte *)flight->from + i, 1, flight->site + 1);
    *(Byte *)__gpuverify_values_write(self, to + i, 1, flight->site) = byte;
  }
}

// At the beginning of a region.
APART void __gpuverify_values_fly(Thread *self, Flights *flights) {
  for (Word i = 0; i < flights->count; i++)
    fly(self, &flights->at[i]);
}

APART void __gpuverify_values_start_copy(Thread *self, Flights *flights,
                                         void *to, const void *from, Word bytes,
                                         Word taken, Word site) {
  if (flights->count == MOST_FLIGHTS)
    __gpuverify_values_stop(VALUES_FLIGHTS);
  taken = taken < bytes ? taken : bytes;
  if (!bytes || (Long)to % bytes || (taken && (Long)from % bytes))
    __gpuverify_values_stop(VALUES_CROSSES);
  __gpuverify_values_watch(self, flights, to, bytes, site, true);
  __gpuverify_values_watch(self, flights, from, taken, site + 1, false);
  Flight *made = &flights->at[flights->count++];
  *made = {(Long)to, (Long)from, bytes, taken, flights->groups + 1, site};
  fly(self, made);
}

CALLED void __gpuverify_values_commit_copies(Flights *flights) {
  flights->groups++;
}

// For all but so many groups.
APART void __gpuverify_values_wait_for_copies(Flights *flights, Word most) {
  Word kept = 0;
  for (Word i = 0; i < flights->count; i++)
    if (flights->at[i].group + most > flights->groups)
      flights->at[kept++] = flights->at[i];
  flights->count = kept;
}
