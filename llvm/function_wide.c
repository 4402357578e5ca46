// Function-wide invariants about logged accesses.
//
// What a function-wide invariant says has to hold at the heads of all loops. It
// stands at the end of the function, and what is logged there is something
// else. So an invariant that asks for logs is copied to the head of each loop,
// as a
// __gpuverify_invariant: the instructions between quiet_begin and quiet_end.
// What these use from elsewhere has to be there at each head, so only arguments
// and what the first block computes are allowed, as the annotation demands; any
// other invariant stays, and ends in `unknown`.
//
// Needs functions that are inlined, and variables that are values.

#include "llvm/core.h"
#include "llvm/graph.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

typedef struct Function {
  Task *task;
  LLVMValueRef function;
  LLVMBasicBlockRef *blocks; // by node
  Graph *graph;
} Function;

static bool calls(LLVMValueRef instruction, const char *prefix) {
  size_t length = 0;
  LLVMValueRef callee = LLVMIsACallInst(instruction)
                            ? LLVMIsAFunction(LLVMGetCalledValue(instruction))
                            : NULL;
  return callee &&
         !strncmp(LLVMGetValueName2(callee, &length), prefix, strlen(prefix));
}

// ------------------------------------------------------------ what it says ---

typedef struct Said {
  LLVMValueRef first, call, last; // quiet_begin .. quiet_end
} Said;

static bool find_said(LLVMValueRef call, Said *said) {
  *said = (Said){call, call, call};
  while (said->first && !calls(said->first, "__gpuverify_quiet_begin"))
    said->first = LLVMGetPreviousInstruction(said->first);
  while (said->last && !calls(said->last, "__gpuverify_quiet_end"))
    said->last = LLVMGetNextInstruction(said->last);
  return said->first && said->last;
}

static bool is_said(const Said *said, LLVMValueRef instruction) {
  for (LLVMValueRef i = said->first; i; i = LLVMGetNextInstruction(i)) {
    if (i == instruction)
      return true;
    if (i == said->last)
      return false;
  }
  return false;
}

// At the head of each loop, as here: loads would be of other moments.
static bool is_known_everywhere(const Said *said, LLVMValueRef instruction) {
  LLVMValueRef function =
      LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
  for (int i = 0; i < LLVMGetNumOperands(instruction); i++) {
    LLVMValueRef operand = LLVMGetOperand(instruction, (unsigned)i);
    if (LLVMIsAInstruction(operand) && !is_said(said, operand) &&
        LLVMGetInstructionParent(operand) != LLVMGetEntryBasicBlock(function))
      return false;
  }
  return !LLVMIsALoadInst(instruction) && !LLVMIsAStoreInst(instruction) &&
         !LLVMIsAPHINode(instruction);
}

static bool is_log(LLVMValueRef instruction) {
  return calls(instruction, "__gpuverify_written") ||
         (calls(instruction, "__gpuverify_read") &&
          !calls(instruction, "__gpuverify_reads_from"));
}

static bool asks_for_logs(const Said *said) {
  bool asks = false;
  for (LLVMValueRef i = said->first; i != said->last;
       i = LLVMGetNextInstruction(i)) {
    if (!is_known_everywhere(said, i))
      return false;
    asks |= is_log(i);
  }
  return asks;
}

// ---------------------------------------------------------------- copying ---

static LLVMValueRef invariant_like(LLVMValueRef call) {
  static const char name[] = "__gpuverify_invariant";
  LLVMModuleRef module = LLVMGetGlobalParent(
      LLVMGetBasicBlockParent(LLVMGetInstructionParent(call)));
  LLVMValueRef callee = LLVMGetNamedFunction(module, name);
  return callee
             ? callee
             : LLVMAddFunction(module, name, LLVMGetCalledFunctionType(call));
}

static void copy_to(Task *task, const Said *said, LLVMBasicBlockRef head) {
  ValueTable copies = {0};
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(
      LLVMGetModuleContext(LLVMGetGlobalParent(LLVMGetBasicBlockParent(head))));
  LLVMValueRef at = LLVMGetFirstInstruction(head);
  while (LLVMIsAPHINode(at))
    at = LLVMGetNextInstruction(at);
  LLVMPositionBuilderBefore(builder, at);
  for (LLVMValueRef i = said->first; i; i = LLVMGetNextInstruction(i)) {
    LLVMValueRef copy = LLVMInstructionClone(i);
    LLVMInsertIntoBuilder(builder, copy);
    LLVMInstructionSetDebugLoc(copy, LLVMInstructionGetDebugLoc(i));
    for (int k = 0; k < LLVMGetNumOperands(copy); k++) {
      LLVMValueRef made = table_get(&copies, LLVMGetOperand(copy, (unsigned)k));
      if (made)
        LLVMSetOperand(copy, (unsigned)k, made);
    }
    if (i == said->call)
      LLVMSetOperand(copy, (unsigned)LLVMGetNumOperands(copy) - 1,
                     invariant_like(i));
    table_put(task, &copies, i, copy);
    if (i == said->last)
      break;
  }
  LLVMDisposeBuilder(builder);
}

static void spread(Function *f, const Said *said) {
  if (!f->graph)
    f->graph = llvm_block_graph(f->task, f->function, &f->blocks);
  for (unsigned i = 0; i < f->graph->loop_count; i++)
    copy_to(f->task, said, f->blocks[f->graph->loops[i].header]);
  LLVMInstructionEraseFromParent(said->call);
}

static void spread_all(Function *f) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f->function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
      Said said;
      next = LLVMGetNextInstruction(i);
      if (calls(i, "__gpuverify_function_invariant") && find_said(i, &said) &&
          asks_for_logs(&said))
        spread(f, &said);
    }
}

void llvm_spread_invariants(Task *task, LLVMModuleRef module) {
  if (!LLVMGetNamedFunction(module, "__gpuverify_function_invariant"))
    return;
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
       function = LLVMGetNextFunction(function)) {
    Function f = {.task = task, .function = function};
    if (llvm_is_kernel(function))
      spread_all(&f);
  }
}
