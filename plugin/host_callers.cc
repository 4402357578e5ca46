// Who calls a function, and with what.
//
// A parameter is known if all calls of its function are: nobody else can call
// it by its name, its type or its address.  If all calls give one number, it is
// that; if some do, what is launched is asked for each call on its own.  While
// the file is taken to be the whole program other files call nothing, and
// headers only what they are seen to (host_program.cc).

#include "plugin/host.h"

namespace host {

// Code of headers finds functions of the user's types by these types.
static bool is_found_by_type(const clang::FunctionDecl *function) {
  for (const clang::ParmVarDecl *parameter : function->parameters()) {
    clang::QualType type = parameter->getType().getNonReferenceType();
    while (type->isPointerType())
      type = type->getPointeeType().getNonReferenceType();
    if (!type->isBuiltinType())
      return true;
  }
  return function->isOverloadedOperator();
}

// Linkers and start-up code call it by its name.
static bool is_called_by_name(const clang::FunctionDecl *function) {
  return function->hasAttr<clang::ConstructorAttr>() ||
         function->hasAttr<clang::DestructorAttr>() ||
         function->hasAttr<clang::UsedAttr>() || is_replaceable(function);
}

static bool is_declared_by_system(const clang::FunctionDecl *function) {
  const clang::SourceManager &sources =
      function->getASTContext().getSourceManager();
  for (const clang::FunctionDecl *one : function->redecls())
    if (sources.isInSystemHeader(one->getLocation()))
      return true;
  return false;
}

static bool is_open(const clang::FunctionDecl *function) {
  return function->isExternallyVisible() || is_found_by_type(function);
}

bool Knowledge::is_ours(const clang::FunctionDecl *function) {
  if (is_kernel(function) || survey.has_other_names ||
      is_called_by_name(function) || is_declared_by_system(function) ||
      llvm::isa<clang::CXXMethodDecl>(function) || function->isVariadic())
    return false;
  for (const clang::FunctionDecl *named : survey.addressed)
    if (named->getCanonicalDecl() == function->getCanonicalDecl())
      return false;
  if (!is_open(function))
    return true;
  bool is_believed = is_whole && is_of_program(function);
  if (is_believed)
    believed.insert(function);
  return is_believed;
}

std::vector<Survey::Call>
Knowledge::calls_of(const clang::FunctionDecl *function) {
  std::vector<Survey::Call> found;
  if (!function || !is_ours(function))
    return found;
  for (const Survey::Call &one : survey.calls) {
    const clang::FunctionDecl *callee = one.call->getDirectCallee();
    if (callee && callee->getCanonicalDecl() == function->getCanonicalDecl())
      found.push_back(one);
  }
  return found;
}

// What the call gives it.
Number Knowledge::given(const clang::ParmVarDecl *parameter,
                        const Survey::Call &one) {
  unsigned index = parameter->getFunctionScopeIndex();
  const clang::Expr *argument =
      index < one.call->getNumArgs() ? one.call->getArg(index) : nullptr;
  Number value = argument ? certain.number(argument) : Number();
  Flow *around = flow(one.function);
  std::optional<unsigned> at = around ? around->place(one.call) : std::nullopt;
  if (!value && argument && at && is_integer(argument->getType()))
    value = Terms(*this, *around, *at).constant(argument, *at);
  return value;
}

Number Knowledge::parameter(const clang::ParmVarDecl *parameter,
                            const clang::CallExpr *caller) {
  auto *function =
      llvm::dyn_cast<clang::FunctionDecl>(parameter->getDeclContext());
  if (!function || !is_ours(function) || !asked.insert(parameter).second)
    return {};
  Number common;
  bool is_common = true;
  for (const Survey::Call &one : survey.calls) {
    const clang::FunctionDecl *callee = one.call->getDirectCallee();
    bool is_meant = !caller || one.call == caller;
    if (!is_common || !is_meant || !callee ||
        callee->getCanonicalDecl() != function->getCanonicalDecl())
      continue;
    Number value = given(parameter, one);
    is_common =
        value && (!common || common->getZExtValue() == value->getZExtValue());
    common = value;
  }
  asked.erase(parameter);
  return is_common ? common : Number();
}

} // namespace host
