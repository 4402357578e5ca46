// For all who look at LLVM's instructions: tables by value, names, places, and
// facts that an instruction or a function tells of itself.

#ifndef LLVM_CORE_H
#define LLVM_CORE_H

#include "llvm/libdevice.h"
#include "llvm/llvm.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>

enum { POINTER_BITS = 64 };

// --------------------------------------------------------------- table.c ---

// The values of a function's body, by LLVM's address of them.
typedef struct ValueTable {
  struct ValueSlot *slots;
  size_t room, count;
} ValueTable;

void *table_get(const ValueTable *table, const void *key);
void table_put(Task *task, ValueTable *table, const void *key, void *value);

// ------------------------------------------------------------ by_value.c ---

// Arguments that are structs and that a kernel, in which all is inlined, writes
// become local variables, for sroa; false: there are none.
bool llvm_copy_arguments(LLVMModuleRef module);

// -------------------------------------------------------------- locals.c ---

// Local variables begin with values that nobody knows; what is left of that
// when they are variables no more.
void llvm_start_locals(LLVMModuleRef module);
void llvm_drop_unused_starts(LLVMModuleRef module);
// A store of such a value?
bool llvm_is_start(LLVMValueRef instruction);

// ------------------------------------------------------ postconditions.c ---

// Each __ensures goes to where its function returns, as __gpuverify_ensured,
// and a __requires of what is no kernel becomes a __gpuverify_precondition.
void llvm_move_postconditions(Task *task, LLVMModuleRef module);

// -------------------------------------------------------------- axioms.c ---

// Each __axiom of the file becomes a __requires of all of its kernels.
void llvm_require_axioms(LLVMModuleRef module);

// ------------------------------------------------------- function_wide.c ---

// Each function-wide invariant about logged accesses goes to the loops of its
// kernel.
void llvm_spread_invariants(Task *task, LLVMModuleRef module);

// ----------------------------------------------------------- elsewhere.c ---

// What annotations about other threads read is, of a thread that does not come
// there, anything: it goes through a call of __gpuverify_here.
void llvm_mark_elsewhere(Task *task, LLVMModuleRef module);
// An attribute: its variables may be no variables any more.
#define LLVM_REWRITTEN "gpuverify-rewritten"

// An attribute: loops go round a few times here, and no further
// (plugin/unwind.cc).
#define LLVM_UNWOUND "gpuverify-unwound"

// -------------------------------------------------------------- tables.c ---

// Constants take the places of local variables that are copies of them.
void llvm_replace_tables(Task *task, LLVMModuleRef module);
// Is it a constant that may have been one of these?
bool llvm_is_own_table(LLVMValueRef variable);

// ------------------------------------------------------------- pointed.c ---

// Calls through pointers become calls of the functions that they may be, by
// cases, in functions that are to be inlined.  False: there was none.
bool llvm_split_pointed_calls(Task *task, LLVMModuleRef module);
// Is it one of the comparisons that choose a case?
bool llvm_is_case(LLVMValueRef compare);

// ------------------------------------------------------------ recursion.c ---

// Calls of recursive functions that constants end are inlined, in kernels.
bool llvm_unfold_recursion(Task *task, LLVMModuleRef module, bool *is_changed,
                           const char **reason);
// A recursive call that has constants, and for whose end they are not enough.
bool llvm_is_endless(LLVMValueRef call);

// --------------------------------------------------------------- unroll.c ---

// Loops of kernels over local arrays of pointers, that constants end, become
// copies of their bodies.  False: there were none.
bool llvm_unroll_loops(Task *task, LLVMModuleRef module);

// ---------------------------------------------------------------- exits.c ---

// In kernels in which all is inlined.
void llvm_return_at_exits(Task *task, LLVMModuleRef module);

// -------------------------------------------------------------- inline.c ---

// The functions of a module in the order in which they are to be inlined.
void llvm_put_callers_first(Task *task, LLVMModuleRef module);
// Would the kernel that it is in become too large?
bool llvm_is_left_open(LLVMValueRef call);

// --------------------------------------------------------- block_graph.c ---

// Gives the blocks by node, too.
struct Graph *llvm_block_graph(Task *task, LLVMValueRef function,
                               LLVMBasicBlockRef **blocks);
unsigned llvm_node(const LLVMBasicBlockRef *blocks, LLVMBasicBlockRef block);

// -------------------------------------------------------------- module.c ---

// By its calling convention, and with a body.
bool llvm_is_kernel(LLVMValueRef function);
// The same, or what clang makes of the body of a kernel of OpenCL: a function
// that the kernel calls, and nobody else.
bool llvm_is_kernel_body(LLVMValueRef function);
// Copies the message and gives LLVM's back.
const char *llvm_take_message(Task *task, char *message);
// Calls of what is to be inlined are, and variables become values.  False:
// *reason says why.
bool llvm_inline_once(Task *task, LLVMModuleRef module, const char **reason);
// Passes by their names in opt.  `machine` or NULL.  False: *reason says why.
bool llvm_run_passes(Task *task, LLVMModuleRef module,
                     LLVMTargetMachineRef machine, const char *passes,
                     const char **reason);
// Atomic instructions of a function become plain ones.
void llvm_lower_atomics(LLVMValueRef function);
// What is computed of constants becomes one, and what no way comes to goes.
void llvm_fold_branches(LLVMValueRef function);

// -------------------------------------------------------------- amdgcn.c ---

// How many lanes a wavefront has there.
unsigned llvm_wavefront(LLVMValueRef function);
// The most threads of a block for which the kernel is compiled; 0: any.
uint32_t llvm_most_workitems(LLVMValueRef function);
// Are the arguments that nobody writes where code objects since version 5 have
// them?
bool llvm_has_known_arguments(LLVMModuleRef module);
// Is the fence seen on this side, and which memory is it about?
typedef struct FenceSides {
  bool releases, acquires;
  bool shared, global;
} FenceSides;
FenceSides llvm_fence_sides(LLVMValueRef fence);

// ----------------------------------------------------------- arguments.c ---

// Is the argument a struct, of which the function gets a copy?
bool llvm_is_by_value(LLVMValueRef function, unsigned index);

// --------------------------------------------------------------- facts.c ---

bool llvm_is_opencl_kernel(LLVMValueRef function);
bool llvm_is_of_opencl(LLVMValueRef function); // a kernel, or what it calls
// The blocks for which a kernel is compiled; false: for any.
bool llvm_required_block(LLVMValueRef function, uint32_t size[3]);
// Another file's definition of the variable or function may take its place.
bool llvm_is_replaceable(LLVMValueRef global);
// Code of the file for the host may set it.
bool llvm_is_set_by_host(LLVMValueRef variable);
// It is const, and so are all its members: the source says so.
bool llvm_has_no_mutable(LLVMValueRef variable);
// It holds what it is initialised with: nobody can change it.
bool llvm_is_fixed(Task *task, LLVMValueRef variable);
// Of an array the element, however many dimensions it has.
LLVMTypeRef llvm_innermost(LLVMTypeRef type);
// Of an atomic instruction.  False: we do not know this one.
bool llvm_scope(LLVMValueRef instruction, Scope *scope);
// What a memory order does, of an instruction that can.
bool llvm_acquires(LLVMAtomicOrdering order);
bool llvm_releases(LLVMAtomicOrdering order);
// A load or store that PTX makes one volatile operation of: a scalar, aligned,
// in CUDA, where volatile has a meaning for threads.
bool llvm_is_strong_volatile(LLVMValueRef instruction);
// memcpy and memmove copy from operand 1 to operand 0, memset fills operand 0;
// operand 2 is how many bytes.
typedef enum Transfer { TRANSFER_NONE, TRANSFER_FILL, TRANSFER_COPY } Transfer;
Transfer llvm_transfer(LLVMValueRef call);
// Does it say where a local variable begins or ends to exist?
bool llvm_is_lifetime(LLVMValueRef instruction);
// Of an element that async_work_group_copy copies; 0: not known.
unsigned llvm_copied_bytes(LLVMValueRef call);

// -------------------------------------------------------------- fields.c ---

// Adds the scalars of a parameter of a kernel.
void llvm_fields(Task *task, LLVMValueRef function, unsigned parameter,
                 Fields *fields);
// Adds the scalars that the parameter points to: of the first element.
void llvm_pointee_fields(Task *task, LLVMValueRef function, unsigned parameter,
                         Fields *fields);
// False where the debug information does not tell.
bool llvm_is_declared_const(Task *task, LLVMValueRef variable);
// "p.size.x" of the parameter p, or NULL: no field has these bytes.
const char *llvm_field_name(Task *task, const char *parameter,
                            const Fields *fields, uint64_t offset,
                            unsigned bytes);

// --------------------------------------------------------------- names.c ---

// The names of parameters, local arrays and loop variables of a function, by
// their values.
void llvm_find_names(Task *task, LLVMValueRef function, ValueTable *names);
// The user's name of a value, or NULL.
const char *llvm_name_of(Task *task, const ValueTable *names,
                         LLVMValueRef value);
Loc llvm_location(Task *task, LLVMValueRef instruction);
// Of the places that it was inlined into the first that is wanted, or the last.
Loc llvm_location_in(Task *task, LLVMValueRef instruction,
                     bool (*is_wanted)(Loc));
// The innermost place is in a header that stands for CUDA or OpenCL.
bool llvm_is_of_runtime_header(Task *task, LLVMValueRef instruction);
Loc llvm_function_location(Task *task, LLVMValueRef function);
const char *llvm_source_name(Task *task, LLVMValueRef function);
const char *llvm_type_text(Task *task, LLVMTypeRef type);
const char *llvm_value_text(Task *task, LLVMValueRef value);
// "tile" of _ZZ4scanPfE4tile.
const char *llvm_variable_name(Task *task, const char *name);

// ------------------------------------------------------------- library.c ---

// What is called, if it is declared with the types that the library has.
const LibraryFunction *llvm_library_function(LLVMValueRef call);
// True: operations compute what the call did, and have taken its place.
bool llvm_become_operation(LLVMBuilderRef builder, LLVMValueRef call);
// The same for all that compute with integers alone.
void llvm_open_library(LLVMModuleRef module);

#endif
