// Launches that CUB and Thrust make of their kernels.
//
// All of them go through one class, whose objects hold the sizes:
//
//   triple_chevron(grid, block, shared, stream).doit(kernel, arguments..)
//
// or launcher_factory(grid, block, ..), a function that returns such an object.
// A kernel goes there by its name or as a pointer, and then a launch may be of
// each kernel with the parameters of the pointer's type.  A kernel of theirs is
// launched as these calls say, and in no other way, unless a pointer of this
// type gets to code of the user's: none of his expressions has to do with one,
// and their code calls none of his with one.  What they do among themselves is
// theirs, but for launches that are written otherwise.

#include "plugin/host.h"

#include "clang/AST/DynamicRecursiveASTVisitor.h"

namespace host {

// The type of a function, or of what a pointer points to, by its parameters;
// NULL: it is neither.  What is not yet converted has no type.
static const clang::Type *parameters_of(clang::ASTContext &context,
                                        clang::QualType type) {
  if (type.isNull())
    return nullptr;
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

// Of a system's header, in one of these namespaces.
static bool is_within(const clang::Decl *decl,
                      std::initializer_list<llvm::StringRef> names) {
  if (!is_systems(decl->getASTContext(), decl->getLocation()))
    return false;
  const clang::DeclContext *scope = decl->getDeclContext();
  for (; scope; scope = scope->getParent())
    if (auto *space = llvm::dyn_cast<clang::NamespaceDecl>(scope))
      if (llvm::is_contained(names, space->getName()))
        return true;
  return false;
}

static bool is_theirs(const clang::FunctionDecl *kernel) {
  return is_within(kernel, {"cub", "thrust"});
}

static bool is_launcher(const clang::CXXRecordDecl *record) {
  return record && record->getIdentifier() &&
         record->getName() == "triple_chevron" &&
         is_within(record, {"cuda_cub"});
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

// A function of theirs that is nothing but `return triple_chevron(grid, block,
// shared, ..)` of its parameters.
static bool makes_launcher(const clang::FunctionDecl *function) {
  auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(function);
  if (!method || method->isVirtual() ||
      method->isExplicitObjectMemberFunction() || !is_within(method, {"cub"}))
    return false;
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
    if (launch_by(call))
      launches.insert(call);
    else if (llvm::isa<clang::CUDAKernelCallExpr>(call))
      note(call->getCallee()->getType());
    else if (is_read_as_launch(call->getDirectCallee()))
      note_launch(call);
    else if (!is_known(call->getDirectCallee()))
      note_all_in(call);
    return true;
  }

  bool VisitCXXConstructExpr(clang::CXXConstructExpr *made) override {
    if (is_libraries(made) && !is_known(made->getConstructor()))
      note_all_in(made);
    return true;
  }

  bool VisitCastExpr(clang::CastExpr *cast) override {
    const clang::Type *from =
        parameters_of(context, cast->getSubExpr()->getType());
    bool is_kept = cast->getType()->isBooleanType() ||
                   cast->getType()->isVoidType() ||
                   from == parameters_of(context, cast->getType());
    if (is_libraries(cast) && from && !is_kept)
      unread.insert(from);
    if (is_libraries(cast) && !from && retypes_bytes(cast)) {
      note_within(cast->getSubExpr()->getType());
      note_within(cast->getType());
    }
    return true;
  }

  bool VisitMemberExpr(clang::MemberExpr *member) override {
    auto *record = llvm::dyn_cast<clang::RecordDecl>(
        member->getMemberDecl()->getDeclContext());
    if (is_libraries(member) && record && record->isUnion())
      note_within(member->getType());
    return true;
  }

  // Whatever the user has.
  bool VisitExpr(clang::Expr *expr) override {
    if (!is_systems(context, expr->getExprLoc()))
      note_within(expr->getType());
    return true;
  }

private:
  clang::ASTContext &context;
  const clang::FunctionDecl *function = nullptr;
  // Types that the user has, or that are taken for others.
  llvm::DenseSet<const clang::Type *> seen;

  static bool is_of_lambda(const clang::FunctionDecl *function) {
    auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
    return method && method->getParent()->isLambda();
  }

  // Code of the user's, or of nobody knows whom, is not.
  bool is_known(const clang::FunctionDecl *callee) const {
    const clang::FunctionDecl *body =
        callee ? callee->getDefinition() : nullptr;
    return callee && is_systems(context, callee->getLocation()) &&
           (!body || is_systems(context, body->getLocation()));
  }

  // What launches, and the runtime's functions that ask, are known.
  bool is_libraries(const clang::Expr *expr) const {
    return is_systems(context, expr->getExprLoc()) && !is_launchers(function) &&
           !is_read_as_launch(function) && !only_asks(function);
  }

  // What lies there is taken for something else.
  static bool retypes_bytes(const clang::CastExpr *cast) {
    return cast->getCastKind() == clang::CK_BitCast ||
           cast->getCastKind() == clang::CK_LValueBitCast;
  }

  bool note(clang::QualType type) {
    const clang::Type *code = parameters_of(context, type);
    if (code)
      unread.insert(code);
    return code;
  }

  void note_all_in(const clang::Stmt *stmt) {
    if (auto *expr = llvm::dyn_cast_or_null<clang::Expr>(stmt))
      note(expr->getType());
    for (const clang::Stmt *child : stmt->children())
      if (child)
        note_all_in(child);
  }

  void note_launch(const clang::CallExpr *call) {
    bool is_any = true;
    for (const clang::Expr *argument : call->arguments())
      is_any &= !note(argument->IgnoreParenCasts()->getType());
    is_any_unread |= is_any;
  }

  // By pointers, as elements and as members, too.
  void note_within(clang::QualType type) {
    if (type.isNull())
      return;
    type = type.getCanonicalType();
    if (!seen.insert(type.getTypePtr()).second || note(type))
      return;
    if (auto *array = type->getAsArrayTypeUnsafe())
      return note_within(array->getElementType());
    clang::QualType behind = type->getPointeeType(); // a reference's, too
    if (!behind.isNull())
      return note_within(behind);
    const clang::CXXRecordDecl *record = type->getAsCXXRecordDecl();
    if (!record || !record->hasDefinition() || record->isDependentContext())
      return;
    for (const clang::CXXBaseSpecifier &base : record->bases())
      note_within(base.getType());
    for (const clang::FieldDecl *field : record->fields())
      note_within(field->getType());
  }
};

} // namespace

Library::Library(clang::ASTContext &context_, const Survey &survey)
    : context(context_) {
  bool is_needed = false;
  for (auto &[kernel, mention] : survey.escaped)
    is_needed |= is_theirs(kernel);
  const clang::LangOptions &language = context.getLangOpts();
  bool may_kernels_launch = language.GPURelocatableDeviceCode;
  if (!is_needed || language.CUDAIsDevice || may_kernels_launch)
    return;
  PointerVisitor pointers(context);
  pointers.TraverseAST(context);
  for (const clang::CXXRecordDecl *closure : users_closures(context))
    for (clang::FunctionDecl *called : call_operators(closure))
      pointers.TraverseStmt(called->getBody());
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
  if (found == launches.end() || !is_theirs(kernel))
    return sites;
  for (Site site : found->second)
    if (!site.kernel ||
        site.kernel->getCanonicalDecl() == kernel->getCanonicalDecl()) {
      site.kernel = kernel;
      site.is_of_library = true;
      sites.push_back(site);
    }
  return sites;
}

} // namespace host
