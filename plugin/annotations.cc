// Annotations compute and change nothing.
//
// An ordinary compilation leaves them out, and with them whatever they assign:
// a proof that counts on it is about another program.  So an assignment in an
// argument of an annotation, or in a function that is called there, is noted in
// the code, by a call at the beginning of its function, unless it is to a
// variable that was made there, too.  Nothing is proved of who comes to such a
// call.

#include "plugin/frontend.h"

#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"

#include <map>
#include <set>

namespace {

// An uninterpreted function is a function of the kernel.
bool is_annotation(const clang::FunctionDecl *function) {
  const auto *label = function->getAttr<clang::AsmLabelAttr>();
  llvm::StringRef name = label                       ? label->getLabel()
                         : function->getIdentifier() ? function->getName()
                                                     : llvm::StringRef();
  return !function->hasBody() && name.starts_with("__gpuverify_") &&
         !name.starts_with("__gpuverify_uf_");
}

// The variable that `e` is, or is a part of; NULL: it may be anywhere.
const clang::VarDecl *variable_of(const clang::Expr *e) {
  e = e->IgnoreParenCasts();
  if (const auto *member = llvm::dyn_cast<clang::MemberExpr>(e))
    return member->isArrow() ? nullptr : variable_of(member->getBase());
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
      clang::Stmt::DoStmtClass,
      clang::Stmt::ExprWithCleanupsClass,
      clang::Stmt::ExtVectorElementExprClass,
      clang::Stmt::FloatingLiteralClass,
      clang::Stmt::ForStmtClass,
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
      clang::Stmt::WhileStmtClass,
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

bool assigns(const clang::FunctionDecl *callee) {
  const auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(callee);
  return method && (method->isCopyAssignmentOperator() ||
                    method->isMoveAssignmentOperator());
}

// Finds what an annotation assigns to, in all that it comes to, and whatever
// else it does but compute.
class Effects : public clang::RecursiveASTVisitor<Effects> {
public:
  const clang::Stmt *found = nullptr;

  bool VisitStmt(clang::Stmt *s) {
    clang::Stmt::StmtClass kind = s->getStmtClass();
    if (!computes_only(kind) && !is_trivial(s) && !(within && is_jump(kind)))
      found = s;
    return !found;
  }

  bool VisitVarDecl(clang::VarDecl *variable) {
    made.insert(variable);
    return true;
  }

  bool VisitBinaryOperator(clang::BinaryOperator *e) {
    return !e->isAssignmentOp() || note(e->getLHS());
  }

  bool VisitUnaryOperator(clang::UnaryOperator *e) {
    return !e->isIncrementDecrementOp() || note(e->getSubExpr());
  }

  bool VisitCallExpr(clang::CallExpr *call) {
    clang::FunctionDecl *callee = call->getDirectCallee();
    const clang::FunctionDecl *defined = nullptr;
    bool is_seen = callee && callee->hasBody(defined);
    if (is_seen && called.insert(defined).second)
      enter(defined);
    if (!callee || callee->isNoReturn())
      found = call;
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
  std::set<const clang::VarDecl *> made;
  std::set<const clang::FunctionDecl *> called;

  // Those who give a pointer that they were given to who may write through it.
  std::set<const clang::FunctionDecl *> handing_on;
  const clang::FunctionDecl *within = nullptr;

  void enter(const clang::FunctionDecl *function) {
    const clang::FunctionDecl *around = within;
    within = function;
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
      found = argument;
  }

  bool note(const clang::Expr *changed) {
    if (!made.count(variable_of(changed)))
      found = changed;
    return !found;
  }
};

// By function, where an annotation of it changes something.
using Places = std::map<const clang::FunctionDecl *, clang::SourceLocation>;

class Annotations : public clang::RecursiveASTVisitor<Annotations> {
public:
  Places places;

  explicit Annotations(const clang::SourceManager &sources_)
      : sources(sources_) {}

  bool shouldVisitTemplateInstantiations() const { return true; }

  // The patterns of templates are not code; their instances are.
  bool TraverseDecl(clang::Decl *decl) {
    const clang::FunctionDecl *around = function;
    if (const auto *inner = llvm::dyn_cast_or_null<clang::FunctionDecl>(decl)) {
      if (inner->isDependentContext())
        return true;
      function = inner;
    }
    bool is_systems = decl && sources.isInSystemHeader(decl->getLocation());
    bool goes_on = is_systems || RecursiveASTVisitor::TraverseDecl(decl);
    function = around;
    return goes_on;
  }

  bool TraverseLambdaExpr(clang::LambdaExpr *lambda) {
    for (clang::Expr *made : lambda->capture_inits())
      TraverseStmt(made);
    if (auto *pattern = lambda->getDependentCallOperator())
      for (clang::FunctionDecl *instance : pattern->specializations())
        TraverseDecl(instance);
    return TraverseDecl(lambda->getCallOperator());
  }

  bool VisitCallExpr(clang::CallExpr *call) {
    const clang::FunctionDecl *callee = call->getDirectCallee();
    if (function && callee && is_annotation(callee))
      for (clang::Expr *argument : call->arguments())
        check(argument);
    return true;
  }

private:
  const clang::SourceManager &sources;
  const clang::FunctionDecl *function = nullptr;

  void check(clang::Expr *argument) {
    Effects effects;
    effects.TraverseStmt(argument);
    if (effects.found)
      places[function->getCanonicalDecl()] =
          sources.getExpansionLoc(argument->getExprLoc());
  }
};

void note_effect(llvm::Function &function, const clang::PresumedLoc &place) {
  llvm::IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
  llvm::FunctionCallee note = function.getParent()->getOrInsertFunction(
      "__gpuverify_effect", builder.getVoidTy());
  llvm::CallInst *call = builder.CreateCall(note);
  if (llvm::DISubprogram *scope = function.getSubprogram())
    call->setDebugLoc(llvm::DILocation::get(
        function.getContext(), place.getLine(), place.getColumn(), scope));
}

} // namespace

void annotations_note_effects(const clang::ASTContext &context,
                              clang::CodeGenerator &generator) {
  const clang::SourceManager &sources = context.getSourceManager();
  Annotations annotations(sources);
  annotations.TraverseDecl(context.getTranslationUnitDecl());
  for (llvm::Function &function : *generator.GetModule()) {
    const clang::Decl *decl =
        annotations.places.empty()
            ? nullptr
            : generator.GetDeclForMangledName(function.getName());
    const auto *known = llvm::dyn_cast_or_null<clang::FunctionDecl>(decl);
    auto found = known ? annotations.places.find(known->getCanonicalDecl())
                       : annotations.places.end();
    if (found != annotations.places.end() && !function.isDeclaration())
      note_effect(function, sources.getPresumedLoc(found->second));
  }
}
