// Files that are given together: what each defines for the others.
//
// Compiled separately (nvcc -rdc=true), a kernel may call functions of the
// device, and use variables, that another file defines.  What one of the files
// given defines, and no other of them, is what a linker would find: its code,
// and all that this needs, becomes part of the module before anybody looks at
// it.  Where two files define a name they may be of two programs, and it stays
// what it is, a call that nobody knows.

#include "plugin/frontend.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"

#include <map>
#include <set>
#include <string>

extern "C" {
#include "plugin/across.h"
}

namespace {

using llvm::StringRef;

using Names = std::set<std::string>;

// Who defines a name; several: nobody does for the others.
using Definers = std::map<std::string, std::set<size_t>>;

bool is_for_others(const llvm::GlobalValue &global) {
  return !global.isDeclaration() &&
         (global.hasExternalLinkage() || global.hasWeakODRLinkage());
}

bool is_missed(const llvm::GlobalValue &global) {
  return global.isDeclaration() && !global.use_empty() &&
         !global.getName().starts_with("llvm.");
}

class LinkedCode {
public:
  explicit LinkedCode(OpenFiles *files_) : files(files_) {}

  void link() {
    for (size_t i = 0; i < files->count; i++)
      find_definitions(i);
    if (!are_any_missed())
      return;
    for (size_t i = 0; i < files->count; i++)
      write_code(i);
    for (size_t i = 0; i < files->count; i++)
      for (Names tried; link_one(i, &tried);)
        continue;
  }

private:
  OpenFiles *files;
  Definers definers;
  std::vector<llvm::SmallVector<char, 0>> codes; // as bitcode, unlinked

  llvm::Module *module_of(size_t file) const {
    return files->at[file].module ? llvm::unwrap(files->at[file].module)
                                  : nullptr;
  }

  void find_definitions(size_t file) {
    if (const llvm::Module *module = module_of(file))
      for (const llvm::GlobalValue &global : module->global_values())
        if (is_for_others(global))
          definers[global.getName().str()].insert(file);
  }

  // Another one that defines what this file lacks, or none.
  std::optional<size_t> definer_for(size_t file, Names *tried) const {
    const llvm::Module *module = module_of(file);
    for (const llvm::GlobalValue &global : module->global_values()) {
      auto found = definers.find(global.getName().str());
      if (!is_missed(global) || found == definers.end() ||
          found->second.size() != 1 || !tried->insert(found->first).second)
        continue;
      size_t other = *found->second.begin();
      if (module_of(other)->getTargetTriple() == module->getTargetTriple())
        return other;
    }
    return std::nullopt;
  }

  bool are_any_missed() const {
    Names tried;
    for (size_t i = 0; i < files->count; i++, tried.clear())
      if (module_of(i) && definer_for(i, &tried))
        return true;
    return false;
  }

  void write_code(size_t file) {
    codes.emplace_back();
    llvm::raw_svector_ostream out(codes.back());
    if (const llvm::Module *module = module_of(file))
      llvm::WriteBitcodeToFile(*module, out);
  }

  // What would have it all linked that it mentions.
  static void forget_lists(llvm::Module *code) {
    for (StringRef name : {"llvm.used", "llvm.compiler.used",
                           "llvm.global_ctors", "llvm.global_dtors"})
      if (llvm::GlobalVariable *list = code->getNamedGlobal(name))
        list->eraseFromParent();
    if (llvm::NamedMDNode *list = code->getNamedMetadata("nvvm.annotations"))
      list->eraseFromParent();
  }

  // Takes what the file lacks of one other; false: nothing is left to take.
  bool link_one(size_t file, Names *tried) {
    llvm::Module *module = module_of(file);
    std::optional<size_t> other =
        module ? definer_for(file, tried) : std::nullopt;
    if (!other)
      return false;
    StringRef bytes(codes[*other].data(), codes[*other].size());
    auto code = llvm::parseBitcodeFile({bytes, "linked"}, module->getContext());
    if (!code) {
      llvm::consumeError(code.takeError());
      return false;
    }
    forget_lists(code->get());
    files->at[*other].is_linked = true;
    return !llvm::Linker::linkModules(*module, std::move(*code),
                                      llvm::Linker::LinkOnlyNeeded);
  }
};

} // namespace

void link_across(OpenFiles *files) { LinkedCode(files).link(); }
