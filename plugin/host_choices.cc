// An lvalue that is one of two places: `c ? a : b`, std::min(a, b) and
// std::max(a, b).
//
// The library's functions get references to the two and return one of them.
// So whoever reads the result reads one of the places, and nobody has them
// afterwards.  An explicit specialisation is the user's, who may do anything.

#include "plugin/host.h"

namespace host {

static bool are_numbers(const clang::FunctionDecl *function) {
  for (const clang::ParmVarDecl *parameter : function->parameters())
    if (!parameter->getType().getNonReferenceType()->isBuiltinType())
      return false;
  return true;
}

// A template of the system's, which nobody else has in that namespace, of
// numbers: what else there is has an operator< of its own.
static bool is_of_library(const clang::FunctionDecl *function) {
  const clang::SourceManager &sources =
      function->getASTContext().getSourceManager();
  const clang::FunctionTemplateDecl *pattern = function->getPrimaryTemplate();
  clang::TemplateSpecializationKind kind =
      function->getTemplateSpecializationKind();
  return pattern && function->isInStdNamespace() && are_numbers(function) &&
         kind != clang::TSK_ExplicitSpecialization &&
         sources.isInSystemHeader(pattern->getLocation());
}

std::optional<Choice> choice_of(const clang::Expr *lvalue) {
  if (auto *choice = llvm::dyn_cast<clang::ConditionalOperator>(lvalue))
    return Choice{choice->getCond(),
                  false,
                  {choice->getTrueExpr(), choice->getFalseExpr()}};
  auto *call = llvm::dyn_cast<clang::CallExpr>(lvalue);
  const clang::FunctionDecl *function =
      call ? call->getDirectCallee() : nullptr;
  if (!function || !function->getIdentifier() || call->getNumArgs() != 2 ||
      !is_of_library(function))
    return {};
  bool is_least = function->getName() == "min";
  if (!is_least && function->getName() != "max")
    return {};
  return Choice{nullptr, is_least, {call->getArg(0), call->getArg(1)}};
}

// ----------------------------------------------------------------- terms ---

// A place that has no name is made for the value in it.
const HostTerm *Terms::value_at(const clang::Expr *place, unsigned at,
                                const clang::Expr *node) {
  place = place_of(place);
  if (auto *made = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(place))
    return term(made->getSubExpr(), at);
  const HostTerm *value = read(place, at, node);
  return value ? value : opaque(place);
}

// Up to `most`.
static unsigned size_of(const HostTerm *term, unsigned most) {
  unsigned size = 1;
  for (unsigned i = 0; i < 3 && term->args[i] && size < most; i++)
    size += size_of(term->args[i], most - size);
  return size;
}

// Both may stand there twice, which counts.
const HostTerm *Terms::chosen(const Choice &choice, unsigned at,
                              const clang::Expr *node) {
  if (spent > MOST)
    return nullptr;
  const HostTerm *condition =
      choice.condition ? term(choice.condition, at) : nullptr;
  size_t before = defined.size();
  const HostTerm *a = value_at(choice.places[0], at, node);
  if (condition)
    need_only_if(condition, before);
  before = defined.size();
  const HostTerm *b = value_at(choice.places[1], at, node);
  if (condition)
    need_only_if(make(HOST_NOT, 1, condition), before);
  enum { MOST_TWICE = 100 };
  unsigned size = size_of(a, MOST_TWICE) + size_of(b, MOST_TWICE);
  if (a->width != b->width || size > MOST_TWICE)
    return nullptr;
  spent += size;
  bool is_signed = node->getType()->isSignedIntegerOrEnumerationType();
  if (condition)
    return make(HOST_ITE, a->width, condition, a, b);
  return make(HOST_ITE, a->width,
              choice.is_least ? less(is_signed, b, a) : less(is_signed, a, b),
              b, a);
}

} // namespace host
