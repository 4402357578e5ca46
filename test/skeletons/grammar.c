// From a number to a skeleton.
//
// A skeleton is a shape and what is special about it.  The shape says how the
// loops stand to each other, which accesses read and which write, and where
// accesses and barriers are.  Everything else is a feature with a plain choice:
// loops run to the scalar argument or to 2, threads access their own cells,
// nothing is conditional.  The level of a skeleton is the number of its
// features that are not plain, so the levels come in the order of how much
// there is to read, and level 0 has every shape.
//
// Few of all choices together make a kernel in which one of them matters, so
// there are themes: grammars with some of the loops, accesses and choices, of
// which more special ones at once can be looked at.
//
// Skeletons of one level of a theme are numbered without gaps: by the sort of
// their shape (loops, accesses, barriers), which decides what can be special,
// then by shape, then by features.  Neighbours are alike, so the numbers are
// spread over the level by a multiplication; any range has some of everything.
// An index takes turns among the themes and levels.  Whoever changes the tables
// changes what an index is, and those that the Makefile names.

#include "test/skeletons/skeleton.h"

#include <assert.h>

enum { MOST_CHOICES = 19, SORTS = NESTS * 2 * 3 };

// --------------------------------------------------------------- choices ---

// What needs a loop stands behind what does not, and what needs a second one
// or an outer one behind that: see choices_of.
#define CONDITIONS                                                             \
  {"always", "thread", "uniform", "data",    "uniform data",                   \
   "f",      "x",      "last",    "not last"}
#define INDEXES                                                                \
  {"own", "constant", "own+1", "own^1", "f", "i", "x", "counter+1", "j"}
#define OPS {"read or write", "atomic", "assert or same value"}
#define VIAS {"plainly", "returned", "stored", "integer", "vector"}
#define TRIPS(plain, other)                                                    \
  {plain, other, "thread",      "data",     "uniform data",                    \
   "f",   "x",   "from thread", "do while", "halving"}
#define EXITS                                                                  \
  {"none",                                                                     \
   "break uniform",                                                            \
   "break thread",                                                             \
   "break data",                                                               \
   "continue uniform",                                                         \
   "continue thread",                                                          \
   "continue data",                                                            \
   "return uniform",                                                           \
   "return thread",                                                            \
   "return data",                                                              \
   "break last uniform",                                                       \
   "break last thread",                                                        \
   "break last data",                                                          \
   "return last uniform",                                                      \
   "return last thread",                                                       \
   "return last data",                                                         \
   "break outer uniform",                                                      \
   "break outer thread",                                                       \
   "break outer data"}

typedef struct FeatureRow {
  const char *name;
  const char *choices[MOST_CHOICES];
} FeatureRow;

static const FeatureRow rows[FEATURES] = {
    [FEATURE_TRIP_1] = {"loop 1 to", TRIPS("n", "2")},
    [FEATURE_TRIP_2] = {"loop 2 to", TRIPS("2", "n")},
    [FEATURE_EXIT_1] = {"exit 1", EXITS},
    [FEATURE_EXIT_2] = {"exit 2", EXITS},
    [FEATURE_CARRY] = {"x", {"counts inner", "counter", "f", "counts outer"}},
    [FEATURE_ARRAYS] = {"arrays",
                        {"shared", "global", "first global", "last global"}},
    [FEATURE_BLOCKS] = {"blocks", {"1", "2"}},
    [FEATURE_BARRIER_1] = {"barrier", {"block", "warp", "grid"}},
    [FEATURE_BARRIER_2] = {"barrier", {"block", "warp", "grid"}},
    [FEATURE_WHEN_1] = {"barrier when", CONDITIONS},
    [FEATURE_WHEN_2] = {"barrier when", CONDITIONS},
    [FEATURE_OP_1] = {"access", OPS},
    [FEATURE_OP_2] = {"access", OPS},
    [FEATURE_OP_3] = {"access", OPS},
    [FEATURE_INDEX_1] = {"index", INDEXES},
    [FEATURE_INDEX_2] = {"index", INDEXES},
    [FEATURE_INDEX_3] = {"index", INDEXES},
    [FEATURE_GUARD_1] = {"access when", CONDITIONS},
    [FEATURE_GUARD_2] = {"access when", CONDITIONS},
    [FEATURE_GUARD_3] = {"access when", CONDITIONS},
    [FEATURE_VIA_1] = {"array", VIAS},
    [FEATURE_VIA_2] = {"array", VIAS},
    [FEATURE_VIA_3] = {"array", VIAS},
};

const char *feature_name(Feature feature) { return rows[feature].name; }

const char *choice_name(Feature feature, unsigned choice) {
  return choice < MOST_CHOICES ? rows[feature].choices[choice] : NULL;
}

const char *nest_name(Nest nest) {
  static const char *const names[NESTS] = {"no loop", "one loop",
                                           "nested loops", "two loops"};
  return names[nest];
}

// ----------------------------------------------------------------- sorts ---

typedef struct Sort {
  Nest nest;
  unsigned accesses, barriers;
} Sort;

static Sort sort_at(unsigned number) {
  return (Sort){(Nest)(number / 6), 2 + number / 3 % 2, number % 3};
}

static unsigned by_nest(const Sort *sort, unsigned none, unsigned one,
                        unsigned two) {
  switch (sort->nest) {
  case NEST_NONE:
    return none;
  case NEST_ONE:
    return one;
  case NEST_NESTED:
  case NEST_TWO:
    return two;
  case NESTS:
    break;
  }
  assert(false);
  return 0;
}

// How many choices a feature has in skeletons of this sort, the plain one not
// counted.
static unsigned choices_of(const Sort *sort, Feature feature) {
  bool has_two = sort->nest == NEST_NESTED || sort->nest == NEST_TWO;
  switch (feature) {
  case FEATURE_TRIP_1:
    return by_nest(sort, 0, 9, 9);
  case FEATURE_TRIP_2:
    return by_nest(sort, 0, 0, 9);
  case FEATURE_EXIT_1:
    return by_nest(sort, 0, 15, 15);
  case FEATURE_EXIT_2:
    return has_two ? (sort->nest == NEST_NESTED ? 18 : 15) : 0;
  case FEATURE_CARRY:
    return by_nest(sort, 0, 2, sort->nest == NEST_NESTED ? 3 : 2);
  case FEATURE_ARRAYS:
    return 3;
  case FEATURE_BLOCKS:
    return 1;
  case FEATURE_BARRIER_1:
    return sort->barriers > 0 ? 2 : 0;
  case FEATURE_BARRIER_2:
    return sort->barriers > 1 ? 2 : 0;
  case FEATURE_WHEN_1:
    return sort->barriers > 0 ? by_nest(sort, 5, 8, 8) : 0;
  case FEATURE_WHEN_2:
    return sort->barriers > 1 ? by_nest(sort, 5, 8, 8) : 0;
  case FEATURE_OP_1:
  case FEATURE_OP_2:
    return 2;
  case FEATURE_OP_3:
    return sort->accesses > 2 ? 2 : 0;
  case FEATURE_INDEX_1:
  case FEATURE_INDEX_2:
    return by_nest(sort, 4, 7, 8);
  case FEATURE_INDEX_3:
    return sort->accesses > 2 ? by_nest(sort, 4, 7, 8) : 0;
  case FEATURE_GUARD_1:
  case FEATURE_GUARD_2:
    return by_nest(sort, 5, 8, 8);
  case FEATURE_GUARD_3:
    return sort->accesses > 2 ? by_nest(sort, 5, 8, 8) : 0;
  case FEATURE_VIA_1:
  case FEATURE_VIA_2:
    return 4;
  case FEATURE_VIA_3:
    return sort->accesses > 2 ? 4 : 0;
  case FEATURES:
    break;
  }
  assert(false);
  return 0;
}

// ---------------------------------------------------------------- themes ---

// Sets of choices, nests, numbers: a bit for each.
#define ALL (~0u)
#define BIT(n) (1u << (n))
#define EACH_BARRIER(feature, set)                                             \
  [FEATURE_##feature##_1] = (set), [FEATURE_##feature##_2] = (set)
#define EACH_ACCESS(feature, set)                                              \
  EACH_BARRIER(feature, set), [FEATURE_##feature##_3] = (set)

typedef struct Theme {
  const char *name;
  unsigned nests, accesses, barriers;
  unsigned choices[FEATURES]; // that may be special
  unsigned plain[FEATURES];   // what a feature is if it is not
} Theme;

enum {
  THEME_ALL,
  THEME_LEAVING,
  THEME_CARRIED,
  THEME_POINTERS,
  THEME_SCOPES,
  THEME_VALUES,
  THEMES
};

static const Theme themes[THEMES] = {
    [THEME_ALL] = {"everything",
                   ALL,
                   ALL,
                   ALL,
                   {EACH_BARRIER(TRIP, ALL), EACH_BARRIER(EXIT, ALL),
                    EACH_BARRIER(BARRIER, ALL), EACH_BARRIER(WHEN, ALL),
                    EACH_ACCESS(OP, ALL), EACH_ACCESS(INDEX, ALL),
                    EACH_ACCESS(GUARD, ALL), EACH_ACCESS(VIA, ALL),
                    [FEATURE_CARRY] = ALL, [FEATURE_ARRAYS] = ALL,
                    [FEATURE_BLOCKS] = ALL},
                   {0}},
    // Threads leave loops in different iterations, and use what they did.
    [THEME_LEAVING] = {"leaving",
                       BIT(NEST_ONE) | BIT(NEST_NESTED),
                       BIT(2),
                       BIT(1) | BIT(2),
                       {EACH_BARRIER(TRIP, ALL), EACH_BARRIER(EXIT, ALL),
                        EACH_BARRIER(WHEN, BIT(6) | BIT(7) | BIT(8)),
                        EACH_ACCESS(OP, ALL),
                        EACH_ACCESS(INDEX,
                                    BIT(1) | BIT(3) | BIT(5) | BIT(6) | BIT(8)),
                        EACH_ACCESS(GUARD, BIT(1)), [FEATURE_CARRY] = ALL},
                       {0}},
    // Indexes are made in an inner loop and used in the outer one.
    [THEME_CARRIED] = {"carried",
                       BIT(NEST_NESTED),
                       BIT(2),
                       BIT(1) | BIT(2),
                       {[FEATURE_TRIP_2] = BIT(1) | BIT(2) | BIT(9),
                        EACH_ACCESS(OP, BIT(2)),
                        EACH_ACCESS(INDEX, BIT(1) | BIT(6) | BIT(7) | BIT(8)),
                        EACH_ACCESS(GUARD, BIT(1)),
                        [FEATURE_CARRY] = ALL},
                       {0}},
    // The only writes of an array are through pointers that were stored.
    [THEME_POINTERS] = {"pointers",
                        BIT(NEST_NONE) | BIT(NEST_ONE),
                        BIT(2) | BIT(3),
                        ALL,
                        {EACH_BARRIER(WHEN, BIT(1) | BIT(5)),
                         EACH_ACCESS(OP, BIT(2)), EACH_ACCESS(INDEX, BIT(1)),
                         EACH_ACCESS(GUARD, BIT(1) | BIT(5)),
                         EACH_ACCESS(VIA, ALL)},
                        {[FEATURE_ARRAYS] = 1}},
    // Whom a barrier is for, and who sees an array.
    [THEME_SCOPES] = {"scopes",
                      BIT(NEST_NONE) | BIT(NEST_ONE),
                      ALL,
                      BIT(1) | BIT(2),
                      {EACH_BARRIER(BARRIER, ALL), [FEATURE_ARRAYS] = ALL,
                       [FEATURE_BLOCKS] = ALL,
                       EACH_BARRIER(WHEN, BIT(2) | BIT(8)),
                       EACH_ACCESS(OP, ALL),
                       EACH_ACCESS(INDEX, BIT(1) | BIT(2) | BIT(5)),
                       EACH_ACCESS(GUARD, BIT(1) | BIT(2))},
                      {0}},
    // What was read decides where to go and what to access.
    [THEME_VALUES] = {"values",
                      BIT(NEST_NONE) | BIT(NEST_ONE) | BIT(NEST_NESTED),
                      BIT(2) | BIT(3),
                      BIT(1) | BIT(2),
                      {EACH_BARRIER(TRIP, BIT(1) | BIT(5)),
                       EACH_BARRIER(WHEN, BIT(5) | BIT(6)),
                       EACH_ACCESS(OP, ALL), [FEATURE_CARRY] = BIT(2),
                       EACH_ACCESS(INDEX, BIT(1) | BIT(4) | BIT(6)),
                       EACH_ACCESS(GUARD, BIT(1) | BIT(5)),
                       [FEATURE_ARRAYS] = ALL},
                      {0}},
};

const char *theme_name(unsigned theme) {
  return theme < THEMES ? themes[theme].name : NULL;
}

static bool is_of(const Theme *theme, const Sort *sort) {
  return theme->nests & BIT(sort->nest) &&
         theme->accesses & BIT(sort->accesses) &&
         theme->barriers & BIT(sort->barriers);
}

// The special choices of a feature in a theme, as a set.
static unsigned specials(const Theme *theme, const Sort *sort,
                         Feature feature) {
  unsigned possible = BIT(choices_of(sort, feature) + 1) - 1;
  return theme->choices[feature] & possible & ~BIT(0);
}

static unsigned count_of(unsigned set) {
  unsigned count = 0;
  for (; set; set &= set - 1)
    count++;
  return count;
}

static unsigned member(unsigned set, unsigned number) {
  while (number--)
    set &= set - 1;
  unsigned lowest = 0;
  while (!(set >> lowest & 1))
    lowest++;
  return lowest;
}

// ---------------------------------------------------------------- features ---

// In how many ways `special` of the features from `feature` on can be special.
static uint64_t ways(const Theme *theme, const Sort *sort, unsigned feature,
                     unsigned special) {
  static uint64_t known[THEMES][SORTS][FEATURES + 1][LEVELS];
  unsigned number = sort->nest * 6 + (sort->accesses - 2) * 3 + sort->barriers;
  uint64_t *result = &known[theme - themes][number][feature][special];
  if (!special)
    return 1;
  if (feature == FEATURES)
    return 0;
  if (!*result) // 0 is found again each time, and soon
    *result = ways(theme, sort, feature + 1, special) +
              count_of(specials(theme, sort, (Feature)feature)) *
                  ways(theme, sort, feature + 1, special - 1);
  return *result;
}

static void fill_features(const Theme *theme, const Sort *sort,
                          unsigned special, uint64_t number, Skeleton *s) {
  for (unsigned feature = 0; feature < FEATURES; feature++) {
    uint64_t without = ways(theme, sort, feature + 1, special);
    s->feature[feature] = theme->plain[feature];
    if (number < without)
      continue;
    number -= without;
    special--;
    uint64_t each = ways(theme, sort, feature + 1, special);
    s->feature[feature] = member(specials(theme, sort, (Feature)feature),
                                 (unsigned)(number / each));
    number %= each;
  }
  assert(!special && !number);
}

// ---------------------------------------------------------------- shapes ---

static unsigned places_of(Nest nest) {
  static const unsigned places[NESTS] = {1, 3, 5, 5};
  return places[nest];
}

// In how many ways `items` can be put at places from `place` on, in order.
static unsigned placings(unsigned items, unsigned place, unsigned places) {
  if (!items)
    return 1;
  unsigned sum = 0;
  for (; place < places; place++)
    sum += placings(items - 1, place, places);
  return sum;
}

static void fill_places(const Sort *sort, unsigned number, Skeleton *s) {
  unsigned items = sort->accesses + sort->barriers, place = 0;
  for (unsigned i = 0; i < items; i++) {
    unsigned rest;
    while (number >=
           (rest = placings(items - i - 1, place, places_of(sort->nest)))) {
      number -= rest;
      place++;
    }
    s->items[i].position = place;
  }
}

static unsigned choose(unsigned n, unsigned k) {
  unsigned result = 1;
  for (unsigned i = 0; i < k; i++)
    result = result * (n - i) / (i + 1);
  return result;
}

static unsigned orders(const Sort *sort) {
  return choose(sort->accesses + sort->barriers, sort->barriers);
}

static void fill_order(const Sort *sort, unsigned number, Skeleton *s) {
  unsigned items = sort->accesses + sort->barriers, left = sort->barriers;
  for (unsigned i = 0; i < items && left; i++) {
    unsigned with = choose(items - i - 1, left - 1);
    s->items[i].is_barrier = number < with;
    if (number < with)
      left--;
    else
      number -= with;
  }
}

// Reads alone do not race.
static unsigned patterns(const Sort *sort) {
  return (1u << sort->accesses) - 1;
}

static uint64_t shapes(const Sort *sort) {
  return (uint64_t)patterns(sort) * orders(sort) *
         placings(sort->accesses + sort->barriers, 0, places_of(sort->nest));
}

static void fill_shape(const Sort *sort, uint64_t number, Skeleton *s) {
  unsigned pattern = 1 + (unsigned)(number % patterns(sort));
  number /= patterns(sort);
  for (unsigned i = 0; i < sort->accesses; i++)
    s->writes[i] = pattern >> i & 1;
  fill_order(sort, (unsigned)(number % orders(sort)), s);
  fill_places(sort, (unsigned)(number / orders(sort)), s);
}

// ---------------------------------------------------------------- levels ---

static uint64_t count_in(const Theme *theme, const Sort *sort, unsigned level) {
  return is_of(theme, sort) ? shapes(sort) * ways(theme, sort, 0, level) : 0;
}

uint64_t skeletons_of(unsigned theme, unsigned level) {
  static uint64_t known[THEMES][LEVELS];
  uint64_t sum = known[theme][level];
  for (unsigned i = 0; i < SORTS && !known[theme][level]; i++) {
    Sort sort = sort_at(i);
    sum += count_in(&themes[theme], &sort, level);
  }
  return known[theme][level] = sum;
}

static void fill(const Theme *theme, uint64_t number, Skeleton *s) {
  for (unsigned i = 0; i < SORTS; i++) {
    Sort sort = sort_at(i);
    uint64_t each = ways(theme, &sort, 0, s->level);
    uint64_t all = count_in(theme, &sort, s->level);
    if (number >= all) {
      number -= all;
      continue;
    }
    s->nest = sort.nest;
    s->accesses = sort.accesses;
    s->barriers = sort.barriers;
    fill_shape(&sort, number / each, s);
    fill_features(theme, &sort, s->level, number % each, s);
    return;
  }
  assert(false);
}

static uint64_t common_divisor(uint64_t a, uint64_t b) {
  while (b) {
    uint64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

// One-to-one on the numbers below `all`.
static uint64_t spread(uint64_t number, uint64_t all) {
  __extension__ typedef unsigned __int128 Wide;
  uint64_t factor = (uint64_t)((double)all * 0.6180339887) | 1;
  while (common_divisor(factor, all) != 1)
    factor += 2;
  return (uint64_t)((Wide)number * factor % all);
}

typedef struct Turn {
  unsigned theme, level;
} Turn;

// Levels that can be sampled only have more than one.
static const Turn turns[TURNS] = {
    {THEME_ALL, 1},      {THEME_LEAVING, 2}, {THEME_CARRIED, 3},
    {THEME_SCOPES, 2},   {THEME_VALUES, 3},  {THEME_POINTERS, 2},
    {THEME_ALL, 2},      {THEME_LEAVING, 3}, {THEME_CARRIED, 4},
    {THEME_ALL, 3},      {THEME_SCOPES, 3},  {THEME_POINTERS, 3},
    {THEME_VALUES, 2},   {THEME_LEAVING, 1}, {THEME_ALL, 2},
    {THEME_CARRIED, 4},  {THEME_ALL, 3},     {THEME_LEAVING, 3},
    {THEME_POINTERS, 4}, {THEME_ALL, 4},     {THEME_CARRIED, 2},
    {THEME_VALUES, 4},   {THEME_SCOPES, 4},  {THEME_POINTERS, 5},
    {THEME_LEAVING, 4},  {THEME_CARRIED, 5}, {THEME_ALL, 5},
    {THEME_ALL, 0},
};

// Which of its theme and level an index is.
static uint64_t number_of(uint64_t index) {
  const Turn *turn = &turns[index % TURNS];
  unsigned all = 0, before = 0;
  for (unsigned i = 0; i < TURNS; i++) {
    bool is_alike =
        turns[i].theme == turn->theme && turns[i].level == turn->level;
    all += is_alike;
    before += is_alike && i < index % TURNS;
  }
  return index / TURNS * all + before;
}

// Says the same without something special, or without a loop.
static bool is_redundant(const Skeleton *s) {
  Tree tree;
  tree_make(s, &tree);
  return (s->feature[FEATURE_CARRY] && !tree.uses_x) ||
         tree_has_idle_loop(&tree);
}

bool skeleton_at(uint64_t index, Skeleton *s) {
  const Turn *turn = &turns[index % TURNS];
  uint64_t number = number_of(index);
  uint64_t all = skeletons_of(turn->theme, turn->level);
  *s = (Skeleton){.index = index, .theme = turn->theme, .level = turn->level};
  if (number >= all)
    return false;
  fill(&themes[turn->theme], spread(number, all), s);
  return !is_redundant(s);
}
