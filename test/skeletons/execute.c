// What happens when a tree runs in a tiny launch, with every input.
//
// Threads run one after the other, each to its next barrier.  That is one
// schedule of many, but as long as there is no race it stands for all of them:
// in a barrier interval a thread reads what was there before the interval or
// what it wrote itself (or what another thread writes with the same value, or
// updates atomically), so what it does does not depend on what the others do
// meanwhile.  And if there is a race, take the first one in any schedule: until
// then, the threads did what they do here, so both accesses are made here, too,
// in one interval, and are compared.  Whatever is found stops the run, so what
// a thread got by a race is never used.  Two things do depend on the order: the
// results of atomics, and with tolerated writes nothing.  For the first, both
// the order of the threads and its reverse are tried in each interval.
//
//   race        two threads access a cell, one at least does not read, not both
//               are atomic, they do not both write the same value, and no
//               barrier is between them: of the block, or of the grid
//   divergence  threads of a block wait at different barriers, or one waits
//               and another has ended; for a barrier of the grid, its blocks
//   assertion   an assertion does not hold
//
// Inputs are chosen when they are looked at for the first time: the scalar
// argument from 0 to 3, cells of `in` from 0 to 2, what the other arrays hold
// from 0 to 1, as far as that decides anything.  All choices are tried, the
// last one first, up to a number of runs.  A run that leaves the arrays, or
// takes too long, says nothing about what comes later.

#include "test/skeletons/skeleton.h"

#include <assert.h>
#include <string.h>

enum {
  CELLS = 64,
  MOST_BLOCKS = 2,
  MOST_THREADS = 3,
  MOST_MARKS = 48,
  MOST_CODE = 6 * MOST_STATEMENTS,
  MOST_DECISIONS = 40,
  MOST_RUNS = 600,
  FUEL = 300,
};

// ------------------------------------------------------------------ code ---

typedef enum CodeKind {
  CODE_WHEN, // goes on to the label unless the condition holds
  CODE_JUMP,
  CODE_START, // of a loop: sets its counter
  CODE_STEP,
  CODE_ACCESS,
  CODE_BARRIER,
  CODE_CARRY,
  CODE_END,
} CodeKind;

// Where a statement can be jumped to.
typedef enum Part { PART_HEAD, PART_BODY, PART_STEP, PART_BEHIND } Part;

typedef struct Code {
  CodeKind kind;
  const Statement *statement;
  unsigned label;
} Code;

typedef struct Program {
  Code code[MOST_CODE];
  unsigned count;
  unsigned labels[4 * MOST_STATEMENTS + 1];
  const Statement *loops[LOOPS]; // while it is made
  unsigned depth;
  bool order_matters;
} Program;

enum { LABEL_END = 4 * MOST_STATEMENTS };

static unsigned label_of(const Statement *s, Part part) {
  return 4 * s->number + part;
}

static void emit(Program *p, CodeKind kind, const Statement *s,
                 unsigned label) {
  assert(p->count < MOST_CODE);
  p->code[p->count++] = (Code){kind, s, label};
}

static void place(Program *p, unsigned label) { p->labels[label] = p->count; }

static void compile_all(Program *p, const Statement *s);

static void compile_loop(Program *p, const Statement *s) {
  emit(p, CODE_START, s, 0);
  if (s->is_tested_behind)
    emit(p, CODE_JUMP, s, label_of(s, PART_BODY));
  place(p, label_of(s, PART_HEAD));
  emit(p, CODE_WHEN, s, label_of(s, PART_BEHIND));
  place(p, label_of(s, PART_BODY));
  p->loops[p->depth++] = s;
  compile_all(p, s->body);
  p->depth--;
  place(p, label_of(s, PART_STEP));
  emit(p, CODE_STEP, s, 0);
  emit(p, CODE_JUMP, s, label_of(s, PART_HEAD));
  place(p, label_of(s, PART_BEHIND));
}

static unsigned exit_label(const Program *p, Exit exit) {
  switch (exit) {
  case EXIT_BREAK:
    return label_of(p->loops[p->depth - 1], PART_BEHIND);
  case EXIT_CONTINUE:
    return label_of(p->loops[p->depth - 1], PART_STEP);
  case EXIT_BREAK_OUTER:
    return label_of(p->loops[0], PART_BEHIND);
  case EXIT_RETURN:
    return LABEL_END;
  case EXIT_NONE:
    break;
  }
  assert(false);
  return 0;
}

static void compile_guarded(Program *p, const Statement *s) {
  if (s->condition.relation != RELATION_ALWAYS)
    emit(p, CODE_WHEN, s, label_of(s, PART_BEHIND));
  switch (s->kind) {
  case STATEMENT_ACCESS:
    emit(p, CODE_ACCESS, s, 0);
    p->order_matters |= s->op == OP_READ_ATOMIC;
    break;
  case STATEMENT_BARRIER:
    emit(p, CODE_BARRIER, s, 0);
    break;
  case STATEMENT_CARRY:
    emit(p, CODE_CARRY, s, 0);
    break;
  case STATEMENT_EXIT:
    emit(p, CODE_JUMP, s, exit_label(p, s->exit));
    break;
  case STATEMENT_LOOP:
    assert(false);
  }
  place(p, label_of(s, PART_BEHIND));
}

static void compile_all(Program *p, const Statement *s) {
  for (; s; s = s->next)
    if (s->kind == STATEMENT_LOOP)
      compile_loop(p, s);
    else
      compile_guarded(p, s);
}

// --------------------------------------------------------------- machine ---

typedef enum AccessKind { ACCESS_READ, ACCESS_WRITE, ACCESS_ATOMIC } AccessKind;

typedef struct Mark {
  AccessKind kind;
  unsigned block, thread;
  unsigned interval, grid_interval; // barriers passed by the block, the grid
  int value;                        // WRITE
} Mark;

typedef struct Cell {
  bool is_known;
  int value;
  unsigned count;
  Mark marks[MOST_MARKS];
} Cell;

typedef enum State { STATE_RUNS, STATE_WAITS, STATE_ENDED } State;

typedef struct Thread {
  State state;
  unsigned block, number, at, fuel;
  const Statement *barrier;
  int i, j, f, x;
} Thread;

typedef struct Decision {
  unsigned chosen, choices;
} Decision;

typedef struct Machine {
  const Tree *tree;
  Program program;
  unsigned size; // threads of a block
  Thread threads[MOST_BLOCKS * MOST_THREADS];
  Cell global[CELLS], shared[MOST_BLOCKS][CELLS];
  bool is_input_known[MOST_THREADS], is_n_known;
  int input[MOST_THREADS], n;
  unsigned interval[MOST_BLOCKS], grid_interval;
  Decision decisions[MOST_DECISIONS];
  unsigned decided, depth;
  bool is_over; // the run says nothing more ...
  bool is_cut;  // ... though it has not ended, or another one before it
  SkeletonFinding finding;
} Machine;

static unsigned thread_count(const Machine *m) {
  return m->size * m->tree->blocks;
}

static void cut(Machine *m) { m->is_over = m->is_cut = true; }

static int choose(Machine *m, unsigned choices) {
  if (m->depth == MOST_DECISIONS) {
    cut(m);
    return 0;
  }
  if (m->depth == m->decided)
    m->decisions[m->decided++] = (Decision){0, choices};
  return (int)m->decisions[m->depth++].chosen;
}

// The next run; false: all are done.
static bool choose_others(Machine *m) {
  while (m->decided) {
    Decision *last = &m->decisions[m->decided - 1];
    if (++last->chosen < last->choices)
      return true;
    m->decided--;
  }
  return false;
}

static void find(Machine *m, SkeletonFindingKind kind, const Thread *a,
                 const Thread *b, const char *what) {
  m->finding.kind = kind;
  snprintf(m->finding.text, sizeof m->finding.text,
           "blocks of %u: block %u thread %u, block %u thread %u: %s, n %d, "
           "in %d %d %d",
           m->size, a->block, a->number, b->block, b->number, what, m->n,
           m->input[0], m->input[1], m->input[2]);
  m->is_over = true;
}

// ---------------------------------------------------------------- values ---

static int read_input(Machine *m, unsigned at) {
  if (!m->is_input_known[at]) {
    m->is_input_known[at] = true;
    m->input[at] = choose(m, 3);
  }
  return m->input[at];
}

static int read_n(Machine *m) {
  if (!m->is_n_known) {
    m->is_n_known = true;
    m->n = choose(m, 4);
  }
  return m->n;
}

static int own(const Machine *m, const Thread *t) {
  return (int)(t->block * m->size + t->number);
}

static int evaluate(Machine *m, const Thread *t, SkeletonTerm value) {
  switch (value) {
  case TERM_ZERO:
    return 0;
  case TERM_ONE:
    return 1;
  case TERM_TWO:
    return 2;
  case TERM_THREAD:
    return (int)t->number;
  case TERM_OWN:
    return own(m, t);
  case TERM_OWN_NEXT:
    return own(m, t) + 1;
  case TERM_OWN_XOR:
    return own(m, t) ^ 1;
  case TERM_N:
    return read_n(m);
  case TERM_N_LESS:
    return read_n(m) - 1;
  case TERM_F:
    return t->f;
  case TERM_X:
    return t->x;
  case TERM_I:
    return t->i;
  case TERM_J:
    return t->j;
  case TERM_I_NEXT:
    return t->i + 1;
  case TERM_J_NEXT:
    return t->j + 1;
  case TERM_DATA:
    return read_input(m, t->number);
  case TERM_UNIFORM_DATA:
    return read_input(m, 0);
  }
  assert(false);
  return 0;
}

static bool holds(Machine *m, const Thread *t, const Condition *c) {
  int left = evaluate(m, t, c->left), right = evaluate(m, t, c->right);
  switch (c->relation) {
  case RELATION_ALWAYS:
    return true;
  case RELATION_EQ:
    return left == right;
  case RELATION_NE:
    return left != right;
  case RELATION_LT:
    return left < right;
  case RELATION_GT:
    return left > right;
  case RELATION_ODD:
    return left & 1;
  }
  assert(false);
  return false;
}

// -------------------------------------------------------------- accesses ---

static bool is_ordered(const Mark *a, const Mark *b) {
  return a->grid_interval != b->grid_interval ||
         (a->block == b->block && a->interval != b->interval);
}

static bool is_race(const Mark *a, const Mark *b) {
  if ((a->block == b->block && a->thread == b->thread) || is_ordered(a, b))
    return false;
  if (a->kind == b->kind && a->kind != ACCESS_WRITE)
    return false;
  return a->kind != b->kind || a->value != b->value;
}

static bool is_same(const Mark *a, const Mark *b) {
  return a->kind == b->kind && a->block == b->block && a->thread == b->thread &&
         a->interval == b->interval && a->grid_interval == b->grid_interval &&
         a->value == b->value;
}

static void mark(Machine *m, const Thread *t, Cell *cell, AccessKind kind,
                 int value) {
  static const char *const names[] = {"read", "write", "atomic"};
  Mark new = {kind,
              t->block,
              t->number,
              m->interval[t->block],
              m->grid_interval,
              kind == ACCESS_WRITE ? value : 0};
  for (unsigned i = 0; i < cell->count; i++) {
    const Mark *old = &cell->marks[i];
    if (is_same(old, &new))
      return;
    if (is_race(old, &new)) {
      char text[20];
      snprintf(text, sizeof text, "%s, %s", names[old->kind], names[kind]);
      find(m, FINDING_RACE, &m->threads[old->block * m->size + old->thread], t,
           text);
      return;
    }
  }
  if (cell->count == MOST_MARKS)
    cut(m);
  else
    cell->marks[cell->count++] = new;
}

static int read_cell(Machine *m, Cell *cell) {
  if (!cell->is_known)
    cell->value = m->tree->uses_f ? choose(m, 2) : 0;
  cell->is_known = true;
  return cell->value;
}

static void write_cell(Cell *cell, int value) {
  cell->is_known = true;
  cell->value = value;
}

static void access_cell(Machine *m, Thread *t, const Statement *s, Cell *cell) {
  switch (s->op) {
  case OP_READ:
    mark(m, t, cell, ACCESS_READ, 0);
    t->f = read_cell(m, cell);
    break;
  case OP_READ_ATOMIC:
    mark(m, t, cell, ACCESS_ATOMIC, 0);
    t->f = read_cell(m, cell);
    write_cell(cell, t->f + 1);
    break;
  case OP_ASSERT:
    mark(m, t, cell, ACCESS_READ, 0);
    if (!m->is_over && read_cell(m, cell) != t->f)
      find(m, FINDING_ASSERTION, t, t, "assertion");
    break;
  case OP_WRITE:
    mark(m, t, cell, ACCESS_WRITE, own(m, t) + 1);
    write_cell(cell, own(m, t) + 1);
    break;
  case OP_WRITE_ONE:
    mark(m, t, cell, ACCESS_WRITE, 1);
    write_cell(cell, 1);
    break;
  case OP_ATOMIC:
    mark(m, t, cell, ACCESS_ATOMIC, 0);
    write_cell(cell, read_cell(m, cell) + 1);
    break;
  }
}

static void run_access(Machine *m, Thread *t, const Statement *s) {
  int index = evaluate(m, t, s->index);
  if (index < 0 || index >= CELLS)
    cut(m);
  else
    access_cell(m, t, s,
                s->is_global ? &m->global[index] : &m->shared[t->block][index]);
}

// --------------------------------------------------------------- threads ---

static int *counter(Thread *t, const Statement *loop) {
  return loop->counter ? &t->j : &t->i;
}

static void step(Thread *t, const Statement *loop) {
  int *c = counter(t, loop);
  *c = loop->is_halving ? *c / 2 : *c + 1;
}

static void run_carry(Machine *m, Thread *t, const Statement *s) {
  t->x = s->is_counting ? t->x + 1 : evaluate(m, t, s->value);
}

static void run_code(Machine *m, Thread *t) {
  const Code *code = &m->program.code[t->at++];
  const Statement *s = code->statement;
  switch (code->kind) {
  case CODE_WHEN:
    if (!holds(m, t, &s->condition))
      t->at = m->program.labels[code->label];
    break;
  case CODE_JUMP:
    t->at = m->program.labels[code->label];
    break;
  case CODE_START:
    *counter(t, s) = evaluate(m, t, s->start);
    break;
  case CODE_STEP:
    step(t, s);
    break;
  case CODE_ACCESS:
    run_access(m, t, s);
    break;
  case CODE_BARRIER:
    t->barrier = s;
    t->state = STATE_WAITS;
    break;
  case CODE_CARRY:
    run_carry(m, t, s);
    break;
  case CODE_END:
    t->state = STATE_ENDED;
    break;
  }
}

static void run_thread(Machine *m, Thread *t) {
  while (t->state == STATE_RUNS && !m->is_over) {
    if (t->fuel-- == 0)
      cut(m);
    run_code(m, t);
  }
}

static void run_all(Machine *m) {
  unsigned count = thread_count(m);
  bool is_reverse = m->program.order_matters && m->tree->uses_f && choose(m, 2);
  for (unsigned i = 0; i < count; i++)
    run_thread(m, &m->threads[is_reverse ? count - 1 - i : i]);
}

// -------------------------------------------------------------- barriers ---

static bool stand_alike(const Thread *a, const Thread *b) {
  return a->state == b->state &&
         (a->state == STATE_ENDED || a->barrier == b->barrier);
}

static void compare(Machine *m, const Thread *first, unsigned count) {
  for (unsigned i = 1; i < count && !m->is_over; i++)
    if (!stand_alike(first, &first[i]))
      find(m, FINDING_DIVERGENCE, first, &first[i], "barrier");
}

static void release(Machine *m, unsigned block) {
  for (unsigned i = 0; i < m->size; i++)
    m->threads[block * m->size + i].state = STATE_RUNS;
  m->interval[block]++;
}

// Lets go the blocks that wait for nobody else.  False: there are none.
static bool release_blocks(Machine *m) {
  bool any = false;
  for (unsigned b = 0; b < m->tree->blocks && !m->is_over; b++) {
    const Thread *first = &m->threads[b * m->size];
    compare(m, first, m->size);
    if (m->is_over || first->state == STATE_ENDED ||
        first->barrier->barrier == BARRIER_OF_GRID)
      continue;
    release(m, b);
    any = true;
  }
  return any;
}

// All blocks have ended or wait for each other.
static void release_grid(Machine *m) {
  compare(m, m->threads, thread_count(m));
  if (m->threads[0].state == STATE_ENDED)
    m->is_over = true;
  m->grid_interval++;
  for (unsigned b = 0; b < m->tree->blocks && !m->is_over; b++)
    release(m, b);
}

// ------------------------------------------------------------------ runs ---

static void clear_cells(Cell *cells) {
  for (unsigned i = 0; i < CELLS; i++) {
    cells[i].is_known = false;
    cells[i].count = 0;
  }
}

static void begin_run(Machine *m) {
  m->is_over = m->is_n_known = false;
  m->depth = m->grid_interval = 0;
  m->n = 0;
  memset(m->is_input_known, 0, sizeof m->is_input_known);
  memset(m->input, 0, sizeof m->input);
  memset(m->interval, 0, sizeof m->interval);
  clear_cells(m->global);
  for (unsigned b = 0; b < m->tree->blocks; b++)
    clear_cells(m->shared[b]);
  for (unsigned i = 0; i < thread_count(m); i++)
    m->threads[i] =
        (Thread){.block = i / m->size, .number = i % m->size, .fuel = FUEL};
}

static void run_once(Machine *m) {
  begin_run(m);
  while (!m->is_over) {
    run_all(m);
    if (!m->is_over && !release_blocks(m) && !m->is_over)
      release_grid(m);
  }
}

static void compile(Program *p, const Tree *tree) {
  compile_all(p, tree->body);
  place(p, LABEL_END);
  emit(p, CODE_END, NULL, 0);
}

SkeletonFinding execute(const Tree *tree, unsigned threads) {
  static Machine machine;
  Machine *m = &machine;
  assert(threads <= MOST_THREADS && tree->blocks <= MOST_BLOCKS);
  memset(m, 0, sizeof *m);
  m->tree = tree;
  m->size = threads;
  compile(&m->program, tree);
  unsigned runs = 0;
  do
    run_once(m);
  while (m->finding.kind == FINDING_NONE && choose_others(m) &&
         ++runs < MOST_RUNS);
  m->finding.is_exhausted = runs < MOST_RUNS && !m->is_cut;
  return m->finding;
}
