// Variables that nobody can change.
//
// What is const may have members that are mutable, of which debug information
// says nothing.  So whoever has the source marks the variables that have none;
// llvm_is_declared_const asks for the mark.

#include "plugin/frontend.h"

#include "llvm/IR/Module.h"

static bool is_const(const clang::VarDecl *variable) {
  clang::QualType type =
      variable->getASTContext().getBaseElementType(variable->getType());
  const clang::CXXRecordDecl *made_of = type->getAsCXXRecordDecl();
  return type.isConstQualified() && !(made_of && made_of->hasMutableFields());
}

void constants_mark(clang::CodeGenerator &generator) {
  llvm::Module *module = generator.GetModule();
  for (llvm::GlobalVariable &global : module->globals()) {
    const auto *variable = llvm::dyn_cast_or_null<clang::VarDecl>(
        generator.GetDeclForMangledName(global.getName()));
    if (variable && is_const(variable))
      global.setMetadata("gpuverify.const",
                         llvm::MDNode::get(module->getContext(), {}));
  }
}
