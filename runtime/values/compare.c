// Reads the text of compare.h.

#include "runtime/values/compare.h"

#include <stdlib.h>
#include <string.h>

// The next number; is_known: it is one.
static uint64_t next(const char **at, bool *is_known) {
  char *end = NULL;
  *is_known = **at != '*';
  uint64_t number = *is_known ? strtoull(*at, &end, 10) : 0;
  *at = *is_known ? end : *at + 1;
  *at += strspn(*at, " ");
  return number;
}

static bool is_next(const char **at, uint64_t is) {
  bool is_known = false;
  uint64_t number = next(at, &is_known);
  return !is_known || number == is;
}

// Along one axis: threads of a block, or blocks.
typedef struct Side {
  bool is_known;
  uint64_t number;
} Side;

// The index of a thread fits into 31 bits: launches of sizes that are all known
// may have been proved as one, in which they are free.
static bool are_few(const MadeLaunch *launch, unsigned axis) {
  return (uint64_t)launch->block[axis] * launch->grid[axis] <= INT32_MAX;
}

static bool is_size(Side side, uint32_t is, bool is_flat) {
  return (!side.is_known || side.number == is) && (!is_flat || is == 1);
}

static bool are_sizes(const Side block[3], const Side grid[3], bool is_flat,
                      const MadeLaunch *launch) {
  for (unsigned axis = 0; axis < 3; axis++) {
    bool is_one = is_flat && axis;
    if (!is_size(block[axis], launch->block[axis], is_one) ||
        !is_size(grid[axis], launch->grid[axis], is_one) ||
        !are_few(launch, axis))
      return false;
  }
  return true;
}

static bool is_argument(const char **at, const MadeLaunch *launch, size_t i) {
  bool is_known = false;
  uint64_t number = next(at, &is_known), is = 0;
  if (!is_known)
    return true;
  unsigned bytes = launch->bytes(launch->data, i);
  if (!bytes || bytes > sizeof is)
    return false;
  memcpy(&is, launch->arguments[i], bytes);
  uint64_t bits =
      bytes < sizeof is ? (UINT64_C(1) << 8 * bytes) - 1 : ~UINT64_C(0);
  return is == (number & bits);
}

static bool is_this(const char *text, const MadeLaunch *launch) {
  Side block[3], grid[3];
  for (unsigned axis = 0; axis < 3; axis++)
    block[axis].number = next(&text, &block[axis].is_known);
  for (unsigned axis = 0; axis < 3; axis++)
    grid[axis].number = next(&text, &grid[axis].is_known);
  bool is_so = is_next(&text, launch->shared), ignored = false;
  bool is_flat = next(&text, &ignored);
  bool is_apart = next(&text, &ignored);
  bool is_same = next(&text, &ignored);
  is_so &= !is_same || !launch->tells_same_value;
  is_so &= are_sizes(block, grid, is_flat, launch);
  for (size_t i = 0; is_so && *text != ';'; i++)
    is_so = is_argument(&text, launch, i);
  return is_so && (!is_apart || launch->are_apart(launch->data));
}

bool compare_launch(const char *proved, const MadeLaunch *launch) {
  for (; proved && *proved; proved = strchr(proved, ';') + 1)
    if (is_this(proved, launch))
      return true;
  return false;
}
