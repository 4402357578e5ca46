// Kernels that a call hands to code which is not read: it may launch them with
// anything.
//
// Such code is a function of another file or of a system's header, or one that
// is called through a pointer.  Not so are the functions whose launches
// launches.cc reads, those that only ask about a kernel or set its attributes,
// and what the standard library keeps.

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

namespace {

struct Handing {
  const clang::FunctionDecl *callee; // NULL: it is a pointer
  llvm::ArrayRef<const clang::Expr *> arguments;
};

} // namespace

static Handing handing_of(const clang::Expr *expr) {
  if (auto *call = llvm::dyn_cast<clang::CallExpr>(expr))
    return {call->getDirectCallee(), {call->getArgs(), call->getNumArgs()}};
  auto *object = llvm::cast<clang::CXXConstructExpr>(expr);
  return {object->getConstructor(), {object->getArgs(), object->getNumArgs()}};
}

// A container keeps a pointer.  Others may call one thing with the other.
static bool only_keeps(const Handing &handing) {
  auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(handing.callee);
  if (!method || !method->getParent()->isInStdNamespace())
    return false;
  return llvm::isa<clang::CXXConstructorDecl>(method)
             ? handing.arguments.size() == 1
             : method->getOverloadedOperator() != clang::OO_Call;
}

static bool is_safe(clang::ASTContext &context, const Handing &handing,
                    llvm::StringRef name) {
  const clang::SourceManager &sources = context.getSourceManager();
  return is_read_as_launch(name) ||
         (only_asks(name) &&
          sources.isInSystemHeader(handing.callee->getLocation())) ||
         (handing.callee &&
          (only_keeps(handing) || is_read_here(context, handing.callee)));
}

static bool hands_over(clang::ASTContext &context, const Handing &handing,
                       const clang::FunctionDecl *kernel) {
  for (const clang::Expr *argument : handing.arguments) {
    const clang::FunctionDecl *named = function_named(argument);
    if (named ? named->getCanonicalDecl() == kernel->getCanonicalDecl()
              : may_point_to(context, argument->getType(), kernel))
      return true;
  }
  return false;
}

std::vector<const clang::FunctionDecl *> handed_over(clang::ASTContext &context,
                                                     const Survey &survey,
                                                     const clang::Expr *call) {
  Handing handing = handing_of(call);
  llvm::StringRef name = handing.callee && handing.callee->getIdentifier()
                             ? handing.callee->getName()
                             : "";
  if (llvm::isa<clang::CUDAKernelCallExpr>(call) ||
      is_safe(context, handing, name))
    return {};
  std::vector<const clang::FunctionDecl *> kernels;
  for (const clang::FunctionDecl *kernel : survey.addressed)
    if (is_kernel(kernel) &&
        (launches_from_memory(name) || hands_over(context, handing, kernel)))
      kernels.push_back(kernel);
  return kernels;
}

} // namespace host
