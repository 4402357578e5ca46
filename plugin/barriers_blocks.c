// Which blocks `gpuverify barriers` looks at.
//
// What is found of one block holds for any, if its execution never asked for
// the block's place in the grid (Programs.block_axes).  Where it did, others
// are looked at: of a grid that is known each one that differs along such an
// axis, or if these are too many the first ones, the last ones and one in the
// middle along each axis alone and along all of them.  Of a grid that is not
// known a few blocks of small grids.  A cluster that is executed as a whole
// counts as one block.

#include "plugin/plugin.h"

#include <string.h>

enum { FEW_BLOCKS = 16 };

// A place on an axis, in blocks or clusters, of so many.
typedef struct Spot {
  uint32_t at, of;
} Spot;

enum { MOST_SPOTS = 6 };

typedef struct Axis {
  Spot spots[MOST_SPOTS];
  unsigned count;
} Axis;

// --------------------------------------------------------------- one axis ---

static void add_spot(Axis *axis, uint32_t at, uint32_t of) {
  for (unsigned i = 0; i < axis->count; i++)
    if (axis->spots[i].at == at && axis->spots[i].of == of)
      return;
  if (at < of)
    axis->spots[axis->count++] = (Spot){at, of};
}

static Axis spots_of_known(uint32_t of) {
  Axis axis = {0};
  const uint32_t at[MOST_SPOTS] = {0, 1, of / 2, of - 1, of - 2, 2};
  for (unsigned i = 0; i < MOST_SPOTS; i++)
    add_spot(&axis, at[i], of);
  return axis;
}

static Axis spots_of_any(void) {
  return (Axis){{{1, 2}, {0, 2}, {1, 3}, {2, 3}, {6, 8}}, 5};
}

// -------------------------------------------------------------- the blocks ---

static bool is_axis(unsigned axes, unsigned axis) { return axes >> axis & 1; }

// In units: blocks of the grid along an axis.
static uint32_t length(const BlockPlan *plan, unsigned axis) {
  return plan->first.grid[axis] / plan->unit[axis];
}

static void put(const BlockPlan *plan, BlockSite *site, unsigned axis,
                Spot spot) {
  uint32_t unit = plan->unit[axis], cluster = plan->cluster[axis];
  uint32_t size = spot.of * unit + cluster - 1;
  site->block[axis] = spot.at * unit + plan->first.block[axis] % unit;
  site->grid[axis] =
      plan->is_grid_known ? plan->first.grid[axis] : size - size % cluster;
}

static bool is_new(const BlockPlan *plan, const BlockSite *site) {
  for (size_t i = 0; i < plan->seen.count; i++)
    if (!memcmp(&plan->seen.at[i], site, sizeof *site))
      return false;
  return true;
}

static bool are_few(const BlockPlan *plan, unsigned axes) {
  uint64_t count = 1;
  for (unsigned axis = 0; axis < 3; axis++)
    if (is_axis(axes, axis))
      count = count > FEW_BLOCKS ? count : count * length(plan, axis);
  return count <= FEW_BLOCKS;
}

static bool find_of_few(const BlockPlan *plan, unsigned axes, BlockSite *site) {
  uint32_t most[3], at[3];
  for (unsigned axis = 0; axis < 3; axis++)
    most[axis] = is_axis(axes, axis) ? length(plan, axis) : 1;
  for (at[2] = 0; at[2] < most[2]; at[2]++)
    for (at[1] = 0; at[1] < most[1]; at[1]++)
      for (at[0] = 0; at[0] < most[0]; at[0]++) {
        *site = plan->first;
        for (unsigned axis = 0; axis < 3; axis++)
          if (is_axis(axes, axis))
            put(plan, site, axis, (Spot){at[axis], most[axis]});
        if (is_new(plan, site))
          return true;
      }
  return false;
}

// Along one axis alone, or along all (3).
static bool find_along(const BlockPlan *plan, unsigned axes, unsigned which,
                       BlockSite *site) {
  for (unsigned i = 0; i < MOST_SPOTS; i++) {
    *site = plan->first;
    for (unsigned axis = 0; axis < 3; axis++) {
      Axis spots = plan->is_grid_known ? spots_of_known(length(plan, axis))
                                       : spots_of_any();
      if (is_axis(axes, axis) && (which == axis || which == 3))
        put(plan, site, axis,
            spots.spots[i < spots.count ? i : spots.count - 1]);
    }
    if (is_new(plan, site))
      return true;
  }
  return false;
}

static bool find_of_many(const BlockPlan *plan, unsigned axes,
                         BlockSite *site) {
  for (unsigned which = 0; which <= 3; which++)
    if (find_along(plan, axes, which, site))
      return true;
  return false;
}

bool barriers_next_block(const BlockPlan *plan, BlocksSeen *seen,
                         BlockSite *site) {
  unsigned axes =
      seen->block_axes | (plan->is_grid_known ? 0 : seen->grid_axes);
  bool is_each = plan->is_grid_known && are_few(plan, axes);
  seen->count = plan->seen.count;
  seen->coverage = !axes     ? COVERAGE_ANY
                   : is_each ? COVERAGE_EACH
                             : COVERAGE_SOME;
  if (!axes)
    return false;
  return is_each ? find_of_few(plan, axes, site)
                 : find_of_many(plan, axes, site);
}
