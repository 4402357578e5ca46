// What comes before what: PTX's causality order, followed as a run goes on.
//
// A thread knows its own past, that of its block before the last barrier, and
// that of its warp's lanes before __syncwarp.  Whatever else it knows is a set
// (known.c): for some threads a tick, up to which it knows all they did, and
// for some blocks a barrier interval, before which it knows all.  Sets are
// joined at barriers.  A thread's tick is advanced whenever it passes on what
// it knows.
//
// A fence keeps what its thread knows then, and a strong write after the fence
// carries that as a message (locations.c).  A thread that reads the write keeps
// the message, and knows what is in it after a fence of its own.  An atomic
// that releases needs no fence before it, one that acquires none after it.
// Both fences must be for a scope that has the other thread in it, and so must
// the write and the read.  For the report we also keep what would be known if
// the reader had not left out its fence.
//
// Two fences alone order nothing.  PTX does put the fences of a run in some
// order, but in another run it is another one.

#include "runtime/machine/copies.h"
#include "runtime/machine/races.h"

#include <stdlib.h>
#include <string.h>

typedef struct Pending {
  const void *place;
  uint32_t chain;
  Message *message;
} Pending;

typedef struct Told {
  const void *place;
  ReleaseReach reach;
  Known *what;
} Told;

typedef struct Pendings {
  Pending *at;
  size_t count, capacity;
} Pendings;

typedef struct Tolds {
  Told *at;
  size_t count, capacity;
} Tolds;

// Of one thread, once it has something of it.
struct Order {
  Known *known, *heard;
  Known *fenced[REACHES]; // at the last fence that reached so far
  Pendings pendings;      // read and not acquired
  Tolds told;             // at atomics that release, by place
};

Traits traits;
static bool has_orders; // some thread has one, or had

void causality_open(void) {
  const Code *code = machine.run->code;
  has_orders = false;
  traits = (Traits){.has_ticks = code->has_warp_sync || code->has_arrivals,
                    .has_order = code->has_arrivals,
                    .has_marks = marks_suffice(code)};
  for (size_t i = 0; i < code->sites.count; i++) {
    const Site *site = &code->sites.at[i];
    bool is_strong = site->kind == SITE_ATOMIC || site->is_volatile;
    bool orders = site->acquires || site->releases;
    traits.has_order |= orders;
    traits.has_ticks |= orders;
    traits.has_narrow_order |= orders && site->scope < SCOPE_GRID;
    traits.has_narrow_scope |= is_strong && site->scope < SCOPE_GRID;
  }
}

bool causality_has_ticks(void) { return traits.has_ticks; }

static void *grown(void *at, size_t count, size_t *capacity, size_t bytes) {
  at = machine_grown(at, count, capacity, bytes);
  if (!at)
    abort();
  return at;
}

static struct Order *order_of(Thread *thread) {
  if (!thread->order)
    thread->order = calloc(1, sizeof *thread->order);
  if (!thread->order)
    abort();
  has_orders = true;
  return thread->order;
}

static void replace(Known **place, Known *known) {
  known_hold(known);
  known_drop(*place);
  *place = known;
}

void causality_forget(Thread *thread) {
  struct Order *order = thread->order;
  if (!order)
    return;
  known_drop(order->known);
  known_drop(order->heard);
  for (unsigned i = 0; i < REACHES; i++)
    known_drop(order->fenced[i]);
  for (size_t i = 0; i < order->pendings.count; i++)
    message_drop(order->pendings.at[i].message);
  for (size_t i = 0; i < order->told.count; i++)
    known_drop(order->told.at[i].what);
  free(order->pendings.at);
  free(order->told.at);
  free(order);
  thread->order = NULL;
}

// ---------------------------------------------------------------- points ---

static uint32_t *tick_of(Thread *thread) {
  return &thread->clock[thread->index % LANES];
}

Known *causality_known(const Thread *thread) {
  return thread->order ? thread->order->known : NULL;
}

Point point_here(void) {
  Thread *self = machine.self;
  uint64_t block = self->group->index;
  return (Point){.block = self->is_copy ? copy_block(block) : block,
                 .thread = self->index,
                 .interval = self->group->interval,
                 .epoch = machine.grid_epoch,
                 .tick = *tick_of(self)};
}

static uint32_t lanes_in_set(const Known *known, const Point *first,
                             uint32_t lanes) {
  uint32_t before = 0;
  if (!known)
    return 0;
  if (known_value(known, known_block(first->block)) > first->interval)
    return lanes;
  for (unsigned lane = 0; lane < LANES; lane++)
    if (lanes >> lane & 1) {
      uint64_t key = known_thread(first->block, first->thread + lane);
      before |= (uint32_t)(known_value(known, key) >= first->tick) << lane;
    }
  return before;
}

// By what orders the threads of a warp.
static uint32_t lanes_in_warp(const Point *first, uint32_t lanes) {
  const Thread *self = machine.self;
  uint32_t before = UINT32_C(1) << self->index % LANES;
  if (first->thread / LANES != self->index / LANES)
    return 0;
  for (unsigned lane = 0; machine.run->code->has_warp_sync && lane < LANES;
       lane++)
    before |= (uint32_t)(self->clock[lane] >= first->tick) << lane;
  return before & lanes;
}

uint32_t lanes_before(const Point *first, uint32_t lanes) {
  const Thread *self = machine.self;
  uint32_t before = 0;
  if (first->epoch != machine.grid_epoch && !point_is_copy(first))
    return lanes;
  if (first->block == self->group->index) {
    if (first->interval != self->group->interval)
      return lanes;
    before = lanes_in_warp(first, lanes);
  }
  if (self->order && before != lanes)
    before |= lanes_in_set(self->order->known, first, lanes & ~before);
  return before;
}

// As the only lane, its own warp's first, of `lanes`.
static uint32_t only_lane(const Point *point, Point *first) {
  unsigned lane = point->thread % LANES;
  *first = *point;
  first->thread -= lane;
  return UINT32_C(1) << lane;
}

bool point_is_before(const Point *point) {
  Point first;
  uint32_t lane = only_lane(point, &first);
  return lanes_before(&first, lane);
}

bool point_is_heard_of(const Point *point) {
  Point first;
  uint32_t lane = only_lane(point, &first);
  const struct Order *order = machine.self->order;
  return order && lanes_in_set(order->heard, &first, lane);
}

bool is_in_scope(Scope scope, const Point *a, const Point *b) {
  switch (scope) {
  case SCOPE_THREAD:
    return a->block == b->block && a->thread == b->thread;
  case SCOPE_WARP:
    return a->block == b->block && a->thread / LANES == b->thread / LANES;
  case SCOPE_BLOCK:
    return a->block == b->block;
  case SCOPE_CLUSTER:
    return clusters_have_both(a->block, b->block);
  case SCOPE_GRID:
  case SCOPE_SYSTEM:
    break;
  }
  return true;
}

// -------------------------------------------------------------- messages ---

// Of a scope that has more than a warp in it.
static ReleaseReach reach_of(const Site *site) {
  return site->scope >= SCOPE_GRID      ? REACH_GRID
         : site->scope == SCOPE_CLUSTER ? REACH_CLUSTER
                                        : REACH_BLOCK;
}

Message *message_hold(Message *message) {
  if (message)
    message->holds++;
  return message;
}

void message_drop(Message *message) {
  if (!message || --message->holds)
    return;
  for (uint32_t i = 0; i < message->count; i++)
    known_drop(message->releases[i].what);
  free(message);
}

// A thread up to now, and what it knows of its block and its warp.
static void put_own(Known **known, const Thread *self) {
  const Group *group = self->group;
  known_put(known, known_thread(group->index, self->index),
            self->clock[self->index % LANES]);
  if (group->interval)
    known_put(known, known_block(group->index), group->interval);
  for (unsigned lane = 0; machine.run->code->has_warp_sync && lane < LANES;
       lane++)
    if (self->clock[lane] && lane != self->index % LANES)
      known_put(known,
                known_thread(group->index, self->index / LANES * LANES + lane),
                self->clock[lane]);
}

// All that a thread knows now, itself included.
static Known *known_now(Thread *self) {
  Known *now = known_hold(order_of(self)->known);
  put_own(&now, self);
  return now;
}

// A longer one, to be changed; takes the hold of `old`.
static Message *message_with_room(Message *old, uint32_t more) {
  uint32_t count = old ? old->count : 0;
  Message *message =
      calloc(1, sizeof *message + (count + more) * sizeof(Release));
  if (!message)
    abort();
  message->holds = 1;
  message->count = count;
  for (uint32_t i = 0; i < count; i++) {
    message->releases[i] = old->releases[i];
    known_hold(message->releases[i].what);
  }
  message_drop(old);
  return message;
}

static void add_release(Message *message, ReleaseReach reach, Known *what) {
  uint64_t block = traits.has_narrow_order ? machine.self->group->index : 0;
  uint32_t i = 0;
  if (!what)
    return;
  while (i < message->count && (message->releases[i].reach != reach ||
                                message->releases[i].block != block))
    i++;
  if (i == message->count)
    message->releases[message->count++] =
        (Release){.reach = reach, .block = block};
  known_add(&message->releases[i].what, what);
}

// An atomic that releases is remembered: later writes of the thread to the same
// place tell of it, too.
static void tell(const void *place, ReleaseReach reach) {
  Tolds *told = &order_of(machine.self)->told;
  size_t i = 0;
  while (i < told->count &&
         (told->at[i].place != place || told->at[i].reach != reach))
    i++;
  if (i == told->count) {
    told->at = grown(told->at, told->count, &told->capacity, sizeof *told->at);
    told->at[told->count++] = (Told){.place = place, .reach = reach};
  }
  known_drop(told->at[i].what);
  told->at[i].what = known_now(machine.self);
  ++*tick_of(machine.self);
  races_turn(machine.self);
}

static bool has_fenced(const struct Order *order) {
  for (ReleaseReach reach = 0; reach < REACHES; reach++)
    if (order->fenced[reach])
      return true;
  return false;
}

Message *message_publish(const void *place, Message *old, const Site *site) {
  const struct Order *order = machine.self->order;
  if (site->releases && site->scope >= SCOPE_BLOCK) {
    tell(place, reach_of(site));
    order = machine.self->order;
  }
  if (!order || (!has_fenced(order) && !order->told.count))
    return old;
  Message *message = message_with_room(old, REACHES);
  for (ReleaseReach reach = 0; reach < REACHES; reach++)
    add_release(message, reach, order->fenced[reach]);
  for (size_t i = 0; i < order->told.count; i++)
    if (order->told.at[i].place == place)
      add_release(message, order->told.at[i].reach, order->told.at[i].what);
  return message;
}

// What is for a scope without the running thread tells it nothing.
static void add_message(Known **known, const Message *message,
                        ReleaseReach reach) {
  uint64_t block = machine.self->group->index;
  for (uint32_t i = 0; i < message->count; i++) {
    const Release *release = &message->releases[i];
    ReleaseReach both = reach < release->reach ? reach : release->reach;
    bool is_near =
        traits.has_narrow_order &&
        (release->block == block ||
         (both == REACH_CLUSTER && clusters_have_both(release->block, block)));
    if (is_near || both == REACH_GRID)
      known_add(known, release->what);
  }
}

void message_receive(const void *place, uint32_t chain, Message *message) {
  struct Order *order = order_of(machine.self);
  Pendings *pendings = &order->pendings;
  size_t i = 0;
  while (i < pendings->count &&
         (pendings->at[i].place != place || pendings->at[i].chain != chain))
    i++;
  if (i < pendings->count && pendings->at[i].message == message)
    return;
  if (i == pendings->count) {
    pendings->at = grown(pendings->at, pendings->count, &pendings->capacity,
                         sizeof *pendings->at);
    pendings->at[pendings->count++] = (Pending){.place = place, .chain = chain};
  }
  message_drop(pendings->at[i].message);
  pendings->at[i].message = message_hold(message);
  add_message(&order->heard, message, REACH_GRID);
}

// What the block alone has acquired can still be of use to a wider scope.
static void acquire(const void *place, ReleaseReach reach) {
  struct Order *order = machine.self->order;
  size_t kept = 0;
  if (!order)
    return;
  for (size_t i = 0; i < order->pendings.count; i++) {
    Pending pending = order->pendings.at[i];
    bool is_meant = !place || pending.place == place;
    if (is_meant)
      add_message(&order->known, pending.message, reach);
    if (is_meant && reach == REACH_GRID)
      message_drop(pending.message);
    else
      order->pendings.at[kept++] = pending;
  }
  order->pendings.count = kept;
}

void message_acquire(const void *place, const Site *site) {
  if (site->scope >= SCOPE_BLOCK)
    acquire(place, reach_of(site));
}

// ---------------------------------------------------------------- fences ---

void causality_fence(uint32_t number) {
  Thread *self = machine.self;
  const Site *site = &machine.run->code->sites.at[number];
  ReleaseReach reach = reach_of(site);
  self->site = number;
  if (!machine.watches_races || self->quiet || site->scope < SCOPE_BLOCK)
    return;
  struct Order *order = order_of(self);
  if (site->acquires)
    acquire(NULL, reach);
  if (!site->releases)
    return;
  known_drop(order->fenced[reach]);
  order->fenced[reach] = known_now(self);
  ++*tick_of(self);
  races_turn(self);
}

// -------------------------------------------------------------- barriers ---

typedef struct Joined {
  Known *known, *heard;
} Joined;

// By halves: what each has of its own is looked at few times.
static Joined join_range(const Thread *threads, unsigned count, uint32_t mask) {
  Joined joined = {NULL, NULL};
  if (count > 1) {
    unsigned half = count / 2;
    joined = join_range(threads, half, mask);
    Joined rest = join_range(threads + half, count - half, mask);
    known_add(&joined.known, rest.known);
    known_add(&joined.heard, rest.heard);
    known_drop(rest.known);
    known_drop(rest.heard);
  } else if (threads->order && mask >> threads->index % LANES & 1) {
    joined.known = known_hold(threads->order->known);
    joined.heard = known_hold(threads->order->heard);
  }
  return joined;
}

// All know what one of them knew.
static void join(Thread *threads, unsigned count, uint32_t mask) {
  Joined joined = {NULL, NULL};
  if (has_orders)
    joined = join_range(threads, count, mask);
  for (unsigned i = 0; (joined.known || joined.heard) && i < count; i++)
    if (mask >> i % LANES & 1) {
      replace(&order_of(&threads[i])->known, joined.known);
      replace(&threads[i].order->heard, joined.heard);
    }
  known_drop(joined.known);
  known_drop(joined.heard);
}

void causality_warp(Thread *threads, uint32_t together) {
  unsigned count = threads->group->count - threads->index;
  join(threads, count < LANES ? count : LANES, together);
}

// What the lanes of a warp knew of each other lies before the barrier now.
static void forget_lanes(Group *group) {
  for (unsigned i = 0; i < machine.threads; i++) {
    uint32_t own = *tick_of(&group->threads[i]);
    memset(group->threads[i].clock, 0, sizeof group->threads[i].clock);
    *tick_of(&group->threads[i]) = own;
  }
}

void causality_barrier(Group *group) {
  join(group->threads, machine.threads, UINT32_MAX);
  if (machine.run->code->has_warp_sync)
    forget_lanes(group);
}

// --------------------------------------------------------------- tidings ---

static void forget_whole(Tidings *tidings) {
  replace(&tidings->whole, NULL);
  replace(&tidings->from, NULL);
  replace(&tidings->to, NULL);
}

void tidings_add(Tidings *tidings, Thread *thread) {
  const struct Order *order = order_of(thread);
  forget_whole(tidings);
  if (order->known != tidings->last) {
    known_add(&tidings->base, order->known);
    replace(&tidings->last, order->known);
  }
  put_own(&tidings->own, thread);
  known_add(&tidings->heard, order->heard);
  ++*tick_of(thread);
  if (thread == machine.self)
    races_turn(thread);
}

static Known *whole(Tidings *tidings) {
  if (!tidings->whole) {
    tidings->whole = known_hold(tidings->base);
    known_add(&tidings->whole, tidings->own);
  }
  return tidings->whole;
}

void tidings_learn(Tidings *tidings, Thread *thread) {
  struct Order *order = order_of(thread);
  known_add(&order->heard, tidings->heard);
  if (tidings->to && order->known == tidings->from) {
    replace(&order->known, tidings->to);
    return;
  }
  replace(&tidings->from, order->known);
  known_add(&order->known, whole(tidings));
  replace(&tidings->to, order->known);
}

void tidings_learn_back(Tidings *tidings, Thread *thread) {
  replace(&order_of(thread)->known, whole(tidings));
  known_add(&order_of(thread)->heard, tidings->heard);
}

void tidings_drop(Tidings *tidings) {
  forget_whole(tidings);
  known_drop(tidings->base);
  known_drop(tidings->own);
  known_drop(tidings->heard);
  known_drop(tidings->last);
  *tidings = (Tidings){0};
}

void tidings_put(Tidings *tidings, uint64_t block, unsigned companion,
                 uint32_t tick) {
  forget_whole(tidings);
  known_put(&tidings->own, known_thread(copy_block(block), companion), tick);
}

void causality_know(Thread *thread, uint64_t block, unsigned companion,
                    uint32_t tick) {
  known_put(&order_of(thread)->known,
            known_thread(copy_block(block), companion), tick);
}

void tidings_add_fenced(Tidings *tidings) {
  const Thread *self = machine.self;
  const struct Order *order = self->order;
  forget_whole(tidings);
  for (ReleaseReach reach = REACH_CLUSTER; order && reach < REACHES; reach++)
    known_add(&tidings->own, order->fenced[reach]);
  if (self->fenced_inits)
    tidings_put(tidings, self->group->index, FIRST_OF_INITS + self->index,
                self->fenced_inits);
}

// ------------------------------------------------------------------ grid ---

// What companions have done is known by name only, so that must stay known.
static void tell_all(Tidings *tidings) {
  for (unsigned i = 0; i < machine.group_count; i++)
    for (unsigned t = 0; t < machine.threads; t++) {
      const struct Order *order = machine.groups[i].threads[t].order;
      if (order)
        known_add(&tidings->base, order->known);
    }
}

void causality_grid(void) {
  bool has_copies = machine.run->code->has_arrivals && machine.watches_races;
  Tidings tidings = {0};
  if (has_copies)
    tell_all(&tidings);
  for (unsigned i = 0; i < machine.group_count; i++)
    for (unsigned t = 0; t < machine.threads; t++) {
      causality_forget(&machine.groups[i].threads[t]);
      if (has_copies)
        tidings_learn(&tidings, &machine.groups[i].threads[t]);
    }
  tidings_drop(&tidings);
}
