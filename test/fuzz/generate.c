// A random kernel that means well.
//
// Statements thrown together at random race almost always, and a prover that
// cries wolf would look perfect.  So each barrier interval has a plan: for
// every array, who may touch what (only reads; each thread its own cells
// under some map from thread to cell; atomics; one thread alone; anything
// goes).  Steps follow the plan; where the plan changes a barrier is put.
// Careless authors slip now and then, and get mistakes on top (mutate.c).
// About half of what comes out is free of races, the rest is nearly right.
//
// Control flow is planned in the same way: barriers only where all threads of
// a block come along, which Scope.is_uniform tracks.

#include "test/fuzz/generate.h"

enum { TRIALS = 20 };

static const Setting settings[] = {
    {"--blockDim=4 --gridDim=1", {{4, 1, 1}}, 1, {4, 1, 1}},
    {"--blockDim=4 --gridDim=1", {{4, 1, 1}}, 1, {4, 1, 1}},
    {"--blockDim=3 --gridDim=2", {{3, 1, 2}}, 1, {3, 1, 2}},
    {"--blockDim=2 --gridDim=2", {{2, 1, 2}}, 1, {2, 1, 2}},
    {"--blockDim=8 --gridDim=1", {{8, 1, 1}}, 1, {8, 1, 1}},
    {"--blockDim=[2,2] --gridDim=2", {{2, 2, 2}}, 1, {2, 2, 2}},
    {"--blockDim=4 --gridDim=*",
     {{4, 1, 3}, {4, 1, 1}, {4, 1, 2}},
     3,
     {4, 1, 40}},
    {"--blockDim=* --gridDim=1",
     {{6, 1, 1}, {2, 1, 1}, {4, 1, 1}},
     3,
     {96, 1, 1}},
    {"--blockDim=[*,*] --gridDim=*",
     {{2, 2, 2}, {3, 1, 2}, {1, 2, 3}},
     3,
     {33, 3, 5}},
};

// ------------------------------------------------------------------ steps ---

static void new_steps(Generator *g, FuzzSteps *to, unsigned count);

static void new_barrier(Generator *g, FuzzSteps *to) {
  unsigned kind = below(g, 12);
  if (kind == 0 && plan_threads(g) > 1) {
    step_barrier(g->p, to, STEP_WARP_BARRIER);
  } else if (kind == 1) {
    FuzzVariable *vote = program_variable(g->p, TYPE_U32);
    FuzzStep *step = step_barrier(g->p, to, STEP_VOTE);
    step->variable = vote;
    step->term = value_new(g, 2);
    vote->is_uniform = true;
    push(g->p->arena, &g->readable, vote);
  } else {
    step_barrier(g->p, to, STEP_BARRIER);
  }
  g->scope.has_barrier = true;
}

// A part of the kernel that control may skip or repeat: it leaves the plan as
// it found it.
static void new_block(Generator *g, FuzzSteps *to, unsigned count,
                      bool is_uniform) {
  Generator before = *g;
  Vec(KernelPlan) plans = {0};
  for (size_t i = 0; i < g->plans.count; i++)
    push(g->p->arena, &plans, g->plans.at[i]);
  g->scope.depth++;
  g->scope.is_uniform &= is_uniform || slip(g) || slip(g);
  new_steps(g, to, count);
  if (g->plan_number != before.plan_number)
    step_barrier(g->p, to, STEP_BARRIER);
  for (size_t i = 0; i < g->plans.count; i++)
    g->plans.at[i] = plans.at[i];
  g->plan_number = before.plan_number;
  bool has_barrier = g->scope.has_barrier;
  g->scope = before.scope;
  g->scope.has_barrier |= has_barrier;
  g->readable.count = before.readable.count;
}

static void new_body(Generator *g, FuzzStep *loop, bool is_uniform) {
  GeneratedScope before = g->scope;
  g->scope.in_loop = true;
  g->scope.has_barrier = false;
  new_block(g, &loop->body, 1 + below(g, 3), is_uniform);
  g->scope.in_loop = before.in_loop;
  g->scope.has_barrier |= before.has_barrier;
}

static void new_vector_store(Generator *g, FuzzStep *step) {
  if (type_bytes(step->place->type) >= 8)
    step->more = value_new(g, 1);
}

static void new_store(Generator *g, FuzzSteps *to) {
  FuzzArray *array = plan_find(g, RULE_OWN, RULE_OWN);
  if (!array)
    array = plan_find(g, RULE_ANYTHING, RULE_ANYTHING);
  if (!array)
    return;
  FuzzPlace *place = plan_of(g, array)->rule == RULE_OWN ? place_own(g, array)
                                                         : place_any(g, array);
  place->is_handed = array->is_written_by_hand;
  static const Operator ops[] = {OPERATOR_ADD, OPERATOR_XOR, OPERATOR_OR,
                                 OPERATOR_SUB};
  FuzzStep *step = step_store(g->p, to, place,
                              chance(g, 10) ? number(g, 1) : value_new(g, 3));
  new_vector_store(g, step);
  if (chance(g, 25) && type_bytes(place->type) <= 4) {
    step->kind = STEP_UPDATE;
    step->op = ops[below(g, 4)];
  }
}

static FuzzVariable *new_variable(Generator *g, bool is_uniform) {
  static const FuzzType types[] = {TYPE_U32, TYPE_U32, TYPE_S32,
                                   TYPE_U8,  TYPE_U16, TYPE_S8};
  FuzzVariable *v = program_variable(g->p, types[below(g, 6)]);
  v->is_uniform = is_uniform;
  push(g->p->arena, &g->readable, v);
  return v;
}

static bool is_settable(const Generator *g, const FuzzVariable *v) {
  return !v->is_counter && !v->is_parameter && v != g->thread && v != g->global;
}

static FuzzVariable *settable(Generator *g) {
  unsigned which = below(g, (unsigned)g->readable.count);
  FuzzVariable *v = g->readable.at[which];
  if (is_settable(g, v) && (!v->is_uniform || g->scope.is_uniform))
    return v;
  return new_variable(g, g->scope.is_uniform && chance(g, 40));
}

static void new_set(Generator *g, FuzzSteps *to) {
  FuzzVariable *v = settable(g);
  FuzzTerm *value = value_new(g, 3);
  if (v->is_uniform)
    value = plus(g, value_uniform(g), 1 + (v->number & 1));
  step_set(g->p, to, v, value);
}

static void new_atomic(Generator *g, FuzzSteps *to) {
  FuzzArray *array = plan_find(g, RULE_ATOMIC, RULE_ATOMIC);
  if (!array)
    return;
  FuzzPlace *place = place_in(g->p, array, TYPE_U32, value_new(g, 2));
  FuzzStep *step = step_new(g->p, to, STEP_ATOMIC);
  step->place = place;
  step->term = chance(g, 50) ? number(g, 1) : value_new(g, 2);
  step->atomic =
      chance(g, 60) ? ATOMIC_ADD : (AtomicKind)below(g, ATOMIC_EXCHANGE + 1);
  if (chance(g, 50))
    step->variable = new_variable(g, false);
}

static void new_if(Generator *g, FuzzSteps *to) {
  bool is_uniform = chance(g, 40);
  FuzzTerm *condition = is_uniform ? condition_uniform(g) : condition_new(g);
  FuzzStep *step = step_new(g->p, to, STEP_IF);
  step->term = condition;
  new_block(g, &step->body, 1 + below(g, 3), is_uniform);
  if (chance(g, 40))
    new_block(g, &step->other, 1 + below(g, 2), is_uniform);
}

static void one_thread(Generator *g, FuzzSteps *to) {
  FuzzArray *array = plan_find(g, RULE_ONE_THREAD, RULE_ONE_THREAD);
  if (!array)
    return;
  FuzzStep *step = step_new(g->p, to, STEP_IF);
  bool of_grid =
      plan_is_by_grid(g, array) && !plan_of(g, array)->forgets_blocks;
  FuzzVariable *id = of_grid ? g->global : g->thread;
  unsigned chosen = chance(g, 90) ? 0 : 1;
  step->term = binary(g, OPERATOR_EQ, variable(g, id), number(g, chosen));
  FuzzPlace *place = place_any(g, array);
  place->is_handed = array->is_written_by_hand;
  new_vector_store(g, step_store(g->p, &step->body, place, value_new(g, 2)));
  FuzzTerm *value = term_load(g->p, place_any(g, array));
  step_set(g->p, &step->body, new_variable(g, false), value);
}

static FuzzTerm *small_limit(Generator *g, bool is_uniform) {
  if (chance(g, 40))
    return number(g, 1 + below(g, 4));
  FuzzTerm *from = is_uniform ? value_uniform(g) : variable(g, g->thread);
  return plus(g, binary(g, OPERATOR_AND, from, number(g, 3)), below(g, 2));
}

// How a loop counts.
static void count_up(Generator *g, FuzzStep *loop, bool is_uniform) {
  FuzzVariable *i = loop->variable;
  loop->start = is_uniform ? number(g, below(g, 2)) : value_leaf(g);
  FuzzTerm *limit = small_limit(g, is_uniform);
  loop->term = binary(g, i->type == TYPE_S32 ? OPERATOR_SIGNED_LT : OPERATOR_LT,
                      variable(g, i), limit);
  Operator add = i->type == TYPE_S32 ? OPERATOR_SIGNED_ADD : OPERATOR_ADD;
  loop->next = binary(g, add, variable(g, i), number(g, 1 + below(g, 2)));
}

static void count_by_doubling(Generator *g, FuzzStep *loop) {
  FuzzVariable *i = loop->variable;
  loop->start = number(g, 1);
  loop->term = binary(g, OPERATOR_LT, variable(g, i), number(g, 5));
  loop->next = binary(g, OPERATOR_MUL, variable(g, i), number(g, 2));
}

static void count_by_halving(Generator *g, FuzzStep *loop) {
  FuzzVariable *i = loop->variable;
  loop->start = chance(g, 50) ? number(g, 4) : plan_block_size(g);
  loop->term = binary(g, OPERATOR_GT, variable(g, i), number(g, 0));
  loop->next = binary(g, OPERATOR_SHR, variable(g, i), number(g, 1));
}

static void new_for(Generator *g, FuzzSteps *to) {
  static const FuzzType types[] = {TYPE_U32, TYPE_U32, TYPE_S32, TYPE_U8};
  bool is_uniform = chance(g, 70);
  FuzzStep *loop = step_new(g->p, to, STEP_FOR);
  unsigned kind = below(g, 6);
  loop->variable =
      program_variable(g->p, kind < 2 ? TYPE_U32 : types[below(g, 4)]);
  loop->variable->is_counter = true;
  loop->variable->is_uniform = is_uniform || kind < 2;
  if (kind == 0)
    count_by_doubling(g, loop);
  else if (kind == 1)
    count_by_halving(g, loop);
  else
    count_up(g, loop, is_uniform);
  size_t visible = g->readable.count;
  push(g->p->arena, &g->readable, loop->variable);
  new_body(g, loop, loop->variable->is_uniform);
  g->readable.count = visible;
}

// A while or do loop that counts in a variable of its own, and may have
// another condition to go on.
static void new_while(Generator *g, FuzzSteps *to) {
  bool is_uniform = chance(g, 60);
  FuzzVariable *count = program_variable(g->p, TYPE_U32);
  count->is_uniform = is_uniform;
  step_set(g->p, to, count, number(g, 0));
  FuzzStep *loop = step_new(g->p, to, chance(g, 50) ? STEP_WHILE : STEP_DO);
  loop->term =
      binary(g, OPERATOR_LT, variable(g, count), small_limit(g, is_uniform));
  if (chance(g, 30))
    loop->term = binary(g, OPERATOR_BOTH, loop->term,
                        is_uniform ? condition_uniform(g) : condition_new(g));
  step_set(g->p, &loop->body, count,
           binary(g, OPERATOR_ADD, variable(g, count), number(g, 1)));
  new_body(g, loop, is_uniform);
}

static void new_switch(Generator *g, FuzzSteps *to) {
  bool is_uniform = chance(g, 30);
  FuzzTerm *value = is_uniform ? value_uniform(g) : variable(g, g->thread);
  bool in_loop = g->scope.in_loop;
  FuzzStep *step = step_new(g->p, to, STEP_SWITCH);
  step->term = binary(g, OPERATOR_AND, value, number(g, 3));
  g->scope.in_loop = false; // `break` would mean the switch
  unsigned cases = 1 + below(g, 3);
  for (unsigned i = 0; i <= cases; i++) {
    FuzzStep *label = step_new(g->p, &step->body, STEP_CASE);
    label->label = i;
    label->is_default = i == cases;
    label->falls_through = chance(g, 20);
    new_block(g, &label->body, 1, is_uniform);
  }
  g->scope.in_loop = in_loop;
}

// Who returns is missed at the barriers to come, so all have to.
static FuzzStepKind jump_kind(Generator *g, bool is_uniform) {
  if (chance(g, 20) && ((is_uniform && g->scope.is_uniform) || slip(g)))
    return STEP_RETURN;
  return chance(g, 50) ? STEP_BREAK : STEP_CONTINUE;
}

// Leaving a loop early, where it has no barrier yet.
static void new_jump(Generator *g, FuzzSteps *to) {
  if (!g->scope.in_loop || (g->scope.has_barrier && !slip(g)))
    return;
  bool is_uniform = chance(g, 40);
  FuzzStep *step = step_new(g->p, to, STEP_IF);
  step->term = is_uniform ? condition_uniform(g) : condition_new(g);
  step_new(g->p, &step->body, jump_kind(g, is_uniform));
  g->scope.is_uniform &= is_uniform;
}

static void new_return(Generator *g, FuzzSteps *to) {
  if (g->scope.depth)
    return;
  bool is_uniform = chance(g, 50);
  FuzzStep *step = step_new(g->p, to, STEP_IF);
  step->term = is_uniform ? condition_uniform(g) : condition_new(g);
  step_new(g->p, &step->body, STEP_RETURN);
  g->scope.is_uniform &= is_uniform || slip(g);
}

static bool has_barrier(const FuzzProcedure *procedure) {
  const FuzzSteps *body = &procedure->body;
  return body->count && body->at[body->count - 1]->kind == STEP_BARRIER;
}

static void call_procedure(Generator *g, FuzzSteps *to) {
  FuzzArray *array = plan_find(g, RULE_OWN, RULE_OWN);
  for (size_t i = 0; array && i < g->p->procedures.count; i++) {
    FuzzProcedure *procedure = g->p->procedures.at[i];
    if (procedure->result ||
        type_bytes(procedure->pointer->type) > plan_of(g, array)->unit ||
        (has_barrier(procedure) && !g->scope.is_uniform))
      continue;
    g->scope.has_barrier |= has_barrier(procedure);
    FuzzStep *step = step_new(g->p, to, STEP_CALL);
    step->procedure = procedure;
    step->place = place_own_as(g, array, procedure->pointer->type);
    step->args[0] = value_new(g, 2);
    step->args[1] = value_leaf(g);
    return;
  }
}

// One of two arrays, chosen at run time, both under one plan.
static void new_pointer(Generator *g, FuzzSteps *to) {
  FuzzArray *a = plan_find(g, RULE_OWN, RULE_OWN);
  FuzzArray *b = plan_find(g, RULE_OWN, RULE_OWN);
  if (!a || !b)
    return;
  FuzzType type = place_type(g, a, plan_of(g, a)->unit);
  if (type_bytes(type) > plan_of(g, b)->unit)
    return;
  FuzzStep *step = step_new(g->p, to, STEP_POINT);
  step->pointer = program_pointer(g->p, type);
  step->place = place_own_as(g, a, type);
  if (a != b && chance(g, 70)) {
    step->term = condition_new(g);
    step->more_place = place_own_as(g, b, type);
  }
  FuzzPlace *at = place_at(g->p, step->pointer, number(g, 0));
  new_vector_store(g, step_store(g->p, to, at, value_new(g, 2)));
}

static void new_pattern(Generator *g, FuzzSteps *to) {
  if (g->scope.depth || !g->scope.is_uniform)
    return;
  Surroundings around = {g->p, g->random, g->thread, g->global,
                         g->readable.at[0]};
  if (chance(g, 40))
    nest_append(&around, to);
  else
    pattern_append(&around, to);
  g->scope.has_barrier = true;
}

static void change_plan(Generator *g, FuzzSteps *to) {
  if (!g->scope.is_uniform)
    return;
  if (!slip(g))
    new_barrier(g, to);
  plan_renew_all(g, false);
}

static void new_step(Generator *g, FuzzSteps *to) {
  unsigned kind = below(g, 100);
  bool is_deep = g->scope.depth >= 3;
  if (kind < 30)
    new_store(g, to);
  else if (kind < 40)
    new_set(g, to);
  else if (kind < 45)
    new_atomic(g, to);
  else if (kind < 50)
    one_thread(g, to);
  else if (kind < 53)
    call_procedure(g, to);
  else if (kind < 57)
    new_pointer(g, to);
  else if (kind < 61)
    new_jump(g, to);
  else if (kind < 62)
    new_return(g, to);
  else if (kind < 74)
    change_plan(g, to);
  else if (kind < 79)
    new_pattern(g, to);
  else if (is_deep)
    new_store(g, to);
  else if (kind < 87)
    new_if(g, to);
  else if (kind < 94)
    new_for(g, to);
  else if (kind < 97)
    new_while(g, to);
  else
    new_switch(g, to);
}

static void new_steps(Generator *g, FuzzSteps *to, unsigned count) {
  for (unsigned i = 0; i < count; i++)
    new_step(g, to);
}

// ----------------------------------------------------------------- kernel ---

static void new_arrays(Generator *g) {
  unsigned count = 2 + below(g, 3);
  for (unsigned i = 0; i < count; i++) {
    Home home = chance(g, 12)   ? HOME_PRIVATE
                : chance(g, 50) ? HOME_GLOBAL
                                : HOME_SHARED;
    FuzzType type =
        chance(g, 50) ? TYPE_U32 : (FuzzType)below(g, TYPE_QUAD + 1);
    unsigned bytes =
        home == HOME_PRIVATE ? 16u << below(g, 2) : 64u << below(g, 3);
    FuzzArray *array = program_array(g->p, home, type, bytes);
    if (home != HOME_GLOBAL && chance(g, 20))
      array->columns = bytes / type_bytes(type) / 2;
    array->is_written_by_hand = home == HOME_GLOBAL && chance(g, 20);
    push(g->p->arena, &g->plans, (KernelPlan){0});
  }
}

static FuzzVariable *new_argument(Generator *g, FuzzProcedure *procedure) {
  FuzzVariable *v = program_variable(g->p, TYPE_U32);
  v->is_argument = true;
  push(g->p->arena, &procedure->parameters, v);
  return v;
}

static void new_function(Generator *g) {
  FuzzProcedure *f = program_procedure(g->p);
  FuzzTerm *a = variable(g, new_argument(g, f));
  FuzzTerm *b = variable(g, new_argument(g, f));
  static const Operator ops[] = {OPERATOR_ADD, OPERATOR_XOR, OPERATOR_MUL,
                                 OPERATOR_HIGH_MUL};
  b = binary(g, OPERATOR_AND, b, number(g, below(g, 16)));
  f->result = binary(g, ops[below(g, 4)], a, b);
}

// void f(T *p, unsigned a, unsigned b) { if (a > n) return; *p = b; .. }
static void new_putter(Generator *g) {
  static const FuzzType types[] = {TYPE_U8, TYPE_U16, TYPE_U32, TYPE_S32};
  FuzzProcedure *f = program_procedure(g->p);
  f->pointer = program_pointer(g->p, types[below(g, 4)]);
  f->pointer->is_argument = true;
  FuzzVariable *a = new_argument(g, f), *b = new_argument(g, f);
  if (chance(g, 50)) {
    FuzzStep *leave = step_new(g->p, &f->body, STEP_IF);
    Operator op = any_question(g);
    leave->term = binary(g, op, variable(g, a), number(g, below(g, 4)));
    step_new(g->p, &leave->body, STEP_RETURN);
  }
  FuzzPlace *place = place_at(g->p, f->pointer, number(g, 0));
  step_store(g->p, &f->body, place, variable(g, b));
  if (chance(g, 20))
    step_barrier(g->p, &f->body, STEP_BARRIER);
}

static void new_parameters(Generator *g) {
  unsigned count = 1 + below(g, 2);
  for (unsigned i = 0; i < count; i++) {
    FuzzVariable *n =
        program_variable(g->p, chance(g, 70) ? TYPE_U32 : TYPE_S32);
    n->is_parameter = true;
    n->is_uniform = true;
    push(g->p->arena, &g->readable, n);
  }
}

static void name_threads(Generator *g) {
  FuzzProgram *p = g->p;
  g->thread = program_variable(p, TYPE_U32);
  g->global = program_variable(p, TYPE_U32);
  FuzzTerm *id = term_builtin(p, BUILTIN_THREAD_X);
  if (g->shape.block_y > 1)
    id = binary(g, OPERATOR_ADD,
                binary(g, OPERATOR_MUL, term_builtin(p, BUILTIN_THREAD_Y),
                       term_builtin(p, BUILTIN_BLOCK_SIZE_X)),
                id);
  step_set(p, &p->body, g->thread, id);
  FuzzTerm *base = binary(g, OPERATOR_MUL, term_builtin(p, BUILTIN_BLOCK_X),
                          plan_block_size(g));
  step_set(p, &p->body, g->global,
           binary(g, OPERATOR_ADD, base, variable(g, g->thread)));
}

static FuzzProgram *new_program(Arena *arena, Random *random, Shape shape) {
  FuzzProgram *p = NEW(arena, FuzzProgram);
  p->arena = arena;
  Generator g = {.p = p, .random = random, .shape = shape};
  g.scope.is_uniform = true;
  g.forgets_blocks = chance(&g, 15);
  if (!g.forgets_blocks && chance(&g, 70))
    g.carelessness = 6 + below(&g, 24);
  new_parameters(&g);
  new_arrays(&g);
  new_function(&g);
  new_putter(&g);
  name_threads(&g);
  plan_renew_all(&g, true);
  new_steps(&g, &p->body, 7 + below(&g, 7));
  while (random_chance(random, 2 * g.carelessness))
    mutate(p, random);
  return p;
}

FuzzFinding setting_run(const FuzzProgram *program, const Setting *setting,
                        uint64_t seed) {
  FuzzFinding finding = {0};
  for (unsigned i = 0; i < setting->count; i++) {
    finding = reference_run(program, setting->shapes[i], seed + i, TRIALS);
    if (finding.kind != FINDING_NONE)
      break;
  }
  return finding;
}

// Masks the indices that turn out to need it.
static FuzzFinding make_valid(FuzzProgram *program, const Setting *setting,
                              uint64_t seed) {
  FuzzFinding finding = {0};
  for (unsigned tries = 0; tries < 40; tries++) {
    finding = setting_run(program, setting, seed);
    if (!finding.outside || finding.outside->is_masked)
      break;
    finding.outside->is_masked = true;
  }
  return finding;
}

FuzzProgram *generate(Arena *arena, uint64_t seed, unsigned index,
                      const Setting **setting, FuzzFinding *finding) {
  Random random = {seed * 1000003 + index};
  for (;;) {
    unsigned which =
        random_below(&random, sizeof settings / sizeof settings[0]);
    *setting = &settings[which];
    FuzzProgram *program = new_program(arena, &random, (*setting)->shapes[0]);
    program->index = index;
    *finding = make_valid(program, *setting, seed);
    if (finding->kind != FINDING_INVALID)
      return program;
  }
}
