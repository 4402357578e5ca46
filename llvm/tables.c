// Local tables: variables that are copies of constants and never change.
//
// `int t[6] = {0, 768, ..};` is a variable that a copy fills.  Read with an
// index that is not known, it could hold anything.  Where nothing else writes
// there, no address leaves, and every way to a read leads past the copy, the
// constant takes the variable's place: each read stays a read of the same
// value, and the copy, which no other thread sees, goes.  Such constants are
// private, the compiler's own, so that the thread's variable is still known in
// them: behind its end is what the thread has there, and nobody else.

#include "llvm/core.h"

typedef struct Table {
  Task *task;
  LLVMValueRef variable;
  LLVMValueRef copy; // NULL: none yet
  Vec(LLVMValueRef) reads;
  Vec(LLVMValueRef) marks; // of where its life begins and ends
  bool is_other;           // it is no such table
} Table;

static bool is_plain_load(LLVMValueRef i) {
  return LLVMIsALoadInst(i) && !LLVMGetVolatile(i) &&
         LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic;
}

static void note_copy(Table *table, LLVMValueRef copy, LLVMValueRef pointer) {
  bool is_read = LLVMGetOperand(copy, 1) == pointer;
  bool fills = LLVMGetOperand(copy, 0) == pointer;
  if (is_read && !fills) {
    push(&table->task->arena, &table->reads, copy);
    return;
  }
  table->is_other |= is_read || pointer != table->variable || table->copy;
  table->copy = copy;
}

static void note_uses(Table *table, LLVMValueRef pointer) {
  for (LLVMUseRef use = LLVMGetFirstUse(pointer); use && !table->is_other;
       use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (is_plain_load(user))
      push(&table->task->arena, &table->reads, user);
    else if (LLVMIsAGetElementPtrInst(user) || LLVMIsAAddrSpaceCastInst(user))
      note_uses(table, user);
    else if (LLVMIsAMemCpyInst(user))
      note_copy(table, user, pointer);
    else if (llvm_is_lifetime(user) || llvm_is_start(user))
      push(&table->task->arena, &table->marks, user);
    else
      table->is_other = true;
  }
}

bool llvm_is_own_table(LLVMValueRef variable) {
  return LLVMGetLinkage(variable) == LLVMPrivateLinkage;
}

// The constant, if the copy is of all of it to all of the variable.
static LLVMValueRef copied_constant(const Table *table) {
  LLVMValueRef from = LLVMGetOperand(table->copy, 1);
  LLVMValueRef length = LLVMGetOperand(table->copy, 2);
  LLVMValueRef is_volatile = LLVMGetOperand(table->copy, 3);
  if (!LLVMIsAGlobalVariable(from) || !llvm_is_fixed(table->task, from) ||
      !llvm_is_own_table(from) || !LLVMIsAConstantInt(length) ||
      !LLVMIsNull(is_volatile))
    return NULL;
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(LLVMGetGlobalParent(from));
  uint64_t bytes = LLVMConstIntGetZExtValue(length);
  bool is_all =
      bytes == LLVMABISizeOfType(layout, LLVMGlobalGetValueType(from)) &&
      bytes == LLVMABISizeOfType(layout, LLVMGetAllocatedType(table->variable));
  return is_all ? from : NULL;
}

// The blocks that control may come to before it comes to the copy.
static void find_before(const Table *table, ValueTable *before) {
  LLVMBasicBlockRef end = LLVMGetInstructionParent(table->copy);
  Vec(LLVMBasicBlockRef) open = {0};
  push(&table->task->arena, &open,
       LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(end)));
  while (open.count) {
    LLVMBasicBlockRef block = open.at[--open.count];
    if (block == end || table_get(before, block))
      continue;
    table_put(table->task, before, block, block);
    LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
    for (unsigned i = 0; last && i < LLVMGetNumSuccessors(last); i++)
      push(&table->task->arena, &open, LLVMGetSuccessor(last, i));
  }
}

static bool comes_behind(LLVMValueRef i, LLVMValueRef first) {
  while (first && first != i)
    first = LLVMGetNextInstruction(first);
  return first == i;
}

static bool is_filled_before_reads(const Table *table) {
  LLVMBasicBlockRef end = LLVMGetInstructionParent(table->copy);
  ValueTable before = {0};
  find_before(table, &before);
  for (size_t i = 0; i < table->reads.count; i++) {
    LLVMValueRef read = table->reads.at[i];
    LLVMBasicBlockRef block = LLVMGetInstructionParent(read);
    if (block == end ? !comes_behind(read, table->copy)
                     : table_get(&before, block) != NULL)
      return false;
  }
  return true;
}

// Constants of OpenCL lie in a space of their own, where no pointer to a
// variable points to: in that of the variable it is another constant.
static LLVMValueRef where_variable_is(Task *task, LLVMValueRef constant,
                                      LLVMValueRef variable) {
  size_t length = 0;
  if (LLVMTypeOf(constant) == LLVMTypeOf(variable))
    return constant;
  const char *name = arena_printf(&task->arena, "private.%s",
                                  LLVMGetValueName2(constant, &length));
  LLVMValueRef own = LLVMAddGlobalInAddressSpace(
      LLVMGetGlobalParent(constant), LLVMGlobalGetValueType(constant), name,
      LLVMGetPointerAddressSpace(LLVMTypeOf(variable)));
  LLVMSetInitializer(own, LLVMGetInitializer(constant));
  LLVMSetLinkage(own, LLVMPrivateLinkage);
  LLVMSetGlobalConstant(own, true);
  LLVMSetAlignment(own, LLVMGetAlignment(constant));
  return own;
}

static void replace_variable(Task *task, LLVMValueRef variable) {
  Table table = {.task = task, .variable = variable};
  note_uses(&table, variable);
  if (table.is_other || !table.copy)
    return;
  LLVMValueRef constant = copied_constant(&table);
  if (!constant || !is_filled_before_reads(&table))
    return;
  LLVMInstructionEraseFromParent(table.copy);
  for (size_t i = 0; i < table.marks.count; i++)
    LLVMInstructionEraseFromParent(table.marks.at[i]);
  LLVMReplaceAllUsesWith(variable, where_variable_is(task, constant, variable));
  LLVMInstructionEraseFromParent(variable);
}

typedef Vec(LLVMValueRef) Variables;

static void find_variables(Task *task, LLVMBasicBlockRef block,
                           Variables *variables) {
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
       i = LLVMGetNextInstruction(i))
    if (LLVMIsAAllocaInst(i))
      push(&task->arena, variables, i);
}

void llvm_replace_tables(Task *task, LLVMModuleRef module) {
  Variables variables = {0};
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
       f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
         block = LLVMGetNextBasicBlock(block))
      find_variables(task, block, &variables);
  for (size_t i = 0; i < variables.count; i++)
    replace_variable(task, variables.at[i]);
}
