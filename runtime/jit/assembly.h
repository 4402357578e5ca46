// What the files that make IR of inline assembly share.
//
// PTX between quotes becomes a function of LLVM IR, one a text, which is
// inlined where the assembly was.  Then nothing behind it knows that there was
// any: its loads, stores and atomics are sites like all others.

#ifndef RUNTIME_JIT_ASSEMBLY_H
#define RUNTIME_JIT_ASSEMBLY_H

#include "ptx/emit.h"
#include "runtime/jit/jit.h"

// ------------------------------------------------------------ assembly.c ---

// Why the assembly of a call is not known, or NULL.
const char *jit_assembly_problem(Task *task, LLVMValueRef call);

// --------------------------------------------------------------- calls.c ---

void jit_change_calls(LLVMModuleRef module);

// ------------------------------------------------------------ children.c ---

// Of a program: kernels that are launched by others go by their names.
void jit_change_launches(LLVMModuleRef module);

// ------------------------------------------------------------ arrivals.c ---

void jit_change_arrivals(LLVMModuleRef module);

// -------------------------------------------------------------- tensor.c ---

void jit_change_tensors(LLVMModuleRef module);

// ------------------------------------------------------- jit_assembly_*.c ---

// False: it is none of these.
bool assembly_address_of(Emitter *a, const AsmInstruction *instruction);
bool assembly_arrival(Emitter *a, const AsmInstruction *instruction);
bool assembly_texture(Emitter *a, const AsmInstruction *instruction);
bool assembly_tensor(Emitter *a, const AsmInstruction *instruction);

// Of an operand "[a+4]", for as many bytes; i64.
LLVMValueRef assembly_address(Emitter *a, const Operand *operand);
EmitPointer assembly_pointer;

#endif
