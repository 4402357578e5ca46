// Expressions: every one exists once.
//
// A table of all expressions of a task makes pointer equality structural
// equality (hash-consing), so comparing, memoising and sharing are free
// everywhere else.  Ids count up in order of creation and nothing depends on
// addresses, so runs repeat exactly.  This file holds the table, what walks
// over expressions and their value; the constructors' rules are in
// expr_simplify.c, expr_linear.c and expr_boolean.c, text in expr_text.c.
//
// Formulas get deep (a guard can hang off a thousand others), so nothing
// that walks to the leaves may recurse.

#include "translator/expr.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef Vec(const char *) Names;

// Walks that need a fact per expression keep it in `marks`, by id: it is
// valid if it was made in the current walk.  Walks do not nest.
typedef struct Mark {
  unsigned walk;
  uint64_t value;
} Mark;

typedef struct ExprTable {
  Expr **slots; // open addressing; the size is a power of two
  size_t size;
  unsigned count;
  Names names; // of functions
  Mark *marks;
  size_t marks_size;
  unsigned walk;
  Vec(const Expr *) stack;
} ExprTable;

// ----------------------------------------------------------------- table ---

static ExprTable *table_of(Task *task) {
  if (!task->exprs)
    task->exprs = NEW(task_lasting(task), ExprTable);
  return task->exprs;
}

static uint64_t mix(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
  return hash ^ (hash >> 29);
}

static uint64_t hash_of(ExprOp op, unsigned width, uint64_t value,
                        const char *function, Expr *const *args,
                        unsigned count) {
  uint64_t hash = mix((uint64_t)op << 32 | width, value);
  if (function)
    hash = mix(hash, strlen(function));
  for (unsigned i = 0; i < count; i++)
    hash = mix(hash, args[i]->id);
  return hash;
}

static uint64_t rehash(const Expr *e) {
  return hash_of(e->op, e->width, e->value, e->function, e->args, e->count);
}

static void grow(Task *task, ExprTable *table) {
  size_t size = table->size ? 2 * table->size : 1024;
  Expr **slots = arena_alloc(task_lasting(task), size * sizeof *slots);
  for (size_t i = 0; i < table->size; i++) {
    if (!table->slots[i])
      continue;
    size_t at = rehash(table->slots[i]) & (size - 1);
    while (slots[at])
      at = (at + 1) & (size - 1);
    slots[at] = table->slots[i];
  }
  table->slots = slots;
  table->size = size;
}

static Expr *new_expr(Task *task, ExprTable *table, ExprOp op, unsigned width,
                      Expr *const *args, unsigned count) {
  assert(width > 0);
  Expr *e = arena_alloc(task_lasting(task), sizeof *e + count * sizeof *args);
  e->op = op;
  e->width = width;
  e->id = ++table->count;
  e->count = count;
  if (count)
    memcpy(e->args, args, count * sizeof *args);
  return e;
}

static bool is_same(const Expr *e, ExprOp op, unsigned width, uint64_t value,
                    const char *function, Expr *const *args, unsigned count) {
  return e->op == op && e->width == width && e->value == value &&
         e->function == function && e->count == count &&
         (count == 0 || memcmp(e->args, args, count * sizeof *args) == 0);
}

static Expr *intern(Task *task, ExprOp op, unsigned width, uint64_t value,
                    const char *function, Expr *const *args, unsigned count) {
  ExprTable *table = table_of(task);
  if (2 * (size_t)table->count >= table->size)
    grow(task, table);
  size_t at = hash_of(op, width, value, function, args, count);
  for (at &= table->size - 1; table->slots[at];
       at = (at + 1) & (table->size - 1))
    if (is_same(table->slots[at], op, width, value, function, args, count))
      return table->slots[at];
  Expr *e = new_expr(task, table, op, width, args, count);
  e->value = value;
  e->function = function;
  table->slots[at] = e;
  return e;
}

Expr *expr_node(Task *task, ExprOp op, unsigned width, uint64_t value,
                Expr **args, unsigned count) {
  return intern(task, op, width, value, NULL, args, count);
}

Expr *expr_node2(Task *task, ExprOp op, unsigned width, Expr *a, Expr *b) {
  return expr_node(task, op, width, 0, (Expr *[]){a, b}, 2);
}

static bool comes_first(const Expr *a, const Expr *b) {
  if (expr_is_const(a) != expr_is_const(b))
    return expr_is_const(b);
  return a->id <= b->id;
}

Expr *expr_ordered(Task *task, ExprOp op, Expr *a, Expr *b) {
  unsigned width = op == EXPR_EQ ? 1 : a->width;
  return comes_first(a, b) ? expr_node2(task, op, width, a, b)
                           : expr_node2(task, op, width, b, a);
}

void expr_constant_last(Expr **a, Expr **b) {
  if (!expr_is_const(*a) || expr_is_const(*b))
    return;
  Expr *constant = *a;
  *a = *b;
  *b = constant;
}

Expr *expr_const(Task *task, unsigned width, uint64_t value) {
  if (width < 64)
    value &= expr_mask(width);
  return intern(task, EXPR_CONST, width, value, NULL, NULL, 0);
}

Expr *expr_bool(Task *task, bool value) { return expr_const(task, 1, value); }

Expr *expr_symbol(Task *task, Symbol *symbol) {
  if (!symbol->expr) {
    ExprTable *table = table_of(task);
    symbol->expr = new_expr(task, table, EXPR_SYMBOL, symbol->width, NULL, 0);
    symbol->expr->symbol = symbol;
  }
  return symbol->expr;
}

static const char *intern_name(Task *task, const char *name) {
  Names *names = &table_of(task)->names;
  for (size_t i = 0; i < names->count; i++)
    if (strcmp(names->at[i], name) == 0)
      return names->at[i];
  const char *copy = arena_copy(task_lasting(task), name);
  push(task_lasting(task), names, copy);
  return copy;
}

Expr *expr_apply(Task *task, const char *function, unsigned width, Expr **args,
                 unsigned count) {
  const char *name = intern_name(task, function);
  return intern(task, EXPR_APPLY, width, 0, name, args, count);
}

bool expr_is_const(const Expr *a) { return a->op == EXPR_CONST; }

bool expr_is_comparison(const Expr *a) {
  return a->op == EXPR_EQ || a->op == EXPR_ULT || a->op == EXPR_ULE ||
         a->op == EXPR_SLT || a->op == EXPR_SLE;
}

bool expr_is_division(const Expr *a) {
  return a->op == EXPR_UDIV || a->op == EXPR_SDIV || a->op == EXPR_UREM ||
         a->op == EXPR_SREM;
}

// The number of its array stands behind this in the name.
bool expr_is_content(const Expr *a) {
  return a->op == EXPR_APPLY && strchr(a->function, '#');
}

Expr *expr_without_extension(const Expr *a) {
  while (a->op == EXPR_ZEXT || a->op == EXPR_SEXT)
    a = a->args[0];
  return (Expr *)a;
}

bool expr_is_true(const Expr *a) {
  return a->op == EXPR_CONST && a->width == 1 && a->value == 1;
}

bool expr_is_false(const Expr *a) {
  return a->op == EXPR_CONST && a->width == 1 && a->value == 0;
}

// ------------------------------------------------------------------ maps ---

typedef struct MapSlot {
  const Expr *key;
  Expr *value;
} MapSlot;

struct ExprMap {
  MapSlot *slots;
  size_t count, size;
};

ExprMap *expr_map_new(Task *task) { return NEW(&task->arena, ExprMap); }

static MapSlot *find_slot(const ExprMap *map, const Expr *key) {
  size_t at = mix(0, key->id) & (map->size - 1);
  while (map->slots[at].key && map->slots[at].key != key)
    at = (at + 1) & (map->size - 1);
  return &map->slots[at];
}

Expr *expr_map_get(const ExprMap *map, const Expr *key) {
  return map->size ? find_slot(map, key)->value : NULL;
}

static void grow_map(Task *task, ExprMap *map) {
  ExprMap larger = {.size = map->size ? 2 * map->size : 16,
                    .count = map->count};
  larger.slots = arena_alloc(&task->arena, larger.size * sizeof(MapSlot));
  for (size_t i = 0; i < map->size; i++)
    if (map->slots[i].key)
      *find_slot(&larger, map->slots[i].key) = map->slots[i];
  expr_map_drop(task, map);
  *map = larger;
}

void expr_map_drop(Task *task, ExprMap *map) {
  arena_give_back(&task->arena, map->slots, map->size * sizeof(MapSlot));
  *map = (ExprMap){0};
}

void expr_map_put(Task *task, ExprMap *map, const Expr *key, Expr *value) {
  if (2 * map->count >= map->size)
    grow_map(task, map);
  MapSlot *slot = find_slot(map, key);
  if (!slot->key)
    map->count++;
  *slot = (MapSlot){key, value};
}

// ----------------------------------------------------------------- walks ---

void exprs_add(Task *task, const Exprs *from, Exprs *to) {
  for (size_t i = 0; i < from->count; i++)
    push(&task->arena, to, from->at[i]);
}

static int by_id(const void *a, const void *b) {
  unsigned x = (*(Expr *const *)a)->id, y = (*(Expr *const *)b)->id;
  return (x > y) - (x < y);
}

void exprs_sort(Exprs *list) {
  qsort(list->at, list->count, sizeof *list->at, by_id);
}

uint64_t exprs_hash(const Exprs *list) {
  uint64_t hash = list->count;
  for (size_t i = 0; i < list->count; i++)
    hash = (hash ^ list->at[i]->id) * UINT64_C(0x9E3779B97F4A7C15);
  return hash;
}

bool exprs_are_same(const Exprs *a, const Exprs *b) {
  if (a->count != b->count)
    return false;
  for (size_t i = 0; i < a->count; i++)
    if (a->at[i] != b->at[i])
      return false;
  return true;
}

void expr_order(Task *task, Expr *a, ExprMap *seen, Exprs *order) {
  Exprs stack = {0};
  push(&task->arena, &stack, a);
  while (stack.count) {
    Expr *e = stack.at[stack.count - 1];
    size_t before = stack.count;
    if (!expr_map_get(seen, e))
      for (unsigned i = e->count; i-- > 0;)
        if (!expr_map_get(seen, e->args[i]))
          push(&task->arena, &stack, e->args[i]);
    if (stack.count > before)
      continue;
    stack.count--;
    if (!expr_map_get(seen, e)) {
      expr_map_put(task, seen, e, e);
      push(&task->arena, order, e);
    }
  }
}

static Expr *substitute_one(Task *task, Substitution *s, Expr *e) {
  if (e->op == EXPR_SYMBOL)
    return s->replace(task, e->symbol, s->data);
  if (e->count == 0)
    return e;
  Expr *few[4], **args = few;
  if (e->count > 4)
    args = arena_alloc(&task->arena, e->count * sizeof(Expr *));
  bool is_new = false;
  for (unsigned i = 0; i < e->count; i++) {
    args[i] = expr_map_get(s->map, e->args[i]);
    is_new |= args[i] != e->args[i];
  }
  return is_new ? expr_rebuild(task, e, args) : e;
}

Expr *expr_substitute(Task *task, Substitution *s, Expr *a) {
  if (!s->map)
    s->map = expr_map_new(task);
  Expr *known = expr_map_get(s->map, a);
  if (known)
    return known;
  Exprs stack = {0};
  push(&task->arena, &stack, a);
  while (stack.count) {
    Expr *e = stack.at[stack.count - 1];
    size_t before = stack.count;
    for (unsigned i = e->count; i-- > 0;)
      if (!expr_map_get(s->map, e->args[i]))
        push(&task->arena, &stack, e->args[i]);
    if (stack.count > before)
      continue;
    stack.count--;
    if (!expr_map_get(s->map, e))
      expr_map_put(task, s->map, e, substitute_one(task, s, e));
  }
  return expr_map_get(s->map, a);
}

static void begin_walk(Task *task, ExprTable *table) {
  if (table->marks_size <= table->count) {
    table->marks_size = 2 * (size_t)table->count + 64;
    table->marks =
        arena_alloc(task_lasting(task), table->marks_size * sizeof(Mark));
    table->walk = 0;
  }
  table->walk++;
  table->stack.count = 0;
}

static bool is_marked(const ExprTable *table, const Expr *e) {
  return table->marks[e->id].walk == table->walk;
}

static void mark(ExprTable *table, const Expr *e, uint64_t value) {
  table->marks[e->id] = (Mark){table->walk, value};
}

static int by_number(const void *a, const void *b) {
  const Symbol *x = *(Symbol *const *)a, *y = *(Symbol *const *)b;
  if (x->number != y->number)
    return x->number < y->number ? -1 : 1;
  return (x->expr->id > y->expr->id) - (x->expr->id < y->expr->id);
}

void expr_symbols(Task *task, Expr *a, Symbols *symbols) {
  ExprTable *table = table_of(task);
  size_t before = symbols->count;
  begin_walk(task, table);
  for (size_t i = 0; i < before; i++)
    mark(table, expr_symbol(task, symbols->at[i]), 0);
  push(task_lasting(task), &table->stack, a);
  while (table->stack.count) {
    const Expr *e = table->stack.at[--table->stack.count];
    if (is_marked(table, e))
      continue;
    mark(table, e, 0);
    if (e->op == EXPR_SYMBOL)
      push(&task->arena, symbols, e->symbol);
    for (unsigned i = 0; i < e->count; i++)
      if (!is_marked(table, e->args[i]))
        push(task_lasting(task), &table->stack, e->args[i]);
  }
  if (symbols->count > before)
    qsort(symbols->at, symbols->count, sizeof *symbols->at, by_number);
}

bool expr_mentions(Task *task, Expr *a, const Symbol *symbol) {
  Symbols symbols = {0};
  expr_symbols(task, a, &symbols);
  for (size_t i = 0; i < symbols.count; i++)
    if (symbols.at[i] == symbol)
      return true;
  return false;
}

// ----------------------------------------------------------------- value ---

static uint64_t sign_extended(unsigned width, uint64_t value) {
  uint64_t sign = UINT64_C(1) << (width - 1);
  return (value ^ sign) - sign;
}

static bool is_negative(unsigned width, uint64_t value) {
  return value >> (width - 1) & 1;
}

static uint64_t udiv(unsigned width, uint64_t a, uint64_t b) {
  return b ? a / b : expr_mask(width);
}

// Both by SMT-LIB's definition: divide magnitudes, then set the sign.
static uint64_t sdiv(unsigned width, uint64_t a, uint64_t b) {
  uint64_t mask = expr_mask(width);
  bool minus_a = is_negative(width, a), minus_b = is_negative(width, b);
  uint64_t quotient =
      udiv(width, (minus_a ? -a : a) & mask, (minus_b ? -b : b) & mask);
  return minus_a != minus_b ? -quotient : quotient;
}

static uint64_t srem(unsigned width, uint64_t a, uint64_t b) {
  uint64_t mask = expr_mask(width);
  bool minus_a = is_negative(width, a);
  uint64_t x = (minus_a ? -a : a) & mask;
  uint64_t y = (is_negative(width, b) ? -b : b) & mask;
  uint64_t rest = y ? x % y : x;
  return minus_a ? -rest : rest;
}

static uint64_t ashr(unsigned width, uint64_t a, uint64_t b) {
  uint64_t shift = b < width ? b : width - 1;
  uint64_t filled = a >> shift;
  return is_negative(width, a) ? filled | ~(expr_mask(width) >> shift) : filled;
}

static uint64_t fold_unmasked(ExprOp op, unsigned width, uint64_t a,
                              uint64_t b) {
  switch (op) {
  case EXPR_ADD:
    return a + b;
  case EXPR_SUB:
    return a - b;
  case EXPR_MUL:
    return a * b;
  case EXPR_UDIV:
    return udiv(width, a, b);
  case EXPR_SDIV:
    return sdiv(width, a, b);
  case EXPR_UREM:
    return b ? a % b : a;
  case EXPR_SREM:
    return srem(width, a, b);
  case EXPR_AND:
    return a & b;
  case EXPR_OR:
    return a | b;
  case EXPR_XOR:
    return a ^ b;
  case EXPR_SHL:
    return b < width ? a << b : 0;
  case EXPR_LSHR:
    return b < width ? a >> b : 0;
  case EXPR_ASHR:
    return ashr(width, a, b);
  case EXPR_EQ:
    return a == b;
  case EXPR_ULT:
    return a < b;
  case EXPR_ULE:
    return a <= b;
  case EXPR_SLT:
    return (int64_t)sign_extended(width, a) < (int64_t)sign_extended(width, b);
  case EXPR_SLE:
    return (int64_t)sign_extended(width, a) <= (int64_t)sign_extended(width, b);
  case EXPR_CONST:
  case EXPR_SYMBOL:
  case EXPR_NOT:
  case EXPR_ITE:
  case EXPR_EXTRACT:
  case EXPR_ZEXT:
  case EXPR_SEXT:
  case EXPR_CONCAT:
  case EXPR_APPLY:
  case EXPR_OPS:
    break;
  }
  assert(false && "a binary operator");
  return 0;
}

uint64_t expr_fold(ExprOp op, unsigned width, uint64_t a, uint64_t b) {
  assert(width <= MAX_FOLDED_WIDTH);
  return fold_unmasked(op, width, a, b) & expr_mask(width);
}

static uint64_t value_at(const ExprTable *table, const Expr *e) {
  assert(is_marked(table, e));
  return table->marks[e->id].value;
}

static uint64_t apply_value(Task *task, const ExprTable *table,
                            const Valuation *v, const Expr *e) {
  uint64_t *args = arena_alloc(&task->arena, e->count * sizeof *args);
  for (unsigned i = 0; i < e->count; i++)
    args[i] = value_at(table, e->args[i]);
  return v->apply(e->function, args, e->count, v->data);
}

// The value of one node whose arguments' values are there.
static uint64_t node_value(Task *task, const ExprTable *table,
                           const Valuation *v, const Expr *e) {
  uint64_t a = e->count > 0 ? value_at(table, e->args[0]) : 0;
  uint64_t b = e->count > 1 ? value_at(table, e->args[1]) : 0;
  switch (e->op) {
  case EXPR_CONST:
    return e->value;
  case EXPR_SYMBOL:
    return v->value_of(e->symbol, v->data);
  case EXPR_APPLY:
    return apply_value(task, table, v, e);
  case EXPR_NOT:
    return ~a;
  case EXPR_ITE:
    return a ? b : value_at(table, e->args[2]);
  case EXPR_EXTRACT:
    return a >> e->value;
  case EXPR_ZEXT:
    return a;
  case EXPR_SEXT:
    return sign_extended(e->args[0]->width, a);
  case EXPR_CONCAT:
    return a << e->args[1]->width | b;
  case EXPR_ADD:
  case EXPR_SUB:
  case EXPR_MUL:
  case EXPR_UDIV:
  case EXPR_SDIV:
  case EXPR_UREM:
  case EXPR_SREM:
  case EXPR_AND:
  case EXPR_OR:
  case EXPR_XOR:
  case EXPR_SHL:
  case EXPR_LSHR:
  case EXPR_ASHR:
  case EXPR_EQ:
  case EXPR_ULT:
  case EXPR_ULE:
  case EXPR_SLT:
  case EXPR_SLE:
  case EXPR_OPS:
    break;
  }
  return expr_fold(e->op, e->args[0]->width, a, b);
}

uint64_t expr_evaluate(Task *task, const Valuation *v, const Expr *a) {
  ExprTable *table = table_of(task);
  begin_walk(task, table);
  push(task_lasting(task), &table->stack, a);
  while (table->stack.count) {
    const Expr *e = table->stack.at[table->stack.count - 1];
    size_t before = table->stack.count;
    assert(e->width <= MAX_FOLDED_WIDTH);
    if (!is_marked(table, e))
      for (unsigned i = e->count; i-- > 0;)
        if (!is_marked(table, e->args[i]))
          push(task_lasting(task), &table->stack, e->args[i]);
    if (table->stack.count > before)
      continue;
    table->stack.count--;
    if (!is_marked(table, e))
      mark(table, e, node_value(task, table, v, e) & expr_mask(e->width));
  }
  return value_at(table, a);
}
