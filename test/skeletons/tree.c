// From a skeleton to statements.
//
// The places where accesses and barriers stand, in the order of the text:
//
//   no loop   0
//   one       0 [ 1 ] 2
//   nested    0 [ 1 [ 2 ] 3 ] 4
//   two       0 [ 1 ] 2 [ 3 ] 4

#include "test/skeletons/skeleton.h"

#include <assert.h>
#include <string.h>

typedef struct Author {
  const Skeleton *skeleton;
  Tree *tree;
  unsigned items;              // done
  unsigned accesses, barriers; // of them
} Author;

static Statement *append(Author *a, Statement **to, StatementKind kind) {
  Tree *tree = a->tree;
  assert(tree->count < MOST_STATEMENTS);
  Statement *s = &tree->statements[tree->count];
  s->kind = kind;
  s->number = tree->count++;
  while (*to)
    to = &(*to)->next;
  return *to = s;
}

static bool has_two(const Author *a) {
  return a->skeleton->nest == NEST_NESTED || a->skeleton->nest == NEST_TWO;
}

static bool chosen(const Author *a, Feature feature, const char *choice) {
  return !strcmp(choice_name(feature, a->skeleton->feature[feature]), choice);
}

// ------------------------------------------------------------ conditions ---

static void note(Author *a, SkeletonTerm value) {
  a->tree->uses_f |= value == TERM_F;
  a->tree->uses_x |= value == TERM_X;
  a->tree->uses_counter[0] |= value == TERM_I || value == TERM_I_NEXT;
  a->tree->uses_counter[1] |= value == TERM_J || value == TERM_J_NEXT;
}

static Condition condition(Author *a, Feature feature) {
  static const Condition conditions[] = {
      {RELATION_ALWAYS, TERM_ZERO, TERM_ZERO},
      {RELATION_EQ, TERM_THREAD, TERM_ZERO},
      {RELATION_GT, TERM_N, TERM_ONE},
      {RELATION_NE, TERM_DATA, TERM_ZERO},
      {RELATION_NE, TERM_UNIFORM_DATA, TERM_ZERO},
      {RELATION_NE, TERM_F, TERM_ZERO},
      {RELATION_ODD, TERM_X, TERM_ZERO},
      {RELATION_EQ, TERM_I, TERM_N_LESS},
      {RELATION_LT, TERM_I, TERM_N_LESS},
  };
  Condition chosen_one = conditions[a->skeleton->feature[feature]];
  note(a, chosen_one.left);
  return chosen_one;
}

// -------------------------------------------------------------- accesses ---

static SkeletonOp op_of(const Skeleton *s, unsigned access) {
  static const SkeletonOp reads[] = {OP_READ, OP_READ_ATOMIC, OP_ASSERT};
  static const SkeletonOp writes[] = {OP_WRITE, OP_ATOMIC, OP_WRITE_ONE};
  unsigned choice = s->feature[FEATURE_OP_1 + access];
  return s->writes[access] ? writes[choice] : reads[choice];
}

static SkeletonTerm index_of(const Author *a, unsigned access) {
  static const SkeletonTerm indexes[] = {
      TERM_OWN, TERM_ZERO, TERM_OWN_NEXT, TERM_OWN_XOR, TERM_F,
      TERM_I,   TERM_X,    TERM_I_NEXT,   TERM_J};
  SkeletonTerm index = indexes[a->skeleton->feature[FEATURE_INDEX_1 + access]];
  return index == TERM_I_NEXT && has_two(a) ? TERM_J_NEXT : index;
}

static bool is_global(const Author *a, unsigned access) {
  return chosen(a, FEATURE_ARRAYS, "global") ||
         (access == 0 && chosen(a, FEATURE_ARRAYS, "first global")) ||
         (access == a->skeleton->accesses - 1 &&
          chosen(a, FEATURE_ARRAYS, "last global"));
}

static void append_access(Author *a, Statement **to) {
  unsigned number = a->accesses++;
  Statement *s = append(a, to, STATEMENT_ACCESS);
  s->op = op_of(a->skeleton, number);
  s->condition = condition(a, (Feature)(FEATURE_GUARD_1 + number));
  s->index = index_of(a, number);
  s->is_global = is_global(a, number);
  s->via = (Via)a->skeleton->feature[FEATURE_VIA_1 + number];
  note(a, s->index);
  if (s->op == OP_ASSERT)
    note(a, TERM_F);
}

static void append_barrier(Author *a, Statement **to) {
  unsigned number = a->barriers++;
  Statement *s = append(a, to, STATEMENT_BARRIER);
  s->barrier = (BarrierScope)a->skeleton->feature[FEATURE_BARRIER_1 + number];
  s->condition = condition(a, (Feature)(FEATURE_WHEN_1 + number));
}

// What stands at a place.
static void append_items(Author *a, Statement **to, unsigned place) {
  const Skeleton *s = a->skeleton;
  while (a->items < s->accesses + s->barriers &&
         s->items[a->items].position == place)
    if (s->items[a->items++].is_barrier)
      append_barrier(a, to);
    else
      append_access(a, to);
}

// ----------------------------------------------------------------- loops ---

static Condition below(SkeletonTerm counter, SkeletonTerm limit) {
  return (Condition){RELATION_LT, counter, limit};
}

static void set_trip(Author *a, Statement *loop) {
  static const SkeletonTerm limits[] = {
      TERM_N, TERM_TWO, TERM_THREAD, TERM_DATA, TERM_UNIFORM_DATA,
      TERM_F, TERM_X,   TERM_N,      TERM_N};
  Feature feature = loop->counter ? FEATURE_TRIP_2 : FEATURE_TRIP_1;
  SkeletonTerm counter = loop->counter ? TERM_J : TERM_I;
  unsigned choice = a->skeleton->feature[feature];
  if (choice < 2)
    choice ^= loop->counter;
  loop->start = chosen(a, feature, "from thread") ? TERM_THREAD : TERM_ZERO;
  loop->is_tested_behind = chosen(a, feature, "do while");
  loop->is_halving = chosen(a, feature, "halving");
  if (loop->is_halving) {
    loop->start = TERM_TWO;
    loop->condition = (Condition){RELATION_GT, counter, TERM_ZERO};
    return;
  }
  loop->condition = below(counter, limits[choice]);
  note(a, limits[choice]);
}

static void append_exit(Author *a, Statement *loop, bool is_last) {
  static const Exit exits[] = {EXIT_BREAK, EXIT_CONTINUE, EXIT_RETURN,
                               EXIT_BREAK, EXIT_RETURN,   EXIT_BREAK_OUTER};
  static const SkeletonTerm when[] = {TERM_ONE, TERM_THREAD, TERM_DATA};
  unsigned choice =
      a->skeleton->feature[loop->counter ? FEATURE_EXIT_2 : FEATURE_EXIT_1];
  if (!choice)
    return;
  unsigned way = (choice - 1) / 3;
  bool comes_last = way == 3 || way == 4;
  if (comes_last != is_last)
    return;
  Statement *s = append(a, &loop->body, STATEMENT_EXIT);
  s->exit = exits[way];
  s->condition = (Condition){RELATION_EQ, loop->counter ? TERM_J : TERM_I,
                             when[(choice - 1) % 3]};
}

static Statement *begin_loop(Author *a, Statement **to, unsigned counter) {
  Statement *loop = append(a, to, STATEMENT_LOOP);
  loop->counter = counter;
  set_trip(a, loop);
  append_exit(a, loop, false);
  return loop;
}

static void append_carry(Author *a, Statement **to, bool is_counting,
                         SkeletonTerm value) {
  Statement *s = append(a, to, STATEMENT_CARRY);
  s->is_counting = is_counting;
  s->value = value;
  note(a, value);
}

static void end_inner(Author *a, Statement *loop) {
  append_exit(a, loop, true);
  if (!a->skeleton->feature[FEATURE_CARRY])
    append_carry(a, &loop->body, true, TERM_ZERO);
}

// Of the loop whose iterations x is carried through.
static void end_outer(Author *a, Statement *loop) {
  if (chosen(a, FEATURE_CARRY, "counter"))
    append_carry(a, &loop->body, false,
                 a->skeleton->nest == NEST_NESTED ? TERM_J : TERM_I);
  if (chosen(a, FEATURE_CARRY, "f"))
    append_carry(a, &loop->body, false, TERM_F);
  if (chosen(a, FEATURE_CARRY, "counts outer"))
    append_carry(a, &loop->body, true, TERM_ZERO);
}

static void append_nested(Author *a, Statement **to) {
  Statement *outer = begin_loop(a, to, 0);
  append_items(a, &outer->body, 1);
  Statement *inner = begin_loop(a, &outer->body, 1);
  append_items(a, &inner->body, 2);
  end_inner(a, inner);
  append_items(a, &outer->body, 3);
  append_exit(a, outer, true);
  end_outer(a, outer);
}

// The last one carries.
static void append_single(Author *a, Statement **to, unsigned counter,
                          unsigned place) {
  Statement *loop = begin_loop(a, to, counter);
  append_items(a, &loop->body, place);
  end_inner(a, loop);
  end_outer(a, loop);
}

void tree_make(const Skeleton *skeleton, Tree *tree) {
  *tree = (Tree){.blocks = skeleton->feature[FEATURE_BLOCKS] + 1};
  Author author = {.skeleton = skeleton, .tree = tree}, *a = &author;
  append_items(a, &tree->body, 0);
  switch (skeleton->nest) {
  case NEST_NONE:
  case NESTS:
    break;
  case NEST_ONE:
    append_single(a, &tree->body, 0, 1);
    append_items(a, &tree->body, 2);
    break;
  case NEST_NESTED:
    append_nested(a, &tree->body);
    append_items(a, &tree->body, 4);
    break;
  case NEST_TWO:
    append_single(a, &tree->body, 0, 1);
    append_items(a, &tree->body, 2);
    append_single(a, &tree->body, 1, 3);
    append_items(a, &tree->body, 4);
    break;
  }
  assert(a->items == skeleton->accesses + skeleton->barriers);
}

static bool is_idle(const Tree *tree, const Statement *s) {
  for (; s; s = s->next)
    if (s->kind == STATEMENT_CARRY
            ? tree->uses_x
            : s->kind != STATEMENT_LOOP || tree->uses_counter[s->counter] ||
                  !is_idle(tree, s->body))
      return false;
  return true;
}

bool tree_has_idle_loop(const Tree *tree) {
  for (unsigned i = 0; i < tree->count; i++) {
    const Statement *s = &tree->statements[i];
    if (s->kind == STATEMENT_LOOP && !tree->uses_counter[s->counter] &&
        is_idle(tree, s->body))
      return true;
  }
  return false;
}
