// The order in which calls are inlined, and how many are: callers first.
//
// LLVM's always-inline takes the functions of a module one by one and puts each
// in the place of its calls.  If a callee comes before its callers its body is
// copied once for each level of calls, and a thousand levels are half a million
// copies.  So the functions are put in order first, callers before callees:
// then each is copied into kernels only, and is gone.
//
// How large a kernel becomes is known before: its own instructions, and those
// of all that it calls.  Calls in what becomes too large stay, and end in
// `unknown` when the kernel is translated.

#include "llvm/core.h"

#include <string.h>

enum { MOST_INSTRUCTIONS = 1 << 20 };

typedef enum State { NEW_CALLEE, OPEN, DONE } State;

typedef struct Callee {
  LLVMValueRef function;
  State state;
  uint64_t size;              // instructions, with all that is called when DONE
  Vec(struct Callee *) calls; // of definitions, each as often as it is there
  size_t next;                // of these
  bool is_wanted;             // in the place of its calls
} Callee;

typedef struct Survey {
  Task *task;
  ValueTable callees; // LLVMValueRef -> Callee *
  Vec(Callee *) open; // from a kernel down to where we are
  Vec(Callee *) done; // callees before callers
} Survey;

static unsigned noinline_kind(void) {
  return LLVMGetEnumAttributeKindForName("noinline", strlen("noinline"));
}

static const LLVMAttributeIndex of_function =
    (LLVMAttributeIndex)LLVMAttributeFunctionIndex;

bool llvm_is_left_open(LLVMValueRef call) {
  return LLVMGetCallSiteEnumAttribute(call, of_function, noinline_kind());
}

// The definition that is called, or NULL.
static LLVMValueRef called_definition(LLVMValueRef instruction) {
  LLVMValueRef called = LLVMIsACallInst(instruction)
                            ? LLVMIsAFunction(LLVMGetCalledValue(instruction))
                            : NULL;
  return called && !LLVMIsDeclaration(called) ? called : NULL;
}

static Callee *callee_of(Survey *survey, LLVMValueRef function) {
  Callee *callee = table_get(&survey->callees, function);
  if (callee)
    return callee;
  callee = NEW(&survey->task->arena, Callee);
  callee->function = function;
  table_put(survey->task, &survey->callees, function, callee);
  return callee;
}

static void enter(Survey *survey, Callee *callee) {
  callee->state = OPEN;
  push(&survey->task->arena, &survey->open, callee);
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(callee->function);
       block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
         i = LLVMGetNextInstruction(i)) {
      LLVMValueRef called = called_definition(i);
      callee->size++;
      if (called)
        push(&survey->task->arena, &callee->calls, callee_of(survey, called));
    }
}

static void leave_calls_open(LLVMValueRef function) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
  LLVMAttributeRef noinline =
      LLVMCreateEnumAttribute(context, noinline_kind(), 0);
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
         i = LLVMGetNextInstruction(i))
      if (called_definition(i))
        LLVMAddCallSiteAttribute(i, of_function, noinline);
}

// What calls itself adds nothing: it stays a call.
static void leave(Survey *survey) {
  Callee *callee = survey->open.at[--survey->open.count];
  for (size_t i = 0; i < callee->calls.count; i++)
    if (callee->calls.at[i]->state == DONE && callee->size <= MOST_INSTRUCTIONS)
      callee->size += callee->calls.at[i]->size;
  callee->state = DONE;
  push(&survey->task->arena, &survey->done, callee);
}

static void survey_from(Survey *survey, LLVMValueRef kernel) {
  Callee *callee = callee_of(survey, kernel);
  if (callee->state == NEW_CALLEE)
    enter(survey, callee);
  while (survey->open.count) {
    callee = survey->open.at[survey->open.count - 1];
    if (callee->next == callee->calls.count)
      leave(survey);
    else if (callee->calls.at[callee->next++]->state == NEW_CALLEE)
      enter(survey, callee->calls.at[callee->next - 1]);
  }
}

// ------------------------------------------------------------- the order ---

static void copy_attributes(Task *task, LLVMValueRef from, LLVMValueRef to) {
  unsigned parameters = LLVMCountParams(from);
  for (unsigned i = 0; i <= parameters + 1; i++) {
    LLVMAttributeIndex index = i <= parameters ? i : of_function;
    unsigned count = LLVMGetAttributeCountAtIndex(from, index);
    LLVMAttributeRef *attributes =
        arena_alloc(&task->arena, count * sizeof *attributes);
    LLVMGetAttributesAtIndex(from, index, attributes);
    for (unsigned k = 0; k < count; k++)
      LLVMAddAttributeAtIndex(to, index, attributes[k]);
  }
}

static void copy_metadata(LLVMValueRef from, LLVMValueRef to) {
  size_t count = 0;
  LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(from, &count);
  for (unsigned i = 0; i < count; i++)
    LLVMGlobalSetMetadata(to, LLVMValueMetadataEntriesGetKind(entries, i),
                          LLVMValueMetadataEntriesGetMetadata(entries, i));
  LLVMDisposeValueMetadataEntries(entries);
}

static void move_parameters(LLVMValueRef from, LLVMValueRef to) {
  for (unsigned i = 0; i < LLVMCountParams(from); i++) {
    LLVMValueRef parameter = LLVMGetParam(from, i);
    size_t length = 0;
    const char *name = LLVMGetValueName2(parameter, &length);
    LLVMSetValueName2(LLVMGetParam(to, i), name, length);
    LLVMReplaceAllUsesWith(parameter, LLVMGetParam(to, i));
  }
}

static void move_blocks(LLVMValueRef from, LLVMValueRef to) {
  LLVMBasicBlockRef block;
  while ((block = LLVMGetFirstBasicBlock(from))) {
    LLVMRemoveBasicBlockFromParent(block);
    LLVMAppendExistingBasicBlock(to, block);
  }
}

// Who knows the address of a block knows its function.
static bool has_block_address(LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); use;
         use = LLVMGetNextUse(use))
      if (LLVMIsABlockAddress(LLVMGetUser(use)))
        return true;
  return false;
}

// LLVM's C interface moves no functions, so another one of the same name, which
// is the module's last, gets all that it consists of.
static void move_to_end(Task *task, LLVMModuleRef module, LLVMValueRef from) {
  if (has_block_address(from))
    return;
  size_t length = 0;
  const char *name = arena_copy(&task->arena, LLVMGetValueName2(from, &length));
  LLVMSetValueName2(from, "", 0);
  LLVMValueRef to = LLVMAddFunction(module, name, LLVMGlobalGetValueType(from));
  LLVMSetLinkage(to, LLVMGetLinkage(from));
  LLVMSetFunctionCallConv(to, LLVMGetFunctionCallConv(from));
  copy_attributes(task, from, to);
  copy_metadata(from, to);
  move_blocks(from, to);
  move_parameters(from, to);
  LLVMReplaceAllUsesWith(from, to);
  LLVMDeleteFunction(from);
}

// By kernels that do not become too large.
static void want_callees(Callee *callee) {
  if (llvm_is_kernel(callee->function))
    callee->is_wanted = callee->size <= MOST_INSTRUCTIONS;
  for (size_t i = 0; i < callee->calls.count && callee->is_wanted; i++)
    callee->calls.at[i]->is_wanted = true;
}

void llvm_put_callers_first(Task *task, LLVMModuleRef module) {
  Survey survey = {.task = task};
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
       f = LLVMGetNextFunction(f))
    if (llvm_is_kernel(f))
      survey_from(&survey, f);
  for (size_t i = survey.done.count; i-- > 0;) {
    Callee *callee = survey.done.at[i];
    want_callees(callee);
    if (!callee->is_wanted)
      leave_calls_open(callee->function);
    if (!llvm_is_kernel(callee->function))
      move_to_end(task, module, callee->function);
  }
}
