// Which local variables are their function's own.
//
// An access of such a variable is no step that others can see.  A variable is
// private while its address is used for accesses alone, and given to functions
// of the library that do not keep it.  A call of the program's own function
// may do anything with it; then the machine still knows whether the address
// has come out of the thread's hands (threads_publish).

#include "runtime/threads/ir.h"

#include <string.h>

LLVMValueRef ir_root(LLVMValueRef pointer) {
  for (;;) {
    if (LLVMIsAGetElementPtrInst(pointer) || LLVMIsABitCastInst(pointer) ||
        (LLVMIsAConstantExpr(pointer) &&
         (LLVMGetConstOpcode(pointer) == LLVMGetElementPtr ||
          LLVMGetConstOpcode(pointer) == LLVMBitCast)))
      pointer = LLVMGetOperand(pointer, 0);
    else
      return pointer;
  }
}

static bool stays_private(LLVMValueRef pointer);

static bool keeps(LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  size_t length = 0;
  if (!LLVMIsAFunction(callee) || !LLVMIsDeclaration(callee))
    return true;
  const char *name = LLVMGetValueName2(callee, &length);
  if (!strncmp(name, "llvm.va_", 8) || !strncmp(name, "llvm.lifetime", 13) ||
      !strncmp(name, "llvm.mem", 8))
    return false;
  if (!strncmp(name, "llvm.", 5))
    return true;
  const PosixCall *known = posix_call(name);
  return !known || known->traits & CAPTURES ||
         LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMPointerTypeKind;
}

static bool is_private_use(LLVMValueRef user, LLVMValueRef pointer) {
  switch (LLVMGetInstructionOpcode(user)) {
  case LLVMLoad:
  case LLVMICmp:
    return true;
  case LLVMStore:
    return LLVMGetOperand(user, 0) != pointer;
  case LLVMAtomicRMW:
    return LLVMGetOperand(user, 1) != pointer;
  case LLVMAtomicCmpXchg:
    return LLVMGetOperand(user, 1) != pointer &&
           LLVMGetOperand(user, 2) != pointer;
  case LLVMGetElementPtr:
  case LLVMBitCast:
    return stays_private(user);
  case LLVMCall:
    return !keeps(user);
  default:
    return false;
  }
}

static bool stays_private(LLVMValueRef pointer) {
  for (LLVMUseRef use = LLVMGetFirstUse(pointer); use;
       use = LLVMGetNextUse(use))
    if (!is_private_use(LLVMGetUser(use), pointer))
      return false;
  return true;
}

bool ir_is_private(Privates *privates, LLVMValueRef pointer) {
  static char yes, no;
  LLVMValueRef root = ir_root(pointer);
  if (!LLVMIsAAllocaInst(root))
    return false;
  const void *known = table_get(&privates->table, root);
  if (!known) {
    known = stays_private(root) ? &yes : &no;
    table_put(privates->task, &privates->table, root, (void *)(uintptr_t)known);
  }
  return known == &yes;
}
