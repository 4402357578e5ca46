// Who looks at all of the user's code: instances of templates, what the
// language adds, and lambdas that stand in a type, where no visitor of the tree
// comes.

#ifndef PLUGIN_HOST_VISITOR_H
#define PLUGIN_HOST_VISITOR_H

#include "plugin/host.h"

namespace host {

class UsersCodeVisitor : public clang::DynamicRecursiveASTVisitor {
public:
  UsersCodeVisitor() {
    ShouldVisitTemplateInstantiations = true;
    ShouldVisitImplicitCode = true;
  }

  bool TraverseLambdaExpr(clang::LambdaExpr *lambda) override;
  void traverse_users_code(clang::ASTContext &context); // host_closures.cc

private:
  void traverse_users_decls(const clang::SourceManager &sources,
                            clang::DeclContext *scope);
  llvm::DenseSet<const clang::CXXRecordDecl *> lambdas; // that were visited
};

} // namespace host

#endif
