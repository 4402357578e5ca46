// All threads of a block in one function, interval by interval.
//
// Threads wait for each other only at the barriers of their block.  So between
// two barriers they can be executed one after another, as the iterations of a
// loop, which the optimiser turns into vector operations where it can.  The
// kernel is cut at its barriers (interval.c), values that live across a cut are
// kept (keep.c), each interval becomes a function (clone.c), and here loops
// call these functions one after the other.  Hooks are calls like others; they
// are told which thread runs, and in which interval.  Without hooks there are
// more cuts than barriers (rounds.c).
//
// Accesses of two threads in one interval that conflict are a race, or atomic,
// so the loops are marked: their iterations do not depend on each other.  Where
// atomic operations have become plain ones (single.c) they may, and so may
// hooks.

#include "runtime/jit/split.h"

#include <assert.h>
#include <llvm-c/IRReader.h>
#include <string.h>

enum { AXES = 3, MOST_KEPT_BYTES = 1 << 16, MOST_COPIES = 1 << 14 };

// A replay holds threads anywhere, and limits its steps.
bool jit_is_block(const Run *run) {
  bool has_limit = run->watch != WATCH_NOTHING && run->max_steps;
  return run->code->function && run->code->waits_at_barriers && !has_limit &&
         !run->code->also && run->watch != WATCH_SCHEDULES;
}

// One thing that is kept, as the loops know it.
typedef struct Place {
  LLVMValueRef at;   // of the first thread, or of what is uniform
  LLVMValueRef next; // UNIFORM: what it will be in the next interval
} Place;

typedef struct Maker {
  Split *split;
  LLVMValueRef entry, *arguments;
  LLVMValueRef words[WORDS];
  LLVMValueRef threads, sizes[AXES], count;
  LLVMValueRef counters[AXES];
  LLVMValueRef choices, votes, where;
  Place *places;                 // by what is kept
  LLVMBasicBlockRef *starts;     // by interval
  LLVMValueRef group;            // metadata of accesses
  LLVMValueRef parallel, scalar; // ... and of loops
  bool is_parallel;
} Maker;

static LLVMBasicBlockRef add_block(const Maker *m) {
  return LLVMAppendBasicBlockInContext(m->split->context, m->entry, "");
}

static LLVMValueRef number(const Maker *m, uint64_t value) {
  return LLVMConstInt(m->split->i32, value, false);
}

static LLVMValueRef load(const Maker *m, LLVMTypeRef type, LLVMValueRef at) {
  return LLVMBuildLoad2(m->split->builder, type, at, "");
}

static void store(const Maker *m, LLVMValueRef value, LLVMValueRef at) {
  LLVMBuildStore(m->split->builder, value, at);
}

static LLVMValueRef element(const Maker *m, LLVMTypeRef type, LLVMValueRef at,
                            LLVMValueRef index) {
  return LLVMBuildGEP2(m->split->builder, type, at, &index, 1, "");
}

static LLVMValueRef address(const Maker *m, const void *at) {
  return jit_address(m->split->module, (uintptr_t)at);
}

static LLVMValueRef field(const Maker *m, LLVMTypeRef type, LLVMValueRef base,
                          size_t offset) {
  return load(m, type,
              element(m, LLVMInt8TypeInContext(m->split->context), base,
                      LLVMConstInt(m->split->i64, offset, false)));
}

// ---------------------------------------------------------------- before ---

// Each launch of a program has its own sizes.
static void find_sizes(Maker *m) {
  const Split *split = m->split;
  LLVMValueRef run = load(m, split->pointer, address(m, &machine.run));
  LLVMValueRef count = LLVMConstInt(split->i64, 1, false);
  for (unsigned axis = 0; axis < AXES; axis++) {
    m->sizes[axis] = field(m, split->i32, run,
                           offsetof(Run, block) + axis * sizeof(uint32_t));
    count = LLVMBuildNUWMul(
        split->builder, count,
        LLVMBuildZExt(split->builder, m->sizes[axis], split->i64, ""), "");
  }
  m->count = count;
}

static void find_block(Maker *m) {
  const Split *split = m->split;
  m->threads = load(m, split->pointer, address(m, &machine.self));
  LLVMValueRef group =
      field(m, split->pointer, m->threads, offsetof(Thread, group));
  for (unsigned axis = 0; axis < AXES; axis++)
    m->words[WORD_BLOCK + axis] = field(
        m, split->i32, group, offsetof(Group, id) + axis * sizeof(uint32_t));
}

static void find_arguments(Maker *m) {
  const Split *split = m->split;
  unsigned count = LLVMCountParams(split->kernel);
  m->arguments =
      arena_alloc(&split->task->arena, (count + 1) * sizeof *m->arguments);
  for (unsigned i = 0; i < count; i++) {
    assert(i < split->run->code->parameters.count);
    const Parameter *parameter = &split->run->code->parameters.at[i];
    LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(split->kernel, i));
    bool is_by_value = parameter->kind == PARAMETER_STRUCT &&
                       LLVMGetTypeKind(type) == LLVMPointerTypeKind;
    LLVMValueRef at =
        field(m, split->pointer, LLVMGetParam(m->entry, 0), i * sizeof(void *));
    m->arguments[i] = is_by_value ? at : load(m, type, at);
  }
}

static Place make_place(const Maker *m, const Kept *kept) {
  LLVMBuilderRef builder = m->split->builder;
  if (kept->is_uniform)
    return (Place){LLVMBuildAlloca(builder, kept->type, ""),
                   LLVMBuildAlloca(builder, kept->type, "")};
  LLVMValueRef at = LLVMBuildArrayAlloca(builder, kept->type, m->count, "");
  if (kept->is_array)
    LLVMSetAlignment(at, LLVMGetAlignment(kept->alloca));
  return (Place){at, LLVMGetUndef(m->split->pointer)};
}

static void make_places(Maker *m) {
  const Split *split = m->split;
  m->places = arena_alloc(&split->task->arena,
                          (split->kept.count + 1) * sizeof *m->places);
  m->choices = LLVMBuildAlloca(split->builder, split->i64, "");
  m->votes = LLVMBuildAlloca(split->builder, split->i32, "");
  for (unsigned axis = 0; axis < AXES; axis++)
    m->counters[axis] = LLVMBuildAlloca(split->builder, split->i32, "");
  m->where = LLVMBuildArrayAlloca(split->builder, split->i32, m->count, "");
  for (size_t i = 0; i < split->kept.count; i++)
    m->places[i] = make_place(m, &split->kept.at[i]);
}

// ----------------------------------------------------------------- loops ---

static LLVMBasicBlockRef open_loop(const Maker *m, unsigned axis) {
  LLVMBasicBlockRef body = add_block(m);
  store(m, number(m, 0), m->counters[axis]);
  LLVMBuildBr(m->split->builder, body);
  LLVMPositionBuilderAtEnd(m->split->builder, body);
  return body;
}

// `metadata` may be NULL.
static void close_loop(const Maker *m, unsigned axis, LLVMBasicBlockRef body,
                       LLVMValueRef metadata) {
  LLVMBuilderRef builder = m->split->builder;
  LLVMBasicBlockRef end = add_block(m);
  LLVMValueRef next = LLVMBuildNUWAdd(
      builder, load(m, m->split->i32, m->counters[axis]), number(m, 1), "");
  store(m, next, m->counters[axis]);
  LLVMValueRef goes_on =
      LLVMBuildICmp(builder, LLVMIntULT, next, m->sizes[axis], "");
  LLVMValueRef branch = LLVMBuildCondBr(builder, goes_on, body, end);
  if (metadata)
    LLVMSetMetadata(branch,
                    LLVMGetMDKindIDInContext(m->split->context, "llvm.loop", 9),
                    metadata);
  LLVMPositionBuilderAtEnd(builder, end);
}

// (z * size y + y) * size x + x
static LLVMValueRef thread_number(Maker *m) {
  LLVMBuilderRef builder = m->split->builder;
  LLVMValueRef at = NULL;
  for (unsigned axis = AXES; axis-- > 0;) {
    LLVMValueRef id = load(m, m->split->i32, m->counters[axis]);
    m->words[WORD_THREAD + axis] = id;
    if (at)
      at = LLVMBuildNUWMul(
          builder, at,
          LLVMBuildZExt(builder, m->sizes[axis], m->split->i64, ""), "");
    id = LLVMBuildZExt(builder, id, m->split->i64, "");
    at = at ? LLVMBuildNUWAdd(builder, at, id, "") : id;
  }
  m->words[WORD_NUMBER] = LLVMBuildTrunc(builder, at, m->split->i32, "");
  return at;
}

// ------------------------------------------------------------- intervals ---

typedef Vec(LLVMValueRef) Values;

static void add_kept(const Maker *m, Values *values, size_t index,
                     LLVMValueRef thread) {
  const Kept *kept = &m->split->kept.at[index];
  const Place *place = &m->places[index];
  push(&m->split->task->arena, values,
       kept->is_uniform ? load(m, kept->type, place->at)
                        : element(m, kept->type, place->at, thread));
  push(&m->split->task->arena, values, place->next);
}

static LLVMValueRef thread_place(const Maker *m, LLVMValueRef thread) {
  LLVMTypeRef type =
      LLVMArrayType2(LLVMInt8TypeInContext(m->split->context), sizeof(Thread));
  return element(m, type, m->threads, thread);
}

static LLVMValueRef call_interval(Maker *m, const BarrierInterval *interval,
                                  LLVMValueRef thread) {
  const Split *split = m->split;
  Arena *arena = &split->task->arena;
  Values values = {0};
  for (unsigned i = 0; i < WORDS; i++)
    push(arena, &values, m->words[i]);
  push(arena, &values, thread_place(m, thread));
  push(arena, &values, m->choices);
  push(arena, &values, m->votes);
  for (unsigned i = 0; i < LLVMCountParams(split->kernel); i++)
    push(arena, &values, m->arguments[i]);
  for (size_t i = 0; i < split->kept.count; i++)
    add_kept(m, &values, i, thread);
  return LLVMBuildCall2(
      split->builder, LLVMGlobalGetValueType(interval->function),
      interval->function, values.at, (unsigned)values.count, "");
}

static void call_machine(const Maker *m, uintptr_t function,
                         LLVMValueRef argument) {
  LLVMTypeRef type =
      LLVMFunctionType(m->split->none, &m->split->pointer, argument != NULL, 0);
  LLVMBuildCall2(m->split->builder, type,
                 jit_address(m->split->module, function), &argument,
                 argument != NULL, "");
}

static bool watches_races(const Maker *m) {
  return m->split->run->watch == WATCH_RACES;
}

// The first thread of a warp has a turn for all of it, mostly.
static void take_turn(const Maker *m, LLVMValueRef thread) {
  LLVMBuilderRef builder = m->split->builder;
  LLVMBasicBlockRef turn = add_block(m), next = add_block(m);
  LLVMValueRef mask = load(m, m->split->i32, address(m, &machine.turn_mask));
  LLVMValueRef rest = LLVMBuildAnd(builder, m->words[WORD_NUMBER], mask, "");
  LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, rest, ""), turn, next);
  LLVMPositionBuilderAtEnd(builder, turn);
  call_machine(m, (uintptr_t)machine_take_turn, thread);
  LLVMBuildBr(builder, next);
  LLVMPositionBuilderAtEnd(builder, next);
}

typedef struct Work {
  unsigned accesses, operations, branches;
  bool stores_in_branches;
} Work;

static Work work_of(LLVMValueRef function) {
  Work work = {0};
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
  for (LLVMBasicBlockRef block = entry; block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
         i = LLVMGetNextInstruction(i)) {
      work.accesses += LLVMIsALoadInst(i) || LLVMIsAStoreInst(i);
      work.operations += LLVMIsABinaryOperator(i) || LLVMIsACallInst(i);
      work.branches += LLVMIsASwitchInst(i) ||
                       (LLVMIsABranchInst(i) && LLVMIsConditional(i));
      work.stores_in_branches |= block != entry && LLVMIsAStoreInst(i);
    }
  return work;
}

// Stores by some threads of a vector alone are slow: a processor that takes ten
// cycles for one is done sooner with one thread after another, unless they
// compute much.
static bool pays_as_vectors(const BarrierInterval *interval) {
  enum { MUCH = 2 }; // operations an access
  Work work = work_of(interval->function);
  return !work.branches || !work.stores_in_branches ||
         work.operations > MUCH * work.accesses;
}

// Each thread of the block from here to where the interval ends.
static void add_loops(Maker *m, const BarrierInterval *interval) {
  bool is_known = interval->has_calls || interval->has_loops;
  LLVMBasicBlockRef loops[AXES];
  store(m, LLVMConstInt(LLVMInt8TypeInContext(m->split->context), !is_known, 0),
        address(m, &machine.is_blind));
  store(m, number(m, 0), m->votes);
  for (unsigned axis = AXES; axis-- > 0;)
    loops[axis] = open_loop(m, axis);
  LLVMValueRef thread = thread_number(m);
  if (watches_races(m))
    take_turn(m, thread_place(m, thread));
  LLVMValueRef where = call_interval(m, interval, thread);
  if (interval->ending == ENDING_ANY) {
    LLVMBuildStore(m->split->builder, where,
                   element(m, m->split->i32, m->where, thread));
    LLVMSetMetadata(
        LLVMGetLastInstruction(LLVMGetInsertBlock(m->split->builder)),
        LLVMGetMDKindIDInContext(m->split->context, "llvm.access.group", 17),
        m->group);
  }
  for (unsigned axis = 0; axis < AXES; axis++)
    close_loop(m, axis, loops[axis],
               axis > 0 || is_known || !m->is_parallel ? NULL
               : pays_as_vectors(interval)             ? m->parallel
                                                       : m->scalar);
}

static void take_next(const Maker *m, const BarrierInterval *interval) {
  for (size_t i = 0; i < m->split->kept.count; i++) {
    const Kept *kept = &m->split->kept.at[i];
    if (kept->is_uniform && interval->changes[i])
      store(m, load(m, kept->type, m->places[i].next), m->places[i].at);
  }
}

// How many voted is what the call at the barrier returns, if it is kept.
static void take_votes(const Maker *m, unsigned block) {
  LLVMValueRef barrier = split_barrier(m->split, block);
  assert(barrier);
  for (LLVMUseRef use = LLVMGetFirstUse(barrier); use;
       use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    for (size_t i = 0; LLVMIsAStoreInst(user) && i < m->split->kept.count; i++)
      if (m->split->kept.at[i].alloca == LLVMGetOperand(user, 1))
        store(m, load(m, m->split->i32, m->votes), m->places[i].at);
  }
}

static LLVMBasicBlockRef start_of(const Maker *m, unsigned block) {
  for (size_t i = 0; i < m->split->intervals.count; i++)
    if (m->split->intervals.at[i].start == block)
      return m->starts[i];
  assert(!"an interval begins behind each cut");
  return NULL;
}

static void pass_barrier(const Maker *m, unsigned block) {
  assert(m->split->graph->out[block].count == 1);
  take_votes(m, block);
  if (watches_races(m))
    call_machine(m, (uintptr_t)machine_pass, NULL);
  LLVMBuildBr(m->split->builder,
              start_of(m, m->split->graph->out[block].at[0]));
}

static void add_branch(const Maker *m, unsigned block) {
  const Split *split = m->split;
  LLVMValueRef end = LLVMGetBasicBlockTerminator(split->blocks[block]);
  LLVMValueRef made = LLVMInstructionClone(end);
  LLVMInsertIntoBuilder(split->builder, made);
  LLVMPositionBuilderBefore(split->builder, made);
  LLVMSetOperand(made, 0,
                 load(m, LLVMTypeOf(LLVMGetOperand(end, 0)), m->choices));
  for (unsigned i = 0; i < LLVMGetNumSuccessors(made); i++)
    LLVMSetSuccessor(
        made, i, start_of(m, split_number(split, LLVMGetSuccessor(end, i))));
}

// Those of a block are at one barrier, or have left; else the machine says so.
static void meet(const Maker *m, const BarrierInterval *interval) {
  const Split *split = m->split;
  LLVMBuilderRef builder = split->builder;
  LLVMTypeRef type = LLVMFunctionType(split->i32, &m->split->pointer, 1, false);
  LLVMValueRef where = m->where;
  LLVMValueRef site =
      LLVMBuildCall2(builder, type, address(m, (void *)(uintptr_t)machine_meet),
                     &where, 1, "");
  LLVMBasicBlockRef end = add_block(m);
  LLVMValueRef choice =
      LLVMBuildSwitch(builder, site, end, (unsigned)interval->exits.count);
  LLVMPositionBuilderAtEnd(builder, end);
  LLVMBuildRetVoid(builder);
  for (size_t i = 0; i < interval->exits.count; i++) {
    LLVMValueRef barrier = split_barrier(split, interval->exits.at[i]);
    if (!barrier)
      continue;
    LLVMBasicBlockRef there = add_block(m);
    LLVMAddCase(choice, LLVMGetOperand(barrier, 0), there);
    LLVMPositionBuilderAtEnd(builder, there);
    pass_barrier(m, interval->exits.at[i]);
  }
}

static void count_round(const Maker *m, uint32_t site) {
  LLVMTypeRef type = LLVMFunctionType(m->split->none, &m->split->i32, 1, false);
  LLVMValueRef argument = number(m, site);
  if (site != NO_SITE)
    LLVMBuildCall2(m->split->builder, type,
                   address(m, (void *)(uintptr_t)machine_round), &argument, 1,
                   "");
}

static void add_interval(Maker *m, size_t index) {
  const BarrierInterval *interval = &m->split->intervals.at[index];
  LLVMPositionBuilderAtEnd(m->split->builder, m->starts[index]);
  add_loops(m, interval);
  take_next(m, interval);
  count_round(m, interval->round);
  switch (interval->ending) {
  case ENDING_RETURN:
    LLVMBuildRetVoid(m->split->builder);
    break;
  case ENDING_BARRIER:
    pass_barrier(m, interval->exits.at[0]);
    break;
  case ENDING_BRANCH:
    add_branch(m, interval->exits.at[0]);
    break;
  case ENDING_ANY:
    meet(m, interval);
    break;
  }
}

// -------------------------------------------------------------- parallel ---

// The C interface cannot make distinct nodes without operands, text can.
static bool make_metadata(Maker *m) {
  static const char text[] =
      "!gpuverify = !{!0, !1, !2}\n"
      "!0 = distinct !{}\n"
      "!1 = distinct !{!1, !3}\n"
      "!2 = distinct !{!2, !3, !4}\n"
      "!3 = !{!\"llvm.loop.parallel_accesses\", !0}\n"
      "!4 = !{!\"llvm.loop.vectorize.enable\", i1 false}\n";
  LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(
      text, sizeof text - 1, "parallel");
  LLVMModuleRef module = NULL;
  LLVMValueRef nodes[3];
  char *message = NULL;
  if (LLVMParseIRInContext(m->split->context, buffer, &module, &message)) {
    LLVMDisposeMessage(message);
    return false;
  }
  assert(LLVMGetNamedMetadataNumOperands(module, "gpuverify") == 3);
  LLVMGetNamedMetadataOperands(module, "gpuverify", nodes);
  m->group = nodes[0];
  m->parallel = nodes[1];
  m->scalar = nodes[2];
  LLVMDisposeModule(module);
  return true;
}

static bool is_access(LLVMValueRef i) {
  return (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i)) && !LLVMGetVolatile(i) &&
         !LLVMGetOrdering(i);
}

// Votes are counted by all threads in one place, so these are left out.
static void mark_accesses(const Maker *m, const BarrierInterval *interval) {
  unsigned kind =
      LLVMGetMDKindIDInContext(m->split->context, "llvm.access.group", 17);
  LLVMValueRef votes = LLVMGetParam(interval->function, GIVEN_VOTES);
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(interval->function);
       block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
         i = LLVMGetNextInstruction(i))
      if (is_access(i) &&
          LLVMGetOperand(i, LLVMIsAStoreInst(i) ? 1 : 0) != votes)
        LLVMSetMetadata(i, kind, m->group);
}

// ----------------------------------------------------------------- entry ---

static void add_entry(Maker *m) {
  const Split *split = m->split;
  size_t count = split->intervals.count;
  LLVMTypeRef type =
      LLVMFunctionType(split->none, &m->split->pointer, 1, false);
  m->entry = LLVMAddFunction(split->module, ENTRY_NAME, type);
  LLVMPositionBuilderAtEnd(split->builder, add_block(m));
  find_sizes(m);
  find_block(m);
  find_arguments(m);
  make_places(m);
  m->starts = arena_alloc(&split->task->arena, count * sizeof *m->starts);
  for (size_t i = 0; i < count; i++)
    m->starts[i] = add_block(m);
  assert(count && split->intervals.at[0].start == 0);
  LLVMBuildBr(split->builder, m->starts[0]);
  for (size_t i = 0; i < count; i++)
    add_interval(m, i);
}

// Bytes of the stack that a thread takes.
static uint64_t kept_bytes(const Split *split) {
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(split->module);
  uint64_t bytes = sizeof(uint32_t); // where it is
  for (size_t i = 0; i < split->kept.count; i++)
    bytes += LLVMABISizeOfType(layout, split->kept.at[i].type);
  return bytes;
}

// False: there is too much of it.
static bool divide(Split *split) {
  split->differs = (ValueTable){0};
  split->intervals.count = 0;
  if (!split_cut(split))
    return false;
  split_find_uniform(split);
  return split_find_intervals(split) &&
         split->count * split->intervals.count <= MOST_COPIES;
}

// Marks may turn out to part threads.
static bool divide_in_rounds(Split *split) {
  if (!divide(split) || !split_mark_rounds(split))
    return false;
  if (divide(split) && !split_parts_in_rounds(split))
    return true;
  split_forget_rounds(split);
  return false;
}

static bool split_kernel(const Maker *m) {
  Split *split = m->split;
  if (!(m->is_parallel && divide_in_rounds(split)) && !divide(split))
    return false;
  split_keep(split);
  return kept_bytes(split) <= MOST_KEPT_BYTES;
}

static void make(Maker *m, const Image *image) {
  Split *split = m->split;
  for (size_t i = 0; i < split->intervals.count; i++) {
    split_clone(split, &split->intervals.at[i]);
    if (m->is_parallel)
      mark_accesses(m, &split->intervals.at[i]);
  }
  split_still(split, image);
  add_entry(m);
  LLVMDeleteFunction(split->kernel);
}

bool jit_make_block(Task *task, const Run *run, Image *image) {
  LLVMModuleRef module = run->code->module;
  LLVMContextRef context = LLVMGetModuleContext(module);
  Split split = {.task = task,
                 .run = run,
                 .module = module,
                 .context = context,
                 .builder = LLVMCreateBuilderInContext(context),
                 .none = LLVMVoidTypeInContext(context),
                 .i32 = LLVMInt32TypeInContext(context),
                 .i64 = LLVMInt64TypeInContext(context),
                 .pointer = LLVMPointerTypeInContext(context, 0),
                 .kernel = run->code->function};
  Maker maker = {.split = &split,
                 .is_parallel =
                     !image->has_single && run->watch == WATCH_NOTHING};
  bool is_made = split_kernel(&maker) && make_metadata(&maker);
  if (is_made)
    make(&maker, image);
  LLVMDisposeBuilder(split.builder);
  image->kept_bytes = kept_bytes(&split);
  return is_made;
}
