// Numbers and sizes that are certain wherever they stand.
//
// A number is taken only if clang folds it, or if it is computed from variables
// whose every mention in this file is a read, or by a function that is one
// `return`.  A variable that is assigned, bound to a reference or whose address
// is taken anywhere is free here, and so is what depends on it; host_terms.cc
// knows more of those.

#include "plugin/host.h"

namespace host {

// --------------------------------------------------------------- numbers ---

bool is_integer(clang::QualType type) {
  auto *named = type.isNull() ? nullptr : type->getAs<clang::EnumType>();
  if (named && !is_integer(named->getDecl()->getIntegerType()))
    return false;
  if (type.isNull() || type->isDependentType() || type->isBitIntType() ||
      type->isSpecificBuiltinType(clang::BuiltinType::Int128) ||
      type->isSpecificBuiltinType(clang::BuiltinType::UInt128))
    return false;
  return type->isIntegralOrEnumerationType();
}

// Can the variable be mentioned only where the survey looks?  While it looks at
// the device's side, the host's sets what of the device's outlives a call.
static bool is_in_sight(clang::ASTContext &context, const Survey &survey,
                        const clang::VarDecl *variable) {
  if (variable->hasLocalStorage())
    return true;
  if (context.getLangOpts().CUDAIsDevice)
    return false;
  for (const clang::VarDecl *one : variable->redecls())
    if (context.getSourceManager().isInSystemHeader(one->getLocation()))
      return false;
  bool is_hidden =
      variable->isStaticLocal() || !variable->isExternallyVisible();
  return is_hidden && !survey.has_other_names;
}

// Without what only adds a const.  By another type it is another number.
const clang::Expr *place_of(const clang::Expr *lvalue) {
  for (;;) {
    lvalue = lvalue->IgnoreParens();
    auto *cast = llvm::dyn_cast<clang::ImplicitCastExpr>(lvalue);
    if (!cast || cast->getCastKind() != clang::CK_NoOp)
      return lvalue;
    lvalue = cast->getSubExpr();
  }
}

// A lambda's copy of a variable, or its way to it, may be changed as bytes.
bool Certain::is_opened(const clang::DeclRefExpr *mention) {
  if (!mention->refersToEnclosingVariableOrCapture())
    return false;
  if (!closures_are_opened)
    closures_are_opened = opens_closures(context);
  return *closures_are_opened;
}

// The initialiser of a variable that has this value for good, else NULL.
const clang::Expr *Certain::initial_value(const clang::DeclRefExpr *mention) {
  auto *variable = llvm::dyn_cast<clang::VarDecl>(mention->getDecl());
  if (!variable || is_opened(mention))
    return nullptr;
  clang::QualType type = variable->getType();
  if (llvm::isa<clang::ParmVarDecl>(variable) || type->isReferenceType() ||
      type.isVolatileQualified() || variable->isExceptionVariable() ||
      is_replaceable(variable))
    return nullptr;
  if (!variable->hasLocalStorage() && !variable->hasConstantInitialization())
    return nullptr; // it is read before that, perhaps
  bool is_fixed =
      type.isConstQualified() ||
      (is_in_sight(context, survey, variable) && survey.is_only_read(variable));
  return is_fixed ? variable->getAnyInitializer() : nullptr;
}

Number Certain::number(const clang::Expr *expr) {
  if (!expr || expr->isValueDependent() || !is_integer(expr->getType()) ||
      depth == DEEPEST)
    return {};
  clang::Expr::EvalResult result;
  if (!is_same_when_folded(context, expr))
    return {};
  if (expr->EvaluateAsInt(result, context))
    return result.Val.getInt();
  spent = depth ? spent + 1 : 0;
  if (spent > MOST)
    return {};
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
  if (is_truth(type))
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
  place = place_of(place);
  if (auto *inner = llvm::dyn_cast<clang::MemberExpr>(place))
    return member(inner);
  auto *mention = llvm::dyn_cast<clang::DeclRefExpr>(place);
  auto *decl =
      mention ? llvm::dyn_cast<clang::VarDecl>(mention->getDecl()) : nullptr;
  if (!decl)
    return {};
  if (auto known = parameters.find(decl); known != parameters.end())
    return known->second;
  return number(initial_value(mention));
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

// Of a function, or of a member that no object is given.
Number Certain::call(const clang::CallExpr *call) {
  const clang::FunctionDecl *function = call->getDirectCallee();
  auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(function);
  if (!function || !function->hasBody(function) || is_replaceable(function) ||
      (method && !method->isStatic()) || function->isVariadic() ||
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

bool is_replaceable(const clang::Decl *any) {
  const clang::Decl *decl = any->getMostRecentDecl(); // it inherits
  auto *function = llvm::dyn_cast<clang::FunctionDecl>(decl);
  return (function && function->isMultiVersion()) ||
         decl->hasAttr<clang::WeakAttr>() ||
         decl->hasAttr<clang::GNUInlineAttr>() ||
         decl->hasAttr<clang::AliasAttr>() || decl->hasAttr<clang::IFuncAttr>();
}

bool is_truth(clang::QualType type) {
  auto *named = type->getAs<clang::EnumType>();
  return type->isBooleanType() ||
         (named && named->getDecl()->getIntegerType()->isBooleanType());
}

bool is_dim3(clang::QualType type) {
  const clang::CXXRecordDecl *record = type->getAsCXXRecordDecl();
  return record && record->getIdentifier() && record->getName() == "dim3" &&
         record->getDeclContext()->getRedeclContext()->isTranslationUnit();
}

// Nothing but positive numbers can be launched; the rest is left free.
Extent extent_of(const Number &number) {
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
    const clang::Expr *value = initial_value(mention);
    if (value && is_dim3(mention->getType()))
      sizes(value, extents);
  }
  depth--;
}

// By dim3's own constructor, not by way of another class.
static bool is_made_at_once(const clang::Expr *expr) {
  for (const clang::Expr *at = expr; !is_integer(at->getType());) {
    auto *cast = llvm::dyn_cast<clang::ImplicitCastExpr>(at);
    auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(at);
    if (auto *temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(at))
      at = temporary->getSubExpr();
    else if (auto *full = llvm::dyn_cast<clang::FullExpr>(at))
      at = full->getSubExpr();
    else if (cast && (cast->getCastKind() == clang::CK_NoOp ||
                      cast->getCastKind() == clang::CK_ConstructorConversion))
      at = cast->getSubExpr();
    else if (made && is_dim3(made->getType()) && made->getNumArgs())
      at = made->getArg(0);
    else
      return false;
  }
  return true;
}

// A number, a dim3 that is made here, or a variable that stays what it is.
bool Certain::reads_given(const clang::Expr *expr, bool given[3]) {
  const clang::Expr *inner = expr->IgnoreUnlessSpelledInSource();
  if (is_integer(inner->getType()))
    return is_made_at_once(expr) && (given[0] = true);
  auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(inner);
  auto *mention = llvm::dyn_cast<clang::DeclRefExpr>(inner);
  const clang::Expr *other = mention ? initial_value(mention) : nullptr;
  if (made && made->getConstructor()->isCopyOrMoveConstructor())
    other = made->getArg(0);
  if (other && depth < DEEPEST) {
    depth++;
    bool is_read = reads_given(other, given);
    depth--;
    return is_read;
  }
  if (!made || !is_dim3(made->getType()) || made->getNumArgs() != 3)
    return false;
  for (unsigned axis = 0; axis < 3; axis++)
    given[axis] |= !llvm::isa<clang::CXXDefaultArgExpr>(made->getArg(axis));
  return true;
}

void Certain::note_given(const clang::Expr *expr, bool given[3]) {
  if (expr && reads_given(expr, given))
    return;
  if (!anywhere && survey.has_other_names)
    anywhere = {true, true, true};
  if (!anywhere)
    anywhere = given_anywhere(context);
  for (unsigned axis = 0; axis < 3; axis++)
    given[axis] |= (*anywhere)[axis];
}

} // namespace host
