// The search for all schedules, in its parts.

#ifndef TEST_FUZZ_SEARCH_H
#define TEST_FUZZ_SEARCH_H

#include "test/fuzz/interleave.h"

enum {
  MOST_SMALL = 4, // warps
  MOST_LANES = 12,
  MOST_ITEMS = 64,
  MOST_OPS = 16,
  MOST_NAMES = 4,
  MOST_ACCESSES = 64,
  MOST_OBJECTS = 3,
  MOST_LANDINGS = 16,
  MOST_TRIES = 32,
  MOST_STATES = 1 << 16,
  FIRST_ROOM = 1 << 8,
};

// One generation being filled.
typedef struct Filling {
  uint8_t arrived, waiting; // sets of warps
  uint8_t met;              // in warps
  uint8_t generation;
  uint16_t expected;
  bool reduces;
  uint8_t unused;
} Filling;

// An mbarrier.
typedef struct Object {
  uint8_t lives; // how often it was initialised
  bool is_live;
  uint8_t phase;
  uint8_t waited; // a wait has passed for the phases before this one
  uint8_t pending, expected;
  int16_t bytes;
} Object;

typedef struct State {
  uint8_t lanes[MOST_LANES]; // the next item
  uint8_t met[MOST_SMALL];   // barrier commands of each warp
  Filling names[MOST_NAMES];
  Object objects[MOST_OBJECTS];
  uint16_t landings; // asynchronous arrivals and bytes that are on their way
  uint16_t unused;
  uint32_t told; // tries that were told "yes"
} State;

// What an item had to do with an mbarrier, in each schedule.
typedef struct Role {
  bool is_known;
  uint8_t life;
  int8_t phase; // that it counts for, or awaits
} Role;

// A lane that is followed, and the commands that it takes part in.
typedef struct SearchLane {
  unsigned warp, lane;
  uint32_t items[MOST_ITEMS];
  Role roles[MOST_ITEMS];
  uint8_t tries[MOST_ITEMS]; // of a wait, plus 1; 0: it has none
  unsigned count;
} SearchLane;

// An item that asks.
typedef struct Try {
  unsigned lane, item;
} Try;

// An item that arrives some time later.
typedef struct Landing {
  unsigned lane, item;
} Landing;

typedef struct SearchAccess {
  unsigned lane; // index
  unsigned item;
  const Command *command;
  uint32_t address;
  uint64_t before; // accesses that were not done yet when this one was
} SearchAccess;

typedef struct SearchOp {
  uint32_t command;
  uint32_t lanes; // indices of those that take part
  int generation; // -1: not met yet
} SearchOp;

typedef struct Search {
  Arena *arena;
  const Programs *programs;
  InterleavedOutcome *outcome;
  SearchLane lanes[MOST_LANES];
  unsigned lane_count;
  SearchOp ops[MOST_SMALL][MOST_OPS];
  unsigned op_count[MOST_SMALL];
  SearchAccess accesses[MOST_ACCESSES];
  unsigned access_count;
  uint32_t objects[MOST_OBJECTS]; // addresses
  unsigned object_count;
  Landing landings[MOST_LANDINGS];
  unsigned landing_count;
  Try tries[MOST_TRIES];
  unsigned try_count;
  State *seen;
  bool *is_seen;
  size_t room; // a power of two
  Vec(State) stack;
} Search;

void search_wrong(Search *search, const char *what);
bool is_bulk(const Command *command); // an access by the async proxy
unsigned block_of(const Search *search, unsigned lane);
unsigned width_of(const Command *access);

// ------------------------------------------------- interleave_mbarrier.c ---

bool is_object_item(const Command *command);
void add_object(Search *search, const Command *command);
void add_landing(Search *search, unsigned lane, unsigned item);
void add_try(Search *search, unsigned lane, unsigned item);
// The item is a wait: finds its try.
void link_wait(Search *search, unsigned lane, unsigned item);

// May the lane go on?
bool object_lets_pass(const Search *search, const State *state, unsigned lane);
// May it be told "yes"?
bool object_is_over(const Search *search, const State *state, unsigned lane);
// It does, and is told something.
void object_move(Search *search, State *state, unsigned lane, bool is_over);
void object_land(Search *search, State *state, unsigned landing);

// The objects that are there from the start.
void objects_begin(const Search *search, State *state);
// A block has ended, and something of it is still used.
void objects_check_ends(Search *search, const State *state);

// Nothing is left to come.
void objects_weigh(Search *search, const State *state);

// An access to its bytes: wrong, if it is made.
void search_touched(Search *search, const SearchAccess *access,
                    const char *what);

// An access at this point must keep off.
void object_keep_off(Search *search, const State *state, unsigned lane);

// ---------------------------------------------------- interleave_order.c ---

// What orders the commands of a well-synchronised program in memory.
typedef struct SearchGraph SearchGraph;

SearchGraph *graph_new(Search *search);
// Has the access happened before the item?  A copy: has it been made?
bool graph_orders(const SearchGraph *graph, unsigned access, unsigned lane,
                  unsigned item);
// Is there a proxy fence between that counts?
bool graph_fences(const SearchGraph *graph, unsigned access, unsigned lane,
                  unsigned item);
// Is some mbarrier used before its beginning is known, or touched while its
// beginning or end is not?
void graph_check_objects(Search *search, const SearchGraph *graph);
// Is memory of a block accessed that may not have begun, or have ended?
void graph_check_lifetimes(Search *search, const SearchGraph *graph);

#endif
