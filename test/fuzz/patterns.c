// The algorithms that people write with barriers, correct before mutate.c
// gets at them: reductions, a scan, ping-pong, grid-stride and pointer loops,
// odd-even exchange, append through an atomic counter, and the like.
//
// Each works on arrays of its own, so it can stand anywhere where all threads
// of a block come along.

#include "test/fuzz/fuzz.h"

typedef Surroundings Around;

static FuzzTerm *num(Around *s, uint32_t n) {
  return term_number(s->program, n);
}

static FuzzTerm *var(Around *s, FuzzVariable *v) {
  return term_variable(s->program, v);
}

static FuzzTerm *tid(Around *s) { return var(s, s->thread); }

static FuzzTerm *op2(Around *s, Operator op, FuzzTerm *a, FuzzTerm *b) {
  return term_binary(s->program, op, a, b);
}

#define OP(op, a, b) op2(s, OPERATOR_##op, (a), (b))

static FuzzTerm *size(Around *s) {
  return OP(MUL, term_builtin(s->program, BUILTIN_BLOCK_SIZE_X),
            term_builtin(s->program, BUILTIN_BLOCK_SIZE_Y));
}

static FuzzTerm *all(Around *s) {
  return OP(MUL, size(s), term_builtin(s->program, BUILTIN_GRID_SIZE_X));
}

static FuzzVariable *local(Around *s) {
  return program_variable(s->program, TYPE_U32);
}

static FuzzPlace *at(Around *s, FuzzArray *array, FuzzTerm *index) {
  return place_in(s->program, array, array->type, index);
}

static FuzzTerm *load(Around *s, FuzzArray *array, FuzzTerm *index) {
  return term_load(s->program, at(s, array, index));
}

static void set(Around *s, FuzzSteps *to, FuzzVariable *v, FuzzTerm *value) {
  step_set(s->program, to, v, value);
}

static void store(Around *s, FuzzSteps *to, FuzzArray *array, FuzzTerm *index,
                  FuzzTerm *value) {
  step_store(s->program, to, at(s, array, index), value);
}

static void barrier(Around *s, FuzzSteps *to) {
  step_barrier(s->program, to, STEP_BARRIER);
}

static FuzzSteps *when(Around *s, FuzzSteps *to, FuzzTerm *condition) {
  FuzzStep *step = step_new(s->program, to, STEP_IF);
  step->term = condition;
  return &step->body;
}

static FuzzVariable *counter(Around *s) {
  FuzzVariable *i = local(s);
  i->is_counter = true;
  return i;
}

static FuzzSteps *loop(Around *s, FuzzSteps *to, FuzzVariable *i,
                       FuzzTerm *start, FuzzTerm *condition, FuzzTerm *next) {
  FuzzStep *step = step_new(s->program, to, STEP_FOR);
  step->variable = i;
  step->start = start;
  step->term = condition;
  step->next = next;
  return &step->body;
}

static FuzzSteps *times(Around *s, FuzzSteps *to, FuzzVariable *i,
                        FuzzTerm *limit) {
  return loop(s, to, i, num(s, 0), OP(LT, var(s, i), limit),
              OP(ADD, var(s, i), num(s, 1)));
}

static FuzzType any_scalar(Around *s) {
  return (FuzzType)random_below(s->random, TYPE_S32 + 1);
}

static FuzzArray *shared(Around *s) {
  return program_array(s->program, HOME_SHARED, any_scalar(s), 64);
}

// One cell a thread, then a barrier.
static FuzzArray *filled(Around *s, FuzzSteps *to) {
  FuzzArray *a = shared(s);
  store(s, to, a, tid(s), OP(MUL, tid(s), num(s, 3)));
  barrier(s, to);
  return a;
}

static void reduce_by_halving(Around *s, FuzzSteps *to) {
  FuzzArray *a = filled(s, to);
  FuzzVariable *i = counter(s);
  FuzzSteps *body =
      loop(s, to, i, OP(DIV, size(s), num(s, 2)), OP(GT, var(s, i), num(s, 0)),
           OP(SHR, var(s, i), num(s, 1)));
  FuzzSteps *then = when(s, body, OP(LT, tid(s), var(s, i)));
  store(s, then, a, tid(s),
        OP(ADD, load(s, a, tid(s)), load(s, a, OP(ADD, tid(s), var(s, i)))));
  barrier(s, body);
}

static void reduce_by_doubling(Around *s, FuzzSteps *to) {
  FuzzArray *a = filled(s, to);
  FuzzVariable *i = counter(s);
  FuzzSteps *body = loop(s, to, i, num(s, 1), OP(LT, var(s, i), size(s)),
                         OP(MUL, var(s, i), num(s, 2)));
  FuzzTerm *stride = OP(MUL, var(s, i), num(s, 2));
  FuzzTerm *far = OP(ADD, tid(s), var(s, i));
  FuzzSteps *then = when(s, body, OP(EQ, OP(MOD, tid(s), stride), num(s, 0)));
  store(s, then, a, tid(s), OP(ADD, load(s, a, tid(s)), load(s, a, far)));
  barrier(s, body);
}

static void scan(Around *s, FuzzSteps *to) {
  FuzzArray *a = filled(s, to);
  FuzzVariable *i = counter(s), *v = local(s);
  FuzzSteps *body = loop(s, to, i, num(s, 1), OP(LT, var(s, i), size(s)),
                         OP(SHL, var(s, i), num(s, 1)));
  set(s, body, v,
      term_select(s->program, OP(GE, tid(s), var(s, i)),
                  load(s, a, OP(SUB, tid(s), var(s, i))), num(s, 0)));
  barrier(s, body);
  store(s, body, a, tid(s), OP(ADD, load(s, a, tid(s)), var(s, v)));
  barrier(s, body);
}

static void point(Around *s, FuzzSteps *to, Pointer *p, FuzzPlace *place) {
  FuzzStep *step = step_new(s->program, to, STEP_POINT);
  step->pointer = p;
  step->place = place;
}

static void ping_pong(Around *s, FuzzSteps *to) {
  FuzzProgram *p = s->program;
  FuzzType type = any_scalar(s);
  FuzzArray *a = program_array(p, HOME_SHARED, type, 64);
  FuzzArray *b = program_array(p, HOME_SHARED, type, 64);
  Pointer *from = program_pointer(p, type), *into = program_pointer(p, type);
  Pointer *kept = program_pointer(p, type);
  point(s, to, from, at(s, a, num(s, 0)));
  point(s, to, into, at(s, b, num(s, 0)));
  FuzzSteps *body = times(s, to, counter(s), num(s, 3));
  FuzzTerm *next = OP(MOD, OP(ADD, tid(s), num(s, 1)), size(s));
  step_store(p, body, place_at(p, into, tid(s)),
             term_load(p, place_at(p, from, next)));
  barrier(s, body);
  point(s, body, kept, place_at(p, from, num(s, 0)));
  point(s, body, from, place_at(p, into, num(s, 0)));
  point(s, body, into, place_at(p, kept, num(s, 0)));
}

static void halves(Around *s, FuzzSteps *to) {
  FuzzArray *a = shared(s);
  FuzzVariable *i = counter(s), *half = local(s), *other = local(s);
  FuzzSteps *body = times(s, to, i, num(s, 3));
  set(s, body, half, OP(MUL, OP(AND, var(s, i), num(s, 1)), size(s)));
  set(s, body, other, OP(SUB, size(s), var(s, half)));
  FuzzTerm *next = OP(MOD, OP(ADD, tid(s), num(s, 1)), size(s));
  store(s, body, a, OP(ADD, var(s, half), tid(s)),
        load(s, a, OP(ADD, var(s, other), next)));
  barrier(s, body);
}

static void grid_stride(Around *s, FuzzSteps *to) {
  FuzzArray *a = program_array(s->program, HOME_GLOBAL, any_scalar(s), 128);
  FuzzVariable *i = counter(s);
  FuzzSteps *body =
      loop(s, to, i, var(s, s->global), OP(LT, var(s, i), num(s, 13)),
           OP(ADD, var(s, i), all(s)));
  store(s, body, a, var(s, i), OP(ADD, load(s, a, var(s, i)), num(s, 1)));
}

static void append(Around *s, FuzzSteps *to) {
  Home home = random_chance(s->random, 50) ? HOME_SHARED : HOME_GLOBAL;
  FuzzArray *count = program_array(s->program, home, TYPE_U32, 64);
  FuzzArray *list = program_array(s->program, home, TYPE_U16, 64);
  FuzzVariable *slot = local(s);
  FuzzSteps *then = when(s, to, OP(NE, OP(AND, tid(s), num(s, 1)), num(s, 0)));
  FuzzStep *step = step_new(s->program, then, STEP_ATOMIC);
  step->variable = slot;
  step->place = at(s, count, num(s, 0));
  step->term = num(s, 1);
  FuzzSteps *fits = when(s, then, OP(LT, var(s, slot), num(s, 32)));
  store(s, fits, list, var(s, slot), tid(s));
}

static void walk(Around *s, FuzzSteps *to) {
  FuzzArray *a = shared(s);
  Pointer *p = program_pointer(s->program, a->type);
  point(s, to, p, at(s, a, tid(s)));
  FuzzVariable *i = counter(s);
  FuzzSteps *body = times(s, to, i, num(s, 2));
  step_store(s->program, body, place_at(s->program, p, num(s, 0)), var(s, i));
  FuzzStep *step = step_new(s->program, body, STEP_ADVANCE);
  step->pointer = p;
  step->term = size(s);
  barrier(s, to);
}

static void odd_even(Around *s, FuzzSteps *to) {
  FuzzArray *a = filled(s, to);
  FuzzVariable *phase = counter(s), *v = local(s);
  FuzzSteps *body = times(s, to, phase, num(s, 2));
  FuzzTerm *mine =
      OP(EQ, OP(AND, OP(ADD, tid(s), var(s, phase)), num(s, 1)), num(s, 0));
  FuzzSteps *then = when(s, body, mine);
  set(s, then, v, load(s, a, tid(s)));
  store(s, then, a, tid(s), load(s, a, OP(ADD, tid(s), num(s, 1))));
  store(s, then, a, OP(ADD, tid(s), num(s, 1)), var(s, v));
  barrier(s, body);
}

static void one_sums(Around *s, FuzzSteps *to) {
  FuzzArray *a = filled(s, to);
  FuzzVariable *i = counter(s), *v = local(s);
  FuzzSteps *then = when(s, to, OP(EQ, tid(s), num(s, 0)));
  FuzzSteps *body = times(s, then, i, size(s));
  set(s, body, v, OP(ADD, var(s, v), load(s, a, var(s, i))));
  store(s, then, a, num(s, 0), var(s, v));
  barrier(s, to);
  set(s, to, v, load(s, a, num(s, 0)));
}

static void exchange(Around *s, FuzzSteps *to) {
  FuzzArray *a = filled(s, to);
  FuzzVariable *v = local(s);
  set(s, to, v, load(s, a, OP(XOR, tid(s), num(s, 1))));
  barrier(s, to);
  store(s, to, a, tid(s), var(s, v));
}

static void bytes_then_words(Around *s, FuzzSteps *to) {
  FuzzArray *a = program_array(s->program, HOME_SHARED, TYPE_U32, 64);
  FuzzVariable *i = counter(s), *v = local(s);
  FuzzSteps *body = times(s, to, i, num(s, 4));
  FuzzTerm *byte = OP(ADD, OP(MUL, tid(s), num(s, 4)), var(s, i));
  step_store(s->program, body, place_in(s->program, a, TYPE_U8, byte), tid(s));
  barrier(s, to);
  set(s, to, v, load(s, a, OP(AND, OP(ADD, tid(s), num(s, 1)), num(s, 15))));
}

static void triangle(Around *s, FuzzSteps *to) {
  FuzzArray *a = program_array(s->program, HOME_SHARED, TYPE_U32, 256);
  FuzzVariable *j = counter(s);
  FuzzSteps *body = loop(s, to, j, num(s, 0), OP(LE, var(s, j), tid(s)),
                         OP(ADD, var(s, j), num(s, 1)));
  FuzzTerm *above = OP(MUL, tid(s), OP(ADD, tid(s), num(s, 1)));
  store(s, body, a, OP(ADD, OP(DIV, above, num(s, 2)), var(s, j)), var(s, j));
}

void pattern_append(Surroundings *around, FuzzSteps *to) {
  static void (*const patterns[])(Around *, FuzzSteps *) = {
      reduce_by_halving,
      reduce_by_doubling,
      scan,
      ping_pong,
      halves,
      grid_stride,
      append,
      walk,
      odd_even,
      one_sums,
      exchange,
      bytes_then_words,
      triangle,
  };
  unsigned count = sizeof patterns / sizeof patterns[0];
  patterns[random_below(around->random, count)](around, to);
}
