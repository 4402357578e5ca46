// Of which dimensions the user's code gives sizes, wherever it does.
//
// What is launched with may come through parameters, members, pointers and
// calls.  All of it was a dim3 once that was made with sizes, whose members
// were set, or that came from outside of the file.  Whoever has a pointer to
// one, or to what holds one, can set it: as bytes, as another type, in code
// that the file does not have.

#include "plugin/host_visitor.h"

namespace host {

namespace {

// The classes of which an object has sizes in it, or leads to some; and their
// bases, for who has an object by its base may know what else it is.
class Holders {
public:
  explicit Holders(clang::ASTContext &context)
      : has_opened(opens_closures(context)) {
    std::vector<const clang::CXXRecordDecl *> classes;
    for (const clang::Type *type : context.getTypes()) {
      auto *record = llvm::dyn_cast<clang::RecordType>(type);
      auto *known = record ? record->getAsCXXRecordDecl() : nullptr;
      if (known && known->getDefinition() && !known->isDependentContext())
        classes.push_back(known->getDefinition());
    }
    for (size_t before = ~size_t{0}; before != size();) {
      before = size();
      for (const clang::CXXRecordDecl *one : classes)
        add(one);
    }
  }

  bool holds(clang::QualType type) const {
    const clang::CXXRecordDecl *record = class_of(type);
    return record &&
           (is_numbers(record) || holders.count(record->getCanonicalDecl()));
  }

  // A copy, or one that is constant, leads to sizes that can be set.
  bool leads(clang::QualType type) const {
    const clang::CXXRecordDecl *record = class_of(type);
    return record && leaders.count(record->getCanonicalDecl());
  }

  static const clang::CXXRecordDecl *class_of(clang::QualType type) {
    const clang::Type *inner = nullptr;
    while (inner != type.getTypePtr()) {
      inner = type.getTypePtr();
      if (!type->getPointeeType().isNull())
        type = type->getPointeeType();
      type = clang::QualType(type->getBaseElementTypeUnsafe(), 0);
    }
    return type->getAsCXXRecordDecl();
  }

  // What a dim3 may be made of is as good as one.
  static bool is_numbers(const clang::CXXRecordDecl *record) {
    bool is_uint3 = record->getIdentifier() && record->getName() == "uint3" &&
                    record->getDeclContext()->isTranslationUnit();
    return is_uint3 ||
           is_dim3(record->getASTContext().getCanonicalTagType(record));
  }

private:
  llvm::DenseSet<const clang::CXXRecordDecl *> holders, leaders;
  bool has_opened; // closures are as other objects

  bool is_way(clang::QualType type) const {
    type = clang::QualType(type->getBaseElementTypeUnsafe(), 0);
    return leads(type) || (!type->getPointeeType().isNull() && holds(type));
  }

  size_t size() const { return holders.size() + leaders.size(); }

  // What a lambda has captured its own body alone changes.
  void add(const clang::CXXRecordDecl *one) {
    bool is_holder = holders.count(one->getCanonicalDecl());
    bool is_leader = false, is_closed = one->isLambda() && !has_opened;
    for (const clang::FieldDecl *field : one->fields()) {
      is_holder |= !is_closed && holds(field->getType());
      is_leader |= !is_closed && is_way(field->getType());
    }
    for (const clang::CXXBaseSpecifier &base : one->bases()) {
      is_holder |= holds(base.getType());
      is_leader |= leads(base.getType());
    }
    if (is_leader)
      leaders.insert(one->getCanonicalDecl());
    if (!is_holder)
      return;
    holders.insert(one->getCanonicalDecl());
    for (const clang::CXXBaseSpecifier &base : one->bases())
      if (auto *record = base.getType()->getAsCXXRecordDecl())
        holders.insert(record->getCanonicalDecl());
  }
};

class Givers : public UsersCodeVisitor {
public:
  explicit Givers(clang::ASTContext &context_)
      : context(context_), holders(context_) {}

  bool VisitCXXConstructExpr(clang::CXXConstructExpr *made) override {
    const clang::CXXConstructorDecl *maker = made->getConstructor();
    if (!is_dim3(made->getType()))
      return is_read(maker) || !hands(made->getType(), made->arguments()) ||
             give_all();
    if (maker->isCopyOrMoveConstructor())
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
      visits[member]++;
    return true;
  }

  bool VisitBinaryOperator(clang::BinaryOperator *expr) override {
    if (expr->isAssignmentOp())
      note_target(expr->getLHS()->IgnoreParens());
    return true;
  }

  bool VisitUnaryOperator(clang::UnaryOperator *expr) override {
    if (expr->isIncrementDecrementOp())
      note_target(expr->getSubExpr()->IgnoreParens());
    return true;
  }

  bool VisitCastExpr(clang::CastExpr *cast) override {
    const clang::Expr *from = cast->getSubExpr();
    if (cast->getCastKind() == clang::CK_LValueToRValue)
      uses[from->IgnoreParens()]++;
    bool holds = holders.holds(from->getType());
    bool is_same = holds == holders.holds(cast->getType()) &&
                   !(holds && makes_another(cast->getCastKind()));
    return is_same || is_by_type(cast->getCastKind()) || give_all();
  }

  // Of an object that ends, code that is not read may change it.
  bool VisitCXXRecordDecl(clang::CXXRecordDecl *record) override {
    const clang::CXXDestructorDecl *end =
        record->hasDefinition() && !record->isDependentContext()
            ? record->getDestructor()
            : nullptr;
    clang::QualType type = context.getCanonicalTagType(record);
    return !end || is_read(end) ||
           !(holders.holds(type) || holders.leads(type)) || give_all();
  }

  bool VisitVarDecl(clang::VarDecl *variable) override {
    auto *cleanup = variable->getAttr<clang::CleanupAttr>();
    clang::QualType type = variable->getType();
    return !cleanup || is_read(cleanup->getFunctionDecl()) ||
           !(holders.holds(type) || holders.leads(type)) || give_all();
  }

  // template <auto &size> of the member of a variable
  bool VisitClassTemplateSpecializationDecl(
      clang::ClassTemplateSpecializationDecl *made) override {
    return !names_part(made->getTemplateArgs().asArray()) || give_all();
  }

  bool VisitVarTemplateSpecializationDecl(
      clang::VarTemplateSpecializationDecl *made) override {
    return !names_part(made->getTemplateArgs().asArray()) || give_all();
  }

  bool VisitFunctionDecl(clang::FunctionDecl *made) override {
    const clang::TemplateArgumentList *all =
        made->getTemplateSpecializationArgs();
    return !all || !names_part(all->asArray()) || give_all();
  }

  // Each name is a member.
  bool VisitDecompositionDecl(clang::DecompositionDecl *names) override {
    return !is_size(names->getType()) || give_all();
  }

  // What one member is set to, another one is read as.
  bool VisitRecordDecl(clang::RecordDecl *record) override {
    bool holds = false;
    for (const clang::FieldDecl *field : record->fields())
      holds |= record->isUnion() && holders.holds(field->getType());
    return !holds || give_all();
  }

  bool VisitCallExpr(clang::CallExpr *call) override {
    if (is_read(call->getDirectCallee()))
      return true;
    auto *method = llvm::dyn_cast<clang::CXXMemberCallExpr>(call);
    bool is_lent = method && method->getImplicitObjectArgument() &&
                   lends(method->getImplicitObjectArgument());
    return !(is_lent || hands(call->getType(), call->arguments())) ||
           give_all();
  }

  // A constructor by the name of a class that is derived from its own.
  bool VisitCXXInheritedCtorInitExpr(
      clang::CXXInheritedCtorInitExpr *made) override {
    return !holders.holds(made->getType()) || give_all();
  }

  // uint3{4, rows, 1}
  bool VisitInitListExpr(clang::InitListExpr *made) override {
    const clang::CXXRecordDecl *record = made->getType()->getAsCXXRecordDecl();
    return !(record && Holders::is_numbers(record)) || give_all();
  }

  bool VisitVAArgExpr(clang::VAArgExpr *argument) override {
    return !holders.holds(argument->getType()) || give_all();
  }

  bool VisitCXXCatchStmt(clang::CXXCatchStmt *caught) override {
    return caught->getCaughtType().isNull() ||
           !holders.holds(caught->getCaughtType()) || give_all();
  }

  bool VisitDeclRefExpr(clang::DeclRefExpr *mention) override {
    const clang::ValueDecl *decl = mention->getDecl();
    auto *variable = llvm::dyn_cast<clang::VarDecl>(decl);
    auto *field = llvm::dyn_cast<clang::FieldDecl>(decl); // &dim3::y
    bool is_others = variable && variable->hasGlobalStorage() &&
                     holders.holds(variable->getType()) &&
                     !variable->getDefinition();
    bool is_members =
        field && is_dim3(context.getCanonicalTagType(field->getParent()));
    return !(is_others || is_members) || give_all();
  }

  // From the address of one member it is not far to the others.
  Axes conclude() {
    for (auto &[member, count] : visits)
      if (uses[member] < count)
        give_all();
    return given;
  }

private:
  const clang::ASTContext &context;
  Holders holders;
  Axes given = {};
  // Instances of a template share what does not depend on it.
  llvm::DenseMap<const clang::Expr *, unsigned> visits, uses;

  bool give_all() {
    given = {true, true, true};
    return true;
  }

  bool names_part(llvm::ArrayRef<clang::TemplateArgument> all) const {
    bool found = false;
    for (const clang::TemplateArgument &one : all) {
      if (one.getKind() == clang::TemplateArgument::Pack)
        found |= names_part(one.getPackAsArray());
      if (one.getKind() != clang::TemplateArgument::StructuralValue)
        continue;
      const clang::APValue &value = one.getAsStructuralValue();
      auto *variable =
          value.isLValue()
              ? value.getLValueBase().dyn_cast<const clang::ValueDecl *>()
              : nullptr;
      found |= variable && (holders.holds(variable->getType()) ||
                            holders.leads(variable->getType()));
    }
    return found;
  }

  void note_target(const clang::Expr *target) {
    uses[target]++;
    auto *member = llvm::dyn_cast<clang::MemberExpr>(target);
    auto *field =
        member ? llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl())
               : nullptr;
    if (field && is_size(member->getBase()->getType()) &&
        field->getFieldIndex() < 3)
      given[field->getFieldIndex()] = true;
  }

  static bool makes_another(clang::CastKind kind) {
    return kind == clang::CK_BitCast || kind == clang::CK_LValueBitCast ||
           kind == clang::CK_LValueToRValueBitCast;
  }

  // Who uses what comes of it, names the members as such.
  static bool is_by_type(clang::CastKind kind) {
    return kind == clang::CK_ConstructorConversion ||
           kind == clang::CK_UserDefinedConversion ||
           kind == clang::CK_ToVoid || kind == clang::CK_NullToPointer ||
           kind == clang::CK_PointerToBoolean || kind == clang::CK_Dependent;
  }

  // What is passed is a place that can be set.
  bool lends(const clang::Expr *argument) {
    clang::QualType type = argument->getType();
    if (holders.leads(type))
      return true;
    if (!type->getPointeeType().isNull())
      type = type->getPointeeType();
    else if (!argument->isGLValue() ||
             llvm::isa<clang::MaterializeTemporaryExpr>(argument))
      return false;
    return !type.isConstQualified() && holders.holds(type);
  }

  // Of code that is not read: what it makes, and what it can set.
  template <typename Arguments>
  bool hands(clang::QualType result, Arguments arguments) {
    bool is_handed = holders.holds(result);
    for (const clang::Expr *argument : arguments)
      is_handed |= lends(argument);
    return is_handed;
  }

  // Its body is in the user's code, and visited; another one may override it.
  bool is_read(const clang::FunctionDecl *callee) const {
    const clang::FunctionDecl *body = nullptr;
    if (!callee)
      return false;
    if (callee->isDefaulted() || callee->isImplicit())
      return true;
    auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
    bool is_virtual = method && method->isVirtual();
    return !is_virtual && callee->hasBody(body) &&
           !context.getSourceManager().isInSystemHeader(body->getLocation());
  }

  // A dim3, or what points or refers to some.
  bool is_size(clang::QualType type) const {
    const clang::CXXRecordDecl *record = Holders::class_of(type);
    return record && Holders::is_numbers(record);
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
  Givers givers(context);
  givers.traverse_users_code(context);
  return givers.conclude();
}

} // namespace host
