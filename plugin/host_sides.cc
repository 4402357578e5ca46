// What the compilation for the device sees otherwise than the one for the host.
//
// Clang reads host code while it compiles for the device.  Then some types have
// other sizes, predefined macros say other things, and what is of both sides
// calls functions of the device.  It also folds a function of which it matters
// whether that is done while compiling.  An expression that comes to any of
// this is no number.

#include "plugin/host.h"

#include "clang/AST/DynamicRecursiveASTVisitor.h"

namespace host {

// ----------------------------------------------------------------- types ---

static bool is_list_of_arguments(clang::QualType type) {
  for (auto *named = type->getAs<clang::TypedefType>(); named;
       named = type->getAs<clang::TypedefType>()) {
    if (named->getDecl()->getName().contains("va_list"))
      return true;
    type = named->getDecl()->getUnderlyingType();
  }
  return false;
}

// As much as the target likes.
static bool is_aligned_at_will(const clang::RecordDecl *record) {
  for (auto *attribute : record->specific_attrs<clang::AlignedAttr>())
    if (!attribute->isAlignmentExpr() || !attribute->getAlignmentExpr())
      return true;
  return false;
}

static bool is_otherwise(clang::QualType type, unsigned depth);

static bool is_record_otherwise(const clang::RecordDecl *record,
                                unsigned depth) {
  record = record->getDefinition();
  if (!record || is_aligned_at_will(record))
    return true;
  for (const clang::FieldDecl *field : record->fields())
    if (is_otherwise(field->getType(), depth + 1))
      return true;
  auto *made = llvm::dyn_cast<clang::CXXRecordDecl>(record);
  if (made)
    for (const clang::CXXBaseSpecifier &base : made->bases())
      if (is_otherwise(base.getType(), depth + 1))
        return true;
  return false;
}

// Has it, or a part of it, another size or alignment?
static bool is_otherwise(clang::QualType type, unsigned depth) {
  enum { DEEPEST = 8 };
  if (depth == DEEPEST || type->isDependentType() || type->isAnyComplexType() ||
      is_list_of_arguments(type) ||
      type->isSpecificBuiltinType(clang::BuiltinType::LongDouble))
    return true;
  if (auto *array = type->getAsArrayTypeUnsafe())
    return is_otherwise(array->getElementType(), depth + 1);
  const clang::RecordDecl *record = type->getAsRecordDecl();
  return record && is_record_otherwise(record, depth);
}

// ----------------------------------------------------------- expressions ---

bool is_devices_alone(const clang::FunctionDecl *function) {
  return function->hasAttr<clang::CUDADeviceAttr>() &&
         !function->hasAttr<clang::CUDAHostAttr>();
}

namespace {

class Differences : public clang::DynamicRecursiveASTVisitor {
public:
  bool are_there = false;

  explicit Differences(const clang::ASTContext &context_) : context(context_) {
    ShouldVisitImplicitCode = true;
  }

  bool VisitStmt(clang::Stmt *s) override {
    enum { MOST = 5000 };
    auto *expr = llvm::dyn_cast<clang::Expr>(s);
    auto *choice = llvm::dyn_cast<clang::IfStmt>(s);
    return note(++visited > MOST || (choice && choice->isConsteval()) ||
                (expr && expr->getType()->isSpecificBuiltinType(
                             clang::BuiltinType::LongDouble)));
  }

  bool
  VisitUnaryExprOrTypeTraitExpr(clang::UnaryExprOrTypeTraitExpr *e) override {
    return note(is_otherwise(e->getTypeOfArgument(), 0));
  }

  bool VisitIntegerLiteral(clang::IntegerLiteral *e) override {
    return note(is_predefined(e));
  }
  bool VisitFloatingLiteral(clang::FloatingLiteral *e) override {
    return note(is_predefined(e));
  }

  bool VisitCallExpr(clang::CallExpr *call) override {
    const clang::FunctionDecl *callee = call->getDirectCallee();
    if (!callee)
      return true;
    bool is_question = callee->getBuiltinID() ==
                       clang::Builtin::BI__builtin_is_constant_evaluated;
    return note(is_question || is_devices_alone(callee)) && enter(callee);
  }

  bool VisitCXXConstructExpr(clang::CXXConstructExpr *made) override {
    return enter(made->getConstructor());
  }

  bool VisitDeclRefExpr(clang::DeclRefExpr *mention) override {
    clang::Expr *value = nullptr;
    if (auto *variable = llvm::dyn_cast<clang::VarDecl>(mention->getDecl()))
      value = const_cast<clang::Expr *>(variable->getAnyInitializer());
    if (auto *one = llvm::dyn_cast<clang::EnumConstantDecl>(mention->getDecl()))
      value = one->getInitExpr();
    bool is_new = value && seen.insert(value).second;
    return !is_new || TraverseStmt(value);
  }

private:
  const clang::ASTContext &context;
  unsigned visited = 0;
  llvm::DenseSet<const void *> seen; // initialisers and functions

  bool note(bool is_different) {
    are_there |= is_different;
    return !are_there;
  }

  bool enter(const clang::FunctionDecl *function) {
    const clang::FunctionDecl *body = nullptr;
    return !function->hasBody(body) || !seen.insert(body).second ||
           TraverseStmt(body->getBody());
  }

  // Macros that clang makes itself.
  bool is_predefined(const clang::Expr *literal) const {
    const clang::SourceManager &sources = context.getSourceManager();
    return sources.isWrittenInBuiltinFile(
        sources.getSpellingLoc(literal->getExprLoc()));
  }
};

} // namespace

bool is_same_for_host(const clang::ASTContext &context,
                      const clang::Expr *expr) {
  Differences differences(context);
  differences.TraverseStmt(const_cast<clang::Expr *>(expr));
  return !differences.are_there;
}

} // namespace host
