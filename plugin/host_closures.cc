// The closures that the user's lambdas make.
//
// Visitors of the tree come to lambdas that are expressions of the code.  Those
// in a type are none of them: an instance of an alias template has its closure
// in the type that it names.
//
// What a lambda has captured, its own body alone can name.  Another way to it
// is by the closure's bytes: from its address, as a member or a base of what
// has one, as another type.

#include "plugin/host.h"

#include "clang/AST/DynamicRecursiveASTVisitor.h"

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

namespace {

class Opener : public clang::DynamicRecursiveASTVisitor {
public:
  bool has_opened = false;

  Opener() {
    ShouldVisitTemplateInstantiations = true;
    ShouldVisitImplicitCode = true;
  }

  bool VisitUnaryOperator(clang::UnaryOperator *expr) override {
    note(expr->getOpcode() == clang::UO_AddrOf, expr->getSubExpr()->getType());
    return true;
  }

  bool VisitCXXNewExpr(clang::CXXNewExpr *made) override {
    note(true, made->getAllocatedType());
    return true;
  }

  bool VisitFieldDecl(clang::FieldDecl *field) override {
    note(true, field->getType());
    return true;
  }

  bool VisitCXXRecordDecl(clang::CXXRecordDecl *record) override {
    if (record->hasDefinition())
      for (const clang::CXXBaseSpecifier &base : record->bases())
        note(true, base.getType());
    return true;
  }

  bool VisitCastExpr(clang::CastExpr *cast) override {
    clang::CastKind kind = cast->getCastKind();
    bool opens = kind == clang::CK_BitCast || kind == clang::CK_LValueBitCast ||
                 kind == clang::CK_LValueToRValueBitCast ||
                 kind == clang::CK_ArrayToPointerDecay;
    note(opens, cast->getType());
    note(opens, cast->getSubExpr()->getType());
    return true;
  }

  bool VisitCallExpr(clang::CallExpr *call) override {
    const clang::FunctionDecl *callee = call->getDirectCallee();
    std::string name = callee ? callee->getNameAsString() : "";
    bool opens = name == "addressof" || name == "__addressof" ||
                 name == "__builtin_addressof" || name == "bit_cast";
    note(opens, call->getType());
    return true;
  }

  // The host's has a way to each of its operands.
  bool VisitGCCAsmStmt(clang::GCCAsmStmt *statement) override {
    for (const clang::Expr *output : statement->outputs())
      note(true, output->getType());
    for (const clang::Expr *input : statement->inputs())
      note(true, input->getType());
    return true;
  }

private:
  void note(bool opens, clang::QualType type) {
    if (!opens || type.isNull())
      return;
    if (!type->getPointeeType().isNull())
      type = type->getPointeeType();
    type = clang::QualType(type->getBaseElementTypeUnsafe(), 0);
    const clang::CXXRecordDecl *record = type->getAsCXXRecordDecl();
    has_opened |= record && record->isLambda();
  }
};

} // namespace

bool opens_closures(clang::ASTContext &context) {
  const clang::SourceManager &sources = context.getSourceManager();
  Opener opener;
  for (clang::Decl *decl : context.getTranslationUnitDecl()->decls())
    if (!sources.isInSystemHeader(decl->getLocation()))
      opener.TraverseDecl(decl);
  for (const clang::CXXRecordDecl *closure : users_closures(context))
    for (clang::FunctionDecl *called : call_operators(closure))
      opener.TraverseDecl(called);
  return opener.has_opened;
}

} // namespace host
