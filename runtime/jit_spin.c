// Can a thread wait for another in a loop?
//
// What a plain read returns stays the same until the next barrier, unless there
// is a race; so a thread that waits without a barrier goes round a loop that is
// left or not by what a volatile or atomic operation in it says.  Where no
// branch depends on such a value, threads may be executed one after another.
// What is stored is not followed: it counts as if a branch depended on it.

#include "runtime/jit.h"

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

// It may decide where a thread goes, now or later.
static bool decides(LLVMValueRef user) {
  switch (LLVMGetInstructionOpcode(user)) {
  case LLVMBr:
  case LLVMSwitch:
  case LLVMStore:
  case LLVMRet:
  case LLVMCall:
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
    return true;
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

static bool reaches_branch(Task *task, LLVMValueRef value) {
  Values open = {0};
  ValueTable seen = {0};
  add_users(task, &open, &seen, value);
  while (open.count) {
    LLVMValueRef user = open.at[--open.count];
    if (decides(user))
      return true;
    add_users(task, &open, &seen, user);
  }
  return false;
}

// Of a function that is called, any instruction may be in a loop.
bool jit_may_spin(Task *task, const Code *code, LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
         i = LLVMGetNextInstruction(i))
      if (is_news(task, i) && reaches_branch(task, i) &&
          (function != code->function || jit_is_in_cycle(task, block)))
        return true;
  return false;
}
