// Pre- and postconditions of functions that are called.
//
// A __requires is assumed of a kernel and has to hold of any other function,
// so there it gets another name, __gpuverify_precondition.  __ensures goes to
// where its function returns:
//
// It stands at the function's beginning, between quiet_begin and quiet_end, and
// speaks of the end: of what is returned, of memory and of logged accesses.  So
// these instructions are copied before each return.  What it reads of a
// variable, or of a part of one, stays where it is, for that is a parameter's
// value on entry, and so does what __old_int and __old_bool are given; but not
// of its own temporaries.  The copy is a call of another name,
// __gpuverify_ensured, or __gpuverify_global_ensured.  An __ensures that does
// not look like this, or that hands a variable over as a whole, keeps its name,
// which nothing is known of.
//
// Needs functions that are not inlined yet, as clang -O0 leaves them.

#include "llvm/core.h"

#include <assert.h>
#include <llvm-c/DebugInfo.h>
#include <string.h>

#define GLOBAL_ENSURES "__gpuverify_global_ensures"

static const char *callee_name(LLVMValueRef instruction) {
  size_t length = 0;
  LLVMValueRef callee = LLVMIsACallInst(instruction)
                            ? LLVMIsAFunction(LLVMGetCalledValue(instruction))
                            : NULL;
  return callee ? LLVMGetValueName2(callee, &length) : "";
}

static bool calls(LLVMValueRef instruction, const char *name) {
  return !strcmp(callee_name(instruction), name);
}

static bool calls_some(LLVMValueRef instruction, const char *prefix) {
  return !strncmp(callee_name(instruction), prefix, strlen(prefix));
}

// One __ensures: the instructions of its annotation.
typedef struct Postcondition {
  LLVMValueRef first, last; // quiet_begin, quiet_end
  LLVMValueRef call;
} Postcondition;

static bool is_call_of_old(LLVMValueRef instruction) {
  return calls_some(instruction, "__gpuverify_old_");
}

static bool is_call_of_result(LLVMValueRef instruction) {
  return calls_some(instruction, "__gpuverify_return_");
}

// A struct that is handed over as a copy is a variable of the function.
static bool is_copy(LLVMValueRef value) {
  if (!LLVMIsAArgument(value))
    return false;
  LLVMValueRef function = LLVMGetParamParent(value);
  unsigned index = 0;
  while (LLVMGetParam(function, index) != value)
    index++;
  return llvm_is_by_value(function, index);
}

// The variable that a pointer is into, or NULL.
static LLVMValueRef variable_of(LLVMValueRef pointer) {
  while (LLVMIsAGetElementPtrInst(pointer) || LLVMIsAAddrSpaceCastInst(pointer))
    pointer = LLVMGetOperand(pointer, 0);
  return LLVMIsAAllocaInst(pointer) || is_copy(pointer) ? pointer : NULL;
}

// A temporary variable of the annotation.
static bool is_stored(const Postcondition *post, LLVMValueRef variable) {
  for (LLVMValueRef i = post->first; i != post->last;
       i = LLVMGetNextInstruction(i))
    if (LLVMIsAStoreInst(i) && variable_of(LLVMGetOperand(i, 1)) == variable)
      return true;
  return false;
}

// What is read of a parameter.
static bool is_of_entry(const Postcondition *post, LLVMValueRef instruction) {
  LLVMValueRef variable = LLVMIsALoadInst(instruction)
                              ? variable_of(LLVMGetOperand(instruction, 0))
                              : NULL;
  return variable && !is_stored(post, variable);
}

// Which part it is has to be known on entry, too.
static bool has_known_place(LLVMValueRef pointer) {
  for (; LLVMIsAInstruction(pointer) && !LLVMIsAAllocaInst(pointer);
       pointer = LLVMGetOperand(pointer, 0))
    for (int i = 1; i < LLVMGetNumOperands(pointer); i++)
      if (!LLVMIsAConstantInt(LLVMGetOperand(pointer, (unsigned)i)))
        return false;
  return true;
}

static bool is_handed_over(LLVMValueRef instruction) {
  bool is_call = LLVMIsACallInst(instruction);
  for (int i = 0; is_call && i < LLVMGetNumOperands(instruction); i++)
    if (variable_of(LLVMGetOperand(instruction, (unsigned)i)))
      return true;
  return false;
}

// Of each variable it is known whether it is read on entry.
static bool has_known_variables(const Postcondition *post) {
  for (LLVMValueRef i = post->first; i != post->last;
       i = LLVMGetNextInstruction(i))
    if (is_handed_over(i) ||
        (is_of_entry(post, i) && !has_known_place(LLVMGetOperand(i, 0))))
      return false;
  return true;
}

static LLVMValueRef returned(LLVMBasicBlockRef block) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
  return LLVMIsAReturnInst(end) && LLVMGetNumOperands(end)
             ? LLVMGetOperand(end, 0)
             : NULL;
}

// ---------------------------------------------------------- finding them ---

static LLVMValueRef find(LLVMValueRef from, const char *name, bool is_back) {
  while (from && !calls(from, name))
    from = is_back ? LLVMGetPreviousInstruction(from)
                   : LLVMGetNextInstruction(from);
  return from;
}

static bool has_type_of_results(const Postcondition *post) {
  LLVMValueRef function =
      LLVMGetBasicBlockParent(LLVMGetInstructionParent(post->call));
  LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(function));
  for (LLVMValueRef i = post->first; i != post->last;
       i = LLVMGetNextInstruction(i))
    if (is_call_of_result(i) && LLVMTypeOf(i) != type)
      return false;
  return true;
}

// In the first block, so that what is read on entry is there at each return.
static bool is_postcondition(LLVMValueRef call, Postcondition *post) {
  LLVMBasicBlockRef block = LLVMGetInstructionParent(call);
  LLVMBasicBlockRef entry =
      LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(block));
  bool is_one =
      calls(call, "__gpuverify_ensures") || calls(call, GLOBAL_ENSURES);
  if (!is_one || block != entry)
    return false;
  *post = (Postcondition){.first = find(call, "__gpuverify_quiet_begin", true),
                          .last = find(call, "__gpuverify_quiet_end", false),
                          .call = call};
  return post->first && post->last && has_type_of_results(post) &&
         has_known_variables(post);
}

// ---------------------------------------------------------------- copying ---

typedef struct Copy {
  Task *task;
  const Postcondition *post;
  LLVMBuilderRef builder;
  ValueTable copies; // of the instructions so far
  LLVMValueRef result;
} Copy;

static LLVMValueRef copied(const Copy *copy, LLVMValueRef value) {
  LLVMValueRef other = table_get(&copy->copies, value);
  return other ? other : value;
}

static LLVMValueRef ensured(LLVMModuleRef module, LLVMValueRef ensures) {
  const char *name = calls(ensures, GLOBAL_ENSURES)
                         ? "__gpuverify_global_ensured"
                         : "__gpuverify_ensured";
  LLVMValueRef callee = LLVMGetNamedFunction(module, name);
  return callee ? callee
                : LLVMAddFunction(module, name,
                                  LLVMGetCalledFunctionType(ensures));
}

static void copy_instruction(Copy *copy, LLVMValueRef instruction) {
  LLVMValueRef made = instruction;
  if (is_call_of_old(instruction)) {
    made = LLVMGetOperand(instruction, 0);
  } else if (is_call_of_result(instruction)) {
    made = copy->result;
  } else if (!is_of_entry(copy->post, instruction)) {
    made = LLVMInstructionClone(instruction);
    LLVMInsertIntoBuilder(copy->builder, made);
    LLVMInstructionSetDebugLoc(made, LLVMInstructionGetDebugLoc(instruction));
    for (int i = 0; i < LLVMGetNumOperands(made); i++)
      LLVMSetOperand(made, (unsigned)i,
                     copied(copy, LLVMGetOperand(made, (unsigned)i)));
  }
  table_put(copy->task, &copy->copies, instruction, made);
}

static void copy_to(Task *task, const Postcondition *post,
                    LLVMBasicBlockRef block) {
  LLVMModuleRef module = LLVMGetGlobalParent(LLVMGetBasicBlockParent(block));
  Copy copy = {.task = task, .post = post, .result = returned(block)};
  copy.builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  LLVMPositionBuilderBefore(copy.builder, LLVMGetBasicBlockTerminator(block));
  for (LLVMValueRef i = post->first; i != post->last;
       i = LLVMGetNextInstruction(i))
    copy_instruction(&copy, i);
  copy_instruction(&copy, post->last);
  LLVMValueRef call = copied(&copy, post->call);
  LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1,
                 ensured(module, post->call));
  LLVMDisposeBuilder(copy.builder);
}

// The original: what is left of it nobody uses.
static void erase(const Postcondition *post) {
  LLVMInstructionEraseFromParent(post->call);
  for (LLVMValueRef i = LLVMGetPreviousInstruction(post->last);
       i != post->first;) {
    LLVMValueRef before = LLVMGetPreviousInstruction(i);
    if (is_call_of_old(i))
      LLVMReplaceAllUsesWith(i, LLVMGetOperand(i, 0));
    if (!LLVMGetFirstUse(i))
      LLVMInstructionEraseFromParent(i);
    i = before;
  }
}

static void move(Task *task, const Postcondition *post) {
  LLVMValueRef function =
      LLVMGetBasicBlockParent(LLVMGetInstructionParent(post->call));
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    if (LLVMIsAReturnInst(LLVMGetBasicBlockTerminator(block)))
      copy_to(task, post, block);
  erase(post);
}

// ---------------------------------------------------------- preconditions ---

static void call_instead(LLVMValueRef call, const char *name) {
  LLVMValueRef function =
      LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
  LLVMModuleRef module = LLVMGetGlobalParent(function);
  LLVMValueRef callee = LLVMGetNamedFunction(module, name);
  if (llvm_is_kernel_body(function))
    return;
  if (!callee)
    callee = LLVMAddFunction(module, name, LLVMGetCalledFunctionType(call));
  LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, callee);
}

static void rename_called(LLVMModuleRef module, const char *from,
                          const char *to) {
  LLVMValueRef requires = LLVMGetNamedFunction(module, from);
  LLVMUseRef use = requires ? LLVMGetFirstUse(requires) : NULL;
  while (use) {
    LLVMValueRef user = LLVMGetUser(use);
    use = LLVMGetNextUse(use);
    if (LLVMIsACallInst(user) && LLVMGetCalledValue(user) == requires)
      call_instead(user, to);
  }
}

static void move_all(Task *task, LLVMValueRef ensures) {
  Postcondition post;
  LLVMUseRef use = ensures ? LLVMGetFirstUse(ensures) : NULL;
  while (use) {
    LLVMValueRef user = LLVMGetUser(use);
    use = LLVMGetNextUse(use);
    if (LLVMIsACallInst(user) && is_postcondition(user, &post))
      move(task, &post);
  }
}

void llvm_move_postconditions(Task *task, LLVMModuleRef module) {
  move_all(task, LLVMGetNamedFunction(module, "__gpuverify_ensures"));
  move_all(task, LLVMGetNamedFunction(module, GLOBAL_ENSURES));
  rename_called(module, "__gpuverify_requires", "__gpuverify_precondition");
  rename_called(module, "__gpuverify_global_requires",
                "__gpuverify_global_precondition");
}
