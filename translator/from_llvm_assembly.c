// Inline assembly as LLVM IR, for the proof.
//
// Each asm statement that is understood as a whole becomes a call of a function
// of its own (ptx/emit.c), to be inlined by llvm_prepare.  What is not
// understood stays assembly, with what that means to those who meet it.
// Numbers are computed as in executions; accesses and exchanges are the proof's
// own: pointers stay pointers, so that it knows their arrays.  The
// meaning of instructions is that of the PTX manual; where ours differs - an
// approximation is exact, a hint does nothing - a program cannot rely on the
// difference.

#include "translator/from_llvm_assembly.h"
#include "translator/from_llvm.h"

#include <string.h>

// ----------------------------------------------------------------- types ---

LLVMTypeRef maker_type(const Emitter *a, AsmType type) {
  LLVMTypeRef lane = asm_int(a, type.bits);
  if (type.kind == 'e')
    lane = LLVMBFloatTypeInContext(a->context);
  else if (type.kind == 'f')
    lane = type.bits == 16   ? LLVMHalfTypeInContext(a->context)
           : type.bits == 32 ? LLVMFloatTypeInContext(a->context)
                             : LLVMDoubleTypeInContext(a->context);
  return type.lanes == 1 ? lane : LLVMVectorType(lane, type.lanes);
}

// ---------------------------------------------------------------- values ---

LLVMValueRef maker_get(Emitter *a, const Operand *operand, AsmType type) {
  LLVMValueRef bits = asm_bits_as(a, operand, type);
  return a->problem
             ? NULL
             : LLVMBuildBitCast(a->builder, bits, maker_type(a, type), "");
}

bool maker_put(Emitter *a, const Operand *operand, AsmType type,
               LLVMValueRef value) {
  if (!value)
    return false;
  LLVMTypeRef bits = asm_int(a, type.bits * type.lanes);
  asm_put_bits(a, operand, LLVMBuildBitCast(a->builder, value, bits, ""),
               type.kind == 's');
  return !a->problem;
}

// ---------------------------------------------------------- instructions ---

static void execute(Emitter *a, const AsmInstruction *i) {
  AsmEmit *emit = asm_emit_memory(i->words[0]);
  emit = emit ? emit : asm_emit_warp(i->words[0]);
  if (!(emit ? emit(a, i) : asm_compute(a, i)))
    asm_refuse(a, i->text);
}

static LLVMValueRef make_function(Task *task, LLVMValueRef call) {
  Emitter a = {.task = task,
               .module = LLVMGetGlobalParent(
                   LLVMGetBasicBlockParent(LLVMGetInstructionParent(call))),
               .execute = execute};
  LLVMValueRef function =
      asm_emit(&a, call, llvm_assembly_text(&task->arena, call));
  if (function && !a.text->code.count) {
    LLVMDeleteFunction(function);
    return NULL;
  }
  return function;
}

// ---------------------------------------------------------------- module ---

static void lower(Task *task, LLVMValueRef call) {
  LLVMValueRef function = make_function(task, call);
  if (!function)
    return;
  unsigned count = LLVMGetNumArgOperands(call);
  LLVMValueRef *arguments =
      arena_alloc(&task->arena, (count + 1) * sizeof *arguments);
  for (unsigned i = 0; i < count; i++)
    arguments[i] = LLVMGetOperand(call, i);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(
      LLVMGetModuleContext(LLVMGetGlobalParent(function)));
  LLVMPositionBuilderBefore(builder, call);
  LLVMValueRef made = LLVMBuildCall2(builder, LLVMGlobalGetValueType(function),
                                     function, arguments, count, "");
  LLVMDisposeBuilder(builder);
  if (LLVMGetFirstUse(call))
    LLVMReplaceAllUsesWith(call, made);
  LLVMInstructionEraseFromParent(call);
}

typedef Vec(LLVMValueRef) Calls;

static Calls calls_of_assembly(Task *task, LLVMModuleRef module) {
  Calls calls = {0};
  if (strncmp(LLVMGetTarget(module), "nvptx", 5) != 0)
    return calls;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
       f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
         block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
           i = LLVMGetNextInstruction(i))
        if (LLVMIsACallInst(i) && LLVMIsAInlineAsm(LLVMGetCalledValue(i)))
          push(&task->arena, &calls, i);
  return calls;
}

void llvm_lower_assembly(Task *task, LLVMModuleRef module) {
  Calls calls = calls_of_assembly(task, module);
  for (size_t i = 0; i < calls.count; i++)
    lower(task, calls.at[i]);
}

static void dispose_module(void *module) { LLVMDisposeModule(module); }

LLVMModuleRef llvm_keep_assembly(Task *task, LLVMModuleRef module) {
  if (!calls_of_assembly(task, module).count)
    return NULL;
  LLVMModuleRef copy = LLVMCloneModule(module);
  arena_defer(&task->arena, dispose_module, copy);
  return copy;
}

KernelEntry llvm_entry_in(LLVMModuleRef module, const KernelEntry *entry) {
  KernelEntry own = *entry;
  own.function = LLVMGetNamedFunction(module, entry->name);
  return own;
}
