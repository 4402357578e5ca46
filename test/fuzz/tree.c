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

const char *type_text(Type type) { return types[type].text; }

unsigned type_bytes(Type type) { return types[type].bytes; }

uint32_t type_wrap(Type type, uint32_t value) {
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

Array *program_array(Program *p, Home home, Type type, unsigned bytes) {
  assert(bytes && (bytes & (bytes - 1)) == 0);
  Array *array = NEW(p->arena, Array);
  array->number = (unsigned)p->arrays.count;
  array->home = home;
  array->type = type;
  array->bytes = bytes;
  push(p->arena, &p->arrays, array);
  return array;
}

Variable *program_variable(Program *p, Type type) {
  Variable *variable = NEW(p->arena, Variable);
  variable->number = (unsigned)p->variables.count;
  variable->type = type;
  push(p->arena, &p->variables, variable);
  return variable;
}

Pointer *program_pointer(Program *p, Type type) {
  Pointer *pointer = NEW(p->arena, Pointer);
  pointer->number = (unsigned)p->pointers.count;
  pointer->type = type;
  push(p->arena, &p->pointers, pointer);
  return pointer;
}

Procedure *program_procedure(Program *p) {
  Procedure *procedure = NEW(p->arena, Procedure);
  procedure->number = (unsigned)p->procedures.count;
  push(p->arena, &p->procedures, procedure);
  return procedure;
}

static Term *new_term(Program *p, TermKind kind) {
  Term *term = NEW(p->arena, Term);
  term->kind = kind;
  return term;
}

Term *term_number(Program *p, uint32_t number) {
  Term *term = new_term(p, TERM_NUMBER);
  term->number = number;
  return term;
}

Term *term_builtin(Program *p, Builtin builtin) {
  Term *term = new_term(p, TERM_BUILTIN);
  term->builtin = builtin;
  return term;
}

Term *term_variable(Program *p, Variable *variable) {
  Term *term = new_term(p, TERM_VARIABLE);
  term->variable = variable;
  return term;
}

Term *term_cast(Program *p, Type type, Term *a) {
  Term *term = new_term(p, TERM_CAST);
  term->type = type;
  term->args[0] = a;
  return term;
}

Term *term_binary(Program *p, Operator op, Term *a, Term *b) {
  Term *term = new_term(p, TERM_BINARY);
  term->op = op;
  term->args[0] = a;
  term->args[1] = b;
  return term;
}

Term *term_select(Program *p, Term *condition, Term *yes, Term *no) {
  Term *term = new_term(p, TERM_SELECT);
  term->args[0] = condition;
  term->args[1] = yes;
  term->args[2] = no;
  return term;
}

Term *term_load(Program *p, Place *place) {
  Term *term = new_term(p, TERM_LOAD);
  term->place = place;
  return term;
}

Term *term_call(Program *p, Procedure *procedure, Term *a, Term *b) {
  Term *term = new_term(p, TERM_CALL);
  term->procedure = procedure;
  term->args[0] = a;
  term->args[1] = b;
  return term;
}

static Place *new_place(Program *p, Type type, Term *index) {
  Place *place = NEW(p->arena, Place);
  place->type = type;
  place->index = index;
  place->index_type = TYPE_U32;
  return place;
}

Place *place_in(Program *p, Array *array, Type type, Term *index) {
  Place *place = new_place(p, type, index);
  place->array = array;
  return place;
}

Place *place_at(Program *p, Pointer *pointer, Term *index) {
  Place *place = new_place(p, pointer->type, index);
  place->pointer = pointer;
  return place;
}

Step *step_new(Program *p, Steps *to, StepKind kind) {
  Step *step = NEW(p->arena, Step);
  step->kind = kind;
  push(p->arena, to, step);
  return step;
}

Step *step_set(Program *p, Steps *to, Variable *variable, Term *value) {
  Step *step = step_new(p, to, STEP_SET);
  step->variable = variable;
  step->term = value;
  return step;
}

Step *step_store(Program *p, Steps *to, Place *place, Term *value) {
  Step *step = step_new(p, to, STEP_STORE);
  step->place = place;
  step->term = value;
  step->more = term_number(p, 1);
  return step;
}

Step *step_barrier(Program *p, Steps *to, StepKind kind) {
  Step *step = step_new(p, to, kind);
  step->number = ++p->barriers;
  return step;
}

typedef struct Walk {
  Arena *arena;
  StepSlots *steps;
  TermSlots *terms;
} Walk;

static void walk_term(Walk *walk, Term **slot);

static void walk_place(Walk *walk, Place *place) {
  if (place)
    walk_term(walk, &place->index);
}

static void walk_term(Walk *walk, Term **slot) {
  if (!*slot)
    return;
  push(walk->arena, walk->terms, slot);
  walk_place(walk, (*slot)->place);
  for (unsigned i = 0; i < 3; i++)
    walk_term(walk, &(*slot)->args[i]);
}

static void walk_steps(Walk *walk, Steps *steps) {
  for (size_t i = 0; i < steps->count; i++) {
    Step *step = steps->at[i];
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

void program_slots(Program *p, StepSlots *steps, TermSlots *terms) {
  Walk walk = {p->arena, steps, terms};
  walk_steps(&walk, &p->body);
  for (size_t i = 0; i < p->procedures.count; i++) {
    walk_term(&walk, &p->procedures.at[i]->result);
    walk_steps(&walk, &p->procedures.at[i]->body);
  }
}

static void show_place(const Place *place) {
  if (place && place->array)
    place->array->is_hidden = false;
  if (place && place->pointer)
    place->pointer->is_hidden = false;
}

static void show_step(const Step *step) {
  show_place(step->place);
  show_place(step->more_place);
  if (step->variable)
    step->variable->is_hidden = false;
  if (step->pointer)
    step->pointer->is_hidden = false;
  if (step->procedure)
    step->procedure->is_hidden = false;
}

static void show_term(const Term *term) {
  show_place(term->place);
  if (term->variable)
    term->variable->is_hidden = false;
  if (term->procedure)
    term->procedure->is_hidden = false;
}

static void hide_all(Program *p) {
  for (size_t i = 0; i < p->arrays.count; i++)
    p->arrays.at[i]->is_hidden = true;
  for (size_t i = 0; i < p->variables.count; i++)
    p->variables.at[i]->is_hidden = true;
  for (size_t i = 0; i < p->pointers.count; i++)
    p->pointers.at[i]->is_hidden = true;
  for (size_t i = 0; i < p->procedures.count; i++)
    p->procedures.at[i]->is_hidden = true;
}

void program_hide_unused(Program *p) {
  StepSlots steps = {0};
  TermSlots terms = {0};
  program_slots(p, &steps, &terms);
  hide_all(p);
  for (size_t i = 0; i < steps.count; i++)
    show_step(steps.at[i].in->at[steps.at[i].at]);
  for (size_t i = 0; i < terms.count; i++)
    show_term(*terms.at[i]);
}
