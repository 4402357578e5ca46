// What the files that make host code of device IR share.

#ifndef RUNTIME_JIT_JIT_H
#define RUNTIME_JIT_JIT_H

#include "runtime/machine/machine.h"
#include "llvm/core.h"

#include <llvm-c/Core.h>

// ---------------------------------------------------------------- code.c ---

// The same for a kernel of a program (entry NULL: for what kernels share).
// Its sites go on from the program's; variables of the program have a place.
Code *code_in_program(Task *task, LLVMModuleRef module,
                      const KernelEntry *entry, const DeviceProgram *program,
                      size_t number);

bool jit_is_ours(const Code *code, LLVMValueRef function);
// What the builtin of a call is known by: the name of a function without a
// body, or the text of assembly.  NULL: it is none.
const char *jit_declared(LLVMValueRef call);
// Of the value in memory that an atomic call changes.
LLVMTypeRef jit_atomic_type(LLVMValueRef call);
// What is passed by value behind this pointer, or NULL.
LLVMTypeRef jit_by_value(LLVMValueRef function, unsigned index);
// The site of an instruction, NO_SITE if it has none.
uint32_t jit_site(LLVMValueRef instruction);

// -------------------------------------------------------------- pieces.c ---

// In a context of its own; NULL: it is no bitcode.
LLVMModuleRef jit_parse(LLVMMemoryBufferRef bitcode);
// The module, prepared, in one piece.  Needs the kernels.
void pieces_begin(Task *task, DeviceModule *device, LLVMModuleRef module);
// A module that has this kernel alone, with what it needs.
LLVMModuleRef pieces_take(Task *task, DeviceModule *device, size_t kernel,
                          const char **reason);

// --------------------------------------------------------------- order.c ---

// How strong an access or fence is: scope, what it acquires and releases.
void jit_fill_order(Task *task, LLVMValueRef instruction, Site *site);
// A call that compares its second argument, and swaps if that is there.
bool jit_is_compare(LLVMValueRef call);

// -------------------------------------------------------------- opencl.c ---

// In place, before the survey; gives up at what is not constant.
void jit_lower_opencl_atomics(Task *task, LLVMValueRef function);

// ------------------------------------------------------- opencl_groups.c ---

// Calls of functions of a work-group or sub-group become calls of collect.c, in
// place, before the survey.
void jit_lower_opencl_groups(Task *task, LLVMValueRef function);
bool jit_is_of_group(Task *task, const char *name);

// ---------------------------------------------------------- arithmetic.c ---

// Before `instruction`: what the device computes where LLVM promises nothing.
// True: that has taken its place, and it can go.
bool jit_lower_arithmetic(LLVMBuilderRef builder, LLVMValueRef instruction);

// ------------------------------------------------------------ declared.c ---

// False: a program has declared it with other operands than it has.
bool jit_is_declared_well(LLVMValueRef call, const Builtin *builtin);

// ---------------------------------------------------------- for_device.c ---

// Has a device this function, without anything of ours or the SDK's?
bool jit_is_of_device(const char *name);
// Makes a call fit for a device: it stays, goes, or becomes an operation.
// False: a device has nothing for it.
bool jit_leave_for_device(Task *task, LLVMBuilderRef builder, LLVMValueRef call,
                          const char *name);

// --------------------------------------------------------------- lower.c ---

// Of the power of two that an address must be a multiple of.
unsigned jit_power_of(const Site *site);

#define ENTRY_NAME "gpuverify_entry"
#define ALSO_NAME "gpuverify_also" // of Code.also, by the same addresses
#define TABLE_NAME "gpuverify_variables"
#define STEP_NAME "gpuverify_step"

// Makes the module fit for the host, in place: hooks, builtins, shared memory,
// and two symbols: a function that takes the addresses of the arguments, and
// the table of the variables' addresses.
void jit_lower(Task *task, const Run *run, Image *image);

// A place in this process as a constant.
LLVMValueRef jit_address(LLVMModuleRef module, uintptr_t at);

// A word that no thread sees change while the code runs.
LLVMValueRef jit_load_invariant(LLVMBuilderRef builder, LLVMTypeRef type,
                                LLVMValueRef base, size_t offset);
// As LLVM names them; a value only where one goes with the name.
void jit_add_attribute(LLVMValueRef function, const char *name, uint64_t value);
// The call can be left out, moved and merged with its like.
void jit_make_pure(LLVMContextRef context, LLVMValueRef call);

// ----------------------------------------------------------------- own.c ---

// What a pointer is derived from, as far as can be seen here.
LLVMValueRef jit_source(LLVMValueRef pointer);
// Is that an array of the thread's own?
bool jit_is_own(LLVMValueRef pointer);
// ... and the index one that may be wrong?
bool jit_may_leave_own(LLVMValueRef pointer);

// -------------------------------------------------------------- escape.c ---

// The address of a thread's own array may come to another thread.
bool jit_own_escapes(const Code *code);
// Before an access of so many bytes: it ends the run if it is outside.
void jit_watch_own(LLVMBuilderRef builder, LLVMModuleRef module,
                   LLVMTargetDataRef layout, LLVMValueRef pointer,
                   uint64_t bytes, uint32_t site);
// Gives the function that this calls a body.
void jit_define_own(LLVMModuleRef module);

// ---------------------------------------------------------------- spin.c ---

// Might a thread in it wait for another without a barrier?
bool jit_may_spin(Task *task, const Code *code, LLVMValueRef function);
// Might a block wait for another in a loop with barriers?
bool jit_may_wait(Task *task, LLVMValueRef kernel);

// --------------------------------------------------------------- words.c ---

enum {
  WORD_THREAD,     // three of them, and three
  WORD_BLOCK = 3,  // ids
  WORD_NUMBER = 6, // of the thread in its block
  WORDS,
};

// A call that stands for the word until there is a loop over the threads.
LLVMValueRef jit_word(LLVMBuilderRef builder, LLVMModuleRef module,
                      unsigned word);
// Which word the instruction is; WORDS: none.
unsigned jit_word_called(LLVMValueRef instruction);
// Of a field of Thread or Group; WORDS: it is none of them.
unsigned jit_word_of(const Builtin *builtin);
// Can a HOW_OWN be made of words?  Then the call becomes that.
bool jit_is_word(const Builtin *builtin);
void jit_become_word(LLVMBuilderRef builder, LLVMValueRef call,
                     const Builtin *builtin);
// Does the barrier of a HOW_BARRIER or HOW_VOTE wait for the whole block, for
// all we know before it is executed?
bool jit_is_for_all(LLVMValueRef call);
// The call becomes one that stands for a barrier: (site) or (site, vote).
void jit_become_barrier(LLVMBuilderRef builder, LLVMValueRef call,
                        const Builtin *builtin, uint32_t site);
// One that orders nothing: all threads of the block have gone round a loop.
void jit_mark_round(LLVMBuilderRef builder, LLVMModuleRef module,
                    LLVMValueRef site);
bool jit_is_round(LLVMValueRef instruction);
bool jit_is_barrier(LLVMValueRef instruction); // or a round

// -------------------------------------------------------------- single.c ---

// What the pointer is made of by arithmetic and casts, one step; or NULL.
LLVMValueRef jit_beneath(LLVMValueRef pointer);
// The pointer is one to shared memory, for all that the code says.
bool jit_is_of_block(LLVMValueRef pointer);
// At an atomic operation: plain ones do, and have taken its place.
bool jit_become_single(LLVMBuilderRef builder, LLVMValueRef atomic);

// --------------------------------------------------------------- block.c ---

// Can its threads be executed one after another, as far as is known yet?
bool jit_is_block(const Run *run);
// Makes the entry of a whole block, of a module that was lowered for that and
// optimised, and says how many bytes of the stack it needs for each thread.
// False: its threads need fibers.
bool jit_make_block(Task *task, const Run *run, Image *image);

// --------------------------------------------------------------- loops.c ---

// Code without hooks, or without fibers, calls STEP_NAME with the site at back
// edges.
LLVMValueRef jit_step_function(LLVMModuleRef module);
bool jit_is_step(LLVMValueRef instruction);
bool jit_is_in_cycle(Task *task, LLVMBasicBlockRef block);
// After optimisation: what is left of these calls becomes a countdown, each
// STEPS_A_TURN of which call the machine.
void jit_count_steps(Task *task, LLVMModuleRef module);

// --------------------------------------------------------------- spots.c ---

typedef enum SpotCase {
  SPOT_BOUNDS,    // any access, where only bounds are watched
  SPOT_READ_WORD, // races are: a weak access of a word
  SPOT_WRITE_WORD,
  SPOT_READ_MARK, // the same in shared memory that has marks
  SPOT_WRITE_MARK,
  SPOT_STILL, // a weak read of shared memory that nobody writes meanwhile
  SPOT_CASES,
} SpotCase;

// A function of the module: what code does before an access.  (Its address, its
// bytes, the site, the spot, the number of the thread in its block, the power
// of two that the address must be a multiple of.  STILL: in place of spot and
// thread, where the array starts, and how far from there a read is in it, in
// bytes.)
LLVMValueRef jit_spot_function(LLVMModuleRef module, SpotCase which);
bool jit_is_spot(LLVMValueRef function);
// Gives those that are there a body, to be inlined.
void jit_define_spots(LLVMModuleRef module);

#endif
