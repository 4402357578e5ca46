// What the files share that make LLVM IR of inline assembly.

#ifndef TRANSLATOR_FROM_LLVM_ASSEMBLY_H
#define TRANSLATOR_FROM_LLVM_ASSEMBLY_H

#include "ptx/assembly.h"
#include "translator/translator.h"

#include <llvm-c/Core.h>

// A function that does what the assembly does, while it is made.
typedef struct AsmMaker {
  Task *task;
  LLVMModuleRef module;
  LLVMContextRef context;
  LLVMBuilderRef builder;
  LLVMValueRef function;
  const PtxAssembly *assembly;
  LLVMValueRef *slots; // of registers: integers in memory of the function
  LLVMTypeRef *types;  // of what is in them
  LLVMValueRef
      *pointers; // a register that is this pointer all the time, or NULL
  LLVMValueRef carry;
  bool has_carry;            // a statement of this text has set it
  LLVMBasicBlockRef *blocks; // by position in the code: where a branch leads
} AsmMaker;

// One instruction.  False: it is not known, and the whole text stays as it is.
typedef bool AsmEmit(AsmMaker *m, const AsmInstruction *s);

LLVMTypeRef asm_llvm_type(const AsmMaker *m, AsmType type);
LLVMTypeRef asm_integer(const AsmMaker *m, unsigned bits);

// The value of an operand; NULL: it has none of this type.
LLVMValueRef maker_get(AsmMaker *m, const Operand *operand, AsmType type);
// False: it is no place for one.
bool maker_put(AsmMaker *m, const Operand *operand, AsmType type,
               LLVMValueRef value);
// Calls the function of this name, which may be an intrinsic.
LLVMValueRef maker_call(AsmMaker *m, const char *name, LLVMTypeRef result,
                        LLVMValueRef *arguments, unsigned count);

// The address spaces of NVPTX.
enum {
  ASM_GENERIC = 0,
  ASM_GLOBAL = 1,
  ASM_SHARED = 3,
  ASM_CONSTANT = 4,
  ASM_LOCAL = 5
};

// Operand `index` as a pointer; NULL: it is no address.
LLVMValueRef asm_address(AsmMaker *m, const AsmInstruction *s, size_t index,
                         int space);

// An instruction that computes.  False: it is none, or not of a known form.
bool asm_emit_number(AsmMaker *m, const AsmInstruction *s);
// Of the opcode, or NULL.
AsmEmit *asm_emit_memory(const char *opcode);
AsmEmit *asm_emit_warp(const char *opcode);

#endif
