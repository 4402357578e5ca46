// A module with one kernel, for whoever has to do with that one alone.
//
// Whoever prepares and compiles a module does so with all of it, and once all
// that is called is inlined, the kernels of one file may be hundreds, each of
// them large.  So a copy has the others as declarations, and the functions that
// they called go with the next globaldce.  A kernel that somebody names,
// another one that launches it or a table, stays what it is.

#include "plugin/frontend.h"

#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

extern "C" {
#include "llvm/core.h"
}
#undef push

namespace {

// llvm.used and the like name what they keep, and use nothing of it.
bool is_in_list(const llvm::User *user) {
  auto *list = llvm::dyn_cast<llvm::ConstantArray>(user);
  return list && list->hasOneUse() &&
         llvm::isa<llvm::GlobalVariable>(*list->user_begin()) &&
         llvm::cast<llvm::GlobalVariable>(*list->user_begin())
             ->getName()
             .starts_with("llvm.");
}

// The address of a block is used by whoever has it, and is no use of the
// function.
bool has_labels(const llvm::Function &function) {
  return llvm::any_of(function, [](const llvm::BasicBlock &block) {
    return block.hasAddressTaken();
  });
}

bool is_wanted(const llvm::GlobalValue *value, llvm::StringRef name) {
  auto *function = llvm::dyn_cast<llvm::Function>(value);
  return !function || !llvm_is_kernel(llvm::wrap(function)) ||
         function->getName() == name || has_labels(*function) ||
         !llvm::all_of(function->users(), is_in_list);
}

} // namespace

LLVMModuleRef kernel_copy(LLVMModuleRef module, const char *name) {
  llvm::ValueToValueMapTy values;
  auto copy = llvm::CloneModule(*llvm::unwrap(module), values,
                                [name](const llvm::GlobalValue *value) {
                                  return is_wanted(value, name);
                                });
  return llvm::wrap(copy.release());
}
