// Which negative numbers the file shows to come to a launch.
//
// What no fact says of an argument, an assumption may, and one that the file
// itself gives the lie is none that anybody would make.  So everything counts
// that the user's code gives a variable, a member or a parameter anywhere: its
// initial value, what is assigned, what calls pass, where a loop begins and
// how far down it goes.  Which of them is there when the kernel is launched
// nobody asks.  Nothing is followed through what functions return or what
// memory holds, so this is no proof that an argument is not negative
// (SOUND(arguments-not-negative)).

#include "plugin/host.h"

#include "clang/AST/DynamicRecursiveASTVisitor.h"

namespace host {

namespace {

class Collector : public clang::DynamicRecursiveASTVisitor {
public:
  explicit Collector(Negatives &found_) : found(found_) {
    ShouldVisitTemplateInstantiations = true;
    ShouldVisitImplicitCode = true;
  }

  bool VisitVarDecl(clang::VarDecl *variable) override {
    if (!llvm::isa<clang::ParmVarDecl>(variable))
      add(variable, variable->getInit());
    return true;
  }

  bool VisitFieldDecl(clang::FieldDecl *field) override {
    add(field, field->getInClassInitializer());
    return true;
  }

  bool VisitCXXConstructorDecl(clang::CXXConstructorDecl *maker) override {
    for (const clang::CXXCtorInitializer *init : maker->inits())
      if (init->isMemberInitializer())
        add(init->getMember(), init->getInit());
    return true;
  }

  bool VisitInitListExpr(clang::InitListExpr *list) override {
    const clang::RecordDecl *record = list->getType()->getAsRecordDecl();
    unsigned i = 0;
    for (; record && !record->isUnion() && i < list->getNumInits(); i++)
      if (const clang::FieldDecl *field = field_at(record, i))
        add(field, list->getInit(i));
    return true;
  }

  bool VisitBinaryOperator(clang::BinaryOperator *expr) override {
    if (expr->getOpcode() == clang::BO_Assign)
      add(named(expr->getLHS()), expr->getRHS());
    return true;
  }

  // for (i = n; i >= -1; i--)
  bool VisitForStmt(clang::ForStmt *loop) override {
    auto *until = llvm::dyn_cast_or_null<clang::BinaryOperator>(
        loop->getCond() ? loop->getCond()->IgnoreParenImpCasts() : nullptr);
    const clang::ValueDecl *counter =
        until ? named(until->getLHS()->IgnoreParenImpCasts()) : nullptr;
    if (!counter)
      return true;
    found.counters.insert(counter);
    if (until->getOpcode() == clang::BO_GE)
      add(counter, until->getRHS());
    if (until->getOpcode() == clang::BO_GT)
      add(counter, until->getRHS(), 1);
    return true;
  }

  bool VisitCallExpr(clang::CallExpr *call) override {
    const clang::FunctionDecl *callee = call->getDirectCallee();
    auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(callee);
    bool is_objects = llvm::isa<clang::CXXOperatorCallExpr>(call) && method &&
                      method->isImplicitObjectMemberFunction();
    if (callee)
      add_arguments(callee, call->arguments(), is_objects);
    return true;
  }

  bool VisitCXXConstructExpr(clang::CXXConstructExpr *made) override {
    add_arguments(made->getConstructor(), made->arguments(), 0);
    return true;
  }

  static const clang::ValueDecl *named(const clang::Expr *place) {
    place = place->IgnoreParens();
    if (auto *member = llvm::dyn_cast<clang::MemberExpr>(place))
      return member->getMemberDecl();
    auto *mention = llvm::dyn_cast<clang::DeclRefExpr>(place);
    return mention ? mention->getDecl() : nullptr;
  }

private:
  Negatives &found;

  void add(const clang::ValueDecl *to, const clang::Expr *value,
           int64_t more = 0) {
    if (to && value && !value->isInstantiationDependent())
      found.given[Negatives::one_for(to)].push_back({value, more});
  }

  static const clang::FieldDecl *field_at(const clang::RecordDecl *record,
                                          unsigned index) {
    for (const clang::FieldDecl *field : record->fields())
      if (field->getFieldIndex() == index)
        return field;
    return nullptr;
  }

  template <typename Arguments>
  void add_arguments(const clang::FunctionDecl *callee, Arguments arguments,
                     unsigned skipped) {
    unsigned i = 0;
    for (const clang::Expr *argument : arguments)
      if (i++ >= skipped && i - skipped <= callee->getNumParams())
        add(callee->getParamDecl(i - skipped - 1), argument);
  }
};

} // namespace

// Of the declarations of a function, each has parameters of its own.
const clang::ValueDecl *Negatives::one_for(const clang::ValueDecl *decl) {
  auto *parameter = llvm::dyn_cast<clang::ParmVarDecl>(decl);
  auto *function =
      parameter
          ? llvm::dyn_cast<clang::FunctionDecl>(parameter->getDeclContext())
          : nullptr;
  if (!function)
    return llvm::cast<clang::ValueDecl>(decl->getCanonicalDecl());
  return function->getCanonicalDecl()->getParamDecl(
      parameter->getFunctionScopeIndex());
}

Negatives::Negatives(clang::ASTContext &context_) : context(context_) {
  const clang::SourceManager &sources = context.getSourceManager();
  Collector collector(*this);
  for (clang::Decl *decl : context.getTranslationUnitDecl()->decls())
    if (!sources.isInSystemHeader(decl->getLocation()))
      collector.TraverseDecl(decl);
  for (const clang::CXXRecordDecl *closure : users_closures(context))
    for (clang::FunctionDecl *called : call_operators(closure))
      collector.TraverseDecl(called);
}

bool Negatives::is_shown(const clang::Expr *expr,
                         const clang::CallExpr *caller_) {
  caller = caller_;
  asked.clear();
  return is_below(expr, 0);
}

// Is it a number that is less than `bound`, or may it be one?
bool Negatives::is_below(const clang::Expr *expr, int64_t bound) {
  clang::Expr::EvalResult result;
  if (!expr || expr->isInstantiationDependent() || !is_integer(expr->getType()))
    return false;
  if (expr->EvaluateAsInt(result, context))
    return result.Val.getInt() < bound;
  expr = expr->IgnoreParenCasts();
  if (auto *argument = llvm::dyn_cast<clang::CXXDefaultArgExpr>(expr))
    return is_below(argument->getExpr(), bound);
  if (auto *choice = llvm::dyn_cast<clang::ConditionalOperator>(expr))
    return is_below(choice->getTrueExpr(), bound) ||
           is_below(choice->getFalseExpr(), bound);
  if (auto *sum = llvm::dyn_cast<clang::BinaryOperator>(expr))
    return sum->isAdditiveOp() && is_sum_below(sum, bound);
  const clang::ValueDecl *decl = Collector::named(expr);
  return decl && is_one_below(decl, bound);
}

// x + 1, x - 1; but not a sum of sums: a loop may go on by such.
bool Negatives::is_sum_below(const clang::BinaryOperator *sum, int64_t bound) {
  clang::Expr::EvalResult result;
  if (bound || !sum->getRHS()->EvaluateAsInt(result, context) ||
      result.Val.getInt().getSignificantBits() > 32)
    return false;
  int64_t number = result.Val.getInt().getExtValue();
  return is_below(sum->getLHS(),
                  sum->getOpcode() == clang::BO_Add ? -number : number);
}

// What a variable begins with is seldom what a sum is made of, but for loops.
bool Negatives::is_one_below(const clang::ValueDecl *decl, int64_t bound) {
  if ((bound && !counters.count(decl)) || !asked.insert({decl, bound}).second)
    return false;
  auto *parameter = llvm::dyn_cast<clang::ParmVarDecl>(decl);
  const clang::FunctionDecl *callee =
      caller ? caller->getDirectCallee() : nullptr;
  if (parameter && callee &&
      one_for(parameter) ==
          one_for(callee->getParamDecl(parameter->getFunctionScopeIndex())))
    return is_below(caller->getArg(parameter->getFunctionScopeIndex()), bound);
  auto all = given.find(one_for(decl));
  if (all != given.end())
    for (const Given &one : all->second)
      if (is_below(one.value, bound - one.more))
        return true;
  return false;
}

} // namespace host
