// An interval as a function of one thread.
//
// The function has a copy of each basic block between the start of the interval
// and its ends.  Kept values are read into local variables first, and those
// still alive are written back at the end; the optimiser turns the variables
// into registers.  Arrays stay where they are.

#include "runtime/jit/split.h"

#include <assert.h>
#include <string.h>

typedef struct Cloning {
  Split *split;
  BarrierInterval *interval;
  LLVMValueRef function;
  ValueTable values;          // of the kernel -> of the function
  Vec(LLVMValueRef) copies;   // instructions whose operands are to be replaced
  Vec(LLVMBasicBlockRef) own; // blocks
  unsigned kernel_parameters;
} Cloning;

// ------------------------------------------------------------ parameters ---

static LLVMTypeRef function_type(const Split *split) {
  Task *task = split->task;
  Vec(LLVMTypeRef) types = {0};
  for (unsigned i = 0; i < WORDS; i++)
    push(&task->arena, &types, split->i32);
  for (unsigned i = GIVEN_THREAD; i < GIVEN; i++)
    push(&task->arena, &types, split->pointer);
  for (unsigned i = 0; i < LLVMCountParams(split->kernel); i++)
    push(&task->arena, &types, LLVMTypeOf(LLVMGetParam(split->kernel, i)));
  for (size_t i = 0; i < split->kept.count; i++) {
    const Kept *kept = &split->kept.at[i];
    push(&task->arena, &types, kept->is_uniform ? kept->type : split->pointer);
    push(&task->arena, &types, split->pointer);
  }
  return LLVMFunctionType(split->i32, types.at, (unsigned)types.count, false);
}

static LLVMValueRef given(const Cloning *c, unsigned which) {
  assert(which < LLVMCountParams(c->function));
  return LLVMGetParam(c->function, which);
}

// `next`: where a uniform one goes.
static LLVMValueRef given_kept(const Cloning *c, size_t kept, unsigned next) {
  return given(c, GIVEN + c->kernel_parameters + 2 * (unsigned)kept + next);
}

static void put(Cloning *c, LLVMValueRef from, LLVMValueRef to) {
  table_put(c->split->task, &c->values, from, to);
}

// --------------------------------------------------------------- entry ---

static bool is_only_interval(const Split *split) {
  return split->intervals.count == 1;
}

static void enter_array(Cloning *c, size_t index) {
  const Kept *kept = &c->split->kept.at[index];
  LLVMValueRef at = is_only_interval(c->split)
                        ? LLVMBuildAlloca(c->split->builder, kept->type, "")
                        : given_kept(c, index, 0);
  if (is_only_interval(c->split))
    LLVMSetAlignment(at, LLVMGetAlignment(kept->alloca));
  put(c, kept->alloca, at);
}

static void enter_kept(Cloning *c, size_t index) {
  const Kept *kept = &c->split->kept.at[index];
  LLVMBuilderRef builder = c->split->builder;
  if (kept->is_array) {
    enter_array(c, index);
    return;
  }
  LLVMValueRef own = LLVMBuildAlloca(builder, kept->type, "");
  LLVMValueRef value = given_kept(c, index, 0);
  put(c, kept->alloca, own);
  if (!kept->lives[c->interval->start])
    return;
  if (!kept->is_uniform)
    value = LLVMBuildLoad2(builder, kept->type, value, "");
  LLVMBuildStore(builder, value, own);
}

static void enter(Cloning *c) {
  const Split *split = c->split;
  LLVMPositionBuilderAtEnd(
      split->builder,
      LLVMAppendBasicBlockInContext(split->context, c->function, ""));
  for (unsigned i = 0; i < c->kernel_parameters; i++)
    put(c, LLVMGetParam(split->kernel, i), given(c, GIVEN + i));
  for (size_t i = 0; i < split->kept.count; i++)
    enter_kept(c, i);
}

// ----------------------------------------------------------------- exits ---

static bool lives_behind(const Split *split, const Kept *kept, unsigned block) {
  const Numbers *out = &split->graph->out[block];
  for (size_t i = 0; i < out->count; i++)
    if (kept->lives[out->at[i]])
      return true;
  return false;
}

static void leave_kept(const Cloning *c, unsigned block) {
  LLVMBuilderRef builder = c->split->builder;
  for (size_t i = 0; i < c->split->kept.count; i++) {
    const Kept *kept = &c->split->kept.at[i];
    if (kept->is_array || !c->interval->changes[i] ||
        !lives_behind(c->split, kept, block))
      continue;
    LLVMValueRef own = table_get(&c->values, kept->alloca);
    assert(own); // enter_kept has made it
    LLVMBuildStore(builder, LLVMBuildLoad2(builder, kept->type, own, ""),
                   given_kept(c, i, kept->is_uniform));
  }
}

static LLVMValueRef mapped(const Cloning *c, LLVMValueRef value) {
  LLVMValueRef to = table_get(&c->values, value);
  return to ? to : value;
}

static void count_vote(const Cloning *c, LLVMValueRef barrier) {
  const Split *split = c->split;
  LLVMBuilderRef builder = split->builder;
  LLVMValueRef votes = given(c, GIVEN_VOTES);
  LLVMValueRef vote =
      LLVMBuildAnd(builder, mapped(c, LLVMGetOperand(barrier, 1)),
                   LLVMConstInt(split->i32, 1, false), "");
  LLVMValueRef before = LLVMBuildLoad2(builder, split->i32, votes, "");
  LLVMBuildStore(builder, LLVMBuildAdd(builder, before, vote, ""), votes);
}

// Operands are those of this function already.
static void leave(const Cloning *c, unsigned block) {
  const Split *split = c->split;
  LLVMValueRef barrier = split_barrier(split, block);
  LLVMValueRef end = LLVMGetBasicBlockTerminator(split->blocks[block]);
  LLVMValueRef where = LLVMConstInt(split->i32, NO_SITE, false);
  assert(c->interval->contains[block]);
  leave_kept(c, block);
  if (barrier && LLVMGetNumArgOperands(barrier) > 1)
    count_vote(c, barrier);
  if (barrier)
    where = LLVMGetOperand(barrier, 0);
  else if (c->interval->ending == ENDING_BRANCH)
    LLVMBuildStore(split->builder, mapped(c, LLVMGetOperand(end, 0)),
                   given(c, GIVEN_CHOICE));
  LLVMBuildRet(split->builder, where);
}

// ---------------------------------------------------------------- blocks ---

static bool is_exit(const BarrierInterval *interval, unsigned block) {
  for (size_t i = 0; i < interval->exits.count; i++)
    if (interval->exits.at[i] == block)
      return true;
  return false;
}

static void note_change(const Cloning *c, LLVMValueRef i) {
  for (size_t k = 0; LLVMIsAStoreInst(i) && k < c->split->kept.count; k++)
    if (c->split->kept.at[k].alloca == LLVMGetOperand(i, 1))
      c->interval->changes[k] = true;
}

static void clone_block(Cloning *c, unsigned block) {
  const Split *split = c->split;
  bool is_last = is_exit(c->interval, block);
  for (LLVMValueRef i = LLVMGetFirstInstruction(split->blocks[block]); i;
       i = LLVMGetNextInstruction(i)) {
    unsigned word = jit_word_called(i);
    if (LLVMIsAAllocaInst(i))
      continue;
    if (word != WORDS) {
      put(c, i, given(c, GIVEN_WORDS + word));
      continue;
    }
    if (is_last && (jit_is_barrier(i) || LLVMIsATerminatorInst(i)))
      return;
    LLVMValueRef copy = LLVMInstructionClone(i);
    LLVMInsertIntoBuilder(split->builder, copy);
    put(c, i, copy);
    push(&split->task->arena, &c->copies, copy);
    note_change(c, i);
  }
}

static void clone_blocks(Cloning *c) {
  const Split *split = c->split;
  for (unsigned b = 0; b < split->count; b++)
    if (c->interval->contains[b])
      put(c, LLVMBasicBlockAsValue(split->blocks[b]),
          LLVMBasicBlockAsValue(
              LLVMAppendBasicBlockInContext(split->context, c->function, "")));
  for (unsigned b = 0; b < split->count; b++)
    if (c->interval->contains[b]) {
      LLVMPositionBuilderAtEnd(
          split->builder, LLVMValueAsBasicBlock(mapped(
                              c, LLVMBasicBlockAsValue(split->blocks[b]))));
      clone_block(c, b);
    }
}

static void replace_operands(const Cloning *c) {
  for (size_t i = 0; i < c->copies.count; i++)
    for (int o = 0; o < LLVMGetNumOperands(c->copies.at[i]); o++) {
      LLVMValueRef old = LLVMGetOperand(c->copies.at[i], (unsigned)o);
      LLVMValueRef own = table_get(&c->values, old);
      if (own)
        LLVMSetOperand(c->copies.at[i], (unsigned)o, own);
    }
}

static void leave_exits(const Cloning *c) {
  for (size_t i = 0; i < c->interval->exits.count; i++) {
    unsigned block = c->interval->exits.at[i];
    LLVMPositionBuilderAtEnd(
        c->split->builder,
        LLVMValueAsBasicBlock(
            mapped(c, LLVMBasicBlockAsValue(c->split->blocks[block]))));
    leave(c, block);
  }
}

// ----------------------------------------------------------------- calls ---

// A back edge that leads out of the interval is counted for the whole block.
static void look_at_step(const Cloning *c, LLVMValueRef call) {
  LLVMBasicBlockRef block = LLVMGetInstructionParent(call);
  if (jit_is_in_cycle(c->split->task, block)) {
    c->interval->has_loops = true;
    return;
  }
  c->interval->round =
      (uint32_t)LLVMConstIntGetZExtValue(LLVMGetOperand(call, 0));
  LLVMInstructionEraseFromParent(call);
}

static bool is_intrinsic(LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  return LLVMIsAFunction(callee) && LLVMGetIntrinsicID(callee);
}

bool split_is_harmless(const Split *split, LLVMValueRef call) {
  return is_intrinsic(call) || jit_is_step(call) || split_is_pure(split, call);
}

static void look_at_calls(const Cloning *c) {
  c->interval->has_calls = c->split->run->watch != WATCH_NOTHING;
  for (size_t i = 0; i < c->copies.count; i++) {
    LLVMValueRef call = c->copies.at[i];
    if (!LLVMIsACallInst(call))
      continue;
    if (jit_is_step(call))
      look_at_step(c, call);
    else if (!split_is_harmless(c->split, call))
      c->interval->has_calls = true;
  }
}

// Who is called, or fails, finds the thread where it looks for it.
static void tell_thread(const Cloning *c, LLVMBasicBlockRef entry) {
  const Split *split = c->split;
  if (!c->interval->has_calls && !c->interval->has_loops)
    return;
  LLVMPositionBuilderAtEnd(split->builder, entry);
  LLVMBuildStore(split->builder, given(c, GIVEN_THREAD),
                 jit_address(split->module, (uintptr_t)&machine.self));
}

// What goes round loops is not worth to be inlined in another, and its steps
// are counted for each thread.
void split_clone(Split *split, BarrierInterval *interval) {
  Cloning cloning = {
      .split = split,
      .interval = interval,
      .function = LLVMAddFunction(split->module, "", function_type(split)),
      .kernel_parameters = LLVMCountParams(split->kernel)};
  Cloning *c = &cloning;
  interval->function = c->function;
  interval->changes = arena_alloc(&split->task->arena, split->kept.count + 1);
  LLVMSetLinkage(c->function, LLVMInternalLinkage);
  jit_add_attribute(c->function, "nounwind", 0);
  enter(c);
  LLVMBasicBlockRef entry = LLVMGetInsertBlock(split->builder);
  clone_blocks(c);
  replace_operands(c);
  leave_exits(c);
  LLVMBasicBlockRef start = LLVMValueAsBasicBlock(
      mapped(c, LLVMBasicBlockAsValue(split->blocks[interval->start])));
  look_at_calls(c);
  tell_thread(c, entry);
  assert(LLVMGetBasicBlockParent(start) == c->function);
  LLVMPositionBuilderAtEnd(split->builder, entry);
  LLVMBuildBr(split->builder, start);
  jit_add_attribute(c->function,
                    interval->has_loops ? "noinline" : "alwaysinline", 0);
}
