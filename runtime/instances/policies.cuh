// Who goes on: as runtime/threads/policies.c, policy_pct.c, policy_act.c and
// policy_random.c have it.

#ifndef RUNTIME_INSTANCES_POLICIES_CUH
#define RUNTIME_INSTANCES_POLICIES_CUH

#include "runtime/instances/engine.cuh"

enum {
  ABOVE_LOWERED = INSTANCE_FIRST_SLOT - 1,
  SPARE_SLOT = 0,
  MOST_POINTS = 2 * INSTANCE_MOST_DEPTH + INSTANCE_GROUP,
};

// -------------------------------------------------------------------- pool ---

DEVICE void pool_begin(World *w, Long random) {
  w->pool_size = slot_words(w->plan) * 64 - INSTANCE_FIRST_SLOT;
  for (Word i = 0; i < w->pool_size; i++)
    w->pool[i] = (Half)(INSTANCE_FIRST_SLOT + i);
  w->pool_random = random;
  w->pool_taken = 0;
  w->pool_bottom = ABOVE_LOWERED;
  w->pool_lowest = INSTANCE_MOST_DEPTH;
}

DEVICE Word pool_draw(World *w) {
  Word which = w->pool_taken +
               (Word)below(&w->pool_random, w->pool_size - w->pool_taken);
  Half slot = w->pool[which];
  w->pool[which] = w->pool[w->pool_taken];
  w->pool[w->pool_taken++] = slot;
  return slot;
}

DEVICE void lift_bottom(World *w) {
  Word to = ABOVE_LOWERED;
  for (Word slot = ABOVE_LOWERED; slot-- > w->pool_bottom;) {
    if (w->at_slot[slot] == NOBODY)
      continue;
    w->levels[--to] = w->levels[slot];
    if (to != slot)
      move(w, w->at_slot[slot], to);
  }
  w->pool_bottom = to;
}

DEVICE Word left_slot(const World *w) {
  Word lowest = INSTANCE_SLOTS;
  for (Word i = 0; i < w->pool_taken; i++)
    if (w->pool[i] < lowest && w->at_slot[w->pool[i]] == NOBODY)
      lowest = w->pool[i];
  return lowest;
}

OUT_OF_LINE void make_room(World *w) {
  lift_bottom(w);
  if (w->pool_bottom > SPARE_SLOT + 1)
    return;
  move(w, w->at_slot[ABOVE_LOWERED - 1], left_slot(w));
  lift_bottom(w);
}

OUT_OF_LINE void put_at_level(World *w, Word thread, Word level) {
  if (w->pool_bottom == SPARE_SLOT + 1)
    make_room(w);
  move(w, thread, SPARE_SLOT);
  Word slot = w->pool_bottom;
  for (; slot < ABOVE_LOWERED; slot++) {
    bool is_taken = w->at_slot[slot] != NOBODY;
    if (is_taken && w->levels[slot] >= level)
      break;
    w->levels[slot - 1] = w->levels[slot];
    if (is_taken)
      move(w, w->at_slot[slot], slot - 1);
  }
  w->levels[slot - 1] = (Byte)level;
  move(w, thread, slot - 1);
  w->pool_bottom--;
}

DEVICE void pool_lower(World *w, Word thread, Word rank) {
  if (rank < w->pool_lowest)
    w->pool_lowest = rank;
  put_at_level(w, thread, rank);
}

// ------------------------------------------------------------------- ready ---

DEVICE Word ready_highest(const World *w) {
  Word word = w->words;
  while (word-- && !w->ready[word])
    continue;
  return w->at_slot[word * 64 + 63 - (Word)__builtin_clzll(w->ready[word])];
}

DEVICE Word ready_any(World *w) {
  Word word = 0, nth = (Word)below(&w->random, w->ready_count);
  for (Word here; nth >= (here = (Word)__builtin_popcountll(w->ready[word]));
       word++)
    nth -= here;
  Long bits = w->ready[word];
  while (nth--)
    bits &= bits - 1;
  return w->at_slot[word * 64 + (Word)__builtin_ctzll(bits)];
}

// --------------------------------------------------------------------- pct ---

DEVICE void add_change(World *w, Long when, Word rank) {
  Word i = w->point_count++;
  for (; i && w->points[i - 1] > when; i--) {
    w->points[i] = w->points[i - 1];
    w->ranks[i] = w->ranks[i - 1];
  }
  w->points[i] = when;
  w->ranks[i] = rank;
}

DEVICE void begin_pct(World *w) {
  Word depth = w->plan->depth;
  for (Word i = 1; i < depth; i++)
    add_change(w, 1 + below(&w->random, w->plan->expected_steps),
               depth - 1 - i);
  pool_begin(w, draw(&w->random));
}

// --------------------------------------------------------------------- act ---

DEVICE bool is_drawn(const Long *drawn, Word many, Long when) {
  for (Word i = 0; i < many; i++)
    if (drawn[i] == when)
      return true;
  return false;
}

DEVICE void draw_points(World *w, Long *random, Long *drawn, Word many) {
  Long steps = w->plan->expected_steps;
  steps = steps > many ? steps : many;
  for (Word n = 0; n < many; n++) {
    Long when;
    do
      when = 1 + below(random, steps);
    while (is_drawn(drawn, n, when));
    Word i = n;
    for (; i && drawn[i - 1] > when; i--)
      drawn[i] = drawn[i - 1];
    drawn[i] = when;
  }
}

DEVICE void choose_points(World *w, Long *random, Word size) {
  Word depth = w->plan->depth, lane = (Word)(w->number % size);
  Long drawn[MOST_POINTS];
  w->point_count = depth - 1;
  if (depth < 2)
    return;
  Word pairs = depth - 2, last = size >> pairs;
  draw_points(w, random, drawn, 2 * pairs + last);
  for (Word i = 0; i < pairs; i++) {
    size /= 2;
    w->points[i] = drawn[2 * i + lane / size];
    lane %= size;
  }
  w->points[pairs] = drawn[2 * pairs + lane];
  for (Word i = 0; i <= pairs; i++)
    w->ranks[i] = depth - 2 - i;
}

// The lanes of a warp draw the same, and differ in what they take of it.
DEVICE void begin_act(World *w) {
  Word size = w->plan->depth > 6 ? 2 * INSTANCE_GROUP : INSTANCE_GROUP;
  Long random = w->plan->seed ^ (w->number / size + 1) << 20;
  draw(&random);
  choose_points(w, &random, size);
  pool_begin(w, draw(&random));
}

// --------------------------------------------------------------------- all ---

INLINE bool has_priorities(const World *w) {
  return w->plan->policy != INSTANCE_RANDOM;
}

DEVICE void ask_at_next(World *w) {
  if (w->next_point < w->point_count)
    ask_at(w, w->points[w->next_point]);
}

DEVICE void policy_begin(World *w) {
  w->point_count = w->next_point = 0;
  if (w->plan->policy == INSTANCE_PCT)
    begin_pct(w);
  else if (w->plan->policy == INSTANCE_ACT)
    begin_act(w);
  else
    ask_at(w, 1);
  ask_at_next(w);
}

DEVICE Word policy_choose(World *w) {
  return has_priorities(w) ? ready_highest(w) : ready_any(w);
}

DEVICE Word policy_at_point(World *w) {
  if (!has_priorities(w))
    ask_at(w, w->steps + 1);
  for (; w->next_point < w->point_count && w->points[w->next_point] <= w->steps;
       w->next_point++)
    pool_lower(w, w->self, w->ranks[w->next_point]);
  ask_at_next(w);
  return policy_choose(w);
}

DEVICE void policy_add(World *w, Word thread) {
  take_slot(w, thread, has_priorities(w) ? pool_draw(w) : thread);
}

DEVICE void policy_yield(World *w, Word thread) {
  if (!has_priorities(w))
    return;
  if (!w->threads[thread].is_timed || draw(&w->random) & 1)
    put_at_level(w, thread, w->pool_lowest);
}

#endif
