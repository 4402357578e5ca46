// Which negative numbers the file shows to come to a launch.
//
// What no fact says of an argument, an assumption may, and one that the file
// itself gives the lie is none that anybody would make.  So everything counts
// that the user's code gives a variable, a member or a parameter anywhere: its
// initial value, what is assigned, what calls pass, what loops compare it with.
// Which of them is there when the kernel is launched nobody asks, and of an
// expression all parts count, be they what an operator, an index, a list or a
// call is made of.  What functions return is not followed, nor what they do
// with the addresses that they get, so this is no proof that an argument is not
// negative (SOUND(arguments-not-negative)).

#include "plugin/host_visitor.h"

namespace host {

namespace {

class Collector : public UsersCodeVisitor {
public:
  Collector(Negatives &found_, const clang::ASTContext &context_)
      : found(found_), context(context_) {}

  bool VisitVarDecl(clang::VarDecl *variable) override {
    if (!llvm::isa<clang::ParmVarDecl>(variable))
      add(variable, variable->getInit());
    return true;
  }

  bool VisitBindingDecl(clang::BindingDecl *name) override {
    add(name, name->getBinding());
    return true;
  }

  bool VisitFieldDecl(clang::FieldDecl *field) override {
    add(field, field->getInClassInitializer());
    return true;
  }

  bool VisitCXXConstructorDecl(clang::CXXConstructorDecl *maker) override {
    for (const clang::CXXCtorInitializer *init : maker->inits())
      if (init->isAnyMemberInitializer())
        add(init->getAnyMember(), init->getInit());
    return true;
  }

  bool VisitInitListExpr(clang::InitListExpr *list) override {
    llvm::SmallVector<const clang::Expr *, 8> values(list->inits());
    add_members(list->getType()->getAsRecordDecl(), values,
                list->getInitializedFieldInUnion());
    return true;
  }

  bool VisitCXXParenListInitExpr(clang::CXXParenListInitExpr *list) override {
    llvm::SmallVector<const clang::Expr *, 8> values(list->getInitExprs());
    add_members(list->getType()->getAsRecordDecl(), values,
                list->getInitializedFieldInUnion());
    return true;
  }

  bool VisitBinaryOperator(clang::BinaryOperator *expr) override {
    if (expr->isAssignmentOp()) {
      add_to_places(expr->getLHS(), expr->getRHS());
      add_changed(expr->getLHS());
    }
    return true;
  }

  bool VisitUnaryOperator(clang::UnaryOperator *expr) override {
    if (expr->isIncrementDecrementOp())
      add_changed(expr->getSubExpr());
    if (expr->getOpcode() == clang::UO_AddrOf)
      for (const clang::ValueDecl *decl : places_of(expr->getSubExpr()))
        found.addressed.insert(Negatives::one_for(decl));
    return true;
  }

  bool VisitImplicitCastExpr(clang::ImplicitCastExpr *expr) override {
    if (expr->getCastKind() == clang::CK_ArrayToPointerDecay)
      for (const clang::ValueDecl *decl : places_of(expr->getSubExpr()))
        found.addressed.insert(Negatives::one_for(decl));
    return true;
  }

  bool VisitCXXNewExpr(clang::CXXNewExpr *made) override {
    const clang::Expr *value = made->getInitializer();
    if (value && !value->isInstantiationDependent())
      found.made.push_back(value);
    return true;
  }

  // case -1:
  bool VisitSwitchStmt(clang::SwitchStmt *choice) override {
    for (const clang::SwitchCase *one = choice->getSwitchCaseList(); one;
         one = one->getNextSwitchCase())
      if (auto *value = llvm::dyn_cast<clang::CaseStmt>(one))
        add_to_places(choice->getCond(), value->getLHS());
    return true;
  }

  bool VisitForStmt(clang::ForStmt *loop) override {
    add_bounds(loop->getCond());
    if (const clang::Expr *step = loop->getInc())
      for (const clang::ValueDecl *counter : places_of(step))
        add_counter(counter);
    return true;
  }

  bool VisitWhileStmt(clang::WhileStmt *loop) override {
    add_bounds(loop->getCond());
    return true;
  }

  bool VisitDoStmt(clang::DoStmt *loop) override {
    add_bounds(loop->getCond());
    return true;
  }

  bool VisitCXXForRangeStmt(clang::CXXForRangeStmt *loop) override {
    add(loop->getLoopVariable(), loop->getRangeInit());
    return true;
  }

  bool VisitCallExpr(clang::CallExpr *call) override {
    const clang::FunctionDecl *callee = call->getDirectCallee();
    auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(callee);
    bool is_objects = llvm::isa<clang::CXXOperatorCallExpr>(call) && method &&
                      method->isImplicitObjectMemberFunction();
    if (callee)
      add_arguments(callee, call->arguments(), is_objects);
    if (!callee || (method && method->isVirtual()) || is_unread(callee))
      add_loose(call->arguments(), is_by_pointer(call));
    if (callee && (!callee->hasBody() || is_systems(callee)))
      add_to_each_other(call);
    auto *of_object = llvm::dyn_cast<clang::CXXMemberCallExpr>(call);
    if (of_object && method && is_systems(method))
      for (const clang::Expr *argument : call->arguments())
        add_to_places(of_object->getImplicitObjectArgument(), argument);
    return true;
  }

  // __atomic_store_n(&place, value, ..)
  bool VisitAtomicExpr(clang::AtomicExpr *expr) override {
    for (unsigned i = 1; i < expr->getNumSubExprs(); i++)
      add_to_places(expr->getPtr(), expr->getSubExprs()[i]);
    return true;
  }

  bool VisitCXXConstructExpr(clang::CXXConstructExpr *made) override {
    add_arguments(made->getConstructor(), made->arguments(), 0);
    if (is_systems(made->getConstructor()))
      add_loose(made->arguments(), false);
    return true;
  }

private:
  Negatives &found;
  const clang::ASTContext &context;

  // It may call whom it gets, with what it gets.
  bool is_systems(const clang::FunctionDecl *callee) const {
    return !callee->isExternC() &&
           context.getSourceManager().isInSystemHeader(callee->getLocation());
  }

  using Places = llvm::SmallVector<const clang::ValueDecl *, 4>;

  // A number that is added to a pointer leads nowhere else, unless it is made
  // of one.
  static bool has_pointer(const clang::Stmt *part) {
    auto *expr = llvm::dyn_cast_or_null<clang::Expr>(part);
    clang::QualType type = expr ? expr->getType() : clang::QualType();
    if (!type.isNull() && (type->isPointerType() || type->isArrayType()))
      return true;
    return part &&
           std::any_of(part->child_begin(), part->child_end(), has_pointer);
  }

  // What a place may be, is in, or is reached by.
  static void add_places(const clang::Expr *place, Places *all) {
    place = place->IgnoreParenCasts();
    auto *choice = llvm::dyn_cast<clang::ConditionalOperator>(place);
    auto *binary = llvm::dyn_cast<clang::BinaryOperator>(place);
    if (auto *element = llvm::dyn_cast<clang::ArraySubscriptExpr>(place)) {
      add_places(element->getBase(), all);
    } else if (auto *part = llvm::dyn_cast<clang::UnaryOperator>(place)) {
      add_places(part->getSubExpr(), all);
    } else if (auto *call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(place)) {
      add_places(call->getArg(0), all); // an element of an object
    } else if (choice) {
      add_places(choice->getTrueExpr(), all);
      add_places(choice->getFalseExpr(), all);
    } else if (binary) {
      bool is_last = binary->isCommaOp();
      add_places(is_last ? binary->getRHS() : binary->getLHS(), all);
      if (binary->isAdditiveOp() && (!binary->getType()->isPointerType() ||
                                     has_pointer(binary->getRHS())))
        add_places(binary->getRHS(), all);
    } else if (const clang::ValueDecl *decl = Negatives::named(place)) {
      all->push_back(decl);
    }
  }

  static Places places_of(const clang::Expr *place) {
    Places all;
    add_places(place, &all);
    return all;
  }

  void add_changed(const clang::Expr *place) {
    for (const clang::ValueDecl *decl : places_of(place))
      found.changed.insert(Negatives::one_for(decl));
  }

  void add_to_places(const clang::Expr *place, const clang::Expr *value) {
    for (const clang::ValueDecl *decl : places_of(place))
      add(decl, value);
  }

  // Who gets a place may set it to whatever else he gets.
  void add_to_each_other(const clang::CallExpr *call) {
    for (const clang::Expr *to : call->arguments())
      for (const clang::Expr *value : call->arguments())
        if (to != value && (to->isLValue() || to->getType()->isPointerType()))
          add_to_places(to, value);
  }

  bool is_unread(const clang::FunctionDecl *callee) const {
    bool is_elsewhere =
        !callee->hasBody() && !callee->isExternC() && !callee->getBuiltinID();
    return is_systems(callee) || is_elsewhere;
  }

  // To a function, whose parameters get the arguments in their places.
  static bool is_by_pointer(const clang::CallExpr *call) {
    return !call->getDirectCallee() &&
           call->getCallee()->getType()->isFunctionPointerType();
  }

  template <typename Arguments>
  void add_loose(Arguments arguments, bool is_in_place) {
    unsigned at = 0;
    for (const clang::Expr *argument : arguments) {
      auto place = is_in_place ? std::optional(at) : std::nullopt;
      if (!argument->isInstantiationDependent())
        found.loose.push_back({argument, place});
      at++;
    }
  }

  void add(const clang::ValueDecl *to, const clang::Expr *value,
           int64_t more = 0, bool is_argument = false,
           const clang::ValueDecl *counter = nullptr) {
    if (!to || !value || value->isInstantiationDependent())
      return;
    found.given[Negatives::one_for(to)].push_back(
        {value, more, is_argument, counter});
    // Who is another name for it, or has its address, may set it.
    clang::QualType type = value->getType(); // null of a list
    bool is_address =
        type.isNull() || type->isPointerType() || type->isArrayType();
    if (to->getType()->isReferenceType() ||
        (to->getType()->isPointerType() && is_address))
      for (const clang::ValueDecl *other : places_of(value))
        found.others[Negatives::one_for(other)].push_back(to);
  }

  // Bases come first, then members.
  void add_members(const clang::RecordDecl *record,
                   llvm::ArrayRef<const clang::Expr *> values,
                   const clang::FieldDecl *only) {
    auto *object = llvm::dyn_cast_or_null<clang::CXXRecordDecl>(record);
    unsigned i = object ? object->getNumBases() : 0;
    if (only && !values.empty())
      add(only, values[0]);
    if (!record || record->isUnion())
      return;
    for (const clang::FieldDecl *field : record->fields())
      if (!field->isUnnamedBitField() && i < values.size())
        add(field, values[i++]);
  }

  // i >= -1, -2 < i, i != -1: what a loop goes on to.
  void add_bounds(const clang::Expr *condition) {
    auto *expr = llvm::dyn_cast_or_null<clang::BinaryOperator>(
        condition ? condition->IgnoreParenImpCasts() : nullptr);
    if (!expr)
      return;
    if (expr->isLogicalOp()) {
      add_bounds(expr->getLHS());
      add_bounds(expr->getRHS());
    } else if (expr->isComparisonOp()) {
      clang::BinaryOperatorKind op = expr->getOpcode();
      bool is_strict =
          op == clang::BO_GT || op == clang::BO_LT || op == clang::BO_NE;
      bool is_least = op == clang::BO_GT || op == clang::BO_GE;
      bool is_most = op == clang::BO_LT || op == clang::BO_LE;
      add_bound(expr->getLHS(), expr->getRHS(), is_strict, is_least);
      add_bound(expr->getRHS(), expr->getLHS(), is_strict, is_most);
    }
  }

  void add_counter(const clang::ValueDecl *counter) {
    found.counters.insert(Negatives::one_for(counter));
  }

  // Is it at least the bound that the loop goes on to, that may be a variable.
  void add_bound(const clang::Expr *side, const clang::Expr *bound,
                 bool is_strict, bool is_least) {
    const clang::ValueDecl *counter = Negatives::named(side);
    if (!counter)
      return;
    add_counter(counter);
    if (bound->isInstantiationDependent())
      return;
    bool is_known = bound->isIntegerConstantExpr(context);
    if (is_least || is_known) // of two that are bounds of each other no more
      add(counter, bound, is_known && is_strict, false,
          Negatives::named(bound));
  }

  template <typename Arguments>
  void add_arguments(const clang::FunctionDecl *callee, Arguments arguments,
                     unsigned skipped) {
    unsigned i = 0;
    for (const clang::Expr *argument : arguments)
      if (i++ >= skipped && i - skipped <= callee->getNumParams())
        add(callee->getParamDecl(i - skipped - 1), argument, 0, true);
  }
};

} // namespace

// That it is a parameter of; else NULL.
static const clang::FunctionDecl *function_of(const clang::ValueDecl *decl) {
  return llvm::isa<clang::ParmVarDecl>(decl)
             ? llvm::dyn_cast<clang::FunctionDecl>(decl->getDeclContext())
             : nullptr;
}

// Of the declarations of a function, each has parameters of its own; a
// constructor that is inherited has those of its base's.  All members of a
// union are one.
const clang::ValueDecl *Negatives::one_for(const clang::ValueDecl *decl) {
  auto *field = llvm::dyn_cast<clang::FieldDecl>(decl);
  if (field && field->getParent()->isUnion())
    return *field->getParent()->field_begin();
  auto *parameter = llvm::dyn_cast<clang::ParmVarDecl>(decl);
  const clang::FunctionDecl *function = function_of(decl);
  if (!function)
    return llvm::cast<clang::ValueDecl>(decl->getCanonicalDecl());
  if (auto *maker = llvm::dyn_cast<clang::CXXConstructorDecl>(function))
    if (clang::InheritedConstructor from = maker->getInheritedConstructor())
      function = from.getConstructor();
  return function->getCanonicalDecl()->getParamDecl(
      parameter->getFunctionScopeIndex());
}

// The variable or member that a place is, is in, or is reached by.
const clang::ValueDecl *Negatives::named(const clang::Expr *place) {
  for (;;) {
    place = place->IgnoreParenCasts();
    auto *part = llvm::dyn_cast<clang::UnaryOperator>(place);
    if (auto *element = llvm::dyn_cast<clang::ArraySubscriptExpr>(place))
      place = element->getBase();
    else if (part && (part->getOpcode() == clang::UO_Deref ||
                      part->getOpcode() == clang::UO_AddrOf ||
                      part->isIncrementDecrementOp()))
      place = part->getSubExpr();
    else
      break;
  }
  if (auto *member = llvm::dyn_cast<clang::MemberExpr>(place))
    return member->getMemberDecl();
  auto *mention = llvm::dyn_cast<clang::DeclRefExpr>(place);
  return mention ? mention->getDecl() : nullptr;
}

Negatives::Negatives(clang::ASTContext &context_, const Survey &survey_)
    : context(context_), survey(survey_) {
  Collector(*this, context).traverse_users_code(context);
}

bool Negatives::is_shown(const clang::Expr *expr,
                         const clang::CallExpr *caller_) {
  caller = caller_;
  asked.clear();
  return is_below(expr, 0);
}

// Arguments that are handed over as a list of addresses.
bool Negatives::is_shown_somewhere() {
  caller = nullptr;
  asked.clear();
  for (const clang::ValueDecl *decl : addressed)
    if (is_integer(context.getBaseElementType(decl->getType())) &&
        is_one_below(decl, 0))
      return true;
  for (const clang::Expr *value : made)
    if (is_integer(value->getType()) && is_below(value, 0))
      return true;
  return false;
}

// 4294967295 is -1 where an int is made of it.
static bool is_negative_int(const llvm::APSInt &value) {
  enum { INT_BITS = 32 };
  return value.getBitWidth() >= INT_BITS && value.getActiveBits() == INT_BITS;
}

// Is it a number that is less than `bound`, or may a part of it be one?
bool Negatives::is_below(const clang::Expr *expr, int64_t bound) {
  clang::Expr::EvalResult result;
  llvm::APFloat real(0.0);
  if (!expr || expr->isInstantiationDependent())
    return false;
  const clang::Expr *inner = expr->IgnoreParenCasts();
  if (inner != expr && is_below(inner, bound))
    return true;
  if (expr->EvaluateAsFloat(real, context))
    return real.isNegative() && !real.isZero() && !bound;
  if (expr->getType()->isIntegralOrEnumerationType() &&
      expr->EvaluateAsInt(result, context))
    return result.Val.getInt() < bound ||
           (!bound && is_negative_int(result.Val.getInt()));
  return inner == expr && is_computed_below(expr, bound);
}

bool Negatives::is_computed_below(const clang::Expr *expr, int64_t bound) {
  if (auto *argument = llvm::dyn_cast<clang::CXXDefaultArgExpr>(expr))
    return is_below(argument->getExpr(), bound);
  auto *member = llvm::dyn_cast<clang::MemberExpr>(expr);
  const clang::ValueDecl *decl = named(expr);
  if (member &&
      context.getSourceManager().isInSystemHeader(decl->getLocation()))
    return is_below(member->getBase(), bound); // its maker is not read
  return decl ? is_one_below(decl, bound) : has_part_below(expr, bound);
}

// What the expression is but for the numbers that are added to it or taken
// away; else NULL.
static const clang::Expr *without_numbers(const clang::Expr *expr,
                                          const clang::ASTContext &context,
                                          int64_t *more) {
  const clang::Expr *rest = nullptr;
  for (;; rest = expr) {
    clang::Expr::EvalResult result;
    auto *sum = llvm::dyn_cast<clang::BinaryOperator>(expr->IgnoreParenCasts());
    if (!sum || !sum->isAdditiveOp() ||
        !sum->getRHS()->EvaluateAsInt(result, context) ||
        result.Val.getInt().getSignificantBits() > 32)
      return rest;
    int64_t number = result.Val.getInt().getExtValue();
    *more += sum->getOpcode() == clang::BO_Add ? number : -number;
    expr = sum->getLHS();
  }
}

static bool has_byte_below(const clang::StringLiteral *text,
                           const clang::ASTContext &context) {
  enum { LEAST_NEGATIVE = 0x80 };
  bool is_signed =
      text->getCharByteWidth() == 1 && context.CharTy->isSignedIntegerType();
  for (unsigned i = 0; is_signed && i < text->getLength(); i++)
    if (text->getCodeUnit(i) >= LEAST_NEGATIVE)
      return true;
  return false;
}

// But for what only decides, and for what a loop would go on by: bounds are
// moved once, by numbers.
bool Negatives::has_part_below(const clang::Expr *expr, int64_t bound) {
  int64_t more = 0;
  auto *text = llvm::dyn_cast<clang::StringLiteral>(expr);
  auto *binary = llvm::dyn_cast<clang::BinaryOperator>(expr);
  auto *choice = llvm::dyn_cast<clang::ConditionalOperator>(expr);
  auto *unary = llvm::dyn_cast<clang::UnaryOperator>(expr);
  if (choice)
    return is_below(choice->getTrueExpr(), bound) ||
           is_below(choice->getFalseExpr(), bound);
  if (binary && (binary->isComparisonOp() || binary->isLogicalOp()))
    return false;
  if (const clang::Expr *rest = without_numbers(expr, context, &more))
    return !bound && is_below(rest, -more);
  if (text)
    return !bound && has_byte_below(text, context);
  if (auto *block = llvm::dyn_cast<clang::StmtExpr>(expr)) {
    const clang::CompoundStmt *body = block->getSubStmt();
    auto *last = body->body_empty()
                     ? nullptr
                     : llvm::dyn_cast<clang::ValueStmt>(body->body_back());
    return last && is_below(last->getExprStmt(), bound);
  }
  if (unary && (unary->getOpcode() == clang::UO_Minus ||
                unary->getOpcode() == clang::UO_Not))
    return true;
  if (bound || llvm::isa<clang::LambdaExpr>(expr))
    return false;
  for (const clang::Stmt *part : expr->children())
    if (is_below(llvm::dyn_cast_or_null<clang::Expr>(part), bound))
      return true;
  return false;
}

static bool is_name(const clang::Expr *value) {
  return llvm::isa<clang::DeclRefExpr>(value->IgnoreParenCasts());
}

// What a variable begins with is seldom what a sum is made of, but for loops,
// whose counters have other names.
bool Negatives::is_one_below(const clang::ValueDecl *decl, int64_t bound) {
  decl = one_for(decl);
  if (!asked.insert({decl, bound}).second)
    return false;
  const clang::Expr *passed = passed_by_caller(decl);
  bool is_meant = !bound || counters.count(decl);
  for (const Given &one : given.lookup(decl)) {
    bool is_others = passed && one.is_argument && one.value != passed;
    if (!is_others && !is_end(decl, one) && (is_meant || is_name(one.value)) &&
        is_below(one.value, bound - one.more))
      return true;
  }
  for (const clang::ValueDecl *other : others.lookup(decl))
    if (is_one_below(other, bound))
      return true;
  bool is_unseen = !loose.empty() && is_called_unseen(decl);
  auto *parameter = llvm::dyn_cast<clang::ParmVarDecl>(decl);
  for (const Loose &one : loose) {
    bool is_elsewhere =
        one.at && parameter && parameter->getFunctionScopeIndex() != *one.at;
    if (is_unseen && !is_elsewhere && (is_meant || is_name(one.value)) &&
        is_below(one.value, bound))
      return true;
  }
  return false;
}

// Where the body of its function is, if it is a parameter.
static const clang::VarDecl *in_body(const clang::ValueDecl *decl) {
  auto *parameter = llvm::dyn_cast<clang::ParmVarDecl>(decl);
  const clang::FunctionDecl *function = function_of(decl);
  if (!function)
    return llvm::dyn_cast<clang::VarDecl>(decl);
  return function->hasBody(function)
             ? function->getParamDecl(parameter->getFunctionScopeIndex())
             : nullptr;
}

// `i < n` bounds n by i as well as i by n; but a loop that changes i, and never
// n, ends at n.
bool Negatives::is_end(const clang::ValueDecl *decl, const Given &bound) const {
  const clang::VarDecl *variable = in_body(decl);
  return bound.counter && changed.count(one_for(bound.counter)) && variable &&
         variable->hasLocalStorage() &&
         !variable->getType()->isReferenceType() &&
         survey.is_only_read(variable);
}

// A parameter of a function that somebody may call who is not seen to.
bool Negatives::is_called_unseen(const clang::ValueDecl *decl) const {
  const clang::FunctionDecl *function = function_of(decl);
  auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(function);
  if (method && (method->isVirtual() || method->getParent()->isLambda() ||
                 method->getOverloadedOperator() == clang::OO_Call ||
                 llvm::isa<clang::CXXConstructorDecl>(method)))
    return true;
  for (const clang::FunctionDecl *named : survey.addressed)
    if (function && named->getCanonicalDecl() == function->getCanonicalDecl())
      return true;
  return false;
}

// Of a parameter of the function that the only call in question calls.
const clang::Expr *
Negatives::passed_by_caller(const clang::ValueDecl *decl) const {
  const clang::FunctionDecl *callee =
      caller ? caller->getDirectCallee() : nullptr;
  for (unsigned i = 0; callee && i < callee->getNumParams(); i++)
    if (one_for(callee->getParamDecl(i)) == decl && i < caller->getNumArgs())
      return caller->getArg(i);
  return nullptr;
}

} // namespace host
