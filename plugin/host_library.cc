// Launches that the SDK's own library (CUB and Thrust) makes of its kernels.
//
// All of them go through one class, whose objects hold the sizes:
//
//   triple_chevron(grid, block, shared, stream).doit(kernel, arguments..)
//
// or launcher_factory(grid, block, ..), a function that returns such an object.
// A kernel goes there by its name or as a pointer, and then a launch may be of
// each kernel with the parameters of the pointer's type; and a kernel of the
// library's is launched as these calls say if nothing else is done with a
// pointer of this type: no code of the user's has one, and the library's hands
// it to nobody else, casts it to nothing else, and launches it in no other way.

#include "plugin/host.h"

#include "clang/AST/DynamicRecursiveASTVisitor.h"

namespace host {

// The type of a function, or of what a pointer points to, by its parameters;
// NULL: it is neither.
static const clang::Type *parameters_of(clang::ASTContext &context,
                                        clang::QualType type) {
  type = type.getNonReferenceType();
  if (type->isPointerType())
    type = type->getPointeeType();
  auto *code = type->getAs<clang::FunctionProtoType>();
  if (!code || code->isVariadic() || code->isDependentType())
    return nullptr;
  return context
      .getFunctionType(context.VoidTy, code->getParamTypes(),
                       clang::FunctionProtoType::ExtProtoInfo())
      .getCanonicalType()
      .getTypePtr();
}

static bool is_systems(const clang::ASTContext &context,
                       clang::SourceLocation where) {
  return context.getSourceManager().isInSystemHeader(where);
}

static bool is_launcher(const clang::CXXRecordDecl *record) {
  return record && record->getIdentifier() &&
         record->getName() == "triple_chevron" &&
         is_systems(record->getASTContext(), record->getLocation());
}

static bool is_launchers(const clang::FunctionDecl *function) {
  auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(function);
  return method && is_launcher(method->getParent());
}

static const clang::CXXMemberCallExpr *launch_by(const clang::CallExpr *call) {
  auto *member = llvm::dyn_cast<clang::CXXMemberCallExpr>(call);
  return member && is_launchers(member->getDirectCallee()) && call->getNumArgs()
             ? member
             : nullptr;
}

// Without what makes a temporary object of it.
static const clang::Expr *object_of(const clang::Expr *expr) {
  for (;;) {
    expr = expr->IgnoreParenImpCasts();
    if (auto *full = llvm::dyn_cast<clang::FullExpr>(expr))
      expr = full->getSubExpr();
    else if (auto *object =
                 llvm::dyn_cast<clang::MaterializeTemporaryExpr>(expr))
      expr = object->getSubExpr();
    else if (auto *bound = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(expr))
      expr = bound->getSubExpr();
    else if (auto *cast = llvm::dyn_cast<clang::CXXFunctionalCastExpr>(expr))
      expr = cast->getSubExpr();
    else
      return expr;
  }
}

// triple_chevron(grid, block, shared, ..)
static const clang::CXXConstructExpr *made_launcher(const clang::Expr *expr) {
  auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(object_of(expr));
  bool is_by_sizes =
      made && is_launcher(made->getType()->getAsCXXRecordDecl()) &&
      made->getNumArgs() >= 3 && is_dim3(made->getArg(0)->getType()) &&
      is_dim3(made->getArg(1)->getType());
  return is_by_sizes ? made : nullptr;
}

// Is the argument the parameter, as it came?
static bool hands_on(const clang::Expr *argument,
                     const clang::ParmVarDecl *parameter) {
  const clang::Expr *inner = object_of(argument);
  auto *copy = llvm::dyn_cast<clang::CXXConstructExpr>(inner);
  if (copy && copy->getConstructor()->isCopyOrMoveConstructor())
    inner = object_of(copy->getArg(0));
  auto *mention = llvm::dyn_cast<clang::DeclRefExpr>(inner);
  return mention && mention->getDecl() == parameter;
}

// A function that is nothing but `return triple_chevron(grid, block, shared,
// ..)` of its parameters.
static bool makes_launcher(const clang::FunctionDecl *function) {
  auto *body =
      function
          ? llvm::dyn_cast_or_null<clang::CompoundStmt>(function->getBody())
          : nullptr;
  auto *statement = body && body->size() == 1
                        ? llvm::dyn_cast<clang::ReturnStmt>(body->body_front())
                        : nullptr;
  const clang::CXXConstructExpr *made =
      statement && statement->getRetValue() && !is_replaceable(function)
          ? made_launcher(statement->getRetValue())
          : nullptr;
  if (!made || function->getNumParams() < 3)
    return false;
  const clang::FunctionDecl *definition = nullptr;
  function->hasBody(definition);
  for (unsigned i = 0; i < 3; i++)
    if (!hands_on(made->getArg(i), definition->getParamDecl(i)))
      return false;
  return true;
}

// The three sizes of a launch; grid is NULL: they are made elsewhere.
static Site sizes_of(const clang::CXXMemberCallExpr *call) {
  Site site = {call, call, nullptr, nullptr, nullptr, nullptr, false};
  const clang::Expr *object = object_of(call->getImplicitObjectArgument());
  auto *by = llvm::dyn_cast<clang::CXXOperatorCallExpr>(object);
  const clang::CXXConstructExpr *made = made_launcher(object);
  if (made) {
    site.grid = made->getArg(0);
    site.block = made->getArg(1);
    site.shared = made->getArg(2);
  } else if (by && by->getOperator() == clang::OO_Call &&
             by->getNumArgs() >= 4 && makes_launcher(by->getDirectCallee())) {
    site.grid = by->getArg(1);
    site.block = by->getArg(2);
    site.shared = by->getArg(3);
  }
  return site;
}

namespace {

// Types of pointers with which more is done than these launches.
class PointerVisitor : public clang::DynamicRecursiveASTVisitor {
public:
  llvm::DenseSet<const clang::Type *> unread;
  bool is_any_unread = false; // a launch of a pointer without a type
  llvm::DenseSet<const clang::CallExpr *> launches;

  explicit PointerVisitor(clang::ASTContext &context_) : context(context_) {
    ShouldVisitTemplateInstantiations = true;
    ShouldVisitImplicitCode = true;
  }

  // The patterns of templates are not code; their instances are.
  bool TraverseDecl(clang::Decl *decl) override {
    auto *scope = llvm::dyn_cast_or_null<clang::DeclContext>(decl);
    if (scope && scope->isDependentContext())
      return true;
    const clang::FunctionDecl *around = function;
    auto *inner = llvm::dyn_cast_or_null<clang::FunctionDecl>(decl);
    if (inner && !is_of_lambda(inner))
      function = inner;
    bool goes_on = clang::DynamicRecursiveASTVisitor::TraverseDecl(decl);
    function = around;
    return goes_on;
  }

  bool VisitCallExpr(clang::CallExpr *call) override {
    if (!is_libraries(call))
      return true;
    const clang::FunctionDecl *callee = call->getDirectCallee();
    if (launch_by(call))
      launches.insert(call);
    else if (!callee || is_read_as_launch(callee) ||
             !is_systems(context, callee->getLocation()))
      note_all(call);
    return true;
  }

  bool VisitCastExpr(clang::CastExpr *cast) override {
    const clang::Type *from =
        parameters_of(context, cast->getSubExpr()->getType());
    bool is_kept = cast->getType()->isBooleanType() ||
                   from == parameters_of(context, cast->getType());
    if (is_libraries(cast) && from && !is_kept)
      unread.insert(from);
    return true;
  }

  // Whatever the user has.
  bool VisitExpr(clang::Expr *expr) override {
    if (!is_systems(context, expr->getExprLoc()))
      note(expr->getType());
    return true;
  }

private:
  clang::ASTContext &context;
  const clang::FunctionDecl *function = nullptr;

  static bool is_of_lambda(const clang::FunctionDecl *function) {
    auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
    return method && method->getParent()->isLambda();
  }

  // What launches, and the runtime's functions that ask, are known.
  bool is_libraries(const clang::Expr *expr) const {
    return is_systems(context, expr->getExprLoc()) && !is_launchers(function) &&
           !is_read_as_launch(function) && !only_asks(function);
  }

  void note(clang::QualType type) {
    if (const clang::Type *code = parameters_of(context, type))
      unread.insert(code);
  }

  void note_all(const clang::CallExpr *call) {
    bool is_any = true;
    if (llvm::isa<clang::CUDAKernelCallExpr>(call)) {
      note(call->getCallee()->getType());
      is_any = false;
    }
    for (const clang::Expr *argument : call->arguments()) {
      clang::QualType type = argument->IgnoreParenCasts()->getType();
      is_any &= !parameters_of(context, type);
      note(type);
    }
    is_any_unread |= is_any && is_read_as_launch(call->getDirectCallee());
  }
};

} // namespace

Library::Library(clang::ASTContext &context_, const Survey &survey)
    : context(context_) {
  bool is_needed = false;
  for (auto &[kernel, mention] : survey.escaped)
    is_needed |= is_systems(context, kernel->getLocation());
  if (!is_needed || context.getLangOpts().CUDAIsDevice)
    return;
  PointerVisitor pointers(context);
  pointers.TraverseAST(context);
  llvm::DenseSet<const clang::CallExpr *> surveyed;
  for (const Survey::Call &one : survey.calls)
    if (pointers.launches.count(one.call)) {
      add(launch_by(one.call), one.function, &pointers.unread);
      surveyed.insert(one.call);
    }
  // Of what the survey has not seen, nothing is known.
  for (const clang::CallExpr *call : pointers.launches)
    if (!surveyed.count(call))
      pointers.unread.insert(kernel_type(call));
  for (const clang::Type *type : pointers.unread)
    launches.erase(type);
  if (pointers.is_any_unread)
    launches.clear();
}

const clang::Type *Library::kernel_type(const clang::CallExpr *call) const {
  return parameters_of(context, call->getArg(0)->getType());
}

void Library::add(const clang::CXXMemberCallExpr *call,
                  const clang::FunctionDecl *function,
                  llvm::DenseSet<const clang::Type *> *unread) {
  Site site = sizes_of(call);
  const clang::Type *type = kernel_type(call);
  site.function = function;
  site.kernel = function_named(call->getArg(0));
  if (!site.grid && type)
    unread->insert(type);
  else if (type)
    launches[type].push_back(site);
}

std::vector<Site>
Library::launches_of(const clang::FunctionDecl *kernel) const {
  std::vector<Site> sites;
  auto found = launches.find(parameters_of(context, kernel->getType()));
  if (found == launches.end() || !is_systems(context, kernel->getLocation()))
    return sites;
  for (Site site : found->second)
    if (!site.kernel ||
        site.kernel->getCanonicalDecl() == kernel->getCanonicalDecl()) {
      site.kernel = kernel;
      sites.push_back(site);
    }
  return sites;
}

} // namespace host
