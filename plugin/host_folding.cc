// What folding makes of an expression, and execution might not.
//
// Clang computes what is constant while it compiles.  A function may ask
// whether that is so, and how large an object is, of which a compiler that
// optimises knows more; another file may replace it; the processor may round
// otherwise; two variables may have one address.  An expression that comes to
// any of this is no number.

#include "plugin/host.h"

#include "clang/AST/DynamicRecursiveASTVisitor.h"

namespace host {

namespace {

class Questions : public clang::DynamicRecursiveASTVisitor {
public:
  bool are_there = false;

  Questions(const clang::ASTContext &context_, bool has_own_terms_)
      : context(context_), has_own_terms(has_own_terms_) {
    ShouldVisitImplicitCode = true;
  }

  bool VisitStmt(clang::Stmt *s) override {
    enum { MOST = 5000 };
    auto *choice = llvm::dyn_cast<clang::IfStmt>(s);
    return note(++visited > MOST || (choice && choice->isConsteval()));
  }

  bool VisitCallExpr(clang::CallExpr *call) override {
    const clang::FunctionDecl *callee = call->getDirectCallee();
    auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(callee);
    if (!callee || (method && method->isVirtual()))
      return note(true);
    bool is_known = !callee->getBuiltinID() || callee->isInStdNamespace();
    return note(!is_known) && enter(callee);
  }

  bool VisitBinaryOperator(clang::BinaryOperator *expr) override {
    clang::QualType left = expr->getLHS()->getType(),
                    right = expr->getRHS()->getType();
    bool rounds = left->isRealFloatingType() || right->isRealFloatingType();
    bool computes = expr->isMultiplicativeOp() || expr->isAdditiveOp() ||
                    expr->isCompoundAssignmentOp();
    bool has_places = left->isAnyPointerType() && right->isAnyPointerType();
    return note((rounds && computes) ||
                (has_places && !expr->isAssignmentOp()));
  }

  bool VisitCXXConstructExpr(clang::CXXConstructExpr *made) override {
    return enter(made->getConstructor());
  }

  bool VisitCXXInheritedCtorInitExpr(
      clang::CXXInheritedCtorInitExpr *inherited) override {
    return enter(inherited->getConstructor());
  }

  // Nobody writes the call of what destroys it.
  bool VisitVarDecl(clang::VarDecl *variable) override {
    return note(variable->needsDestruction(context));
  }

  bool VisitCXXBindTemporaryExpr(clang::CXXBindTemporaryExpr *) override {
    return note(true);
  }

  bool VisitDeclRefExpr(clang::DeclRefExpr *mention) override {
    return enter_declared(mention->getDecl());
  }

  bool VisitMemberExpr(clang::MemberExpr *mention) override {
    return enter_declared(mention->getMemberDecl());
  }

private:
  const clang::ASTContext &context;
  bool has_own_terms; // local variables have terms of their own
  unsigned visited = 0;
  llvm::DenseSet<const void *> seen; // initialisers and functions

  bool note(bool is_question) {
    are_there |= is_question;
    return !are_there;
  }

  // Whoever mentions a function may call it.
  bool enter_declared(const clang::ValueDecl *declared) {
    if (auto *function = llvm::dyn_cast<clang::FunctionDecl>(declared))
      return enter(function);
    auto *variable = llvm::dyn_cast<clang::VarDecl>(declared);
    if (!variable || llvm::isa<clang::ParmVarDecl>(variable))
      return true;
    if (has_own_terms && variable->hasLocalStorage())
      return true;
    if (!note(is_replaceable(variable)))
      return false;
    auto *value = const_cast<clang::Expr *>(variable->getAnyInitializer());
    bool is_new = value && seen.insert(value).second;
    return !is_new || TraverseStmt(value);
  }

  bool enter(const clang::FunctionDecl *function) {
    const clang::FunctionDecl *body = nullptr;
    auto *made = llvm::dyn_cast<clang::CXXConstructorDecl>(function);
    if (!note(is_replaceable(function)))
      return false;
    if (!function->hasBody(body))
      return note(made && !made->isTrivial());
    if (!seen.insert(body).second)
      return true;
    made = llvm::dyn_cast<clang::CXXConstructorDecl>(body);
    if (made)
      for (const clang::CXXCtorInitializer *one : made->inits())
        if (!TraverseStmt(one->getInit()))
          return false;
    return TraverseStmt(body->getBody());
  }
};

} // namespace

bool is_same_when_folded(const clang::ASTContext &context,
                         const clang::Expr *expr) {
  Questions questions(context, false);
  questions.TraverseStmt(const_cast<clang::Expr *>(expr));
  return !questions.are_there;
}

bool is_same_over_variables(const clang::ASTContext &context,
                            const clang::Expr *expr) {
  Questions questions(context, true);
  questions.TraverseStmt(const_cast<clang::Expr *>(expr));
  return !questions.are_there;
}

} // namespace host
