// Locks that a thread still has when it has ended.
//
// Only who has a lock can unlock it, so nobody can have this one any more.  If
// somebody waits for it, that is a deadlock, and told as such; if nobody does
// until the program is over, it waits for a schedule, or an input, in which
// somebody will.  What is no mistake is not told: threads that have not ended
// when main returns or exit is called, a lock whose memory is given back or
// which was initialised again, and one taken by a call that does not wait,
// which people use as a flag.

#include "runtime/threads/world.h"

void held_begin(const void *at, HeldCheck *is_held) {
  PosixThread *self = world.self;
  if (self->held_count < MOST_HELD)
    self->held[self->held_count++] = (HeldLock){at, is_held, world_place()};
}

// Most often the last one.
void held_end(const void *at) {
  PosixThread *self = world.self;
  for (unsigned i = self->held_count; i--;)
    if (self->held[i].at == at) {
      self->held[i] = self->held[--self->held_count];
      return;
    }
}

static void tell(const PosixThread *thread, const HeldLock *lock) {
  world.flaw = (RunEnd){
      .mishap = MISHAP_LOCKED, .site = lock->site, .thread = thread->index};
  snprintf(world.flaw.text, sizeof world.flaw.text,
           "the thread has ended, and still has this lock: nobody can take it "
           "any more");
}

// On the stack of a thread that has not ended.
static bool is_of_another(const PosixThread *self, uint64_t at) {
  const PosixThread *owner = world.at_place[stack_owner(at)];
  return owner && owner != self && !owner->has_left;
}

// When the program is over what was on a stack is there no more.
void held_leave(void) {
  const PosixThread *self = world.self;
  world.ended_with_lock = true;
  for (unsigned i = 0; i < self->held_count && !world.flaw.mishap; i++) {
    uint64_t at = (uint64_t)(uintptr_t)self->held[i].at;
    if (is_of_stack(at) && is_of_another(self, at) &&
        self->held[i].is_held(self->held[i].at, self->index))
      tell(self, &self->held[i]);
  }
}

static bool is_there(const void *at) {
  uint64_t address = (uint64_t)(uintptr_t)at;
  return address < HEAP_AT || (!is_of_stack(address) && block_is_there(at));
}

static void look_at(const PosixThread *thread) {
  for (unsigned i = 0; i < thread->held_count && !world.flaw.mishap; i++)
    if (is_there(thread->held[i].at) &&
        thread->held[i].is_held(thread->held[i].at, thread->index))
      tell(thread, &thread->held[i]);
}

void held_look(void) {
  for (uint32_t i = 0; world.ended_with_lock && i < world.count; i++)
    if (world.threads[i].has_left)
      look_at(&world.threads[i]);
}
