// What lanes of a warp tell each other, against what PTX's manual defines:
// every operation, with masks, lanes that have left before or meanwhile, and
// numbers at the edges.
//
// The definitions below are the manual's (shfl.sync, vote.sync, match.sync,
// redux.sync) and know the runtime by its results only.

#define _GNU_SOURCE

#include "runtime/machine/machine.h"
#include "test/unit/suite.h"

#include <stdlib.h>
#include <string.h>

typedef uint32_t Word;

enum { MOST_LANES = 32, SHUFFLES = 4, PATTERNS = 8, SECONDS = 120 };

typedef struct Operands {
  uint64_t value;
  Word mask, by, clamp;
} Operands;

// --------------------------------------------------------------- definitions
// ---

// All lanes that take part: not exited, in the mask.
typedef struct Warp {
  Word active;
  uint64_t value[MOST_LANES];
} Warp;

static bool is_in(Word lanes, unsigned lane) { return lanes >> lane & 1; }

static Word votes(const Warp *warp) {
  Word yes = 0;
  for (unsigned i = 0; i < MOST_LANES; i++)
    if (is_in(warp->active, i) && warp->value[i] & 1)
      yes |= UINT32_C(1) << i;
  return yes;
}

static Word equals(const Warp *warp, unsigned lane, uint64_t bits) {
  Word same = 0;
  for (unsigned i = 0; i < MOST_LANES; i++)
    if (is_in(warp->active, i) &&
        !((warp->value[i] ^ warp->value[lane]) & bits))
      same |= UINT32_C(1) << i;
  return same;
}

static Word fold(const Warp *warp, char how) {
  bool is_first = true;
  int64_t all = 0;
  for (unsigned i = 0; i < MOST_LANES; i++) {
    int64_t one = strchr("mM", how) ? (int32_t)warp->value[i]
                                    : (int64_t)(Word)warp->value[i];
    if (!is_in(warp->active, i))
      continue;
    bool is_less = one < all;
    if (is_first)
      all = one;
    else if (how == '+')
      all += one;
    else if (how == '&')
      all &= one;
    else if (how == '|')
      all |= one;
    else if (how == '^')
      all ^= one;
    else if (is_less == (how == 'm' || how == 'u'))
      all = one;
    is_first = false;
  }
  return (Word)all;
}

// The lane that is read from, or -1: its own, for there is none.
static int source(char mode, int lane, Word b, Word c) {
  int bval = b & 31, cval = c & 31, segmask = c >> 8 & 31;
  int max_lane = (lane & segmask) | (cval & ~segmask);
  int min_lane = lane & segmask, j = 0;
  bool pval = false;
  switch (mode) {
  case 'u':
    j = lane - bval;
    pval = j >= max_lane;
    break;
  case 'd':
    j = lane + bval;
    pval = j <= max_lane;
    break;
  case 'b':
    j = lane ^ bval;
    pval = j <= max_lane;
    break;
  case 'i':
    j = min_lane | (bval & ~segmask);
    pval = j <= max_lane;
    break;
  }
  return pval ? j : -1;
}

// ---------------------------------------------------------------- operations
// ---

typedef struct Operation {
  const char *name;
  Word (*execute)(const Operands *);
  Word (*define)(const Warp *, unsigned lane);
  char mode; // of a shuffle
} Operation;

#define ALL32 UINT32_MAX
#define OPERATION(id, call, definition)                                        \
  static Word execute_##id(const Operands *g) { return call; }                 \
  static Word define_##id(const Warp *w, unsigned lane) {                      \
    (void)lane, (void)w;                                                       \
    return definition;                                                         \
  }
OPERATION(all, warp_vote_all(g->mask, (Word)g->value), votes(w) == w->active)
OPERATION(any, warp_vote_any(g->mask, (Word)g->value), votes(w) != 0)
OPERATION(uni, warp_vote_uni(g->mask, (Word)g->value),
          votes(w) == w->active || votes(w) == 0)
OPERATION(ballot, warp_vote_ballot(g->mask, (Word)g->value), votes(w))
OPERATION(match, warp_match_any(g->mask, (Word)g->value),
          equals(w, lane, UINT32_MAX))
OPERATION(match_long, warp_match_any_long(g->mask, g->value),
          equals(w, lane, UINT64_MAX))
OPERATION(match_all, warp_match_all(g->mask, (Word)g->value),
          equals(w, lane, UINT32_MAX) == w->active ? w->active : 0)
OPERATION(match_all_long, warp_match_all_long(g->mask, g->value),
          equals(w, lane, UINT64_MAX) == w->active ? w->active : 0)
OPERATION(add, warp_reduce_add((Word)g->value, g->mask), fold(w, '+'))
OPERATION(min, warp_reduce_min((Word)g->value, g->mask), fold(w, 'm'))
OPERATION(max, warp_reduce_max((Word)g->value, g->mask), fold(w, 'M'))
OPERATION(umin, warp_reduce_umin((Word)g->value, g->mask), fold(w, 'u'))
OPERATION(umax, warp_reduce_umax((Word)g->value, g->mask), fold(w, 'U'))
OPERATION(and, warp_reduce_and((Word)g->value, g->mask), fold(w, '&'))
OPERATION(or, warp_reduce_or((Word)g->value, g->mask), fold(w, '|'))
OPERATION(xor, warp_reduce_xor((Word)g->value, g->mask), fold(w, '^'))
OPERATION(up, warp_shuffle_up(g->mask, (Word)g->value, g->by, g->clamp), 0)
OPERATION(down, warp_shuffle_down(g->mask, (Word)g->value, g->by, g->clamp), 0)
OPERATION(bfly, warp_shuffle_bfly(g->mask, (Word)g->value, g->by, g->clamp), 0)
OPERATION(idx, warp_shuffle_idx(g->mask, (Word)g->value, g->by, g->clamp), 0)
#undef OPERATION

static const Operation operations[] = {
    {"up", execute_up, define_up, 'u'},
    {"down", execute_down, define_down, 'd'},
    {"bfly", execute_bfly, define_bfly, 'b'},
    {"idx", execute_idx, define_idx, 'i'},
    {"all", execute_all, define_all, 0},
    {"any", execute_any, define_any, 0},
    {"uni", execute_uni, define_uni, 0},
    {"ballot", execute_ballot, define_ballot, 0},
    {"match.any", execute_match, define_match, 0},
    {"match.any.b64", execute_match_long, define_match_long, 0},
    {"match.all", execute_match_all, define_match_all, 0},
    {"match.all.b64", execute_match_all_long, define_match_all_long, 0},
    {"add", execute_add, define_add, 0},
    {"min.s32", execute_min, define_min, 0},
    {"max.s32", execute_max, define_max, 0},
    {"min.u32", execute_umin, define_umin, 0},
    {"max.u32", execute_umax, define_umax, 0},
    {"and", execute_and, define_and, 0},
    {"or", execute_or, define_or, 0},
    {"xor", execute_xor, define_xor, 0},
};

enum { OPERATIONS = sizeof operations / sizeof *operations };

// ----------------------------------------------------------------- execution
// ---

// Who does what in one execution.
typedef struct Case {
  const Operation *operation, *other; // of those in `others`
  unsigned threads;                   // of the block
  Word exited, others;
  bool is_late; // they exit when others wait already
  Operands given[MOST_LANES];
} Case;

static Case now;
static Word results[MOST_LANES];

static void lane_body(void **arguments) {
  (void)arguments;
  unsigned lane = machine.self->index;
  const Operands *given = &now.given[lane];
  if (is_in(now.exited, lane) || !is_in(given->mask, lane)) {
    for (unsigned i = 0; now.is_late && i < 2; i++)
      machine_wait(THREAD_READY);
    return;
  }
  machine.self->site = 0;
  results[lane] =
      (is_in(now.others, lane) ? now.other : now.operation)->execute(given);
}

// What it ended with; -1: nothing went wrong.
static int execute(void) {
  static Site site = {.kind = SITE_CALL};
  Code code = {.source = "k"};
  code.sites.at = &site;
  code.sites.count = 1;
  Run run = {.code = &code,
             .grid = {1, 1, 1},
             .block = {now.threads, 1, 1},
             .max_seconds = 10};
  Image image = {.entry = lane_body};
  Outcome *outcome = outcome_new();
  memset(results, 0xee, sizeof results);
  if (machine_open(&run, &image, outcome)) {
    machine.one_a_turn = true;
    machine_run();
  }
  machine_close();
  free(image.spots);
  int kind = outcome->count ? (int)outcome->incidents[0].kind : -1;
  outcome_free(outcome);
  return kind;
}

// -------------------------------------------------------------------- tables
// ---

static const Word masks[] = {0xffffffff, 0x0000ffff, 0xffff0000, 0x55555555,
                             0x00000001, 0x80000000, 0x000000ff, 0x9249f00d};
static const Word exits[] = {0,          0xffff0000, 0x00000001,
                             0xaaaaaaaa, 0x7fffffff, 0x12345678};
static const unsigned sizes[] = {32, 32, 20};
static const Word steps[] = {0, 1, 2, 5, 16, 31, 32, 33, 0xffffffff};
static const Word clamps[] = {0x1f,   0x00,   0x181f, 0x1c1f,
                              0x101f, 0x1800, 0x1c03, 0xffff};

enum {
  MASKS = sizeof masks / sizeof *masks,
  EXITS = sizeof exits / sizeof *exits,
  SIZES = sizeof sizes / sizeof *sizes,
  STEPS = sizeof steps / sizeof *steps,
  CLAMPS = sizeof clamps / sizeof *clamps,
};

static uint64_t value_at(unsigned pattern, unsigned lane) {
  static const uint64_t edges[] = {
      0, 1, 0xffffffff, 0x80000000, 0x7fffffff, 0xfffffffe, 2, 0x80000001};
  switch (pattern) {
  case 0:
    return lane + 5;
  case 1:
    return 0;
  case 2:
    return UINT64_MAX;
  case 3:
    return edges[lane % 8];
  case 4:
    return edges[lane / 5 % 8] | (uint64_t)(lane % 2) << 32;
  case 5:
    return UINT64_C(1) << lane;
  case 6:
    return lane == 7 ? 0x80000000 : 0x7fffffff;
  default:
    return (lane + 1) * UINT64_C(0x9e3779b97f4a7c15);
  }
}

typedef struct Result {
  uint64_t executed, refused;
  char text[160]; // the first that is wrong
} Result;

static void complain(Result *result, const char *what, unsigned lane) {
  const Operands *given = &now.given[lane];
  if (!result->text[0])
    snprintf(result->text, sizeof result->text,
             "%s of mask %x, exited %x%s, %u threads, by %x, clamp %x: lane %u "
             "has %x, %s",
             now.operation->name, given->mask, now.exited,
             now.is_late ? " late" : "", now.threads, given->by, given->clamp,
             lane, results[lane], what);
}

static Word those_there(void) {
  return now.threads < MOST_LANES ? (UINT32_C(1) << now.threads) - 1
                                  : UINT32_MAX;
}

static Warp warp_of_case(void) {
  Warp warp = {.active = now.given[0].mask & ~now.exited & those_there()};
  for (unsigned i = 0; i < MOST_LANES; i++)
    warp.value[i] = now.given[i].value;
  return warp;
}

// What a lane should have; false: that is not defined.
static bool wanted(const Warp *warp, unsigned lane, Word *value) {
  const Operands *given = &now.given[lane];
  int from = -1;
  *value = now.operation->define(warp, lane);
  if (!now.operation->mode)
    return true;
  from = source(now.operation->mode, (int)lane, given->by, given->clamp);
  *value = (Word)warp->value[from < 0 ? lane : (unsigned)from];
  return from < 0 || is_in(warp->active, (unsigned)from);
}

static void judge(Result *result, int kind) {
  Warp warp = warp_of_case();
  bool is_defined = true;
  char text[32];
  Word value;
  for (unsigned lane = 0; lane < MOST_LANES; lane++)
    is_defined &= !is_in(warp.active, lane) || wanted(&warp, lane, &value);
  result->executed++;
  result->refused += !is_defined;
  if (is_defined != (kind < 0) || (!is_defined && kind != INCIDENT_REFUSED))
    complain(result, is_defined ? "and is refused" : "which is undefined", 0);
  for (unsigned lane = 0; is_defined && lane < MOST_LANES; lane++) {
    if (!is_in(warp.active, lane))
      continue;
    wanted(&warp, lane, &value);
    snprintf(text, sizeof text, "not %x", value);
    if (results[lane] != value)
      complain(result, text, lane);
  }
}

static void give(unsigned pattern, Word mask, Word by, Word clamp) {
  for (unsigned i = 0; i < MOST_LANES; i++)
    now.given[i] = (Operands){value_at(pattern, i), mask, by, clamp};
}

// ---------------------------------------------------------------------- tests
// ---

static void execute_with(Result *result, unsigned mask, unsigned exit) {
  for (unsigned size = 0; size < SIZES; size++) {
    now.threads = sizes[size];
    now.exited = exits[exit];
    now.is_late = size != 1;
    for (unsigned pattern = 0; !now.operation->mode && pattern < PATTERNS;
         pattern++) {
      give(pattern, masks[mask], 0, 0);
      judge(result, execute());
    }
    for (unsigned i = 0; now.operation->mode && i < STEPS * CLAMPS; i++) {
      give(7, masks[mask], steps[i / CLAMPS], clamps[i % CLAMPS]);
      judge(result, execute());
    }
  }
}

static void execute_all_cases(void *data) {
  Result *result = data;
  for (unsigned i = 0; i < OPERATIONS; i++)
    for (unsigned mask = 0; mask < MASKS; mask++)
      for (unsigned exit = 0; exit < EXITS; exit++) {
        now = (Case){.operation = &operations[i]};
        execute_with(result, mask, exit);
      }
}

START_TEST(operations_give_what_the_manual_defines) {
  Result *result = (Result *)(void *)memory_shared(sizeof *result);
  ck_assert(child_run(execute_all_cases, result, SECONDS));
  ck_assert_msg(!result->text[0], "%s", result->text);
  ck_assert_uint_gt(result->executed, 30000);
  ck_assert_uint_gt(result->refused, result->executed / 100);
  ck_assert_uint_lt(result->refused, result->executed / 2);
  memory_shared_free((char *)result, sizeof *result);
}
END_TEST

static void execute_pairs(void *data) {
  Result *result = data;
  for (unsigned i = 0; i < OPERATIONS * OPERATIONS; i++) {
    now = (Case){.operation = &operations[i / OPERATIONS],
                 .other = &operations[i % OPERATIONS],
                 .threads = MOST_LANES,
                 .others = 0xffff0000};
    give(7, UINT32_MAX, 0, 0x1f);
    int kind = execute();
    result->executed++;
    if (kind != (now.operation == now.other ? -1 : INCIDENT_DIVERGENCE))
      complain(result, now.other->name, 0);
  }
}

START_TEST(operations_that_differ_do_not_meet) {
  Result *result = (Result *)(void *)memory_shared(sizeof *result);
  ck_assert(child_run(execute_pairs, result, SECONDS));
  ck_assert_msg(!result->text[0], "%s", result->text);
  ck_assert_uint_eq(result->executed, OPERATIONS * OPERATIONS);
  memory_shared_free((char *)result, sizeof *result);
}
END_TEST

// Masks that do not fit: one has a lane more; the other lane's.
static void execute_masks(void *data) {
  Result *result = data;
  for (unsigned i = 0; i < OPERATIONS; i++) {
    now = (Case){.operation = &operations[i], .threads = MOST_LANES};
    give(7, UINT32_MAX, 0, 0x1f);
    now.given[9].mask = 0x0000ffff;
    result->executed++;
    if (execute() != INCIDENT_DIVERGENCE)
      complain(result, "and another lane has another mask", 0);
  }
}

START_TEST(operations_with_other_masks_do_not_meet) {
  Result *result = (Result *)(void *)memory_shared(sizeof *result);
  ck_assert(child_run(execute_masks, result, SECONDS));
  ck_assert_msg(!result->text[0], "%s", result->text);
  memory_shared_free((char *)result, sizeof *result);
}
END_TEST

static void without_itself(void **arguments) {
  (void)arguments;
  const Operands given = {.mask = UINT32_C(1)
                                  << (machine.self->index + 1) % 32};
  now.operation->execute(&given);
}

static void execute_strangers(void *data) {
  Result *result = data;
  for (unsigned i = 0; i < OPERATIONS; i++) {
    static Site site = {.kind = SITE_CALL};
    Code code = {.source = "k"};
    code.sites.at = &site;
    code.sites.count = 1;
    Run run = {.code = &code,
               .grid = {1, 1, 1},
               .block = {MOST_LANES, 1, 1},
               .max_seconds = 10};
    Image image = {.entry = without_itself};
    Outcome *outcome = outcome_new();
    now = (Case){.operation = &operations[i]};
    if (machine_open(&run, &image, outcome))
      machine_run();
    machine_close();
    free(image.spots);
    if (outcome->count != 1 ||
        outcome->incidents[0].kind != INCIDENT_DIVERGENCE)
      complain(result, "and is not in its own mask", 0);
    outcome_free(outcome);
  }
}

START_TEST(a_mask_without_the_lane_itself_is_told) {
  Result *result = (Result *)(void *)memory_shared(sizeof *result);
  ck_assert(child_run(execute_strangers, result, SECONDS));
  ck_assert_msg(!result->text[0], "%s", result->text);
  memory_shared_free((char *)result, sizeof *result);
}
END_TEST

int main(void) {
  TCase *tc = tcase_create("warps");
  tcase_set_timeout(tc, 2 * SECONDS);
  tcase_add_test(tc, operations_give_what_the_manual_defines);
  tcase_add_test(tc, operations_that_differ_do_not_meet);
  tcase_add_test(tc, operations_with_other_masks_do_not_meet);
  tcase_add_test(tc, a_mask_without_the_lane_itself_is_told);
  return run_suite(tc, "warps");
}
