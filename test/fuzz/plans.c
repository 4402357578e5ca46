// Who may touch what in a barrier interval.

#include "test/fuzz/generate.h"

unsigned plan_threads(const Generator *g) {
  return g->shape.block_x * g->shape.block_y;
}

bool plan_is_by_grid(const Generator *g, const FuzzArray *array) {
  return array->home == HOME_GLOBAL && g->shape.grid_x > 1;
}

static KernelPlan new_plan(Generator *g, const FuzzArray *array) {
  static const Rule rules[] = {RULE_OWN,        RULE_OWN,       RULE_OWN,
                               RULE_OWN,        RULE_READ_ONLY, RULE_ATOMIC,
                               RULE_ONE_THREAD, RULE_READ_ONLY};
  unsigned threads =
      plan_threads(g) * (plan_is_by_grid(g, array) ? g->shape.grid_x : 1);
  KernelPlan plan = {.rule = rules[below(g, 8)]};
  plan.map = (Map)below(g, MAPS);
  if (chance(g, 4))
    plan.rule = RULE_ANYTHING;
  if (array->home == HOME_PRIVATE)
    plan.rule = RULE_ANYTHING;
  plan.forgets_blocks = g->forgets_blocks ? chance(g, 60) : slip(g);
  plan.unit = type_bytes(array->type) << below(g, 3);
  while (plan.unit > 16 ||
         (plan.unit > 1 && plan.unit * threads > array->bytes))
    plan.unit /= 2;
  unsigned room = array->bytes / plan.unit / threads; // units a thread
  plan.a = 1 + below(g, room > 1 ? 2 + (room > 2) : 1);
  plan.b = below(g, plan.a);
  return plan;
}

// The first arrays have plans; those that patterns made later have none.
void plan_renew_all(Generator *g, bool at_start) {
  for (size_t i = 0; i < g->plans.count; i++) {
    const FuzzArray *array = g->p->arrays.at[i];
    if (at_start || !plan_is_by_grid(g, array))
      g->plans.at[i] = new_plan(g, array);
  }
  g->plan_number++;
}

KernelPlan *plan_of(Generator *g, const FuzzArray *array) {
  return &g->plans.at[array->number];
}

FuzzTerm *plan_block_size(Generator *g) {
  FuzzTerm *x = term_builtin(g->p, BUILTIN_BLOCK_SIZE_X);
  if (g->shape.block_y == 1)
    return x;
  FuzzTerm *y = term_builtin(g->p, BUILTIN_BLOCK_SIZE_Y);
  return binary(g, OPERATOR_MUL, x, y);
}

static FuzzTerm *all_threads(Generator *g, bool of_grid) {
  FuzzTerm *size = plan_block_size(g);
  if (!of_grid)
    return size;
  FuzzTerm *blocks = term_builtin(g->p, BUILTIN_GRID_SIZE_X);
  return binary(g, OPERATOR_MUL, size, blocks);
}

static FuzzTerm *multiplied(Generator *g, const KernelPlan *plan, FuzzTerm *id,
                            unsigned units) {
  FuzzTerm *product =
      binary(g, OPERATOR_MUL, id, number(g, 2 * (plan->a + plan->b) + 1));
  product = plus(g, product, 5 * plan->b);
  if (plan->map == MAP_BYTE)
    product = term_cast(g->p, TYPE_U8, product);
  return binary(g, OPERATOR_AND, product, number(g, units - 1));
}

static FuzzTerm *swapped(Generator *g, FuzzTerm *id, FuzzTerm *again) {
  FuzzTerm *pair = binary(
      g, OPERATOR_MUL, binary(g, OPERATOR_DIV, id, number(g, 2)), number(g, 2));
  FuzzTerm *odd = binary(g, OPERATOR_MOD, again, number(g, 2));
  return binary(g, OPERATOR_ADD, pair,
                binary(g, OPERATOR_SUB, number(g, 1), odd));
}

static FuzzTerm *signed_stride(Generator *g, const KernelPlan *plan,
                               FuzzTerm *id) {
  FuzzTerm *product = binary(g, OPERATOR_SIGNED_MUL, id, number(g, plan->a));
  return binary(g, OPERATOR_SIGNED_ADD, product, number(g, plan->b));
}

// The unit that belongs to this thread.
FuzzTerm *plan_unit(Generator *g, const FuzzArray *array) {
  KernelPlan slipped = new_plan(g, array);
  const KernelPlan *plan = slip(g) ? &slipped : plan_of(g, array);
  bool of_grid = plan_is_by_grid(g, array) && !plan->forgets_blocks;
  FuzzVariable *id_variable = of_grid ? g->global : g->thread;
  unsigned units = array->bytes / plan_of(g, array)->unit;
  FuzzTerm *id = variable(g, id_variable);
  switch (plan->map) {
  case MAP_STRIDE:
    return plus(g, binary(g, OPERATOR_MUL, id, number(g, plan->a)), plan->b);
  case MAP_COLUMN:
    return binary(
        g, OPERATOR_ADD, id,
        binary(g, OPERATOR_MUL, all_threads(g, of_grid), number(g, plan->b)));
  case MAP_XOR:
    return binary(g, OPERATOR_XOR, id, number(g, plan->a));
  case MAP_REVERSE:
    return binary(g, OPERATOR_SUB, number(g, units - 1), id);
  case MAP_ROTATE:
    return binary(g, OPERATOR_MOD, plus(g, id, plan->a),
                  all_threads(g, of_grid));
  case MAP_MULTIPLY:
  case MAP_BYTE:
    return multiplied(g, plan, id, units);
  case MAP_SWAP:
    return swapped(g, id, variable(g, id_variable));
  case MAP_SHIFT:
    return binary(g, OPERATOR_OR,
                  binary(g, OPERATOR_SHL, id, number(g, plan->a - 1)),
                  number(g, plan->b && plan->a > 1));
  case MAP_SIGNED:
    return signed_stride(g, plan, id);
  case MAP_PLAIN:
  case MAPS:
    break;
  }
  return id;
}

// An array that has one of two rules now, or NULL.
FuzzArray *plan_find(Generator *g, Rule rule, Rule other) {
  size_t count = g->plans.count;
  for (size_t tries = 0; count && tries < 8; tries++) {
    FuzzArray *array = g->p->arrays.at[below(g, (unsigned)count)];
    Rule has = plan_of(g, array)->rule;
    if (has == rule || has == other)
      return array;
  }
  return NULL;
}
