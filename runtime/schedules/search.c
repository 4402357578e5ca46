// Conflict-directed search with a bound on delays: the worklist.
//
// Chiang, Gopalakrishnan, Li and Rakamaric (NFM 2013).  The canonical schedule
// has no delays.  Each schedule that was run tells which of its accesses
// conflict with a later one of another thread; to delay the first of the two
// turns their order round, so each such access makes a list that is longer by
// one.  The access may have come before some of the delays: then the list is
// that of the delays before it, and it.  Lists are run in order of length, all
// known ones of a length before any that they make; within a length those whose
// delays all come from conflicts with a conditional atomic can go first, as
// they find most bugs.
//
// Two lists that reach the same state - the same conflict order, and the same
// threads at barriers - and then delay the same access go on alike, so only the
// first of them is run.  Everything here depends on
// the lists and their trials alone: results are merged in the order of the
// worklist, however many the executor runs at once.

#include "runtime/schedules/schedule.h"

#include <assert.h>
#include <stdlib.h>

enum {
  MOST_NODES = 1 << 23,
  FIRST_NODES = 1024,
  GROWTH = 32, // a batch is this part of what has been run
  NOBODY = UINT32_MAX >> 1,
};

// The delays of its parent and one more.
typedef struct Node {
  uint32_t parent;
  uint16_t length;
  bool is_rest;    // a delay comes from a conflict without such an atomic
  bool is_started; // it is among those that are run
  uint32_t next;   // of its length
  Instance instance;
} Node;

// All that are known and not started, of one length.
typedef struct Queue {
  uint32_t first, last;
} Queue;

// Lists that are executed now.
typedef struct Batch {
  uint32_t count;
  DelayList *lists;
  uint32_t *numbers; // their nodes
} Batch;

typedef struct Search {
  const SearchLimits *limits;
  const Executor *executor;
  SearchResult *result;
  Node *nodes;
  uint32_t count, room;
  Queue queues[MOST_DELAYS + 1];
  Seen starts, orders;
  Batch *batches; // a ring
  uint32_t oldest, begun;
  uint64_t waiting; // lists in them
  Trial *trials;
  bool is_full; // lists were lost
} Search;

uint64_t schedule_mix(uint64_t a, uint64_t b) {
  uint64_t z = (a + 1) * UINT64_C(0x9e3779b97f4a7c15) + b;
  z = (z ^ (z >> 32)) * UINT64_C(0xd6e8feb86659fd93);
  z = (z ^ (z >> 32)) * UINT64_C(0xd6e8feb86659fd93);
  return z ^ (z >> 32);
}

uint64_t schedule_count(const SearchResult *result) {
  uint64_t count = 0;
  for (unsigned i = 0; i <= MOST_DELAYS; i++)
    count += result->run[i];
  return count;
}

// --------------------------------------------------------------- worklist ---

static DelayList list_of(const Search *search, uint32_t number) {
  DelayList list = {.count = search->nodes[number].length};
  for (unsigned i = list.count; i; i--) {
    list.at[i - 1] = search->nodes[number].instance;
    number = search->nodes[number].parent;
  }
  return list;
}

static bool make_room(Search *search) {
  if (search->count < search->room)
    return true;
  uint32_t room = search->room ? 2 * search->room : FIRST_NODES;
  Node *nodes =
      room > MOST_NODES ? NULL : realloc(search->nodes, room * sizeof *nodes);
  if (!nodes)
    return false;
  search->nodes = nodes;
  search->room = room;
  return true;
}

static bool add_node(Search *search, Node node) {
  Queue *queue = &search->queues[node.length];
  if (!make_room(search))
    return false;
  node.next = NOBODY;
  if (queue->first == NOBODY)
    queue->first = search->count;
  else
    search->nodes[queue->last].next = search->count;
  queue->last = search->count;
  search->nodes[search->count++] = node;
  return true;
}

static uint64_t start_hash(const SchedulePoint *point) {
  uint64_t who = (uint64_t)point->instance.block << 32 | point->instance.thread;
  return schedule_mix(schedule_mix(point->before, who),
                      point->instance.ordinal);
}

// The node of the first `length` delays of a list.
static uint32_t ancestor(const Search *search, uint32_t number,
                         unsigned length) {
  while (search->nodes[number].length > length)
    number = search->nodes[number].parent;
  return number;
}

// It is known, by a list that is no longer.
static void skip(Search *search, Node *known, bool is_rest) {
  search->result->skipped++;
  if (!known->is_started)
    known->is_rest &= is_rest;
}

// The delays before this point and one at it, unless that is known.
static void add_child(Search *search, uint32_t number,
                      const SchedulePoint *point) {
  uint32_t parent = ancestor(search, number, point->taken);
  const Node *before = &search->nodes[parent];
  Node child = {.parent = parent,
                .length = (uint16_t)(before->length + 1),
                .instance = point->instance};
  if (child.length > search->limits->bound ||
      (search->limits->select == SELECT_CONDITIONAL && !point->is_conditional))
    return;
  child.is_rest = search->limits->select == SELECT_CONDITIONAL_FIRST &&
                  (before->is_rest || !point->is_conditional);
  uint32_t *known = seen_put(&search->starts, start_hash(point), NOBODY);
  if (known && *known != NOBODY && search->nodes[*known].length <= child.length)
    skip(search, &search->nodes[*known], child.is_rest);
  else if (!known || !add_node(search, child))
    search->is_full = true;
  else
    *known = search->count - 1;
}

// ----------------------------------------------------------------- trials ---

static bool is_bug(const Search *search, const Trial *trial) {
  const Trial *canonical = &search->result->canonical;
  if (trial->kind != TRIAL_FINISHED)
    return trial->kind == TRIAL_FAILED;
  return search->limits->compares_states && canonical->kind == TRIAL_FINISHED &&
         trial->state != canonical->state;
}

static void keep(Trial *to, const Trial *trial) {
  *to = *trial;
  to->point_count = 0;
  to->points = NULL;
}

// True: a bug.
static bool merge(Search *search, uint32_t number, const DelayList *list,
                  const Trial *trial) {
  SearchResult *result = search->result;
  uint64_t known = search->orders.count;
  if (!result->run[list->count]++ && !list->count)
    keep(&result->canonical, trial);
  if (!seen_put(&search->orders, trial->order, 0))
    search->is_full = true;
  result->repeated += search->orders.count == known;
  result->unreached += trial->reached < list->count;
  result->undecided += trial->kind == TRIAL_UNDECIDED;
  if (trial->kind == TRIAL_UNDECIDED && trial->incident == INCIDENT_ENDLESS &&
      !result->endless++)
    result->first_endless = *list;
  if (is_bug(search, trial)) {
    result->end = SEARCH_FOUND;
    result->found = *list;
    keep(&result->trial, trial);
    return true;
  }
  for (uint32_t i = 0; i < trial->point_count; i++)
    add_child(search, number, &trial->points[i]);
  return false;
}

// ---------------------------------------------------------------- limits ---

// False: no more lists are begun.
static bool may_go_on(const Search *search, uint64_t *schedules) {
  const SearchLimits *limits = search->limits;
  SearchResult *result = search->result;
  uint64_t run = schedule_count(result) + search->waiting;
  *schedules = limits->schedules ? limits->schedules - run : UINT64_MAX;
  if (!*schedules)
    result->end = SEARCH_SCHEDULES;
  else if (run && limits->is_asked && *limits->is_asked)
    result->end = SEARCH_ASKED;
  else if (run && limits->deadline > 0 && clock_seconds() > limits->deadline)
    result->end = SEARCH_TIME;
  else
    return true;
  return false;
}

// From here on, the first node of the chain that belongs to this half of it.
static uint32_t first_of_half(const Search *search, uint32_t number,
                              bool is_rest) {
  while (number != NOBODY && search->nodes[number].is_rest != is_rest)
    number = search->nodes[number].next;
  return number;
}

// ---------------------------------------------------------------- batches ---

// Small ones to begin with, since the first bug ends the search.
static uint64_t size_of_batch(const Search *search, uint64_t most) {
  uint64_t size = schedule_count(search->result) / GROWTH + 1;
  size = size < search->executor->most ? size : search->executor->most;
  return size < most ? size : most;
}

static void begin_batch(Search *search, uint32_t *next, bool is_rest,
                        uint64_t most) {
  const Executor *executor = search->executor;
  Batch *batch =
      &search->batches[(search->oldest + search->begun++) % executor->ahead];
  batch->count = 0;
  while (*next != NOBODY && batch->count < most) {
    batch->lists[batch->count] = list_of(search, *next);
    batch->numbers[batch->count++] = *next;
    *next = first_of_half(search, search->nodes[*next].next, is_rest);
  }
  search->waiting += batch->count;
  executor->begin(executor->data, batch->lists, batch->count);
}

// Merges what comes of the oldest batch.  False: a bug.
static bool finish_batch(Search *search) {
  const Executor *executor = search->executor;
  const Batch *batch = &search->batches[search->oldest];
  for (uint32_t done = 0, count; done < batch->count; done += count) {
    count = executor->finish(executor->data, search->trials);
    assert(count && count <= batch->count - done);
    for (uint32_t i = 0; i < count; i++) {
      search->waiting--;
      if (merge(search, batch->numbers[done + i], &batch->lists[done + i],
                &search->trials[i]))
        return false;
    }
  }
  search->oldest = (search->oldest + 1) % executor->ahead;
  search->begun--;
  return true;
}

// One half of a chain.  What is begun is finished, so that what has been run
// does not depend on how many batches there were.  False: the search ends here.
static bool run_half(Search *search, uint32_t first, bool is_rest) {
  uint32_t next = first_of_half(search, first, is_rest);
  bool goes_on = true;
  while (next != NOBODY || search->begun) {
    uint64_t most;
    while (goes_on && next != NOBODY &&
           search->begun < search->executor->ahead) {
      goes_on = may_go_on(search, &most);
      if (goes_on)
        begin_batch(search, &next, is_rest, size_of_batch(search, most));
    }
    if (!search->begun)
      return false;
    if (!finish_batch(search))
      return false;
  }
  return goes_on;
}

// All nodes of this length that are known now.
static bool run_queue(Search *search, Queue *queue) {
  uint32_t first = queue->first;
  queue->first = NOBODY;
  for (uint32_t i = first; i != NOBODY; i = search->nodes[i].next)
    search->nodes[i].is_started = true;
  return run_half(search, first, false) && run_half(search, first, true);
}

static void run_lengths(Search *search) {
  SearchResult *result = search->result;
  unsigned length = 0;
  while (length <= search->limits->bound) {
    result->lengths = length;
    if (search->queues[length].first == NOBODY) {
      length++;
      continue;
    }
    if (!run_queue(search, &search->queues[length]))
      return;
    length = 0;
  }
  result->lengths = length;
  result->end = search->is_full ? SEARCH_MEMORY : SEARCH_EXHAUSTED;
}

static bool open_batch(Batch *batch, uint32_t most) {
  batch->lists = calloc(most, sizeof *batch->lists);
  batch->numbers = calloc(most, sizeof *batch->numbers);
  return batch->lists && batch->numbers;
}

static bool open_search(Search *search) {
  const Executor *executor = search->executor;
  assert(executor->most && executor->ahead);
  for (unsigned i = 0; i <= MOST_DELAYS; i++)
    search->queues[i].first = NOBODY;
  search->batches = calloc(executor->ahead, sizeof *search->batches);
  search->trials = calloc(executor->most, sizeof *search->trials);
  for (uint32_t i = 0; search->batches && i < executor->ahead; i++)
    if (!open_batch(&search->batches[i], executor->most))
      return false;
  return search->batches && search->trials && add_node(search, (Node){0});
}

static void close_search(Search *search) {
  for (uint32_t i = 0; search->batches && i < search->executor->ahead; i++) {
    free(search->batches[i].lists);
    free(search->batches[i].numbers);
  }
  seen_free(&search->starts);
  seen_free(&search->orders);
  free(search->nodes);
  free(search->batches);
  free(search->trials);
}

void schedule_search(const SearchLimits *limits, const Executor *executor,
                     SearchResult *result) {
  Search search = {.limits = limits, .executor = executor, .result = result};
  assert(limits->bound <= MOST_DELAYS);
  *result = (SearchResult){.end = SEARCH_MEMORY};
  if (open_search(&search)) {
    run_lengths(&search);
    result->left = search.count - schedule_count(result);
  }
  close_search(&search);
}

// --------------------------------------------------------------- minimise ---

void executor_try(const Executor *executor, const DelayList *list,
                  Trial *trial) {
  executor->begin(executor->data, list, 1);
  executor->finish(executor->data, trial);
}

static DelayList some_of(const DelayList *list, unsigned members) {
  DelayList some = {.count = 0};
  for (unsigned i = 0; i < list->count; i++)
    if (members >> i & 1)
      some.at[some.count++] = list->at[i];
  return some;
}

static bool fails_alike(const SearchLimits *limits, const Executor *executor,
                        SearchResult *result, const DelayList *list) {
  Search search = {.limits = limits, .result = result};
  Trial trial = {0};
  result->minimising++;
  executor_try(executor, list, &trial);
  if (!is_bug(&search, &trial) || trial.kind != result->trial.kind ||
      (trial.kind == TRIAL_FAILED && trial.incident != result->trial.incident))
    return false;
  keep(&result->trial, &trial);
  return true;
}

void schedule_minimise(const SearchLimits *limits, const Executor *executor,
                       SearchResult *result) {
  DelayList whole = result->found;
  result->is_minimal = true;
  for (unsigned length = 0; length < whole.count; length++)
    for (unsigned members = 0; members < 1U << whole.count; members++) {
      DelayList some = some_of(&whole, members);
      if (some.count == length &&
          fails_alike(limits, executor, result, &some)) {
        result->found = some;
        return;
      }
    }
}
