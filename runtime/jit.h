// What the files that make host code of device IR share.

#ifndef RUNTIME_JIT_H
#define RUNTIME_JIT_H

#include "runtime/machine.h"
#include "translator/from_llvm.h"

#include <llvm-c/Core.h>

// ------------------------------------------------------------ jit_code.c ---

// The same for a kernel of a program (entry NULL: for what kernels share).
// Its sites go on from the program's; variables of the program have a place.
Code *code_in_program(Task *task, LLVMModuleRef module,
                      const KernelEntry *entry, const Program *program,
                      size_t number);

bool jit_is_ours(const Code *code, LLVMValueRef function);
// What the builtin of a call is known by: the name of a function without a
// body, or the text of assembly.  NULL: it is none.
const char *jit_declared(LLVMValueRef call);
// Of the value in memory that an atomic call changes.
LLVMTypeRef jit_atomic_type(LLVMValueRef call);
// memcpy and the like: its second site is that of what it reads.
bool jit_is_transfer(const char *name);
// What is passed by value behind this pointer, or NULL.
LLVMTypeRef jit_by_value(LLVMValueRef function, unsigned index);
// The site of an instruction, NO_SITE if it has none.
uint32_t jit_site(LLVMValueRef instruction);

// ----------------------------------------------------------- jit_order.c ---

// How strong an access or fence is: scope, what it acquires and releases.
void jit_fill_order(Task *task, LLVMValueRef instruction, Site *site);
// A call that compares its second argument, and swaps if that is there.
bool jit_is_compare(LLVMValueRef call);

// ---------------------------------------------------------- jit_opencl.c ---

// In place, before the survey; gives up at what is not constant.
void jit_lower_opencl_atomics(Task *task, LLVMValueRef function);

// ------------------------------------------------------ jit_arithmetic.c ---

// Before `instruction`: what the device computes where LLVM promises nothing.
// True: that has taken its place, and it can go.
bool jit_lower_arithmetic(LLVMBuilderRef builder, LLVMValueRef instruction);

// ----------------------------------------------------------- jit_lower.c ---

#define ENTRY_NAME "gpuverify_entry"
#define ALSO_NAME "gpuverify_also" // of Code.also, by the same addresses
#define TABLE_NAME "gpuverify_variables"
#define STEP_NAME "gpuverify_step"

// Makes the module fit for the host, in place: hooks, builtins, shared memory,
// and two symbols: a function that takes the addresses of the arguments, and
// the table of the variables' addresses.
void jit_lower(Task *task, const Run *run, const Image *image);

// A place in this process as a constant.
LLVMValueRef jit_address(LLVMModuleRef module, uintptr_t at);

// ----------------------------------------------------------- jit_block.c ---

// Is the entry one of a whole block?
bool jit_is_block(const Run *run);
// A variable that stands for threadIdx then.
LLVMValueRef jit_thread_id(LLVMModuleRef module, unsigned axis);
// Calls the kernel with these arguments for each thread of the block.
void jit_call_block(LLVMModuleRef module, LLVMBuilderRef builder,
                    LLVMValueRef entry, const Run *run, LLVMValueRef *values);

// ----------------------------------------------------------- jit_loops.c ---

// Code without hooks calls STEP_NAME with the site at back edges.
LLVMValueRef jit_step_function(LLVMModuleRef module);
// After optimisation: what is left of these calls becomes a countdown, each
// STEPS_A_TURN of which call the machine.
void jit_count_steps(Task *task, LLVMModuleRef module);

#endif
