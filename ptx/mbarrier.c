// An mbarrier, as PTX ISA 9.7.13.15 has it.
//
// Its phases are numbered from 0 in each of its lives.  A phase is over when as
// many arrivals as it expects have come, and as many bytes as were announced;
// the next one begins at once, and expects as many arrivals less as have
// dropped out.  Arrivals and bytes that come can end a phase, an announcement
// of bytes cannot, though it may balance those that came before it.
//
// An asynchronous arrival without .noinc is two events: RAISE when it is
// started, and ARRIVE when the copies before it have been made.
//
// The last arrival of a phase must not be .noComplete, also if bytes are still
// to come: when these come is a matter of time.

#include "ptx/barrier.h"

#include <assert.h>

static void note(MbarrierEffect *effect, bool is_wrong,
                 MbarrierMistake mistake) {
  if (is_wrong && effect->mistake == MBARRIER_RIGHT)
    effect->mistake = mistake;
}

static bool is_countable(uint32_t count) {
  return count && count <= MBARRIER_MOST;
}

static uint32_t less(uint32_t from, uint32_t count) {
  return count < from ? from - count : 0;
}

static void settle(Mbarrier *mbarrier, MbarrierEffect *effect) {
  if (mbarrier->pending || mbarrier->tx)
    return;
  mbarrier->phase++;
  mbarrier->pending = mbarrier->expected;
  effect->completes = true;
}

// More are announced; or, if they are less than none, they have come.
static void add_bytes(Mbarrier *mbarrier, int64_t bytes,
                      MbarrierEffect *effect) {
  mbarrier->tx += bytes;
  note(effect, mbarrier->tx < -MBARRIER_MOST || mbarrier->tx > MBARRIER_MOST,
       MBARRIER_TX);
}

static void init(Mbarrier *mbarrier, uint32_t count, MbarrierEffect *effect) {
  note(effect, mbarrier->is_live, MBARRIER_LIVE);
  note(effect, !is_countable(count), MBARRIER_COUNT);
  *mbarrier = (Mbarrier){.is_live = true,
                         .past = mbarrier->past + mbarrier->phase,
                         .pending = count,
                         .expected = count};
}

static void drop(Mbarrier *mbarrier, uint32_t count, MbarrierEffect *effect) {
  note(effect, count > mbarrier->expected, MBARRIER_TOO_MANY);
  mbarrier->expected = less(mbarrier->expected, count);
}

static void arrive(Mbarrier *mbarrier, MbarrierEvent event,
                   MbarrierEffect *effect) {
  note(effect, !is_countable(event.count), MBARRIER_COUNT);
  note(effect, event.count > mbarrier->pending, MBARRIER_TOO_MANY);
  mbarrier->pending = less(mbarrier->pending, event.count);
  note(effect, event.never_completes && !mbarrier->pending, MBARRIER_COMPLETES);
  settle(mbarrier, effect);
}

static void raise(Mbarrier *mbarrier, MbarrierEffect *effect) {
  note(effect, mbarrier->pending >= MBARRIER_MOST, MBARRIER_COUNT);
  mbarrier->pending++;
}

// Of one that is live.
static MbarrierEffect use(Mbarrier *mbarrier, MbarrierEvent event) {
  MbarrierEffect effect = {0};
  note(&effect, event.bytes < 0 || event.bytes > MBARRIER_MOST, MBARRIER_TX);
  switch (event.kind) {
  case MBARRIER_INIT:
    init(mbarrier, event.count, &effect);
    break;
  case MBARRIER_INVAL:
    mbarrier->is_live = false;
    break;
  case MBARRIER_EXPECT:
    add_bytes(mbarrier, event.bytes, &effect);
    break;
  case MBARRIER_COMPLETE:
    add_bytes(mbarrier, -event.bytes, &effect);
    settle(mbarrier, &effect);
    break;
  case MBARRIER_DROP:
    add_bytes(mbarrier, event.bytes, &effect);
    drop(mbarrier, event.count, &effect);
    arrive(mbarrier, event, &effect);
    break;
  case MBARRIER_ARRIVE:
    add_bytes(mbarrier, event.bytes, &effect);
    arrive(mbarrier, event, &effect);
    break;
  case MBARRIER_RAISE:
    raise(mbarrier, &effect);
    break;
  }
  return effect;
}

MbarrierEffect mbarrier_step(Mbarrier *mbarrier, MbarrierEvent event) {
  if (!mbarrier->is_live && event.kind != MBARRIER_INIT)
    return (MbarrierEffect){.mistake = MBARRIER_DEAD};
  return use(mbarrier, event);
}

bool mbarrier_is_over(const Mbarrier *mbarrier, unsigned parity) {
  assert(parity < 2);
  return mbarrier->phase % 2 != parity;
}
