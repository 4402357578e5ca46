// For those who cut functions.

#ifndef LLVM_KEEP_H
#define LLVM_KEEP_H

#include "llvm/core.h"

// Each value that is used where it need not have been made is stored behind
// where it is made and loaded there.  `place` says where, by an address that
// the first block has; values of that block are left alone.
void llvm_keep_values(Task *task, LLVMValueRef function,
                      LLVMValueRef (*place)(void *data, LLVMTypeRef type),
                      void *data);
// What is before the instruction, in a block of its own that has no end yet and
// to which all go that came to its block.  Behind it the block goes on.
LLVMBasicBlockRef llvm_split_before(LLVMValueRef instruction);

#endif
