// The search for races, against what PTX's memory model says: patterns by name,
// then random programs against brute force.
//
// Brute force has the log of the whole run: who came before whom is the
// transitive closure of what one event orders, and each pair is looked at.

#define _GNU_SOURCE

#include "test/unit/races.h"

// ------------------------------------------------------------ brute force ---

static uint64_t before[MOST_EVENTS][MOST_EVENTS / 64]; // [later], bits: earlier

static bool comes_before(unsigned a, unsigned b) {
  return before[b][a / 64] >> a % 64 & 1;
}

static void put_before(unsigned a, unsigned b) {
  before[b][a / 64] |= UINT64_C(1) << a % 64;
}

static bool same_thread(const RaceEvent *a, const RaceEvent *b) {
  return a->block == b->block && a->thread == b->thread;
}

static bool same_bytes(const RaceEvent *a, const RaceEvent *b) {
  return (!program.is_shared || a->block == b->block) &&
         a->op.offset == b->op.offset && a->op.bytes == b->op.bytes;
}

static bool overlap(const RaceEvent *a, const RaceEvent *b) {
  return (!program.is_shared || a->block == b->block) &&
         a->op.offset < b->op.offset + b->op.bytes &&
         b->op.offset < a->op.offset + a->op.bytes;
}

static bool in_scopes(const RaceEvent *a, const RaceEvent *b) {
  return a->block == b->block || (!a->op.is_narrow && !b->op.is_narrow);
}

static bool both_strong(const RaceEvent *a, const RaceEvent *b) {
  return is_strong(&a->op) && is_strong(&b->op) && same_bytes(a, b) &&
         in_scopes(a, b);
}

// The write that a strong read sees and that counts as seen.
static int write_seen(unsigned reader) {
  for (unsigned i = reader; i-- > 0;) {
    const RaceEvent *write = &events[i];
    if (!is_access(&write->op) || !does_write(&write->op) ||
        !overlap(write, &events[reader]))
      continue;
    return both_strong(write, &events[reader]) ? (int)i : -1;
  }
  return -1;
}

static bool meet_here(const RaceEvent *arrives, const RaceEvent *leaves) {
  if (!is_meeting(&arrives->op) || arrives->op.kind != leaves->op.kind ||
      arrives->leaves || !leaves->leaves || arrives->number != leaves->number)
    return false;
  if (arrives->op.kind == '#')
    return true;
  return arrives->block == leaves->block &&
         (arrives->op.kind == '|' ||
          arrives->thread / LANES == leaves->thread / LANES);
}

// One of the operations that release by the write: itself, a fence before it,
// an earlier one that releases at the same place.
static bool releases_by(unsigned first, unsigned write) {
  const RaceEvent *event = &events[first];
  if (!event->op.releases || !same_thread(event, &events[write]) ||
      first > write)
    return false;
  return first == write || event->op.kind == 'f' ||
         (does_write(&event->op) && same_bytes(event, &events[write]));
}

static bool acquires_by(unsigned last, unsigned read) {
  const RaceEvent *event = &events[last];
  if (!event->op.acquires || !same_thread(event, &events[read]) || last < read)
    return false;
  return last == read || event->op.kind == 'f' ||
         (does_read(&event->op) && same_bytes(event, &events[read]));
}

static void synchronise(unsigned write, unsigned read) {
  for (unsigned first = 0; first <= write; first++)
    for (unsigned last = read; releases_by(first, write) && last < event_count;
         last++)
      if (acquires_by(last, read) && in_scopes(&events[first], &events[last]) &&
          !same_thread(&events[first], &events[last]))
        put_before(first, last);
}

// The write that is seen, and those that it carries on.
static void follow(unsigned read) {
  int write = events[read].sees;
  while (write >= 0) {
    synchronise((unsigned)write, read);
    write = does_read(&events[write].op) ? events[write].sees : -1;
  }
}

// A copy goes on until its thread waits for it, at a place behind it.
static bool is_waited_for(unsigned copy, unsigned until) {
  for (unsigned i = copy + 1; i <= until; i++)
    if (events[i].op.kind == 'X' && same_thread(&events[copy], &events[i]))
      return true;
  return false;
}

static bool comes_in_thread(unsigned a, unsigned b) {
  return same_thread(&events[a], &events[b]) &&
         (!is_copy(&events[a].op) || is_waited_for(a, b));
}

static bool arrives_for(const RaceEvent *a, const RaceEvent *b) {
  return a->op.kind == 'A' && b->op.kind == 'W' && !a->leaves && b->leaves &&
         a->block == b->block && a->number == b->number;
}

static void find_order(void) {
  memset(before, 0, sizeof before);
  for (unsigned i = 0; i < event_count; i++)
    if (is_strong(&events[i].op) && does_read(&events[i].op))
      events[i].sees = write_seen(i);
  for (unsigned b = 0; b < event_count; b++) {
    for (unsigned a = 0; a < b; a++)
      if (comes_in_thread(a, b) || meet_here(&events[a], &events[b]) ||
          arrives_for(&events[a], &events[b]))
        put_before(a, b);
    if (events[b].sees >= 0)
      follow(b);
  }
  for (unsigned b = 0; b < event_count; b++)
    for (unsigned a = b; a-- > 0;)
      for (unsigned i = 0; comes_before(a, b) && i < MOST_EVENTS / 64; i++)
        before[b][i] |= before[a][i];
}

// Somebody before `b` has seen the strong write `a`, or a later one there.
static bool was_seen_before(unsigned a, unsigned b) {
  for (unsigned i = a + 1; i < b; i++)
    if (comes_before(i, b) && events[i].sees >= (int)a &&
        same_bytes(&events[i], &events[a]) &&
        !same_thread(&events[i], &events[events[i].sees]))
      return true;
  return false;
}

// Of what both write the second changes nothing.
static bool is_excused(const RaceEvent *first, const RaceEvent *second) {
  const RaceOp *a = &first->op, *b = &second->op;
  if (!program.has_excuses || a->kind != 'w' || b->kind != 'w')
    return false;
  for (uint32_t i = 0; i < b->bytes; i++)
    if (b->offset + i - a->offset < a->bytes && second->old[i] != b->value)
      return false;
  return true;
}

static bool is_race(unsigned a, unsigned b) {
  const RaceEvent *first = &events[a], *second = &events[b];
  if (!is_access(&first->op) || !is_access(&second->op) ||
      (same_thread(first, second) && !is_copy(&first->op)) ||
      !overlap(first, second) ||
      (!does_write(&first->op) && !does_write(&second->op)) ||
      both_strong(first, second) || is_excused(first, second) ||
      comes_before(a, b))
    return false;
  return !is_strong(&first->op) || !does_write(&first->op) ||
         !was_seen_before(a, b);
}

static void judge(Verdicts *verdicts) {
  find_order();
  for (unsigned b = 0; b < event_count; b++)
    for (unsigned a = 0; a < b; a++)
      if (is_race(a, b))
        note_race(&verdicts->wanted, events[b].op.site, events[b].op.offset);
}

// What the search may tell in another way than brute force.
typedef enum Freedom {
  FREEDOM_NONE,
  FREEDOM_REPEATS, // the same is done again: another execution of it
  FREEDOM_PLACES,  // ... elsewhere: races of two sites are told once
} Freedom;

static bool agree(const Verdicts *verdicts, Freedom freedom) {
  unsigned found = verdicts->found.places, wanted = verdicts->wanted.places;
  if (!verdicts->is_done || !found != !wanted ||
      (found != wanted && freedom != FREEDOM_PLACES))
    return false;
  return freedom != FREEDOM_NONE || verdicts->incidents == MOST_INCIDENTS ||
         !memcmp(verdicts->found.sites, verdicts->wanted.sites,
                 sizeof verdicts->found.sites);
}

// --------------------------------------------------------------- patterns ---

typedef struct Row {
  const char *name;
  const char *threads[4];
  unsigned blocks;
  bool is_racy;
} Row;

static const Row rows[] = {
#include "test/unit/races.def"
};

enum { ROWS = sizeof rows / sizeof *rows };

static void place_actors(unsigned blocks, unsigned threads, unsigned actors) {
  program = (Litmus){.blocks = blocks, .threads = threads, .actors = actors};
  for (unsigned i = 0; i < actors; i++) // half of them in another warp
    program.position[i] =
        threads > LANES && i >= actors / 2 ? LANES + i - actors / 2 : i;
}

static void build_row(const Row *row) {
  unsigned count = 0;
  while (count < 4 && row->threads[count])
    count++;
  unsigned threads = count / row->blocks;
  place_actors(row->blocks, threads, threads);
  for (unsigned i = 0; i < count; i++)
    parse(i / threads, i % threads, row->threads[i]);
}

static Freedom freedom_of(const Row *row) {
  bool has_repeats = false;
  for (unsigned i = 0; i < 4 && row->threads[i]; i++)
    has_repeats |= strpbrk(row->threads[i], "*^>x") != NULL;
  return has_repeats ? FREEDOM_REPEATS : FREEDOM_NONE;
}

static void execute_rows(void *data) {
  Verdicts *verdicts = data;
  for (unsigned i = 0; i < ROWS; i++) {
    build_row(&rows[i]);
    execute_program(&verdicts[i]);
    judge(&verdicts[i]);
  }
}

START_TEST(patterns_race_where_the_model_says_so) {
  Verdicts *verdicts =
      (Verdicts *)(void *)memory_shared(ROWS * sizeof *verdicts);
  ck_assert(child_run(execute_rows, verdicts, 10));
  for (unsigned i = 0; i < ROWS; i++) {
    ck_assert_msg(verdicts[i].is_done, "%s: not executed", rows[i].name);
    ck_assert_msg(agree(&verdicts[i], freedom_of(&rows[i])),
                  "%s: places %x, brute force %x", rows[i].name,
                  verdicts[i].found.places, verdicts[i].wanted.places);
    ck_assert_msg((verdicts[i].found.places != 0) == rows[i].is_racy, "%s: %s",
                  rows[i].name, verdicts[i].found.places ? "racy" : "no race");
  }
  memory_shared_free((char *)verdicts, ROWS * sizeof *verdicts);
}
END_TEST

// ----------------------------------------------------------------- random ---

static uint64_t state;

static unsigned below(unsigned limit) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (unsigned)((state >> 20) % limit);
}

// What a program draws from: some have no fences, some no narrow scopes, some
// nothing weak, ..
typedef struct Taste {
  const char *kinds;
  bool has_order, has_narrow, has_sizes, has_repeats;
  bool has_neighbours; // who repeats what a neighbour did does it beside it
  bool has_phases, has_copies;
  unsigned places;
} Taste;

static RaceOp random_op(const Taste *taste) {
  static const uint32_t sizes[] = {4, 4, 8, 2, 1};
  size_t kinds = strlen(taste->kinds);
  RaceOp op = {.kind = taste->kinds[below((unsigned)kinds)], .bytes = 4};
  op.offset = FIRST_PLACE + below(taste->places) * PLACE_BYTES;
  op.is_narrow = taste->has_narrow && !below(3) && !strchr("vV", op.kind);
  if (taste->has_sizes && !below(3) && op.kind != 'x') {
    op.bytes = sizes[below(5)];
    op.offset += op.bytes < 8 ? op.bytes * below(4 / op.bytes + 1) : 0;
  }
  if (is_plain(&op) && program.has_excuses)
    op.value = below(5) ? 'p' : 'q';
  if (op.kind == 'f')
    op.acquires = op.releases = true;
  if (strchr("luc", op.kind))
    op.acquires = taste->has_order && !below(3);
  if (strchr("su", op.kind))
    op.releases = taste->has_order && !below(3);
  if (op.kind == 'f' && !below(4))
    op.acquires = below(2), op.releases = !op.acquires;
  return op;
}

static Taste random_taste(void) {
  static const char *const kinds[] = {"rwvVlsucffyy", "rwusfffyy",  "rwrwuffy",
                                      "rwvVyf",       "wsluufffy",  "rwuslvVcy",
                                      "rrrwuy",       "rrwyff",     "rrrw",
                                      "rw",           "rwrwrxxXXy", "rrwxXX"};
  enum { KINDS = sizeof kinds / sizeof *kinds };
  Taste taste = {.kinds = kinds[below(KINDS)], .places = 1 + below(PLACES - 1)};
  taste.has_order = strchr(taste.kinds, 'f') && below(2);
  taste.has_narrow = !below(3);
  taste.has_sizes = !below(4);
  taste.has_repeats = !below(3);
  taste.has_neighbours = taste.has_repeats && below(2);
  taste.has_phases = !below(3);
  taste.has_copies = strchr(taste.kinds, 'x');
  return taste;
}

static void add_one(const Taste *taste, unsigned block, unsigned actor) {
  unsigned from_block = below(block + 1), from = below(program.actors);
  unsigned count = program.count[from_block][from];
  const RaceOp *op =
      count ? &program.ops[from_block][from][below(count)] : NULL;
  if (taste->has_repeats && op && below(3) && !is_meeting(op) &&
      !is_phase(op)) {
    RaceOp again = *op;
    if (taste->has_neighbours && is_access(op))
      again = moved(again, from, actor);
    repeat_op(block, actor, &again);
  } else
    add_op(block, actor, random_op(taste));
}

static void add_ops(const Taste *taste, unsigned most) {
  for (unsigned block = 0; block < program.blocks; block++)
    for (unsigned actor = 0; actor < program.actors; actor++)
      for (unsigned count = below(most + 1); count > 0; count--)
        add_one(taste, block, actor);
}

// By the first actor, and with exceptions by the others.
static void add_alike(RaceOp op, bool has_places, unsigned skips) {
  add_op(0, 0, op);
  op = program.ops[0][0][program.count[0][0] - 1];
  for (unsigned block = 0; block < program.blocks; block++)
    for (unsigned actor = 0; actor < program.actors; actor++) {
      RaceOp again = has_places && is_access(&op) ? moved(op, 0, actor) : op;
      if (!below(6))
        add_op(block, actor, (RaceOp){.kind = 'y'});
      if (below(skips) && (block || actor))
        repeat_op(block, actor, &again);
    }
}

static void add_meeting(unsigned block, char kind) {
  for (unsigned actor = 0; actor < program.actors; actor++)
    add_op(block, actor, (RaceOp){.kind = kind});
}

static void add_meetings(bool has_warps) {
  bool is_grid = !program.together && !below(8);
  for (unsigned block = 0; block < program.blocks; block++) {
    unsigned draw = below(4);
    if (is_grid)
      add_meeting(block, '#');
    else if (draw < 2)
      add_meeting(block, draw || !has_warps ? '|' : '=');
  }
}

// Some arrive, and some then wait for them.
static void add_phase(unsigned block, unsigned number) {
  bool has_arrived = false;
  for (unsigned actor = 0; actor < program.actors; actor++)
    if (below(3)) {
      add_op(block, actor, (RaceOp){.kind = 'A', .offset = number});
      has_arrived = true;
    }
  for (unsigned actor = 0; has_arrived && actor < program.actors; actor++)
    if (below(2))
      add_op(block, actor, (RaceOp){.kind = 'W', .offset = number});
}

static void add_phases(unsigned number) {
  for (unsigned block = 0; block < program.blocks; block++)
    if (below(4))
      add_phase(block, number);
}

// As kernels are: all do the same, or nearly, each at its place or all at one.
static Freedom build_alike(void) {
  static const char *const kinds[] = {"rw",  "rrw",   "rrrw",
                                      "rwu", "rrwyf", "rwv"};
  Taste taste = random_taste();
  bool has_warps = below(2);
  unsigned few = 2 + below(3), skips = 2 + below(7);
  taste.kinds = kinds[below(6)];
  if (below(2))
    place_actors(1 + below(3), few, few);
  else
    place_actors(1 + below(2), LANES + 3, MOST_ACTORS);
  program.is_shared = !below(3);
  program.has_excuses = !below(3);
  program.together = below(2) ? 1 + below(program.blocks) : 0;
  for (unsigned part = 1 + below(3); part > 0; part--) {
    for (unsigned count = 1 + below(3); count > 0; count--)
      add_alike(random_op(&taste), below(4), skips);
    if (part > 1)
      add_meetings(has_warps);
  }
  return FREEDOM_PLACES;
}

static Freedom build_random(void) {
  if (!below(3))
    return build_alike();
  Taste taste = random_taste();
  unsigned parts = 1 + below(4), most = 1 + below(5);
  bool has_warps = below(2);
  if (below(4))
    place_actors(1 + below(3), 1 + below(4), 0);
  else
    place_actors(1 + below(2), LANES + 2, 4);
  if (!program.actors)
    place_actors(program.blocks, program.threads, program.threads);
  program.is_shared = !below(4);
  program.has_excuses = !below(3);
  program.together = below(2) ? 1 + below(program.blocks) : 0;
  for (unsigned i = 0; i < parts; i++) {
    if (i && taste.has_phases && below(3))
      add_phases(i);
    else if (i)
      add_meetings(has_warps);
    add_ops(&taste, most);
  }
  return taste.has_neighbours                    ? FREEDOM_PLACES
         : taste.has_repeats || taste.has_copies ? FREEDOM_REPEATS
                                                 : FREEDOM_NONE;
}

typedef struct Batch {
  uint64_t seed, count;
  uint64_t racy, events, bad_seed;
  Verdicts bad;
} Batch;

static void execute_batch(void *data) {
  Batch *batch = data;
  for (uint64_t i = 0; i < batch->count && !batch->bad_seed; i++) {
    Verdicts verdicts = {0};
    state = (batch->seed + i) * UINT64_C(0x9e3779b97f4a7c15) | 1;
    Freedom freedom = build_random();
    execute_program(&verdicts);
    judge(&verdicts);
    batch->racy += verdicts.wanted.places != 0;
    batch->events += verdicts.events;
    if (!agree(&verdicts, freedom)) {
      batch->bad_seed = batch->seed + i;
      batch->bad = verdicts;
    }
  }
}

static void print_program(void) {
  for (unsigned i = 0; i < event_count; i++) {
    const RaceEvent *event = &events[i];
    fprintf(
        stderr, "%u: site %u block %u thread %u: %c at %u, %u bytes%s%s%s%s\n",
        i, event->op.site, event->block, event->thread, event->op.kind,
        event->op.offset, event->op.bytes,
        event->op.acquires ? " acquires" : "",
        event->op.releases ? " releases" : "",
        event->op.is_narrow ? " block" : "", event->leaves ? " (leaves)" : "");
  }
}

static void show(void *data) {
  Batch *batch = data;
  batch->count = 1;
  batch->seed = batch->bad_seed;
  batch->bad_seed = 0;
  execute_batch(batch);
  print_program();
  for (unsigned i = 0; i < MOST_SITES; i++)
    if (batch->bad.found.sites[i] != batch->bad.wanted.sites[i])
      fprintf(stderr, "site %u: %s\n", i,
              batch->bad.found.sites[i] ? "false alarm" : "missed");
}

START_TEST(random_programs_race_where_brute_force_says_so) {
  const char *count = getenv("RACES"), *seed = getenv("RACES_SEED");
  Batch *batch = (Batch *)(void *)memory_shared(sizeof *batch);
  batch->count = count ? strtoull(count, NULL, 10) : 10000;
  batch->seed = seed ? strtoull(seed, NULL, 10) : 1;
  uint64_t all = batch->count;
  ck_assert(child_run(execute_batch, batch, 600));
  if (batch->bad_seed)
    child_run(show, batch, 10);
  ck_assert_msg(!batch->bad_seed, "seed %llu: places %x, brute force %x%s",
                (unsigned long long)batch->bad_seed, batch->bad.found.places,
                batch->bad.wanted.places,
                batch->bad.is_done ? "" : ", not done");
  ck_assert_uint_gt(batch->racy, all / 4);
  ck_assert_uint_lt(batch->racy, all - all / 8);
  if (count)
    fprintf(stderr, "%llu of %llu programs racy, %llu events\n",
            (unsigned long long)batch->racy, (unsigned long long)all,
            (unsigned long long)batch->events);
  memory_shared_free((char *)batch, sizeof *batch);
}
END_TEST

int main(void) {
  TCase *tc = tcase_create("races");
  tcase_set_timeout(tc, 600);
  tcase_add_test(tc, patterns_race_where_the_model_says_so);
  tcase_add_test(tc, random_programs_race_where_brute_force_says_so);
  return run_suite(tc, "races");
}
