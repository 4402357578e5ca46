// The closures that the user's lambdas make.
//
// Visitors of the tree come to lambdas that are expressions of the code.  Those
// in a type are none of them: an instance of an alias template has its closure
// in the type that it names.
//
// What a lambda has captured, its own body alone can name.  Another way to it
// is by the closure's bytes: from its address, as a member, a base or an
// element of what has one, as another type, or where code keeps it that is not
// read here, as std::function does.

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

bool is_scope(const clang::Decl *decl) {
  return llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl,
                   clang::ExportDecl>(decl);
}

void UsersCodeVisitor::traverse_users_decls(const clang::SourceManager &sources,
                                            clang::DeclContext *scope) {
  for (clang::Decl *decl : scope->decls())
    if (is_scope(decl))
      traverse_users_decls(sources, llvm::cast<clang::DeclContext>(decl));
    else if (!sources.isInSystemHeader(decl->getLocation()))
      TraverseDecl(decl);
}

void UsersCodeVisitor::traverse_users_code(clang::ASTContext &context) {
  const clang::SourceManager &sources = context.getSourceManager();
  traverse_users_decls(sources, context.getTranslationUnitDecl());
  for (const clang::CXXRecordDecl *closure : users_closures(context))
    if (!lambdas.count(closure))
      for (clang::FunctionDecl *called : call_operators(closure))
        TraverseDecl(called);
}

namespace {

class Opener : public UsersCodeVisitor {
public:
  bool has_opened = false;

  explicit Opener(clang::ASTContext &context_) : context(context_) {}

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
    has_opened |=
        (!callee || !is_only_named_by(*callee)) &&
        (have_closure(call->arguments()) || is_closure(call->getType()));
    return true;
  }

  bool VisitCXXConstructExpr(clang::CXXConstructExpr *made) override {
    const clang::CXXConstructorDecl *maker = made->getConstructor();
    has_opened |= !maker->getParent()->isLambda() &&
                  !is_only_named_by(*maker) && have_closure(made->arguments());
    return true;
  }

  bool VisitCXXThrowExpr(clang::CXXThrowExpr *thrown) override {
    has_opened |=
        thrown->getSubExpr() && is_closure(thrown->getSubExpr()->getType());
    return true;
  }

  // What it has in its frame, whoever makes the frame can change.
  bool VisitCoroutineBodyStmt(clang::CoroutineBodyStmt *) override {
    has_opened = true;
    return true;
  }

  // A block is as good as a lambda, and a pointer to what it has captured.
  bool VisitBlockExpr(clang::BlockExpr *block) override {
    has_opened |= block->getBlockDecl()->hasCaptures();
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
  clang::ASTContext &context;

  // Its code is read here, or it gives back what it gets.
  bool is_only_named_by(const clang::FunctionDecl &callee) const {
    unsigned builtin = callee.getBuiltinID();
    return builtin == clang::Builtin::BImove ||
           builtin == clang::Builtin::BIforward ||
           is_read_here(context, &callee);
  }

  template <typename Arguments> static bool have_closure(Arguments arguments) {
    for (const clang::Expr *argument : arguments)
      if (is_closure(argument->getType()))
        return true;
    return false;
  }

  // One that has captured something, a reference to one, or an array of some.
  static bool is_closure(clang::QualType type) {
    if (type.isNull())
      return false;
    type = type.getNonReferenceType();
    auto *record = type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
    return record && record->isLambda() && record->capture_size();
  }

  // A class of a template that is made for one may have one in it, and so may
  // a class within it.
  static bool holds(const clang::Type &type) {
    const clang::DeclContext *scope =
        type.getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
    for (; scope; scope = scope->getParent())
      if (auto *made =
              llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(scope))
        if (is_for_closures(made->getTemplateArgs().asArray()))
          return true;
    return false;
  }

  static bool is_for_closures(llvm::ArrayRef<clang::TemplateArgument> all) {
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
