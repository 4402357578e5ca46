// Kernels that look for races by executing each region between barriers twice,
// on private copies: after LD (Li and others, TACO 14(1), 2017).
//
// In comes a prepared module with a kernel, out comes the same kernel cut into
// regions, which calls what values.cu has for the device; it is in the module,
// too.  What such a kernel asks of its host is in runtime/machine/copied.c.
// Called by those who are about to make host code.

#ifndef RUNTIME_VALUES_VALUES_H
#define RUNTIME_VALUES_VALUES_H

#include "runtime/runtime.h"

// Behind llvm_prepare and before code_from_llvm.  With cut->has_warps units are
// warps, as they are where threads of a warp do something together.  Gives up
// at a kernel that cannot be cut, with the reason and its place.
void values_cut(Task *task, struct LLVMOpaqueModule *module,
                const KernelEntry *entry, Cut *cut);
// Behind code_from_llvm.
void values_tell(Task *task, Code *code, const Cut *cut);
extern const Cutter values_cutter; // both of them

// -------------------------------------------------------------- proved.c ---

// A launch for which a kernel was proved free of races: what is known of its
// sizes, its dynamic shared memory and its scalar arguments has to be so.
typedef struct ProvedLaunch {
  Launch launch;
  bool is_flat;  // sizes along y and z are 1
  bool is_apart; // each pointer is into an array of its own
  bool is_same;  // two threads may write the same value
} ProvedLaunch;

// Adds it to those that the kernel's module says, and entry->proved.
void proved_note(Arena *arena, KernelEntry *entry, const ProvedLaunch *proved);
// Is the run one of those, KernelEntry.proved?
bool proved_for(const char *launches, const Run *run);
// Is each pointer among its arguments into an allocation of its own, and into
// no variable of the kernel?
bool proved_are_apart(const Run *run);

// ---------------------------------------------------------------- calm.c ---

// "'in', 'table'": the arguments, in a kernel whose calls are inlined, that
// nobody writes by, if they are apart; or NULL.
const char *values_calm(Task *task, struct LLVMOpaqueValue *kernel);

// ----------------------------------------------------------- to_device.c ---

#define VALUES_ENTRY "gpuverify_entry"
#define VALUES_VARIABLE "gpuverify_variable_%zu" // by index

// A kernel, cut or not, as PTX text of this version, 80 for 8.0, for blocks of
// at most so many threads; its module stays as it is.  NULL: *reason says why.
const char *values_ptx(Task *task, const Code *code, unsigned version,
                       unsigned threads, const char **reason);

// ---------------------------------------------------------- run_device.c ---

// The launch on the device, in a process of its own.
void values_run_on_device(const Run *run, const char *ptx, uint64_t memory,
                          Outcome *outcome);

// ---------------------------------------------------------------- module.c ---

// A kernel of a module for a device.
typedef struct CutKernel {
  KernelEntry entry;
  const char *arguments; // as in table.h
  bool is_one_of_many;   // other files may have it, too
  Cut cut;
  const char *reason; // why it could not be cut; NULL: it was
  Loc where;          // what that is about, or the kernel
} CutKernel;
typedef Vec(CutKernel) CutKernels;

// `copy`, of a module whose names are all external, becomes what is to be
// linked into it: for each kernel one that executes its regions twice, if it
// can be cut, and a table (table.h).  Units are warps if that is wanted. False:
// *reason says why there is none.
bool values_cut_module(Task *task, struct LLVMOpaqueModule *copy,
                       bool compares_warps, CutKernels *kernels,
                       const char **reason);

#endif
