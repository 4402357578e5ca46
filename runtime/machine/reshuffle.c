// The executions of a grid whose blocks are compared.
//
// There are two, and what each block writes goes to copies of lines of memory,
// which a block has for itself.  Where there is not enough memory for so many,
// blocks share them, by the reshuffling of LD (Li and others, TACO 14(1), 2017,
// 4.5), which had it on paper.  Blocks are put into M groups, each of which is
// to the others what a block was before, and the grid is executed twice. That
// is a round.  In the next one the groups are others, until any two blocks were
// apart in one of them: groups are by the digits of a block's number to the
// base M, the lowest first, so neighbours are apart at once, and log_M N rounds
// are enough for N blocks.  M is what the memory suffices for, as far as is
// known when it is used up; it is halved as often as it does not.
//
// Where a round does not fit behind others that did, these are all that is
// compared, and the first of them is executed once more for what it leaves.
//
// A round is an execution of its own.  Nothing is written to memory before the
// last one is over, so all find the same there; text comes out once.  Blocks of
// one group find what those before them have written, as they may on a device,
// so what two groups do to each other is a race whatever happens inside of one.

#define _GNU_SOURCE

#include "runtime/machine/reshuffle.h"
#include "runtime/machine/copied.h"

#include <sys/mman.h>

enum { LEAST_GROUPS = 2, MEGABYTE_SHIFT = 20, DEFAULT_MEGABYTES = 1664 };

static struct Grid {
  void *at; // copies
  uint64_t bytes;
  uint32_t lines;   // that there is room for
  int32_t pass;     // 0: blocks are not compared
  uint32_t groups;  // 0: each block is by itself
  uint64_t divisor; // of a block's number, before its last digit is the group
  bool is_full;     // this round is over, and was for nothing
  bool is_ending;   // no more is compared
  unsigned passes;  // of rounds that were not full, with these groups
  unsigned executions;
  double longest; // of them, in seconds of work
} grid;

// ---------------------------------------------------------------- memory ---

static unsigned megabytes(void) {
  unsigned wanted = machine.run->limits.megabytes;
  return wanted ? wanted : DEFAULT_MEGABYTES;
}

// The largest power of two of lines that fits.
static uint32_t lines_in(uint64_t bytes, uint64_t bytes_a_line) {
  enum { MOST = 1 << 26 };
  uint32_t lines = 1;
  while (2 * lines * bytes_a_line <= bytes && lines < MOST)
    lines *= 2;
  return lines;
}

void *__gpuverify_values_grid(uint64_t bytes, uint64_t bytes_a_line,
                              uint32_t *lines, int32_t *pass) {
  *pass = grid.pass;
  if (!grid.pass)
    return NULL;
  *lines = grid.lines =
      lines_in((uint64_t)megabytes() << MEGABYTE_SHIFT, bytes_a_line);
  if (!grid.at)
    grid.at = copied_reserve(grid.bytes = bytes + *lines * bytes_a_line);
  return grid.at;
}

static void forget(void) {
  if (grid.at)
    munmap(grid.at, grid.bytes);
  grid.at = NULL;
  copied_forget();
}

// ---------------------------------------------------------------- groups ---

uint32_t __gpuverify_values_group(uint32_t block, uint32_t *groups) {
  *groups = grid.pass ? grid.groups : 0;
  return *groups ? (uint32_t)(block / grid.divisor % grid.groups) : block;
}

bool reshuffle_shares(void) { return grid.groups; }

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

// Each line that was written may come to have as many copies as there are
// groups.
static uint32_t fewer_groups(void) {
  uint32_t lines = ((const uint32_t *)grid.at)[VALUES_WHOLES / 4];
  uint64_t groups = grid.groups ? grid.groups : __gpuverify_values_blocks();
  uint64_t fewer = least(groups / 2, grid.lines / lines);
  if (groups == LEAST_GROUPS)
    return 0;
  return fewer < LEAST_GROUPS ? LEAST_GROUPS : (uint32_t)fewer;
}

void reshuffle_give_way(void) {
  if (machine.run->is_deterministic)
    return;
  grid.is_ending = grid.divisor > 1;
  uint32_t groups = grid.is_ending ? grid.groups : fewer_groups();
  if (!groups)
    machine_fail(INCIDENT_LIMIT,
                 "the grid writes more lines of 64 bytes than there is memory "
                 "for, even where half of the blocks share copies: "
                 "--values-memory=%u",
                 megabytes());
  grid.groups = groups;
  grid.is_full = true;
  machine_abandon();
}

// ---------------------------------------------------------------- rounds ---

static void execute(const Run *run, Image *image, Outcome *outcome) {
  double seconds = outcome->seconds, start = work_seconds();
  uint64_t steps = outcome->steps;
  if (grid.executions++)
    machine_close();
  outcome->is_done = false;
  if (machine_open(run, image, outcome))
    machine_run();
  outcome->seconds += seconds;
  outcome->steps += steps;
  if (work_seconds() - start > grid.longest)
    grid.longest = work_seconds() - start;
}

static void end_part(uint32_t part) {
  __gpuverify_values_end_part(grid.at, part, 0, 1);
}

// Has it come to its end?
static bool execute_pass(const Run *run, Image *image, Outcome *outcome,
                         int32_t pass) {
  grid.pass = pass;
  execute(run, image, outcome);
  if (!outcome->is_done)
    return false;
  end_part((uint32_t)pass - 1);
  grid.passes++;
  return true;
}

// The second execution is left out if no group has read what another one has
// written. What the first one has found may be why the second one goes wrong.
static void execute_twice(const Run *run, Image *image, Outcome *outcome) {
  if (execute_pass(run, image, outcome, 1) &&
      ((const uint32_t *)grid.at)[VALUES_IS_NEEDED / 4])
    execute_pass(run, image, outcome, 2);
}

// A race that is seen in several rounds is as often there as in one of them.
static void execute_round(const Run *run, Image *image, Outcome *outcome) {
  uint64_t before[MOST_INCIDENTS];
  unsigned count = outcome->count;
  for (unsigned i = 0; i < count; i++) {
    before[i] = outcome->incidents[i].times;
    outcome->incidents[i].times = 0;
  }
  execute_twice(run, image, outcome);
  for (unsigned i = 0; i < count; i++)
    if (outcome->incidents[i].times < before[i])
      outcome->incidents[i].times = before[i];
}

static double pairs_of(double blocks) { return blocks * (blocks - 1) / 2; }

// Of the pairs of blocks, those that were apart in one of the rounds so far.
static double share_apart(uint64_t blocks) {
  uint64_t classes = grid.divisor * grid.groups; // of the same digits so far
  uint64_t size = blocks / classes, larger = blocks % classes;
  if (classes >= blocks)
    return 1;
  double together = (double)larger * pairs_of((double)size + 1) +
                    (double)(classes - larger) * pairs_of((double)size);
  return 1 - together / pairs_of((double)blocks);
}

// A round may take two executions also where those before took one.
static bool is_time_for_more(const Run *run, double start) {
  const double spare = 2.5;
  double left = run->max_seconds - (work_seconds() - start);
  return !(run->max_seconds > 0) || left > spare * grid.longest;
}

static bool is_last(const Run *run, const Outcome *outcome, double start) {
  unsigned most = run->limits.passes;
  return !grid.groups || outcome->sharing.apart == 1 ||
         (most && grid.passes + 2 > most) || !is_time_for_more(run, start);
}

static void note_round(Outcome *outcome) {
  uint64_t blocks = __gpuverify_values_blocks();
  if (grid.groups)
    outcome->sharing = (Sharing){.passes = grid.passes,
                                 .copies = grid.groups,
                                 .apart = share_apart(blocks)};
}

// With fewer copies it begins anew, or else the next round does.
static void prepare_round(void) {
  forget();
  if (grid.is_full && !grid.is_ending) {
    prints_again();
    grid.divisor = 1;
    grid.passes = 0;
    grid.longest = 0;
  } else {
    prints_hush();
    grid.divisor = grid.is_ending ? 1 : grid.divisor * grid.groups;
  }
  grid.is_full = false;
}

static void execute_rounds(const Run *run, Image *image, Outcome *outcome) {
  for (double start = work_seconds();; prepare_round()) {
    execute_round(run, image, outcome);
    if (grid.is_full)
      continue;
    if (!outcome->is_done)
      return;
    if (!grid.is_ending)
      note_round(outcome);
    if (grid.is_ending || is_last(run, outcome, start)) {
      end_part(2);
      return;
    }
  }
}

void reshuffle_run(const Run *run, Image *image, Outcome *outcome) {
  const uint32_t *size = run->grid;
  uint64_t blocks = (uint64_t)size[0] * size[1] * size[2];
  unsigned wanted = run->limits.copies;
  grid = (struct Grid){.groups = wanted < blocks ? wanted : 0, .divisor = 1};
  outcome->seconds = 0;
  outcome->steps = 0;
  prints_begin();
  execute_rounds(run, image, outcome);
  prints_begin();
  forget();
  grid = (struct Grid){0};
}
