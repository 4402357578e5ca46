// Can a thread wait for another in a loop?
//
// A plain read returns the same value until the next barrier, unless there is a
// race.  So a thread that waits without a barrier goes round a loop in which
// the value of a volatile or atomic operation decides whether it is left.
// Where no branch depends on such a value, threads may be executed one after
// another.  Values stored in local memory are not followed: they count as if a
// branch depended on them.
//
// A block may wait for another in a loop that has barriers in it, where one
// thread tells the others of its block.  So there all that is stored counts,
// but for what has been read in the block's own memory.  Threads of such a
// block may still be executed one after another, as long as others get their
// turn (machine_round).
//
// Where there is a race, a plain read may be waited for, too: in a loop that is
// left only by what is read, at an address that stays the same, and not by
// anything that the thread itself goes on with.  Such a loop counts as well, of
// either kind, so that the race is told in place of a run without an end.

#include "runtime/jit/jit.h"
#include "llvm/graph.h"

#include <assert.h>

typedef Vec(LLVMValueRef) Values;

static bool is_volatile(LLVMValueRef i) { return LLVMGetVolatile(i) != 0; }

// What it returns may be news from another thread.
static bool is_news(Task *task, LLVMValueRef i) {
  const char *name;
  const Builtin *builtin;
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMLoad:
    return is_volatile(i) || LLVMGetOrdering(i);
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
    return true;
  case LLVMCall:
    name = jit_declared(i);
    builtin = name ? builtin_find(task, name) : NULL;
    return builtin && builtin->how == HOW_ATOMIC;
  default:
    return false;
  }
}

static bool is_arithmetic(Task *task, LLVMValueRef call) {
  const char *name = jit_declared(call);
  const Builtin *builtin = name ? builtin_find(task, name) : NULL;
  return builtin && (builtin->how == HOW_PURE || builtin->how == HOW_PLAIN);
}

// It may decide where a thread goes, now or later.  What goes to memory that
// others see does not: there it is read again, if at all; but it may decide
// where its block goes.
static bool decides(Task *task, LLVMValueRef user, bool for_block) {
  switch (LLVMGetInstructionOpcode(user)) {
  case LLVMStore:
    return for_block || jit_is_own(LLVMGetOperand(user, 1));
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
    return for_block;
  case LLVMBr:
  case LLVMSwitch:
  case LLVMRet:
    return true;
  case LLVMCall:
    return !is_arithmetic(task, user);
  default:
    return false;
  }
}

static void add_users(Task *task, Values *open, ValueTable *seen,
                      LLVMValueRef value) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use;
       use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (table_get(seen, user))
      continue;
    table_put(task, seen, user, user);
    push(&task->arena, open, user);
  }
}

static bool reaches_branch(Task *task, LLVMValueRef value, bool for_block) {
  Values open = {0};
  ValueTable seen = {0};
  add_users(task, &open, &seen, value);
  while (open.count) {
    LLVMValueRef user = open.at[--open.count];
    if (decides(task, user, for_block))
      return true;
    add_users(task, &open, &seen, user);
  }
  return false;
}

// ----------------------------------------------------------------- cycles ---

static bool has_barrier(Task *task, LLVMBasicBlockRef block) {
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
       i = LLVMGetNextInstruction(i)) {
    const char *name = LLVMIsACallInst(i) ? jit_declared(i) : NULL;
    const Builtin *builtin = name ? builtin_find(task, name) : NULL;
    if (builtin && (builtin->how == HOW_BARRIER || builtin->how == HOW_VOTE))
      return true;
  }
  return false;
}

static bool reaches(Task *task, LLVMBasicBlockRef start, LLVMBasicBlockRef to,
                    bool passes_barriers) {
  Vec(LLVMBasicBlockRef) open = {0};
  ValueTable seen = {0};
  push(&task->arena, &open, start);
  while (open.count && !table_get(&seen, to)) {
    LLVMBasicBlockRef from = open.at[--open.count];
    LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
    if (!passes_barriers && has_barrier(task, from))
      continue;
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
      LLVMBasicBlockRef next = LLVMGetSuccessor(end, i);
      if (!table_get(&seen, next))
        push(&task->arena, &open, next);
      table_put(task, &seen, next, next);
    }
  }
  return table_get(&seen, to) != NULL;
}

// A thread can come from there to there again without a barrier.
static bool is_in_cycle(Task *task, LLVMBasicBlockRef block) {
  return reaches(task, block, block, false);
}

// ... or by way of one.
static bool is_in_round(Task *task, LLVMBasicBlockRef block) {
  LLVMValueRef function = LLVMGetBasicBlockParent(block);
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
       b = LLVMGetNextBasicBlock(b))
    if (has_barrier(task, b) && reaches(task, block, b, true) &&
        reaches(task, b, block, true))
      return true;
  return false;
}

// ----------------------------------------------------------- plain reads ---

typedef struct Shape {
  Task *task;
  LLVMBasicBlockRef *blocks;
  ValueTable numbers; // block -> its number + 1
  Graph *graph;
} Shape;

static unsigned number_of(const Shape *shape, LLVMBasicBlockRef block) {
  uintptr_t number = (uintptr_t)table_get(&shape->numbers, block);
  assert(number); // a block of this function
  return (unsigned)number - 1;
}

static Shape shape_of(Task *task, LLVMValueRef function) {
  Shape shape = {.task = task};
  unsigned count = LLVMCountBasicBlocks(function);
  shape.blocks = arena_alloc(&task->arena, count * sizeof *shape.blocks);
  LLVMGetBasicBlocks(function, shape.blocks);
  for (unsigned b = 0; b < count; b++)
    table_put(task, &shape.numbers, shape.blocks[b],
              (void *)(uintptr_t)(b + 1));
  shape.graph = graph_new(task, count);
  for (unsigned b = 0; b < count; b++) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(shape.blocks[b]);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
      graph_add_edge(task, shape.graph, b,
                     number_of(&shape, LLVMGetSuccessor(end, i)));
  }
  graph_analyse(task, shape.graph);
  return shape;
}

// What a value in a loop is made of there.
typedef struct Origins {
  const Shape *shape;
  const struct GraphLoop *loop;
  ValueTable open, done;
  unsigned computed; // how many of the open ones are more than a choice
  bool changes;      // from round to round, by what the thread does
} Origins;

static void trace(Origins *origins, LLVMValueRef value);

static void trace_operands(Origins *origins, LLVMValueRef i) {
  if (LLVMIsAPHINode(i))
    for (unsigned k = 0; k < LLVMCountIncoming(i); k++)
      trace(origins, LLVMGetIncomingValue(i, k));
  else
    for (int k = 0; k < LLVMGetNumOperands(i); k++)
      trace(origins, LLVMGetOperand(i, (unsigned)k));
}

// A phi that comes back to itself by way of an operation is a count, or walks
// along a list.
static void trace(Origins *origins, LLVMValueRef value) {
  Task *task = origins->shape->task;
  if (!LLVMIsAInstruction(value) || origins->changes ||
      !origins->loop->contains[number_of(origins->shape,
                                         LLVMGetInstructionParent(value))] ||
      table_get(&origins->done, value))
    return;
  if (table_get(&origins->open, value)) {
    uintptr_t before = (uintptr_t)table_get(&origins->open, value) - 1;
    origins->changes = origins->computed > before;
    return;
  }
  table_put(task, &origins->open, value,
            (void *)(uintptr_t)(origins->computed + 1));
  origins->computed += !LLVMIsAPHINode(value);
  origins->changes =
      LLVMIsALoadInst(value) && jit_is_own(LLVMGetOperand(value, 0));
  trace_operands(origins, value);
  origins->computed -= !LLVMIsAPHINode(value);
  table_put(task, &origins->done, value, value);
}

static bool leaves(const Shape *shape, const struct GraphLoop *loop,
                   unsigned block) {
  const Numbers *out = &shape->graph->out[block];
  for (size_t i = 0; i < out->count; i++)
    if (!loop->contains[out->at[i]])
      return true;
  return false;
}

static bool reads(LLVMBasicBlockRef block) {
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
       i = LLVMGetNextInstruction(i))
    if (LLVMIsACallInst(i) ||
        (LLVMIsALoadInst(i) && !jit_is_own(LLVMGetOperand(i, 0))))
      return true;
  return false;
}

static bool waits_in(const Shape *shape, const struct GraphLoop *loop) {
  Origins origins = {.shape = shape, .loop = loop};
  bool has_read = false;
  for (unsigned b = 0; b < shape->graph->count; b++) {
    if (!loop->contains[b])
      continue;
    has_read |= reads(shape->blocks[b]);
    if (leaves(shape, loop, b))
      trace(&origins,
            LLVMGetOperand(LLVMGetBasicBlockTerminator(shape->blocks[b]), 0));
  }
  return has_read && !origins.changes;
}

static bool waits_for_plain(Task *task, LLVMValueRef function,
                            bool without_barrier) {
  Shape shape = shape_of(task, function);
  for (unsigned i = 0; i < shape.graph->loop_count; i++) {
    const struct GraphLoop *loop = &shape.graph->loops[i];
    if (waits_in(&shape, loop) &&
        (!without_barrier || is_in_cycle(task, shape.blocks[loop->header])))
      return true;
  }
  return false;
}

// ------------------------------------------------------------------ news ---

static bool any_news(Task *task, LLVMValueRef function,
                     bool (*is_waited_for)(Task *, LLVMValueRef)) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
         i = LLVMGetNextInstruction(i))
      if (is_news(task, i) && is_waited_for(task, i))
        return true;
  return false;
}

static bool by_thread(Task *task, LLVMValueRef i) {
  return is_in_cycle(task, LLVMGetInstructionParent(i)) &&
         reaches_branch(task, i, false);
}

static bool by_block(Task *task, LLVMValueRef i) {
  return !jit_is_of_block(LLVMGetOperand(i, 0)) &&
         reaches_branch(task, i, true) &&
         is_in_round(task, LLVMGetInstructionParent(i));
}

// Of a function that is called, any instruction may be in a loop.
static bool by_caller(Task *task, LLVMValueRef i) {
  return reaches_branch(task, i, true);
}

bool jit_may_spin(Task *task, const Code *code, LLVMValueRef function) {
  bool is_kernel = function == code->function;
  return any_news(task, function, is_kernel ? by_thread : by_caller) ||
         waits_for_plain(task, function, true);
}

bool jit_may_wait(Task *task, LLVMValueRef kernel) {
  return any_news(task, kernel, by_block) ||
         waits_for_plain(task, kernel, false);
}
