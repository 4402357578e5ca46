// The closures that the user's lambdas make.
//
// Visitors of the tree come to lambdas that are expressions of the code.  Those
// in a type are none of them: an instance of an alias template has its closure
// in the type that it names.
//
// What a lambda has captured, its own body alone can name.  Another way to it
// is by the closure's bytes: from its address, as a member, a base or an
// element of what has one, as another type.  A class of the library's that does
// not name the closure may keep one, too, as std::function does.

#include "plugin/host_visitor.h"

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

bool UsersCodeVisitor::TraverseLambdaExpr(clang::LambdaExpr *lambda) {
  lambdas.insert(lambda->getLambdaClass());
  return clang::DynamicRecursiveASTVisitor::TraverseLambdaExpr(lambda);
}

void UsersCodeVisitor::traverse_users_code(clang::ASTContext &context) {
  const clang::SourceManager &sources = context.getSourceManager();
  for (clang::Decl *decl : context.getTranslationUnitDecl()->decls())
    if (!sources.isInSystemHeader(decl->getLocation()))
      TraverseDecl(decl);
  for (const clang::CXXRecordDecl *closure : users_closures(context))
    if (!lambdas.count(closure))
      for (clang::FunctionDecl *called : call_operators(closure))
        TraverseDecl(called);
}

namespace {

class Opener : public UsersCodeVisitor {
public:
  bool has_opened = false;

  explicit Opener(const clang::ASTContext &context) {
    while (add_keepers(context))
      ;
  }

  bool VisitExpr(clang::Expr *expr) override {
    const clang::Type *type = expr->getType().getTypePtrOrNull();
    has_opened |= type && (is_closure(type->getPointeeType()) || holds(*type));
    return true;
  }

  bool VisitFieldDecl(clang::FieldDecl *field) override {
    has_opened |= is_closure(field->getType());
    return true;
  }

  bool VisitCXXRecordDecl(clang::CXXRecordDecl *record) override {
    if (record->hasDefinition())
      for (const clang::CXXBaseSpecifier &base : record->bases())
        has_opened |= is_closure(base.getType());
    return true;
  }

  bool VisitCastExpr(clang::CastExpr *cast) override {
    clang::CastKind kind = cast->getCastKind();
    bool is_another = kind == clang::CK_LValueBitCast ||
                      kind == clang::CK_LValueToRValueBitCast;
    has_opened |= is_another && (is_closure(cast->getType()) ||
                                 is_closure(cast->getSubExpr()->getType()));
    return true;
  }

  bool VisitCallExpr(clang::CallExpr *call) override {
    const clang::FunctionDecl *callee = call->getDirectCallee();
    has_opened |= callee && callee->getIdentifier() &&
                  callee->getName() == "bit_cast" &&
                  is_closure(call->getType());
    return true;
  }

  // The host's has a way to each of its operands.
  bool VisitGCCAsmStmt(clang::GCCAsmStmt *statement) override {
    for (const clang::Expr *output : statement->outputs())
      has_opened |= is_closure(output->getType());
    for (const clang::Expr *input : statement->inputs())
      has_opened |= is_closure(input->getType());
    return true;
  }

private:
  std::set<const clang::CXXRecordDecl *> keepers;

  // Classes of the library's of which a function is made for closures.
  bool add_keepers(const clang::ASTContext &context) {
    const clang::SourceManager &sources = context.getSourceManager();
    size_t before = keepers.size();
    for (const clang::Type *type : context.getTypes()) {
      auto *as_record = llvm::dyn_cast<clang::RecordType>(type);
      auto *record = as_record ? as_record->getAsCXXRecordDecl() : nullptr;
      if (record && sources.isInSystemHeader(record->getLocation()) &&
          keeps(*record))
        keepers.insert(record->getCanonicalDecl());
    }
    return keepers.size() > before;
  }

  bool keeps(const clang::CXXRecordDecl &record) const {
    for (const clang::Decl *member : record.decls())
      if (auto *made = llvm::dyn_cast<clang::FunctionTemplateDecl>(member))
        for (const clang::FunctionDecl *function : made->specializations())
          if (is_for_closures(
                  function->getTemplateSpecializationArgs()->asArray()))
            return true;
    return false;
  }

  // One, a reference to one, or an array of some, or of what keeps one.
  bool is_closure(clang::QualType type) const {
    if (type.isNull())
      return false;
    type = type.getNonReferenceType();
    auto *record = type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
    return record &&
           (record->isLambda() || keepers.count(record->getCanonicalDecl()));
  }

  // A class of a template that is made for one may have one in it.
  bool holds(const clang::Type &type) const {
    auto *made = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(
        type.getBaseElementTypeUnsafe()->getAsCXXRecordDecl());
    return made && is_for_closures(made->getTemplateArgs().asArray());
  }

  bool is_for_closures(llvm::ArrayRef<clang::TemplateArgument> all) const {
    for (const clang::TemplateArgument &one : all)
      if ((one.getKind() == clang::TemplateArgument::Type &&
           (is_closure(one.getAsType()) || holds(*one.getAsType()))) ||
          (one.getKind() == clang::TemplateArgument::Pack &&
           is_for_closures(one.getPackAsArray())))
        return true;
    return false;
  }
};

} // namespace

bool opens_closures(clang::ASTContext &context) {
  Opener opener(context);
  opener.traverse_users_code(context);
  return opener.has_opened;
}

} // namespace host
