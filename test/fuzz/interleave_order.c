// What is ordered in memory, as a graph.
//
// The items of the lanes are nodes; so are the meetings of a warp, the
// generations of barriers, the phases of mbarriers, and the ends of copies.
// An edge says that what a node knows another one gets to know.  Generations
// and phases are those that the search has found to be the same in all
// schedules.  An arrival hands on what its lane knows; bytes, and what
// announces them, hand on nothing; an asynchronous arrival hands on the ends of
// its copies; what is relaxed hands on nothing; and nobody knows more of a copy
// than that it has been made.

#include "test/fuzz/search.h"

#include <assert.h>

enum { MOST_NODES = 800, OBJECT_BYTES = 8 };

typedef enum NodeKind {
  NODE_ITEM,       // lane, item
  NODE_OP,         // warp, op
  NODE_GENERATION, // name, generation
  NODE_PHASE,      // object, life * 64 + phase
  NODE_MADE,       // access
  NODE_TOGETHER,   // warp, bar.warp.sync
} NodeKind;

typedef struct Node {
  NodeKind kind;
  unsigned a, b;
  bool is_closed;
  bool reaches[MOST_NODES];
} Node;

struct SearchGraph {
  const Search *search;
  Node *nodes;
  unsigned count;
  unsigned made[MOST_ACCESSES]; // the nodes of copies
};

// The items come first.
static unsigned item_node(const SearchGraph *graph, unsigned lane,
                          unsigned item) {
  for (unsigned i = 0; i < lane; i++)
    item += graph->search->lanes[i].count;
  return item;
}

static unsigned node_of(SearchGraph *graph, NodeKind kind, unsigned a,
                        unsigned b) {
  if (kind == NODE_ITEM)
    return item_node(graph, a, b);
  for (unsigned i = 0; i < graph->count; i++)
    if (graph->nodes[i].kind == kind && graph->nodes[i].a == a &&
        graph->nodes[i].b == b)
      return i;
  assert(graph->count < MOST_NODES);
  graph->nodes[graph->count] = (Node){.kind = kind, .a = a, .b = b};
  return graph->count++;
}

static void edge(SearchGraph *graph, unsigned from, unsigned to) {
  graph->nodes[from].reaches[to] = true;
}

static const Command *command_of(const Search *search, unsigned lane,
                                 unsigned item) {
  const SearchLane *at = &search->lanes[lane];
  return &search->programs->warps[at->warp].at[at->items[item]];
}

// ----------------------------------------------------------------- edges ---

static void add_program_order(SearchGraph *graph, unsigned lane) {
  const Search *search = graph->search;
  for (unsigned item = 0; item < search->lanes[lane].count; item++) {
    unsigned node = node_of(graph, NODE_ITEM, lane, item);
    if (item)
      edge(graph, node_of(graph, NODE_ITEM, lane, item - 1), node);
    if (command_of(search, lane, item)->kind != COMMAND_WARP_SYNC)
      continue;
    unsigned together = node_of(graph, NODE_TOGETHER, search->lanes[lane].warp,
                                search->lanes[lane].items[item]);
    edge(graph, node, together);
    edge(graph, together, node);
  }
}

static void add_lock_step(SearchGraph *graph, unsigned a, unsigned b) {
  const SearchLane *first = &graph->search->lanes[a];
  const SearchLane *second = &graph->search->lanes[b];
  if (first->warp != second->warp)
    return;
  for (unsigned i = 0; i < first->count; i++)
    for (unsigned k = 0; k < second->count; k++)
      if (first->items[i] < second->items[k])
        edge(graph, node_of(graph, NODE_ITEM, a, i),
             node_of(graph, NODE_ITEM, b, k));
}

// The items that come to a meeting; in lock step all that stand before it.
static void add_meeting(SearchGraph *graph, unsigned warp, unsigned number) {
  const Search *search = graph->search;
  const SearchOp *op = &search->ops[warp][number];
  const Command *command = &search->programs->warps[warp].at[op->command];
  unsigned node = node_of(graph, NODE_OP, warp, number);
  bool waits = command->kind != COMMAND_ARRIVE;
  unsigned generation = node_of(graph, NODE_GENERATION, command->barrier,
                                (unsigned)op->generation);
  if (number)
    edge(graph, node_of(graph, NODE_OP, warp, number - 1), node);
  edge(graph, node, generation);
  if (waits)
    edge(graph, generation, node);
  for (unsigned lane = 0; lane < search->lane_count; lane++)
    for (unsigned i = 0; i < search->lanes[lane].count; i++) {
      const SearchLane *at = &search->lanes[lane];
      if (at->warp != warp || at->items[i] > op->command)
        continue;
      bool is_own = at->items[i] == op->command;
      if (is_own || search->programs->lock_step)
        edge(graph, node_of(graph, NODE_ITEM, lane, i), node);
      if (is_own && waits)
        edge(graph, node, node_of(graph, NODE_ITEM, lane, i));
    }
}

// The copies of the lane that stand before a command.
static void add_copies(SearchGraph *graph, CommandKind kind, unsigned lane,
                       uint32_t before, unsigned to) {
  const Search *search = graph->search;
  for (unsigned i = 0; i < search->access_count; i++) {
    const SearchAccess *access = &search->accesses[i];
    if (access->lane == lane && access->command->kind == kind &&
        search->lanes[lane].items[access->item] < before)
      edge(graph, graph->made[i], to);
  }
}

// A phase for which a bulk copy counts: its command is the next.
static void add_bulk(SearchGraph *graph, unsigned lane, unsigned item,
                     unsigned phase) {
  const Search *search = graph->search;
  for (unsigned i = 0; i < search->access_count; i++)
    if (search->accesses[i].lane == lane && search->accesses[i].item == item)
      edge(graph, graph->made[i], phase);
}

static void add_role(SearchGraph *graph, unsigned lane, unsigned item) {
  const Search *search = graph->search;
  const Command *command = command_of(search, lane, item);
  const Role *role = &search->lanes[lane].roles[item];
  unsigned node = node_of(graph, NODE_ITEM, lane, item);
  if (command->kind == COMMAND_COPIES_DONE)
    add_copies(graph, COMMAND_COPY, lane, command->before, node);
  if (command->kind == COMMAND_BULKS_DONE)
    add_copies(graph, COMMAND_BULK_READ, lane, command->before, node);
  if (!is_object_item(command) || role->phase < 0)
    return;
  unsigned phase = node_of(graph, NODE_PHASE, command->address,
                           role->life * 64 + (unsigned)role->phase);
  if ((command->kind == COMMAND_MBARRIER_ARRIVE ||
       command->kind == COMMAND_MBARRIER_DROP) &&
      !command->is_relaxed)
    edge(graph, node, phase);
  if (command->kind == COMMAND_COPY_ARRIVE)
    add_copies(graph, COMMAND_COPY, lane, search->lanes[lane].items[item],
               phase);
  if (command->kind == COMMAND_BULK_COMPLETE)
    add_bulk(graph, lane, item - 1, phase);
  if (command->kind == COMMAND_MBARRIER_WAIT && !command->is_relaxed)
    edge(graph, phase, node);
}

// --------------------------------------------------------------- closure ---

static bool reaches(const SearchGraph *graph, unsigned from, unsigned to) {
  unsigned stack[MOST_NODES], depth = 0;
  Node *node = &graph->nodes[from];
  for (unsigned i = 0; i < graph->count && !node->is_closed; i++)
    if (node->reaches[i])
      stack[depth++] = i;
  node->is_closed = true;
  while (depth) {
    const Node *next = &graph->nodes[stack[--depth]];
    for (unsigned i = 0; i < graph->count; i++)
      if (next->reaches[i] && !node->reaches[i]) {
        node->reaches[i] = true;
        stack[depth++] = i;
      }
  }
  return node->reaches[to];
}

SearchGraph *graph_new(Search *search) {
  SearchGraph *graph = NEW(search->arena, SearchGraph);
  graph->search = search;
  graph->nodes = arena_alloc(search->arena, MOST_NODES * sizeof(Node));
  for (unsigned lane = 0; lane < search->lane_count; lane++)
    for (unsigned item = 0; item < search->lanes[lane].count; item++)
      graph->nodes[graph->count++] =
          (Node){.kind = NODE_ITEM, .a = lane, .b = item};
  for (unsigned i = 0; i < search->access_count; i++)
    graph->made[i] = node_of(graph, NODE_MADE, i, 0);
  for (unsigned lane = 0; lane < search->lane_count; lane++) {
    add_program_order(graph, lane);
    for (unsigned item = 0; item < search->lanes[lane].count; item++)
      add_role(graph, lane, item);
    for (unsigned other = 0; other < search->lane_count; other++)
      if (search->programs->lock_step)
        add_lock_step(graph, lane, other);
  }
  for (unsigned warp = 0; warp < MOST_SMALL; warp++)
    for (unsigned i = 0; i < search->op_count[warp]; i++)
      add_meeting(graph, warp, i);
  return graph;
}

bool graph_orders(const SearchGraph *graph, unsigned access, unsigned lane,
                  unsigned item) {
  const SearchAccess *from = &graph->search->accesses[access];
  unsigned node = graph->made[access];
  if (from->command->kind != COMMAND_COPY && !is_bulk(from->command))
    node = item_node(graph, from->lane, from->item);
  return reaches(graph, node, item_node(graph, lane, item));
}

// A lane's own, or within a block one of another lane on the way.
bool graph_fences(const SearchGraph *graph, unsigned access, unsigned lane,
                  unsigned item) {
  const Search *search = graph->search;
  unsigned own = search->accesses[access].lane;
  bool is_one = programs_blocks(search->programs) == 1;
  for (unsigned other = 0; other < search->lane_count; other++)
    for (unsigned i = 0; i < search->lanes[other].count; i++)
      if ((is_one || other == own) &&
          command_of(search, other, i)->kind == COMMAND_PROXY_FENCE &&
          graph_orders(graph, access, other, i) &&
          reaches(graph, item_node(graph, other, i),
                  item_node(graph, lane, item)))
        return true;
  return false;
}

// --------------------------------------------------------------- objects ---

typedef struct Item {
  unsigned lane, item;
} Item;

static bool is_life(const Command *command) {
  return command->kind == COMMAND_MBARRIER_INIT ||
         command->kind == COMMAND_MBARRIER_INVAL;
}

static bool is_ordered(const SearchGraph *graph, Item a, Item b) {
  return reaches(graph, item_node(graph, a.lane, a.item),
                 item_node(graph, b.lane, b.item));
}

// A wait that is made where nothing is may pass at once, so what it waits for
// comes too late.
static bool reaches_before(const SearchGraph *graph, unsigned node, Item to) {
  const Search *search = graph->search;
  const SearchLane *own = &search->lanes[to.lane];
  if (command_of(search, to.lane, to.item)->kind != COMMAND_MBARRIER_WAIT)
    return reaches(graph, node, item_node(graph, to.lane, to.item));
  for (unsigned lane = 0; lane < search->lane_count; lane++) {
    const SearchLane *other = &search->lanes[lane];
    bool counts = lane == to.lane ||
                  (search->programs->lock_step && other->warp == own->warp);
    for (unsigned i = 0; counts && i < other->count; i++) {
      unsigned before = item_node(graph, lane, i);
      if (other->items[i] < own->items[to.item] &&
          (before == node || reaches(graph, node, before)))
        return true;
    }
  }
  return false;
}

static unsigned phase_node(const SearchGraph *graph, unsigned lane,
                           unsigned item) {
  const Command *command = command_of(graph->search, lane, item);
  const Role *role = &graph->search->lanes[lane].roles[item];
  unsigned b = role->life * 64 + (unsigned)role->phase;
  unsigned i = 0;
  while (i < graph->count &&
         !(graph->nodes[i].kind == NODE_PHASE &&
           graph->nodes[i].a == command->address && graph->nodes[i].b == b))
    i++;
  return i;
}

// By a fence for what has been initialised, and a relaxed arrival behind it at
// the barrier of the cluster.
static bool is_published(const SearchGraph *graph, Item init, Item use) {
  bool is_fenced = false;
  unsigned count = graph->search->lanes[init.lane].count;
  for (unsigned i = init.item + 1; i < count; i++) {
    const Command *command = command_of(graph->search, init.lane, i);
    is_fenced |= command->kind == COMMAND_INIT_FENCE;
    if (!is_fenced || !is_object_item(command) || !command->is_relaxed ||
        command->address != CLUSTER_BARRIER ||
        command->kind != COMMAND_MBARRIER_ARRIVE)
      continue;
    unsigned phase = phase_node(graph, init.lane, i);
    if (phase < graph->count && reaches_before(graph, phase, use))
      return true;
  }
  return false;
}

// `a` begins or ends an object.
static void check_items(Search *search, const SearchGraph *graph, Item a,
                        Item b) {
  const Command *life = command_of(search, a.lane, a.item);
  const Command *other = command_of(search, b.lane, b.item);
  const Role *role = &search->lanes[a.lane].roles[a.item];
  if (!is_object_item(other) || other->address != life->address)
    return;
  if (is_life(other)) {
    if (!is_ordered(graph, a, b) && !is_ordered(graph, b, a))
      search_wrong(search, "beginning and end are not ordered");
  } else if (life->kind == COMMAND_MBARRIER_INIT &&
             search->lanes[b.lane].roles[b.item].life >= role->life &&
             !reaches_before(graph, item_node(graph, a.lane, a.item), b) &&
             !is_published(graph, a, b))
    search_wrong(search, "the beginning is not published");
}

static void check_accesses(Search *search, const SearchGraph *graph,
                           Item life) {
  uint32_t address = command_of(search, life.lane, life.item)->address;
  for (unsigned i = 0; i < search->access_count; i++) {
    const SearchAccess *access = &search->accesses[i];
    bool overlaps = access->address < address + OBJECT_BYTES &&
                    address < access->address + width_of(access->command);
    if (overlaps && !graph_orders(graph, i, life.lane, life.item) &&
        !is_ordered(graph, life, (Item){access->lane, access->item}))
      search_touched(search, access, "an mbarrier may be touched");
  }
}

void graph_check_objects(Search *search, const SearchGraph *graph) {
  for (unsigned lane = 0; lane < search->lane_count; lane++)
    for (unsigned item = 0; item < search->lanes[lane].count; item++) {
      Item life = {lane, item};
      if (!is_life(command_of(search, lane, item)))
        continue;
      for (unsigned i = 0; i < search->lane_count; i++)
        for (unsigned k = 0; k < search->lanes[i].count; k++)
          if (i != lane || k != item)
            check_items(search, graph, life, (Item){i, k});
      check_accesses(search, graph, life);
    }
}

// ---------------------------------------------------------------- blocks ---

// The lane knows of something that a lane of the block has done, or that all
// have met at the barrier of the cluster.
static bool has_begun(const SearchGraph *graph, unsigned block, unsigned node) {
  const Search *search = graph->search;
  for (unsigned lane = 0; lane < search->lane_count; lane++)
    for (unsigned i = 0; i < search->lanes[lane].count; i++)
      if (block_of(search, lane) == block &&
          reaches(graph, item_node(graph, lane, i), node))
        return true;
  for (unsigned i = 0; i < graph->count; i++)
    if (graph->nodes[i].kind == NODE_PHASE &&
        graph->nodes[i].a == CLUSTER_BARRIER && reaches(graph, i, node))
      return true;
  return false;
}

static bool is_known_at_end(const SearchGraph *graph, unsigned access,
                            unsigned block) {
  const Search *search = graph->search;
  for (unsigned lane = 0; lane < search->lane_count; lane++)
    if (block_of(search, lane) == block && search->lanes[lane].count &&
        graph_orders(graph, access, lane, search->lanes[lane].count - 1))
      return true;
  return false;
}

void graph_check_lifetimes(Search *search, const SearchGraph *graph) {
  for (unsigned i = 0; i < search->access_count; i++) {
    const SearchAccess *access = &search->accesses[i];
    unsigned block = access->address / MOST_SHARED_BYTES;
    if (block == block_of(search, access->lane) || is_bulk(access->command) ||
        access->command->kind == COMMAND_COPY)
      continue;
    if (!has_begun(graph, block, item_node(graph, access->lane, access->item)))
      search_wrong(search, "a block is accessed that may not run yet");
    if (!is_known_at_end(graph, i, block))
      search_wrong(search, "a block is accessed that may have ended");
  }
}
