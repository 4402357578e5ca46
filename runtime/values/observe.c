// May a thread know by what it has found that it comes last?
//
// In PTX a thread whose atomic operation finds what another one has left comes
// behind that one with all that it does from there on: whoever is the last to
// come to a counter may set it back by a plain write.  Copies know nothing of
// that.  So we look for a way from an operation that finds something to a plain
// access that may be of the same memory.  A barrier on the way orders the
// threads of the block anyway, and is the end of it where both are of shared
// memory.

#include "runtime/values/cutting.h"

#include "llvm/keep.h"

enum { SHARED_SPACE = 3 };

typedef struct Search {
  Cutting *cutting;
  LLVMValueRef source; // of the operation's address
  bool is_shared;
  ValueTable accesses, barriers, seen;
  Vec(LLVMBasicBlockRef) open;
} Search;

static LLVMValueRef source_of(LLVMValueRef i, unsigned operand) {
  return jit_source(LLVMGetOperand(i, operand));
}

static bool is_shared(LLVMValueRef source) {
  return LLVMGetPointerAddressSpace(LLVMTypeOf(source)) == SHARED_SPACE;
}

static bool is_variable(LLVMValueRef source) {
  return LLVMIsAGlobalVariable(source);
}

static bool is_parameter(LLVMValueRef source) {
  return LLVMIsAArgument(source);
}

// Two variables are apart, and what is shared is no parameter's.
static bool may_be_same(const Search *search, LLVMValueRef other) {
  LLVMValueRef one = search->source;
  if (is_variable(one) && is_variable(other))
    return one == other;
  return !(is_parameter(one) && is_shared(other)) &&
         !(is_parameter(other) && is_shared(one));
}

static bool may_access(const Search *search, LLVMValueRef i) {
  if (LLVMIsACallInst(i))
    return may_be_same(search, source_of(i, 0)) ||
           (llvm_transfer(i) == TRANSFER_COPY &&
            may_be_same(search, source_of(i, 1)));
  return may_be_same(search, source_of(i, LLVMIsAStoreInst(i) ? 1 : 0));
}

// *goes_on: to what comes behind the block.
static bool is_found_from(const Search *search, LLVMValueRef i, bool *goes_on) {
  *goes_on = true;
  for (; i && *goes_on; i = LLVMGetNextInstruction(i)) {
    if (table_get(&search->accesses, i) && may_access(search, i))
      return true;
    *goes_on = !(search->is_shared && table_get(&search->barriers, i));
  }
  return false;
}

static void add_successors(Search *search, LLVMBasicBlockRef block) {
  Task *task = search->cutting->task;
  LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
  for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
    LLVMBasicBlockRef next = LLVMGetSuccessor(end, i);
    if (table_get(&search->seen, next))
      continue;
    table_put(task, &search->seen, next, next);
    push(&task->arena, &search->open, next);
  }
}

static bool leads_to_access(Search *search, LLVMValueRef operation) {
  bool goes_on;
  search->source = source_of(operation, 0);
  search->is_shared = is_shared(search->source);
  search->seen = (ValueTable){0};
  if (is_found_from(search, LLVMGetNextInstruction(operation), &goes_on))
    return true;
  if (goes_on)
    add_successors(search, LLVMGetInstructionParent(operation));
  while (search->open.count) {
    LLVMBasicBlockRef block = search->open.at[--search->open.count];
    if (is_found_from(search, LLVMGetFirstInstruction(block), &goes_on))
      return true;
    if (goes_on)
      add_successors(search, block);
  }
  return false;
}

static void add_all(Task *task, ValueTable *table, const Instructions *list) {
  for (size_t i = 0; i < list->count; i++)
    table_put(task, table, list->at[i], list->at[i]);
}

bool cutting_may_come_last(Cutting *c) {
  Search search = {.cutting = c};
  add_all(c->task, &search.accesses, &c->accesses);
  add_all(c->task, &search.barriers, &c->barriers);
  for (size_t i = 0; i < c->atomics.count; i++)
    if (!LLVMIsAStoreInst(c->atomics.at[i]) &&
        leads_to_access(&search, c->atomics.at[i]))
      return true;
  return false;
}
