// Small random programs with mbarriers and copies, half of them right.
//
// The plan initialises one or two mbarriers and publishes them.  Then phases
// follow: those in which the same lanes arrive and wait, and handoffs through a
// pair, full and empty, as in a ring of one buffer; each with accesses, bytes,
// copies, named barriers between.  Then mistakes are made.
//
// A program lists the commands of a warp in an order in which they were
// executed, so what the mistakes leave is executed once more: a wait stands
// where it passes, or at the end; lanes that come to a command one after the
// other have it twice.

#include "test/fuzz/plan.h"

#include <assert.h>

enum {
  OBJECTS = 2,
  FIRST_OBJECT = 2048,
  OBJECT_BYTES = 8,
  MOST_LISTED = 64,
  BYTES = 16,
  LOADED = 1024, // where bulk copies write, and nobody else
};

// Some lanes of a warp that arrive and wait.
typedef struct Party {
  unsigned warp;
  uint32_t lanes;
} Party;

typedef struct Object {
  uint32_t address;
  unsigned phase;
  unsigned home; // the warp that begins it
  Party parties[4];
  unsigned party_count;
  Party asker; // has asked about this phase, lanes 0: nobody
  unsigned asked;
} Object;

typedef struct Phases {
  Plan plan;
  Object objects[OBJECTS];
  unsigned object_count;
  bool is_pair;
  unsigned tries;
  unsigned meetings; // of the cluster
} Phases;

// Lanes that have exited do nothing.
static void add_command(Phases *phases, Party party, Command command) {
  command.lanes = party.lanes & phases->plan.live[party.warp];
  if (command.lanes)
    plan_append(&phases->plan, party.warp, command);
}

static void add(Phases *phases, Party party, CommandKind kind,
                const Object *object, uint32_t arrivals, int32_t tx) {
  Command command = {
      .kind = kind, .address = object->address, .arrivals = arrivals, .tx = tx};
  add_command(phases, party, command);
}

static void add_wait(Phases *phases, Party party, const Object *object,
                     unsigned phase) {
  Command command = {.kind = COMMAND_MBARRIER_WAIT,
                     .address = object->address,
                     .parity = phase & 1};
  if (object->asker.warp == party.warp && object->asker.lanes == party.lanes)
    command.tried = object->asked;
  add_command(phases, party, command);
}

// Try and wait have a number; what becomes of it see link_tries.
static void maybe_ask(Phases *phases, Party party, Object *object,
                      unsigned phase) {
  if (!plan_chance(&phases->plan, 30))
    return;
  object->asker = party;
  object->asked = ++phases->tries;
  Command command = {.kind = COMMAND_MBARRIER_TRY,
                     .address = object->address,
                     .tried = object->asked,
                     .parity = phase & 1};
  add_command(phases, party, command);
}

static void add_done(Phases *phases, Party party) {
  const Commands *commands = &phases->plan.programs->warps[party.warp];
  Command command = {.kind = COMMAND_COPIES_DONE,
                     .before = (uint32_t)commands->count};
  add_command(phases, party, command);
}

static void add_bulks_done(Phases *phases, Party party) {
  const Commands *commands = &phases->plan.programs->warps[party.warp];
  Command command = {.kind = COMMAND_BULKS_DONE,
                     .before = (uint32_t)commands->count};
  add_command(phases, party, command);
}

static void add_fence(Phases *phases, Party party) {
  add_command(phases, party, (Command){.kind = COMMAND_PROXY_FENCE});
}

static void maybe_access(Phases *phases, unsigned warp) {
  if (plan_chance(&phases->plan, 60))
    plan_access(&phases->plan, warp);
}

// --------------------------------------------------------------- clusters ---

static bool is_cluster(const Phases *phases) {
  return programs_blocks(phases->plan.programs) > 1;
}

// barrier.cluster, with accesses between its halves.
static void meet_in_cluster(Phases *phases) {
  Plan *plan = &phases->plan;
  bool is_relaxed = plan_chance(plan, 30);
  Command arrival = {.kind = COMMAND_MBARRIER_ARRIVE,
                     .address = CLUSTER_BARRIER,
                     .is_relaxed = is_relaxed,
                     .arrivals = 1};
  Command wait = {.kind = COMMAND_MBARRIER_WAIT,
                  .address = CLUSTER_BARRIER,
                  .parity = phases->meetings++ & 1};
  for (unsigned warp = 0; warp < plan->warps; warp++) {
    add_command(phases, (Party){warp, plan->live[warp]}, arrival);
    if (plan_chance(plan, 10))
      plan_access(plan, warp);
    add_command(phases, (Party){warp, plan->live[warp]}, wait);
  }
}

static void meet_all(Phases *phases) {
  if (is_cluster(phases))
    meet_in_cluster(phases);
  else
    plan_sync(&phases->plan);
}

// Who exits comes no more.
static void drop_out_of_cluster(Phases *phases) {
  Plan *plan = &phases->plan;
  for (unsigned warp = 0; warp < plan->warps; warp++) {
    Commands old = plan->programs->warps[warp];
    plan->programs->warps[warp] = (Commands){0};
    for (size_t i = 0; i < old.count; i++) {
      Command drop = {.kind = COMMAND_MBARRIER_DROP,
                      .address = CLUSTER_BARRIER,
                      .is_relaxed = true,
                      .arrivals = 1,
                      .lanes = old.at[i].lanes};
      if (old.at[i].kind == COMMAND_EXIT && drop.lanes)
        plan_append(plan, warp, drop);
      push(plan->arena, &plan->programs->warps[warp], old.at[i]);
    }
  }
}

// Some words are in one block, the others in the next.
static void spread(Phases *phases) {
  Plan *plan = &phases->plan;
  for (unsigned warp = 0; warp < plan->warps; warp++) {
    Commands *commands = &plan->programs->warps[warp];
    for (size_t i = 0; i < commands->count; i++) {
      Command *command = &commands->at[i];
      bool is_access = command->kind <= COMMAND_ATOMIC ||
                       command->kind == COMMAND_COPY ||
                       command->kind == COMMAND_BULK_READ;
      if (is_access && !command->is_scattered && command->address / 4 % 2)
        command->address += MOST_SHARED_BYTES;
    }
  }
}

// ------------------------------------------------------------- beginning ---

static unsigned size_of(const Object *object) {
  unsigned lanes = 0;
  for (unsigned i = 0; i < object->party_count; i++)
    lanes += (unsigned)__builtin_popcount(object->parties[i].lanes);
  return lanes;
}

static void choose_parties(Phases *phases, Object *object) {
  Plan *plan = &phases->plan;
  unsigned first = plan_below(plan, plan->warps);
  unsigned count = 1 + plan_below(plan, plan->warps);
  for (unsigned i = 0; i < count; i++)
    object->parties[object->party_count++] =
        (Party){(first + i) % plan->warps, 1 + plan_below(plan, 3)};
}

static void begin_objects(Phases *phases) {
  Plan *plan = &phases->plan;
  phases->object_count = 1 + plan_below(plan, OBJECTS);
  phases->is_pair = phases->object_count == OBJECTS && plan_chance(plan, 60);
  for (unsigned i = 0; i < phases->object_count; i++) {
    Object *object = &phases->objects[i];
    object->home = is_cluster(phases) ? plan_below(plan, plan->warps) : 0;
    object->address =
        FIRST_OBJECT + i * OBJECT_BYTES +
        (is_cluster(phases) ? object->home : 0) * (uint32_t)MOST_SHARED_BYTES;
    choose_parties(phases, object);
    if (phases->is_pair)
      object->party_count = 1;
    add(phases, (Party){object->home, 1}, COMMAND_MBARRIER_INIT, object,
        size_of(object), 0);
    if (is_cluster(phases) && plan_chance(plan, 70))
      add_command(phases, (Party){object->home, 1},
                  (Command){.kind = COMMAND_INIT_FENCE});
  }
  meet_all(phases);
}

static void end_objects(Phases *phases) {
  meet_all(phases);
  for (unsigned i = 0; i < phases->object_count; i++) {
    Object *object = &phases->objects[i];
    Party first = {object->home, 1};
    add(phases, first, COMMAND_MBARRIER_INVAL, object, 0, 0);
    if (plan_chance(&phases->plan, 40))
      add(phases, first, COMMAND_MBARRIER_INIT, object, 1, 0);
  }
}

// ---------------------------------------------------------------- phases ---

// From the lane itself, or by a bulk copy to `arrivals`; list_lanes makes of
// that what it is.
static void add_coming(Phases *phases, Party one, const Object *object) {
  Plan *plan = &phases->plan;
  uint32_t to = LOADED;
  if (plan_chance(plan, 50))
    to = PLANNED_WORDS * plan_below(plan, plan->warps + 1);
  if (plan->bulks && plan_chance(plan, 60))
    add(phases, one, COMMAND_BULK_COMPLETE, object, to, BYTES);
  else
    add(phases, one, COMMAND_MBARRIER_COMPLETE, object, 0, BYTES);
}

static void add_bytes(Phases *phases, Party party, const Object *object) {
  Party one = {party.warp, party.lanes & -party.lanes};
  bool is_first = plan_chance(&phases->plan, 30);
  if (is_first)
    add_coming(phases, one, object);
  add(phases, one, COMMAND_MBARRIER_EXPECT, object, 0, BYTES);
  if (!is_first && plan_chance(&phases->plan, 50))
    add_coming(phases, one, object);
  else if (!is_first) {
    add(phases, party, COMMAND_MBARRIER_ARRIVE, object, 1, 0);
    add_coming(phases, one, object);
    return;
  }
  add(phases, party, COMMAND_MBARRIER_ARRIVE, object, 1, 0);
}

// Another one is to come.
static void add_more(Phases *phases, Party party, const Object *object) {
  Command command = {.kind = COMMAND_MBARRIER_ARRIVE,
                     .address = object->address,
                     .arrivals = 1,
                     .never_completes = true};
  add_command(phases, party, command);
}

static void add_arrival(Phases *phases, Party party, const Object *object) {
  unsigned how = plan_below(&phases->plan, 100);
  if (how < (phases->plan.bulks ? 50 : 20)) {
    add_bytes(phases, party, object);
    return;
  }
  if (how < (phases->plan.bulks ? 60 : 30)) { // one for both
    unsigned count = (unsigned)__builtin_popcount(party.lanes);
    party.lanes &= -party.lanes;
    if (count > 1 && plan_chance(&phases->plan, 30)) {
      add_more(phases, party, object);
      count--;
    }
    add(phases, party, COMMAND_MBARRIER_ARRIVE, object, count, 0);
    return;
  }
  if (how < 45 && phases->plan.copies) {
    plan_access(&phases->plan, party.warp);
    add(phases, party, COMMAND_COPY_ARRIVE, object, 1, 0);
    return;
  }
  if (how < 55 && phases->plan.copies)
    add(phases, party, COMMAND_COPY_ARRIVE, object, 0, 0);
  add(phases, party, COMMAND_MBARRIER_ARRIVE, object, 1, 0);
}

// Mostly each lane waits; or one does, and tells the others.
static void add_waits(Phases *phases, Party party, const Object *object) {
  Party one = {party.warp, party.lanes & -party.lanes};
  if (plan_chance(&phases->plan, 80)) {
    add_wait(phases, party, object, object->phase);
    return;
  }
  add_wait(phases, one, object, object->phase);
  plan_warp_sync(&phases->plan, party.warp);
}

static void drop_out(Phases *phases, Object *object) {
  if (object->party_count < 2 || !plan_chance(&phases->plan, 10))
    return;
  Party party = object->parties[--object->party_count];
  add(phases, party, COMMAND_MBARRIER_DROP, object, 1, 0);
}

static void add_phase(Phases *phases, Object *object) {
  unsigned count = object->party_count;
  drop_out(phases, object);
  for (unsigned i = 0; i < object->party_count; i++) {
    maybe_ask(phases, object->parties[i], object, object->phase);
    maybe_access(phases, object->parties[i].warp);
    add_arrival(phases, object->parties[i], object);
    maybe_ask(phases, object->parties[i], object, object->phase);
  }
  for (unsigned i = 0; i < object->party_count; i++) {
    add_waits(phases, object->parties[i], object);
    maybe_access(phases, object->parties[i].warp);
  }
  if (count == object->party_count && plan_chance(&phases->plan, 8)) {
    Party other = {plan_below(&phases->plan, phases->plan.warps),
                   1 + plan_below(&phases->plan, 3)};
    add_wait(phases, other, object, object->phase);
  }
  object->phase++;
}

// Through full (0) and empty (1).
static void hand_over(Phases *phases) {
  Object *full = &phases->objects[0], *empty = &phases->objects[1];
  Party producer = full->parties[0], consumer = empty->parties[0];
  add_wait(phases, producer, empty, empty->phase + 1);
  maybe_access(phases, producer.warp);
  add_arrival(phases, producer, full);
  maybe_ask(phases, producer, empty, empty->phase);
  add_wait(phases, consumer, full, full->phase);
  maybe_ask(phases, consumer, full, full->phase + 1);
  maybe_access(phases, consumer.warp);
  add(phases, consumer, COMMAND_MBARRIER_ARRIVE, empty, 1, 0);
  full->phase++;
  empty->phase++;
}

static void add_step(Phases *phases) {
  Plan *plan = &phases->plan;
  unsigned what = plan_below(plan, 100);
  unsigned warp = plan_below(plan, plan->warps);
  if (what < 50 && phases->is_pair)
    hand_over(phases);
  else if (what < 50)
    add_phase(phases, &phases->objects[plan_below(plan, phases->object_count)]);
  else if (what < 65 && is_cluster(phases))
    meet_in_cluster(phases);
  else if (what < 60)
    plan_generation(plan);
  else if (what < 65)
    plan_sync(plan);
  else if (what < 75)
    plan_warp_sync(plan, warp);
  else if (what < 80 && plan->bulks)
    add_fence(phases, (Party){warp, 3});
  else if (what < 85 && plan->bulks)
    add_bulks_done(phases, (Party){warp, 1 + plan_below(plan, 3)});
  else if (what < 85 && plan->copies)
    add_done(phases, (Party){warp, 1 + plan_below(plan, 3)});
  else
    plan_local(plan);
}

// -------------------------------------------------------------- mistakes ---

static bool asks(const Command *command) {
  return command->kind == COMMAND_MBARRIER_WAIT ||
         command->kind == COMMAND_MBARRIER_TRY;
}

static void change(Phases *phases, Command *command) {
  Plan *plan = &phases->plan;
  bool is_arrival = command->kind == COMMAND_MBARRIER_ARRIVE ||
                    command->kind == COMMAND_MBARRIER_DROP;
  switch (plan_below(plan, 8)) {
  case 6:
    command->never_completes ^= is_arrival;
    return;
  case 7:
    command->is_relaxed = is_arrival || command->kind == COMMAND_MBARRIER_WAIT;
    return;
  case 0:
    command->parity ^= asks(command);
    return;
  case 1:
    if (!asks(command))
      command->arrivals +=
          plan_chance(plan, 60) || !command->arrivals ? 1 : -1u;
    return;
  case 2:
    command->lanes &= -command->lanes;
    return;
  case 3:
    if (phases->object_count > 1 && command->address != CLUSTER_BARRIER)
      command->address ^=
          phases->objects[0].address ^ phases->objects[1].address;
    return;
  case 4:
    if (command->kind == COMMAND_MBARRIER_ARRIVE)
      command->tx += BYTES;
    if (command->kind == COMMAND_MBARRIER_COMPLETE)
      command->tx -= BYTES;
    return;
  default:
    if (command->kind == COMMAND_MBARRIER_ARRIVE)
      command->kind = COMMAND_MBARRIER_DROP;
  }
}

static bool uses_object(const Command *command) {
  return command->kind == COMMAND_BULK_COMPLETE ||
         (command->kind >= COMMAND_MBARRIER_INIT &&
          command->kind <= COMMAND_COPY_ARRIVE &&
          command->kind != COMMAND_COPY &&
          command->kind != COMMAND_COPIES_DONE);
}

// A question comes earlier, but not before somebody exits.
static void ask_earlier(Phases *phases, Commands *commands) {
  size_t at = 0, first = 0;
  while (at < commands->count &&
         commands->at[at].kind != COMMAND_MBARRIER_TRY) {
    if (commands->at[at++].kind == COMMAND_EXIT)
      first = at;
  }
  if (at == commands->count)
    return;
  size_t to = first + plan_below(&phases->plan, (unsigned)(at - first + 1));
  Command try = commands->at[at];
  commands->at[at] = commands->at[to];
  commands->at[to] = try;
}

static void spoil(Phases *phases) {
  Plan *plan = &phases->plan;
  Commands *commands = &plan->programs->warps[plan_below(plan, plan->warps)];
  if (plan_chance(plan, 25)) {
    ask_earlier(phases, commands);
    return;
  }
  if (plan_chance(plan, 50) || !commands->count) {
    plan_spoil(plan);
    return;
  }
  Command *command = &commands->at[plan_below(plan, (unsigned)commands->count)];
  if (uses_object(command))
    change(phases, command);
  else if (command->kind < COMMAND_SYNC && plan_chance(plan, 20)) {
    command->address = phases->objects[0].address;
    command->is_scattered = false;
  }
}

// -------------------------------------------------------------- execution ---

typedef struct Listing {
  Programs *programs;
  bool is_done[MOST_WARPS][MOST_LISTED];
  // The last one is the barrier of the cluster.
  unsigned phase[OBJECTS + 1], pending[OBJECTS + 1], expected[OBJECTS + 1];
  bool is_live[OBJECTS + 1];
  int bytes[OBJECTS + 1];
  uint32_t waits[NAMED_BARRIERS]; // sets of warps
  unsigned met[NAMED_BARRIERS];
  uint32_t waiting; // warps
  Commands listed[MOST_WARPS];
} Listing;

static bool is_barrier(const Command *command) {
  return command->kind >= COMMAND_SYNC && command->kind <= COMMAND_ARRIVE;
}

static uint32_t lanes_of(const Command *command) {
  return is_barrier(command) ? UINT32_MAX : command->lanes;
}

// The first command from which all lanes that take part have come.
static bool is_next(const Listing *listing, unsigned warp, size_t at) {
  const Commands *commands = &listing->programs->warps[warp];
  uint32_t lanes = lanes_of(&commands->at[at]);
  for (size_t i = 0; i < at; i++)
    if (!listing->is_done[warp][i] &&
        (lanes & lanes_of(&commands->at[i]) || listing->programs->lock_step ||
         commands->at[i].kind == COMMAND_EXIT))
      return false;
  return !listing->is_done[warp][at];
}

static void arrive(Listing *listing, unsigned object, uint32_t threads) {
  unsigned *pending = &listing->pending[object];
  *pending -= threads < *pending ? threads : *pending;
  if (*pending || listing->bytes[object])
    return;
  listing->phase[object]++;
  *pending = listing->expected[object];
}

static unsigned object_of(const Command *command) {
  return command->address == CLUSTER_BARRIER
             ? OBJECTS
             : (command->address % MOST_SHARED_BYTES - FIRST_OBJECT) /
                   OBJECT_BYTES;
}

static void use(Listing *listing, const Command *command) {
  unsigned object = object_of(command);
  unsigned lanes = (unsigned)__builtin_popcount(command->lanes);
  if (command->kind == COMMAND_MBARRIER_INIT) {
    listing->is_live[object] = true;
    listing->phase[object] = 0;
    listing->bytes[object] = 0;
    listing->pending[object] = listing->expected[object] = command->arrivals;
  }
  if (command->kind == COMMAND_MBARRIER_INVAL)
    listing->is_live[object] = false;
  for (; lanes && listing->is_live[object]; lanes--)
    switch (command->kind) {
    case COMMAND_MBARRIER_EXPECT:
      listing->bytes[object] += command->tx;
      break;
    case COMMAND_MBARRIER_DROP:
      listing->expected[object] -= command->arrivals;
      __attribute__((fallthrough));
    case COMMAND_MBARRIER_ARRIVE:
      listing->bytes[object] += command->tx;
      arrive(listing, object, command->arrivals);
      break;
    case COMMAND_BULK_COMPLETE:
    case COMMAND_MBARRIER_COMPLETE:
      listing->bytes[object] -= command->tx;
      arrive(listing, object, 0);
      break;
    case COMMAND_COPY_ARRIVE:
      if (command->arrivals)
        arrive(listing, object, command->arrivals);
      break;
    default:
      break;
    }
}

static bool passes(const Listing *listing, const Command *command) {
  unsigned object = object_of(command);
  return command->kind != COMMAND_MBARRIER_WAIT || !listing->is_live[object] ||
         listing->phase[object] % 2 != command->parity;
}

static void meet(Listing *listing, unsigned warp, const Command *command) {
  unsigned barrier = command->barrier;
  if (command->kind != COMMAND_ARRIVE) {
    listing->waits[barrier] |= (uint32_t)1 << warp;
    listing->waiting |= (uint32_t)1 << warp;
  }
  listing->met[barrier] += WARP;
  if (listing->met[barrier] < command->threads)
    return;
  listing->waiting &= ~listing->waits[barrier];
  listing->waits[barrier] = listing->met[barrier] = 0;
}

// Of bytes by a bulk copy, that copy first; till then their `arrivals` say
// where it writes.
static void list_command(Phases *phases, Listing *listing, unsigned warp,
                         Command command) {
  Arena *arena = phases->plan.arena;
  if (command.kind == COMMAND_BULK_COMPLETE) {
    Command copy = {.kind = COMMAND_BULK_WRITE,
                    .completes_in = 1,
                    .lanes = command.lanes,
                    .address = command.address -
                               command.address % MOST_SHARED_BYTES +
                               command.arrivals % MOST_SHARED_BYTES,
                    .extent = (uint32_t)command.tx,
                    .place = command.place};
    push(arena, &listing->listed[warp], copy);
    command.arrivals = 0;
  }
  push(arena, &listing->listed[warp], command);
}

static void list_lanes(Phases *phases, Listing *listing, unsigned warp,
                       size_t at, uint32_t lanes) {
  Command *left = &listing->programs->warps[warp].at[at];
  Command command = *left;
  command.lanes = lanes;
  if (uses_object(&command))
    use(listing, &command);
  if (is_barrier(&command))
    meet(listing, warp, &command);
  if ((command.kind == COMMAND_COPIES_DONE ||
       command.kind == COMMAND_BULKS_DONE) &&
      command.before > listing->listed[warp].count)
    command.before = (uint32_t)listing->listed[warp].count;
  list_command(phases, listing, warp, command);
  left->lanes &= ~lanes;
  listing->is_done[warp][at] = !left->lanes;
}

static bool list_one(Phases *phases, Listing *listing, unsigned warp) {
  const Commands *commands = &listing->programs->warps[warp];
  if (listing->waiting >> warp & 1)
    return false;
  for (size_t i = 0; i < commands->count; i++) {
    if (!is_next(listing, warp, i) || !passes(listing, &commands->at[i]))
      continue;
    list_lanes(phases, listing, warp, i, commands->at[i].lanes);
    return true;
  }
  return false;
}

// A lane alone, because another one of the command cannot come.
static bool list_part(Phases *phases, Listing *listing, unsigned warp) {
  Commands *commands = &listing->programs->warps[warp];
  if (listing->waiting >> warp & 1 || listing->programs->lock_step)
    return false;
  for (size_t i = 0; i < commands->count; i++) {
    Command *command = &commands->at[i];
    uint32_t lanes = command->lanes;
    if (is_barrier(command) || command->kind == COMMAND_WARP_SYNC ||
        command->kind == COMMAND_EXIT || !(lanes & (lanes - 1)))
      continue;
    for (uint32_t left = lanes; left; left &= left - 1) {
      command->lanes = left & -left;
      bool comes = is_next(listing, warp, i) && passes(listing, command);
      uint32_t lane = command->lanes;
      command->lanes = lanes;
      if (!comes)
        continue;
      list_lanes(phases, listing, warp, i, lane);
      return true;
    }
  }
  return false;
}

static bool list_some(Phases *phases, Listing *listing) {
  bool moves = false;
  for (unsigned warp = 0; warp < phases->plan.warps; warp++)
    while (list_one(phases, listing, warp))
      moves = true;
  for (unsigned warp = 0; warp < phases->plan.warps && !moves; warp++)
    moves = list_part(phases, listing, warp);
  return moves;
}

static void list_all(Phases *phases) {
  Listing *listing = NEW(phases->plan.arena, Listing);
  Programs *programs = listing->programs = phases->plan.programs;
  unsigned threads = programs_blocks(programs) * programs->threads;
  listing->is_live[OBJECTS] = true;
  listing->pending[OBJECTS] = listing->expected[OBJECTS] = threads;
  while (list_some(phases, listing)) {
  }
  for (unsigned warp = 0; warp < phases->plan.warps; warp++) {
    assert(programs->warps[warp].count <= MOST_LISTED);
    for (size_t i = 0; i < programs->warps[warp].count; i++)
      if (!listing->is_done[warp][i])
        list_command(phases, listing, warp, programs->warps[warp].at[i]);
    programs->warps[warp] = listing->listed[warp];
  }
}

// A wait has a try of its number if that is before it, of all its lanes and of
// the same mbarrier.
static void link_wait(Commands *commands, size_t at) {
  Command *wait = &commands->at[at];
  for (size_t i = at; wait->tried && i-- > 0;) {
    const Command *try = &commands->at[i];
    if (try->kind != COMMAND_MBARRIER_TRY || try->tried != wait->tried ||
        try->address != wait->address || wait->lanes & ~try->lanes)
      continue;
    wait->tried = (uint32_t)(at - i);
    return;
  }
  wait->tried = 0;
}

static void link_tries(Programs *programs) {
  for (unsigned warp = 0; warp < programs_warps(programs); warp++) {
    Commands *commands = &programs->warps[warp];
    for (size_t i = commands->count; i-- > 0;)
      if (commands->at[i].kind == COMMAND_MBARRIER_WAIT)
        link_wait(commands, i);
    for (size_t i = 0; i < commands->count; i++)
      if (commands->at[i].kind == COMMAND_MBARRIER_TRY)
        commands->at[i].tried = 0;
  }
}

Programs *random_phases(Arena *arena, uint64_t seed, uint64_t index) {
  Phases *phases = NEW(arena, Phases);
  Plan *plan = &phases->plan;
  *plan = plan_new(arena, seed, index);
  bool is_cluster = plan_chance(plan, 40);
  plan->warps = is_cluster ? 2 : 1 + plan_below(plan, 3);
  plan->slots = 1 + plan_below(plan, 6);
  plan->accesses = 1 + plan_below(plan, 8);
  plan->copies = plan_chance(plan, 40);
  plan->bulks = !plan->copies && plan_chance(plan, 40);
  plan->is_tidy = plan_chance(plan, 70);
  plan_begin(plan, WARP);
  if (is_cluster)
    plan_in_blocks(plan, 2 + plan_chance(plan, 20));
  begin_objects(phases);
  for (unsigned i = 1 + plan_below(plan, 6); i > 0; i--)
    add_step(phases);
  if (plan_chance(plan, 15))
    end_objects(phases);
  for (unsigned i = plan_chance(plan, 50) ? 1 + plan_below(plan, 3) : 0; i; i--)
    spoil(phases);
  if (is_cluster) {
    drop_out_of_cluster(phases);
    spread(phases);
  }
  list_all(phases);
  link_tries(plan->programs);
  return plan->programs;
}
