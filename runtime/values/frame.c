// What a thread keeps from one region to the next: its frame.
//
// Before a region is executed the frame is saved, and restored before it is
// executed once more.  Local arrays are in the frame.  So is each value of one
// region that another one uses: when the kernel is cut there is a way to that
// use that does not pass where the value is made, so it is stored where it is
// made, and loaded in the block of the use.

#include "runtime/values/cutting.h"

#include "llvm/graph.h"

#include <assert.h>

LLVMValueRef cutting_place(Cutting *c, uint64_t bytes, uint64_t alignment) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(c->context);
  c->frame_bytes = (c->frame_bytes + alignment - 1) / alignment * alignment;
  LLVMValueRef offset = LLVMConstInt(c->i64, c->frame_bytes, false);
  c->frame_bytes += bytes;
  LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(c->entry));
  LLVMValueRef place =
      LLVMBuildGEP2(builder, c->i8, c->frames[0], &offset, 1, "");
  LLVMDisposeBuilder(builder);
  return place;
}

static LLVMValueRef place_of(Cutting *c, LLVMTypeRef type, uint64_t count) {
  uint64_t alignment = LLVMABIAlignmentOfType(c->layout, type);
  return cutting_place(c, LLVMABISizeOfType(c->layout, type) * count,
                       alignment > WIDEST_ACCESS ? WIDEST_ACCESS : alignment);
}

// The generic address of a place takes that of an array in local memory.
void cutting_keep_locals(Cutting *c) {
  for (size_t i = 0; i < c->lifetimes.count; i++)
    LLVMInstructionEraseFromParent(c->lifetimes.at[i]);
  for (size_t i = 0; i < c->locals.count; i++) {
    LLVMValueRef local = c->locals.at[i];
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(local)))
      unsupported(c->task, llvm_location(c->task, local),
                  "--detect=values: a local array has a space of its own");
    LLVMReplaceAllUsesWith(
        local, place_of(c, LLVMGetAllocatedType(local),
                        LLVMConstIntGetZExtValue(LLVMGetOperand(local, 0))));
    LLVMInstructionEraseFromParent(local);
  }
}

// ----------------------------------------------------------------- values ---

typedef struct Use {
  LLVMValueRef user;
  unsigned operand;
  LLVMBasicBlockRef block; // where the value has to be there
} Use;

typedef struct Keeping {
  Cutting *c;
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
      push(&k->c->task->arena, uses, ((Use){user, i, block}));
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
    table_put(k->c->task, &seen, user, user);
    add_uses(k, value, user, uses);
  }
}

static LLVMValueRef first_behind_phis(LLVMBasicBlockRef block) {
  LLVMValueRef i = LLVMGetFirstInstruction(block);
  while (LLVMIsAPHINode(i))
    i = LLVMGetNextInstruction(i);
  return i;
}

static void store_behind(Cutting *c, LLVMValueRef value, LLVMValueRef place) {
  LLVMValueRef next = LLVMIsAPHINode(value)
                          ? first_behind_phis(LLVMGetInstructionParent(value))
                          : LLVMGetNextInstruction(value);
  LLVMPositionBuilderBefore(c->builder, next);
  LLVMBuildStore(c->builder, value, place);
}

static void keep(const Keeping *k, LLVMValueRef value, const FarUses *uses) {
  Cutting *c = k->c;
  LLVMTypeRef type = LLVMTypeOf(value);
  LLVMValueRef place = place_of(c, type, 1);
  ValueTable loads = {0};
  for (size_t i = 0; i < uses->count; i++) {
    const Use *use = &uses->at[i];
    LLVMValueRef load = table_get(&loads, use->block);
    if (!load) {
      LLVMPositionBuilderBefore(c->builder, first_behind_phis(use->block));
      load = LLVMBuildLoad2(c->builder, type, place, "");
      table_put(c->task, &loads, use->block, load);
    }
    LLVMSetOperand(use->user, use->operand, load);
  }
  store_behind(c, value, place);
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

void cutting_keep_values(Cutting *c) {
  Keeping k = {.c = c};
  k.graph = llvm_block_graph(c->task, c->kernel, &k.blocks);
  for (unsigned i = 0; i < k.graph->count; i++)
    table_put(c->task, &k.nodes, k.blocks[i], (void *)(uintptr_t)(i + 1));
  for (unsigned i = 0; i < k.graph->count; i++)
    if (k.blocks[i] != c->entry)
      keep_block(&k, k.blocks[i]);
}
