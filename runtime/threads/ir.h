// What the files that look at the program's IR share.  Private.

#ifndef RUNTIME_THREADS_IR_H
#define RUNTIME_THREADS_IR_H

#include "runtime/threads/world.h"
#include "llvm/core.h"

#include <llvm-c/Orc.h>

// -------------------------------------------------------- ir_constructors.c
// ---

void ir_constructors(Task *task, LLVMModuleRef module);

// -------------------------------------------------------------- ir_locals.c
// ---

void ir_widen_locals(LLVMModuleRef module);
// Once the program is instrumented, since this is no access of its own.
void ir_fill_locals(LLVMModuleRef module);

// -------------------------------------------------------------- ir_jumps.c ---

bool ir_is_setjmp(LLVMValueRef function);
bool ir_saves_registers(LLVMValueRef function); // by setjmp
// Functions with setjmp are not optimised from here on.
void ir_jumps_keep(LLVMModuleRef module);
// The calls of the machine for them, once the program is instrumented.
void ir_jumps(LLVMModuleRef module);

// --------------------------------------------------------- program_code.c ---

// Of a JIT: who puts its code where CODE_AT says.
LLVMOrcObjectLayerRef code_linker(void *unused, LLVMOrcExecutionSessionRef in,
                                  const char *triple);
// Where the function is used by its address, that is one of the program.
void code_own_address(LLVMValueRef function);

// ------------------------------------------------------ program_library.c ---

// Of C++'s library what the program lacks.
void program_library_add(LLVMModuleRef program);
// What it does is one step, and no access of the program's variables is of it.
bool ir_is_of_library(LLVMValueRef function);
bool ir_is_variable_of_library(LLVMValueRef global);

// ------------------------------------------------------------- ir_refuse.c ---

// Gives up at what is not executed.
void ir_refuse(Task *task, LLVMModuleRef module);
bool ir_is_of_namespace_std(const char *name); // a mangled one
// The plain name; of C++'s library with namespaces and arguments.
const char *ir_told_name(Task *task, const char *name);

// ------------------------------------------------------------- ir_escape.c ---

// Local variables of functions that nobody else can have an address of.
typedef struct Privates {
  Task *task;
  ValueTable table;
} Privates;

// What a pointer is made of by arithmetic and casts.
LLVMValueRef ir_root(LLVMValueRef pointer);
bool ir_is_private(Privates *privates, LLVMValueRef pointer);

// ------------------------------------------------------------ ir_globals.c ---

// Variables get fixed addresses; what they begin with is in a table of this
// name, of which a row is { destination, source, bytes }, and one of zeros ends
// it.
#define STARTS_NAME "gpuverify.starts"
void ir_place_globals(Task *task, LLVMModuleRef module, ProgramImage *image);

// --------------------------------------------------------- ir_instrument.c ---

// Not by calls alone.
bool ir_is_taken(LLVMValueRef function);
uint32_t ir_add_site(Task *task, ProgramImage *image, LLVMValueRef instruction,
                     DeedKind kind, unsigned bytes);
void ir_instrument(Task *task, LLVMModuleRef module, ProgramImage *image);

// ------------------------------------------------------------ ir_callers.c ---

// Of the program's own, as far as it was inlined there; or in a header.
Loc ir_location(Task *task, LLVMValueRef instruction, bool *is_inner);
// Once the program is instrumented.
void ir_callers(Task *task, LLVMModuleRef module, ProgramImage *image);

// ------------------------------------------------------------- ir_scopes.c ---

// Once the program is instrumented.
void ir_scopes(Task *task, LLVMModuleRef module, ProgramImage *image);

#endif
