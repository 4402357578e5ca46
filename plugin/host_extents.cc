// Of which dimensions the user's code gives sizes, wherever it does.
//
// What is launched with may come through parameters, members, pointers and
// calls.  All of it was a dim3 once that was made with sizes, whose members
// were set, or that came from outside of the file.

#include "plugin/host.h"

#include "clang/AST/DynamicRecursiveASTVisitor.h"

namespace host {

namespace {

class Givers : public clang::DynamicRecursiveASTVisitor {
public:
  Givers() {
    ShouldVisitTemplateInstantiations = true;
    ShouldVisitImplicitCode = true;
  }

  bool VisitCXXConstructExpr(clang::CXXConstructExpr *made) override {
    if (!is_dim3(made->getType()) ||
        made->getConstructor()->isCopyOrMoveConstructor())
      return true;
    if (made->getNumArgs() != 3)
      return give_all();
    for (unsigned axis = 0; axis < 3; axis++)
      given[axis] |= !is_one(made->getArg(axis));
    return true;
  }

  bool VisitMemberExpr(clang::MemberExpr *member) override {
    auto *field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
    if (field && is_size(member->getBase()->getType()))
      members.push_back(member);
    return true;
  }

  bool VisitCastExpr(clang::CastExpr *cast) override {
    const clang::Expr *from = cast->getSubExpr();
    if (cast->getCastKind() == clang::CK_LValueToRValue)
      reads.insert(from->IgnoreParens());
    bool is_same = is_size(from->getType()) == is_size(cast->getType());
    bool makes = cast->getCastKind() == clang::CK_ConstructorConversion ||
                 cast->getCastKind() == clang::CK_UserDefinedConversion;
    return is_same || makes || give_all();
  }

  // Each name is a member.
  bool VisitDecompositionDecl(clang::DecompositionDecl *names) override {
    return !is_size(names->getType()) || give_all();
  }

  bool VisitCallExpr(clang::CallExpr *call) override {
    const clang::FunctionDecl *callee = call->getDirectCallee();
    bool is_read = callee && (callee->hasBody() || callee->isDefaulted());
    return is_read || !is_size(call->getType()) || give_all();
  }

  bool VisitDeclRefExpr(clang::DeclRefExpr *mention) override {
    auto *variable = llvm::dyn_cast<clang::VarDecl>(mention->getDecl());
    bool is_others = variable && variable->hasGlobalStorage() &&
                     is_size(variable->getType()) && !variable->getDefinition();
    return !is_others || give_all();
  }

  Axes conclude() {
    for (const clang::MemberExpr *member : members) {
      auto *field = llvm::cast<clang::FieldDecl>(member->getMemberDecl());
      if (!reads.count(member) && field->getFieldIndex() < 3)
        given[field->getFieldIndex()] = true;
    }
    return given;
  }

private:
  Axes given = {};
  std::vector<const clang::MemberExpr *> members;
  llvm::DenseSet<const clang::Expr *> reads;

  bool give_all() {
    given = {true, true, true};
    return true;
  }

  // A dim3, or what points or refers to some.
  static bool is_size(clang::QualType type) {
    while (!type->getPointeeType().isNull())
      type = type->getPointeeType();
    return is_dim3(clang::QualType(type->getBaseElementTypeUnsafe(), 0));
  }

  static bool is_one(const clang::Expr *expr) {
    if (auto *argument = llvm::dyn_cast<clang::CXXDefaultArgExpr>(expr))
      expr = argument->getExpr();
    auto *number =
        llvm::dyn_cast<clang::IntegerLiteral>(expr->IgnoreParenImpCasts());
    return number && number->getValue() == 1;
  }
};

} // namespace

Axes given_anywhere(clang::ASTContext &context) {
  const clang::SourceManager &sources = context.getSourceManager();
  Givers givers;
  for (clang::Decl *decl : context.getTranslationUnitDecl()->decls())
    if (!sources.isInSystemHeader(decl->getLocation()))
      givers.TraverseDecl(decl);
  return givers.conclude();
}

} // namespace host
