// Kernels that a call hands to code which is not read: it may launch them with
// anything.
//
// Such code is a function of another file or of a system's header, or one that
// is called through a pointer.  Not so are the functions whose launches
// launches.cc reads, those that only ask about a kernel or set its attributes,
// and the standard library, which launches nothing.

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

static bool is_read_as_launch(llvm::StringRef name) {
  return name == "cudaLaunchKernel" || name == "cudaLaunchCooperativeKernel" ||
         name == "cudaLaunchKernelEx" || name == "cudaLaunchKernelExC";
}

static bool only_asks(llvm::StringRef name) {
  return name.starts_with("cudaFunc") || name.starts_with("cudaOccupancy");
}

// What it launches is in memory.
static bool launches_from_memory(llvm::StringRef name) {
  return name.contains("KernelNode") || name.contains("NodeSetParams") ||
         name == "cudaGraphAddNode" ||
         name == "cudaLaunchCooperativeKernelMultiDevice" ||
         name.contains("LaunchDevice");
}

static bool is_read_here(clang::ASTContext &context,
                         const clang::FunctionDecl *function) {
  const clang::SourceManager &sources = context.getSourceManager();
  const clang::FunctionDecl *definition = nullptr;
  return function->hasBody(definition) && !is_replaceable(function) &&
         !sources.isInSystemHeader(definition->getLocation());
}

static bool may_point_to(clang::ASTContext &context, clang::QualType type,
                         const clang::FunctionDecl *kernel) {
  type = type.getNonReferenceType();
  return type->isFunctionPointerType() &&
         context.hasSameFunctionTypeIgnoringExceptionSpec(
             type->getPointeeType(), kernel->getType());
}

static bool hands_over(clang::ASTContext &context, const clang::CallExpr *call,
                       const clang::FunctionDecl *kernel) {
  for (const clang::Expr *argument : call->arguments()) {
    const clang::FunctionDecl *named = function_named(argument);
    if (named ? named->getCanonicalDecl() == kernel->getCanonicalDecl()
              : may_point_to(context, argument->getType(), kernel))
      return true;
  }
  return false;
}

std::vector<const clang::FunctionDecl *>
handed_over(clang::ASTContext &context, const Survey &survey,
            const clang::CallExpr *call) {
  const clang::FunctionDecl *callee = call->getDirectCallee();
  llvm::StringRef name =
      callee && callee->getIdentifier() ? callee->getName() : "";
  if (llvm::isa<clang::CUDAKernelCallExpr>(call) || is_read_as_launch(name) ||
      only_asks(name) ||
      (callee && (callee->isInStdNamespace() || is_read_here(context, callee))))
    return {};
  std::vector<const clang::FunctionDecl *> kernels;
  for (const clang::FunctionDecl *kernel : survey.addressed)
    if (is_kernel(kernel) &&
        (launches_from_memory(name) || hands_over(context, call, kernel)))
      kernels.push_back(kernel);
  return kernels;
}

} // namespace host
