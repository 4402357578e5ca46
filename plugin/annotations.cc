// Annotations are for the proof alone.
//
// An ordinary compilation leaves them out, and with them whatever they assign
// and whatever they say: a proof that counts on it is about another program. So
// an annotation that does anything but compute is noted in the code, by a call
// at the beginning of its function, and so is a kernel that goes on with what
// only an annotation knows, as a thread's value in another thread.  Nothing is
// proved of who comes to such a call.

#include "plugin/frontend.h"

#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ParentMapContext.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"

#include <map>
#include <set>
#include <vector>

extern "C" {
#include "llvm/core.h"
}

namespace {

using Function = const clang::FunctionDecl *;
using Places = std::map<Function, clang::SourceLocation>;

// Nobody need mention it who calls it.
bool is_called_unseen(Function function) {
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
  return method &&
         (method->isVirtual() || llvm::isa<clang::CXXConstructorDecl>(method) ||
          llvm::isa<clang::CXXDestructorDecl>(method) ||
          llvm::isa<clang::CXXConversionDecl>(method));
}

// What stands here is the value of the variable, and nothing else.
struct Keeper {
  const clang::VarDecl *variable; // or NULL
  const clang::Expr *value;
};

struct Use {
  Function function;
  Keeper keeper;
  clang::SourceLocation place;
};

class Annotations : public clang::DynamicRecursiveASTVisitor {
public:
  Places changing; // functions in which an annotation does something
  Places knowing;  // .. that go on with what annotations know
  clang::SourceLocation elsewhere; // either, in no function

  explicit Annotations(clang::ASTContext &context_) : context(context_) {
    ShouldVisitTemplateInstantiations = true;
    ShouldVisitImplicitCode = true;
  }

  // The patterns of templates are not code; their instances are.  What a member
  // is at first, or a parameter, is implicit code of whoever makes it.
  bool TraverseDecl(clang::Decl *decl) override {
    Function around = function;
    Keeper around_it = keeper;
    keeper = {};
    if (const auto *inner = llvm::dyn_cast_or_null<clang::FunctionDecl>(decl)) {
      if (inner->isDependentContext())
        return true;
      function = inner;
      check_axiom(inner);
    }
    bool goes_on = clang::DynamicRecursiveASTVisitor::TraverseDecl(decl);
    function = around;
    keeper = around_it;
    return goes_on;
  }

  bool TraverseLambdaExpr(clang::LambdaExpr *lambda) override {
    for (clang::Expr *made : lambda->capture_inits())
      TraverseStmt(made);
    if (auto *pattern = lambda->getDependentCallOperator())
      for (clang::FunctionDecl *instance : pattern->specializations())
        TraverseDecl(instance);
    return TraverseDecl(lambda->getCallOperator());
  }

  // What an annotation says is no code of the kernel.
  bool dataTraverseStmtPre(clang::Stmt *s) override {
    const auto *call = llvm::dyn_cast<clang::CallExpr>(s);
    Function callee = call ? call->getDirectCallee() : nullptr;
    clang::Expr *aside = aside_of(s);
    if (aside)
      check(aside);
    else if (callee && is_annotation(callee))
      for (const clang::Expr *argument : call->arguments())
        check(const_cast<clang::Expr *>(argument));
    else
      return true;
    const clang::Expr *said = aside ? aside : call;
    if (!said->getType()->isVoidType())
      told.push_back({function, keeper, said->getExprLoc()});
    return false;
  }

  // A variable may keep what an annotation knows, for another annotation.
  bool TraverseVarDecl(clang::VarDecl *variable) override {
    Keeper around = keeper;
    bool keeps =
        variable->hasLocalStorage() && !is_cleaned_up(context, variable);
    keeper = keeps ? Keeper{variable, variable->getInit()} : Keeper{};
    bool goes_on = clang::DynamicRecursiveASTVisitor::TraverseVarDecl(variable);
    keeper = around;
    return goes_on;
  }

  bool TraverseBinaryOperator(clang::BinaryOperator *e) override {
    const clang::VarDecl *variable = assigned(e);
    if (!variable)
      return clang::DynamicRecursiveASTVisitor::TraverseBinaryOperator(e);
    Keeper around = keeper;
    keeper = {variable, e->getRHS()};
    bool goes_on = TraverseStmt(e->getRHS());
    keeper = around;
    return goes_on;
  }

  bool VisitDeclRefExpr(clang::DeclRefExpr *e) override {
    const auto *variable = llvm::dyn_cast<clang::VarDecl>(e->getDecl());
    if (variable && variable->hasLocalStorage())
      uses[variable].push_back({function, keeper, e->getExprLoc()});
    return mention(e->getDecl(), e->getExprLoc());
  }
  bool VisitMemberExpr(clang::MemberExpr *e) override {
    return mention(e->getMemberDecl(), e->getExprLoc());
  }

  void spread() {
    for (const Use &use : told)
      know(use);
  }

private:
  clang::ASTContext &context;
  Function function = nullptr;
  Keeper keeper = {};
  std::vector<Use> told; // what annotations know, outside of annotations
  std::map<const clang::VarDecl *, std::vector<Use>> uses;
  std::set<const clang::Expr *> kept; // of what is told
  std::map<Function, std::vector<Use>> mentions;

  bool note(Places &places, Function where, clang::SourceLocation place) {
    place = context.getSourceManager().getExpansionLoc(place);
    if (!where || (&places == &knowing && is_called_unseen(where)))
      elsewhere = place;
    return where && places.insert({where->getCanonicalDecl(), place}).second;
  }

  // The variable that a statement assigns to; NULL: it is another statement.
  const clang::VarDecl *assigned(const clang::BinaryOperator *e) {
    const auto *left = llvm::dyn_cast<clang::DeclRefExpr>(e->getLHS());
    const auto *variable =
        left ? llvm::dyn_cast<clang::VarDecl>(left->getDecl()) : nullptr;
    bool is_own = e->getOpcode() == clang::BO_Assign && variable &&
                  variable->hasLocalStorage() &&
                  !is_cleaned_up(context, variable) &&
                  !variable->getType()->isReferenceType();
    if (!is_own)
      return nullptr;
    for (const clang::DynTypedNode &parent : context.getParents(*e))
      if (!parent.get<clang::CompoundStmt>())
        return nullptr;
    return variable;
  }

  // Who mentions who goes on with it does so, too.
  void know(const Use &use) {
    if (use.keeper.variable)
      keep(use);
    else if (note(knowing, use.function, use.place))
      for (const Use &of_it : mentions[use.function->getCanonicalDecl()])
        know(of_it);
  }

  void keep(const Use &use) {
    if (!kept.insert(use.keeper.value).second)
      return;
    if (has_effect(context, const_cast<clang::Expr *>(use.keeper.value)))
      note(changing, use.function, use.place);
    for (const Use &of_it : uses[use.keeper.variable])
      know(of_it);
  }

  void check(clang::Expr *said) {
    if (has_effect(context, said))
      note(changing, function, said->getExprLoc());
  }

  void check_axiom(Function axiom) {
    if (!axiom->getIdentifier() || !axiom->doesThisDeclarationHaveABody() ||
        !axiom->getName().starts_with("__gpuverify_axiom_"))
      return;
    for (clang::Stmt *said : axiom->getBody()->children()) {
      auto *value = llvm::dyn_cast<clang::ReturnStmt>(said);
      if (!value || has_effect(context, value->getRetValue()))
        note(changing, nullptr, axiom->getLocation());
    }
  }

  bool mention(const clang::ValueDecl *what, clang::SourceLocation place) {
    const auto *other = llvm::dyn_cast<clang::FunctionDecl>(what);
    if (other)
      mentions[other->getCanonicalDecl()].push_back({function, keeper, place});
    return true;
  }
};

void note_call(llvm::Function &function, const char *name,
               const clang::PresumedLoc &place) {
  llvm::IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
  llvm::FunctionCallee note =
      function.getParent()->getOrInsertFunction(name, builder.getVoidTy());
  llvm::CallInst *call = builder.CreateCall(note);
  if (llvm::DISubprogram *scope = function.getSubprogram())
    call->setDebugLoc(llvm::DILocation::get(
        function.getContext(), place.getLine(), place.getColumn(), scope));
}

void note_in(const Annotations &annotations, const clang::Decl *decl,
             const clang::SourceManager &sources, llvm::Function &function) {
  const auto *known = llvm::dyn_cast_or_null<clang::FunctionDecl>(decl);
  Function canonical = known ? known->getCanonicalDecl() : nullptr;
  auto changing = annotations.changing.find(canonical);
  auto knowing = annotations.knowing.find(canonical);
  bool is_kernel = llvm_is_kernel(llvm::wrap(&function));
  if (changing != annotations.changing.end())
    note_call(function, "__gpuverify_effect",
              sources.getPresumedLoc(changing->second));
  if (is_kernel && knowing != annotations.knowing.end())
    note_call(function, "__gpuverify_goes_on",
              sources.getPresumedLoc(knowing->second));
  if (is_kernel && annotations.elsewhere.isValid())
    note_call(function, "__gpuverify_effect",
              sources.getPresumedLoc(annotations.elsewhere));
}

bool has_annotations(const llvm::Module &module) {
  for (const llvm::Function &function : module)
    if (function.getName().contains("__gpuverify_"))
      return true;
  return false;
}

} // namespace

void annotations_note_effects(clang::ASTContext &context,
                              clang::CodeGenerator &generator) {
  if (!has_annotations(*generator.GetModule()))
    return;
  Annotations annotations(context);
  annotations.TraverseDecl(context.getTranslationUnitDecl());
  annotations.spread();
  if (annotations.changing.empty() && annotations.knowing.empty() &&
      annotations.elsewhere.isInvalid())
    return;
  for (llvm::Function &function : *generator.GetModule())
    if (!function.isDeclaration())
      note_in(annotations, generator.GetDeclForMangledName(function.getName()),
              context.getSourceManager(), function);
}
