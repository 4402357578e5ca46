// The other functions of POSIX and C11 that an instance has: threads, time,
// random numbers, the heap, bytes, the end.

#ifndef RUNTIME_INSTANCES_POSIX_CUH
#define RUNTIME_INSTANCES_POSIX_CUH

#include "runtime/instances/locks.cuh"

// ----------------------------------------------------------------- threads ---

enum { FIRST_HANDLE = 0x1000, DETACHED = 1 };

DEVICE void add_thread(World *w, Word body, Long argument);
CALLED void gpuverify_instance_publish(World *w, Long at);

DEVICE Word create(World *w, Long handle, Long body, Long argument) {
  gpuverify_instance_publish(w, argument);
  if (w->count == w->plan->most_threads)
    return fail(w, INSTANCE_BEYOND);
  add_thread(w, (Word)body, argument);
  return put(w, handle, FIRST_HANDLE + w->count - 1, 8) ? (Word)STOPPED
                                                        : answer(w, 0);
}

POSIX(pthread_create) {
  int *attribute = b ? object_at<int>(w, b) : nullptr;
  if (b && !attribute)
    return STOPPED;
  bool is_detached = attribute && *attribute == DETACHED;
  Word thread = w->count;
  if (create(w, a, c, d))
    return STOPPED;
  w->threads[thread].is_detached = is_detached;
  return answer(w, 0);
}

POSIX(thrd_create) { return create(w, a, b, c); }

enum { JOINS, HAS_JOINED = IS_SIGNALLED };

// Until the thread has ended.
DEVICE Word join(World *w, Word again, Long handle) {
  Long index = handle - FIRST_HANDLE;
  if (again)
    woken(w);
  if (index >= w->count)
    return fail(w, INSTANCE_MISUSE);
  Thread *thread = &w->threads[index];
  if (!again && (thread->is_detached || thread->is_joined))
    return fail(w, INSTANCE_MISUSE);
  thread->is_joined = 1;
  self_of(w)->phase = JOINS;
  return thread->is_ended ? (Word)DONE : wait_for(w, WAIT_JOIN, index);
}

// ... and then the step in which its result is taken.
DEVICE Word join_for_result(World *w, Word again, Long handle) {
  Thread *self = self_of(w);
  if (again && self->phase == HAS_JOINED) {
    library_on(w);
    return DONE;
  }
  if (join(w, again, handle))
    return STOPPED;
  self->phase = HAS_JOINED;
  if (library_step(w))
    return STOPPED;
  library_on(w);
  return DONE;
}

POSIX(pthread_join) {
  if (!again && a == FIRST_HANDLE + w->self)
    return answer(w, EDEADLK);
  if (!b)
    return join(w, again, a) ? (Word)STOPPED : answer(w, 0);
  return join_for_result(w, again, a) ||
                 put(w, b, w->threads[a - FIRST_HANDLE].result, 8)
             ? (Word)STOPPED
             : answer(w, 0);
}

enum { THREAD_BUSY = 1, THREAD_ERROR = 2, THREAD_LATE = 4 }; // of C11

POSIX(thrd_join) {
  if (!again && a == FIRST_HANDLE + w->self)
    return answer(w, THREAD_ERROR);
  if (join_for_result(w, again, a))
    return STOPPED;
  if (!w->own_bytes)
    w->changed = w->steps;
  return b && put(w, b, w->threads[a - FIRST_HANDLE].result, 4) ? (Word)STOPPED
                                                                : answer(w, 0);
}

POSIX(pthread_detach) {
  Long index = a - FIRST_HANDLE;
  if (index >= w->count)
    return fail(w, INSTANCE_MISUSE);
  if (w->threads[index].is_detached || w->threads[index].is_joined)
    return fail(w, INSTANCE_BEYOND);
  w->threads[index].is_detached = 1;
  return answer(w, 0);
}

POSIX(pthread_exit) {
  self_of(w)->result = a;
  return leave(w);
}

POSIX(pthread_self) { return answer(w, FIRST_HANDLE + w->self); }
POSIX(pthread_equal) { return answer(w, a == b); }

enum { YIELDS, HAS_YIELDED };

POSIX(sched_yield) {
  Thread *self = self_of(w);
  if (!again) {
    self->phase = YIELDS;
    if (library_step(w))
      return STOPPED;
  }
  library_on(w);
  if (!again || self->phase == YIELDS) {
    self->phase = HAS_YIELDED;
    if (w->ready_count > 1 && step_back(w))
      return STOPPED;
  }
  return answer(w, 0);
}

// As runtime/threads/posix_attributes.c has them.
enum { STACK_AT = 24, GUARD_AT = 32 };

POSIX(pthread_attr_init) {
  enum { WORDS = 3, GUARD = 4096 };
  for (Word i = 0; i < WORDS; i++)
    if (put(w, a + i * sizeof(Long), 0, sizeof(Long)))
      return STOPPED;
  return put(w, a + STACK_AT, INSTANCE_STACK_ROOM, sizeof(Long)) ||
                 put(w, a + GUARD_AT, GUARD, sizeof(Long))
             ? (Word)STOPPED
             : answer(w, 0);
}
POSIX(pthread_attr_setdetachstate) {
  return (Word)b > 1 ? answer(w, EINVAL) : set_attribute(w, a, (Word)b);
}
// What may be too little is for the processor, and so is another scope than
// the system's.
POSIX(pthread_attr_setstacksize) {
  enum { ENOUGH = 1 << 18 };
  if (b < ENOUGH)
    return fail(w, INSTANCE_BEYOND);
  return put(w, a + STACK_AT, b, sizeof(Long)) ? (Word)STOPPED : answer(w, 0);
}
POSIX(pthread_attr_setscope) {
  return (Word)b ? fail(w, INSTANCE_BEYOND) : answer(w, 0);
}
POSIX(nothing) { return answer(w, 0); }

// --------------------------------------------------------------------- C11 ---

DEVICE Word c11(World *w, Word stops) {
  Long error = w->result;
  if (stops)
    return STOPPED;
  return answer(w, !error               ? 0
                   : error == EBUSY     ? THREAD_BUSY
                   : error == ETIMEDOUT ? THREAD_LATE
                                        : THREAD_ERROR);
}

POSIX(mtx_init) { return begin_mutex(w, a, b & 1 ? RECURSIVE : NORMAL); }
POSIX(mtx_lock) { return c11(w, lock(w, again, a, 0)); }
POSIX(mtx_timedlock) { return c11(w, lock(w, again, a, b)); }
POSIX(mtx_trylock) {
  return c11(w, gpuverify_posix_pthread_mutex_trylock(w, again, a, b, c, d));
}
POSIX(mtx_unlock) {
  return c11(w, gpuverify_posix_pthread_mutex_unlock(w, again, a, b, c, d));
}
POSIX(cnd_init) { return set_attribute(w, a, 0); }
POSIX(cnd_wait) { return c11(w, at_condition(w, again, a, b, 0)); }
POSIX(cnd_timedwait) { return c11(w, at_condition(w, again, a, b, c)); }

// -------------------------------------------------------------------- time ---

enum { NANO = 1000000000, MICRO = 1000 };

// Decades are the processor's: its clocks end somewhere.
DEVICE Word sleep_for(World *w, Word again, Long nanoseconds) {
  if (!again && nanoseconds >> 60)
    return fail(w, INSTANCE_BEYOND);
  if (!again)
    w->now += nanoseconds;
  return gpuverify_posix_sched_yield(w, again, 0, 0, 0, 0);
}

POSIX(sleep) { return sleep_for(w, again, (Word)a * (Long)NANO); }
POSIX(usleep) { return sleep_for(w, again, (Word)a * (Long)MICRO); }

POSIX(thrd_sleep) {
  const Long *time = again ? nullptr : object_at<Long>(w, a);
  if (!again && !time)
    return STOPPED;
  if (!again && time[0] >> 30)
    return fail(w, INSTANCE_BEYOND);
  return sleep_for(w, again, again ? 0 : time[0] * NANO + time[1]);
}

POSIX(nanosleep) {
  return !again && touch(w, a, 2 * sizeof(Long), false)
             ? (Word)STOPPED
             : gpuverify_posix_thrd_sleep(w, again, a, b, c, d);
}

POSIX(clock_gettime) {
  w->now += MICRO;
  return put(w, b, w->now / NANO, 8) || put(w, b + 8, w->now % NANO, 8)
             ? (Word)STOPPED
             : answer(w, 0);
}

POSIX(gettimeofday) {
  w->now += MICRO;
  return put(w, a, w->now / NANO, 8) || put(w, a + 8, w->now % NANO / MICRO, 8)
             ? (Word)STOPPED
             : answer(w, 0);
}

POSIX(time) {
  w->now += MICRO;
  return a && put(w, a, w->now / NANO, 8) ? (Word)STOPPED
                                          : answer(w, w->now / NANO);
}

// ------------------------------------------------------------------ random ---

POSIX(rand) {
  w->rand_state =
      w->rand_state * 6364136223846793005ULL + 1442695040888963407ULL;
  return answer(w, w->rand_state >> 33);
}

POSIX(srand) {
  w->rand_state = (Word)a;
  return answer(w, 0);
}

// -------------------------------------------------------------------- heap ---

enum { FILLING = 0xa5, BLOCK_TAKEN = 0, BLOCK_FREED = 2 };

struct Block {
  Word bytes, site, before;
  Half thread;
  Byte kind, is_reached;
};

// 0: the instance has no room for it.
DEVICE Long take_block(World *w, Long bytes, Byte filling) {
  Long start = w->heap_used + sizeof(Block);
  start = (start + GRANULE - 1) / GRANULE * GRANULE;
  Long room = w->plan->heap_bytes;
  if (bytes > room || start + bytes + 2 * GRANULE > room) {
    fail(w, INSTANCE_BEYOND);
    return 0;
  }
  Byte *at = w->heap + start, *cells = w->granules + start / GRANULE;
  ((Block *)(void *)at)[-1] =
      Block{(Word)bytes, w->site, 0, (Half)w->self, BLOCK_TAKEN, 0};
  fill(cells, GRANULE, bytes / GRANULE);
  if (bytes % GRANULE)
    cells[bytes / GRANULE] = bytes % GRANULE;
  fill(at, filling, bytes);
  w->end.blocks++;
  w->heap_used = start + ((bytes + GRANULE - 1) / GRANULE + 1) * GRANULE;
  return INSTANCE_HEAP + start;
}

POSIX(malloc) {
  Long at = take_block(w, a, FILLING);
  return at ? answer(w, at) : (Word)STOPPED;
}

POSIX(calloc) {
  if (b && a > w->plan->heap_bytes / b)
    return fail(w, INSTANCE_BEYOND);
  Long at = take_block(w, a * b, 0);
  return at ? answer(w, at) : (Word)STOPPED;
}

DEVICE Block *block_at(World *w, Long at) {
  Long offset = at - INSTANCE_HEAP;
  bool is_block = offset < w->heap_used && offset >= sizeof(Block) &&
                  offset % GRANULE == 0 &&
                  w->granules[offset / GRANULE - 1] == 0;
  return is_block ? (Block *)(void *)(w->heap + offset) - 1 : nullptr;
}

POSIX(free) {
  Block *block = block_at(w, a);
  if (!a)
    return answer(w, 0);
  if (!block || (block->kind != BLOCK_TAKEN && block->kind != BLOCK_FREED))
    return fail(w, INSTANCE_MISUSE);
  if (block->kind == BLOCK_FREED)
    return fail(w, INSTANCE_DOUBLE_FREE);
  block->kind = BLOCK_FREED;
  w->end.blocks--;
  fill(w->granules + (a - INSTANCE_HEAP) / GRANULE, FREED,
       (block->bytes + GRANULE - 1) / GRANULE);
  return answer(w, 0);
}

// --------------------------------------------------------------- the bytes ---

// One after another, from the end where the target is behind the source.
DEVICE Word move_bytes(World *w, Long to, Long from, Long bytes) {
  Byte *target = bytes ? place_of(w, to, bytes, true) : nullptr;
  Byte *source = target ? place_of(w, from, bytes, false) : nullptr;
  if (bytes && !source)
    return STOPPED;
  for (Long i = 0; i < bytes; i++) {
    Long at = to > from ? bytes - 1 - i : i;
    target[at] = source[at];
  }
  return answer(w, to);
}

DEVICE Word fill_bytes(World *w, Long to, Long value, Long bytes) {
  Byte *target = bytes ? place_of(w, to, bytes, true) : nullptr;
  if (bytes && !target)
    return STOPPED;
  fill(target, (Byte)value, bytes);
  return answer(w, to);
}

POSIX(memmove) {
  return touch(w, b, c, false) || touch(w, a, c, true) ? (Word)STOPPED
                                                       : move_bytes(w, a, b, c);
}

POSIX(memset) {
  return touch(w, a, c, true) ? (Word)STOPPED : fill_bytes(w, a, b, c);
}

POSIX(memcmp) {
  if (touch(w, a, c, false) || touch(w, b, c, false))
    return STOPPED;
  const Byte *one = c ? place_of(w, a, c, false) : nullptr;
  const Byte *other = one ? place_of(w, b, c, false) : nullptr;
  if (c && !other)
    return STOPPED;
  for (Long i = 0; i < c; i++)
    if (one[i] != other[i])
      return answer(w, (Long)one[i] - other[i]);
  return answer(w, 0);
}

// ----------------------------------------------------------------- the end ---

POSIX(exit) {
  if (!again && library_step(w))
    return STOPPED;
  return end_with(w, a);
}

POSIX(abort) { return fail(w, INSTANCE_ABORT); }
POSIX(assert_fail) { return fail(w, INSTANCE_ASSERTION); }
// What must never be reached.
POSIX(trap) { return fail(w, INSTANCE_CRASH); }
POSIX(beyond) { return fail(w, INSTANCE_BEYOND); }

#endif
