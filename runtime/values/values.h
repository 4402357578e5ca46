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

// Behind llvm_prepare and before code_from_llvm.  Gives up at a kernel that
// cannot be cut, with the reason and its place.
void values_cut(Task *task, struct LLVMOpaqueModule *module,
                const KernelEntry *entry, Cut *cut);
// Behind code_from_llvm.
void values_tell(Task *task, Code *code, const Cut *cut);
extern const Cutter values_cutter; // both of them

#endif
