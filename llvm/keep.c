// Functions that are cut: blocks in two halves, and values that one part leaves
// for another one.
//
// When a function is cut there is a way to a use of a value that does not pass
// where the value is made.  So each such value is stored where it is made, in a
// place that outlives the cut, and loaded in the block of the use.

#include "llvm/keep.h"
#include "llvm/graph.h"

#include <assert.h>

typedef struct Use {
  LLVMValueRef user;
  unsigned operand;
  LLVMBasicBlockRef block; // where the value has to be there
} Use;

typedef struct Keeping {
  Task *task;
  LLVMBuilderRef builder;
  LLVMValueRef (*place)(void *data, LLVMTypeRef type);
  void *data;
  Graph *graph;
  LLVMBasicBlockRef *blocks;
  ValueTable nodes; // block -> 1 + its number
} Keeping;

static unsigned node_of(const Keeping *k, LLVMBasicBlockRef block) {
  return (unsigned)(uintptr_t)table_get(&k->nodes, block) - 1;
}

static bool is_reached(const Keeping *k, LLVMBasicBlockRef block) {
  return k->graph->position[node_of(k, block)] != GRAPH_NONE;
}

static bool is_far(const Keeping *k, LLVMBasicBlockRef from,
                   LLVMBasicBlockRef to) {
  return is_reached(k, to) && is_reached(k, from) &&
         !graph_dominates(k->graph, node_of(k, from), node_of(k, to));
}

typedef Vec(Use) FarUses;

static void add_uses(const Keeping *k, LLVMValueRef value, LLVMValueRef user,
                     FarUses *uses) {
  LLVMBasicBlockRef from = LLVMGetInstructionParent(value);
  bool is_phi = LLVMIsAPHINode(user);
  unsigned count =
      is_phi ? LLVMCountIncoming(user) : (unsigned)LLVMGetNumOperands(user);
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef used =
        is_phi ? LLVMGetIncomingValue(user, i) : LLVMGetOperand(user, i);
    LLVMBasicBlockRef block =
        is_phi ? LLVMGetIncomingBlock(user, i) : LLVMGetInstructionParent(user);
    if (used == value && is_far(k, from, block))
      push(&k->task->arena, uses, ((Use){user, i, block}));
  }
}

// A user that has the value twice is in the list twice.
static void find_far_uses(const Keeping *k, LLVMValueRef value, FarUses *uses) {
  ValueTable seen = {0};
  for (LLVMUseRef use = LLVMGetFirstUse(value); use;
       use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (table_get(&seen, user))
      continue;
    table_put(k->task, &seen, user, user);
    add_uses(k, value, user, uses);
  }
}

static LLVMValueRef first_behind_phis(LLVMBasicBlockRef block) {
  LLVMValueRef i = LLVMGetFirstInstruction(block);
  while (LLVMIsAPHINode(i))
    i = LLVMGetNextInstruction(i);
  return i;
}

static void store_behind(const Keeping *k, LLVMValueRef value,
                         LLVMValueRef place) {
  LLVMValueRef next = LLVMIsAPHINode(value)
                          ? first_behind_phis(LLVMGetInstructionParent(value))
                          : LLVMGetNextInstruction(value);
  LLVMPositionBuilderBefore(k->builder, next);
  LLVMBuildStore(k->builder, value, place);
}

static void keep(const Keeping *k, LLVMValueRef value, const FarUses *uses) {
  LLVMTypeRef type = LLVMTypeOf(value);
  LLVMValueRef place = k->place(k->data, type);
  ValueTable loads = {0};
  for (size_t i = 0; i < uses->count; i++) {
    const Use *use = &uses->at[i];
    LLVMValueRef load = table_get(&loads, use->block);
    if (!load) {
      LLVMPositionBuilderBefore(k->builder, first_behind_phis(use->block));
      load = LLVMBuildLoad2(k->builder, type, place, "");
      table_put(k->task, &loads, use->block, load);
    }
    LLVMSetOperand(use->user, use->operand, load);
  }
  store_behind(k, value, place);
}

static bool is_value(LLVMValueRef i) {
  return LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind;
}

static void keep_block(const Keeping *k, LLVMBasicBlockRef block) {
  for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
    FarUses uses = {0};
    next = LLVMGetNextInstruction(i);
    if (is_value(i))
      find_far_uses(k, i, &uses);
    if (uses.count)
      keep(k, i, &uses);
  }
}

void llvm_keep_values(Task *task, LLVMValueRef function,
                      LLVMValueRef (*place)(void *data, LLVMTypeRef type),
                      void *data) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
  Keeping k = {.task = task,
               .builder = LLVMCreateBuilderInContext(context),
               .place = place,
               .data = data};
  k.graph = llvm_block_graph(task, function, &k.blocks);
  for (unsigned i = 0; i < k.graph->count; i++)
    table_put(task, &k.nodes, k.blocks[i], (void *)(uintptr_t)(i + 1));
  for (unsigned i = 1; i < k.graph->count; i++)
    keep_block(&k, k.blocks[i]);
  LLVMDisposeBuilder(k.builder);
}

// ------------------------------------------------------------------ blocks ---

// Who jumps to the one jumps to the other.
static void move_predecessors(LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
  LLVMValueRef block = LLVMBasicBlockAsValue(from);
  for (LLVMUseRef use; (use = LLVMGetFirstUse(block));) {
    LLVMValueRef user = LLVMGetUser(use);
    assert(LLVMIsATerminatorInst(user));
    for (unsigned i = 0; i < LLVMGetNumSuccessors(user); i++)
      if (LLVMGetSuccessor(user, i) == from)
        LLVMSetSuccessor(user, i, to);
  }
}

LLVMBasicBlockRef llvm_split_before(LLVMValueRef instruction) {
  LLVMBasicBlockRef block = LLVMGetInstructionParent(instruction);
  LLVMContextRef context =
      LLVMGetModuleContext(LLVMGetGlobalParent(LLVMGetBasicBlockParent(block)));
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  LLVMBasicBlockRef head = LLVMInsertBasicBlockInContext(context, block, "");
  move_predecessors(block, head);
  LLVMPositionBuilderAtEnd(builder, head);
  for (LLVMValueRef i; (i = LLVMGetFirstInstruction(block)) != instruction;) {
    LLVMInstructionRemoveFromParent(i);
    LLVMInsertIntoBuilder(builder, i);
  }
  LLVMDisposeBuilder(builder);
  return head;
}
