// Inline assembly as LLVM IR, for the proof.
//
// Each asm statement that is understood as a whole becomes a call of a function
// of its own (ptx/emit.c), to be inlined by llvm_prepare.  What is not
// understood stays assembly, with what that means to those who meet it.
// Pointers stay pointers, so that the proof knows their arrays.  The meaning of
// instructions is that of the PTX manual; where ours differs - an approximation
// is exact, a hint does nothing - a program cannot rely on the difference.

#include "ptx/emit.h"
#include "translator/from_llvm.h"

#include <string.h>

// ---------------------------------------------------------- instructions ---

// The number in brackets, and what is added to it: as wide as the register is,
// so that 32 bits wrap.
static LLVMValueRef number_in(Emitter *a, const Operand *operand) {
  unsigned bits = asm_register_bits(a, operand);
  LLVMValueRef at =
      LLVMBuildAdd(a->builder, asm_load_register(a, operand->index),
                   asm_const(a, bits, operand->number), "");
  return asm_resize(a, at, 64, false);
}

// Pointers stay pointers, if the instruction is about their space, where the
// same place has the same number; a number becomes a pointer to that space.
static LLVMValueRef pointer_to(Emitter *a, const AsmInstruction *i,
                               const Operand *operand) {
  LLVMTypeRef type = asm_pointer_type(a, i);
  unsigned space = LLVMGetPointerAddressSpace(type);
  if (!operand->is_bracketed || operand->is_negated ||
      asm_register_bits(a, operand) < 32) {
    asm_refuse_operand(a, operand);
    return LLVMConstNull(type);
  }
  LLVMValueRef pointer = a->slots[operand->index].pointer;
  LLVMValueRef offset = asm_const(a, 64, operand->number);
  if (!pointer || asm_register_bits(a, operand) < 64)
    return LLVMBuildIntToPtr(a->builder, number_in(a, operand), type, "");
  if (operand->number)
    pointer = LLVMBuildGEP2(a->builder, asm_int(a, 8), pointer, &offset, 1, "");
  if (LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) == space)
    return pointer;
  if (LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) == ASM_GENERIC &&
      space == ASM_GLOBAL) {
    asm_call(a, "__gpuverify_is_global", LLVMVoidTypeInContext(a->context),
             &pointer, 1);
    return pointer;
  }
  asm_refuse_operand(a, operand);
  return LLVMConstNull(type);
}

// SOUND(assembly-that-moves): without `volatile` and a clobber of memory the
// compiler may take it over barriers and out of loops.  What uses registers
// alone may move, and a load of what nobody writes (call_may_move).
static bool stays(const Emitter *a, const AsmInstruction *i) {
  return !a->may_move || asm_is_of_registers(i) || asm_is_load(i);
}

static void execute(Emitter *a, const AsmInstruction *i) {
  if (!asm_execute(a, i) || !stays(a, i))
    asm_refuse(a, i->text);
}

static LLVMValueRef make_function(Task *task, LLVMValueRef call) {
  Emitter a = {.task = task,
               .module = LLVMGetGlobalParent(
                   LLVMGetBasicBlockParent(LLVMGetInstructionParent(call))),
               .execute = execute,
               .pointer = pointer_to};
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
