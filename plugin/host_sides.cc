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
static bool is_aligned_at_will(const clang::Decl *decl) {
  for (auto *attribute : decl->specific_attrs<clang::AlignedAttr>())
    if (!attribute->isAlignmentExpr() || !attribute->getAlignmentExpr())
      return true;
  return false;
}

// Its size is what an expression said, which is gone.
static bool has_forgotten_size(clang::QualType type) {
  auto *made = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(
      type->getAsRecordDecl());
  if (made)
    for (const clang::TemplateArgument &one : made->getTemplateArgs().asArray())
      if (one.getKind() != clang::TemplateArgument::Type)
        return true;
  return type->isVectorType() || type->isBitIntType();
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
    clang::QualType type = e->getTypeOfArgument();
    return note(is_otherwise(type, 0)) && note(!are_bounds_seen(e));
  }

  bool VisitOffsetOfExpr(clang::OffsetOfExpr *offset) override {
    return note(offset->getNumComponents() > 0);
  }

  bool VisitIntegerLiteral(clang::IntegerLiteral *e) override {
    return note(is_predefined(e));
  }
  bool VisitFloatingLiteral(clang::FloatingLiteral *e) override {
    return note(is_predefined(e));
  }

  bool VisitCallExpr(clang::CallExpr *call) override {
    const clang::FunctionDecl *callee = call->getDirectCallee();
    auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(callee);
    if (!callee || (method && method->isVirtual()))
      return note(true);
    unsigned builtin = callee->getBuiltinID();
    bool is_question =
        builtin == clang::Builtin::BI__builtin_is_constant_evaluated ||
        builtin == clang::Builtin::BI__builtin_object_size ||
        builtin == clang::Builtin::BI__builtin_dynamic_object_size;
    return note(is_question) && enter(callee);
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
  unsigned visited = 0;
  llvm::DenseSet<const void *> seen; // initialisers and functions

  bool note(bool is_different) {
    are_there |= is_different;
    return !are_there;
  }

  // How long an array is an expression says where it is declared.
  bool visit_bounds(const clang::DeclaratorDecl *declared) {
    const clang::TypeSourceInfo *written = declared->getTypeSourceInfo();
    bool is_array = declared->getType()->isArrayType();
    return !is_array || (note(!written) && visit_bounds(written->getTypeLoc()));
  }

  bool visit_bounds(clang::TypeLoc written) {
    for (;;) {
      written = written.getUnqualifiedLoc().IgnoreParens();
      auto array = written.getAs<clang::ArrayTypeLoc>();
      if (!array)
        return note(written.getType()->isArrayType()); // by another name
      if (array.getSizeExpr() && !TraverseStmt(array.getSizeExpr()))
        return false;
      written = array.getElementLoc();
    }
  }

  // Is it an array whose declaration is visited?
  bool are_bounds_seen(const clang::UnaryExprOrTypeTraitExpr *e) {
    if (!e->getTypeOfArgument()->isArrayType())
      return true;
    if (e->isArgumentType())
      return visit_bounds(e->getArgumentTypeInfo()->getTypeLoc());
    const clang::Expr *place = e->getArgumentExpr()->IgnoreParens();
    while (auto *element = llvm::dyn_cast<clang::ArraySubscriptExpr>(place))
      place = element->getBase()->IgnoreParenImpCasts();
    const clang::ValueDecl *declared = nullptr;
    if (auto *mention = llvm::dyn_cast<clang::DeclRefExpr>(place))
      declared = mention->getDecl();
    if (auto *mention = llvm::dyn_cast<clang::MemberExpr>(place))
      declared = mention->getMemberDecl();
    return llvm::isa<clang::StringLiteral>(place) ||
           (declared && declared->getType()->isArrayType());
  }

  // Has it, or a part of it, another size or alignment?
  bool is_otherwise(clang::QualType type, unsigned depth) {
    enum { DEEPEST = 8 };
    if (depth == DEEPEST || type->isDependentType() ||
        type->isAnyComplexType() || is_list_of_arguments(type) ||
        has_forgotten_size(type) ||
        type->isSpecificBuiltinType(clang::BuiltinType::LongDouble))
      return true;
    if (auto *array = type->getAsArrayTypeUnsafe())
      return is_otherwise(array->getElementType(), depth + 1);
    const clang::RecordDecl *record = type->getAsRecordDecl();
    return record && is_record_otherwise(record->getDefinition(), depth);
  }

  bool is_record_otherwise(const clang::RecordDecl *record, unsigned depth) {
    if (!record || !visit_alignment(record))
      return true;
    for (const clang::FieldDecl *field : record->fields())
      if (!visit_alignment(field) || !visit_bounds(field) ||
          (field->isBitField() && !TraverseStmt(field->getBitWidth())) ||
          is_otherwise(field->getType(), depth + 1))
        return true;
    auto *made = llvm::dyn_cast<clang::CXXRecordDecl>(record);
    if (made)
      for (const clang::CXXBaseSpecifier &base : made->bases())
        if (is_otherwise(base.getType(), depth + 1))
          return true;
    return false;
  }

  bool visit_alignment(const clang::Decl *decl) {
    if (is_aligned_at_will(decl))
      return false;
    for (auto *attribute : decl->specific_attrs<clang::AlignedAttr>())
      if (!TraverseStmt(attribute->getAlignmentExpr()))
        return false;
    return true;
  }

  // Whoever mentions a function may call it.
  bool enter_declared(const clang::ValueDecl *declared) {
    clang::Expr *value = nullptr;
    if (auto *function = llvm::dyn_cast<clang::FunctionDecl>(declared))
      return enter(function);
    auto *variable = llvm::dyn_cast<clang::VarDecl>(declared);
    if (variable && !llvm::isa<clang::ParmVarDecl>(variable))
      value = const_cast<clang::Expr *>(variable->getAnyInitializer());
    if (auto *one = llvm::dyn_cast<clang::EnumConstantDecl>(declared))
      value = const_cast<clang::Expr *>(one->getInitExpr());
    auto *with_type = llvm::dyn_cast<clang::DeclaratorDecl>(declared);
    bool is_new = value && seen.insert(value).second;
    return note(!visit_alignment(declared)) &&
           (!with_type || visit_bounds(with_type)) &&
           (!is_new || TraverseStmt(value));
  }

  bool enter(const clang::FunctionDecl *function) {
    const clang::FunctionDecl *body = nullptr;
    auto *made = llvm::dyn_cast<clang::CXXConstructorDecl>(function);
    if (!note(is_devices_alone(function)))
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
