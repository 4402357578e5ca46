// What an annotation does beside computing.
//
// It may assign to what was made there, and call functions that do no more.  A
// loop counts to a constant that its counter can be, since one that does not
// end keeps threads from all that is behind it, and so does a function that
// ends without its value.  What C++ calls where nothing is written, as
// destructors, does something.

#include "plugin/frontend.h"

#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Basic/Builtins.h"

#include <set>

namespace {

// The name of the function in the code, as far as the source gives it.
llvm::StringRef symbol_of(const clang::FunctionDecl *function) {
  const auto *label = function->getAttr<clang::AsmLabelAttr>();
  return label                       ? label->getLabel()
         : function->getIdentifier() ? function->getName()
                                     : llvm::StringRef();
}

bool is_uninterpreted(const clang::FunctionDecl *function) {
  llvm::StringRef name = symbol_of(function);
  return !function->hasBody() &&
         (name.starts_with("__gpuverify_uf_") ||
          name.starts_with("__uninterpreted_function_"));
}

// A vote of who is there, for which nobody waits.
bool is_vote(const clang::FunctionDecl *function) {
  llvm::StringRef name = symbol_of(function);
  return name.starts_with("__nvvm_vote_") && !name.contains("sync");
}

// The variable that `e` is, or is a part of; NULL: it may be anywhere.
const clang::VarDecl *variable_of(const clang::Expr *e) {
  e = e->IgnoreParenCasts();
  if (const auto *member = llvm::dyn_cast<clang::MemberExpr>(e)) {
    bool is_elsewhere = member->isArrow() ||
                        member->getMemberDecl()->getType()->isReferenceType();
    return is_elsewhere ? nullptr : variable_of(member->getBase());
  }
  if (const auto *element = llvm::dyn_cast<clang::ArraySubscriptExpr>(e)) {
    const clang::Expr *base = element->getBase()->IgnoreParenImpCasts();
    return base->getType()->isArrayType() ? variable_of(base) : nullptr;
  }
  const auto *mention = llvm::dyn_cast<clang::DeclRefExpr>(e);
  const auto *variable =
      mention ? llvm::dyn_cast<clang::VarDecl>(mention->getDecl()) : nullptr;
  bool is_own = variable && variable->hasLocalStorage() &&
                !variable->getType()->isReferenceType();
  return is_own ? variable : nullptr;
}

// A pointer or a reference to what is not const.
bool may_be_changed(const clang::Expr *argument) {
  clang::QualType type = argument->getType();
  bool is_pointer = type->isPointerType();
  clang::QualType object = is_pointer ? type->getPointeeType() : type;
  return (is_pointer || argument->isLValue()) && !object.isConstQualified() &&
         !object->isFunctionType();
}

// What is behind the pointer or reference; NULL: the expression does not show
// it.
const clang::Expr *object_at(const clang::Expr *argument) {
  const clang::Expr *e = argument->IgnoreParenCasts();
  const auto *address = llvm::dyn_cast<clang::UnaryOperator>(e);
  if (address && address->getOpcode() == clang::UO_AddrOf)
    return address->getSubExpr();
  return e->getType()->isPointerType() ? nullptr : e;
}

const clang::ParmVarDecl *parameter_of(const clang::Expr *argument) {
  const auto *mention =
      llvm::dyn_cast<clang::DeclRefExpr>(argument->IgnoreParenCasts());
  return mention ? llvm::dyn_cast<clang::ParmVarDecl>(mention->getDecl())
                 : nullptr;
}

bool computes_only(clang::Stmt::StmtClass kind) {
  static const std::set<clang::Stmt::StmtClass> kinds = {
      clang::Stmt::ArraySubscriptExprClass,
      clang::Stmt::AsTypeExprClass,
      clang::Stmt::BinaryConditionalOperatorClass,
      clang::Stmt::BinaryOperatorClass,
      clang::Stmt::CallExprClass,
      clang::Stmt::CharacterLiteralClass,
      clang::Stmt::CompoundAssignOperatorClass,
      clang::Stmt::CompoundLiteralExprClass,
      clang::Stmt::CompoundStmtClass,
      clang::Stmt::ConditionalOperatorClass,
      clang::Stmt::ConstantExprClass,
      clang::Stmt::ConvertVectorExprClass,
      clang::Stmt::CStyleCastExprClass,
      clang::Stmt::CXXBoolLiteralExprClass,
      clang::Stmt::CXXConstCastExprClass,
      clang::Stmt::CXXDefaultArgExprClass,
      clang::Stmt::CXXFunctionalCastExprClass,
      clang::Stmt::CXXMemberCallExprClass,
      clang::Stmt::CXXNullPtrLiteralExprClass,
      clang::Stmt::CXXOperatorCallExprClass,
      clang::Stmt::CXXReinterpretCastExprClass,
      clang::Stmt::CXXScalarValueInitExprClass,
      clang::Stmt::CXXStaticCastExprClass,
      clang::Stmt::CXXThisExprClass,
      clang::Stmt::DeclRefExprClass,
      clang::Stmt::DeclStmtClass,
      clang::Stmt::ExprWithCleanupsClass,
      clang::Stmt::ExtVectorElementExprClass,
      clang::Stmt::FloatingLiteralClass,
      clang::Stmt::IfStmtClass,
      clang::Stmt::ImplicitCastExprClass,
      clang::Stmt::ImplicitValueInitExprClass,
      clang::Stmt::InitListExprClass,
      clang::Stmt::IntegerLiteralClass,
      clang::Stmt::MaterializeTemporaryExprClass,
      clang::Stmt::MemberExprClass,
      clang::Stmt::MSPropertyRefExprClass,
      clang::Stmt::NullStmtClass,
      clang::Stmt::OpaqueValueExprClass,
      clang::Stmt::ParenExprClass,
      clang::Stmt::PseudoObjectExprClass,
      clang::Stmt::ShuffleVectorExprClass,
      clang::Stmt::StmtExprClass,
      clang::Stmt::StringLiteralClass,
      clang::Stmt::SubstNonTypeTemplateParmExprClass,
      clang::Stmt::TypeTraitExprClass,
      clang::Stmt::UnaryExprOrTypeTraitExprClass,
      clang::Stmt::UnaryOperatorClass,
  };
  return kinds.count(kind) > 0;
}

bool is_trivial(const clang::Stmt *s) {
  const auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(s);
  return made && made->getConstructor()->isTrivial();
}

// In an argument itself they may lead out of it.
bool is_jump(clang::Stmt::StmtClass kind) {
  return kind == clang::Stmt::ReturnStmtClass ||
         kind == clang::Stmt::BreakStmtClass ||
         kind == clang::Stmt::ContinueStmtClass ||
         kind == clang::Stmt::SwitchStmtClass ||
         kind == clang::Stmt::CaseStmtClass ||
         kind == clang::Stmt::DefaultStmtClass;
}

// The function is another one that is in the file.
bool is_another(const clang::FunctionDecl *function) {
  return function->hasAttr<clang::AsmLabelAttr>() ||
         function->hasAttr<clang::AliasAttr>() ||
         function->hasAttr<clang::IFuncAttr>() ||
         function->hasAttr<clang::WeakRefAttr>();
}

// Which function runs is seen when it runs.
bool is_hidden(const clang::FunctionDecl *function) {
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
  return method && method->isVirtual();
}

// A function that is not seen: nothing comes of a call but its result.
bool computes(const clang::ASTContext &context,
              const clang::FunctionDecl *callee) {
  unsigned builtin = callee->getBuiltinID();
  bool is_promised =
      callee->hasAttr<clang::ConstAttr>() || callee->hasAttr<clang::PureAttr>();
  return is_annotation(callee) || (is_promised && !is_another(callee)) ||
         (builtin && (context.BuiltinInfo.isConst(builtin) ||
                      context.BuiltinInfo.isPure(builtin))) ||
         symbol_of(callee).starts_with("__nv_") || is_uninterpreted(callee) ||
         is_vote(callee);
}

// The counter comes to the number: it has values on both sides of it, or is
// never on the side where it would go on.
bool comes_to(const clang::ASTContext &context, const clang::VarDecl *k,
              const clang::BinaryOperator *bound) {
  const clang::Expr *number = bound->getRHS();
  clang::QualType type = k->getType(), common = bound->getLHS()->getType();
  clang::Expr::EvalResult value;
  if (number->isValueDependent() || !number->EvaluateAsInt(value, context) ||
      (type->isSignedIntegerType() && !common->isSignedIntegerType()))
    return false;
  bool is_signed = type->isSignedIntegerType();
  unsigned width = context.getIntWidth(type);
  llvm::APSInt least = llvm::APSInt::getMinValue(width, !is_signed);
  llvm::APSInt most = llvm::APSInt::getMaxValue(width, !is_signed);
  return llvm::APSInt::compareValues(value.Val.getInt(), least) >= 0 &&
         llvm::APSInt::compareValues(value.Val.getInt(), most) <= 0;
}

bool is_mention_of(const clang::Expr *e, const clang::VarDecl *variable) {
  const auto *mention =
      llvm::dyn_cast<clang::DeclRefExpr>(e->IgnoreParenImpCasts());
  return mention && mention->getDecl() == variable;
}

// The counter of `for (int k = ..; k < constant; k++)`; NULL: no such loop.
const clang::VarDecl *counter_of(const clang::ASTContext &context,
                                 const clang::ForStmt *loop) {
  const auto *made = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit());
  const auto *bound =
      llvm::dyn_cast_or_null<clang::BinaryOperator>(loop->getCond());
  const auto *step =
      llvm::dyn_cast_or_null<clang::UnaryOperator>(loop->getInc());
  if (!made || !made->isSingleDecl() || !bound || !step)
    return nullptr;
  const auto *k = llvm::dyn_cast<clang::VarDecl>(made->getSingleDecl());
  bool is_up = bound->getOpcode() == clang::BO_LT && step->isIncrementOp();
  bool is_down = bound->getOpcode() == clang::BO_GT && step->isDecrementOp();
  bool counts = k && k->getType()->isIntegerType() && (is_up || is_down) &&
                is_mention_of(bound->getLHS(), k) &&
                is_mention_of(step->getSubExpr(), k) &&
                comes_to(context, k, bound);
  return counts ? k : nullptr;
}

// Who may change the variable: mentions that are no mere reads.
class Changes : public clang::DynamicRecursiveASTVisitor {
public:
  bool are_there = false;

  explicit Changes(const clang::VarDecl *variable_) : variable(variable_) {}

  bool TraverseImplicitCastExpr(clang::ImplicitCastExpr *e) override {
    bool is_read = e->getCastKind() == clang::CK_LValueToRValue &&
                   is_mention_of(e->getSubExpr(), variable);
    return is_read || TraverseStmt(e->getSubExpr());
  }

  bool VisitDeclRefExpr(clang::DeclRefExpr *mention) override {
    are_there |= mention->getDecl() == variable;
    return true;
  }

private:
  const clang::VarDecl *variable;
};

bool ends(const clang::ASTContext &context, const clang::Stmt *s) {
  const auto *loop = llvm::dyn_cast<clang::ForStmt>(s);
  const clang::VarDecl *k = loop ? counter_of(context, loop) : nullptr;
  if (!k)
    return false;
  Changes changes(k);
  changes.TraverseStmt(const_cast<clang::Stmt *>(loop->getBody()));
  return !changes.are_there;
}

// Every way through it comes to a return.
bool returns(const clang::Stmt *s) {
  if (const auto *block = llvm::dyn_cast_or_null<clang::CompoundStmt>(s))
    return !block->body_empty() && returns(block->body_back());
  if (const auto *choice = llvm::dyn_cast_or_null<clang::IfStmt>(s))
    return returns(choice->getThen()) && returns(choice->getElse());
  return s && llvm::isa<clang::ReturnStmt>(s);
}

bool assigns(const clang::FunctionDecl *callee) {
  const auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(callee);
  return method && (method->isCopyAssignmentOperator() ||
                    method->isMoveAssignmentOperator());
}

// Finds what an annotation assigns to, in all that it comes to, and whatever
// else it does but compute.
class Effects : public clang::DynamicRecursiveASTVisitor {
public:
  bool found = false;

  explicit Effects(const clang::ASTContext &context_) : context(context_) {
    // What a class makes of its members where nothing is written.
    ShouldVisitImplicitCode = true;
  }

  bool VisitStmt(clang::Stmt *s) override {
    clang::Stmt::StmtClass kind = s->getStmtClass();
    if (!computes_only(kind) && !is_trivial(s) && !ends(context, s) &&
        !(within && is_jump(kind)))
      found = true;
    return !found;
  }

  bool VisitVarDecl(clang::VarDecl *variable) override {
    made.insert(variable);
    found |= is_cleaned_up(context, variable);
    return !found;
  }

  bool VisitBinaryOperator(clang::BinaryOperator *e) override {
    return !e->isAssignmentOp() || note(e->getLHS());
  }

  bool VisitUnaryOperator(clang::UnaryOperator *e) override {
    return !e->isIncrementDecrementOp() || note(e->getSubExpr());
  }

  bool VisitCallExpr(clang::CallExpr *call) override {
    clang::FunctionDecl *callee = call->getDirectCallee();
    const clang::FunctionDecl *defined = nullptr;
    bool is_seen = callee && callee->hasBody(defined);
    if (is_seen && called.insert(defined).second)
      enter(defined);
    if (!callee || callee->isNoReturn() || is_hidden(callee) ||
        !(is_seen || computes(context, callee)))
      found = true;
    if (assigns(callee))
      note(call->getArg(0));
    bool may_change = is_seen ? handing_on.count(defined) > 0
                              : callee && !is_annotation(callee);
    for (clang::Expr *argument : call->arguments())
      if (may_change && may_be_changed(argument))
        note_object(argument);
    return !found;
  }

private:
  const clang::ASTContext &context;
  std::set<const clang::VarDecl *> made;
  std::set<const clang::FunctionDecl *> called;

  // Those who give a pointer that they were given to who may write through it.
  std::set<const clang::FunctionDecl *> handing_on;
  const clang::FunctionDecl *within = nullptr;

  void enter(const clang::FunctionDecl *function) {
    const clang::FunctionDecl *around = within;
    within = function;
    found |= !function->getReturnType()->isVoidType() &&
             !returns(function->getBody());
    TraverseDecl(const_cast<clang::FunctionDecl *>(function));
    within = around;
  }

  // A function that is not seen changes what it gets the address of.
  void note_object(const clang::Expr *argument) {
    const clang::Expr *object = object_at(argument);
    const clang::ParmVarDecl *given = parameter_of(argument);
    if (object)
      note(object);
    else if (within && given && made.count(given))
      handing_on.insert(within);
    else
      found = true;
  }

  bool note(const clang::Expr *changed) {
    if (!made.count(variable_of(changed)))
      found = true;
    return !found;
  }
};

} // namespace

bool is_cleaned_up(const clang::ASTContext &context,
                   const clang::VarDecl *variable) {
  return variable->hasAttr<clang::CleanupAttr>() ||
         variable->needsDestruction(context) != clang::QualType::DK_none;
}

bool is_annotation(const clang::FunctionDecl *function) {
  llvm::StringRef name = symbol_of(function);
  return !function->hasBody() && name.starts_with("__gpuverify_") &&
         !name.starts_with("__gpuverify_uf_");
}

clang::Expr *aside_of(const clang::Stmt *statement) {
  const auto *comma = llvm::dyn_cast<clang::BinaryOperator>(statement);
  const auto *mark = comma && comma->getOpcode() == clang::BO_Comma
                         ? llvm::dyn_cast<clang::CallExpr>(comma->getLHS())
                         : nullptr;
  const clang::FunctionDecl *callee = mark ? mark->getDirectCallee() : nullptr;
  return callee && symbol_of(callee) == "__gpuverify_aside" ? comma->getRHS()
                                                            : nullptr;
}

bool has_effect(const clang::ASTContext &context, clang::Stmt *said) {
  Effects effects(context);
  effects.TraverseStmt(said);
  return effects.found;
}
