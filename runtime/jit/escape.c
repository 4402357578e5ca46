// May the address of a thread's own array come to another thread?
//
// On a device each thread has its own local memory, and what another thread
// finds there is undefined.  Here such arrays lie on stacks, and threads that
// never wait share a stack one after another.  So we can tell whose array an
// address is in only if each thread has a stack to itself, which costs time.
// It gets one if such an address is stored in memory that is not the thread's
// own; or if it is stored anywhere, or given to a function, and pointers are
// stored in other memory, too.

#include "runtime/jit/jit.h"

enum { DEEPEST = 8 };

typedef struct Escape {
  bool goes_out;    // into memory that others read
  bool is_kept;     // in the thread's own
  bool has_senders; // pointers, or what may have some in it, go out
} Escape;

static bool is_pointer(LLVMValueRef value) {
  return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
}

// Of the thread's own array, for all we see.
static bool is_own(LLVMValueRef value, unsigned depth) {
  value = LLVMIsAPtrToIntInst(value) ? LLVMGetOperand(value, 0) : value;
  LLVMValueRef source = is_pointer(value) ? jit_source(value) : value;
  bool is_phi = LLVMIsAPHINode(source), is_choice = LLVMIsASelectInst(source);
  if (!is_phi && !is_choice)
    return LLVMIsAAllocaInst(source);
  for (unsigned i = is_choice; i < (unsigned)LLVMGetNumOperands(source); i++)
    if (depth == DEEPEST || is_own(LLVMGetOperand(source, i), depth + 1))
      return true;
  return false;
}

static void look_at_value(Escape *escape, LLVMValueRef value, LLVMValueRef at) {
  bool stays = jit_is_own(at);
  if (!is_pointer(value) && !LLVMIsAPtrToIntInst(value))
    return;
  escape->has_senders |= !stays;
  if (!is_own(value, 0))
    return;
  escape->is_kept |= stays;
  escape->goes_out |= !stays;
}

static void look_at_call(Escape *escape, LLVMValueRef call) {
  const char *name = jit_declared(call);
  if (llvm_transfer(call)) {
    escape->has_senders |= !jit_is_own(LLVMGetOperand(call, 0)) &&
                           is_pointer(LLVMGetOperand(call, 1)) &&
                           jit_is_own(LLVMGetOperand(call, 1));
    return;
  }
  for (unsigned i = 0; !name && i < LLVMGetNumArgOperands(call); i++) {
    LLVMValueRef argument = LLVMGetOperand(call, i);
    escape->is_kept |= is_pointer(argument) && is_own(argument, 0);
  }
}

static void look_at(Escape *escape, LLVMValueRef i) {
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMStore:
    look_at_value(escape, LLVMGetOperand(i, 0), LLVMGetOperand(i, 1));
    break;
  case LLVMAtomicRMW:
    look_at_value(escape, LLVMGetOperand(i, 1), LLVMGetOperand(i, 0));
    break;
  case LLVMAtomicCmpXchg:
    look_at_value(escape, LLVMGetOperand(i, 2), LLVMGetOperand(i, 0));
    break;
  case LLVMCall:
    look_at_call(escape, i);
    break;
  default:
    break;
  }
}

bool jit_own_escapes(const Code *code) {
  Escape escape = {0};
  for (LLVMValueRef f = LLVMGetFirstFunction(code->module); f;
       f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block =
             jit_is_ours(code, f) ? LLVMGetFirstBasicBlock(f) : NULL;
         block; block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
           i = LLVMGetNextInstruction(i))
        look_at(&escape, i);
  return escape.goes_out || (escape.is_kept && escape.has_senders);
}
