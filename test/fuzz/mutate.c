// One small mistake: a barrier gone, a number one off, `<` where `<=` was,
// two statements in the wrong order, a statement missing.

#include "test/fuzz/fuzz.h"

typedef struct Mutator {
  FuzzProgram *program;
  Random *random;
  StepSlots steps;
  TermSlots terms;
} Mutator;

static bool is_barrier(const FuzzStep *step) {
  return step->kind == STEP_BARRIER || step->kind == STEP_WARP_BARRIER;
}

static void remove_step(StepSlot slot) {
  for (size_t i = slot.at + 1; i < slot.in->count; i++)
    slot.in->at[i - 1] = slot.in->at[i];
  slot.in->count--;
}

static void remove_barrier(Mutator *m) {
  unsigned first = random_below(m->random, (unsigned)m->steps.count);
  for (size_t i = 0; i < m->steps.count; i++) {
    StepSlot slot = m->steps.at[(first + i) % m->steps.count];
    if (is_barrier(slot.in->at[slot.at])) {
      remove_step(slot);
      return;
    }
  }
}

static void change_number(Mutator *m) {
  unsigned first = random_below(m->random, (unsigned)m->terms.count);
  for (size_t i = 0; i < m->terms.count; i++) {
    FuzzTerm *term = *m->terms.at[(first + i) % m->terms.count];
    if (term->kind != TERM_NUMBER)
      continue;
    switch (random_below(m->random, 4)) {
    case 0:
      term->number++;
      break;
    case 1:
      term->number--;
      break;
    case 2:
      term->number *= 2;
      break;
    default:
      term->number /= 2;
      break;
    }
    return;
  }
}

static bool is_question(Operator op) {
  return op >= OPERATOR_EQ && op <= OPERATOR_SIGNED_GE;
}

static void change_operator(Mutator *m) {
  unsigned first = random_below(m->random, (unsigned)m->terms.count);
  for (size_t i = 0; i < m->terms.count; i++) {
    FuzzTerm *term = *m->terms.at[(first + i) % m->terms.count];
    if (term->kind != TERM_BINARY)
      continue;
    if (is_question(term->op))
      term->op = (Operator)(OPERATOR_EQ +
                            random_below(m->random,
                                         OPERATOR_SIGNED_GE - OPERATOR_EQ + 1));
    else
      term->op =
          (Operator)random_below(m->random, OPERATOR_XOR - OPERATOR_ADD + 1);
    return;
  }
}

static StepSlot any_slot(Mutator *m) {
  return m->steps.at[random_below(m->random, (unsigned)m->steps.count)];
}

static bool can_move(const FuzzStep *step) {
  return step->kind != STEP_CASE && step->kind != STEP_SET;
}

static void swap_steps(Mutator *m) {
  StepSlot slot = any_slot(m);
  if (slot.at == 0)
    return;
  FuzzStep **pair = &slot.in->at[slot.at - 1], *kept = pair[0];
  if (!can_move(pair[0]) || !can_move(pair[1]))
    return;
  pair[0] = pair[1];
  pair[1] = kept;
}

static void drop_step(Mutator *m) {
  StepSlot slot = any_slot(m);
  if (can_move(slot.in->at[slot.at]))
    remove_step(slot);
}

static void change_type(Mutator *m) {
  unsigned first = random_below(m->random, (unsigned)m->steps.count);
  for (size_t i = 0; i < m->steps.count; i++) {
    StepSlot slot = m->steps.at[(first + i) % m->steps.count];
    FuzzStep *step = slot.in->at[slot.at];
    if (step->kind != STEP_STORE || type_bytes(step->place->type) > 4)
      continue;
    step->place->type =
        (FuzzType)(random_below(m->random, 2) ? step->place->type - 1
                                              : step->place->type + 1);
    if (step->place->type > TYPE_S32)
      step->place->type = TYPE_U8;
    return;
  }
}

// What was the same for all threads no longer is.
static void blame_thread(Mutator *m) {
  unsigned first = random_below(m->random, (unsigned)m->terms.count);
  for (size_t i = 0; i < m->terms.count; i++) {
    FuzzTerm **slot = m->terms.at[(first + i) % m->terms.count];
    if ((*slot)->kind != TERM_VARIABLE)
      continue;
    *slot = term_builtin(m->program, BUILTIN_THREAD_X);
    return;
  }
}

void mutate(FuzzProgram *program, Random *random) {
  Mutator m = {.program = program, .random = random};
  program_slots(program, &m.steps, &m.terms);
  static void (*const changes[])(Mutator *) = {
      remove_barrier, remove_barrier,  change_number, change_number,
      change_number,  change_operator, swap_steps,    drop_step,
      blame_thread,   change_type,
  };
  unsigned count = sizeof changes / sizeof changes[0];
  changes[random_below(random, count)](&m);
}
