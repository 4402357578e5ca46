// Launch sizes and arguments, read from the host code of the same file.
//
// When clang compiles a .cu file for the device it parses the host functions,
// too.  So each  kernel<<<grid, block, shared>>>(arguments)  is there to read,
// and so are calls of cudaLaunchKernel and its cooperative sister.  Where the
// kernel is a pointer, it may be any whose address is taken in the file.  What
// cudaLaunchKernelEx gets is a variable, whose members are assigned: they are
// taken if each is assigned once in the file and nothing else is done with it.
// The sizes of clusters are taken if all that are assigned in the file agree.
//
// A number is taken only if it is certain: clang folds it, or it is computed
// from variables whose every mention in this file is a read, or by a function
// that is one `return`.  A variable that is assigned, bound to a reference or
// whose address is taken anywhere is free, and so is what depends on it.
// (SOUND(host-code): what the host does under #ifdef __CUDA_ARCH__ is read as
// the device compilation sees it, and launches elsewhere are not seen.)

#include "plugin/frontend.h"

#include "clang/AST/GlobalDecl.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

#include <optional>

using Number = std::optional<llvm::APSInt>;

static bool is_kernel(const clang::FunctionDecl *function) {
  return function && function->hasAttr<clang::CUDAGlobalAttr>();
}

namespace {

// One look at the user's part of the file: launches, and how variables are
// mentioned.
class Survey : public clang::RecursiveASTVisitor<Survey> {
public:
  std::vector<const clang::CallExpr *> calls;
  llvm::SetVector<const clang::FunctionDecl *> addressed; // kernels

  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitImplicitCode() const { return true; }

  // The patterns of templates are not code; their instances are.
  bool TraverseDecl(clang::Decl *decl) {
    bool outside = is_pattern;
    if (auto *context = llvm::dyn_cast_or_null<clang::DeclContext>(decl))
      is_pattern = context->isDependentContext();
    bool goes_on = RecursiveASTVisitor::TraverseDecl(decl);
    is_pattern = outside;
    return goes_on;
  }

  bool VisitCallExpr(clang::CallExpr *call) {
    callees.insert(call->getCallee()->IgnoreParenImpCasts());
    if (!is_pattern)
      calls.push_back(call);
    return true;
  }

  bool VisitDeclRefExpr(clang::DeclRefExpr *mention) {
    if (auto *variable = llvm::dyn_cast<clang::VarDecl>(mention->getDecl()))
      mentions.push_back({mention, variable->getCanonicalDecl()});
    auto *function = llvm::dyn_cast<clang::FunctionDecl>(mention->getDecl());
    if (is_kernel(function) && !is_pattern)
      kernel_mentions.push_back(mention);
    return true;
  }

  // config.gridDim = dim3(..)
  bool VisitCXXOperatorCallExpr(clang::CXXOperatorCallExpr *call) {
    if (call->getOperator() == clang::OO_Equal && call->getNumArgs() == 2)
      note_assignment(call->getArg(0), call->getArg(1));
    return true;
  }

  // attribute[0].val.clusterDim.x = 2
  bool VisitBinaryOperator(clang::BinaryOperator *expr) {
    if (expr->getOpcode() == clang::BO_Assign)
      note_assignment(expr->getLHS(), expr->getRHS());
    return true;
  }

  bool VisitImplicitCastExpr(clang::ImplicitCastExpr *cast) {
    if (cast->getCastKind() == clang::CK_LValueToRValue)
      mark_read(cast->getSubExpr());
    return true;
  }

  bool VisitCXXConstructExpr(clang::CXXConstructExpr *object) {
    if (object->getConstructor()->isCopyOrMoveConstructor() &&
        object->getConstructor()->isTrivial() && object->getNumArgs() == 1)
      mark_read(object->getArg(0));
    return true;
  }

  // After the visit.
  void conclude() {
    for (auto &[mention, variable] : mentions)
      if (!reads.count(mention))
        written.insert(variable);
    for (const clang::DeclRefExpr *mention : kernel_mentions)
      if (!callees.count(mention))
        addressed.insert(llvm::cast<clang::FunctionDecl>(mention->getDecl()));
  }

  bool is_only_read(const clang::VarDecl *variable) const {
    return !written.count(variable->getCanonicalDecl());
  }

  // What a member is assigned, the only time in the file; or NULL.
  const clang::Expr *assigned(const clang::VarDecl *variable,
                              llvm::StringRef member) const {
    const clang::Expr *value = nullptr;
    for (const Assignment &one : assignments)
      if (one.variable == variable->getCanonicalDecl() &&
          one.member == member) {
        if (value)
          return nullptr;
        value = one.value;
      }
    return value;
  }

  // No more is done with it than its members are assigned, and one launch.
  bool is_for_launch(const clang::VarDecl *variable) const {
    unsigned uses = 0, known = 1;
    for (auto &[mention, other] : mentions)
      uses += other == variable->getCanonicalDecl();
    for (const Assignment &one : assignments)
      known += one.variable == variable->getCanonicalDecl();
    return uses == known;
  }

  std::vector<const clang::Expr *> cluster_sizes[3]; // by axis

private:
  struct Assignment {
    const clang::VarDecl *variable;
    llvm::StringRef member;
    const clang::Expr *value;
  };
  std::vector<Assignment> assignments;

  void note_assignment(const clang::Expr *to, const clang::Expr *value) {
    auto *member = llvm::dyn_cast<clang::MemberExpr>(to->IgnoreParenImpCasts());
    if (!member || !member->getMemberDecl()->getIdentifier() || is_pattern)
      return;
    llvm::StringRef name = member->getMemberDecl()->getName();
    const clang::Expr *base = member->getBase()->IgnoreParenImpCasts();
    auto *outer = llvm::dyn_cast<clang::MemberExpr>(base);
    bool is_axis = name == "x" || name == "y" || name == "z";
    if (outer && is_axis && outer->getMemberDecl()->getIdentifier() &&
        outer->getMemberDecl()->getName() == "clusterDim")
      cluster_sizes[name[0] - 'x'].push_back(value);
    auto *mention = llvm::dyn_cast<clang::DeclRefExpr>(base);
    auto *variable =
        mention ? llvm::dyn_cast<clang::VarDecl>(mention->getDecl()) : nullptr;
    if (variable && !member->isArrow())
      assignments.push_back({variable->getCanonicalDecl(), name, value});
  }

  bool is_pattern = false;
  std::vector<std::pair<const clang::DeclRefExpr *, const clang::VarDecl *>>
      mentions;
  std::vector<const clang::DeclRefExpr *> kernel_mentions;
  llvm::DenseSet<const clang::Expr *> callees, reads;
  llvm::DenseSet<const clang::VarDecl *> written;

  // `place` is read as a whole or, for a struct, in part.
  void mark_read(const clang::Expr *place) {
    for (;;) {
      place = place->IgnoreParens();
      if (auto *member = llvm::dyn_cast<clang::MemberExpr>(place)) {
        if (member->isArrow())
          return;
        place = member->getBase();
      } else if (auto *cast = llvm::dyn_cast<clang::ImplicitCastExpr>(place)) {
        if (cast->getCastKind() != clang::CK_NoOp)
          return;
        place = cast->getSubExpr();
      } else {
        reads.insert(place);
        return;
      }
    }
  }
};

// What expressions are certain to be.
class Certain {
public:
  Certain(clang::ASTContext &context_, const Survey &survey_)
      : context(context_), survey(survey_) {}

  Number number(const clang::Expr *expr);
  // A dim3, by axis.
  void sizes(const clang::Expr *expr, Extent extents[3]);

private:
  enum { DEEPEST = 64 };

  clang::ASTContext &context;
  const Survey &survey;
  llvm::DenseMap<const clang::VarDecl *, llvm::APSInt> parameters;
  unsigned depth = 0;

  const clang::Expr *initial_value(const clang::VarDecl *variable);
  Number number_of_type(Number value, clang::QualType type);
  Number computed(const clang::Expr *expr);
  Number variable(const clang::Expr *place);
  Number member(const clang::MemberExpr *member);
  Number cast(const clang::CastExpr *cast);
  Number unary(const clang::UnaryOperator *expr);
  Number binary(const clang::BinaryOperator *expr);
  Number conditional(const clang::ConditionalOperator *expr);
  Number call(const clang::CallExpr *call);
};

} // namespace

// --------------------------------------------------------------- numbers ---

static bool is_integer(clang::QualType type) {
  return !type.isNull() && !type->isDependentType() &&
         type->isIntegralOrEnumerationType();
}

// Can the variable be mentioned only where the survey looks?
static bool is_in_sight(clang::ASTContext &context,
                        const clang::VarDecl *variable) {
  if (variable->hasLocalStorage() || variable->isStaticLocal())
    return true;
  return !variable->isExternallyVisible() &&
         !context.getSourceManager().isInSystemHeader(variable->getLocation());
}

// The initialiser of a variable that has this value for good, else NULL.
const clang::Expr *Certain::initial_value(const clang::VarDecl *variable) {
  clang::QualType type = variable->getType();
  if (llvm::isa<clang::ParmVarDecl>(variable) || type->isReferenceType() ||
      type.isVolatileQualified() || variable->isExceptionVariable())
    return nullptr;
  bool is_fixed = type.isConstQualified() || (is_in_sight(context, variable) &&
                                              survey.is_only_read(variable));
  return is_fixed ? variable->getAnyInitializer() : nullptr;
}

Number Certain::number(const clang::Expr *expr) {
  if (!expr || expr->isValueDependent() || !is_integer(expr->getType()) ||
      depth == DEEPEST)
    return {};
  clang::Expr::EvalResult result;
  if (expr->EvaluateAsInt(result, context))
    return result.Val.getInt();
  depth++;
  Number value = number_of_type(computed(expr), expr->getType());
  depth--;
  return value;
}

// The conversion that the language makes.
Number Certain::number_of_type(Number value, clang::QualType type) {
  if (!value)
    return {};
  bool is_unsigned = type->isUnsignedIntegerOrEnumerationType();
  if (type->isBooleanType())
    return llvm::APSInt(llvm::APInt(1, value->getBoolValue()), true);
  llvm::APSInt converted = value->extOrTrunc(context.getIntWidth(type));
  converted.setIsUnsigned(is_unsigned);
  return converted;
}

Number Certain::computed(const clang::Expr *expr) {
  expr = expr->IgnoreParens();
  if (auto *full = llvm::dyn_cast<clang::FullExpr>(expr))
    return number(full->getSubExpr());
  if (auto *argument = llvm::dyn_cast<clang::CXXDefaultArgExpr>(expr))
    return number(argument->getExpr());
  if (auto *inner = llvm::dyn_cast<clang::CastExpr>(expr))
    return cast(inner);
  if (auto *inner = llvm::dyn_cast<clang::UnaryOperator>(expr))
    return unary(inner);
  if (auto *inner = llvm::dyn_cast<clang::BinaryOperator>(expr))
    return binary(inner);
  if (auto *inner = llvm::dyn_cast<clang::ConditionalOperator>(expr))
    return conditional(inner);
  if (auto *inner = llvm::dyn_cast<clang::CallExpr>(expr))
    return call(inner);
  return {};
}

// What is read from an lvalue.
Number Certain::variable(const clang::Expr *place) {
  place = place->IgnoreParenNoopCasts(context);
  if (auto *inner = llvm::dyn_cast<clang::MemberExpr>(place))
    return member(inner);
  auto *mention = llvm::dyn_cast<clang::DeclRefExpr>(place);
  auto *decl =
      mention ? llvm::dyn_cast<clang::VarDecl>(mention->getDecl()) : nullptr;
  if (!decl)
    return {};
  if (auto known = parameters.find(decl); known != parameters.end())
    return known->second;
  return number(initial_value(decl));
}

Number Certain::member(const clang::MemberExpr *member) {
  auto *field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
  if (member->isArrow() || !field || !field->getIdentifier() ||
      field->getFieldIndex() > 2)
    return {};
  Extent extents[3] = {};
  sizes(member->getBase(), extents);
  Extent extent = extents[field->getFieldIndex()];
  if (!extent.known)
    return {};
  return llvm::APSInt(llvm::APInt(32, extent.value), true);
}

Number Certain::cast(const clang::CastExpr *cast) {
  switch (cast->getCastKind()) {
  case clang::CK_LValueToRValue:
    return variable(cast->getSubExpr());
  case clang::CK_NoOp:
  case clang::CK_IntegralCast:
  case clang::CK_IntegralToBoolean:
    return number(cast->getSubExpr());
  default:
    return {};
  }
}

Number Certain::unary(const clang::UnaryOperator *expr) {
  clang::UnaryOperatorKind op = expr->getOpcode();
  bool is_known_op = op == clang::UO_Plus || op == clang::UO_Minus ||
                     op == clang::UO_Not || op == clang::UO_LNot;
  Number value = is_known_op ? number(expr->getSubExpr()) : Number();
  if (!value)
    return {};
  if (op == clang::UO_LNot)
    return llvm::APSInt(llvm::APInt(1, !value->getBoolValue()), true);
  if (op == clang::UO_Minus && value->isSigned() && value->isMinSignedValue())
    return {};
  return op == clang::UO_Plus    ? *value
         : op == clang::UO_Minus ? -*value
                                 : ~*value;
}

// a op b without overflow; signed overflow and division by 0 have no value.
static Number arithmetic(clang::BinaryOperatorKind op, const llvm::APSInt &a,
                         const llvm::APSInt &b) {
  bool is_signed = a.isSigned(), overflow = false;
  llvm::APInt value = a;
  switch (op) {
  case clang::BO_Add:
    value = is_signed ? a.sadd_ov(b, overflow) : a + b;
    break;
  case clang::BO_Sub:
    value = is_signed ? a.ssub_ov(b, overflow) : a - b;
    break;
  case clang::BO_Mul:
    value = is_signed ? a.smul_ov(b, overflow) : a * b;
    break;
  case clang::BO_Div:
  case clang::BO_Rem:
    if (b.isZero() || (is_signed && a.isMinSignedValue() && b.isAllOnes()))
      return {};
    value = op == clang::BO_Div ? a / b : a % b;
    break;
  case clang::BO_And:
    value = a & b;
    break;
  case clang::BO_Or:
    value = a | b;
    break;
  case clang::BO_Xor:
    value = a ^ b;
    break;
  default:
    return {};
  }
  return overflow ? Number() : llvm::APSInt(value, !is_signed);
}

static Number comparison(clang::BinaryOperatorKind op, const llvm::APSInt &a,
                         const llvm::APSInt &b) {
  bool holds = op == clang::BO_LT   ? a < b
               : op == clang::BO_GT ? a > b
               : op == clang::BO_LE ? a <= b
               : op == clang::BO_GE ? a >= b
               : op == clang::BO_EQ ? a == b
                                    : a != b;
  return llvm::APSInt(llvm::APInt(1, holds), true);
}

static Number shift(clang::BinaryOperatorKind op, const llvm::APSInt &a,
                    const llvm::APSInt &b) {
  if (b.isNegative() || b.uge(a.getBitWidth()) || a.isNegative())
    return {};
  auto bits = static_cast<unsigned>(b.getZExtValue());
  if (op == clang::BO_Shr)
    return a >> bits;
  if (a.isSigned() && a.getActiveBits() + bits >= a.getBitWidth())
    return {};
  return a << bits;
}

Number Certain::binary(const clang::BinaryOperator *expr) {
  if (expr->isAssignmentOp() || expr->isCommaOp() || expr->isPtrMemOp() ||
      expr->isLogicalOp())
    return {};
  Number a = number(expr->getLHS()), b = number(expr->getRHS());
  if (!a || !b)
    return {};
  if (expr->isShiftOp())
    return shift(expr->getOpcode(), *a, *b);
  if (a->getBitWidth() != b->getBitWidth() || a->isSigned() != b->isSigned())
    return {};
  if (expr->isComparisonOp())
    return comparison(expr->getOpcode(), *a, *b);
  return arithmetic(expr->getOpcode(), *a, *b);
}

Number Certain::conditional(const clang::ConditionalOperator *expr) {
  Number condition = number(expr->getCond());
  if (!condition)
    return {};
  return number(condition->getBoolValue() ? expr->getTrueExpr()
                                          : expr->getFalseExpr());
}

// The expression of a function that is nothing but `return expression`.
static const clang::Expr *returned(const clang::FunctionDecl *function) {
  auto *body = llvm::dyn_cast_or_null<clang::CompoundStmt>(function->getBody());
  if (!body || body->size() != 1)
    return nullptr;
  auto *statement = llvm::dyn_cast<clang::ReturnStmt>(body->body_front());
  return statement ? statement->getRetValue() : nullptr;
}

Number Certain::call(const clang::CallExpr *call) {
  const clang::FunctionDecl *function = call->getDirectCallee();
  if (!function || !function->hasBody(function) ||
      llvm::isa<clang::CXXMethodDecl>(function) || function->isVariadic() ||
      !returned(function) || call->getNumArgs() != function->getNumParams())
    return {};
  llvm::DenseMap<const clang::VarDecl *, llvm::APSInt> inner;
  for (unsigned i = 0; i < call->getNumArgs(); i++) {
    const clang::ParmVarDecl *parameter = function->getParamDecl(i);
    Number value = number(call->getArg(i));
    if (!value || !is_integer(parameter->getType()) ||
        !survey.is_only_read(parameter))
      return {};
    inner[parameter] = *value;
  }
  std::swap(parameters, inner);
  Number value = number(returned(function));
  std::swap(parameters, inner);
  return value;
}

// ----------------------------------------------------------------- sizes ---

static bool is_dim3(clang::QualType type) {
  const clang::CXXRecordDecl *record = type->getAsCXXRecordDecl();
  return record && record->getIdentifier() && record->getName() == "dim3";
}

// Nothing but positive numbers can be launched; the rest is left free.
static Extent extent_of(const Number &number) {
  if (!number || number->isNegative() || number->isZero() ||
      number->getActiveBits() > 31)
    return {};
  return {true, static_cast<uint32_t>(number->getZExtValue())};
}

void Certain::sizes(const clang::Expr *expr, Extent extents[3]) {
  expr = expr->IgnoreParens();
  if (depth == DEEPEST)
    return;
  depth++;
  if (auto *full = llvm::dyn_cast<clang::FullExpr>(expr))
    sizes(full->getSubExpr(), extents);
  else if (auto *object = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(expr))
    sizes(object->getSubExpr(), extents);
  else if (auto *argument = llvm::dyn_cast<clang::CXXDefaultArgExpr>(expr))
    sizes(argument->getExpr(), extents);
  else if (auto *cast = llvm::dyn_cast<clang::CastExpr>(expr)) {
    if (is_dim3(cast->getType()) &&
        cast->getCastKind() != clang::CK_UserDefinedConversion)
      sizes(cast->getSubExpr(), extents);
  } else if (auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(expr)) {
    if (made->getConstructor()->isCopyOrMoveConstructor())
      sizes(made->getArg(0), extents);
    else if (is_dim3(made->getType()) && made->getNumArgs() == 3)
      for (unsigned axis = 0; axis < 3; axis++)
        extents[axis] = extent_of(number(made->getArg(axis)));
  } else if (auto *mention = llvm::dyn_cast<clang::DeclRefExpr>(expr)) {
    auto *decl = llvm::dyn_cast<clang::VarDecl>(mention->getDecl());
    const clang::Expr *value = decl ? initial_value(decl) : nullptr;
    if (value && is_dim3(decl->getType()))
      sizes(value, extents);
  }
  depth--;
}

// -------------------------------------------------------------- launches ---

namespace {

// A launch in the host code, by whichever way it is written.
struct Site {
  const clang::CallExpr *call;
  const clang::FunctionDecl *kernel;        // NULL: it is a pointer
  const clang::Expr *grid, *block, *shared; // or NULL
  bool has_arguments;                       // of the kernel, in `call`
  unsigned first = 0;                       // ... from this one on
  bool has_attributes = false;
};

} // namespace

// (const void *)kernel
static const clang::FunctionDecl *mentioned(const clang::Expr *expr) {
  expr = expr->IgnoreParenCasts();
  if (auto *address = llvm::dyn_cast<clang::UnaryOperator>(expr))
    expr = address->getSubExpr()->IgnoreParenCasts();
  auto *mention = llvm::dyn_cast<clang::DeclRefExpr>(expr);
  return mention ? llvm::dyn_cast<clang::FunctionDecl>(mention->getDecl())
                 : nullptr;
}

static std::optional<Site> bracket_site(const clang::CUDAKernelCallExpr *call) {
  const clang::CallExpr *config = call->getConfig();
  if (!config || config->getNumArgs() < 3)
    return {};
  return Site{call,
              call->getDirectCallee(),
              config->getArg(0),
              config->getArg(1),
              config->getArg(2),
              true};
}

// cudaLaunchKernel(kernel, grid, block, arguments, shared, stream)
static std::optional<Site> function_site(const clang::CallExpr *call) {
  const clang::FunctionDecl *function = call->getDirectCallee();
  if (!function || !function->getIdentifier() || call->getNumArgs() < 5)
    return {};
  llvm::StringRef name = function->getName();
  if (name != "cudaLaunchKernel" && name != "cudaLaunchCooperativeKernel")
    return {};
  return Site{call,
              mentioned(call->getArg(0)),
              call->getArg(1),
              call->getArg(2),
              call->getArg(4),
              false};
}

// cudaLaunchKernelEx(&config, kernel, arguments..)
static std::optional<Site> config_site(const Survey &survey,
                                       const clang::CallExpr *call) {
  const clang::FunctionDecl *function = call->getDirectCallee();
  if (!function || !function->getIdentifier() || call->getNumArgs() < 2 ||
      function->getName() != "cudaLaunchKernelEx")
    return {};
  Site site = {
      call, mentioned(call->getArg(1)), nullptr, nullptr, nullptr, true, 2,
      true};
  auto *address = llvm::dyn_cast<clang::UnaryOperator>(
      call->getArg(0)->IgnoreParenImpCasts());
  auto *mention = address ? llvm::dyn_cast<clang::DeclRefExpr>(
                                address->getSubExpr()->IgnoreParens())
                          : nullptr;
  auto *variable =
      mention ? llvm::dyn_cast<clang::VarDecl>(mention->getDecl()) : nullptr;
  if (!site.kernel || !variable || !survey.is_for_launch(variable))
    return site.kernel ? std::optional<Site>(site) : std::nullopt;
  site.grid = survey.assigned(variable, "gridDim");
  site.block = survey.assigned(variable, "blockDim");
  site.shared = survey.assigned(variable, "dynamicSmemBytes");
  return site;
}

static std::optional<Site> site_of(const Survey &survey,
                                   const clang::CallExpr *call) {
  if (call->isTypeDependent())
    return {};
  if (std::optional<Site> site = config_site(survey, call))
    return site;
  if (auto *bracket = llvm::dyn_cast<clang::CUDAKernelCallExpr>(call))
    return bracket_site(bracket);
  return function_site(call);
}

// Through a pointer, each kernel may be meant whose address is taken.
static bool may_launch(clang::ASTContext &context, const Site &site,
                       const clang::FunctionDecl *kernel) {
  clang::QualType type = site.call->getCallee()->getType();
  return !site.has_arguments ||
         context.hasSameFunctionTypeIgnoringExceptionSpec(
             type->getPointeeType(), kernel->getType());
}

static Argument argument_of(Certain &certain, const clang::Expr *expr,
                            clang::QualType type) {
  Number value = is_integer(type) ? certain.number(expr) : Number();
  if (!value || value->getActiveBits() > 64 || value->getBitWidth() > 64)
    return {};
  return {true, value->getZExtValue(), {}};
}

static Loc location(clang::ASTContext &context, Task *task,
                    clang::SourceLocation where) {
  const clang::SourceManager &sources = context.getSourceManager();
  clang::PresumedLoc place =
      sources.getPresumedLoc(sources.getExpansionLoc(where));
  if (place.isInvalid())
    return {};
  return {arena_copy(&task->arena, place.getFilename()), place.getLine(),
          place.getColumn()};
}

// All that are assigned agree.
static Extent cluster_size(Certain &certain, const Survey &survey,
                           unsigned axis) {
  Extent size = {};
  for (const clang::Expr *value : survey.cluster_sizes[axis]) {
    Extent one = extent_of(certain.number(value));
    if (!one.known || (size.known && size.value != one.value))
      return {};
    size = one;
  }
  return size;
}

static Launch launch_of(clang::ASTContext &context, Certain &certain,
                        const Survey &survey, Task *task, const Site &site) {
  Launch launch = {};
  launch.where = location(context, task, site.call->getBeginLoc());
  if (site.grid)
    certain.sizes(site.grid, launch.grid);
  if (site.block)
    certain.sizes(site.block, launch.block);
  for (unsigned axis = 0; axis < 3 && site.has_attributes; axis++)
    launch.cluster[axis] = cluster_size(certain, survey, axis);
  Number shared = certain.number(site.shared);
  if (shared && shared->getActiveBits() <= 32)
    launch.dynamic_shared = {true,
                             static_cast<uint32_t>(shared->getZExtValue())};
  for (unsigned i = 0; i < site.kernel->getNumParams(); i++)
    append(&task->arena, &launch.arguments,
           site.has_arguments && site.first + i < site.call->getNumArgs()
               ? argument_of(certain, site.call->getArg(site.first + i),
                             site.kernel->getParamDecl(i)->getType())
               : Argument{});
  return launch;
}

// The user's declarations: what the SDK's headers launch is not looked at.
static void survey_file(clang::ASTContext &context, Survey *survey) {
  const clang::SourceManager &sources = context.getSourceManager();
  for (clang::Decl *decl : context.getTranslationUnitDecl()->decls())
    if (!sources.isInSystemHeader(decl->getLocation()))
      survey->TraverseDecl(decl);
  survey->conclude();
}

static std::vector<Site> launch_sites(clang::ASTContext &context,
                                      const Survey &survey) {
  std::vector<Site> sites;
  for (const clang::CallExpr *call : survey.calls) {
    std::optional<Site> site = site_of(survey, call);
    if (!site)
      continue;
    if (site->kernel) {
      sites.push_back(*site);
      continue;
    }
    for (const clang::FunctionDecl *kernel : survey.addressed)
      if (may_launch(context, *site, kernel)) {
        site->kernel = kernel;
        sites.push_back(*site);
      }
  }
  return sites;
}

void find_launches(clang::ASTContext &context, clang::CodeGenerator &generator,
                   Task *task, HostLaunches *launches) {
  Survey survey;
  survey_file(context, &survey);
  Certain certain(context, survey);
  for (const Site &site : launch_sites(context, survey)) {
    if (!is_kernel(site.kernel))
      continue;
    llvm::StringRef name = generator.GetMangledName(
        clang::GlobalDecl(site.kernel, clang::KernelReferenceKind::Kernel));
    HostLaunch launch = {arena_copy(&task->arena, name.str().c_str()),
                         launch_of(context, certain, survey, task, site)};
    append(&task->arena, launches, launch);
  }
}
