// Building programs, and walking over them.

#include "test/fuzz/fuzz.h"

#include <assert.h>

// splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number
// generators, OOPSLA 2014): any seed is a good one.
uint32_t random_next(Random *random) {
  uint64_t z = random->state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (uint32_t)((z ^ (z >> 31)) >> 32);
}

unsigned random_below(Random *random, unsigned limit) {
  assert(limit);
  return random_next(random) % limit;
}

bool random_chance(Random *random, unsigned percent) {
  return random_below(random, 100) < percent;
}

static const struct {
  const char *text;
  unsigned bytes;
} types[] = {
    [TYPE_U8] = {"unsigned char", 1},
    [TYPE_S8] = {"signed char", 1},
    [TYPE_U16] = {"unsigned short", 2},
    [TYPE_S16] = {"short", 2},
    [TYPE_U32] = {"unsigned", 4},
    [TYPE_S32] = {"int", 4},
    [TYPE_U64] = {"unsigned long long", 8},
    [TYPE_PAIR] = {"uint2", 8},
    [TYPE_QUAD] = {"uint4", 16},
};

const char *type_text(FuzzType type) { return types[type].text; }

unsigned type_bytes(FuzzType type) { return types[type].bytes; }

uint32_t type_wrap(FuzzType type, uint32_t value) {
  switch (type) {
  case TYPE_U8:
    return (uint8_t)value;
  case TYPE_S8:
    return (uint32_t)(int8_t)value;
  case TYPE_U16:
    return (uint16_t)value;
  case TYPE_S16:
    return (uint32_t)(int16_t)value;
  case TYPE_U32:
  case TYPE_S32:
  case TYPE_U64:
  case TYPE_PAIR:
  case TYPE_QUAD:
    break;
  }
  return value;
}

FuzzArray *program_array(FuzzProgram *p, Home home, FuzzType type,
                         unsigned bytes) {
  assert(bytes && (bytes & (bytes - 1)) == 0);
  FuzzArray *array = NEW(p->arena, FuzzArray);
  array->number = (unsigned)p->arrays.count;
  array->home = home;
  array->type = type;
  array->bytes = bytes;
  push(p->arena, &p->arrays, array);
  return array;
}

FuzzVariable *program_variable(FuzzProgram *p, FuzzType type) {
  FuzzVariable *variable = NEW(p->arena, FuzzVariable);
  variable->number = (unsigned)p->variables.count;
  variable->type = type;
  push(p->arena, &p->variables, variable);
  return variable;
}

Pointer *program_pointer(FuzzProgram *p, FuzzType type) {
  Pointer *pointer = NEW(p->arena, Pointer);
  pointer->number = (unsigned)p->pointers.count;
  pointer->type = type;
  push(p->arena, &p->pointers, pointer);
  return pointer;
}

FuzzProcedure *program_procedure(FuzzProgram *p) {
  FuzzProcedure *procedure = NEW(p->arena, FuzzProcedure);
  procedure->number = (unsigned)p->procedures.count;
  push(p->arena, &p->procedures, procedure);
  return procedure;
}

static FuzzTerm *new_term(FuzzProgram *p, TermKind kind) {
  FuzzTerm *term = NEW(p->arena, FuzzTerm);
  term->kind = kind;
  return term;
}

FuzzTerm *term_number(FuzzProgram *p, uint32_t number) {
  FuzzTerm *term = new_term(p, TERM_NUMBER);
  term->number = number;
  return term;
}

FuzzTerm *term_builtin(FuzzProgram *p, FuzzBuiltin builtin) {
  FuzzTerm *term = new_term(p, TERM_BUILTIN);
  term->builtin = builtin;
  return term;
}

FuzzTerm *term_variable(FuzzProgram *p, FuzzVariable *variable) {
  FuzzTerm *term = new_term(p, TERM_VARIABLE);
  term->variable = variable;
  return term;
}

FuzzTerm *term_cast(FuzzProgram *p, FuzzType type, FuzzTerm *a) {
  FuzzTerm *term = new_term(p, TERM_CAST);
  term->type = type;
  term->args[0] = a;
  return term;
}

FuzzTerm *term_binary(FuzzProgram *p, Operator op, FuzzTerm *a, FuzzTerm *b) {
  FuzzTerm *term = new_term(p, TERM_BINARY);
  term->op = op;
  term->args[0] = a;
  term->args[1] = b;
  return term;
}

FuzzTerm *term_select(FuzzProgram *p, FuzzTerm *condition, FuzzTerm *yes,
                      FuzzTerm *no) {
  FuzzTerm *term = new_term(p, TERM_SELECT);
  term->args[0] = condition;
  term->args[1] = yes;
  term->args[2] = no;
  return term;
}

FuzzTerm *term_load(FuzzProgram *p, FuzzPlace *place) {
  FuzzTerm *term = new_term(p, TERM_LOAD);
  term->place = place;
  return term;
}

FuzzTerm *term_call(FuzzProgram *p, FuzzProcedure *procedure, FuzzTerm *a,
                    FuzzTerm *b) {
  FuzzTerm *term = new_term(p, TERM_CALL);
  term->procedure = procedure;
  term->args[0] = a;
  term->args[1] = b;
  return term;
}

static FuzzPlace *new_place(FuzzProgram *p, FuzzType type, FuzzTerm *index) {
  FuzzPlace *place = NEW(p->arena, FuzzPlace);
  place->type = type;
  place->index = index;
  place->index_type = TYPE_U32;
  return place;
}

FuzzPlace *place_in(FuzzProgram *p, FuzzArray *array, FuzzType type,
                    FuzzTerm *index) {
  FuzzPlace *place = new_place(p, type, index);
  place->array = array;
  return place;
}

FuzzPlace *place_at(FuzzProgram *p, Pointer *pointer, FuzzTerm *index) {
  FuzzPlace *place = new_place(p, pointer->type, index);
  place->pointer = pointer;
  return place;
}

FuzzStep *step_new(FuzzProgram *p, FuzzSteps *to, FuzzStepKind kind) {
  FuzzStep *step = NEW(p->arena, FuzzStep);
  step->kind = kind;
  push(p->arena, to, step);
  return step;
}

FuzzStep *step_set(FuzzProgram *p, FuzzSteps *to, FuzzVariable *variable,
                   FuzzTerm *value) {
  FuzzStep *step = step_new(p, to, STEP_SET);
  step->variable = variable;
  step->term = value;
  return step;
}

FuzzStep *step_store(FuzzProgram *p, FuzzSteps *to, FuzzPlace *place,
                     FuzzTerm *value) {
  FuzzStep *step = step_new(p, to, STEP_STORE);
  step->place = place;
  step->term = value;
  step->more = term_number(p, 1);
  return step;
}

FuzzStep *step_barrier(FuzzProgram *p, FuzzSteps *to, FuzzStepKind kind) {
  FuzzStep *step = step_new(p, to, kind);
  step->number = ++p->barriers;
  return step;
}

typedef struct Walk {
  Arena *arena;
  StepSlots *steps;
  TermSlots *terms;
} Walk;

static void walk_term(Walk *walk, FuzzTerm **slot);

static void walk_place(Walk *walk, FuzzPlace *place) {
  if (place)
    walk_term(walk, &place->index);
}

static void walk_term(Walk *walk, FuzzTerm **slot) {
  if (!*slot)
    return;
  push(walk->arena, walk->terms, slot);
  walk_place(walk, (*slot)->place);
  for (unsigned i = 0; i < 3; i++)
    walk_term(walk, &(*slot)->args[i]);
}

static void walk_steps(Walk *walk, FuzzSteps *steps) {
  for (size_t i = 0; i < steps->count; i++) {
    FuzzStep *step = steps->at[i];
    push(walk->arena, walk->steps, ((StepSlot){steps, i}));
    walk_place(walk, step->place);
    walk_place(walk, step->more_place);
    walk_term(walk, &step->term);
    walk_term(walk, &step->more);
    walk_term(walk, &step->start);
    walk_term(walk, &step->next);
    walk_term(walk, &step->args[0]);
    walk_term(walk, &step->args[1]);
    walk_steps(walk, &step->body);
    walk_steps(walk, &step->other);
  }
}

void program_slots(FuzzProgram *p, StepSlots *steps, TermSlots *terms) {
  Walk walk = {p->arena, steps, terms};
  walk_steps(&walk, &p->body);
  for (size_t i = 0; i < p->procedures.count; i++) {
    walk_term(&walk, &p->procedures.at[i]->result);
    walk_steps(&walk, &p->procedures.at[i]->body);
  }
}

static void show_place(const FuzzPlace *place) {
  if (place && place->array)
    place->array->is_hidden = false;
  if (place && place->pointer)
    place->pointer->is_hidden = false;
}

static void show_step(const FuzzStep *step) {
  show_place(step->place);
  show_place(step->more_place);
  if (step->variable)
    step->variable->is_hidden = false;
  if (step->pointer)
    step->pointer->is_hidden = false;
  if (step->procedure)
    step->procedure->is_hidden = false;
}

static void show_term(const FuzzTerm *term) {
  show_place(term->place);
  if (term->variable)
    term->variable->is_hidden = false;
  if (term->procedure)
    term->procedure->is_hidden = false;
}

static void hide_all(FuzzProgram *p) {
  for (size_t i = 0; i < p->arrays.count; i++)
    p->arrays.at[i]->is_hidden = true;
  for (size_t i = 0; i < p->variables.count; i++)
    p->variables.at[i]->is_hidden = true;
  for (size_t i = 0; i < p->pointers.count; i++)
    p->pointers.at[i]->is_hidden = true;
  for (size_t i = 0; i < p->procedures.count; i++)
    p->procedures.at[i]->is_hidden = true;
}

void program_hide_unused(FuzzProgram *p) {
  StepSlots steps = {0};
  TermSlots terms = {0};
  program_slots(p, &steps, &terms);
  hide_all(p);
  for (size_t i = 0; i < steps.count; i++)
    show_step(steps.at[i].in->at[steps.at[i].at]);
  for (size_t i = 0; i < terms.count; i++)
    show_term(*terms.at[i]);
}
