// Arrays that no thread writes: what is read there needs no copy, and races
// with nothing.
//
// They are arguments from which no address is derived that the kernel may write
// by, or that it gives away.  That says something of the arrays only where no
// two pointers among the arguments are into one, nor into a variable; whoever
// has the kernel cut promises it.

#include "runtime/values/cutting.h"

static bool is_argument(LLVMValueRef source) {
  return LLVMIsAArgument(source) &&
         LLVMGetTypeKind(LLVMTypeOf(source)) == LLVMPointerTypeKind;
}

// Is it all that the address of memory which can be written may come from?
static bool is_known(LLVMValueRef source) {
  return LLVMIsAArgument(source) || LLVMIsAAllocaInst(source) ||
         LLVMIsAGlobalVariable(source) || LLVMIsAConstantPointerNull(source);
}

// What may be written by way of this pointer, or by who gets it.
static void note_written(Cutting *c, LLVMValueRef pointer) {
  Instructions sources = cutting_sources(c->task, pointer);
  for (size_t i = 0; i < sources.count; i++) {
    c->may_write_any |= !is_known(sources.at[i]);
    table_put(c->task, &c->written, sources.at[i], sources.at[i]);
  }
}

static bool is_pointer(LLVMValueRef value) {
  return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
}

static void note_call(Cutting *c, LLVMValueRef call) {
  bool is_copy = jit_declared(call) && llvm_transfer(call) == TRANSFER_COPY;
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
    if (is_pointer(LLVMGetOperand(call, i)) && !(is_copy && i == 1))
      note_written(c, LLVMGetOperand(call, i));
}

// Of an instruction that does more with a pointer than to read there, to move
// it, or to compare it.
static void note_instruction(Cutting *c, LLVMValueRef i) {
  if (LLVMIsACallInst(i)) {
    note_call(c, i);
    return;
  }
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMLoad:
  case LLVMGetElementPtr:
  case LLVMBitCast:
  case LLVMAddrSpaceCast:
  case LLVMPHI:
  case LLVMSelect:
  case LLVMICmp:
    return;
  default:
    for (unsigned n = 0; n < (unsigned)LLVMGetNumOperands(i); n++)
      if (is_pointer(LLVMGetOperand(i, n)))
        note_written(c, LLVMGetOperand(i, n));
  }
}

void cutting_find_written(Cutting *c) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(c->kernel); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
         i = LLVMGetNextInstruction(i))
      note_instruction(c, i);
}

bool cutting_is_calm(Cutting *c, LLVMValueRef pointer) {
  Instructions sources = cutting_sources(c->task, pointer);
  bool is_calm = sources.count && !c->may_write_any;
  for (size_t i = 0; i < sources.count; i++)
    is_calm &=
        is_argument(sources.at[i]) && !table_get(&c->written, sources.at[i]);
  for (size_t i = 0; is_calm && i < sources.count; i++)
    table_put(c->task, &c->calm, sources.at[i], sources.at[i]);
  return is_calm;
}

// ------------------------------------------------------------------ names ---

const char *cutting_calm_names(Cutting *c) {
  ValueTable names = {0};
  const char *text = NULL;
  llvm_find_names(c->task, c->kernel, &names);
  for (unsigned i = 0; i < LLVMCountParams(c->kernel); i++) {
    LLVMValueRef parameter = LLVMGetParam(c->kernel, i);
    const char *name = llvm_name_of(c->task, &names, parameter);
    if (table_get(&c->calm, parameter))
      text = arena_printf(&c->task->arena, "%s%s'%s'", text ? text : "",
                          text ? ", " : "", name ? name : "?");
  }
  return text;
}

static void look(Cutting *c, LLVMValueRef load) {
  LLVMValueRef pointer = LLVMGetOperand(load, 0);
  if (!LLVMGetVolatile(load) && !LLVMGetOrdering(load))
    cutting_is_calm(c, pointer);
}

const char *values_calm(Task *task, LLVMValueRef kernel) {
  Cutting c = {.task = task, .kernel = kernel};
  cutting_find_written(&c);
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(kernel); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
         i = LLVMGetNextInstruction(i))
      if (LLVMIsALoadInst(i))
        look(&c, i);
  return cutting_calm_names(&c);
}
