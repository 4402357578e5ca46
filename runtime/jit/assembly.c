// Inline assembly as functions of LLVM IR, for executions.
//
// Each text that is called becomes one function (ptx/emit.c).  The call becomes
// one of that function, which llvm_prepare inlines, so that what is in it has
// the place of the assembly.  Assembly with a word that is not known stays as
// it is, with a note that says which; a kernel that needs it is refused by
// name.

#include "runtime/jit/assembly.h"

#include <assert.h>
#include <string.h>

typedef struct Expanded {
  LLVMValueRef assembly;
  const char *text;      // with the call's constants
  LLVMValueRef function; // NULL: it is not known
  const char *problem;
} Expanded;

typedef struct Expansion {
  Task *task;
  LLVMModuleRef module;
  bool is_program;
  bool shares_carry; // some text uses a carry that another has left
  Vec(Expanded) done;
} Expansion;

// ------------------------------------------------------------------ notes ---

static unsigned kind_of(LLVMContextRef context, const char *name) {
  return LLVMGetMDKindIDInContext(context, name, (unsigned)strlen(name));
}

static unsigned problem_kind(LLVMContextRef context) {
  return kind_of(context, "gpuverify.problem");
}

const char *jit_assembly_problem(Task *task, LLVMValueRef call) {
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(call));
  LLVMValueRef node = LLVMGetMetadata(call, problem_kind(context)), text = NULL;
  unsigned length = 0;
  if (!node || LLVMGetMDNodeNumOperands(node) != 1)
    return NULL;
  LLVMGetMDNodeOperands(node, &text);
  const char *at = LLVMGetMDString(text, &length);
  return at ? arena_printf(&task->arena, "%.*s", (int)length, at) : NULL;
}

static void note_problem(LLVMValueRef call, const char *problem) {
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(call));
  LLVMMetadataRef text =
      LLVMMDStringInContext2(context, problem, strlen(problem));
  LLVMMetadataRef node = LLVMMDNodeInContext2(context, &text, 1);
  LLVMSetMetadata(call, problem_kind(context),
                  LLVMMetadataAsValue(context, node));
}

// ------------------------------------------------------------- statements ---

static bool execute_here(Emitter *a, const AsmInstruction *i) {
  return assembly_arrival(a, i) || assembly_address_of(a, i) ||
         assembly_texture(a, i) || assembly_tensor(a, i);
}

static void execute(Emitter *a, const AsmInstruction *i) {
  if (!asm_execute(a, i) && (!asm_is_known(i) || !execute_here(a, i)))
    asm_refuse(a, i->text);
}

static Expanded expand(Expansion *expansion, LLVMValueRef call,
                       const char *text) {
  LLVMValueRef assembly = LLVMGetCalledValue(call);
  Emitter a = {.task = expansion->task,
               .module = expansion->module,
               .execute = execute,
               .pointer = assembly_pointer,
               .is_executed = true,
               .is_program = expansion->is_program,
               .shares_carry = expansion->shares_carry};
  LLVMValueRef function = asm_emit(&a, call, text);
  return (Expanded){assembly, text, function, a.problem};
}

static bool is_same(const char *a, const char *b) {
  return a && b ? !strcmp(a, b) : a == b;
}

static Expanded *expanded(Expansion *expansion, LLVMValueRef call) {
  LLVMValueRef assembly = LLVMGetCalledValue(call);
  const char *text = llvm_assembly_text(&expansion->task->arena, call);
  for (size_t i = 0; i < expansion->done.count; i++)
    if (expansion->done.at[i].assembly == assembly &&
        is_same(expansion->done.at[i].text, text))
      return &expansion->done.at[i];
  Expanded made = expand(expansion, call, text);
  push(&expansion->task->arena, &expansion->done, made);
  return &expansion->done.at[expansion->done.count - 1];
}

static void expand_call(Expansion *expansion, LLVMValueRef call) {
  const char *name = jit_declared(call);
  assert(name); // the text
  if (builtin_find(expansion->task, name))
    return;
  const Expanded *found = expanded(expansion, call);
  if (found->function)
    LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1,
                   found->function);
  else
    note_problem(call, found->problem);
}

typedef void Visit(Expansion *expansion, LLVMValueRef call);

static void visit_assembly(Expansion *expansion, Visit *visit) {
  for (LLVMValueRef f = LLVMGetFirstFunction(expansion->module); f;
       f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
         block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
           i = LLVMGetNextInstruction(i))
        if (LLVMIsACallInst(i) && LLVMIsAInlineAsm(LLVMGetCalledValue(i)))
          visit(expansion, i);
}

// Does it take a carry before it gives one?
static void find_carry(Expansion *expansion, LLVMValueRef call) {
  static const char *const takers[] = {"addc.", "subc.", "madc."};
  size_t length = 0;
  const char *text =
      LLVMGetInlineAsmAsmString(LLVMGetCalledValue(call), &length);
  text = arena_printf(&expansion->task->arena, "%.*s", (int)length, text);
  const char *given = strstr(text, ".cc");
  for (size_t n = 0; n < sizeof takers / sizeof *takers; n++) {
    const char *taken = strstr(text, takers[n]);
    if (taken && (!given || taken < given))
      expansion->shares_carry = true;
  }
}

void code_expand_assembly(Task *task, LLVMModuleRef module, bool is_program) {
  Expansion expansion = {
      .task = task, .module = module, .is_program = is_program};
  visit_assembly(&expansion, find_carry);
  visit_assembly(&expansion, expand_call);
  jit_change_calls(module);
  jit_change_arrivals(module);
  jit_change_tensors(module);
}
