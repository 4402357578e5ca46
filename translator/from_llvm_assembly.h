// What the files share that make LLVM IR of inline assembly.

#ifndef TRANSLATOR_FROM_LLVM_ASSEMBLY_H
#define TRANSLATOR_FROM_LLVM_ASSEMBLY_H

#include "ptx/emit.h"
#include "translator/translator.h"

// One instruction.  False: it is not known, and the whole text stays as it is.
typedef bool AsmEmit(Emitter *a, const AsmInstruction *s);

// The type of what is computed with; floats of 16 bits are floats here.
LLVMTypeRef maker_type(const Emitter *a, AsmType type);
// The value of an operand; NULL: it has none of this type.
LLVMValueRef maker_get(Emitter *a, const Operand *operand, AsmType type);
// False: it is no place for one.
bool maker_put(Emitter *a, const Operand *operand, AsmType type,
               LLVMValueRef value);

// The address spaces of NVPTX.
enum {
  ASM_GENERIC = 0,
  ASM_GLOBAL = 1,
  ASM_SHARED = 3,
  ASM_CONSTANT = 4,
  ASM_LOCAL = 5
};

// Operand `index` as a pointer; NULL: it is no address.
LLVMValueRef asm_address(Emitter *a, const AsmInstruction *s, size_t index,
                         int space);

// Of the opcode, or NULL.
AsmEmit *asm_emit_memory(const char *opcode);
AsmEmit *asm_emit_warp(const char *opcode);

#endif
