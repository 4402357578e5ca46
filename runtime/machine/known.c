// What a thread knows of other threads: for a few of them a number each.
//
// A set is a binary tree over the bits of its keys, the highest first; bits
// that all keys below have in common take no node (a Patricia tree; as
// "big-endian" maps in C. Okasaki and A. Gill, Fast Mergeable Integer Maps,
// 1998).  Trees never change, so sets share their common parts, and joining two
// of them is cheap where one has grown out of the other.

#include "runtime/machine/races.h"

#include <assert.h>

enum { KEYS_A_BLOCK = 8192 }; // more than a block has threads and companions

struct Known {
  uint64_t key; // of a leaf; of a branch: what its keys have in common
  uint64_t bit; // of a branch: the highest in which they differ; of a leaf: 0
  Known *sides[2];
  uint32_t value, holds;
};

static Pool pool = {.bytes = sizeof(Known)};

uint64_t known_block(uint64_t block) { return block * KEYS_A_BLOCK; }

uint64_t known_thread(uint64_t block, unsigned thread) {
  return known_block(block) + 1 + thread;
}

Known *known_hold(Known *known) {
  if (known)
    known->holds++;
  return known;
}

void known_drop(Known *known) {
  if (!known || --known->holds)
    return;
  if (known->bit) {
    known_drop(known->sides[0]);
    known_drop(known->sides[1]);
  }
  pool_give(&pool, known);
}

static Known *new_known(Known content) {
  Known *known = pool_take(&pool);
  *known = content;
  known->holds = 1;
  return known;
}

static bool is_below(const Known *branch, uint64_t key) {
  return (key & ~(branch->bit * 2 - 1)) == branch->key;
}

uint32_t known_value(const Known *known, uint64_t key) {
  while (known && known->bit) {
    if (!is_below(known, key))
      return 0;
    known = known->sides[(key & known->bit) != 0];
  }
  return known && known->key == key ? known->value : 0;
}

// Takes the holds of both.
static Known *branch(uint64_t bit, uint64_t key, Known *zero, Known *one) {
  return new_known(
      (Known){.key = key & ~(bit * 2 - 1), .bit = bit, .sides = {zero, one}});
}

// Two sets whose keys have nothing in common below the bits that differ.
static Known *side_by_side(Known *a, Known *b) {
  uint64_t bit = UINT64_C(1) << (63 - __builtin_clzll(a->key ^ b->key));
  bool a_is_one = a->key & bit;
  return branch(bit, a->key, known_hold(a_is_one ? b : a),
                known_hold(a_is_one ? a : b));
}

static Known *joined(Known *a, Known *b);

// `small` belongs below one side of `large`; all of `large` if nothing is new.
static Known *join_below(Known *large, Known *small, bool large_first) {
  unsigned side = (small->key & large->bit) != 0;
  Known *below = large->sides[side];
  Known *changed = large_first ? joined(below, small) : joined(small, below);
  if (changed == below) {
    known_drop(changed);
    return known_hold(large);
  }
  Known *other = known_hold(large->sides[!side]);
  return side ? branch(large->bit, large->key, other, changed)
              : branch(large->bit, large->key, changed, other);
}

static Known *join_alike(Known *a, Known *b) {
  Known *zero = joined(a->sides[0], b->sides[0]);
  Known *one = joined(a->sides[1], b->sides[1]);
  Known *whole = zero == a->sides[0] && one == a->sides[1]   ? a
                 : zero == b->sides[0] && one == b->sides[1] ? b
                                                             : NULL;
  if (!whole)
    return branch(a->bit, a->key, zero, one);
  known_drop(zero);
  known_drop(one);
  return known_hold(whole);
}

static Known *joined(Known *a, Known *b) {
  if (a == b)
    return known_hold(a);
  if (a->bit > b->bit && is_below(a, b->key))
    return join_below(a, b, true);
  if (b->bit > a->bit && is_below(b, a->key))
    return join_below(b, a, false);
  if (a->bit != b->bit || a->key != b->key)
    return side_by_side(a, b);
  if (a->bit)
    return join_alike(a, b);
  return known_hold(a->value >= b->value ? a : b);
}

void known_add(Known **a, Known *b) {
  if (!b || *a == b)
    return;
  Known *old = *a;
  *a = old ? joined(old, b) : known_hold(b);
  known_drop(old);
}

void known_put(Known **a, uint64_t key, uint32_t value) {
  Known *leaf = new_known((Known){.key = key, .value = value});
  known_add(a, leaf);
  known_drop(leaf);
}

void known_close(void) { pool_close(&pool); }
