// Expressions, and the elements of arrays that they read.
//
// C does not say in which order arguments are evaluated, and a seed should mean
// the same kernels whatever compiled this: no call below has two arguments
// that draw random numbers.

#include "test/fuzz/generate.h"

static FuzzType any_index_type(Generator *g) {
  static const FuzzType types[] = {TYPE_S32, TYPE_S32, TYPE_U8, TYPE_U16,
                                   TYPE_U64};
  return chance(g, 40) ? types[below(g, 5)] : TYPE_U32;
}

// The array's own type, or another that fits into `unit` bytes.
FuzzType place_type(Generator *g, const FuzzArray *array, unsigned unit) {
  if (chance(g, 70) && type_bytes(array->type) <= unit)
    return array->type;
  FuzzType type;
  do
    type = (FuzzType)below(g, TYPE_QUAD + 1);
  while (type_bytes(type) > unit);
  return type;
}

FuzzPlace *place_own_as(Generator *g, FuzzArray *array, FuzzType type) {
  unsigned parts = plan_of(g, array)->unit / type_bytes(type);
  FuzzTerm *index = plan_unit(g, array);
  if (parts > 1) {
    FuzzTerm *part = chance(g, 60) ? number(g, below(g, parts))
                                   : binary(g, OPERATOR_AND, value_new(g, 1),
                                            number(g, parts - 1));
    index = binary(g, OPERATOR_ADD,
                   binary(g, OPERATOR_MUL, index, number(g, parts)), part);
  }
  return place_in(g->p, array, type, index);
}

FuzzPlace *place_own(Generator *g, FuzzArray *array) {
  if (slip(g))
    return place_any(g, array);
  FuzzType type = place_type(g, array, plan_of(g, array)->unit);
  FuzzPlace *place = place_own_as(g, array, type);
  place->index_type = any_index_type(g);
  return place;
}

FuzzPlace *place_any(Generator *g, FuzzArray *array) {
  FuzzType type = place_type(g, array, 16);
  FuzzPlace *place = place_in(g->p, array, type, value_new(g, 2));
  place->index_type = any_index_type(g);
  place->is_masked = array->home == HOME_PRIVATE;
  return place;
}

static FuzzPlace *readable_place(Generator *g) {
  FuzzArray *array = plan_find(g, RULE_READ_ONLY, RULE_OWN);
  if (!array && chance(g, 50))
    array = plan_find(g, RULE_ANYTHING, RULE_ANYTHING);
  if (!array)
    return NULL;
  return plan_of(g, array)->rule == RULE_OWN ? place_own(g, array)
                                             : place_any(g, array);
}

FuzzTerm *value_leaf(Generator *g) {
  switch (below(g, 6)) {
  case 0:
    return variable(g, g->thread);
  case 1:
    return term_builtin(g->p, (FuzzBuiltin)below(g, BUILTIN_GRID_SIZE_X + 1));
  case 2:
  case 3: {
    unsigned which = below(g, (unsigned)g->readable.count);
    return variable(g, g->readable.at[which]);
  }
  default:
    return chance(g, 40) ? variable(g, g->global)
                         : number(g, chance(g, 90) ? below(g, 9)
                                                   : random_next(g->random));
  }
}

// Products and quotients of two unknowns are rare in kernels, and beyond any
// solver: one operand is a small number.
static FuzzTerm *new_binary(Generator *g, unsigned depth) {
  static const Operator ops[] = {OPERATOR_ADD, OPERATOR_SUB, OPERATOR_AND,
                                 OPERATOR_OR, OPERATOR_XOR};
  static const Operator small[] = {
      OPERATOR_SHL, OPERATOR_SHR,        OPERATOR_SAR,        OPERATOR_DIV,
      OPERATOR_MOD, OPERATOR_SIGNED_DIV, OPERATOR_SIGNED_MOD, OPERATOR_AND,
      OPERATOR_MUL, OPERATOR_MUL,        OPERATOR_HIGH_MUL};
  FuzzTerm *a = value_new(g, depth - 1);
  Operator op = small[below(g, 11)];
  if (chance(g, 40))
    return binary(g, op, a, number(g, 1 + below(g, 5)));
  if (chance(g, 10)) {
    FuzzTerm *mask = number(g, 255);
    return binary(g, OPERATOR_SIGNED_SUB, binary(g, OPERATOR_AND, a, mask),
                  number(g, below(g, 8)));
  }
  FuzzTerm *b = value_new(g, depth - 1);
  return binary(g, ops[below(g, 5)], a, b);
}

static FuzzTerm *new_call(Generator *g, unsigned depth) {
  for (size_t i = 0; i < g->p->procedures.count; i++) {
    FuzzProcedure *procedure = g->p->procedures.at[i];
    if (!procedure->result)
      continue;
    FuzzTerm *a = value_new(g, depth - 1);
    return term_call(g->p, procedure, a, value_leaf(g));
  }
  return value_leaf(g);
}

static FuzzTerm *new_load(Generator *g) {
  FuzzPlace *place = readable_place(g);
  return place ? term_load(g->p, place) : value_leaf(g);
}

static FuzzTerm *new_cast(Generator *g, unsigned depth) {
  FuzzType type = (FuzzType)below(g, TYPE_S16 + 1);
  return term_cast(g->p, type, value_new(g, depth - 1));
}

static FuzzTerm *new_select(Generator *g, unsigned depth) {
  FuzzTerm *condition = condition_new(g);
  FuzzTerm *yes = value_new(g, depth - 1);
  return term_select(g->p, condition, yes, value_leaf(g));
}

FuzzTerm *value_new(Generator *g, unsigned depth) {
  if (depth == 0)
    return value_leaf(g);
  switch (below(g, 12)) {
  case 0:
  case 1:
  case 2:
  case 3:
    return new_binary(g, depth);
  case 4:
    return new_cast(g, depth);
  case 5:
    return new_select(g, depth);
  case 6:
    return new_call(g, depth);
  case 7:
  case 8:
    return depth > 1 ? new_load(g) : value_leaf(g);
  default:
    return value_leaf(g);
  }
}

FuzzTerm *value_uniform(Generator *g) {
  for (unsigned tries = 0; tries < 4; tries++) {
    unsigned which = below(g, (unsigned)g->readable.count);
    if (g->readable.at[which]->is_uniform)
      return variable(g, g->readable.at[which]);
  }
  return term_builtin(g->p,
                      chance(g, 50) ? BUILTIN_BLOCK_X : BUILTIN_GRID_SIZE_X);
}

Operator any_question(Generator *g) {
  return (Operator)(OPERATOR_EQ + below(g, OPERATOR_BOTH - OPERATOR_EQ));
}

FuzzTerm *condition_uniform(Generator *g) {
  FuzzTerm *a = value_uniform(g);
  if (chance(g, 40))
    a = binary(g, OPERATOR_AND, a, number(g, 1 + below(g, 3)));
  Operator op = any_question(g);
  return binary(g, op, a, number(g, below(g, 5)));
}

static FuzzTerm *thread_condition(Generator *g) {
  FuzzTerm *id = variable(g, chance(g, 80) ? g->thread : g->global);
  Operator op = any_question(g);
  switch (below(g, 6)) {
  case 5:
    return binary(g, op, id, value_uniform(g));
  case 0:
    return binary(g, OPERATOR_EQ, id, number(g, below(g, 3)));
  case 1:
    return binary(g, OPERATOR_NE, binary(g, OPERATOR_AND, id, number(g, 1)),
                  number(g, 0));
  default:
    return binary(g, op, id, number(g, below(g, 5)));
  }
}

static FuzzTerm *compare_values(Generator *g) {
  FuzzTerm *a = value_new(g, 2);
  Operator op = any_question(g);
  return binary(g, op, a, value_leaf(g));
}

FuzzTerm *condition_new(Generator *g) {
  unsigned kind = below(g, 8);
  switch (kind) {
  case 0:
    return compare_values(g);
  case 1:
  case 2: {
    FuzzTerm *a = thread_condition(g);
    return binary(g, kind == 1 ? OPERATOR_BOTH : OPERATOR_EITHER, a,
                  condition_uniform(g));
  }
  case 3:
  case 4:
    return condition_uniform(g);
  default:
    return thread_condition(g);
  }
}
