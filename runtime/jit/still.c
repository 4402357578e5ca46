// Intervals in which nobody writes to the shared memory of the block.
//
// Accesses to shared memory race only between the same two barriers.  The code
// between two barriers is the function of one interval, or of a few, since an
// interval that ends before a branch goes on in another one.  If none of these
// functions writes to shared memory, its reads there race with nothing and
// leave no mark (marks.c).  Only their bounds are checked, and mostly the code
// itself tells the place and size of the array.
//
// Calls, and stores through pointers that come from memory, count as writes to
// shared memory.  A pointer from the host does not point there.

#include "runtime/jit/split.h"
#include "runtime/machine/races.h"

#include <assert.h>

typedef struct Still {
  Split *split;
  const Image *image;
  bool *before, *behind; // by interval: a write in the same moment, or in it
} Still;

// -------------------------------------------------------------- pointers ---

// What it points into, as far as there is one such thing.
static LLVMValueRef root_of(LLVMValueRef pointer) {
  for (LLVMValueRef next; (next = jit_beneath(pointer));)
    pointer = next;
  return pointer;
}

// Of the kernel, in the function of an interval.
static const Parameter *parameter(const Split *split, LLVMValueRef value) {
  const Code *code = split->run->code;
  LLVMValueRef function =
      LLVMIsAArgument(value) ? LLVMGetParamParent(value) : NULL;
  for (size_t i = 0; function && i < code->parameters.count; i++)
    if (LLVMGetParam(function, GIVEN + (unsigned)i) == value)
      return &code->parameters.at[i];
  return NULL;
}

static bool is_given(const Split *split, LLVMValueRef root) {
  const Parameter *own = parameter(split, root);
  return own && own->kind == PARAMETER_POINTER;
}

// It is in a struct that the host gave.
static bool is_within_given(const Split *split, LLVMValueRef root) {
  const Parameter *own =
      LLVMIsALoadInst(root) ? parameter(split, root_of(LLVMGetOperand(root, 0)))
                            : NULL;
  return own && own->kind == PARAMETER_STRUCT;
}

typedef Vec(LLVMValueRef) Values;

static void add_choices(Task *task, Values *open, LLVMValueRef value) {
  if (LLVMIsASelectInst(value)) {
    push(&task->arena, open, LLVMGetOperand(value, 1));
    push(&task->arena, open, LLVMGetOperand(value, 2));
  }
  for (unsigned i = 0; LLVMIsAPHINode(value) && i < LLVMCountIncoming(value);
       i++)
    push(&task->arena, open, LLVMGetIncomingValue(value, i));
}

// Not to shared memory, wherever it comes from.
static bool is_of_host(const Split *split, LLVMValueRef pointer) {
  Task *task = split->task;
  Values open = {0};
  ValueTable seen = {0};
  push(&task->arena, &open, pointer);
  while (open.count) {
    LLVMValueRef root = root_of(open.at[--open.count]);
    if (table_get(&seen, root) || is_given(split, root) ||
        is_within_given(split, root))
      continue;
    if (!LLVMIsAPHINode(root) && !LLVMIsASelectInst(root))
      return false;
    table_put(task, &seen, root, root);
    add_choices(task, &open, root);
  }
  return true;
}

// -------------------------------------------------------------- accesses ---

// The place in this process that is called, or 0.
static uint64_t called_place(LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  return LLVMIsAConstantExpr(callee) &&
                 LLVMGetConstOpcode(callee) == LLVMIntToPtr
             ? LLVMConstIntGetZExtValue(LLVMGetOperand(callee, 0))
             : 0;
}

// Of (address, bytes, site), before an access.
static bool is_hook(LLVMValueRef call) {
  Hook *const hooks[] = {region_access, region_fill, region_fetch,
                         spot_hook(&(Site){.kind = SITE_READ}),
                         spot_hook(&(Site){.kind = SITE_WRITE})};
  uint64_t place = called_place(call);
  for (size_t i = 0; i < sizeof hooks / sizeof *hooks; i++)
    if (place == (uintptr_t)hooks[i])
      return true;
  return jit_is_spot(LLVMGetCalledValue(call));
}

// NULL: two accesses have become one, whose site is chosen on the way.
static const Site *site_of(const Split *split, LLVMValueRef hook) {
  LLVMValueRef number = LLVMGetOperand(hook, 2);
  return LLVMIsAConstantInt(number)
             ? &split->run->code->sites.at[LLVMConstIntGetZExtValue(number)]
             : NULL;
}

static bool only_reads(const Site *site) {
  return site && (site->kind == SITE_READ || site->kind == SITE_FETCH);
}

// To shared memory, for all we know.
static bool may_write(const Split *split, LLVMValueRef i) {
  if (!LLVMIsACallInst(i) || split_is_harmless(split, i))
    return false;
  return !is_hook(i) || (!only_reads(site_of(split, i)) &&
                         !is_of_host(split, LLVMGetOperand(i, 0)));
}

static bool writes(const Split *split, const BarrierInterval *interval) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(interval->function);
       block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
         i = LLVMGetNextInstruction(i))
      if (may_write(split, i))
        return true;
  return false;
}

// --------------------------------------------------------------- moments ---

static bool goes_on(const Still *still, size_t from, size_t to) {
  const Split *split = still->split;
  const BarrierInterval *interval = &split->intervals.at[from];
  for (size_t e = 0;
       interval->ending == ENDING_BRANCH && e < interval->exits.count; e++) {
    const Numbers *out = &split->graph->out[interval->exits.at[e]];
    for (size_t i = 0; i < out->count; i++)
      if (out->at[i] == split->intervals.at[to].start)
        return true;
  }
  return false;
}

// Of the one before, and of the one behind.
static bool spread(const Still *still, size_t from, size_t to) {
  bool changes = (still->before[from] && !still->before[to]) ||
                 (still->behind[to] && !still->behind[from]);
  still->before[to] |= still->before[from];
  still->behind[from] |= still->behind[to];
  return changes;
}

static void find_writes(const Still *still) {
  size_t count = still->split->intervals.count;
  for (size_t i = 0; i < count; i++)
    still->before[i] = still->behind[i] =
        writes(still->split, &still->split->intervals.at[i]);
  for (bool changes = true; changes;) {
    changes = false;
    for (size_t from = 0; from < count; from++)
      for (size_t to = 0; to < count; to++)
        if (goes_on(still, from, to))
          changes |= spread(still, from, to);
  }
}

// ----------------------------------------------------------------- reads ---

static bool is_still_read(const Split *split, LLVMValueRef i) {
  if (!LLVMIsACallInst(i) || !is_hook(i) ||
      !jit_is_of_block(LLVMGetOperand(i, 0)))
    return false;
  const Site *site = site_of(split, i);
  return site && site->kind == SITE_READ && spot_hook(site) != region_access;
}

// The variable that lies there, or NULL: its size is not known yet.
static const Variable *variable_at(const Still *still, LLVMValueRef root) {
  const Code *code = still->split->run->code;
  if (!LLVMIsAConstantExpr(root) || LLVMGetConstOpcode(root) != LLVMIntToPtr)
    return NULL;
  uint64_t at = LLVMConstIntGetZExtValue(LLVMGetOperand(root, 0));
  uint64_t offset = at - (uintptr_t)still->image->shared;
  for (size_t i = 0; i < code->variables.count; i++) {
    const Variable *variable = &code->variables.at[i];
    if (variable->space == SPACE_SHARED && !variable->is_dynamic &&
        !variable->is_local && offset - variable->offset < variable->bytes)
      return variable;
  }
  return NULL;
}

static void check_bounds_only(const Still *still, LLVMValueRef hook) {
  const Split *split = still->split;
  LLVMValueRef at = LLVMGetOperand(hook, 0), bytes = LLVMGetOperand(hook, 1);
  uint64_t number = LLVMConstIntGetZExtValue(LLVMGetOperand(hook, 2));
  assert(LLVMIsAConstantInt(bytes) && number < split->run->code->sites.count);
  uint64_t size = LLVMConstIntGetZExtValue(bytes);
  const Variable *variable = variable_at(still, root_of(at));
  const Spot *spot = spot_at(still->image->spots, (uint32_t)number);
  LLVMValueRef function = jit_spot_function(split->module, SPOT_STILL);
  LLVMTypeRef i64 = LLVMTypeOf(bytes);
  LLVMValueRef power =
      LLVMConstInt(i64, jit_power_of(site_of(split, hook)), false);
  LLVMValueRef arguments[] = {at,   bytes, LLVMGetOperand(hook, 2),
                              NULL, NULL,  power};
  LLVMPositionBuilderBefore(split->builder, hook);
  if (variable && variable->bytes >= size) {
    arguments[3] = jit_address(split->module, (uintptr_t)still->image->shared +
                                                  variable->offset);
    arguments[4] = LLVMConstInt(split->i32, variable->bytes - size + 1, false);
  } else {
    arguments[3] =
        LLVMBuildLoad2(split->builder, split->pointer,
                       jit_address(split->module, (uintptr_t)&spot->at), "");
    arguments[4] = LLVMBuildLoad2(
        split->builder, split->i32,
        jit_address(split->module, (uintptr_t)&spot->still_limit), "");
  }
  LLVMBuildCall2(split->builder, LLVMGlobalGetValueType(function), function,
                 arguments, 6, "");
  LLVMInstructionEraseFromParent(hook);
}

static void make_still(const Still *still, const BarrierInterval *interval) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(interval->function);
       block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
      next = LLVMGetNextInstruction(i);
      if (is_still_read(still->split, i))
        check_bounds_only(still, i);
    }
}

void split_still(Split *split, const Image *image) {
  Arena *arena = &split->task->arena;
  size_t count = split->intervals.count;
  Still still = {.split = split,
                 .image = image,
                 .before = arena_alloc(arena, count),
                 .behind = arena_alloc(arena, count)};
  if (split->run->watch != WATCH_RACES || !marks_suffice(split->run->code))
    return;
  find_writes(&still);
  for (size_t i = 0; i < count; i++)
    if (!still.before[i] && !still.behind[i])
      make_still(&still, &split->intervals.at[i]);
}
