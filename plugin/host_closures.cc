// The closures that the user's lambdas make.
//
// Visitors of the tree come to lambdas that are expressions of the code.  Those
// in a type are none of them: an instance of an alias template has its closure
// in the type that it names.

#include "plugin/host.h"

namespace host {

std::vector<const clang::CXXRecordDecl *>
users_closures(const clang::ASTContext &context) {
  const clang::SourceManager &sources = context.getSourceManager();
  std::vector<const clang::CXXRecordDecl *> closures;
  for (const clang::Type *type : context.getTypes()) {
    auto *record = llvm::dyn_cast<clang::RecordType>(type);
    auto *closure = record ? record->getAsCXXRecordDecl() : nullptr;
    if (closure && closure->isLambda() && !closure->isDependentContext() &&
        !sources.isInSystemHeader(closure->getLocation()))
      closures.push_back(closure);
  }
  return closures;
}

std::vector<clang::FunctionDecl *>
call_operators(const clang::CXXRecordDecl *closure) {
  clang::FunctionTemplateDecl *pattern =
      closure->getDependentLambdaCallOperator();
  if (!pattern)
    return {closure->getLambdaCallOperator()};
  return {pattern->spec_begin(), pattern->spec_end()};
}

} // namespace host
