// Who may get a kernel's address, or a symbol's, and is known to do no more
// than launch it as launches.cc reads, ask about it, or what its body says.
//
// A kernel whose address goes elsewhere (host_survey.cc follows it) may be
// launched with anything.

#include "plugin/host.h"

namespace host {

// A function that is mentioned by its name, whatever the pointer's type.
const clang::FunctionDecl *function_named(const clang::Expr *expr) {
  expr = expr->IgnoreParenCasts();
  if (auto *address = llvm::dyn_cast<clang::UnaryOperator>(expr))
    expr = address->getSubExpr()->IgnoreParenCasts();
  const clang::ValueDecl *named = nullptr;
  if (auto *mention = llvm::dyn_cast<clang::DeclRefExpr>(expr))
    named = mention->getDecl();
  if (auto *mention = llvm::dyn_cast<clang::MemberExpr>(expr))
    named = mention->getMemberDecl();
  return llvm::dyn_cast_or_null<clang::FunctionDecl>(named);
}

// As CUDA calls it: HIP's runtime has the same functions by other names.  A
// function of that name elsewhere does what it likes.
std::string name_in_runtime(const clang::FunctionDecl *function) {
  if (!function || !function->getIdentifier() ||
      !function->getDeclContext()->getRedeclContext()->isTranslationUnit())
    return "";
  const clang::SourceManager &sources =
      function->getASTContext().getSourceManager();
  for (const clang::FunctionDecl *one : function->redecls())
    if (!sources.isInSystemHeader(one->getLocation()))
      return "";
  llvm::StringRef name = function->getName();
  return name.consume_front("hip") ? ("cuda" + name).str() : name.str();
}

bool is_read_as_launch(const clang::FunctionDecl *function) {
  std::string name = name_in_runtime(function);
  return name == "cudaLaunchKernel" || name == "cudaLaunchCooperativeKernel" ||
         name == "cudaLaunchKernelEx" || name == "cudaLaunchKernelExC";
}

bool only_asks(const clang::FunctionDecl *function) {
  std::string name = name_in_runtime(function);
  return llvm::StringRef(name).starts_with("cudaFunc") ||
         llvm::StringRef(name).starts_with("cudaOccupancy");
}

bool only_reads_symbol(const clang::FunctionDecl *function) {
  std::string name = name_in_runtime(function);
  return name == "cudaMemcpyFromSymbol" ||
         name == "cudaMemcpyFromSymbolAsync" || name == "cudaGetSymbolSize";
}

// Whoever allocates keeps no address of the pointer.
const clang::Expr *allocated_place(const clang::CallExpr *call) {
  std::string name = name_in_runtime(call->getDirectCallee());
  if (call->getNumArgs() < 2 ||
      (name != "cudaMalloc" && name != "cudaMallocManaged" &&
       name != "cudaMallocAsync"))
    return nullptr;
  const clang::Expr *place = place_behind(call->getArg(0));
  return place && place->getType()->isPointerType() ? place : nullptr;
}

bool is_read_here(clang::ASTContext &context,
                  const clang::FunctionDecl *function) {
  const clang::SourceManager &sources = context.getSourceManager();
  const clang::FunctionDecl *definition = nullptr;
  auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
  bool is_overridden = method && method->isVirtual(); // or may be
  return function->hasBody(definition) && !is_overridden &&
         !is_replaceable(function) &&
         !sources.isInSystemHeader(definition->getLocation());
}

} // namespace host
