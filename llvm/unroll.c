// Loops over local arrays of pointers.
//
//     int *row[4];
//     for (int i = 0; i < 4; i++)
//       row[i] = &tile[i][threadIdx.x];
//     ..
//     for (int i = 0; i < 4; i++)
//       *row[i] = 0;
//
// Where a pointer points that is read at an index that is not a number depends
// on which round of which loop stored it, and the loop goes on between the two.
// If constants alone decide how often such a loop goes round, its body stands
// there once for each round, with numbers for what it counts; then sroa makes
// each element a value of its own.
//
// The copies are executed in the order of the rounds, each exactly once, with
// all accesses that the body has.  Only loops of one latch that are left at
// their head, and nowhere else, as C's `for` without `break` makes them.  Loops
// with annotations stay, for these are about the loop.

#include "llvm/core.h"
#include "llvm/graph.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

enum {
  MOST_ROUNDS = 64,
  MOST_COPIED = 1 << 13, // instructions that one loop becomes
  MOST_ALL = 1 << 15,    // ... and all loops of a kernel
};

typedef Vec(LLVMBasicBlockRef) Blocks;

typedef struct Rolled {
  Task *task;
  LLVMBuilderRef builder;
  Blocks blocks; // the header first
  ValueTable inside;
  LLVMBasicBlockRef header, latch, before, body, exit;
  unsigned rounds;
  size_t size;      // instructions
  ValueTable *made; // what stands for a value, or a block, in the round at hand
} Rolled;

// --------------------------------------------------------------- constants ---

static LLVMValueRef folded(const Rolled *loop, const ValueTable *known,
                           LLVMValueRef value, unsigned depth);

static LLVMValueRef constant_or_null(LLVMValueRef value) {
  return LLVMIsAConstantInt(value);
}

static LLVMValueRef folded_pair(const Rolled *loop, const ValueTable *known,
                                LLVMValueRef value, unsigned depth) {
  LLVMValueRef a = folded(loop, known, LLVMGetOperand(value, 0), depth);
  LLVMValueRef b = folded(loop, known, LLVMGetOperand(value, 1), depth);
  if (!a || !b)
    return NULL;
  if (LLVMIsAICmpInst(value))
    return constant_or_null(
        LLVMBuildICmp(loop->builder, LLVMGetICmpPredicate(value), a, b, ""));
  return constant_or_null(
      LLVMBuildBinOp(loop->builder, LLVMGetInstructionOpcode(value), a, b, ""));
}

// The number that it is in the round; NULL: it is none.
static LLVMValueRef folded(const Rolled *loop, const ValueTable *known,
                           LLVMValueRef value, unsigned depth) {
  enum { MOST_NESTED = 16 };
  LLVMValueRef number = table_get(known, value);
  if (number)
    return constant_or_null(number);
  if (LLVMIsAConstantInt(value) || depth == MOST_NESTED)
    return constant_or_null(value);
  if (LLVMIsASExtInst(value) || LLVMIsAZExtInst(value) ||
      LLVMIsATruncInst(value)) {
    LLVMValueRef from =
        folded(loop, known, LLVMGetOperand(value, 0), depth + 1);
    return from
               ? constant_or_null(LLVMBuildCast(loop->builder,
                                                LLVMGetInstructionOpcode(value),
                                                from, LLVMTypeOf(value), ""))
               : NULL;
  }
  if (LLVMIsAICmpInst(value) || LLVMIsABinaryOperator(value))
    return folded_pair(loop, known, value, depth + 1);
  return NULL;
}

// --------------------------------------------------------- how often round ---

static LLVMValueRef incoming(LLVMValueRef phi, LLVMBasicBlockRef from) {
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
    if (LLVMGetIncomingBlock(phi, i) == from)
      return LLVMGetIncomingValue(phi, i);
  return NULL;
}

static void start_round(const Rolled *loop, const ValueTable *before,
                        ValueTable *now) {
  for (LLVMValueRef phi = LLVMGetFirstInstruction(loop->header);
       LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi)) {
    LLVMValueRef number =
        before ? folded(loop, before, incoming(phi, loop->latch), 0)
               : constant_or_null(incoming(phi, loop->before));
    if (number)
      table_put(loop->task, now, phi, number);
  }
}

// False: constants do not decide it, or it goes round more often, or never.
static bool count_rounds(Rolled *loop) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(loop->header);
  bool stays_if = LLVMGetSuccessor(end, 0) == loop->body;
  ValueTable *before = NULL;
  for (loop->rounds = 0; loop->rounds <= MOST_ROUNDS; loop->rounds++) {
    ValueTable *now = NEW(&loop->task->arena, ValueTable);
    start_round(loop, before, now);
    LLVMValueRef condition = folded(loop, now, LLVMGetCondition(end), 0);
    if (!condition)
      return false;
    if ((LLVMConstIntGetZExtValue(condition) != 0) != stays_if)
      return loop->rounds > 0;
    before = now;
  }
  return false;
}

// -------------------------------------------------------------- the shape ---

static bool is_in(const Rolled *loop, LLVMBasicBlockRef block) {
  return table_get(&loop->inside, block) != NULL;
}

// Of the two one is none.
static bool note_edge(LLVMBasicBlockRef *one, LLVMBasicBlockRef block) {
  bool is_first = !*one;
  *one = block;
  return is_first;
}

static bool find_ways_in(Rolled *loop, const Graph *graph,
                         const LLVMBasicBlockRef *blocks, unsigned header) {
  for (size_t i = 0; i < graph->in[header].count; i++) {
    LLVMBasicBlockRef from = blocks[graph->in[header].at[i]];
    LLVMBasicBlockRef *which = is_in(loop, from) ? &loop->latch : &loop->before;
    if (!note_edge(which, from))
      return false;
  }
  return loop->latch && loop->before;
}

static bool is_left_at_head(Rolled *loop) {
  for (size_t i = 0; i < loop->blocks.count; i++) {
    LLVMBasicBlockRef block = loop->blocks.at[i];
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    if (!LLVMIsABranchInst(end))
      return false;
    for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++) {
      LLVMBasicBlockRef to = LLVMGetSuccessor(end, k);
      if (!is_in(loop, to) && block != loop->header)
        return false;
      if (block == loop->header)
        *(is_in(loop, to) ? &loop->body : &loop->exit) = to;
    }
  }
  return loop->body && loop->exit && loop->body != loop->header;
}

// ------------------------------------------------------------ what it does ---

// The variable of the thread's own that it is an element of, at an index that
// is no constant; else NULL.
static LLVMValueRef variable_of(LLVMValueRef pointer) {
  bool is_computed = false;
  for (;;) {
    if (LLVMIsAAddrSpaceCastInst(pointer)) {
      pointer = LLVMGetOperand(pointer, 0);
    } else if (LLVMIsAGetElementPtrInst(pointer)) {
      for (int i = 1; i < LLVMGetNumOperands(pointer); i++)
        is_computed |=
            !LLVMIsAConstantInt(LLVMGetOperand(pointer, (unsigned)i));
      pointer = LLVMGetOperand(pointer, 0);
    } else {
      return is_computed ? LLVMIsAAllocaInst(pointer) : NULL;
    }
  }
}

static bool has_pointer(LLVMTypeRef type) {
  type = llvm_innermost(type);
  if (LLVMGetTypeKind(type) != LLVMStructTypeKind)
    return LLVMGetTypeKind(type) == LLVMPointerTypeKind;
  for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
    if (has_pointer(LLVMStructGetTypeAtIndex(type, i)))
      return true;
  return false;
}

static bool is_of_pointers(LLVMValueRef pointer) {
  LLVMValueRef variable = variable_of(pointer);
  return variable && has_pointer(LLVMGetAllocatedType(variable));
}

static bool is_pointer(LLVMValueRef value) {
  return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
}

// Structs are copied as a whole.
static bool moves_pointer(LLVMValueRef i) {
  if (LLVMIsALoadInst(i))
    return is_pointer(i) && variable_of(LLVMGetOperand(i, 0));
  if (LLVMIsAStoreInst(i))
    return is_pointer(LLVMGetOperand(i, 0)) &&
           variable_of(LLVMGetOperand(i, 1));
  return LLVMIsACallInst(i) && llvm_transfer(i) == TRANSFER_COPY &&
         (is_of_pointers(LLVMGetOperand(i, 0)) ||
          is_of_pointers(LLVMGetOperand(i, 1)));
}

static bool is_annotation(LLVMValueRef i) {
  static const char prefix[] = "__gpuverify_";
  size_t length = 0;
  LLVMValueRef called =
      LLVMIsACallInst(i) ? LLVMIsAFunction(LLVMGetCalledValue(i)) : NULL;
  return called && !strncmp(LLVMGetValueName2(called, &length), prefix,
                            sizeof prefix - 1);
}

static bool is_wanted(Rolled *loop) {
  bool moves = false;
  for (size_t k = 0; k < loop->blocks.count; k++)
    for (LLVMValueRef i = LLVMGetFirstInstruction(loop->blocks.at[k]); i;
         i = LLVMGetNextInstruction(i)) {
      if (is_annotation(i) || LLVMIsAAllocaInst(i))
        return false;
      moves |= moves_pointer(i);
      loop->size++;
    }
  return moves;
}

// ----------------------------------------------------------------- copies ---

static LLVMValueRef made_of(const Rolled *loop, LLVMValueRef value) {
  LLVMValueRef made = table_get(loop->made, value);
  return made ? made : value;
}

static LLVMBasicBlockRef block_made_of(const Rolled *loop,
                                       LLVMBasicBlockRef block) {
  LLVMBasicBlockRef made = table_get(loop->made, block);
  return made ? made : block;
}

static void put(const Rolled *loop, const void *key, void *value) {
  table_put(loop->task, loop->made, key, value);
}

static void start_blocks(const Rolled *loop) {
  LLVMContextRef context = LLVMGetModuleContext(
      LLVMGetGlobalParent(LLVMGetBasicBlockParent(loop->header)));
  for (size_t i = 0; i < loop->blocks.count; i++)
    put(loop, loop->blocks.at[i],
        LLVMInsertBasicBlockInContext(context, loop->header, ""));
}

static void copy_instruction(const Rolled *loop, LLVMValueRef i) {
  LLVMValueRef number = folded(loop, loop->made, i, 0), copy;
  if (number) {
    put(loop, i, number);
    return;
  }
  if (LLVMIsAPHINode(i)) {
    copy = LLVMBuildPhi(loop->builder, LLVMTypeOf(i), "");
  } else {
    copy = LLVMInstructionClone(i);
    LLVMInsertIntoBuilder(loop->builder, copy);
  }
  LLVMInstructionSetDebugLoc(copy, LLVMInstructionGetDebugLoc(i));
  put(loop, i, copy);
}

static void copy_block(const Rolled *loop, LLVMBasicBlockRef block) {
  LLVMPositionBuilderAtEnd(loop->builder, block_made_of(loop, block));
  LLVMSetCurrentDebugLocation2(loop->builder, NULL);
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
       i = LLVMGetNextInstruction(i))
    if (block != loop->header ||
        (!LLVMIsAPHINode(i) && !LLVMIsATerminatorInst(i)))
      copy_instruction(loop, i);
}

static void fill_phi(const Rolled *loop, LLVMValueRef phi, LLVMValueRef copy) {
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
    LLVMValueRef value = made_of(loop, LLVMGetIncomingValue(phi, i));
    LLVMBasicBlockRef from = block_made_of(loop, LLVMGetIncomingBlock(phi, i));
    LLVMAddIncoming(copy, &value, &from, 1);
  }
}

static void fill_instruction(const Rolled *loop, LLVMValueRef copy) {
  for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(copy); i++) {
    LLVMValueRef operand = LLVMGetOperand(copy, i);
    if (LLVMValueIsBasicBlock(operand))
      operand = LLVMBasicBlockAsValue(
          block_made_of(loop, LLVMValueAsBasicBlock(operand)));
    LLVMSetOperand(copy, i, made_of(loop, operand));
  }
}

// What is used may have been copied later.
static void fill_block(const Rolled *loop, LLVMBasicBlockRef block) {
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
       i = LLVMGetNextInstruction(i)) {
    LLVMValueRef copy = table_get(loop->made, i);
    bool is_of_round =
        copy && LLVMIsAInstruction(copy) &&
        LLVMGetInstructionParent(copy) == block_made_of(loop, block);
    if (is_of_round && LLVMIsAPHINode(copy))
      fill_phi(loop, i, copy);
    else if (is_of_round)
      fill_instruction(loop, copy);
  }
}

static void lead_to(LLVMBasicBlockRef block, LLVMBasicBlockRef from,
                    LLVMBasicBlockRef to) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
  for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
    if (LLVMGetSuccessor(end, i) == from)
      LLVMSetSuccessor(end, i, to);
}

static LLVMValueRef go_to(const Rolled *loop, LLVMBasicBlockRef block,
                          LLVMBasicBlockRef to) {
  LLVMPositionBuilderAtEnd(loop->builder, block);
  LLVMValueRef end = LLVMGetBasicBlockTerminator(loop->header);
  LLVMSetCurrentDebugLocation2(loop->builder, LLVMInstructionGetDebugLoc(end));
  return LLVMBuildBr(loop->builder, to);
}

// What the head's phis are in the next round.
static ValueTable *next_round(const Rolled *loop) {
  ValueTable *next = NEW(&loop->task->arena, ValueTable);
  for (LLVMValueRef phi = LLVMGetFirstInstruction(loop->header);
       LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi))
    table_put(loop->task, next, phi,
              loop->made ? made_of(loop, incoming(phi, loop->latch))
                         : incoming(phi, loop->before));
  return next;
}

// Behind `last`, which leads to `from` as yet.
static void copy_round(Rolled *loop, LLVMBasicBlockRef *last,
                       LLVMBasicBlockRef *from) {
  loop->made = next_round(loop);
  start_blocks(loop);
  for (size_t i = 0; i < loop->blocks.count; i++)
    copy_block(loop, loop->blocks.at[i]);
  for (size_t i = 0; i < loop->blocks.count; i++)
    fill_block(loop, loop->blocks.at[i]);
  LLVMBasicBlockRef header = block_made_of(loop, loop->header);
  go_to(loop, header, block_made_of(loop, loop->body));
  lead_to(*last, *from, header);
  *last = block_made_of(loop, loop->latch);
  *from = header;
}

// ------------------------------------------------------------ what is left ---

static void drop_phis(const Rolled *loop) {
  const ValueTable *last = next_round(loop);
  for (LLVMValueRef next, phi = LLVMGetFirstInstruction(loop->header);
       LLVMIsAPHINode(phi); phi = next) {
    next = LLVMGetNextInstruction(phi);
    LLVMReplaceAllUsesWith(phi, table_get(last, phi));
    LLVMInstructionEraseFromParent(phi);
  }
}

static void drop_body(const Rolled *loop) {
  for (size_t k = 1; k < loop->blocks.count; k++)
    for (LLVMValueRef before, i = LLVMGetLastInstruction(loop->blocks.at[k]); i;
         i = before) {
      before = LLVMGetPreviousInstruction(i);
      if (LLVMGetFirstUse(i))
        LLVMReplaceAllUsesWith(i, LLVMGetPoison(LLVMTypeOf(i)));
      LLVMInstructionEraseFromParent(i);
    }
  for (size_t k = 1; k < loop->blocks.count; k++)
    LLVMDeleteBasicBlock(loop->blocks.at[k]);
}

// The head is executed once more than the body, and leads on then.
static void unroll(Rolled *loop) {
  LLVMBasicBlockRef last = loop->before, from = loop->header;
  for (unsigned round = 0; round < loop->rounds; round++)
    copy_round(loop, &last, &from);
  lead_to(last, from, loop->header);
  drop_phis(loop);
  go_to(loop, loop->header, loop->exit);
  LLVMInstructionEraseFromParent(
      LLVMGetPreviousInstruction(LLVMGetLastInstruction(loop->header)));
  drop_body(loop);
}

// ------------------------------------------------------------------- loops ---

static void take_blocks(Rolled *loop, const Graph *graph,
                        const LLVMBasicBlockRef *blocks,
                        const GraphLoop *found) {
  for (size_t i = 0; i < graph->order.count; i++) {
    unsigned node = graph->order.at[i];
    if (!found->contains[node])
      continue;
    push(&loop->task->arena, &loop->blocks, blocks[node]);
    table_put(loop->task, &loop->inside, blocks[node], blocks[node]);
  }
  loop->header = blocks[found->header];
}

static bool is_understood(Rolled *loop, const Graph *graph,
                          const LLVMBasicBlockRef *blocks,
                          const GraphLoop *found) {
  take_blocks(loop, graph, blocks, found);
  return find_ways_in(loop, graph, blocks, found->header) &&
         is_left_at_head(loop) && is_wanted(loop) && count_rounds(loop) &&
         loop->rounds * loop->size <= MOST_COPIED;
}

// Of the loops the last that can be; 0: none.
static size_t unroll_one(Task *task, LLVMBuilderRef builder,
                         LLVMValueRef function) {
  LLVMBasicBlockRef *blocks;
  Graph *graph = llvm_block_graph(task, function, &blocks);
  for (unsigned i = graph->loop_count; i-- > 0 && graph->is_reducible;) {
    Rolled loop = {.task = task, .builder = builder};
    if (!is_understood(&loop, graph, blocks, &graph->loops[i]))
      continue;
    unroll(&loop);
    return loop.rounds * loop.size;
  }
  return 0;
}

// Invariants of a whole function are those of its loops as they were written.
static bool is_to_be_kept(LLVMModuleRef module) {
  return LLVMGetNamedFunction(module, "__gpuverify_function_invariant") != NULL;
}

static bool has_pointers_to_move(LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
         i = LLVMGetNextInstruction(i))
      if (moves_pointer(i))
        return true;
  return false;
}

bool llvm_unroll_loops(Task *task, LLVMModuleRef module) {
  LLVMBuilderRef builder =
      LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  bool is_changed = false;
  for (LLVMValueRef f = is_to_be_kept(module) ? NULL
                                              : LLVMGetFirstFunction(module);
       f; f = LLVMGetNextFunction(f)) {
    size_t all = 0, made = 1;
    while (llvm_is_kernel(f) && has_pointers_to_move(f) && made &&
           all < MOST_ALL) {
      task_check_time(task, (Loc){0});
      all += made = unroll_one(task, builder, f);
      is_changed |= made > 0;
    }
  }
  LLVMDisposeBuilder(builder);
  return is_changed;
}
