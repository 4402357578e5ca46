// Numbers over what the host has when it launches a kernel.
//
// A term says what an expression was when control was last at some place
// before the launch.  A variable that has not been changed since is what it is
// at the launch: one unknown, or the value that its only assignment gave it.  A
// variable that has been changed since counts only if the assignment that it
// had its value from was not executed again.  All else is an unknown of its
// own, told apart by its expression.
//
// Arithmetic is the host's: unsigned numbers wrap; where signed ones would, or
// a division or shift has no result, `defined` says when that is not so.

#include "plugin/host.h"

namespace host {

static bool is_signed(clang::QualType type) {
  return type->isSignedIntegerOrEnumerationType();
}

unsigned Terms::width(clang::QualType type) const {
  return static_cast<unsigned>(knowledge.context.getIntWidth(type));
}

// --------------------------------------------------------------- folding ---

static uint64_t low_bits(uint64_t value, unsigned width) {
  return width >= 64 ? value : value & ((UINT64_C(1) << width) - 1);
}

const HostTerm *Terms::leaf(HostOp op, unsigned width_, uint64_t value,
                            const char *name) {
  auto *term = static_cast<HostTerm *>(
      arena_alloc(&knowledge.task->arena, sizeof(HostTerm)));
  *term = HostTerm{op, width_, value, name, {}};
  return term;
}

const HostTerm *Terms::number(unsigned width_, uint64_t value) {
  return leaf(HOST_NUMBER, width_, low_bits(value, width_), nullptr);
}

static std::optional<uint64_t> fold_two(HostOp op, const llvm::APInt &a,
                                        const llvm::APInt &b) {
  bool has_no_result = b.isZero();
  switch (op) {
  case HOST_ADD:
    return (a + b).getZExtValue();
  case HOST_SUB:
    return (a - b).getZExtValue();
  case HOST_MUL:
    return (a * b).getZExtValue();
  case HOST_UDIV:
    return has_no_result ? std::optional<uint64_t>() : a.udiv(b).getZExtValue();
  case HOST_SDIV:
    return has_no_result ? std::optional<uint64_t>() : a.sdiv(b).getZExtValue();
  case HOST_UREM:
    return has_no_result ? std::optional<uint64_t>() : a.urem(b).getZExtValue();
  case HOST_SREM:
    return has_no_result ? std::optional<uint64_t>() : a.srem(b).getZExtValue();
  case HOST_AND:
    return (a & b).getZExtValue();
  case HOST_OR:
    return (a | b).getZExtValue();
  case HOST_XOR:
    return (a ^ b).getZExtValue();
  case HOST_SHL:
    return a.shl(b).getZExtValue();
  case HOST_LSHR:
    return a.lshr(b).getZExtValue();
  case HOST_ASHR:
    return a.ashr(b).getZExtValue();
  case HOST_EQ:
    return a == b;
  case HOST_ULT:
    return a.ult(b);
  case HOST_ULE:
    return a.ule(b);
  case HOST_SLT:
    return a.slt(b);
  case HOST_SLE:
    return a.sle(b);
  case HOST_NUMBER:
  case HOST_UNKNOWN:
  case HOST_ARGUMENT:
  case HOST_MEMBER:
  case HOST_BLOCK:
  case HOST_GRID:
  case HOST_BYTES:
  case HOST_NOT:
  case HOST_ITE:
  case HOST_ZEXT:
  case HOST_SEXT:
  case HOST_TRUNC:
    break;
  }
  return {};
}

static llvm::APInt value_of_number(const HostTerm *term) {
  return llvm::APInt(term->width, term->value);
}

static std::optional<uint64_t> fold(HostOp op, unsigned width,
                                    const HostTerm *a, const HostTerm *b) {
  llvm::APInt value = value_of_number(a);
  if (op == HOST_NOT)
    return (~value).getZExtValue();
  if (op == HOST_ZEXT || op == HOST_TRUNC)
    return value.zextOrTrunc(width).getZExtValue();
  if (op == HOST_SEXT)
    return value.sext(width).getZExtValue();
  if (!b || b->op != HOST_NUMBER)
    return {};
  return fold_two(op, value, value_of_number(b));
}

const HostTerm *Terms::make(HostOp op, unsigned width_, const HostTerm *a,
                            const HostTerm *b, const HostTerm *c) {
  spent++;
  if (op == HOST_ITE && a->op == HOST_NUMBER)
    return a->value ? b : c;
  if (op != HOST_ITE && a->op == HOST_NUMBER)
    if (std::optional<uint64_t> value = fold(op, width_, a, b))
      return number(width_, *value);
  const HostTerm *args[3] = {a, b, c};
  auto *term = const_cast<HostTerm *>(leaf(op, width_, 0, nullptr));
  for (unsigned i = 0; i < 3; i++)
    term->args[i] = args[i];
  return term;
}

void Terms::need(const HostTerm *condition) {
  if (condition->op != HOST_NUMBER || !condition->value)
    defined.push_back(condition);
}

// -fwrapv
bool Terms::wraps() const {
  return knowledge.context.getLangOpts().isSignedOverflowDefined();
}

// What has been needed since then is not evaluated where this is false.
void Terms::need_only_if(const HostTerm *condition, size_t since) {
  for (size_t i = since; i < defined.size(); i++)
    defined[i] = make(HOST_OR, 1, make(HOST_NOT, 1, condition), defined[i]);
}

// -------------------------------------------------------------- unknowns ---

static const char *text_of(clang::ASTContext &context, Task *task,
                           const clang::Expr *expr) {
  std::string text;
  llvm::raw_string_ostream out(text);
  expr->printPretty(out, nullptr, context.getPrintingPolicy());
  enum { LONGEST = 40 };
  if (text.size() > LONGEST || text.find('\n') != std::string::npos)
    text = "some value";
  return arena_copy(&task->arena, text.c_str());
}

// In a function that is called twice one expression has two values.
const HostTerm *Terms::opaque(const clang::Expr *expr) {
  auto known = opaque_terms.find(expr);
  if (known != opaque_terms.end() && !is_inlined)
    return known->second;
  const HostTerm *term = leaf(HOST_UNKNOWN, width(expr->getType()), unknowns++,
                              text_of(knowledge.context, knowledge.task, expr));
  if (!is_inlined)
    opaque_terms[expr] = term;
  return term;
}

clang::QualType Terms::type_of(Cell cell) const {
  return parts_of(knowledge.context, cell.variable->getType())[cell.index].type;
}

std::string Terms::name_of(Cell cell) const {
  return cell.variable->getNameAsString() +
         parts_of(knowledge.context, cell.variable->getType())[cell.index].name;
}

const HostTerm *Terms::unknown(Cell cell, clang::QualType type) {
  const HostTerm *&term = variables[cell];
  if (!term)
    term = leaf(HOST_UNKNOWN, width(type), unknowns++,
                arena_copy(&knowledge.task->arena, name_of(cell).c_str()));
  return term;
}

// ----------------------------------------------------------- expressions ---

const HostTerm *Terms::term(const clang::Expr *expr, unsigned at) {
  if (!is_inlined)
    if (Number value = knowledge.certain.number(expr))
      return number(width(expr->getType()), value->getZExtValue());
  if (depth == DEEPEST || spent > MOST)
    return opaque(expr);
  depth++;
  const HostTerm *found = structure(expr->IgnoreParens(), at);
  depth--;
  if (!found)
    return opaque(expr);
  assert(found->width == width(expr->getType()));
  return found;
}

// NULL: nothing is known of it.
const HostTerm *Terms::structure(const clang::Expr *expr, unsigned at) {
  clang::Expr::EvalResult result;
  if (is_inlined ? !is_same_when_folded(knowledge.context, expr)
                 : !is_same_over_variables(knowledge.context, expr))
    return nullptr;
  if (is_inlined && expr->EvaluateAsInt(result, knowledge.context))
    return number(width(expr->getType()), result.Val.getInt().getZExtValue());
  if (auto *full = llvm::dyn_cast<clang::FullExpr>(expr))
    return term(full->getSubExpr(), at);
  if (auto *inner = llvm::dyn_cast<clang::CastExpr>(expr))
    return cast(inner, at);
  if (auto *inner = llvm::dyn_cast<clang::UnaryOperator>(expr))
    return unary(inner, at);
  if (auto *inner = llvm::dyn_cast<clang::BinaryOperator>(expr))
    return binary(inner, at);
  if (auto *inner = llvm::dyn_cast<clang::ConditionalOperator>(expr))
    return choice(inner, at);
  if (auto *inner = llvm::dyn_cast<clang::CallExpr>(expr))
    return call(inner, at);
  return nullptr;
}

// A branch that throws has no value.
const HostTerm *Terms::choice(const clang::ConditionalOperator *expr,
                              unsigned at) {
  if (!is_integer(expr->getTrueExpr()->getType()) ||
      !is_integer(expr->getFalseExpr()->getType()))
    return nullptr;
  const HostTerm *condition = term(expr->getCond(), at);
  size_t before = defined.size();
  const HostTerm *a = term(expr->getTrueExpr(), at);
  need_only_if(condition, before);
  before = defined.size();
  const HostTerm *b = term(expr->getFalseExpr(), at);
  need_only_if(make(HOST_NOT, 1, condition), before);
  return make(HOST_ITE, width(expr->getType()), condition, a, b);
}

// The conversion that the language makes.
const HostTerm *Terms::converted(const HostTerm *term, clang::QualType from,
                                 clang::QualType to) {
  unsigned wide = width(to);
  if (is_truth(to) && !is_truth(from))
    return make(HOST_NOT, 1, make(HOST_EQ, 1, term, number(term->width, 0)));
  if (wide == term->width)
    return term;
  if (wide < term->width)
    return make(HOST_TRUNC, wide, term);
  return make(is_signed(from) ? HOST_SEXT : HOST_ZEXT, wide, term);
}

const HostTerm *Terms::cast(const clang::CastExpr *cast, unsigned at) {
  const clang::Expr *inner = cast->getSubExpr();
  switch (cast->getCastKind()) {
  case clang::CK_LValueToRValue:
    return read(inner, at, cast);
  case clang::CK_NoOp:
  case clang::CK_IntegralCast:
  case clang::CK_IntegralToBoolean:
    return is_integer(inner->getType())
               ? converted(term(inner, at), inner->getType(), cast->getType())
               : nullptr;
  default:
    return nullptr;
  }
}

static uint64_t least_of(unsigned width) { return UINT64_C(1) << (width - 1); }

const HostTerm *Terms::unary(const clang::UnaryOperator *expr, unsigned at) {
  const clang::Expr *inner = expr->getSubExpr();
  clang::UnaryOperatorKind op = expr->getOpcode();
  bool is_known = op == clang::UO_Plus || op == clang::UO_Minus ||
                  op == clang::UO_Not || op == clang::UO_LNot;
  if (!is_known || !is_integer(inner->getType()))
    return nullptr;
  const HostTerm *value = term(inner, at);
  unsigned wide = value->width;
  if (op == clang::UO_Plus)
    return value;
  if (op == clang::UO_Not || (op == clang::UO_LNot && wide == 1))
    return make(HOST_NOT, wide, value);
  if (op == clang::UO_LNot)
    return nullptr;
  if (is_signed(expr->getType()) && !wraps())
    need(make(HOST_NOT, 1,
              make(HOST_EQ, 1, value, number(wide, least_of(wide)))));
  return make(HOST_SUB, wide, number(wide, 0), value);
}

const HostTerm *Terms::compared(clang::BinaryOperatorKind op, bool is_signed_,
                                const HostTerm *a, const HostTerm *b) {
  HostOp less = is_signed_ ? HOST_SLT : HOST_ULT;
  HostOp at_most = is_signed_ ? HOST_SLE : HOST_ULE;
  switch (op) {
  case clang::BO_EQ:
    return make(HOST_EQ, 1, a, b);
  case clang::BO_NE:
    return make(HOST_NOT, 1, make(HOST_EQ, 1, a, b));
  case clang::BO_LT:
    return make(less, 1, a, b);
  case clang::BO_GT:
    return make(less, 1, b, a);
  case clang::BO_LE:
    return make(at_most, 1, a, b);
  case clang::BO_GE:
    return make(at_most, 1, b, a);
  default:
    return nullptr;
  }
}

// As many hold what it is as a signed number.
static unsigned signed_bits(const HostTerm *term) {
  if (term->op == HOST_NUMBER)
    return value_of_number(term).getSignificantBits();
  if (term->op == HOST_SEXT)
    return term->args[0]->width;
  if (term->op == HOST_ZEXT)
    return term->args[0]->width + 1;
  return term->width;
}

// a op b; signed numbers do not overflow.
const HostTerm *Terms::computed(clang::BinaryOperatorKind op, bool is_signed_,
                                const HostTerm *a, const HostTerm *b) {
  unsigned wide = a->width;
  bool may_overflow;
  const HostTerm *zero = number(wide, 0), *value, *way;
  switch (op) {
  case clang::BO_Add: // both of one sign, and the sum of the other
  case clang::BO_Sub:
    value = make(op == clang::BO_Add ? HOST_ADD : HOST_SUB, wide, a, b);
    way = op == clang::BO_Add ? b : make(HOST_NOT, wide, b);
    if (is_signed_ && !wraps())
      need(make(HOST_SLE, 1, zero,
                make(HOST_AND, wide, make(HOST_XOR, wide, a, value),
                     make(HOST_XOR, wide, way, value))));
    return value;
  case clang::BO_Mul:
    may_overflow = is_signed_ && signed_bits(a) + signed_bits(b) > wide;
    if (may_overflow && wide > 32)
      return nullptr;
    value = make(HOST_MUL, wide, a, b);
    if (may_overflow && !wraps())
      need(make(HOST_EQ, 1, make(HOST_SEXT, 2 * wide, value),
                make(HOST_MUL, 2 * wide, make(HOST_SEXT, 2 * wide, a),
                     make(HOST_SEXT, 2 * wide, b))));
    return value;
  case clang::BO_Div:
  case clang::BO_Rem:
    need(make(HOST_NOT, 1, make(HOST_EQ, 1, b, zero)));
    if (!is_signed_)
      return make(op == clang::BO_Div ? HOST_UDIV : HOST_UREM, wide, a, b);
    need(make(HOST_NOT, 1,
              make(HOST_AND, 1,
                   make(HOST_EQ, 1, a, number(wide, least_of(wide))),
                   make(HOST_EQ, 1, b, make(HOST_NOT, wide, zero)))));
    return make(op == clang::BO_Div ? HOST_SDIV : HOST_SREM, wide, a, b);
  case clang::BO_And:
    return make(HOST_AND, wide, a, b);
  case clang::BO_Or:
    return make(HOST_OR, wide, a, b);
  case clang::BO_Xor:
    return make(HOST_XOR, wide, a, b);
  default:
    return nullptr;
  }
}

// By fewer bits than there are; to the left no bit of a signed number is lost.
const HostTerm *Terms::shifted(bool is_left, bool is_signed_, const HostTerm *a,
                               const HostTerm *b) {
  unsigned wide = a->width;
  if (b->op != HOST_NUMBER || b->value >= wide)
    return nullptr;
  b = number(wide, b->value);
  if (!is_left)
    return make(is_signed_ ? HOST_ASHR : HOST_LSHR, wide, a, b);
  const HostTerm *value = make(HOST_SHL, wide, a, b);
  // Before C++20 of numbers that are natural and fit without a sign.
  if (is_signed_ && !knowledge.context.getLangOpts().CPlusPlus20 && !wraps()) {
    need(make(HOST_SLE, 1, number(wide, 0), a));
    need(make(HOST_EQ, 1, make(HOST_LSHR, wide, value, b), a));
  }
  return value;
}

const HostTerm *Terms::logical(const clang::BinaryOperator *expr, unsigned at) {
  bool is_and = expr->getOpcode() == clang::BO_LAnd;
  const HostTerm *a = term(expr->getLHS(), at);
  size_t before = defined.size();
  const HostTerm *b = term(expr->getRHS(), at);
  if (a->width == 1)
    need_only_if(is_and ? a : make(HOST_NOT, 1, a), before);
  else
    defined.resize(before);
  return a->width != 1 || b->width != 1
             ? nullptr
             : make(is_and ? HOST_AND : HOST_OR, 1, a, b);
}

const HostTerm *Terms::binary(const clang::BinaryOperator *expr, unsigned at) {
  clang::BinaryOperatorKind op = expr->getOpcode();
  const clang::Expr *left = expr->getLHS(), *right = expr->getRHS();
  if (expr->isAssignmentOp() || expr->isCommaOp() || expr->isPtrMemOp() ||
      !is_integer(left->getType()) || !is_integer(right->getType()))
    return nullptr;
  if (expr->isLogicalOp())
    return logical(expr, at);
  const HostTerm *a = term(left, at), *b = term(right, at);
  if (expr->isShiftOp())
    return shifted(op == clang::BO_Shl, is_signed(left->getType()), a, b);
  if (a->width != b->width ||
      is_signed(left->getType()) != is_signed(right->getType()))
    return nullptr;
  if (expr->isComparisonOp())
    return compared(op, is_signed(left->getType()), a, b);
  return computed(op, is_signed(left->getType()), a, b);
}

// ----------------------------------------------------------------- calls ---

// The size of an array may be computed in such a name, and do more.
static bool only_names_types(const clang::Stmt *stmt) {
  auto *declaration = llvm::dyn_cast<clang::DeclStmt>(stmt);
  if (!declaration)
    return false;
  for (const clang::Decl *decl : declaration->decls()) {
    auto *name = llvm::dyn_cast<clang::TypedefNameDecl>(decl);
    if (!name || name->getUnderlyingType()->isVariablyModifiedType())
      return false;
  }
  return true;
}

// The expression of a function that is nothing but `return expression`.
static const clang::Expr *only_result(const clang::FunctionDecl *function) {
  auto *body = llvm::dyn_cast_or_null<clang::CompoundStmt>(function->getBody());
  if (!body)
    return nullptr;
  for (const clang::Stmt *one : body->body()) {
    if (auto *statement = llvm::dyn_cast<clang::ReturnStmt>(one))
      return statement->getRetValue();
    if (!only_names_types(one))
      return nullptr;
  }
  return nullptr;
}

const HostTerm *Terms::call(const clang::CallExpr *call, unsigned at) {
  const clang::FunctionDecl *function = call->getDirectCallee();
  if (!function || !function->hasBody(function) || is_replaceable(function) ||
      llvm::isa<clang::CXXMethodDecl>(function) || function->isVariadic() ||
      !only_result(function) || call->getNumArgs() != function->getNumParams())
    return nullptr;
  std::map<const clang::VarDecl *, const HostTerm *> inner;
  for (unsigned i = 0; i < call->getNumArgs(); i++) {
    const clang::ParmVarDecl *parameter = function->getParamDecl(i);
    if (!is_integer(parameter->getType()) ||
        parameter->getType().isVolatileQualified() ||
        !knowledge.survey.is_only_read(parameter))
      return nullptr;
    inner[parameter] = term(call->getArg(i), at);
  }
  bool was_inlined = is_inlined;
  std::swap(parameters, inner);
  is_inlined = true;
  const HostTerm *value = term(only_result(function), at);
  is_inlined = was_inlined;
  std::swap(parameters, inner);
  return value;
}

// ------------------------------------------------------------- variables ---

const HostTerm *Terms::read(const clang::Expr *place, unsigned at,
                            const clang::Expr *node) {
  place = place_of(place);
  if (std::optional<Choice> choice = choice_of(place))
    return chosen(*choice, at, node);
  auto *mention = llvm::dyn_cast<clang::DeclRefExpr>(place);
  auto *variable =
      mention ? llvm::dyn_cast<clang::VarDecl>(mention->getDecl()) : nullptr;
  if (auto known = parameters.find(variable); known != parameters.end())
    return known->second;
  if (is_inlined)
    return nullptr;
  std::optional<Cell> cell = flow.cell(place);
  return cell ? read_cell(*cell, at, node) : nullptr;
}

const HostTerm *Terms::read_cell(Cell cell, unsigned at,
                                 const clang::Expr *node) {
  const Definition *writer = own;
  if (flow.is_defined_beside(cell.variable, node, writer))
    return nullptr;
  clang::QualType type = type_of(cell);
  if (Number value = constant_cell(cell, at))
    return number(width(type), value->getZExtValue());
  if (only_constants || depth == DEEPEST || spent > MOST)
    return nullptr;
  bool is_stable = at == target || !flow.changes(cell, at, target);
  Flow::Reaching last = flow.reaching(cell, is_stable ? target : at);
  const Definition *only = !last.from_entry && last.definitions.size() == 1
                               ? last.definitions[0]
                               : nullptr;
  if (only && !is_stable && flow.comes_between(only->at, at, target))
    return nullptr;
  const HostTerm *value = only ? value_of(only, cell) : nullptr;
  if (!value && is_stable)
    return unknown(cell, type);
  return value;
}

// What it gives to a cell, when last executed; NULL: that is not known.
const HostTerm *Terms::value_of(const Definition *definition, Cell cell) {
  const Definition *outside = own;
  own = definition;
  depth++;
  size_t conditions = defined.size();
  const HostTerm *value = given(definition, cell);
  depth--;
  own = outside;
  auto opaque = opaque_terms.find(definition->expr);
  if (opaque != opaque_terms.end() && opaque->second == value)
    value = nullptr; // the variable is a better name for it
  if (!value)
    defined.resize(conditions);
  return value;
}

const HostTerm *Terms::given(const Definition *definition, Cell cell) {
  const clang::Expr *expr = definition->expr;
  unsigned at = definition->at;
  clang::QualType type = type_of(cell);
  switch (definition->gives) {
  case Gives::ANYTHING:
  case Gives::ALLOCATED:
    return nullptr;
  case Gives::INITIAL:
  case Gives::ASSIGNED:
    if (!is_integer(expr->getType()))
      return part(expr, at, cell.index - definition->first);
    return is_integer(expr->getType()) && width(expr->getType()) == width(type)
               ? term(expr, at)
               : nullptr;
  case Gives::COMPOUND:
  case Gives::STEP:
    break;
  }
  if (type->isBooleanType() || type->isEnumeralType())
    return nullptr;
  clang::QualType wide = type;
  const HostTerm *by, *before;
  clang::BinaryOperatorKind op;
  const clang::Expr *target_;
  if (auto *step = llvm::dyn_cast<clang::UnaryOperator>(expr)) {
    target_ = step->getSubExpr();
    if (width(type) < 32)
      wide = knowledge.context.IntTy;
    by = number(width(wide), 1);
    op = step->isIncrementOp() ? clang::BO_Add : clang::BO_Sub;
  } else {
    auto *compound = llvm::cast<clang::CompoundAssignOperator>(expr);
    target_ = compound->getLHS();
    wide = compound->getComputationLHSType();
    op = clang::BinaryOperator::getOpForCompoundAssignment(
        compound->getOpcode());
    if (!is_integer(wide) || !is_integer(compound->getRHS()->getType()) ||
        !is_integer(compound->getComputationResultType()))
      return nullptr;
    by = term(compound->getRHS(), at);
  }
  before = read_cell(cell, at, target_);
  if (!before)
    return nullptr;
  before = converted(before, type, wide);
  bool is_shift = op == clang::BO_Shl || op == clang::BO_Shr;
  if (!is_shift && by->width != before->width)
    return nullptr;
  const HostTerm *value =
      is_shift ? shifted(op == clang::BO_Shl, is_signed(wide), before, by)
               : computed(op, is_signed(wide), before, by);
  return value ? converted(value, wide, type) : nullptr;
}

// ------------------------------------------------------------- constants ---

Number Terms::constant(const clang::Expr *expr, unsigned at) {
  bool outside = only_constants;
  only_constants = true;
  size_t conditions = defined.size();
  const HostTerm *value = term(expr, at);
  only_constants = outside;
  bool is_number = value->op == HOST_NUMBER && defined.size() == conditions;
  defined.resize(conditions);
  if (!is_number)
    return {};
  return llvm::APSInt(llvm::APInt(value->width, value->value), true);
}

Number Terms::constant_of(const Definition *definition, Cell cell) {
  auto key = std::make_pair(definition, cell.index);
  if (auto known = constants.find(key); known != constants.end())
    return known->second;
  if (!asked.insert(key).second || depth == DEEPEST)
    return {};
  bool outside = only_constants;
  only_constants = true;
  size_t conditions = defined.size();
  const HostTerm *value = value_of(definition, cell);
  only_constants = outside;
  bool is_number =
      value && value->op == HOST_NUMBER && defined.size() == conditions;
  defined.resize(conditions);
  asked.erase(key);
  if (!is_number)
    return {};
  constants[key] = llvm::APSInt(llvm::APInt(value->width, value->value), true);
  return constants[key];
}

// All that may have been assigned last agree.
Number Terms::constant_cell(Cell cell, unsigned at) {
  Flow::Reaching last = flow.reaching(cell, at);
  auto *parameter = llvm::dyn_cast<clang::ParmVarDecl>(cell.variable);
  Number common;
  if (last.from_entry) {
    common = parameter && is_integer(parameter->getType())
                 ? knowledge.parameter(parameter, caller)
                 : Number();
    if (!common)
      return {};
  }
  for (const Definition *one : last.definitions) {
    Number value = constant_of(one, cell);
    if (!value || (common && common->getZExtValue() != value->getZExtValue()))
      return {};
    common = value;
  }
  return common;
}

// -------------------------------------------------------------- counters ---

// t++ where t < e has held since t was last changed: it does not overflow.
bool Terms::is_guarded_step(const Definition *definition, Cell cell) {
  auto *step = definition->gives == Gives::STEP
                   ? llvm::dyn_cast<clang::UnaryOperator>(definition->expr)
                   : nullptr;
  if (!step || !step->isIncrementOp() || width(type_of(cell)) < 32)
    return false;
  for (const Condition &condition : flow.conditions(definition->at)) {
    auto *test = llvm::dyn_cast<clang::BinaryOperator>(condition.expr);
    if (!test || !test->isComparisonOp())
      continue;
    clang::BinaryOperatorKind op =
        condition.holds
            ? test->getOpcode()
            : clang::BinaryOperator::negateComparisonOp(test->getOpcode());
    if (op != clang::BO_LT && op != clang::BO_GT)
      continue;
    const clang::Expr *less =
        op == clang::BO_LT ? test->getLHS() : test->getRHS();
    auto *cast = llvm::dyn_cast<clang::ImplicitCastExpr>(less->IgnoreParens());
    std::optional<Cell> counter =
        cast && cast->getCastKind() == clang::CK_LValueToRValue
            ? flow.cell(cast->getSubExpr())
            : std::nullopt;
    if (counter && counter->variable == cell.variable &&
        counter->index == cell.index &&
        !flow.is_defined_beside(cell.variable, condition.expr, nullptr) &&
        !flow.changes(cell, condition.at, definition->at))
      return true;
  }
  return false;
}

std::optional<int64_t> Terms::least(Cell cell) {
  clang::QualType type = type_of(cell);
  std::optional<int64_t> least;
  std::set<const Definition *> seen;
  std::vector<unsigned> line = {target};
  if (!is_signed(type))
    return {};
  while (!line.empty()) {
    unsigned at = line.back();
    line.pop_back();
    Flow::Reaching last = flow.reaching(cell, at);
    if (last.from_entry)
      return {};
    for (const Definition *one : last.definitions) {
      if (!seen.insert(one).second)
        continue;
      if (Number value = constant_of(one, cell))
        least = std::min(least.value_or(INT64_MAX),
                         value->extOrTrunc(width(type)).getSExtValue());
      else if (is_guarded_step(one, cell))
        line.push_back(one->at);
      else
        return {};
    }
  }
  return least;
}

} // namespace host
