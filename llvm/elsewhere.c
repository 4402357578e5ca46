// Annotations about threads that are elsewhere.
//
// A claim about another thread, or about every thread, reads variables, and of
// a thread that does not come to the claim a variable is what that thread made
// of it: in `int x = 0; if (t < 32) { x = 1; __assert(__other_int(x) == 1); }`
// it may be 0.  Soon there are only values, and the value there is 1.  So what
// such a claim reads of a variable goes through a call of __gpuverify_here,
// which gives the value to who is here and anything to others.
//
// Global pre- and postconditions are about the arguments and the result of a
// call, which are what they are, whoever calls.
//
// It need not where the value is that of every thread: in a kernel, of a
// variable of which nobody but loads and stores has the address, if every
// thread comes to each store, outside of loops, or a thread at the claim has
// yet to come there in this iteration.  What goes round a loop becomes a value
// of the loop, which has its own meaning for who has left.
//
// Needs functions that are not inlined yet, as clang -O0 leaves them.  Where an
// optimiser may have been at work, a claim as a whole is about who is here.

#include "llvm/core.h"
#include "llvm/graph.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <string.h>

typedef struct Function {
  Task *task;
  LLVMValueRef function;
  LLVMBasicBlockRef *blocks; // by node
  Graph *graph;
  bool is_kernel, is_as_written;
  ValueTable seen; // instructions of the claim
} Function;

// ----------------------------------------------------------------- graphs ---

static unsigned node_of(const Function *f, LLVMValueRef instruction) {
  return llvm_node(f->blocks, LLVMGetInstructionParent(instruction));
}

// Every thread of the launch comes there, once.
static bool is_certain(const Function *f, LLVMValueRef instruction) {
  unsigned node = node_of(f, instruction);
  return f->is_kernel && f->graph->is_reducible &&
         graph_loop_of(f->graph, node) == GRAPH_NONE &&
         graph_must_pass(f->graph, 0, node);
}

// It begins another iteration of a loop around `inside`.
static bool is_round(const Graph *graph, unsigned from, unsigned to,
                     unsigned inside) {
  unsigned loop = graph_loop_of(graph, to);
  return graph_is_back_edge(graph, from, to) &&
         graph->loops[loop].contains[inside];
}

static bool reaches(const Function *f, unsigned from, unsigned to, bool *seen) {
  if (from == to)
    return true;
  if (seen[from])
    return false;
  seen[from] = true;
  const Numbers *out = &f->graph->out[from];
  for (size_t i = 0; i < out->count; i++)
    if (!is_round(f->graph, from, out->at[i], to) &&
        reaches(f, out->at[i], to, seen))
      return true;
  return false;
}

// It comes behind each loop around `from` that it is not in.  What stands
// before a break is no part of the loop, and yet who breaks does it there.
static bool is_behind_loops(const Function *f, unsigned from, unsigned node) {
  const Graph *graph = f->graph;
  for (unsigned i = 0; i < graph->loop_count; i++) {
    const GraphLoop *loop = &graph->loops[i];
    unsigned above = node;
    while (above != GRAPH_NONE && !loop->contains[above])
      above = graph->dominator[above];
    if (loop->contains[from] && !loop->contains[node] && above != loop->header)
      return false;
  }
  return true;
}

// From `node` a thread may leave the loop in this iteration, not by its head.
static bool may_leave(const Function *f, const GraphLoop *loop, unsigned node,
                      bool *seen) {
  const Numbers *out = &f->graph->out[node];
  if (seen[node] || node == loop->header)
    return false;
  seen[node] = true;
  for (size_t i = 0; i < out->count; i++)
    if (!loop->contains[out->at[i]] || may_leave(f, loop, out->at[i], seen))
      return true;
  return false;
}

// Who has left such a loop has been there in its last iteration.
static bool stays_in_loops(const Function *f, unsigned from, unsigned node) {
  const Graph *graph = f->graph;
  for (unsigned i = 0; i < graph->loop_count; i++) {
    const GraphLoop *loop = &graph->loops[i];
    bool *seen = arena_alloc(&f->task->arena, graph->count * sizeof *seen);
    if (loop->contains[from] && loop->contains[node] &&
        may_leave(f, loop, node, seen))
      return false;
  }
  return true;
}

static bool is_before(LLVMValueRef first, LLVMValueRef then) {
  while (first && first != then)
    first = LLVMGetNextInstruction(first);
  return first;
}

static bool is_between(LLVMValueRef first, LLVMValueRef between,
                       LLVMValueRef last) {
  return LLVMGetInstructionParent(between) == LLVMGetInstructionParent(first) &&
         is_before(first, between) && is_before(between, last);
}

// Without going round a loop around `then`.
static bool leads_to(const Function *f, LLVMValueRef first, LLVMValueRef then) {
  if (!f->graph->is_reducible)
    return false;
  unsigned from = node_of(f, first), to = node_of(f, then);
  if (!stays_in_loops(f, from, to))
    return false;
  if (from == to)
    return is_before(first, then);
  return is_behind_loops(f, from, to) &&
         reaches(f, from, to,
                 arena_alloc(&f->task->arena, f->graph->count * sizeof(bool)));
}

// -------------------------------------------------------------- variables ---

static bool is_named(LLVMValueRef instruction, const char *prefix) {
  size_t length = 0;
  LLVMValueRef callee = LLVMIsACallInst(instruction)
                            ? LLVMIsAFunction(LLVMGetCalledValue(instruction))
                            : NULL;
  return callee &&
         !strncmp(LLVMGetValueName2(callee, &length), prefix, strlen(prefix));
}

static bool is_store_to(LLVMValueRef user, LLVMValueRef variable) {
  return LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == variable &&
         LLVMGetOperand(user, 0) != variable;
}

static bool is_settled_use(const Function *f, LLVMValueRef user,
                           LLVMValueRef variable, LLVMValueRef load) {
  if (is_store_to(user, variable))
    return is_certain(f, user) || leads_to(f, load, user);
  return LLVMIsALoadInst(user) || is_named(user, "llvm.lifetime.");
}

// Of any thread that is not here the variable has this value, too.
static bool is_settled(const Function *f, LLVMValueRef load) {
  LLVMValueRef from = LLVMGetOperand(load, 0);
  if (LLVMIsAConstant(from))
    return true;
  if (!f->is_kernel || !LLVMIsAAllocaInst(from))
    return false;
  for (LLVMUseRef use = LLVMGetFirstUse(from); use; use = LLVMGetNextUse(use))
    if (!is_settled_use(f, LLVMGetUser(use), from, load))
      return false;
  return true;
}

// Stored a moment ago, by the annotation for itself: what __ite keeps.
static LLVMValueRef temporary(LLVMValueRef load) {
  LLVMValueRef from = LLVMGetOperand(load, 0), store = NULL;
  for (LLVMUseRef use = LLVMGetFirstUse(from); use && LLVMIsAAllocaInst(from);
       use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsALoadInst(user))
      continue;
    if (store || !is_store_to(user, from))
      return NULL;
    store = user;
  }
  LLVMValueRef begin = load;
  while (begin && !is_named(begin, "__gpuverify_quiet_"))
    begin = LLVMGetPreviousInstruction(begin);
  bool is_inside = begin && is_named(begin, "__gpuverify_quiet_begin") &&
                   store && is_between(begin, store, load);
  return is_inside ? store : NULL;
}

// ----------------------------------------------------------------- claims ---

static LLVMValueRef here(LLVMModuleRef module, LLVMTypeRef type) {
  char name[64], *text = LLVMPrintTypeToString(type);
  snprintf(name, sizeof name, "__gpuverify_here.%s", text);
  LLVMDisposeMessage(text);
  LLVMValueRef callee = LLVMGetNamedFunction(module, name);
  return callee ? callee
                : LLVMAddFunction(module, name,
                                  LLVMFunctionType(type, &type, 1, false));
}

// The operand is what it is for who is at the instruction, and anything else.
static void wrap(LLVMValueRef instruction, unsigned operand) {
  LLVMValueRef value = LLVMGetOperand(instruction, operand);
  LLVMBasicBlockRef block = LLVMGetInstructionParent(instruction);
  LLVMModuleRef module = LLVMGetGlobalParent(LLVMGetBasicBlockParent(block));
  LLVMValueRef callee = here(module, LLVMTypeOf(value));
  LLVMBuilderRef builder =
      LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  LLVMPositionBuilderBefore(builder, LLVMIsAPHINode(instruction)
                                         ? LLVMGetNextInstruction(value)
                                         : instruction);
  LLVMSetCurrentDebugLocation2(builder,
                               LLVMInstructionGetDebugLoc(instruction));
  LLVMSetOperand(instruction, operand,
                 LLVMBuildCall2(builder, LLVMGlobalGetValueType(callee), callee,
                                &value, 1, ""));
  LLVMDisposeBuilder(builder);
}

static void mark_operands(Function *f, LLVMValueRef instruction);

static void mark_decisions(Function *f, LLVMBasicBlockRef block,
                           unsigned above) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
  unsigned node = node_of(f, end);
  if (table_get(&f->seen, end))
    return;
  mark_operands(f, end);
  for (size_t i = 0; node != above && i < f->graph->in[node].count; i++)
    mark_decisions(f, f->blocks[f->graph->in[node].at[i]], above);
}

// What decides which value a phi has: it is of a ?:, && or || of the claim.
static void mark_ways(Function *f, LLVMValueRef phi) {
  unsigned above = f->graph->dominator[node_of(f, phi)];
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
    mark_decisions(f, LLVMGetIncomingBlock(phi, i), above);
}

// Parts of variables, and what a function may read through an address, are read
// of who is here alone.
static bool is_of_here(const Function *f, LLVMValueRef value) {
  if (LLVMIsALoadInst(value))
    return !is_settled(f, value) && !temporary(value);
  for (int i = 0; LLVMIsACallInst(value) && i < LLVMGetNumOperands(value); i++)
    if (LLVMIsAAllocaInst(LLVMGetOperand(value, (unsigned)i)))
      return true;
  return false;
}

static void mark_operand(Function *f, LLVMValueRef instruction,
                         unsigned operand) {
  LLVMValueRef value = LLVMGetOperand(instruction, operand);
  if (!LLVMIsAInstruction(value) || LLVMIsAAllocaInst(value) ||
      is_named(value, "__gpuverify_here."))
    return;
  if (is_of_here(f, value))
    wrap(instruction, operand);
  else if (LLVMIsALoadInst(value) && temporary(value))
    mark_operand(f, temporary(value), 0);
  mark_operands(f, value);
}

static void mark_operands(Function *f, LLVMValueRef instruction) {
  if (table_get(&f->seen, instruction))
    return;
  table_put(f->task, &f->seen, instruction, instruction);
  if (LLVMIsAPHINode(instruction))
    mark_ways(f, instruction);
  for (int i = 0; i < LLVMGetNumOperands(instruction); i++)
    if (!LLVMValueIsBasicBlock(LLVMGetOperand(instruction, (unsigned)i)))
      mark_operand(f, instruction, (unsigned)i);
}

static bool is_about_others(LLVMValueRef instruction) {
  return is_named(instruction, "__gpuverify_other_") ||
         is_named(instruction, "__gpuverify_global_assert") ||
         is_named(instruction, "__gpuverify_global_invariant");
}

static void mark(Function *f, LLVMValueRef claim) {
  if (is_certain(f, claim))
    return;
  f->seen = (ValueTable){0};
  if (f->is_as_written)
    mark_operands(f, claim);
  else
    wrap(claim, 0);
}

static bool is_rewritten(LLVMValueRef function) {
  return LLVMGetStringAttributeAtIndex(
      function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, LLVM_REWRITTEN,
      sizeof LLVM_REWRITTEN - 1);
}

static void mark_function(Task *task, LLVMValueRef function) {
  Function f = {.task = task,
                .function = function,
                .is_kernel = llvm_is_kernel_body(function),
                .is_as_written = !is_rewritten(function)};
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
         i = LLVMGetNextInstruction(i)) {
      if (!is_about_others(i))
        continue;
      if (!f.graph)
        f.graph = llvm_block_graph(task, function, &f.blocks);
      mark(&f, i);
    }
}

void llvm_mark_elsewhere(Task *task, LLVMModuleRef module) {
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
       function = LLVMGetNextFunction(function))
    mark_function(task, function);
}
