// Which allocations the pointers that a kernel is launched with come from.
//
// A pointer is followed back, through assignments as they stand and through
// parameters of functions of which all calls are known, to the calls of
// cudaMalloc that may have given it its value.  Two pointers of which no call
// is among those of both are two allocations, and each of them is the beginning
// of one.  If there is but one call, its second argument says how large that
// is.  It has not been made again since the pointer was copied: every way to
// the launch leads through the copy, and every way there through the call, so a
// way from the call that avoids the copy would be one from the start.
//
// That the allocation succeeded, and was not given back, is taken for granted:
// a program that goes on without either has no array to speak of.

#include "plugin/host.h"

namespace host {

// What the expression reads the pointer from, and hands on as it is; or NULL.
static const clang::Expr *read_from(const clang::Expr *expr) {
  for (;;) {
    expr = expr->IgnoreParens();
    auto *cast = llvm::dyn_cast<clang::CastExpr>(expr);
    if (auto *full = llvm::dyn_cast<clang::FullExpr>(expr))
      expr = full->getSubExpr();
    else if (cast && cast->getCastKind() == clang::CK_LValueToRValue)
      return cast->getSubExpr();
    else if (cast && (cast->getCastKind() == clang::CK_NoOp ||
                      cast->getCastKind() == clang::CK_BitCast))
      expr = cast->getSubExpr();
    else
      return nullptr;
  }
}

Allocations::Allocations(Knowledge &knowledge_, const Flow &flow_,
                         unsigned target_, const clang::CallExpr *caller_)
    : knowledge(knowledge_), flow(flow_), target(target_), caller(caller_) {}

std::optional<Allocation> Allocations::of(const clang::Expr *pointer) {
  return read(read_from(pointer), pointer, target, nullptr);
}

std::optional<Allocation> Allocations::at(const clang::Expr *place,
                                          const clang::CallExpr *reader) {
  return read(place, reader, target, nullptr);
}

std::optional<Allocation> Allocations::read(const clang::Expr *place,
                                            const clang::Expr *reader,
                                            unsigned when,
                                            const Definition *own) {
  std::optional<Cell> cell = place ? flow.pointer_cell(place) : std::nullopt;
  if (!cell || flow.is_defined_beside(cell->variable, reader, own) ||
      depth == DEEPEST || ++spent > MOST)
    return {};
  Flow::Reaching last = flow.reaching(*cell, when);
  bool is_only = last.definitions.size() + last.from_entry == 1;
  Allocation all;
  if (last.from_entry && !add(&all, given(*cell), is_only))
    return {};
  for (const Definition *one : last.definitions) {
    depth++;
    std::optional<Allocation> made = made_by(*one);
    depth--;
    if (!add(&all, made, is_only))
      return {};
  }
  return all;
}

// Of several only the calls are known.
bool Allocations::add(Allocation *all, const std::optional<Allocation> &one,
                      bool is_only) {
  if (!one)
    return false;
  all->calls.insert(one->calls.begin(), one->calls.end());
  if (is_only) {
    all->bytes = one->bytes;
    all->at = one->at;
    all->number = one->number;
  }
  return true;
}

std::optional<Allocation> Allocations::made_by(const Definition &definition) {
  if (definition.gives == Gives::ALLOCATED) {
    auto *call = llvm::cast<clang::CallExpr>(definition.expr);
    return Allocation{{call}, call->getArg(1), definition.at, {}};
  }
  bool is_copied = (definition.gives == Gives::INITIAL ||
                    definition.gives == Gives::ASSIGNED) &&
                   definition.expr->getType()->isPointerType();
  return is_copied ? read(read_from(definition.expr), definition.expr,
                          definition.at, &definition)
                   : std::nullopt;
}

// A parameter's, in the call that led there or in any of them.
std::optional<Allocation> Allocations::given(Cell cell) {
  auto *parameter = llvm::dyn_cast<clang::ParmVarDecl>(cell.variable);
  auto *function =
      parameter && parameter->getType()->isPointerType()
          ? llvm::dyn_cast<clang::FunctionDecl>(parameter->getDeclContext())
          : nullptr;
  std::vector<Survey::Call> calls;
  for (const Survey::Call &one : knowledge.calls_of(function))
    if (!caller || one.call == caller)
      calls.push_back(one);
  Allocation all;
  for (const Survey::Call &one : calls)
    if (!add(&all, passed(*parameter, one), calls.size() == 1))
      return {};
  return calls.empty() ? std::nullopt : std::optional<Allocation>(all);
}

// Sizes there are over other variables, so only numbers are known here.
std::optional<Allocation>
Allocations::passed(const clang::ParmVarDecl &parameter,
                    const Survey::Call &one) {
  unsigned index = parameter.getFunctionScopeIndex();
  Flow *around = knowledge.flow(one.function);
  std::optional<unsigned> place =
      around ? around->place(one.call) : std::nullopt;
  if (!place || index >= one.call->getNumArgs() || depth == DEEPEST)
    return {};
  Allocations there(knowledge, *around, *place);
  there.depth = depth + 1;
  there.spent = spent;
  std::optional<Allocation> found = there.of(one.call->getArg(index));
  spent = there.spent;
  if (found && found->bytes)
    found->number =
        Terms(knowledge, *around, *place).constant(found->bytes, found->at);
  if (found)
    found->bytes = nullptr;
  return found;
}

} // namespace host
